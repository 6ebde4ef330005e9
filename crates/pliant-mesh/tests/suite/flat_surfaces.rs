//! Surface files whose triangles lie in one plane are meshes.

use pliant_mesh::{AnyMesh, read_mesh};

const SQUARE: [(&str, &str); 4] = [
    ("a.obj", "v 0 0 2\nv 1 0 2\nv 1 1 2\nv 0 1 2\nf 1 2 3 4\n"),
    ("a.off", "OFF\n4 2 0\n0 0 2\n1 0 2\n1 1 2\n0 1 2\n3 0 1 2\n3 0 3 2\n"),
    (
        "a.ply",
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n\
         property list uchar int vertex_index\nend_header\n0 0 2\n1 0 2\n1 1 2\n0 1 2\n4 0 1 2 3\n",
    ),
    (
        "a.stl",
        "solid\nfacet\nvertex 0 0 2\nvertex 1 0 2\nvertex 1 1 2\nendfacet\nfacet\nvertex 0 0 2\nvertex 1 1 2\nvertex 0 1 2\nendfacet\n",
    ),
];

#[test]
fn flat_surfaces_of_every_format_are_meshes_of_the_plane() {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in SQUARE {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        let file = read_mesh(&path).unwrap();
        let AnyMesh::Two(mesh) = &file.mesh else { panic!("{name} is flat") };
        assert_eq!((mesh.vertex_count(), mesh.cell_count(), mesh.volume()), (4, 2, 1.0), "{name}");
        assert!(file.format.ends_with(" surface"), "{}", file.format);
        std::fs::write(&path, text.replace("1 1 2", "1 1 3")).unwrap();
        let message = read_mesh(&path).unwrap_err().to_string();
        assert!(message.contains("not flat in x and y (z from 2 to 3)"), "{message}");
    }
}
