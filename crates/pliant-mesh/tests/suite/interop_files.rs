//! Files of other programs in `data/interop` are read as the bodies that they hold.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pliant_mesh::{AnyMesh, MeshFile, SimplexMesh, VoxelOptions, read_mesh, read_voxels, vertex_components};

/// The meshes, or the voxel volumes.
fn files(of_voxels: bool) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/interop");
    let paths = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    // Voxels in a file beside their header are read with that.
    let is_alone = |path: &PathBuf| path.extension().is_some_and(|end| end != "md" && end != "zraw");
    let is_wanted = |path: &PathBuf| is_alone(path) && file_name(path).starts_with("voxels") == of_voxels;
    let mut paths: Vec<PathBuf> = paths.filter(is_wanted).collect();
    paths.sort();
    paths
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Volumes of the regions that have cells, by name.
fn regions<const D: usize>(mesh: &SimplexMesh<D>) -> BTreeMap<String, f64> {
    let mut volumes = BTreeMap::new();
    for (&region, volume) in mesh.cell_regions().iter().zip(mesh.volumes()) {
        *volumes.entry(mesh.regions()[region].clone()).or_insert(0.0) += volume;
    }
    volumes
}

fn body(file: &MeshFile) -> (usize, usize, BTreeMap<String, f64>) {
    match &file.mesh {
        AnyMesh::Two(mesh) => (2, vertex_components(mesh).count, regions(mesh)),
        AnyMesh::Three(mesh) => (3, vertex_components(mesh).count, regions(mesh)),
    }
}

#[test]
fn every_file_gives_the_body_with_its_regions() {
    let files = files(false);
    assert!(files.len() > 110, "{}", files.len());
    for path in files {
        let name = file_name(&path);
        let (dimension, components, regions) = body(&read_mesh(&path).unwrap());
        assert_eq!(dimension, if name.starts_with("box") { 3 } else { 2 }, "{name}");
        assert_eq!(components, 1, "{name}");
        let expected: &[f64] = match name.as_str() {
            "box-numpy.npz" => &[0.5],
            _ if name.contains("whole") => &[2.0],
            _ => &[1.0, 1.0],
        };
        // The boundary of fTetWild is within an envelope.
        let within = if name.contains("fTetWild") { 0.02 } else { 1e-6 };
        let volumes: Vec<f64> = regions.values().copied().collect();
        assert_eq!(volumes.len(), expected.len(), "{name}: {regions:?}");
        for (found, expected) in volumes.iter().zip(expected) {
            assert!((found - expected).abs() < within, "{name}: {regions:?}");
        }
        let names: Vec<&str> = regions.keys().map(String::as_str).collect();
        let has_names = ["msh", "inp"].iter().any(|end| name.ends_with(end)) || name.contains("strip-numpy");
        if name.ends_with("-1.msh") {
            assert_eq!(names, ["11", "12"], "{name}");
        } else if has_names && expected.len() == 2 {
            assert_eq!(names, ["bone", "flesh"], "{name}");
        } else if expected.len() == 2 && !name.contains("gmsh") {
            assert!(names == ["1", "2"] || names == ["2", "bone"], "{name}: {names:?}");
        }
    }
}

#[test]
fn every_volume_gives_the_labels_of_its_voxels() {
    let files = files(true);
    assert!(files.len() >= 5, "{}", files.len());
    for path in files {
        let (volume, format) = read_voxels(&path, &VoxelOptions::default()).unwrap();
        let grid = volume.grid();
        assert_eq!(grid.counts, [4, 2, 2], "{format}");
        assert_eq!(grid.steps, [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]], "{format}");
        let expected: Vec<f32> = (0..16).map(|voxel| if voxel % 4 < 2 { 1.0 } else { 2.0 }).collect();
        assert_eq!(volume.values(), expected, "{format}");
    }
}

#[test]
fn arrays_and_sets_of_other_programs_arrive() {
    for path in files(false) {
        let name = file_name(&path);
        let file = read_mesh(&path).unwrap();
        let has_arrays = (name.contains("meshio") || name.contains("vtk-"))
            && (name.contains("vtk") || name.contains("vtu") || name.contains("2.2-binary"));
        if has_arrays && !name.contains("mesh.") && !name.contains("whole") {
            let modulus = file.arrays.iter().find(|array| array.name == "E").expect(&name);
            assert!(modulus.values.iter().all(|&value| value == 1e6 || value == 1e3), "{name}");
            assert!(file.arrays.iter().any(|array| array.name == "height"), "{name}");
        }
        if name.starts_with("box-gmsh") && name.ends_with("msh") {
            let AnyMesh::Three(mesh) = &file.mesh else { panic!("{name} is solid") };
            let held = if name.ends_with("-1.msh") { "21" } else { "held" };
            let held = mesh.vertex_sets().iter().find(|set| set.name == held).expect(&name);
            assert!(held.vertices.len() >= 4, "{name}");
            assert!(held.vertices.iter().all(|&vertex| mesh.positions()[vertex][0].abs() < 1e-9), "{name}");
        }
        if name.contains("quadratic") {
            let what = "second-order cells reduced to their corners";
            assert!(file.dropped.iter().any(|dropped| dropped.what == what), "{name}: {:?}", file.dropped);
        }
        if name.contains("hexahedra") {
            let what = "hexahedra cut into tetrahedra";
            assert!(file.dropped.iter().any(|dropped| dropped.what == what), "{name}: {:?}", file.dropped);
        }
    }
}
