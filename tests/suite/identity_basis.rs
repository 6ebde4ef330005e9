//! The identity as basis: a frame for each vertex spans every displacement, so the reduced path must walk the Newton path of full FEM.
//!
//! Each frame sees one vertex, so of its D + 1 columns one is independent and the rank is n D. Measured over 10
//! to 22 iterations of straight steps and 4 to 6 of turning ones: same step lengths and Hessians, potentials equal to
//! 2e-11 relative (2e-13 for straight steps), solutions to 3e-16.
use pliant::basis::{Subspace, Weights};
use pliant::fem::StableNeoHookean;
use pliant::mesh::{Material, MaterialMap, SimplexMesh, VertexSelection};
use pliant::statics::{FullProblem, HessianStrategy, Hold, NewtonOptions, StepPath, solve_equilibrium};

use crate::boxes::{flat_box, solid_box};

const SOFT: Material = Material { youngs_modulus: 1e3, poisson_ratio: 0.4, density: 1.0 };

fn beam_2d() -> SimplexMesh<2> {
    flat_box([4.0, 1.0], [16, 4])
}

fn beam_3d() -> SimplexMesh<3> {
    solid_box([3.0, 1.0, 1.0], [6, 2, 2])
}

/// One frame for each vertex.
fn identity<const D: usize>(mesh: &SimplexMesh<D>, material: &MaterialMap) -> Subspace<D> {
    let rows: Vec<Vec<(usize, f64)>> = (0..mesh.vertex_count()).map(|vertex| vec![(vertex, 1.0)]).collect();
    let weights = Weights::from_rows(mesh.vertex_count(), &rows).unwrap();
    Subspace::linear_blend_skinning(mesh, material, weights).unwrap()
}

/// The largest difference of two vectors by the largest entry of the second.
fn relative_difference(a: &[f64], b: &[f64]) -> f64 {
    let largest =
        |entries: &mut dyn Iterator<Item = f64>| entries.fold(0.0, |most: f64, x| most.max(x.abs()));
    largest(&mut a.iter().zip(b).map(|(a, b)| a - b)) / largest(&mut b.iter().copied())
}

fn the_identity_walks_the_full_newton_path<const D: usize>(mesh: &SimplexMesh<D>, hold: Hold) {
    let material = MaterialMap::uniform(mesh, SOFT).unwrap();
    let subspace = identity(mesh, &material);
    assert_eq!(subspace.dofs(), mesh.vertex_count() * D * (D + 1));
    assert_eq!(subspace.rank(), mesh.vertex_count() * D);
    let clamp = VertexSelection::Range { axis: 0, min: None, max: Some(0.0) }.select(mesh).unwrap();
    let mut gravity = [0.0; D];
    gravity[D - 1] = -20.0;
    let full = FullProblem::new(mesh, &material, StableNeoHookean).pin_with(&clamp, hold).gravity(gravity);
    let reduced = full.project(&subspace).unwrap();
    for (path, least, hessian) in [
        (StepPath::Straight, 10, HessianStrategy::WhenNeeded),
        (StepPath::Straight, 10, HessianStrategy::Always),
        (StepPath::Turning, 4, HessianStrategy::WhenNeeded),
        (StepPath::Turning, 4, HessianStrategy::Always),
    ] {
        let options = NewtonOptions { hessian, path, ..NewtonOptions::default() };
        let expected = solve_equilibrium(&full, &options).unwrap().require_converged().unwrap();
        let found = solve_equilibrium(&reduced, &options).unwrap().require_converged().unwrap();
        let name = format!("{D}D {hold:?} {hessian:?} {path:?}");
        assert!(expected.iterations() >= least, "{name}: {} iterations tell nothing", expected.iterations());
        assert_eq!(found.iterations(), expected.iterations(), "{name}");
        for (found, expected) in found.history.iter().zip(&expected.history) {
            assert_eq!(
                (found.step_length, found.projection),
                (expected.step_length, expected.projection),
                "{name}"
            );
            let difference = (found.potential_energy - expected.potential_energy).abs();
            assert!(difference <= 1e-9 * expected.potential_energy.abs(), "{name}: {found:?} {expected:?}");
            let difference = (found.step_norm - expected.step_norm).abs();
            assert!(difference <= 1e-9 * expected.step_norm + 1e-13, "{name}: {found:?} {expected:?}");
        }
        assert!(relative_difference(&found.displacement, &expected.displacement) < 1e-12, "{name}");
        let lifted = subspace.displacement(&reduced.coordinates(&found.unknowns)).into_flattened();
        assert!(relative_difference(&lifted, &found.displacement) < 1e-12, "{name}");
    }
}

#[test]
fn the_identity_walks_the_full_newton_path_with_soft_pins() {
    the_identity_walks_the_full_newton_path(&beam_2d(), Hold::Soft(1e9));
    the_identity_walks_the_full_newton_path(&beam_3d(), Hold::Soft(1e9));
}

#[test]
fn the_identity_walks_the_full_newton_path_with_hard_pins() {
    the_identity_walks_the_full_newton_path(&beam_2d(), Hold::Hard);
    the_identity_walks_the_full_newton_path(&beam_3d(), Hold::Hard);
}
