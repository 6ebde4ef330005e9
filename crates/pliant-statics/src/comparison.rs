//! How far one solution is from another, usually a reduced one from full FEM.

use crate::{Equilibrium, FullProblem};

/// Errors of a solution `x` against the exact `x_full`, `|.|_M` the lumped mass norm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// `|x - x_full|_M / |x_full|_M`. Depends on where the origin is.
    pub mass_norm_error: f64,
    /// `|x - x_full|_M / |u_full|_M`; `None` when the exact solution does not move.
    pub displacement_error: Option<f64>,
    /// `(P(x) - P(x_full)) / (P(X) - P(x_full))`, P the potential; `None` when the exact solution gains nothing.
    pub energy_gap: Option<f64>,
}

impl std::fmt::Display for Comparison {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "mass-norm error {:.5}", self.mass_norm_error)?;
        if let Some(error) = self.displacement_error {
            write!(formatter, ", displacement error {error:.5}")?;
        }
        self.energy_gap.map_or(Ok(()), |gap| write!(formatter, ", energy gap {gap:.5}"))
    }
}

/// Compares two solutions of one problem. O(n + t).
///
/// # Panics
/// If a solution belongs to another mesh.
pub fn compare<const D: usize>(
    full: &FullProblem<'_, D>,
    exact: &Equilibrium<D>,
    approximate: &Equilibrium<D>,
) -> Comparison {
    let rest = full.mesh().positions().as_flattened();
    let distance = full.mass_norm(|dof| approximate.displacement[dof] - exact.displacement[dof]);
    let moved = full.mass_norm(|dof| exact.displacement[dof]);
    let size = full.mass_norm(|dof| rest[dof] + exact.displacement[dof]);
    let at_rest = full.potential_energy(&vec![0.0; rest.len()]);
    let gain = at_rest.value - exact.potential_energy;
    let noise = 1e-14 * at_rest.magnitude.max(exact.potential_energy.abs());
    Comparison {
        mass_norm_error: distance / size,
        displacement_error: (moved > 0.0).then(|| distance / moved),
        energy_gap: (gain > noise).then(|| (approximate.potential_energy - exact.potential_energy) / gain),
    }
}
