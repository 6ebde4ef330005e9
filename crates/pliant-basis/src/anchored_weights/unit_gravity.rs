//! The order of modes by what they are worth: the energy that each lets the body give off under unit gravity along every axis.
//!
//! The body is linear elastic and its pinned vertices do not move. Frames are taken one after another, first the base frames, then each time the mode whose
//! D (D + 1) coordinates lower the potential energy most, given all frames before it: the Newton decrement `r^T A^-1 r`, A and r its block of the stiffness
//! and the loads after elimination of the frames before. The loads count relative to the energy that all frames together give off.

use std::sync::Arc;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use pliant_fem::{
    Elasticity, HessianProjection, LameConvention, LinearElastic, SymmetricMatrix, SymmetricPattern,
    lumped_mass,
};
use pliant_mesh::{MaterialMap, SimplexMesh, vertex_components};
use rayon::prelude::*;

use super::mode::Mode;
use crate::BasisError;
use crate::smallest_eigenpairs::symmetric_evd;

/// Directions whose stiffness is below this, relative to the stiffness before elimination, are already in the span.
const DEPENDENT: f64 = 1e-9;
/// Relative size of the smallest extent of the pinned vertices that holds a body.
const FLAT: f64 = 1e-9;

/// The places of `count` modes in the order of their worth; equal ones in the order given. The base frames are columns like those of modes.
///
/// With N frames in all one product with the elastic stiffness for each and O(N^2 n) for the reduced stiffness.
pub(super) fn order_of_worth<const D: usize>(
    mesh: &SimplexMesh<D>,
    material: &MaterialMap,
    pinned: &[bool],
    base: Vec<Vec<(usize, f64)>>,
    modes: &[Mode],
    count: usize,
) -> Result<Vec<usize>, BasisError> {
    let base_count = base.len();
    let free = |entries: &[(usize, f64)]| -> Vec<(usize, f64)> {
        entries.iter().copied().filter(|(vertex, _)| !pinned[*vertex]).collect()
    };
    let frames: Vec<Vec<(usize, f64)>> =
        base.iter().chain(modes.iter().map(|mode| &mode.entries)).map(|entries| free(entries)).collect();
    let mut reduced = ReducedBody::<D>::new(mesh, material, &frames);
    for frame in 0..base_count {
        reduced.take(frame)?;
    }
    let mut whole = reduced.clone();
    for frame in base_count..frames.len() {
        whole.take(frame)?;
    }
    let scale: Vec<f64> =
        whole.released.iter().map(|&released| 1.0 / released.max(f64::MIN_POSITIVE)).collect();
    let mut rest: Vec<usize> = (base_count..frames.len()).collect();
    let mut order = Vec::with_capacity(count);
    while order.len() < count && !rest.is_empty() {
        let worth = rest
            .par_iter()
            .map(|&frame| {
                Ok(reduced.direction(frame)?.decrements.iter().zip(&scale).map(|(a, b)| a * b).sum())
            })
            .collect::<Result<Vec<f64>, BasisError>>()?;
        let best = (0..rest.len()).fold(0, |best, next| if worth[next] > worth[best] { next } else { best });
        let frame = rest.remove(best);
        reduced.take(frame)?;
        order.push(frame - base_count);
    }
    Ok(order)
}

/// Whether the pinned vertices leave no component of the body a rigid motion: two apart in 2D, three off a line in 3D.
pub(super) fn is_firmly_held<const D: usize>(mesh: &SimplexMesh<D>, pinned: &[bool]) -> bool {
    let components = vertex_components(mesh);
    let mut of_component: Vec<Vec<[f64; D]>> = vec![Vec::new(); components.count];
    for (vertex, position) in mesh.positions().iter().enumerate().filter(|(vertex, _)| pinned[*vertex]) {
        of_component[components.labels[vertex]].push(*position);
    }
    of_component.iter().all(|positions| spanned(positions, mesh.diagonal()) >= D - 1)
}

