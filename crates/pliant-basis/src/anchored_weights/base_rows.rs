//! The rows of the base frames on one free component: harmonic, and bent by the inertia of the anchors.
//!
//! `W_f = H + Y D^-1 K`, `H = -L_ff^-1 L_fa` the harmonic weights, `Y = L_ff^-1 M_ff H`, `K = H^T L H` what anchors feel of each other,
//! D the mass that follows each anchor. Where anchors swing slowly this is what the lowest modes of the whole body look like between them.
//! The rows still sum to one, since those of K sum to zero. An anchor that is pinned does not swing (its row of K is left out), and one whose own
//! frequency is not well below that of the free components around it is left out as well.
//! Source: O'Callahan, "A procedure for an improved reduced system (IRS) model", 1989.

use std::collections::BTreeMap;

use faer::Mat;
use pliant_fem::SymmetricMatrix;
use rayon::prelude::*;

use super::free_component::{SolvableComponent, for_each_neighbour};
use crate::cardinal::Row;
use crate::{Anchors, BetweenAnchors, NONZERO};

/// Anchors whose weights are solved for at once.
const ANCHORS_PER_SOLVE: usize = 32;
/// An anchor is slow when its eigenvalue is at most this fraction of the lowest one of the components around it.
const SLOW: f64 = 0.125;

/// The rows of every vertex of every component, none for a component that floats. Weights of at most 1e-9 are dropped and the others divided by their sum.
pub(super) fn base_rows(
    laplacian: &SymmetricMatrix,
    mass: &[f64],
    anchors: &Anchors,
    components: &mut [SolvableComponent],
    between: BetweenAnchors,
) -> Vec<Vec<Row>> {
    let mut rows: Vec<Vec<Row>> = components
        .par_iter_mut()
        .map(|component| {
            rows_of(component, |vertex, anchor| {
                f64::from(u8::from(anchors.of_vertices()[vertex] == Some(anchor)))
            })
        })
        .collect();
    if between == BetweenAnchors::Swinging {
        let swinging = Swinging::new(laplacian, mass, anchors, components, &rows);
        components.par_iter_mut().zip(&mut rows).for_each(|(part, rows)| swinging.bend(part, mass, rows));
    }
    rows.iter_mut().flatten().for_each(|row| {
        row.retain(|(_, weight)| weight.abs() > NONZERO);
        let sum: f64 = row.iter().map(|&(_, weight)| weight).sum();
        row.iter_mut().for_each(|(_, weight)| *weight /= sum);
    });
    rows
}

/// The harmonic weights of the anchors around a component.
fn rows_of(component: &mut SolvableComponent, value: impl Fn(usize, usize) -> f64) -> Vec<Row> {
    let anchors = component.component.anchors.clone();
    let mut rows: Vec<Row> = vec![Vec::new(); component.component.vertices.len()];
    for part in anchors.chunks(ANCHORS_PER_SOLVE) {
        let columns = component.extension(part.len(), |vertex, function| value(vertex, part[function]));
        push_columns(&columns, part, &mut rows);
    }
    rows
}

fn push_columns(columns: &Mat<f64>, anchors: &[usize], rows: &mut [Row]) {
    for (column, &anchor) in columns.col_iter().zip(anchors) {
        for (row, &weight) in rows.iter_mut().zip(column.iter()) {
            if weight.abs() > NONZERO {
                row.push((anchor, weight));
            }
        }
    }
}

/// What anchors feel of each other, and which of them swing slowly.
struct Swinging {
    /// For each anchor its row of `D^-1 K`; empty for those that do not swing.
    accelerations: Vec<Row>,
}

