//! What is written is read back bit for bit: positions, cells, regions, vertex sets and arrays.

use pliant_mesh::{
    AnyMesh, ArrayLocation, BoxOptions, MeshArray, MeshOptions, MeshParts, MshVersion, Resolution,
    SimplexMesh, VertexSet, box_mesh, read_mesh, write_compressed_vtu, write_msh, write_vtu,
};
use proptest::prelude::*;

const VERSIONS: [MshVersion; 4] =
    [MshVersion::Ascii22, MshVersion::Binary22, MshVersion::Ascii41, MshVersion::Binary41];

/// Cells that share no vertex, each around its own centre, with regions, sets and arrays.
fn soup<const D: usize>() -> impl Strategy<Value = (SimplexMesh<D>, Vec<MeshArray>)> {
    let regions = ["bone", "soft tissue", "0"].map(str::to_owned).to_vec();
    (1usize..20, any::<u64>()).prop_flat_map(move |(cells, _)| {
        let regions = regions.clone();
        let vertices = cells * (D + 1);
        (
            prop::collection::vec(-0.1..0.1, vertices * D),
            prop::collection::vec(0..regions.len(), cells),
            prop::collection::vec(prop::collection::vec(0..vertices, 0..6), 0..3),
            prop::collection::vec(-1e300..1e300, cells),
            prop::collection::vec(-1e-300..1e-300, vertices * D),
        )
            .prop_map(move |(noise, cell_regions, sets, on_cells, on_vertices)| {
                let positions = (0..vertices)
                    .map(|vertex| {
                        let corner = vertex % (D + 1);
                        std::array::from_fn(|axis| {
                            let unit = if corner == axis + 1 { 1.0 } else { 0.0 };
                            unit + noise[vertex * D + axis]
                                + if axis == 0 { (vertex / (D + 1)) as f64 } else { 0.0 }
                        })
                    })
                    .collect();
                let vertex_sets = sets
                    .into_iter()
                    .enumerate()
                    .map(|(index, vertices)| VertexSet { name: format!("set {index}"), vertices })
                    .collect();
                let parts = MeshParts {
                    positions,
                    cells: (0..vertices).collect(),
                    regions: regions.clone(),
                    cell_regions,
                    vertex_sets,
                };
                let mesh = SimplexMesh::from_parts(parts, &MeshOptions::default()).unwrap().mesh;
                let array = |name: &str, on, components, values| MeshArray {
                    name: name.to_owned(),
                    on,
                    components,
                    values,
                };
                let arrays = vec![
                    array("E field", ArrayLocation::Cell, 1, on_cells),
                    array("u", ArrayLocation::Vertex, D, on_vertices),
                ];
                (mesh, arrays)
            })
    })
}

fn check<const D: usize>(
    (mesh, arrays): &(SimplexMesh<D>, Vec<MeshArray>),
    version: MshVersion,
    same: impl Fn(&AnyMesh) -> bool,
) -> Result<(), TestCaseError> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mesh.msh");
    write_msh(&path, mesh, arrays, version).unwrap();
    let file = read_mesh(&path).unwrap();
    prop_assert!(same(&file.mesh), "{:?}", file.mesh);
    prop_assert_eq!(&file.arrays, arrays);
    prop_assert_eq!(file.dropped, vec![]);
    // No piece of the file, and no file with changed bytes, makes reading panic.
    let bytes = std::fs::read(&path).unwrap();
    for step in 0..10 {
        std::fs::write(&path, &bytes[..bytes.len() * step / 10]).unwrap();
        let _ = read_mesh(&path);
        let mut changed = bytes.clone();
        let place = bytes.len() * step / 10;
        changed[place] = changed[place].wrapping_add((1 + 31 * step) as u8);
        std::fs::write(&path, &changed).unwrap();
        let _ = read_mesh(&path);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn triangles_survive_every_version(case in soup::<2>(), version in 0..4usize) {
        check(&case, VERSIONS[version], |read| matches!(read, AnyMesh::Two(mesh) if *mesh == case.0))?;
    }

    #[test]
    fn tetrahedra_survive_every_version(case in soup::<3>(), version in 0..4usize) {
        check(&case, VERSIONS[version], |read| matches!(read, AnyMesh::Three(mesh) if *mesh == case.0))?;
    }
}

fn triangle() -> SimplexMesh<2> {
    SimplexMesh::new(vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], vec![0, 1, 2]).unwrap()
}

