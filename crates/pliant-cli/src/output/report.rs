//! The records of the JSON files: their keys are a contract with other programs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::energy_record::{EnergyRecord, NearestRecord};
use super::known_name::{KnownName, known_name};
use super::load_record::{FullLoadRecord, LoadRecord, TrainingRecord};
use crate::failure::Failure;
use crate::scene::SubspaceSpec;

/// What a mesh is.
#[derive(Clone, Debug, Serialize)]
pub struct MeshRecord {
    /// 2 or 3.
    pub dimension: usize,
    /// n.
    pub vertices: usize,
    /// t.
    pub cells: usize,
    /// In m^D.
    pub volume: f64,
    /// Cells of each region.
    pub regions: BTreeMap<String, usize>,
}

/// Seconds of the full solve.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct FullSeconds {
    /// From the mesh in memory to the first iteration.
    pub setup: f64,
    /// Of the iterations.
    pub solve: f64,
}

/// The full solution.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct FullRecord {
    /// Unknowns of the full problem.
    pub dofs: usize,
    /// Newton iterations, the last step included.
    pub newton_iterations: usize,
    /// `direct` or `iterative`.
    #[serde(deserialize_with = "known_name")]
    pub linear_solver: KnownName,
    /// Iterations of the iterative solver in all; 0 where it is direct.
    pub linear_iterations: usize,
    /// `converged`, `max-iterations` or `stalled`.
    #[serde(deserialize_with = "known_name")]
    pub termination: KnownName,
    /// The vertex that reports follow.
    pub probe_vertex: usize,
    /// Its displacement in m.
    pub probe_displacement: Vec<f64>,
    /// The potential that statics minimises, in J, 0 at rest.
    pub potential_energy: f64,
    /// Its parts.
    pub energy: EnergyRecord,
    /// How long it took, testing loads apart.
    pub seconds: FullSeconds,
    /// The testing loads in the scene's order; left out when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub testing: Vec<FullLoadRecord>,
}

/// Seconds of a subspace.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct SubspaceSeconds {
    /// From mesh and material to the basis.
    pub basis: f64,
    /// Of the projection and the reduced solve; none if nothing was solved.
    pub solve: Option<f64>,
}

/// How far a subspace is from what its method promises; null where it promises nothing.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct ChecksRecord {
    /// max |row sum - 1|.
    pub partition_of_unity: Option<f64>,
    /// The smallest weight.
    pub minimum_weight: Option<f64>,
    /// max |W[node_b, a] - delta_ab|.
    pub interpolation: Option<f64>,
    /// Worst relative projection error of the unit affine maps.
    pub patch_test: Option<f64>,
    /// `|x0 + B z_start - X|_M / |X|_M`.
    pub rest: Option<f64>,
}

/// A subspace before anything is solved in it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct BasisRecord {
    /// As the command line spells it.
    #[serde(deserialize_with = "known_name")]
    pub method: KnownName,
    /// k.
    pub frames: usize,
    /// k D (D+1).
    pub dofs: usize,
    /// Independent columns of B.
    pub rank: usize,
    /// Weights above 1e-9.
    pub weights_nonzeros: usize,
    /// `weights_nonzeros / (n k)`.
    pub weights_density: f64,
    /// Non-zeros of B over nD r.
    pub basis_density: f64,
    /// Sampled vertices, for methods that have nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Vec<usize>>,
    /// For eigenmodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eigenvalues: Option<Vec<f64>>,
    /// For frames that were grown: what the basis is worth for the loads it grew from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub training: Option<Vec<TrainingRecord>>,
    /// How far it is from its promises.
    pub checks: ChecksRecord,
}

/// A subspace and the solution in it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct SubspaceRecord {
    /// The subspace.
    #[serde(flatten)]
    pub basis: BasisRecord,
    /// `|x - x_full|_M / |x_full|_M`; null when the full problem was not solved.
    pub mass_norm_error: Option<f64>,
    /// `|x - x_full|_M / |u_full|_M`; null when that is 0.
    pub displacement_error: Option<f64>,
    /// `(P(x) - P(x_full)) / (P(X) - P(x_full))`; null when that is 0.
    pub energy_gap: Option<f64>,
    /// The mass-norm error as one full Newton step from the reduced solution sees it.
    pub estimated_error: Option<f64>,
    /// In m.
    pub probe_displacement: Vec<f64>,
    /// `(g . u) / (g . u_full)` at the probe; null when that is 0.
    pub probe_fraction: Option<f64>,
    /// The potential that statics minimises, in J, 0 at rest.
    pub potential_energy: f64,
    /// Its parts.
    pub energy: EnergyRecord,
    /// The shape of the subspace that is nearest to the full solution; left out when the full problem was not solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<NearestRecord>,
    /// Newton iterations, the last step included.
    pub newton_iterations: usize,
    /// `converged`, `max-iterations` or `stalled`.
    #[serde(deserialize_with = "known_name")]
    pub termination: KnownName,
    /// How long it took, testing loads apart.
    pub seconds: SubspaceSeconds,
    /// The testing loads in the scene's order; left out when there are none or the full problem was not solved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub testing: Vec<LoadRecord>,
}

/// A subspace that could not be built or solved.
#[derive(Clone, Debug, Serialize)]
pub struct FailureRecord {
    /// As the command line spells it.
    pub method: &'static str,
    /// k.
    pub frames: usize,
    /// One sentence.
    pub error: String,
    /// Whether the method has no basis of so many frames here, so that nothing went wrong.
    #[serde(skip)]
    pub no_such_size: bool,
}

