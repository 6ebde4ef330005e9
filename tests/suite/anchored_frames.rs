//! Anchored frames on the bodies of the reference (data/reference): their errors next to every other method, what they promise, and a uniform body.

use pliant::basis::{AnchoredOptions, BasisBuilder, Method, MethodOptions, StiffParts, Subspace};
use pliant::fem::EnergyModel;
use pliant::mesh::{
    Material, MaterialMap, RectangleOptions, Resolution, VertexSelection, VertexSet, rectangle,
};
use pliant::statics::{
    Equilibrium, FullProblem, Hold, NewtonOptions, Termination, compare, solve_equilibrium,
};

use crate::reference_body::{ReferenceBody, bone2d, tentacle2d, tentacle3d_s};

/// A subspace of the method; anchored frames keep their promises.
fn subspace<const D: usize>(builder: &BasisBuilder<'_, D>, method: Method, frames: usize) -> Subspace<D> {
    let built = builder.build(method, frames, &MethodOptions::default()).unwrap();
    let subspace =
        Subspace::linear_blend_skinning(builder.mesh(), builder.material(), built.weights.clone()).unwrap();
    if method == Method::Anchored {
        let checks = built.checks(&subspace);
        assert_eq!(checks.interpolation, Some(0.0));
        assert!(checks.partition_of_unity.unwrap() < 1e-14, "{checks:?}");
        assert!(checks.patch_test < 1e-12 && checks.rest < 1e-14, "{checks:?}");
    }
    subspace
}

fn solve<const D: usize>(problem: &FullProblem<'_, D>, subspace: &Subspace<D>) -> Equilibrium<D> {
    solve_equilibrium(&problem.project(subspace).unwrap(), &NewtonOptions::default()).unwrap()
}

fn full<const D: usize>(problem: &FullProblem<'_, D>) -> Equilibrium<D> {
    solve_equilibrium(problem, &NewtonOptions::default()).unwrap()
}

const FRAME_COUNTS: [usize; 7] = [3, 6, 9, 12, 18, 24, 48];

/// Solves with every method that needs no loads at every frame count; anchored frames are at most 1.02 times as far off as the best
/// other, within these errors, and take at most ten iterations.
fn anchored_frames_win<const D: usize>(body: &ReferenceBody<D>, most: [f64; 7]) {
    let problem = body.hanging();
    let exact = full(&problem);
    let builder = body.builder().with_largest_frame_count(48);
    assert_eq!(builder.anchors().unwrap().len(), 3);
    let measure = |method: Method, frames: usize| {
        let subspace = subspace(&builder, method, frames);
        let quick = solve(&problem, &subspace);
        let error = compare(&problem, &exact, &quick).mass_norm_error;
        println!("{D}D {frames} {method}: error {error:.6}, density {:.3}", subspace.weights().density());
        (error, subspace, quick)
    };
    let others = [
        Method::SparseMeshless,
        Method::UniformEigenmodes,
        Method::MaterialEigenmodes,
        Method::Hrpd,
        Method::CardinalEigenmodes,
    ];
    for (frames, most) in FRAME_COUNTS.into_iter().zip(most) {
        let (error, subspace, quick) = measure(Method::Anchored, frames);
        assert_eq!(subspace.affine_frame_count(), Some(3));
        assert!(error <= most, "{frames} frames: error {error:.6}");
        assert!(quick.termination == Termination::Converged && quick.iterations() <= 10, "{frames} frames");
        let best = others.into_iter().map(|method| measure(method, frames).0).fold(f64::INFINITY, f64::min);
        assert!(error <= 1.02 * best, "{frames} frames: {error:.6} against {best:.6}");
    }
}

#[test]
fn on_tentacle2d_no_method_without_loads_is_better() {
    anchored_frames_win(&tentacle2d(), [0.0447, 0.0130, 0.0048, 0.0035, 0.0021, 0.0015, 0.00055]);
}

#[test]
fn on_bone2d_no_method_without_loads_is_better() {
    anchored_frames_win(&bone2d(), [0.0555, 0.0300, 0.0200, 0.0135, 0.0092, 0.0075, 0.0046]);
}

#[test]
fn on_tentacle3d_s_no_method_without_loads_is_better() {
    anchored_frames_win(&tentacle3d_s(), [0.0412, 0.0112, 0.0075, 0.0047, 0.0018, 0.0008, 0.00012]);
}

