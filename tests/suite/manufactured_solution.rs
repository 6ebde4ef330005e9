//! A manufactured solution: with the body force `b = -div P(u)` and the boundary held at `u`, full FEM finds the smooth field `u`, with
//! errors that fall as h^2 in the L2 norm and as h in the H1 seminorm.
//!
//! `u_i = a (sin(pi X_i) cos(X_next) + X_next^2 / 2)`, a = 0.1 m, on the unit square and cube: displacement gradients up to 0.3. The
//! divergence is a sixth-order central difference (step 1e-2 m) of the energy's own stress at the analytic gradient. Errors are
//! integrated by a Gauss rule in collapsed coordinates, 4 points an axis. Measured slopes when n cells a side become 2 n:
//!
//! | energy | D | n | L2 | H1 |
//! |---|---|---|---|---|
//! | stable neo-Hookean | 2 | 16, 32 | 2.009, 2.004 | 1.000, 1.000 |
//! | stable neo-Hookean | 3 | 4, 8 | 2.088, 2.036 | 1.031, 1.018 |
//! | linear | 2 | 16, 32 | 2.007, 2.003 | 1.000, 1.000 |
//! | linear | 3 | 4, 8 | 2.074, 2.028 | 1.022, 1.014 |

use std::f64::consts::PI;

use pliant::fem::{Energy, EnergyModel, ShapeGradients};
use pliant::mesh::{
    BoxOptions, Material, MaterialMap, RectangleOptions, Resolution, SimplexMesh, boundary_facets, box_mesh,
    rectangle,
};
use pliant::statics::{FullProblem, Hold, NewtonOptions, solve_equilibrium};

const AMPLITUDE: f64 = 0.1;
const MATERIAL: Material = Material { youngs_modulus: 10.0, poisson_ratio: 0.3, density: 1.0 };

/// The exact displacement in m.
fn exact<const D: usize>(x: &[f64; D]) -> [f64; D] {
    std::array::from_fn(|i| {
        let next = x[(i + 1) % D];
        AMPLITUDE * ((PI * x[i]).sin() * next.cos() + 0.5 * next * next)
    })
}

/// Its gradient H.
fn exact_gradient<const D: usize>(x: &[f64; D]) -> [[f64; D]; D] {
    let mut h = [[0.0; D]; D];
    for i in 0..D {
        let next = (i + 1) % D;
        h[i][i] = AMPLITUDE * PI * (PI * x[i]).cos() * x[next].cos();
        h[i][next] = AMPLITUDE * (x[next] - (PI * x[i]).sin() * x[next].sin());
    }
    h
}

/// `-div P` of the exact displacement, in N/m^D.
fn body_force<const D: usize>(model: EnergyModel, x: [f64; D]) -> [f64; D] {
    const STEP: f64 = 1e-2;
    let energy: &dyn Energy<D> = &model;
    let lame = energy.consistent_lame(&MATERIAL);
    let mut force = [0.0; D];
    for axis in 0..D {
        for (offset, weight) in [(1.0, 0.75), (2.0, -0.15), (3.0, 1.0 / 60.0)] {
            for sign in [1.0, -1.0] {
                let mut moved = x;
                moved[axis] += sign * offset * STEP;
                let stress = energy.stress(&exact_gradient(&moved), lame);
                (0..D).for_each(|row| force[row] -= sign * weight / STEP * stress[row][axis]);
            }
        }
    }
    force
}

/// Gauss points and weights on [0, 1], exact to degree 7.
const GAUSS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];

/// Barycentric coordinates (the last D of D + 1) and weights, which sum to 1, on a simplex.
fn simplex_rule<const D: usize>() -> Vec<([f64; D], f64)> {
    let mut rule = Vec::new();
    for code in 0..GAUSS.len().pow(D as u32) {
        let (mut coordinates, mut weight, mut rest) = ([0.0; D], 1.0, 1.0);
        for axis in 0..D {
            let (point, share) = GAUSS[code / GAUSS.len().pow(axis as u32) % GAUSS.len()];
            coordinates[axis] = rest * point;
            weight *= share * (axis + 1) as f64 * rest;
            rest *= 1.0 - point;
        }
        rule.push((coordinates, weight));
    }
    rule
}