#[test]
fn big_endian_files_are_read() {
    let mut bytes = b"$MeshFormat\n2.2 1 8\n".to_vec();
    let integers = |bytes: &mut Vec<u8>, values: &[i32]| {
        values.iter().for_each(|value| bytes.extend_from_slice(&value.to_be_bytes()));
    };
    integers(&mut bytes, &[1]);
    bytes.extend_from_slice(b"\n$EndMeshFormat\n$Nodes\n3\n");
    for (tag, position) in [(1, [0.0, 0.0, 0.0]), (2, [1.0, 0.0, 0.0]), (3, [0.0f64, 1.0, 0.0])] {
        integers(&mut bytes, &[tag]);
        position.iter().for_each(|value| bytes.extend_from_slice(&value.to_be_bytes()));
    }
    bytes.extend_from_slice(b"\n$EndNodes\n$Elements\n1\n");
    integers(&mut bytes, &[2, 1, 2, 7, 4, 4, 1, 2, 3]);
    bytes.extend_from_slice(b"\n$EndElements\n");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mesh.msh");
    std::fs::write(&path, &bytes).unwrap();
    let mesh = SimplexMesh::<2>::read(&path).unwrap();
    assert_eq!(mesh.positions(), triangle().positions());
    assert_eq!(mesh.regions(), ["4"]);
    bytes.truncate(bytes.len() - 20);
    std::fs::write(&path, &bytes).unwrap();
    let error = read_mesh(&path).unwrap_err().to_string();
    let expected = format!(
        "byte {}: the file ends inside $Elements where a node of an element should be; it is truncated, so write it again",
        bytes.len()
    );
    assert!(error.ends_with(&expected), "{error}");
}

#[test]
fn a_vtu_file_holds_points_cells_regions_and_padded_displacements() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mesh.vtu");
    let modulus = MeshArray {
        name: "youngs_modulus".to_owned(),
        on: ArrayLocation::Cell,
        components: 1,
        values: vec![1e6],
    };
    let displacement = [0.5, 0.25, 0.0, 0.0, 1.5, 2.5];
    write_vtu(&path, &triangle(), Some(&displacement), &[modulus]).unwrap();
    let vtk = vtkio::Vtk::import(&path).unwrap();
    let vtkio::model::DataSet::UnstructuredGrid { pieces, .. } = vtk.data else { panic!("unstructured") };
    let piece = pieces[0].load_piece_data(None).unwrap();
    let points: Vec<f64> = piece.points.cast_into().unwrap();
    assert_eq!(points, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let array = |attributes: &[vtkio::model::Attribute], name: &str| -> Vec<f64> {
        let found = attributes.iter().find_map(|attribute| match attribute {
            vtkio::model::Attribute::DataArray(array) if array.name == name => Some(array.data.clone()),
            _ => None,
        });
        found.unwrap().cast_into().unwrap()
    };
    assert_eq!(array(&piece.data.cell, "region"), [1.0]);
    assert_eq!(array(&piece.data.cell, "youngs_modulus"), [1e6]);
    assert_eq!(array(&piece.data.point, "displacement"), [0.5, 0.25, 0.0, 0.0, 0.0, 0.0, 1.5, 2.5, 0.0]);
}

/// Of several blocks, the last of which is not full.
#[test]
fn a_compressed_vtu_file_is_the_same_and_smaller() {
    let options = BoxOptions { resolution: Resolution::Counts([14, 14, 14]), ..BoxOptions::default() };
    let mesh = box_mesh(&options).unwrap();
    let displacement: Vec<f64> = (0..3 * mesh.vertex_count()).map(|index| (index as f64).sin()).collect();
    let directory = tempfile::tempdir().unwrap();
    let [plain, compressed] = ["plain.vtu", "compressed.vtu"].map(|name| directory.path().join(name));
    write_vtu(&plain, &mesh, Some(&displacement), &[]).unwrap();
    write_compressed_vtu(&compressed, &mesh, Some(&displacement), &[]).unwrap();
    let size = |path: &std::path::Path| std::fs::metadata(path).unwrap().len();
    assert!(3 * size(&compressed) < size(&plain), "{} {}", size(&compressed), size(&plain));
    let file = read_mesh(&compressed).unwrap();
    let AnyMesh::Three(read) = &file.mesh else { panic!("a box is solid") };
    assert_eq!((read.positions(), read.volumes()), (mesh.positions(), mesh.volumes()));
    assert!(read.cells().eq(mesh.cells()));
    assert_eq!(file.arrays[0].values, displacement);
}

#[test]
fn what_cannot_be_written_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mesh.msh");
    let array =
        |values: Vec<f64>| MeshArray { name: "E".to_owned(), on: ArrayLocation::Cell, components: 1, values };
    let refused =
        |array| write_msh(&path, &triangle(), &[array], MshVersion::Ascii41).unwrap_err().to_string();
    assert_eq!(
        refused(array(vec![1.0, 2.0])),
        "the array \"E\" has 2 numbers; give 1 (at least 1) for each of the 1 entries, one a cell"
    );
    assert_eq!(
        refused(array(vec![f64::NAN])),
        "the array \"E\" has the value NaN at cell 0; every value must be a finite number"
    );
    let quoted = triangle().with_regions(vec!["a\"b".to_owned()], vec![0]).unwrap();
    let error = write_msh(&path, &quoted, &[], MshVersion::Ascii22).unwrap_err().to_string();
    assert!(error.starts_with("the name \"a\\\"b\" cannot be written"), "{error}");
    let error = write_msh(directory.path().join("no/mesh.msh"), &triangle(), &[], MshVersion::Ascii22);
    assert!(error.unwrap_err().to_string().contains("check that the directory exists"));
    assert!(!path.exists());
}
