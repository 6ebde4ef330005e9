//! Anchored frames on the bodies of the reference (data/reference), held to the figures of an independent prototype.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use pliant::basis::{BasisBuilder, Method, MethodOptions, Subspace};
use pliant::fem::{EnergyModel, LameConvention};
use pliant::mesh::{Material, MaterialMap, RectangleOptions, Resolution, SimplexMesh, VertexSet, rectangle};
use pliant::statics::{
    Equilibrium, FullProblem, Hold, NewtonOptions, Termination, compare, solve_equilibrium,
};

/// A body of the reference: stiff bones in soft flesh, its lowest x pinned, hanging under gravity.
struct Body<const D: usize> {
    mesh: SimplexMesh<D>,
    material: MaterialMap,
    pinned: Vec<usize>,
}

impl<const D: usize> Body<D> {
    fn new(mesh: SimplexMesh<D>, regions: [(&str, f64); 2], pinned_below: f64) -> Self {
        let moduli = regions.map(|(region, youngs_modulus)| {
            (region, Material { youngs_modulus, poisson_ratio: 0.4, density: 1.0 })
        });
        let material = MaterialMap::from_regions(&mesh, &moduli).unwrap();
        let pinned =
            (0..mesh.vertex_count()).filter(|&vertex| mesh.positions()[vertex][0] <= pinned_below).collect();
        Self { mesh, material, pinned }
    }

    fn problem(&self, hold: Hold) -> FullProblem<'_, D> {
        let gravity = std::array::from_fn(|axis| if axis == 1 { -9.8 } else { 0.0 });
        let (energy, lame) = (EnergyModel::StableNeoHookean, LameConvention::AsGiven);
        FullProblem::with_lame_convention(&self.mesh, &self.material, energy, lame)
            .pin_with(&self.pinned, hold)
            .gravity(gravity)
    }

    fn builder(&self) -> BasisBuilder<'_, D> {
        let base = VertexSet { name: "base".to_owned(), vertices: self.pinned.clone() };
        BasisBuilder::new(&self.mesh, &self.material)
            .unwrap()
            .with_held_sets(vec![base])
            .with_largest_frame_count(24)
    }

    fn subspace(&self, builder: &BasisBuilder<'_, D>, method: Method, frames: usize) -> Subspace<D> {
        let built = builder.build(method, frames, &MethodOptions::default()).unwrap();
        let subspace =
            Subspace::linear_blend_skinning(&self.mesh, &self.material, built.weights.clone()).unwrap();
        if method == Method::Anchored {
            let checks = built.checks(&subspace);
            assert_eq!(checks.interpolation, Some(0.0));
            assert!(checks.partition_of_unity.unwrap() < 1e-14, "{checks:?}");
            assert!(checks.patch_test < 1e-12 && checks.rest < 1e-14, "{checks:?}");
        }
        subspace
    }

    fn full(&self) -> Equilibrium<D> {
        solve_equilibrium(&self.problem(Hold::Soft(1e9)), &NewtonOptions::default()).unwrap()
    }
}

fn path(name: &str) -> String {
    format!("{}/data/reference/{name}.msh", env!("CARGO_MANIFEST_DIR"))
}

fn tentacle2d() -> Body<2> {
    Body::new(SimplexMesh::<2>::read(path("tentacle2d")).unwrap(), [("bone", 1e6), ("joint", 1e3)], -0.3)
}

fn bone2d() -> Body<2> {
    Body::new(SimplexMesh::<2>::read(path("bone2d")).unwrap(), [("bone", 1e9), ("flesh", 2e3)], 1e-9)
}

fn tentacle3d_s() -> Body<3> {
    Body::new(SimplexMesh::<3>::read(path("tentacle3d_s")).unwrap(), [("bone", 1e6), ("joint", 1e3)], -0.3)
}

/// What a number of frames must reach.
struct Figure {
    frames: usize,
    error: f64,
    /// At most.
    density: f64,
}

fn figures_hold<const D: usize>(body: &Body<D>, figures: &[Figure]) {
    let problem = body.problem(Hold::Soft(1e9));
    let exact = body.full();
    let builder = body.builder();
    assert_eq!(builder.anchors().unwrap().len(), 3);
    for figure in figures {
        let subspace = body.subspace(&builder, Method::Anchored, figure.frames);
        assert_eq!(subspace.affine_frame_count(), Some(3));
        let reduced = problem.project(&subspace).unwrap();
        let quick = solve_equilibrium(&reduced, &NewtonOptions::default()).unwrap();
        let error = compare(&problem, &exact, &quick).mass_norm_error;
        let density = subspace.weights().density();
        let case = format!(
            "{} frames: error {error:.5}, density {density:.3}, iterations {}",
            figure.frames,
            quick.iterations()
        );
        assert_eq!(quick.termination, Termination::Converged, "{case}");
        assert!((error - figure.error).abs() < 0.01 * figure.error, "{case}");
        assert!(density <= figure.density, "{case}");
        assert!(quick.iterations() <= 10, "{case}");
    }
}

fn figure(frames: usize, error: f64, density: f64) -> Figure {
    Figure { frames, error, density }
}

#[test]
fn tentacle2d_has_the_errors_of_the_prototype_in_at_most_ten_iterations() {
    let figures = [figure(3, 0.0477, 0.42), figure(9, 0.00486, 0.22), figure(24, 0.00277, 0.16)];
    figures_hold(&tentacle2d(), &figures);
}

