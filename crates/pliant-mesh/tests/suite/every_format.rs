//! What is written in one format, read, written in another and read again is the same mesh, and what is not is said.

use std::path::Path;

use pliant_mesh::{
    AnyMesh, ArrayLocation, BoxOptions, Diagonals, Dropped, MeshArray, MeshFile, RectangleOptions,
    Resolution, SimplexMesh, VertexSet, WriteOptions, box_mesh, read_mesh, rectangle, write_mesh,
};
use proptest::prelude::*;

/// Formats that hold regions; the first ones hold names, sets and arrays too.
const FORMATS: [&str; 7] = ["msh", "vtu", "vtk", "npz", "mesh", "meshb", "ele"];
const WITH_ARRAYS: usize = 4;

/// What a test mesh is made of: regions and vertex sets by chance, E, nu and rho on cells, a vector on vertices.
#[derive(Clone, Debug)]
struct Chance {
    regions: Vec<u8>,
    left: Vec<bool>,
    values: Vec<f64>,
}

fn chance() -> impl Strategy<Value = Chance> {
    let regions = prop::collection::vec(0u8..3, 1..40);
    let left = prop::collection::vec(any::<bool>(), 1..40);
    let values = prop::collection::vec(-1e12..1e12, 1..40);
    (regions, left, values).prop_map(|(regions, left, values)| Chance { regions, left, values })
}

impl Chance {
    /// Puts regions and a set on the mesh. Numbered names survive in every format.
    fn on<const D: usize>(&self, mesh: SimplexMesh<D>, names: [&str; 3]) -> (SimplexMesh<D>, Vec<MeshArray>) {
        let (cells, vertices) = (mesh.cell_count(), mesh.vertex_count());
        let mut labels: Vec<usize> =
            (0..cells).map(|cell| usize::from(self.regions[cell % self.regions.len()])).collect();
        labels[..3].copy_from_slice(&[0, 1, 2]);
        let members = (1..vertices).filter(|vertex| self.left[vertex % self.left.len()]).chain([0]);
        let set = VertexSet { name: "left side".to_owned(), vertices: members.collect() };
        let mesh = mesh.with_regions(names.map(str::to_owned).to_vec(), labels).unwrap();
        let mesh = mesh.with_vertex_set(set).unwrap();
        let array = |name: &str, on, components: usize, count: usize, shift: usize| MeshArray {
            name: name.to_owned(),
            on,
            components,
            values: (0..count * components)
                .map(|index| self.values[(index + shift) % self.values.len()])
                .collect(),
        };
        let arrays = vec![
            array("E", ArrayLocation::Cell, 1, cells, 0),
            array("nu", ArrayLocation::Cell, 1, cells, 1),
            array("rho", ArrayLocation::Cell, 1, cells, 2),
            array("load %", ArrayLocation::Vertex, 3, vertices, 3),
        ];
        (mesh, arrays)
    }
}

fn write(directory: &Path, extension: &str, file: &MeshFile) -> (MeshFile, Vec<Dropped>) {
    let path = directory.join(format!("mesh.{extension}"));
    let options = WriteOptions::default();
    let dropped = match &file.mesh {
        AnyMesh::Two(mesh) => write_mesh(&path, mesh, &file.arrays, &options),
        AnyMesh::Three(mesh) => write_mesh(&path, mesh, &file.arrays, &options),
    };
    (read_mesh(&path).unwrap(), dropped.unwrap())
}

/// Everything of a mesh that a format may lose: names of regions by cell, sets, arrays by name.
type Parts = (Vec<String>, Vec<VertexSet>, Vec<MeshArray>);

fn parts(file: &MeshFile) -> Parts {
    fn of<const D: usize>(mesh: &SimplexMesh<D>) -> (Vec<String>, Vec<VertexSet>) {
        let names = mesh.cell_regions().iter().map(|&region| mesh.regions()[region].clone());
        (names.collect(), mesh.vertex_sets().to_vec())
    }
    let (regions, sets) = match &file.mesh {
        AnyMesh::Two(mesh) => of(mesh),
        AnyMesh::Three(mesh) => of(mesh),
    };
    let mut arrays = file.arrays.clone();
    arrays.sort_by(|a, b| a.name.cmp(&b.name));
    (regions, sets, arrays)
}

