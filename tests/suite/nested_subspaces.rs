//! Growing eigenmode subspaces are nested, so they never end with more energy, and full FEM, which holds them all, with the least.
//!
//! A beam with two soft joints under gravity, soft pins at one end. Measured gain in J with 1, 2, 4, 8 and the most modes, and
//! with full FEM:
//!
//! | D | modes | 1 | 2 | 4 | 8 | most | full |
//! |---|---|---|---|---|---|---|---|
//! | 2 | uniform | 0.006 | 0.118 | 0.275 | 0.353 | 0.503 (16) | 0.938 |
//! | 2 | material | 0.006 | 0.210 | 0.530 | 0.651 | 0.791 (16) | 0.938 |
//! | 3 | uniform | 0.046 | 0.154 | 0.270 | 0.296 | 0.392 (12) | 0.972 |
//! | 3 | material | 0.046 | 0.260 | 0.506 | 0.591 | 0.642 (12) | 0.972 |

use pliant::basis::{EigenOptions, Stiffness, Subspace, skinning_eigenmodes};
use pliant::fem::StableNeoHookean;
use pliant::mesh::{Material, MaterialMap, SimplexMesh, VertexSelection};
use pliant::statics::{FullProblem, Hold, NewtonOptions, solve_equilibrium};

use crate::boxes::{flat_box, solid_box};

const STIFF: Material = Material { youngs_modulus: 1e4, poisson_ratio: 0.4, density: 1.0 };
const SOFT: Material = Material { youngs_modulus: 1e3, ..STIFF };

fn beam_2d() -> SimplexMesh<2> {
    flat_box([4.0, 1.0], [32, 8])
}

fn beam_3d() -> SimplexMesh<3> {
    solid_box([4.0, 1.0, 1.0], [16, 4, 4])
}

/// Solves with 1, 2, 3 ... modes under gravity with soft pins at one end.
fn growing_subspaces_never_end_with_more_energy<const D: usize>(mesh: &SimplexMesh<D>, most: usize) {
    let is_soft = |x: f64| (1.0..1.5).contains(&x) || (2.5..3.0).contains(&x);
    let material = MaterialMap::from_function(mesh, |x| if is_soft(x[0]) { SOFT } else { STIFF }).unwrap();
    let pins = VertexSelection::Range { axis: 0, min: None, max: Some(0.2) }.select(mesh).unwrap();
    let gravity = std::array::from_fn(|axis| if axis + 1 == D { -4.0 } else { 0.0 });
    let full =
        FullProblem::new(mesh, &material, StableNeoHookean).pin_with(&pins, Hold::Soft(1e6)).gravity(gravity);
    let options = NewtonOptions { step_tolerance: 1e-8, ..NewtonOptions::default() };
    let exact = solve_equilibrium(&full, &options).unwrap().require_converged().unwrap();
    for stiffness in [Stiffness::Uniform, Stiffness::Material(&material)] {
        let modes = skinning_eigenmodes(mesh, most, stiffness, &EigenOptions::default()).unwrap();
        let mut least = 0.0;
        for frames in 1..=most {
            let weights = modes.weights.truncated(frames).unwrap();
            let subspace = Subspace::linear_blend_skinning(mesh, &material, weights).unwrap();
            let reduced = full.project(&subspace).unwrap();
            let found = solve_equilibrium(&reduced, &options).unwrap().require_converged().unwrap();
            let energy = found.potential_energy;
            let round_off = 1e-9 * exact.potential_energy.abs();
            assert!(energy <= least + round_off, "{D}D, {frames} modes: {energy} J above {least} J");
            assert!(energy >= exact.potential_energy - round_off, "{D}D, {frames} modes: {energy} J");
            least = energy;
        }
        assert!(least < 0.3 * exact.potential_energy, "{most} modes gain only {least} J");
    }
}

#[test]
fn growing_eigenmode_subspaces_never_end_with_more_energy_in_2d() {
    growing_subspaces_never_end_with_more_energy(&beam_2d(), 16);
}

#[test]
fn growing_eigenmode_subspaces_never_end_with_more_energy_in_3d() {
    growing_subspaces_never_end_with_more_energy(&beam_3d(), 12);
}