/// The dimension of the flat through some positions, at most D - 1; 0 for one or none.
fn spanned<const D: usize>(positions: &[[f64; D]], diagonal: f64) -> usize {
    let Some(origin) = positions.first() else { return 0 };
    let mut offsets: Vec<[f64; D]> =
        positions.iter().map(|position| std::array::from_fn(|axis| position[axis] - origin[axis])).collect();
    let dot = |a: &[f64; D], b: &[f64; D]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    for dimension in 0..D - 1 {
        let Some(longest) = offsets.iter().copied().max_by(|a, b| dot(a, a).total_cmp(&dot(b, b))) else {
            return 0;
        };
        let square = dot(&longest, &longest);
        if square.sqrt() <= FLAT * diagonal {
            return dimension;
        }
        for offset in &mut offsets {
            let along = dot(offset, &longest) / square;
            *offset = std::array::from_fn(|axis| offset[axis] - along * longest[axis]);
        }
    }
    D - 1
}

/// The stiffness and the loads in the coordinates of all frames, those of the frames taken so far eliminated.
#[derive(Clone)]
struct ReducedBody<const D: usize> {
    /// Scaled to a unit diagonal before elimination; symmetric, stored whole.
    stiffness: Mat<f64>,
    /// One column for each axis.
    loads: Mat<f64>,
    /// Twice the energy given off so far, for each axis.
    released: Vec<f64>,
}

/// What one frame adds.
struct Direction {
    /// Coordinates of the frame, A-orthonormal columns.
    vectors: Mat<f64>,
    /// What the loads do along them.
    forces: Mat<f64>,
    /// The decrement under each load.
    decrements: Vec<f64>,
}

impl<const D: usize> ReducedBody<D> {
    const SIZE: usize = D * (D + 1);

    fn new(mesh: &SimplexMesh<D>, material: &MaterialMap, frames: &[Vec<(usize, f64)>]) -> Self {
        let (low, high) = mesh.bounding_box();
        let affine: Vec<Vec<f64>> = mesh
            .positions()
            .iter()
            .map(|position| {
                let scaled = |axis| (position[axis] - (low[axis] + high[axis]) / 2.0) / mesh.diagonal();
                (0..D).map(scaled).chain([1.0]).collect()
            })
            .collect();
        let elastic = elastic_stiffness(mesh, material);
        let mass = lumped_mass(mesh, material.density());
        let mut stiffness = Mat::zeros(frames.len() * Self::SIZE, frames.len() * Self::SIZE);
        let mut loads = Mat::zeros(frames.len() * Self::SIZE, D);
        let mut panel = vec![0.0; mesh.vertex_count() * D * Self::SIZE];
        let mut product = panel.clone();
        for (frame, entries) in frames.iter().enumerate() {
            panel.fill(0.0);
            for &(vertex, weight) in entries {
                for (h, factor) in affine[vertex].iter().enumerate() {
                    for axis in 0..D {
                        panel[(vertex * D + axis) * Self::SIZE + h * D + axis] = weight * factor;
                        loads[(frame * Self::SIZE + h * D + axis, axis)] += mass[vertex] * weight * factor;
                    }
                }
            }
            elastic.multiply_panel(&panel, Self::SIZE, &mut product);
            // Where the frame exerts forces; most frames live on a small part of the body.
            let loaded: Vec<bool> = product
                .chunks_exact(D * Self::SIZE)
                .map(|forces| forces.iter().any(|force| *force != 0.0))
                .collect();
            let blocks: Vec<Vec<f64>> = frames[..=frame]
                .par_iter()
                .map(|entries| {
                    let near = entries.iter().filter(|(vertex, _)| loaded[*vertex]);
                    pair_block::<D>(near, &affine, &product)
                })
                .collect();
            for (other, block) in blocks.iter().enumerate() {
                for (row, values) in block.chunks_exact(Self::SIZE).enumerate() {
                    for (column, &value) in values.iter().enumerate() {
                        let (i, j) = (other * Self::SIZE + row, frame * Self::SIZE + column);
                        stiffness[(i, j)] = value;
                        stiffness[(j, i)] = value;
                    }
                }
            }
        }
        let scale: Vec<f64> = (0..loads.nrows())
            .map(|i| if stiffness[(i, i)] > 0.0 { 1.0 / stiffness[(i, i)].sqrt() } else { 0.0 })
            .collect();
        for j in 0..loads.nrows() {
            for i in 0..loads.nrows() {
                stiffness[(i, j)] *= scale[i] * scale[j];
            }
            for axis in 0..D {
                loads[(j, axis)] *= scale[j];
            }
        }
        Self { stiffness, loads, released: vec![0.0; D] }
    }