#[test]
fn bone2d_has_the_errors_of_the_prototype_in_at_most_ten_iterations() {
    let figures = [figure(3, 0.0525, 0.83), figure(9, 0.0228, 0.77), figure(24, 0.00769, 0.75)];
    figures_hold(&bone2d(), &figures);
}

#[test]
fn tentacle3d_s_has_the_errors_of_the_prototype_in_at_most_ten_iterations() {
    let figures = [figure(3, 0.0443, 0.39), figure(9, 0.00754, 0.18), figure(24, 0.00230, 0.12)];
    figures_hold(&tentacle3d_s(), &figures);
}

/// The distance of the displaced vertices of an anchor from the affine map that fits three of them.
fn distance_from_affine(rest: &[[f64; 2]], displacement: &[f64], vertices: &[usize]) -> f64 {
    let corner = |pick: fn(&[f64; 2]) -> f64| {
        *vertices.iter().max_by(|a, b| pick(&rest[**a]).total_cmp(&pick(&rest[**b]))).unwrap()
    };
    let [o, a, b] = [corner(|x| -x[0] - x[1]), corner(|x| x[0]), corner(|x| x[1])];
    let edge = |from: usize, to: usize| [rest[to][0] - rest[from][0], rest[to][1] - rest[from][1]];
    let ([ax, ay], [bx, by]) = (edge(o, a), edge(o, b));
    let moved = |vertex: usize, axis: usize| displacement[vertex * 2 + axis];
    let mut largest: f64 = 0.0;
    for &vertex in vertices {
        let [x, y] = edge(o, vertex);
        let (s, t) = ((x * by - y * bx) / (ax * by - ay * bx), (ax * y - ay * x) / (ax * by - ay * bx));
        for axis in 0..2 {
            let affine = moved(o, axis) * (1.0 - s - t) + moved(a, axis) * s + moved(b, axis) * t;
            largest = largest.max((moved(vertex, axis) - affine).abs());
        }
    }
    largest
}

#[test]
fn every_stiff_part_moves_by_one_affine_map_and_hard_pins_stay_to_the_last_bit() {
    for body in [tentacle2d(), bone2d()] {
        let builder = body.builder();
        let subspace = body.subspace(&builder, Method::Anchored, 9);
        let problem = body.problem(Hold::Hard);
        let reduced = problem.project(&subspace).unwrap();
        let solution = solve_equilibrium(&reduced, &NewtonOptions::default()).unwrap();
        assert_eq!(solution.termination, Termination::Converged);
        for &vertex in &body.pinned {
            assert_eq!(solution.vertex_displacement(vertex), [0.0; 2]);
        }
        for anchor in builder.anchors().unwrap().as_slice() {
            if anchor.vertices.len() > body.pinned.len() {
                let distance =
                    distance_from_affine(body.mesh.positions(), &solution.displacement, &anchor.vertices);
                assert!(distance < 1e-12, "{}: {distance}", anchor.name);
            }
        }
    }
}

#[test]
fn moving_the_frame_of_a_handle_moves_exactly_that_handle() {
    let body = tentacle2d();
    let tip: Vec<usize> =
        (0..body.mesh.vertex_count()).filter(|&vertex| body.mesh.positions()[vertex][0] >= 4.0).collect();
    let builder = BasisBuilder::new(&body.mesh, &body.material).unwrap().with_held_sets(vec![
        VertexSet { name: "base".to_owned(), vertices: body.pinned.clone() },
        VertexSet { name: "tip".to_owned(), vertices: tip.clone() },
    ]);
    let subspace = body.subspace(&builder, Method::Anchored, 9);
    let anchors = builder.anchors().unwrap();
    let frame = anchors.of_vertices()[tip[0]].unwrap();
    let mut coordinates = subspace.rest_coordinates();
    // The last two of the six coordinates of a frame are its translation.
    coordinates[frame * 6 + 5] += 0.25;
    let displacement = subspace.displacement(&coordinates);
    for (vertex, anchor) in anchors.of_vertices().iter().enumerate() {
        match anchor {
            Some(anchor) if *anchor == frame => {
                let moved = displacement[vertex];
                assert!(moved[0] == 0.0 && (moved[1] - 0.25).abs() < 1e-15);
            }
            Some(_) => assert_eq!(displacement[vertex], [0.0; 2]),
            None => (),
        }
    }
    assert!(tip.iter().all(|&vertex| anchors.of_vertices()[vertex] == Some(frame)));
}

#[test]
fn on_a_uniform_body_with_a_pin_anchored_frames_are_no_worse_than_uniform_eigenmodes() {
    let mesh = rectangle(&RectangleOptions {
        max: [4.0, 0.5],
        resolution: Resolution::CellSize(0.125),
        ..RectangleOptions::default()
    })
    .unwrap();
    let cells = mesh.cell_count();
    let mesh = mesh.with_regions(vec!["a".to_owned(), "b".to_owned()], vec![0; cells]).unwrap();
    let body = Body::new(mesh, [("a", 2e4), ("b", 2e4)], 1e-9);
    let problem = body.problem(Hold::Soft(1e9));
    let (exact, builder) = (body.full(), body.builder());
    for frames in [1, 2, 3, 6, 9, 12, 18, 24] {
        let [anchored, uniform] = [Method::Anchored, Method::UniformEigenmodes].map(|method| {
            let subspace = body.subspace(&builder, method, frames);
            let quick =
                solve_equilibrium(&problem.project(&subspace).unwrap(), &NewtonOptions::default()).unwrap();
            compare(&problem, &exact, &quick).mass_norm_error
        });
        assert!(anchored <= uniform * (1.0 + 1e-9), "{frames} frames: {anchored} against {uniform}");
    }
}