/// `report.json`.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The mesh.
    pub mesh: MeshRecord,
    /// The full solution; null when it was not asked for.
    pub full: Option<FullRecord>,
    /// The subspaces in the scene's order.
    pub subspaces: Vec<SubspaceRecord>,
    /// Subspaces that failed; left out when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailureRecord>,
}

/// `sweep.json`.
#[derive(Clone, Debug, Serialize)]
pub struct SweepReport {
    /// The mesh.
    pub mesh: MeshRecord,
    /// The full solution.
    pub full: FullRecord,
    /// Methods in order, and frame counts in order for each.
    pub points: Vec<SubspaceRecord>,
    /// Points that failed; left out when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailureRecord>,
}

/// One subspace of `swing.json`.
#[derive(Clone, Debug, Serialize)]
pub struct SwingRecord {
    /// As the command line spells it.
    pub method: &'static str,
    /// k.
    pub frames: usize,
    /// Mass-norm error of each pose.
    pub errors: Vec<f64>,
    /// Their mean.
    pub mean_error: f64,
    /// Their maximum.
    pub max_error: f64,
    /// Newton iterations of each pose.
    pub newton_iterations: Vec<usize>,
    /// How each pose's solve ended.
    pub terminations: Vec<&'static str>,
}

/// The full solutions of a swing.
#[derive(Clone, Debug, Serialize)]
pub struct SwingFullRecord {
    /// Newton iterations of each pose.
    pub newton_iterations: Vec<usize>,
    /// How each pose's solve ended.
    pub terminations: Vec<&'static str>,
}

/// `swing.json`.
#[derive(Clone, Debug, Serialize)]
pub struct SwingReport {
    /// The frame count that all subspaces share; null when they differ.
    pub frames: Option<usize>,
    /// Angle of the handle in each pose.
    pub angles_degrees: Vec<f64>,
    /// The full solutions.
    pub full: SwingFullRecord,
    /// The subspaces in the scene's order.
    pub subspaces: Vec<SwingRecord>,
    /// Subspaces that failed; left out when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailureRecord>,
}

impl FailureRecord {
    /// The record of a subspace that failed.
    pub fn new(spec: &SubspaceSpec, failure: &Failure) -> Self {
        Self {
            method: spec.method.name(),
            frames: spec.frames,
            error: failure.to_string(),
            no_such_size: matches!(failure, Failure::NoSuchSize(_)),
        }
    }
}

/// Fails if any subspace failed.
///
/// # Errors
/// As said; the message names the first and says how many there are.
pub fn require_none_failed(failures: &[FailureRecord]) -> Result<(), Failure> {
    match failures {
        [] => Ok(()),
        [only] => {
            Err(Failure::work(format_args!("{} at {} frames: {}", only.method, only.frames, only.error)))
        }
        [first, rest @ ..] => Err(Failure::work(format_args!(
            "{} at {} frames: {} (and {} more subspaces failed)",
            first.method,
            first.frames,
            first.error,
            rest.len()
        ))),
    }
}

impl SubspaceRecord {
    /// The mean mass-norm error of the testing loads; none without them.
    pub fn mean_testing_error(&self) -> Option<f64> {
        let sum: f64 = self.testing.iter().map(|load| load.mass_norm_error).sum();
        (!self.testing.is_empty()).then(|| sum / self.testing.len() as f64)
    }

    /// The testing load with the largest mass-norm error; none without them.
    pub fn worst_testing_load(&self) -> Option<&LoadRecord> {
        self.testing.iter().max_by(|a, b| a.mass_norm_error.total_cmp(&b.mass_norm_error))
    }

    /// How every solve in the subspace ended, by its name.
    fn terminations(&self) -> impl Iterator<Item = (String, &'static str)> {
        let name = format!("{} at {} frames", self.basis.method, self.basis.frames);
        let tested = self.testing.iter().map({
            let name = name.clone();
            move |load| (format!("{name}, load \"{}\"", load.name), load.termination)
        });
        std::iter::once((name, self.termination)).chain(tested)
    }
}

impl FullRecord {
    /// How every full solve ended, by its name.
    fn terminations(&self) -> impl Iterator<Item = (String, &'static str)> {
        let tested = self.testing.iter();
        let tested = tested.map(|load| (format!("the full space, load \"{}\"", load.name), load.termination));
        std::iter::once(("the full space".to_owned(), self.termination)).chain(tested)
    }
}

impl Report {
    /// How every solve ended, by the name of its space.
    pub fn terminations(&self) -> impl Iterator<Item = (String, &'static str)> {
        let full = self.full.iter().flat_map(FullRecord::terminations);
        full.chain(self.subspaces.iter().flat_map(SubspaceRecord::terminations))
    }
}

impl SweepReport {
    /// How every solve ended, by the name of its space.
    pub fn terminations(&self) -> impl Iterator<Item = (String, &'static str)> {
        self.full.terminations().chain(self.points.iter().flat_map(SubspaceRecord::terminations))
    }
}

impl SwingReport {
    /// How every solve ended, by the name of its space and pose.
    pub fn terminations(&self) -> impl Iterator<Item = (String, &'static str)> {
        let full = ("the full space".to_owned(), &self.full.terminations);
        let subspaces = self
            .subspaces
            .iter()
            .map(|record| (format!("{} at {} frames", record.method, record.frames), &record.terminations));
        std::iter::once(full).chain(subspaces).flat_map(|(name, terminations)| {
            let poses = terminations.iter().enumerate();
            poses.map(move |(pose, &termination)| (format!("{name}, pose {pose}"), termination))
        })
    }
}