/// L2 norm and H1 seminorm of the error of a solution.
fn errors<const D: usize>(mesh: &SimplexMesh<D>, displacement: &[f64]) -> [f64; 2] {
    let gradients = ShapeGradients::new(mesh);
    let rule = simplex_rule::<D>();
    let (mut values, mut slopes) = (0.0, 0.0);
    for (cell, corners) in mesh.cells().enumerate() {
        let mut h = [[0.0; D]; D];
        for (&vertex, gradient) in corners.iter().zip(gradients.cell(cell)) {
            for i in 0..D {
                (0..D).for_each(|j| h[i][j] += displacement[vertex * D + i] * gradient[j]);
            }
        }
        for (coordinates, weight) in &rule {
            let origin = mesh.positions()[corners[0]];
            let mut x = origin;
            for (&vertex, coordinate) in corners[1..].iter().zip(coordinates) {
                (0..D)
                    .for_each(|axis| x[axis] += coordinate * (mesh.positions()[vertex][axis] - origin[axis]));
            }
            let found = |i: usize| {
                let slope: f64 = (0..D).map(|j| h[i][j] * (x[j] - origin[j])).sum();
                displacement[corners[0] * D + i] + slope
            };
            let (u, gradient) = (exact(&x), exact_gradient(&x));
            let share = weight * mesh.volumes()[cell];
            for i in 0..D {
                values += share * (found(i) - u[i]).powi(2);
                slopes += (0..D).map(|j| share * (h[i][j] - gradient[i][j]).powi(2)).sum::<f64>();
            }
        }
    }
    [values.sqrt(), slopes.sqrt()]
}

fn square(n: usize) -> SimplexMesh<2> {
    rectangle(&RectangleOptions { resolution: Resolution::Counts([n, n]), ..Default::default() }).unwrap()
}

fn cube(n: usize) -> SimplexMesh<3> {
    box_mesh(&BoxOptions { resolution: Resolution::Counts([n, n, n]), ..Default::default() }).unwrap()
}

/// The errors of the solution on one mesh of the unit square or cube.
fn solve<const D: usize>(mesh: &SimplexMesh<D>, model: EnergyModel) -> [f64; 2] {
    let mut boundary = boundary_facets(mesh).into_flattened();
    boundary.sort_unstable();
    boundary.dedup();
    let target = |&vertex: &usize| {
        let x = mesh.positions()[vertex];
        std::array::from_fn(|axis| x[axis] + exact(&x)[axis])
    };
    let targets: Vec<[f64; D]> = boundary.iter().map(target).collect();
    let material = MaterialMap::uniform(mesh, MATERIAL).unwrap();
    let problem = FullProblem::new(mesh, &material, model)
        .handle(&boundary, &targets, Hold::Hard)
        .body_force(|x| body_force(model, x));
    let options = NewtonOptions { step_tolerance: 1e-9, ..NewtonOptions::default() };
    let solution = solve_equilibrium(&problem, &options).unwrap().require_converged().unwrap();
    errors(mesh, &solution.displacement)
}

/// Halves the cells twice and checks both slopes of both errors.
fn slopes_are_two_and_one<const D: usize>(
    mesh: impl Fn(usize) -> SimplexMesh<D>,
    coarsest: usize,
    model: EnergyModel,
) {
    let errors = [1, 2, 4].map(|factor| solve(&mesh(coarsest * factor), model));
    for pair in errors.windows(2) {
        let [values, slopes] = std::array::from_fn(|norm| (pair[0][norm] / pair[1][norm]).log2());
        assert!((values - 2.0_f64).abs() < 0.1, "{D}D {model:?}: L2 slope {values} of {errors:?}");
        assert!((slopes - 1.0_f64).abs() < 0.1, "{D}D {model:?}: H1 slope {slopes} of {errors:?}");
    }
}

#[test]
fn a_stable_neo_hookean_square_converges_with_slopes_two_and_one() {
    slopes_are_two_and_one(square, 16, EnergyModel::StableNeoHookean);
}

#[test]
fn a_stable_neo_hookean_cube_converges_with_slopes_two_and_one() {
    slopes_are_two_and_one(cube, 4, EnergyModel::StableNeoHookean);
}

#[test]
fn a_linear_square_and_cube_converge_with_slopes_two_and_one() {
    slopes_are_two_and_one(square, 16, EnergyModel::Linear);
    slopes_are_two_and_one(cube, 4, EnergyModel::Linear);
}

#[test]
fn the_rule_that_measures_the_errors_is_exact_to_degree_five() {
    // The mean of x^4 y over a triangle is 4! 1! 2! / 7!, over a tetrahedron 4! 1! 3! / 8!.
    let mean =
        |rule: &[(f64, f64, f64)]| rule.iter().map(|(x, y, weight)| weight * x.powi(4) * y).sum::<f64>();
    let square: Vec<_> = simplex_rule::<2>().into_iter().map(|([x, y], weight)| (x, y, weight)).collect();
    let cube: Vec<_> = simplex_rule::<3>().into_iter().map(|([x, _, z], weight)| (x, z, weight)).collect();
    assert!((mean(&square) - 48.0 / 5040.0).abs() < 1e-16, "{}", mean(&square));
    assert!((mean(&cube) - 144.0 / 40320.0).abs() < 1e-16, "{}", mean(&cube));
}
