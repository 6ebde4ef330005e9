//! Anchored weights: component-mode synthesis in weight space.
//!
//! Each anchor has a frame whose weight is 1 on the anchor, 0 on the others and harmonic between: `L_ff W_f = -L_fa W_a`, L the Laplacian weighted by the
//! shear modulus. The other frames are fixed-interface modes, the lowest eigenvectors of `L_ff w = lambda M_ff w`, zero on every anchor, M the lumped
//! mass at unit density; each lives on one connected component of the free vertices. A component of the body without an anchor gets a
//! frame whose weight is 1 on it, so the weights of the base frames (those before the modes) always sum to one.
//! Source: Craig and Bampton, "Coupling of substructures for dynamic analyses", 1968, there for displacements.

mod free_component;
#[cfg(test)]
mod tests;

use pliant_fem::{ShapeGradients, laplacian, lumped_mass};
use pliant_mesh::{MaterialMap, SimplexMesh};
use rayon::prelude::*;

use crate::{Anchors, BasisError, EigenOptions, NONZERO, Weights};
use free_component::FreeComponent;

/// Eigenvalues of different components that are this near, relatively, count as equal: the component decides their order.
const EQUAL: f64 = 1e-9;

/// Anchored weights of one body.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct AnchoredWeights {
    /// W, n x k: first one frame for each anchor in their order, then one for each component without an anchor, then the modes
    /// (largest entry 1). The modes are exactly 0 on every anchor.
    pub weights: Weights,
    /// How many anchors there are; the first frames are theirs.
    pub anchor_count: usize,
    /// How many frames there are before the modes; their weights sum to one in every row.
    pub base_frame_count: usize,
    /// The eigenvalue of each mode in Pa/m^2, ascending.
    pub eigenvalues: Vec<f64>,
}

impl AnchoredWeights {
    /// The first `frame_count` frames alone.
    ///
    /// # Errors
    /// Fewer than the base frames, or more than there are.
    pub fn truncated(&self, frame_count: usize) -> Result<Self, BasisError> {
        if frame_count < self.base_frame_count {
            return Err(BasisError::AnchoredFrameCount {
                frames: frame_count,
                anchors: self.anchor_count,
                floating: self.base_frame_count - self.anchor_count,
                least: self.base_frame_count,
                most: self.weights.frame_count(),
            });
        }
        let weights = self.weights.truncated(frame_count)?;
        let eigenvalues = self.eigenvalues[..frame_count - self.base_frame_count].to_vec();
        Ok(Self { weights, eigenvalues, ..*self })
    }
}

/// The weights of `frame_count` frames. A prefix of the frames is the answer for fewer ([`Weights::truncated`]), down to the base
/// frames. For each component of the free vertices one factorisation with a solve for each anchor around it, and an eigenproblem.
///
/// # Errors
/// Fewer frames than anchors (and components without one), more than anchors and free vertices, anchors or a material map of
/// another mesh, an eigensolver that fails.
pub fn anchored_weights<const D: usize>(
    mesh: &SimplexMesh<D>,
    material: &MaterialMap,
    anchors: &Anchors,
    frame_count: usize,
    options: &EigenOptions,
) -> Result<AnchoredWeights, BasisError> {
    check_sizes(mesh, material, anchors)?;
    let mu: Vec<f64> = (0..mesh.cell_count()).map(|cell| material.material(cell).mu()).collect();
    let laplacian = laplacian(mesh, &ShapeGradients::new(mesh), &mu);
    let components = FreeComponent::find(&laplacian, anchors);
    let floating = components.iter().filter(|component| component.floats()).count();
    let base_frame_count = anchors.len() + floating;
    let most = anchors.len() + components.iter().map(|component| component.vertices.len()).sum::<usize>();
    if frame_count < base_frame_count || frame_count > most {
        return Err(BasisError::AnchoredFrameCount {
            frames: frame_count,
            anchors: anchors.len(),
            floating,
            least: base_frame_count,
            most,
        });
    }
    let mass = lumped_mass(mesh, &vec![1.0; mesh.cell_count()]);
    let mode_count = frame_count - base_frame_count;
    let solve = |component: &FreeComponent| {
        let matrix = laplacian.of_vertices(&component.vertices);
        Ok((component.harmonic_rows(&matrix)?, component.modes(&matrix, &mass, mode_count, options)?))
    };
    let solved = components.par_iter().map(solve).collect::<Result<Vec<_>, BasisError>>()?;
    let chosen =
        lowest_modes(&solved.iter().map(|(_, modes)| &modes.eigenvalues[..]).collect::<Vec<_>>(), mode_count);
    let eigenvalues = chosen.iter().map(|&(component, mode)| solved[component].1.eigenvalues[mode]).collect();
    let mut rows: Vec<Vec<(usize, f64)>> = anchors
        .of_vertices()
        .iter()
        .map(|anchor| anchor.map(|anchor| (anchor, 1.0)).into_iter().collect())
        .collect();
    let mut next_floating = anchors.len();
    for (index, (component, (harmonic, modes))) in components.iter().zip(solved).enumerate() {
        for (place, (&vertex, mut row)) in component.vertices.iter().zip(harmonic).enumerate() {
            if component.floats() {
                row.push((next_floating, 1.0));
            }
            for (frame, &(owner, mode)) in chosen.iter().enumerate() {
                if owner == index && modes.modes[(place, mode)].abs() > NONZERO {
                    row.push((base_frame_count + frame, modes.modes[(place, mode)]));
                }
            }
            rows[vertex] = row;
        }
        next_floating += usize::from(component.floats());
    }
    let weights = Weights::from_rows(frame_count, &rows)?;
    Ok(AnchoredWeights { weights, anchor_count: anchors.len(), base_frame_count, eigenvalues })
}

fn check_sizes<const D: usize>(
    mesh: &SimplexMesh<D>,
    material: &MaterialMap,
    anchors: &Anchors,
) -> Result<(), BasisError> {
    let sizes = [
        ("entries of the material map", material.cell_count(), mesh.cell_count(), "cells"),
        (
            "vertices that may belong to an anchor",
            anchors.of_vertices().len(),
            mesh.vertex_count(),
            "vertices",
        ),
    ];
    match sizes.into_iter().find(|(_, given, expected, _)| given != expected) {
        Some((what, given, expected, of)) => Err(BasisError::OtherMesh { what, given, expected, of }),
        None => Ok(()),
    }
}

/// The `count` lowest of all eigenvalues as (component, mode), ascending; equal ones by component.
fn lowest_modes(eigenvalues: &[&[f64]], count: usize) -> Vec<(usize, usize)> {
    let value = |&(component, mode): &(usize, usize)| eigenvalues[component][mode];
    let mut all: Vec<(usize, usize)> = (0..eigenvalues.len())
        .flat_map(|component| (0..eigenvalues[component].len()).map(move |mode| (component, mode)))
        .collect();
    all.sort_by(|a, b| value(a).total_cmp(&value(b)).then(a.cmp(b)));
    all.chunk_by_mut(|a, b| value(b) <= value(a) * (1.0 + EQUAL)).for_each(|equal| equal.sort_unstable());
    all.truncate(count);
    all
}