/// Positions, cells and volumes, bit for bit.
fn shape(file: &MeshFile) -> (Vec<f64>, Vec<usize>, Vec<f64>) {
    fn of<const D: usize>(mesh: &SimplexMesh<D>) -> (Vec<f64>, Vec<usize>, Vec<f64>) {
        let positions = mesh.positions().as_flattened().to_vec();
        (positions, mesh.cells().flatten().copied().collect(), mesh.volumes().to_vec())
    }
    match &file.mesh {
        AnyMesh::Two(mesh) => of(mesh),
        AnyMesh::Three(mesh) => of(mesh),
    }
}

fn check_pairs(original: &MeshFile) -> Result<(), TestCaseError> {
    let directory = tempfile::tempdir().unwrap();
    let expected = parts(original);
    for (first, from) in FORMATS.into_iter().enumerate() {
        let (once, dropped) = write(directory.path(), from, original);
        prop_assert_eq!(dropped.is_empty(), first < WITH_ARRAYS, "{}: {:?}", from, dropped);
        for (second, to) in FORMATS.into_iter().enumerate() {
            let (twice, _) = write(directory.path(), to, &once);
            prop_assert_eq!(shape(&twice), shape(original), "{} {}", from, to);
            prop_assert!(twice.dropped.is_empty(), "{} {}: {:?}", from, to, twice.dropped);
            let (regions, sets, arrays) = parts(&twice);
            prop_assert_eq!(&regions, &expected.0, "{} {}", from, to);
            prop_assert_eq!(sets.len(), 1);
            prop_assert_eq!(&sets[0].vertices, &expected.1[0].vertices, "{} {}", from, to);
            if first < WITH_ARRAYS && second < WITH_ARRAYS {
                prop_assert_eq!(&sets, &expected.1);
                prop_assert_eq!(&arrays, &expected.2, "{} {}", from, to);
            }
        }
    }
    Ok(())
}

