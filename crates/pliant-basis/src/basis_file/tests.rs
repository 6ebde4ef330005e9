use super::*;
use crate::Subspace;
use pliant_mesh::{Material, MaterialMap, NpzWriter, SimplexMesh};

fn mesh() -> SimplexMesh<3> {
    let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]];
    SimplexMesh::new(positions, vec![0, 1, 2, 3, 1, 4, 2, 3]).unwrap()
}

fn subspace(mesh: &SimplexMesh<3>) -> Subspace<3> {
    let rubber = Material { youngs_modulus: 1e4, poisson_ratio: 0.3, density: 2.0 };
    let material = MaterialMap::uniform(mesh, rubber).unwrap();
    let rows = [
        vec![(0, 1.0)],
        vec![(0, 0.5), (1, 0.5)],
        vec![(0, 0.5), (1, 0.5)],
        vec![(1, 1.0)],
        vec![(0, 0.3), (1, 0.7)],
    ];
    let weights = Weights::from_rows(2, &rows).unwrap();
    Subspace::linear_blend_skinning(mesh, &material, weights).unwrap()
}

#[test]
fn a_file_holds_what_was_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("basis.npz");
    let mesh = mesh();
    let subspace = subspace(&mesh);
    write_basis(&path, &mesh, &subspace, "sparse-meshless", Some(&[0, 3])).unwrap();
    let file = BasisFile::<3>::read(&path).unwrap();
    assert_eq!(file.method(), "sparse-meshless");
    assert_eq!(file.nodes(), Some(&[0, 3][..]));
    assert_eq!(file.weights(), subspace.weights());
    assert_eq!(file.vertices(), mesh.positions());
    assert_eq!(file.cells(), mesh.cells().flatten().copied().collect::<Vec<_>>());
    assert_eq!((file.basis().row_count(), file.basis().column_count()), (15, 24));
    let coordinates: Vec<f64> = (0..24).map(|index| (index as f64).sin()).collect();
    let (lifted, read) = (subspace.lift(&coordinates), file.basis().multiply(&coordinates));
    assert!(lifted.as_flattened().iter().zip(read).all(|(a, b)| (a - b).abs() < 1e-15));
    let stored: usize = (0..15).map(|row| file.basis().row(row).0.len()).sum();
    assert_eq!(stored, subspace.basis_nonzeros());
}

#[test]
fn modes_have_no_nodes_and_writing_again_replaces_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("basis.npz");
    let mesh = mesh();
    write_basis(&path, &mesh, &subspace(&mesh), "first", Some(&[0, 1])).unwrap();
    write_basis(&path, &mesh, &subspace(&mesh), "uniform-eigenmodes", None).unwrap();
    let file = BasisFile::<3>::read(&path).unwrap();
    assert_eq!((file.method(), file.nodes()), ("uniform-eigenmodes", None));
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "no partial file stays behind");
}

#[test]
fn a_basis_is_the_same_bytes_again() {
    let directory = tempfile::tempdir().unwrap();
    let mesh = mesh();
    let [first, second] = ["first.npz", "second.npz"].map(|name| {
        let path = directory.path().join(name);
        write_basis(&path, &mesh, &subspace(&mesh), "sparse-meshless", None).unwrap();
        std::fs::read(path).unwrap()
    });
    assert_eq!(first, second);
}

#[test]
fn a_file_that_cannot_be_written_or_read_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("no such directory").join("basis.npz");
    let mesh = mesh();
    let error = write_basis(&path, &mesh, &subspace(&mesh), "hrpd", None).unwrap_err().to_string();
    assert!(error.contains("cannot write") && error.contains("no such directory"), "{error}");
    let error = BasisFile::<3>::read(&path).unwrap_err().to_string();
    assert!(error.contains("cannot read") && error.contains("no such directory"), "{error}");
    let text = directory.path().join("text.npz");
    std::fs::write(&text, "not an archive").unwrap();
    assert!(BasisFile::<3>::read(&text).unwrap_err().to_string().contains("text.npz"));
}

#[test]
fn a_truncated_file_is_an_error_and_never_a_panic() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("basis.npz");
    let mesh = mesh();
    write_basis(&path, &mesh, &subspace(&mesh), "hrpd", Some(&[0, 1])).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    for kept in (0..bytes.len()).step_by(97) {
        std::fs::write(&path, &bytes[..kept]).unwrap();
        assert!(BasisFile::<3>::read(&path).is_err(), "{kept} of {} bytes", bytes.len());
    }
}

#[test]
fn a_file_of_another_dimension_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("basis.npz");
    let mesh = mesh();
    write_basis(&path, &mesh, &subspace(&mesh), "hrpd", None).unwrap();
    let error = BasisFile::<2>::read(&path).unwrap_err().to_string();
    assert!(error.contains("its vertices have the shape [5, 3] where n x 2 is needed"), "{error}");
}

#[test]
fn a_missing_array_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("other.npz");
    let mut archive = NpzWriter::new(1);
    archive.reals("data", &[1], [1.0].into_iter()).unwrap();
    std::fs::write(&path, archive.finish().unwrap()).unwrap();
    let error = BasisFile::<3>::read(&path).unwrap_err().to_string();
    assert!(error.ends_with("it has no array \"method\""), "{error}");
}