impl Swinging {
    fn new(
        laplacian: &SymmetricMatrix,
        mass: &[f64],
        anchors: &Anchors,
        components: &mut [SolvableComponent],
        rows: &[Vec<Row>],
    ) -> Self {
        let mut of_vertex: Vec<Option<&Row>> = vec![None; mass.len()];
        for (component, rows) in components.iter().zip(rows) {
            component
                .component
                .vertices
                .iter()
                .zip(rows)
                .for_each(|(&vertex, row)| of_vertex[vertex] = Some(row));
        }
        let mut forces: Vec<BTreeMap<usize, f64>> = vec![BTreeMap::new(); anchors.len()];
        let mut following = vec![0.0; anchors.len()];
        let mut holds_still = vec![false; anchors.len()];
        for (vertex, anchor) in anchors.of_vertices().iter().enumerate() {
            let Some(anchor) = *anchor else {
                let row = of_vertex[vertex].expect("a vertex without anchor is in a component");
                row.iter().for_each(|&(anchor, weight)| following[anchor] += mass[vertex] * weight);
                continue;
            };
            following[anchor] += mass[vertex];
            holds_still[anchor] |= anchors.pinned()[vertex];
            for_each_neighbour(laplacian.pattern(), vertex, |neighbour, place| {
                let entry = laplacian.values()[place];
                match (anchors.of_vertices()[neighbour], of_vertex[neighbour]) {
                    (Some(other), _) => *forces[anchor].entry(other).or_insert(0.0) += entry,
                    (None, row) => row.into_iter().flatten().for_each(|&(other, weight)| {
                        *forces[anchor].entry(other).or_insert(0.0) += entry * weight;
                    }),
                }
            });
        }
        let mut slowest = vec![f64::INFINITY; anchors.len()];
        for component in components {
            let lowest = component.lowest_eigenvalue(mass);
            component
                .component
                .anchors
                .iter()
                .for_each(|&anchor| slowest[anchor] = slowest[anchor].min(lowest));
        }
        let acceleration = |(anchor, force): (usize, BTreeMap<usize, f64>)| {
            let own = force.get(&anchor).copied().unwrap_or(0.0) / following[anchor];
            let swings = !holds_still[anchor] && own <= SLOW * slowest[anchor];
            let row = force.into_iter().map(|(other, force)| (other, force / following[anchor]));
            if swings { row.collect() } else { Row::new() }
        };
        Self { accelerations: forces.into_iter().enumerate().map(acceleration).collect() }
    }

    /// Adds `Y D^-1 K` to the rows of a component.
    fn bend(&self, component: &mut SolvableComponent, mass: &[f64], rows: &mut [Row]) {
        let swinging: Vec<usize> = component
            .component
            .anchors
            .iter()
            .copied()
            .filter(|&anchor| !self.accelerations[anchor].is_empty())
            .collect();
        if swinging.is_empty() {
            return;
        }
        let mut columns = Mat::zeros(rows.len(), swinging.len());
        for (place, (row, &vertex)) in rows.iter().zip(&component.component.vertices).enumerate() {
            for &(anchor, weight) in row {
                if let Ok(column) = swinging.binary_search(&anchor) {
                    columns[(place, column)] = mass[vertex] * weight;
                }
            }
        }
        component.solve(&mut columns);
        for (place, row) in rows.iter_mut().enumerate() {
            let mut bent: BTreeMap<usize, f64> = row.iter().copied().collect();
            for (column, &anchor) in swinging.iter().enumerate() {
                for &(other, acceleration) in &self.accelerations[anchor] {
                    *bent.entry(other).or_insert(0.0) += columns[(place, column)] * acceleration;
                }
            }
            *row = bent.into_iter().collect();
        }
    }
}

impl SolvableComponent {
    /// About the lowest eigenvalue of `L_ff w = lambda M_ff w`: the Rayleigh quotient of `L_ff^-1 M_ff 1`; infinite for a
    /// component that floats.
    fn lowest_eigenvalue(&mut self, mass: &[f64]) -> f64 {
        let masses: Vec<f64> = self.component.vertices.iter().map(|&vertex| mass[vertex]).collect();
        let mut sag = Mat::from_fn(masses.len(), 1, |row, _| masses[row]);
        self.solve(&mut sag);
        let sum = |power: i32| -> f64 {
            masses.iter().zip(sag.col(0).iter()).map(|(m, y)| m * y.powi(power)).sum()
        };
        if self.component.floats() { f64::INFINITY } else { sum(1) / sum(2) }
    }
}