    fn direction(&self, frame: usize) -> Result<Direction, BasisError> {
        let (first, size) = (frame * Self::SIZE, Self::SIZE);
        let (values, vectors) = symmetric_evd(self.stiffness.submatrix(first, first, size, size))?;
        let dependent = values.partition_point(|&value| value <= DEPENDENT);
        let vectors = Mat::from_fn(size, size - dependent, |row, column| {
            vectors[(row, dependent + column)] / values[dependent + column].sqrt()
        });
        let mut forces = Mat::zeros(vectors.ncols(), D);
        let loads = self.loads.subrows(first, size);
        matmul(forces.as_mut(), Accum::Replace, vectors.transpose(), loads, 1.0, Par::Seq);
        let decrements =
            forces.col_iter().map(|column| column.iter().map(|force| force * force).sum()).collect();
        Ok(Direction { vectors, forces, decrements })
    }

    /// Eliminates the coordinates of a frame.
    fn take(&mut self, frame: usize) -> Result<(), BasisError> {
        let Direction { vectors, forces, decrements } = self.direction(frame)?;
        if vectors.ncols() == 0 {
            return Ok(());
        }
        let (first, size, all) = (frame * Self::SIZE, Self::SIZE, self.stiffness.nrows());
        let mut coupling = Mat::zeros(all, vectors.ncols());
        let columns = self.stiffness.subcols(first, size);
        matmul(coupling.as_mut(), Accum::Replace, columns, vectors.as_ref(), 1.0, Par::Seq);
        matmul(self.stiffness.as_mut(), Accum::Add, coupling.as_ref(), coupling.transpose(), -1.0, Par::Seq);
        matmul(self.loads.as_mut(), Accum::Add, coupling.as_ref(), forces.as_ref(), -1.0, Par::Seq);
        self.released.iter_mut().zip(decrements).for_each(|(total, decrement)| *total += decrement);
        Ok(())
    }
}

/// `B^T Y` for the B of one frame and a product Y of D rows a vertex and D (D + 1) columns; row-major.
fn pair_block<'a, const D: usize>(
    entries: impl Iterator<Item = &'a (usize, f64)>,
    affine: &[Vec<f64>],
    product: &[f64],
) -> Vec<f64> {
    let size = D * (D + 1);
    let mut block = vec![0.0; size * size];
    for &(vertex, weight) in entries {
        let rows = &product[vertex * D * size..(vertex + 1) * D * size];
        for (h, factor) in affine[vertex].iter().enumerate() {
            let out = &mut block[h * D * size..(h + 1) * D * size];
            out.iter_mut().zip(rows).for_each(|(out, value)| *out += weight * factor * value);
        }
    }
    block
}

fn elastic_stiffness<const D: usize>(mesh: &SimplexMesh<D>, material: &MaterialMap) -> SymmetricMatrix {
    let elasticity = Elasticity::new(mesh, material, Arc::new(LinearElastic), LameConvention::Consistent);
    let rest = vec![0.0; mesh.vertex_count() * D];
    let mut stiffness = SymmetricMatrix::zeros(Arc::new(SymmetricPattern::new(mesh, D)));
    elasticity.assemble_hessian(&rest, HessianProjection::Plain, &mut stiffness);
    stiffness
}
