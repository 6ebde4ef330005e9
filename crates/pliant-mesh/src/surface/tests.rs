use std::path::Path;

use proptest::prelude::*;

use super::TriangleSurface;
use super::read_surface::parse_surface;
use crate::MeshError;

/// A tetrahedron in every format and encoding.
fn tetrahedron() -> Vec<(&'static str, Vec<u8>)> {
    let positions: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.5]];
    let faces: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    let lines = |prefix: &str, first: usize| {
        let vertices =
            positions.iter().map(|[x, y, z]| format!("{}{x} {y} {z}\n", &prefix[..prefix.len().min(2)]));
        let faces = faces.iter().map(|face| {
            let [a, b, c] = face.map(|vertex| vertex + first);
            if prefix.is_empty() { format!("3 {a} {b} {c}\n") } else { format!("f {a}/1/2 {b}//3 {c}\n") }
        });
        vertices.chain(faces).collect::<String>()
    };
    let obj = format!("# made by hand\no a\n{}", lines("v ", 1));
    let off = format!("OFF # comment\n4 4 6\n{}", lines("", 0));
    let ply = |encoding: &str| {
        format!(
            "ply\nformat {encoding} 1.0\ncomment x\nelement vertex 4\nproperty float x\nproperty float y\n\
             property float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n"
        )
        .into_bytes()
    };
    let binary_ply = |encoding: &str, little: bool| {
        let mut bytes = ply(encoding);
        let float = |value: f32| if little { value.to_le_bytes() } else { value.to_be_bytes() };
        let int =
            |value: usize| if little { (value as i32).to_le_bytes() } else { (value as i32).to_be_bytes() };
        bytes.extend(positions.iter().flatten().flat_map(|&value| float(value)));
        for face in faces {
            bytes.push(3);
            bytes.extend(face.into_iter().flat_map(int));
        }
        bytes
    };
    let mut text_stl = "solid a\n".to_owned();
    let mut stl = b"solid that is binary".to_vec();
    stl.resize(80, 0);
    stl.extend(4u32.to_le_bytes());
    for face in faces {
        stl.extend([0; 12]);
        text_stl += "facet normal 0 0 0\nouter loop\n";
        for [x, y, z] in face.map(|vertex| positions[vertex]) {
            text_stl += &format!("vertex {x:e} {y:e} {z:e}\n");
            stl.extend([x, y, z].into_iter().flat_map(f32::to_le_bytes));
        }
        text_stl += "endloop\nendfacet\n";
        stl.extend([0; 2]);
    }
    let text_ply = [ply("ascii"), lines("", 0).into_bytes()].concat();
    vec![
        ("a.obj", obj.into_bytes()),
        ("a.off", off.into_bytes()),
        ("text.stl", text_stl.into_bytes()),
        ("binary.stl", stl),
        ("text.ply", text_ply),
        ("little.ply", binary_ply("binary_little_endian", true)),
        ("big.ply", binary_ply("binary_big_endian", false)),
    ]
}

fn parse(name: &str, bytes: &[u8]) -> Result<TriangleSurface, MeshError> {
    Ok(parse_surface(Path::new(name), bytes)?.0)
}

#[test]
fn every_format_gives_the_same_closed_tetrahedron() {
    for (name, bytes) in tetrahedron() {
        let surface = parse(name, &bytes).unwrap();
        surface.check_closed().unwrap();
        assert_eq!((surface.positions().len(), surface.triangles().len()), (4, 4), "{name}");
        assert!((surface.enclosed_volume() - 0.5 / 6.0).abs() < 1e-15, "{name}");
    }
}

#[test]
fn faults_name_the_line_or_the_byte() {
    for (name, text, says) in [
        ("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n", "a.obj, line 5: a vertex of a face"),
        ("a.obj", "v 0 0 0\nf 1 1\n", "line 2: the face has 2 vertices"),
        ("a.obj", "v 0 0\n", "line 1: z should be a finite number, but there is nothing"),
        ("a.obj", "v 0 0 1e999\n", "line 1: z should be a finite number, but there is \"1e999\""),
        ("a.obj", "f -1 -2 -3\n", "line 1: a vertex of a face"),
        ("a.obj", "# nothing\n", "no triangles"),
        ("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n", "line 6: the face names vertex 7"),
        ("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4 0 1 2\n", "line 6: the face announces 4"),
        ("a.off", "OFF\n99999999999 1 0\n0 0 0\n", "line 3: the file ends where a vertex should be"),
        ("a.off", "OFF BINARY\n", "line 1: the file is binary"),
        ("a.stl", "solid a\nfacet\nvertex 0 0 0\nendloop\n", "line 4: facet 0 does not have three vertices"),
        ("a.stl", "solid a\nvertices\n", "line 2: a line of an STL file"),
        (
            "a.ply",
            "ply\nformat ascii 1.0\nelement vertex 1000000000000\nproperty float x\nend_header\n",
            "line 3: the header announces",
        ),
        ("a.ply", "ply\nproperty float x\nend_header\n", "line 2: a property should follow an element"),
        (
            "a.ply",
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\nend_header\n",
            "line 4: the property",
        ),
        ("a.xyz", "1 2 3\n", "not a surface that can be read"),
    ] {
        let message = parse(name, text.as_bytes()).unwrap_err().to_string();
        assert!(message.starts_with(name) && message.contains(says), "{message}");
        assert!(!message.contains('\n'), "{message}");
    }
}

proptest! {
    #[test]
    fn damaged_files_are_errors_or_surfaces(
        format in 0usize..7,
        keep in 0.0..1.0f64,
        flips in prop::collection::vec((0.0..1.0f64, 0u8..8), 0..4),
    ) {
        let (name, mut bytes) = tetrahedron().swap_remove(format);
        for (place, bit) in flips {
            let place = (place * bytes.len() as f64) as usize;
            bytes[place] ^= 1 << bit;
        }
        if keep < 0.7 {
            bytes.truncate((keep / 0.7 * bytes.len() as f64) as usize);
        }
        match parse(name, &bytes) {
            Ok(surface) => prop_assert!(surface.positions().iter().flatten().all(|value| value.is_finite())),
            Err(error) => prop_assert!(error.to_string().contains(name)),
        }
    }

    #[test]
    fn anything_at_all_is_an_error_or_a_surface(format in 0usize..7, bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let (name, file) = tetrahedron().swap_remove(format);
        let start = file.len() / 2;
        let _ = parse(name, &[&file[..start], &bytes].concat());
        let _ = parse(name, &bytes);
    }
}
