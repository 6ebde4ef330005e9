//! The reference meshes are read with the counts, regions and volume that their figures state.

use std::path::PathBuf;

use pliant_mesh::{AnyMesh, SimplexMesh, VertexSelection, read_mesh};
use serde_json::Value;

fn reference(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/reference").join(name)
}

fn check<const D: usize>(mesh: &SimplexMesh<D>, figures: &Value) {
    assert_eq!(figures["dimension"], D);
    assert_eq!(figures["vertices"], mesh.vertex_count());
    assert_eq!(figures["cells"], mesh.cell_count());
    let regions = figures["regions"].as_object().unwrap();
    assert_eq!(regions.len(), mesh.regions().len());
    for (region, name) in mesh.regions().iter().enumerate() {
        let cells = mesh.cell_regions().iter().filter(|&&other| other == region).count();
        assert_eq!(regions[name], cells, "cells of {name}");
    }
    for (figure, selection) in
        [("pinned", &figures["problem"]["pins"]), ("handle", &figures["problem"]["handle"])]
    {
        let bound = |key: &str| selection["select"][key].as_f64();
        let selection = VertexSelection::Range { axis: 0, min: bound("min"), max: bound("max") };
        assert_eq!(figures[figure], selection.select(mesh).unwrap().len(), "{figure}");
    }
    let probe: Vec<f64> = figures["problem"]["probe"]["nearest"]
        .as_array()
        .unwrap()
        .iter()
        .map(|x| x.as_f64().unwrap())
        .collect();
    let probe = VertexSelection::Nearest(std::array::from_fn(|axis| probe[axis])).select(mesh).unwrap();
    assert_eq!(figures["full"]["probe_vertex"], probe[0]);
    let volume = figures["volume"].as_f64().unwrap();
    assert!((mesh.volume() - volume).abs() < 1e-12 * volume);
}

#[test]
fn reference_meshes_are_read_as_their_figures_say() {
    for name in ["tentacle2d", "tentacle3d_s", "bone2d"] {
        let text = std::fs::read_to_string(reference(&format!("{name}.json"))).unwrap();
        let figures: Value = serde_json::from_str(&text).unwrap();
        let file = read_mesh(reference(&format!("{name}.msh"))).unwrap();
        assert_eq!(file.format, "Gmsh 2.2 ASCII");
        assert_eq!(file.dropped, []);
        match &file.mesh {
            AnyMesh::Two(mesh) => check(mesh, &figures),
            AnyMesh::Three(mesh) => check(mesh, &figures),
        }
    }
}

#[test]
fn reading_in_the_wrong_dimension_is_refused() {
    let error = SimplexMesh::<3>::read(reference("tentacle2d.msh")).unwrap_err().to_string();
    assert!(error.ends_with("holds a 2D mesh where a 3D mesh is wanted"), "{error}");
    let mesh = SimplexMesh::<3>::read(reference("tentacle3d_s.msh")).unwrap();
    assert_eq!(mesh.regions(), ["bone", "joint"]);
}