#[test]
fn anchored_frames_find_a_fifth_of_the_error_of_the_classic_four_on_bone2d() {
    let body = bone2d();
    let (problem, builder) = (body.hanging(), body.builder().with_largest_frame_count(48));
    let exact = full(&problem);
    let error = |method: Method| {
        let quick = solve(&problem, &subspace(&builder, method, 24));
        compare(&problem, &exact, &quick).mass_norm_error
    };
    let anchored = error(Method::Anchored);
    for method in
        [Method::SparseMeshless, Method::UniformEigenmodes, Method::MaterialEigenmodes, Method::Hrpd]
    {
        assert!(5.0 * anchored <= error(method), "{method}: {anchored}");
    }
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
fn stiff_parts_that_may_not_bend_move_by_one_affine_map_and_hard_pins_stay_to_the_last_bit() {
    for body in [tentacle2d(), bone2d()] {
        let builder = body.builder().with_largest_frame_count(48);
        let anchored = AnchoredOptions { stiff_parts: StiffParts::Affine, ..AnchoredOptions::default() };
        let options = MethodOptions { anchored, ..MethodOptions::default() };
        let built = builder.build(Method::Anchored, 24, &options).unwrap();
        let subspace = Subspace::linear_blend_skinning(&body.mesh, &body.material, built.weights).unwrap();
        let problem = body.held(Hold::Hard).gravity([0.0, -9.8]);
        let solution = solve(&problem, &subspace);
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
fn frames_inside_stiff_parts_leave_hard_pins_and_handles_where_they_are() {
    let body = tentacle2d();
    let builder = body.driven_builder();
    let subspace = subspace(&builder, Method::Anchored, 48);
    let weights = subspace.weights();
    let anchors = builder.anchors().unwrap();
    let acts_inside =
        |vertex: usize| anchors.of_vertices()[vertex].is_some() && weights.row(vertex).0.len() > 1;
    assert!((0..body.mesh.vertex_count()).any(acts_inside));
    for &vertex in body.pinned.iter().chain(&body.handle) {
        assert_eq!(weights.row(vertex).1, [1.0]);
    }
    let solution = solve(&body.held(Hold::Hard).gravity([0.0, -9.8]), &subspace);
    assert_eq!(solution.termination, Termination::Converged);
    for &vertex in &body.pinned {
        assert_eq!(solution.vertex_displacement(vertex), [0.0; 2]);
    }
}

#[test]
fn moving_the_frame_of_a_handle_moves_exactly_that_handle() {
    let body = tentacle2d();
    let builder = body.driven_builder();
    let subspace = subspace(&builder, Method::Anchored, 9);
    let anchors = builder.anchors().unwrap();
    let frame = anchors.of_vertices()[body.handle[0]].unwrap();
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
    assert!(body.handle.iter().all(|&vertex| anchors.of_vertices()[vertex] == Some(frame)));
}

#[test]
fn on_a_uniform_body_with_a_pin_anchored_frames_are_no_worse_than_uniform_eigenmodes() {
    let mesh = rectangle(&RectangleOptions {
        max: [4.0, 0.5],
        resolution: Resolution::CellSize(0.125),
        ..RectangleOptions::default()
    })
    .unwrap();
    let soft = Material { youngs_modulus: 2e4, poisson_ratio: 0.4, density: 1.0 };
    let material = MaterialMap::uniform(&mesh, soft).unwrap();
    let pinned = VertexSelection::Range { axis: 0, min: None, max: Some(1e-9) }.select(&mesh).unwrap();
    let problem = FullProblem::new(&mesh, &material, EnergyModel::StableNeoHookean)
        .pin_with(&pinned, Hold::Soft(1e9))
        .gravity([0.0, -9.8]);
    let base = VertexSet { name: "base".to_owned(), vertices: pinned.clone() };
    let builder =
        BasisBuilder::new(&mesh, &material).unwrap().with_held_sets(vec![base]).with_largest_frame_count(48);
    let exact = full(&problem);
    for frames in [1, 2, 3, 6, 9, 12, 18, 24] {
        let [anchored, uniform] = [Method::Anchored, Method::UniformEigenmodes].map(|method| {
            let quick = solve(&problem, &subspace(&builder, method, frames));
            compare(&problem, &exact, &quick).mass_norm_error
        });
        assert!(anchored <= uniform * (1.0 + 1e-9), "{frames} frames: {anchored} against {uniform}");
    }
}
