//! A cantilever clamped hard at x = 0 bends under its own small weight as Timoshenko's beam: `w = q L^4 / (8 E I) + q L^2 / (2 kappa G A)`.
//!
//! Depth 1 m, n cells over the depth, cells of equal sides; in 2D (plane strain) E becomes `E / (1 - nu^2)` and nu becomes `nu / (1 - nu)`.
//! The shear coefficient is Cowper's for a rectangle, `kappa = 10 (1 + nu) / (12 + 11 nu)`. The tip sinks by 1e-5 L, so the geometry
//! stays linear. Measured `w / w_beam - 1`, linear cells being stiff in bending, with the limit by Richardson's extrapolation in 1/n^2:
//!
//! | D | nu | L | n = 4 | 8 | 16 | 32 | limit |
//! |---|---|---|---|---|---|---|---|
//! | 2 | 0 | 10 | | -0.0448 | -0.0116 | -0.0029 | -0.0001 |
//! | 2 | 0.3 | 10 | | | -0.0136 | -0.0066 | -0.0042 |
//! | 2 | 0.3 | 20 | -0.1271 | -0.0371 | -0.0112 | -0.0044 | -0.0022 |
//! | 3 | 0 | 10 | -0.1533 | -0.0432 | -0.0112 | | -0.0005 |
//! | 3 | 0.3 | 10 | -0.1589 | -0.0536 | -0.0209 | | -0.0100 |
//!
//! Without Poisson effect the limit is the beam's, its shear term (0.008 at L = 10) included. With it, a clamp that also stops the
//! section from narrowing stiffens the end: a difference that the beam does not know, and that halves when L doubles (the 3D limit
//! is not yet settled at n = 16: fewer cells resolve the clamped end).
//! Source: Cowper, "The shear coefficient in Timoshenko's beam theory", 1966.

use pliant::fem::StableNeoHookean;
use pliant::mesh::{
    BoxOptions, Material, MaterialMap, RectangleOptions, Resolution, SimplexMesh, VertexSelection, box_mesh,
    rectangle,
};
use pliant::statics::{FullProblem, NewtonOptions, solve_equilibrium};

/// The relative error of the tip's deflection of a beam of depth (and width) 1 along x.
fn deflection_error<const D: usize>(mesh: &SimplexMesh<D>, poisson_ratio: f64) -> f64 {
    let material = Material { youngs_modulus: 1e6, poisson_ratio, density: 2.0 };
    let length = mesh.bounding_box().1[0];
    let (modulus, contraction) = match D {
        2 => (1e6 / (1.0 - poisson_ratio.powi(2)), poisson_ratio / (1.0 - poisson_ratio)),
        _ => (1e6, poisson_ratio),
    };
    let bending_stiffness = modulus / 12.0;
    let shear_stiffness = 10.0 * (1.0 + contraction) / (12.0 + 11.0 * contraction) * material.mu();
    let load = 1e-5 * length * 8.0 * bending_stiffness / length.powi(4);
    let expected =
        load * length.powi(4) / (8.0 * bending_stiffness) + load * length.powi(2) / (2.0 * shear_stiffness);

    let clamp = VertexSelection::Range { axis: 0, min: None, max: Some(0.0) }.select(mesh).unwrap();
    let mut acceleration = [0.0; D];
    acceleration[D - 1] = -load / material.density;
    let materials = MaterialMap::uniform(mesh, material).unwrap();
    let beam = FullProblem::new(mesh, &materials, StableNeoHookean).pin(&clamp).gravity(acceleration);
    let bent = solve_equilibrium(&beam, &NewtonOptions::default()).unwrap().require_converged().unwrap();
    let mut tip = [0.5; D];
    tip[0] = length;
    let tip = VertexSelection::Nearest(tip).select(mesh).unwrap()[0];
    -bent.vertex_displacement(tip)[D - 1] / expected - 1.0
}

/// A beam of this length with n cells over its depth of 1.
fn beam_2d(length: usize, n: usize) -> SimplexMesh<2> {
    rectangle(&RectangleOptions {
        max: [length as f64, 1.0],
        resolution: Resolution::Counts([length * n, n]),
        ..Default::default()
    })
    .unwrap()
}

fn beam_3d(length: usize, across: usize, n: usize) -> SimplexMesh<3> {
    box_mesh(&BoxOptions {
        max: [length as f64, 1.0, 1.0],
        resolution: Resolution::Counts([length * n, across, n]),
        ..Default::default()
    })
    .unwrap()
}

/// Checks that the errors of a sequence with n doubling shrink by more than half each time, and returns the limit in 1/n^2.
fn limit_of(errors: &[f64]) -> f64 {
    for pair in errors.windows(2) {
        assert!(pair[1].abs() < 0.5 * pair[0].abs(), "the errors {errors:?} do not shrink");
    }
    let [.., before, last] = errors else { panic!("two errors at least") };
    (4.0 * last - before) / 3.0
}

#[test]
fn a_plane_strain_cantilever_approaches_the_timoshenko_deflection_as_cells_shrink() {
    let errors = [4, 8, 16, 32].map(|n| deflection_error(&beam_2d(20, n), 0.3));
    assert!(errors[3].abs() < 0.005, "{errors:?}");
    let limit = limit_of(&errors);
    assert!(limit.abs() < 0.003, "{limit}");
}

#[test]
fn a_cantilever_in_3d_approaches_the_timoshenko_deflection_as_cells_shrink() {
    let errors = [4, 8, 16].map(|n| deflection_error(&beam_3d(10, n / 2, n), 0.3));
    assert!(errors[2].abs() < 0.025, "{errors:?}");
    let limit = limit_of(&errors);
    assert!(limit.abs() < 0.012, "{limit}");
}

#[test]
fn without_poisson_effect_the_limit_is_timoshenkos_deflection_with_its_shear_term() {
    let plane = limit_of(&[8, 16, 32].map(|n| deflection_error(&beam_2d(10, n), 0.0)));
    assert!(plane.abs() < 2e-4, "{plane}");
    let solid = limit_of(&[4, 8, 16].map(|n| deflection_error(&beam_3d(10, 1, n), 0.0)));
    assert!(solid.abs() < 1e-3, "{solid}");
}

#[test]
fn the_stiffening_of_the_clamp_fades_as_the_cantilever_gets_slender() {
    let [short, long] =
        [10, 20].map(|length| limit_of(&[16, 32].map(|n| deflection_error(&beam_2d(length, n), 0.3))));
    assert!(short < 0.0 && long < 0.0, "{short} {long}");
    assert!((long / short - 0.5).abs() < 0.05, "{short} {long}");
}
