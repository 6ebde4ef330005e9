//! Anchored and adaptive frames of two bones in soft flesh, drawn: the material, the weights, and the shapes under gravity.
//!
//! `cargo run --example draw_frames [DIRECTORY]`; without one it writes into the temporary directory. `docs/pictures` is made so.

use pliant::basis::{BasisBuilder, Method, MethodOptions, Subspace, Weights};
use pliant::fem::{LameConvention, StableNeoHookean};
use pliant::mesh::{Material, MaterialMap, SimplexMesh, VertexSelection, VertexSet, replace_file};
use pliant::report::{ColourScale, Figure, LineStyle, Mark, MeshPanel, mesh_panels};
use pliant::statics::{
    AdaptiveOptions, AdaptiveStart, FullProblem, Hold, NewtonOptions, adaptive_frames, compare,
    solve_equilibrium,
};
use std::error::Error;
use std::path::PathBuf;

const BONE: Material = Material { youngs_modulus: 1e9, poisson_ratio: 0.4, density: 1.0 };
const FLESH: Material = Material { youngs_modulus: 2e3, poisson_ratio: 0.4, density: 1.0 };

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let mesh = SimplexMesh::<2>::read(concat!(env!("CARGO_MANIFEST_DIR"), "/data/reference/bone2d.msh"))?;
    let material = MaterialMap::from_regions(&mesh, &[("bone", BONE), ("flesh", FLESH)])?;
    let pinned = VertexSelection::Range { axis: 0, min: None, max: Some(1e-9) }.select(&mesh)?;
    let full = FullProblem::with_lame_convention(&mesh, &material, StableNeoHookean, LameConvention::AsGiven)
        .pin_with(&pinned, Hold::Soft(1e9))
        .gravity([0.0, -9.8]);

    let held = VertexSet { name: "pin".to_owned(), vertices: pinned.clone() };
    let builder = BasisBuilder::new(&mesh, &material)?.with_held_sets(vec![held]);
    let anchors = builder.anchors()?;
    let build = |method, frames| -> Result<Weights, Box<dyn Error>> {
        Ok(builder.build(method, frames, &MethodOptions::default())?.weights)
    };
    let anchored = build(Method::Anchored, 9)?;
    let start = AdaptiveStart::new(&builder)?;
    let options = AdaptiveOptions::default();
    let adaptive = adaptive_frames(std::slice::from_ref(&full), &material, &start, &options)?.weights;

    let moduli: Vec<f64> = material.youngs_modulus().iter().map(|e| e.log10()).collect();
    // Bright for soft: dark outlines stay visible on the flesh.
    let scale = ColourScale::Sequential { from: 9.0, to: 3.0 };
    let picture = MeshPanel::new(&mesh, "Two bones in flesh; the pinned edge is marked")
        .cells(&moduli, None, scale.clone(), "log10 E (Pa)")
        .outline(None, LineStyle::Solid)
        .marks(&pinned, Mark::Pin);
    let mut panels = vec![picture];
    for frame in 0..anchors.len() {
        panels.push(weight(
            &mesh,
            &anchored,
            frame,
            &format!("anchor \"{}\"", anchors.as_slice()[frame].name),
        ));
    }
    for frame in anchors.len()..anchors.len() + 2 {
        panels.push(weight(&mesh, &anchored, frame, &format!("anchored frame {frame}: a mode")));
        panels.push(weight(&mesh, &adaptive, frame, &format!("adaptive frame {frame}: grown")));
    }
    let weights = directory.join("weights.svg");
    replace_file(&weights, svg("weights", "Weights on two bones in flesh", &panels).as_bytes())?;

    let newton = NewtonOptions::default();
    let exact = solve_equilibrium(&full, &newton)?;
    let mut panels = Vec::new();
    for (name, weights) in [
        ("sparse meshless, 9 frames", build(Method::SparseMeshless, 9)?),
        ("material eigenmodes, 24 frames", build(Method::MaterialEigenmodes, 24)?),
        ("anchored, 9 frames", anchored),
        ("adaptive, 9 frames", adaptive),
    ] {
        let subspace = Subspace::linear_blend_skinning(&mesh, &material, weights)?;
        let quick = solve_equilibrium(&full.project(&subspace)?, &newton)?;
        let error = compare(&full, &exact, &quick).mass_norm_error;
        let shape = Some(&quick.displacement[..]);
        let panel = MeshPanel::new(&mesh, &format!("{name}: error {error:.5}"))
            .cells(&moduli, shape, scale.clone(), "log10 E (Pa); dashed: full FEM")
            .outline(Some(&exact.displacement), LineStyle::Dashed);
        panels.push(panel);
    }
    let shapes = directory.join("shapes.svg");
    replace_file(&shapes, svg("shapes", "Two bones in flesh under gravity", &panels).as_bytes())?;
    println!("{} and {}", weights.display(), shapes.display());
    Ok(())
}

/// The text of an SVG file.
fn svg(name: &str, title: &str, panels: &[MeshPanel<'_, 2>]) -> String {
    let panels = mesh_panels(panels, 420.0);
    Figure { name: name.to_owned(), title: title.to_owned(), caption: String::new(), panels }.svg()
}

/// One weight on the rest shape.
fn weight<'m>(mesh: &'m SimplexMesh<2>, weights: &Weights, frame: usize, title: &str) -> MeshPanel<'m, 2> {
    let mut values = vec![0.0; mesh.vertex_count()];
    for (vertex, value) in values.iter_mut().enumerate() {
        let (frames, entries) = weights.row(vertex);
        *value = frames.iter().zip(entries).find(|(j, _)| **j == frame).map_or(0.0, |(_, entry)| *entry);
    }
    let limit = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    MeshPanel::new(mesh, title)
        .vertices(&values, None, ColourScale::Diverging { middle: 0.0, reach: limit }, "weight")
        .outline(None, LineStyle::Solid)
}
