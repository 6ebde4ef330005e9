//! The shipped meshes are what the meshers give with the options that `data/README.md` states.

use std::path::PathBuf;

use pliant_mesh::{
    BoxOptions, RectangleOptions, Resolution, SimplexMesh, Tentacle3dOptions, box_mesh, rectangle,
    tentacle_3d,
};

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name)
}

fn check<const D: usize>(shipped: SimplexMesh<D>, made: SimplexMesh<D>) {
    assert!(shipped.cells().eq(made.cells()));
    assert_eq!(shipped.regions(), made.regions());
    assert_eq!(shipped.cell_regions(), made.cell_regions());
    // Sines differ in the last bit from one system to another.
    for (a, b) in shipped.positions().iter().zip(made.positions()) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13), "{a:?} is not {b:?}");
    }
}

#[test]
fn the_cantilevers_are_made_as_stated() {
    let options = RectangleOptions {
        min: [0.0, -0.2],
        max: [4.0, 0.2],
        resolution: Resolution::Counts([160, 16]),
        ..Default::default()
    };
    check(SimplexMesh::<2>::read(data("meshes/cantilever2d.msh")).unwrap(), rectangle(&options).unwrap());
    let options = BoxOptions {
        min: [0.0, -0.2, -0.2],
        max: [4.0, 0.2, 0.2],
        resolution: Resolution::Counts([60, 6, 6]),
        ..Default::default()
    };
    check(SimplexMesh::<3>::read(data("meshes/cantilever3d.msh")).unwrap(), box_mesh(&options).unwrap());
}

#[test]
fn the_tentacles_are_made_as_stated() {
    let made = tentacle_3d(&Tentacle3dOptions { cell_size: 0.1 }).unwrap();
    check(SimplexMesh::<3>::read(data("meshes/tentacle3d.msh")).unwrap(), made);
    let copy = std::fs::read(data("meshes/tentacle2d.msh")).unwrap();
    assert!(copy == std::fs::read(data("reference/tentacle2d.msh")).unwrap());
}
