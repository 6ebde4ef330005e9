//! The loads of a scene in reports: those that frames grew from, and those that subspaces are tested with.

use serde::{Deserialize, Serialize};

use super::known_name::{KnownName, known_name};

/// The full solution of a testing load.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct FullLoadRecord {
    /// As the scene calls it.
    pub name: String,
    /// Newton iterations, the last step included.
    pub newton_iterations: usize,
    /// `converged`, `max-iterations` or `stalled`.
    #[serde(deserialize_with = "known_name")]
    pub termination: KnownName,
}

/// A load that frames grew from.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct TrainingRecord {
    /// As the scene calls it; `own` for the scene's own load.
    pub name: String,
    /// The mass-norm error against the full state that the growth keeps.
    pub estimated_error: f64,
}

/// How a subspace does with a testing load.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct LoadRecord {
    /// As the scene calls it.
    pub name: String,
    /// `|x - x_full|_M / |x_full|_M`.
    pub mass_norm_error: f64,
    /// `|x - x_full|_M / |u_full|_M`; null when that is 0.
    pub displacement_error: Option<f64>,
    /// Newton iterations, the last step included.
    pub newton_iterations: usize,
    /// `converged`, `max-iterations` or `stalled`.
    #[serde(deserialize_with = "known_name")]
    pub termination: KnownName,
}