fn file(mesh: AnyMesh, mut arrays: Vec<MeshArray>) -> MeshFile {
    arrays.sort_by(|a, b| a.name.cmp(&b.name));
    MeshFile { format: String::new(), mesh, arrays, dropped: Vec::new() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn triangles_survive_every_pair_of_formats(chance in chance(), columns in 2usize..5) {
        let resolution = Resolution::Counts([columns, 2]);
        let options = RectangleOptions { resolution, diagonals: Diagonals::Alternating, ..Default::default() };
        let (mesh, arrays) = chance.on(rectangle(&options).unwrap(), ["1", "30", "7"]);
        check_pairs(&file(AnyMesh::Two(mesh), arrays))?;
    }

    #[test]
    fn tetrahedra_survive_every_pair_of_formats(chance in chance(), columns in 1usize..3) {
        let options = BoxOptions { resolution: Resolution::Counts([columns, 2, 1]), ..Default::default() };
        let (mesh, arrays) = chance.on(box_mesh(&options).unwrap(), ["-4", "2", "900"]);
        check_pairs(&file(AnyMesh::Three(mesh), arrays))?;
    }

    #[test]
    fn names_of_regions_survive_where_there_are_names(chance in chance(), from in 0..WITH_ARRAYS, to in 0..WITH_ARRAYS) {
        let options = RectangleOptions { resolution: Resolution::Counts([2, 2]), ..Default::default() };
        let (mesh, arrays) = chance.on(rectangle(&options).unwrap(), ["bone", "weiches Gewebe", "2"]);
        let original = file(AnyMesh::Two(mesh), arrays);
        let directory = tempfile::tempdir().unwrap();
        let (once, _) = write(directory.path(), FORMATS[from], &original);
        let (twice, _) = write(directory.path(), FORMATS[to], &once);
        prop_assert_eq!(parts(&twice), parts(&original), "{} {}", FORMATS[from], FORMATS[to]);
    }
}

/// NumPy's `.npy` files hold one array each; a mesh is what an archive would hold, unpacked.
#[test]
fn an_unpacked_archive_is_the_same_mesh_whichever_file_is_given() {
    let chance = Chance { regions: vec![0, 1], left: vec![true, false], values: vec![1.0, 2.0] };
    let options = BoxOptions { resolution: Resolution::Counts([2, 2, 2]), ..Default::default() };
    let (mesh, arrays) = chance.on(box_mesh(&options).unwrap(), ["bone", "5", "flesh"]);
    let directory = tempfile::tempdir().unwrap();
    let archive = directory.path().join("a.npz");
    write_mesh(&archive, &mesh, &arrays, &WriteOptions::default()).unwrap();
    let mut archive = zip::ZipArchive::new(std::fs::File::open(archive).unwrap()).unwrap();
    for (name, file) in [
        ("vertices", "a_V"),
        ("cells", "a_T"),
        ("region", "a_region"),
        ("region_names", "a_region_names"),
        ("E", "a_E"),
        ("E", "other"),
    ] {
        let mut entry = archive.by_name(&format!("{name}.npy")).unwrap();
        let mut to = std::fs::File::create(directory.path().join(format!("{file}.npy"))).unwrap();
        std::io::copy(&mut entry, &mut to).unwrap();
    }
    for name in ["a_V.npy", "a_T.npy", "a_region_names.npy"] {
        let file = read_mesh(directory.path().join(name)).unwrap();
        assert_eq!(file.format, "NumPy .npy files");
        let AnyMesh::Three(read) = &file.mesh else { panic!("a box is solid") };
        assert_eq!((read.positions(), read.regions()), (mesh.positions(), mesh.regions()));
        assert_eq!(read.cell_regions(), mesh.cell_regions());
        assert_eq!(file.arrays, arrays[..1]);
    }
    let message = read_mesh(directory.path().join("other.npy")).unwrap_err().to_string();
    assert!(message.contains("one array") && message.contains("numpy.savez"), "{message}");
    std::fs::remove_file(directory.path().join("a_V.npy")).unwrap();
    let message = read_mesh(directory.path().join("a_T.npy")).unwrap_err().to_string();
    assert!(message.contains("there is no array of vertices"), "{message}");
}

#[test]
fn a_format_says_what_it_cannot_hold() {
    let options = BoxOptions { resolution: Resolution::Counts([2, 2, 2]), ..Default::default() };
    let chance = Chance { regions: vec![0, 1], left: vec![true, false], values: vec![1.0, 2.0] };
    let (mesh, arrays) = chance.on(box_mesh(&options).unwrap(), ["bone", "5", "flesh"]);
    let directory = tempfile::tempdir().unwrap();
    let dropped = |name: &str| -> Vec<String> {
        let dropped = write_mesh(directory.path().join(name), &mesh, &arrays, &WriteOptions::default());
        dropped.unwrap().into_iter().map(|dropped| format!("{} {}", dropped.count, dropped.what)).collect()
    };
    let arrays_go = [
        "1 array \"E\" on cells",
        "1 array \"nu\" on cells",
        "1 array \"rho\" on cells",
        "1 array \"load %\" on vertices",
    ];
    let mut expected = vec![
        "1 name of the region \"bone\", which is 1 there",
        "1 name of the region \"flesh\", which is 2 there",
        "1 name of the vertex set \"left side\", which is 1 there",
    ];
    expected.extend(arrays_go);
    assert_eq!(dropped("a.mesh"), expected);
    assert_eq!(dropped("a.meshb"), expected);
    assert_eq!(dropped("a.node"), expected);
    let mut expected = vec![
        "1 vertices inside the body",
        "48 tetrahedra, of which the boundary remains",
        "3 regions",
        "1 vertex sets",
    ];
    expected.extend(arrays_go);
    assert_eq!(dropped("a.obj"), expected);
    let text = std::fs::read_to_string(directory.path().join("a.obj")).unwrap();
    assert_eq!(text.matches("v ").count(), 26);
    assert_eq!(text.matches("f ").count(), 48);
    let error = write_mesh(directory.path().join("a.doc"), &mesh, &arrays, &WriteOptions::default());
    let message = error.unwrap_err().to_string();
    assert!(message.contains("end it in one of .msh, .vtu,"), "{message}");
}
