//! Where the energy of a solution is, and what the subspace's nearest shape to the full solution would cost.

use std::collections::BTreeMap;

use pliant::statics::{EnergySplit, FullProblem};
use serde::{Deserialize, Serialize};

/// Where the energy of a shape is, in J; the parts add up to its potential.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct EnergyRecord {
    /// Elastic energy by region.
    pub regions: BTreeMap<String, f64>,
    /// Of soft pins and handles.
    pub springs: f64,
    /// Minus the work of the loads.
    pub loads: f64,
}

/// The shape of a subspace that is nearest to the full solution in the mass norm: how near, and what it costs. Where that is much more than
/// the full solution's, the subspace locks.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct NearestRecord {
    /// `|x - x_full|_M / |x_full|_M`.
    pub mass_norm_error: f64,
    /// Of that shape.
    pub energy: EnergyRecord,
}

impl EnergyRecord {
    /// The energy of a shape.
    pub fn new<const D: usize>(problem: &FullProblem<'_, D>, displacement: &[f64]) -> Self {
        let split = EnergySplit::new(problem, displacement);
        let names = problem.mesh().regions().iter().cloned();
        Self { regions: names.zip(split.regions).collect(), springs: split.springs, loads: split.loads }
    }
}
