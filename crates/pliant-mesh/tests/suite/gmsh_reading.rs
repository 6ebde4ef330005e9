//! Gmsh files are read as the format says, and malformed ones are refused with the place.

use pliant_mesh::{AnyMesh, ArrayLocation, Dropped, MeshFile, SimplexMesh, VertexSet, read_mesh};
use proptest::prelude::*;

/// Two triangles in two groups, an edge in a group, an edge in none, sparse unsorted node tags, an unused node, arrays.
const VERSION_2: &str = r#"$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 7 "left side"
2 3 "soft"
$EndPhysicalNames
$Nodes
5
900 0 0 2.5
12 1 0 2.5
7 1 1 2.5
1000000 0.5 0.5 0
15 0 1 2.5
$EndNodes
$Elements
4
1 1 2 7 1 15 900
2 1 2 0 1 12 7
10 2 2 3 1 900 7 12
11 2 2 5 2 900 7 15
$EndElements
$ElementData
1
"E"
1
0.0
3
0
1
2
11 2e3
10 1e9
$EndElementData
$NodeData
1
u
1
0.0
3
0
3
5
900 0 0 0
12 1 2 3
7 0 0 0
15 4 5 6
1000000 9 9 9
$EndNodeData
"#;

const VERSION_4: &str = r#"$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
2 4 "floor"
3 9 "rock"
$EndPhysicalNames
$Entities
1 0 1 2
1 0 0 0 1 8
5 0 0 0 1 1 0 2 4 -6 0
1 0 0 0 1 1 1 1 9 1 5
2 0 0 0 1 1 1 0 0
$EndEntities
$Nodes
2 5 1 10
0 1 0 1
1
0 0 0
2 5 1 4
2
3
4
10
1 0 0 0.5 0.5
0 1 0 0.5 0.5
0 0 1 0.5 0.5
1 1 1 0.5 0.5
$EndNodes
$Elements
5 5 1 5
0 1 15 1
1 1
2 5 2 1
2 1 2 3
1 1 1 1
5 1 2
3 1 4 1
3 1 2 3 4
3 2 4 1
4 2 3 4 10
$EndElements
"#;

const VERSION_1: &str = "$NOD\n5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n7 9 9 0\n$ENDNOD\n$ELM\n4\n1 1 5 1 2 1 2\n\
    2 2 3 1 3 1 2 3\n3 2 4 1 3 1 4 3\n4 15 0 1 1 4\n$ENDELM\n";

fn read_text(text: &str) -> Result<MeshFile, String> {
    read_bytes(text.as_bytes())
}

fn read_bytes(bytes: &[u8]) -> Result<MeshFile, String> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mesh.msh");
    std::fs::write(&path, bytes).unwrap();
    let prefix = format!("{}", path.display());
    read_mesh(&path).map_err(|error| error.to_string().replace(&prefix, "mesh.msh"))
}

fn two(file: MeshFile) -> SimplexMesh<2> {
    match file.mesh {
        AnyMesh::Two(mesh) => mesh,
        AnyMesh::Three(_) => panic!("the file holds triangles"),
    }
}

fn set(name: &str, vertices: &[usize]) -> VertexSet {
    VertexSet { name: name.to_owned(), vertices: vertices.to_vec() }
}

fn dropped(what: &str, count: usize) -> Dropped {
    Dropped { what: what.to_owned(), count }
}

#[test]
fn version_1_gives_the_same_without_names() {
    let file = read_text(VERSION_1).unwrap();
    assert_eq!(file.format, "Gmsh 1 ASCII");
    let expected = [dropped("points", 1), dropped("reoriented cells", 1), dropped("unused vertices", 1)];
    assert_eq!(file.dropped, expected);
    let mesh = two(file);
    assert_eq!(mesh.volume(), 1.0);
    assert_eq!(mesh.regions(), ["3", "4"]);
    assert_eq!(mesh.vertex_sets(), [set("5", &[0, 1])]);
    let wrong = VERSION_1.replace("3 2 4 1 3 1 4 3", "3 2 4 1 4 1 4 3 2");
    let message = "mesh.msh, line 13: element 3 has 4 nodes, but its type has 3";
    assert_eq!(read_text(&wrong).unwrap_err(), message);
    let message = read_text(&VERSION_1[..VERSION_1.len() - 20]).unwrap_err();
    assert!(message.starts_with("mesh.msh, line 14: "), "{message}");
}

#[test]
fn version_2_gives_cells_regions_sets_arrays_and_what_was_dropped() {
    let file = read_text(VERSION_2).unwrap();
    assert_eq!(file.format, "Gmsh 2.2 ASCII");
    assert_eq!(
        file.dropped,
        [dropped("lines", 1), dropped("reoriented cells", 1), dropped("unused vertices", 1)]
    );
    assert_eq!((file.arrays[0].name.as_str(), file.arrays[0].on), ("E", ArrayLocation::Cell));
    assert_eq!(file.arrays[0].values, [1e9, 2e3]);
    assert_eq!((file.arrays[1].name.as_str(), file.arrays[1].on), ("u", ArrayLocation::Vertex));
    assert_eq!(file.arrays[1].values, [0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 4.0, 5.0, 6.0]);
    let mesh = two(file);
    assert_eq!(mesh.positions(), [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    assert_eq!(mesh.cell(0), [0, 1, 2]);
    assert_eq!(mesh.cell(1), [0, 2, 3]);
    assert_eq!(mesh.regions(), ["soft", "5"]);
    assert_eq!(mesh.cell_regions(), [0, 1]);
    assert_eq!(mesh.vertex_sets(), [set("left side", &[0, 3])]);
}

#[test]
fn line_ends_of_either_kind_give_the_same_mesh() {
    for text in [VERSION_2, VERSION_4] {
        let [unix, windows] =
            [text.to_owned(), text.replace('\n', "\r\n")].map(|text| read_text(&text).unwrap());
        assert_eq!(format!("{unix:?}"), format!("{windows:?}"));
    }
}

#[test]
fn version_4_gives_groups_through_entities() {
    let file = read_text(VERSION_4).unwrap();
    assert_eq!(file.format, "Gmsh 4.1 ASCII");
    assert_eq!(file.dropped, [dropped("lines", 1)]);
    let AnyMesh::Three(mesh) = file.mesh else { panic!("the file holds tetrahedra") };
    assert_eq!(mesh.vertex_count(), 5);
    assert_eq!(mesh.regions(), ["0", "rock"]);
    assert_eq!(mesh.cell_regions(), [1, 0]);
    assert_eq!(mesh.vertex_sets(), [set("8", &[0]), set("floor", &[0, 1, 2]), set("6", &[0, 1, 2])]);
}

#[test]
fn malformed_files_are_refused_with_line_and_reason() {
    let nodes = |text: &str| VERSION_2.replace("12 1 0 2.5\n", text);
    let cases = [
        (
            nodes("12 1 0 2.5\n3 1 1 1\n"),
            "line 16: $EndNodes should be here, but there is \"15 0 1 2.5\"; correct the counts of the section",
        ),
        (nodes(""), "line 15: a node number should be a whole number, but there is \"$EndNodes\""),
        (nodes("12 1 nan 2.5\n"), "line 12: a coordinate is NaN, but it must be a finite number"),
        (nodes("900 1 0 2.5\n"), "line 16: $Nodes gives node 900 twice; number the nodes differently"),
        (nodes("-12 1 0 2.5\n"), "line 12: a node number is -12, but it cannot be negative"),
        (
            VERSION_2.replace("15 900\n", "15 901\n"),
            "line 19: element 1 names node 901, which $Nodes does not give",
        ),
        (
            VERSION_2.replace("$Nodes\n5", "$Nodes\n99999999999"),
            "line 10: $Nodes announces 99999999999 nodes, but only 323 bytes follow; the file is truncated or the count is wrong",
        ),
        (
            VERSION_2.replace("10 2 2 3", "10 77 2 3"),
            "line 21: there is no element type 77 that can be read; convert the mesh to linear simplices",
        ),
        (
            VERSION_2.replace("2.2 0 8", "3.0 0 8"),
            "line 2: Gmsh version \"3.0\" is not read; save the mesh as version 4.1, 4.0 or 2.2",
        ),
        (
            VERSION_2.replace("\"soft\"", ""),
            "line 7: a physical name such as 2 1 \"bone\" (dimension, number, name) should be here, but there is \"2 3\"",
        ),
        (
            VERSION_2.split("900 7 12").next().unwrap().to_owned(),
            "line 21: the file ends inside $Elements where a node of an element should be; it is truncated, so write it again",
        ),
        ("solid\n".to_owned(), "line 1: a section such as $Nodes should begin here, but there is \"solid\""),
    ];
    for (text, expected) in cases {
        let error = read_text(&text).unwrap_err();
        assert_eq!(error, format!("mesh.msh, {expected}"));
    }
}

#[test]
fn files_without_usable_cells_are_refused() {
    let cases = [
        (
            VERSION_2.replace("10 2 2 3 1 900 7 12\n11 2 2 5 2 900 7 15\n", "10 15 0 7\n11 15 0 7\n"),
            "mesh.msh has neither triangles nor tetrahedra; mesh the surface (2D) or the volume (3D) before saving it",
        ),
        (
            VERSION_2.replace("10 2 2 3 1 900 7 12", "10 3 2 3 1 900 7 12 15"),
            "mesh.msh: one of the quadrangles (element 2, counted from 0 in the file) is so distorted that the simplices it is cut into overlap; move its corners, or mesh it with triangles or tetrahedra",
        ),
        (
            VERSION_2.replace("12 1 0 2.5", "12 1 0 2.75"),
            "mesh.msh has triangles that are not flat in x and y (z from 2.5 to 2.75); give a mesh in a plane z = constant, or fill it with tetrahedra",
        ),
        (
            VERSION_2.replace("12 1 0 2.5", "12 1 1 2.5"),
            "mesh.msh: cell 0 has no volume (signed volume 0e0); remove it or move its vertices apart",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(read_text(&text).unwrap_err(), expected);
    }
}

#[test]
fn a_cell_in_two_groups_counts_once_and_its_second_group_becomes_a_vertex_set() {
    // Version 2.2 repeats the element, once for each group.
    let text = VERSION_2
        .replace("$Elements\n4", "$Elements\n5")
        .replace("11 2 2 5 2 900 7 15", "11 2 2 5 2 900 7 15\n12 2 2 5 1 12 900 7");
    let file = read_text(&text).unwrap();
    assert_eq!(file.dropped[1], dropped("repeated cells", 1));
    assert_eq!(file.arrays[0].values, [1e9, 2e3]);
    let mesh = two(file);
    assert_eq!(mesh.volume(), 1.0);
    assert_eq!(mesh.cell_regions(), [0, 1]);
    assert_eq!(mesh.vertex_sets(), [set("left side", &[0, 3]), set("5", &[0, 1, 2])]);
}

#[test]
fn an_array_without_values_for_every_cell_is_dropped_and_reported() {
    let text = VERSION_2.replace("2\n11 2e3\n", "1\n");
    let file = read_text(&text).unwrap();
    assert_eq!(file.arrays.len(), 1);
    assert_eq!(file.dropped[3], dropped("array \"E\" without values for some cells", 1));
}

#[test]
fn missing_and_unknown_files_are_refused() {
    let error = read_mesh("no/such/mesh.msh").unwrap_err().to_string();
    assert!(error.starts_with("cannot read no/such/mesh.msh: "), "{error}");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mesh.docx");
    std::fs::write(&path, "PK").unwrap();
    let error = read_mesh(&path).unwrap_err().to_string();
    assert!(
        error.contains("is not in a format that can be read; give one of Gmsh .msh (1, 2.2, 4.0, 4.1)"),
        "{error}"
    );
}

const QUADRATIC: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 2 0 0\n3 0 2 0\n4 1 0 0\n5 1 1 0\n6 0 1 0\n\
    $EndNodes\n$Elements\n2\n1 8 2 5 1 1 2 4\n2 9 2 3 1 1 2 3 4 5 6\n$EndElements\n";

#[test]
fn cells_of_second_order_are_reduced_to_their_corners() {
    // With a byte order mark, as some editors write it.
    let file = read_text(&format!("\u{feff}{QUADRATIC}")).unwrap();
    assert_eq!(file.dropped, [dropped("second-order cells reduced to their corners", 1)]);
    let mesh = two(file);
    assert_eq!((mesh.vertex_count(), mesh.volume()), (3, 2.0));
    assert_eq!(mesh.vertex_sets(), [set("5", &[0, 1])]);
}

#[test]
fn version_4_0_has_tags_beside_coordinates_and_entities_before_dimensions() {
    let text = VERSION_4
        .replace("4.1 0 8", "4 0 8")
        .replace("1 0 0 0 1 8\n", "1 0 0 0 0 0 0 1 8\n")
        .replace("2 5 1 10\n0 1 0 1\n1\n0 0 0\n2 5 1 4\n2\n3\n4\n10\n", "2 5\n1 0 0 1\n1 0 0 0\n5 2 1 4\n2 ")
        .replace("0.5 0.5\n0 1 0 0.5", "0.5 0.5\n3 0 1 0 0.5")
        .replace("0.5 0.5\n0 0 1 0.5", "0.5 0.5\n4 0 0 1 0.5")
        .replace("0.5 0.5\n1 1 1 0.5", "0.5 0.5\n10 1 1 1 0.5")
        .replace("5 5 1 5\n0 1 15 1\n", "5 5\n1 0 15 1\n")
        .replace("\n2 5 2 1\n", "\n5 2 2 1\n")
        .replace("\n3 1 4 1\n", "\n1 3 4 1\n")
        .replace("\n3 2 4 1\n", "\n2 3 4 1\n");
    let file = read_text(&text).unwrap();
    assert_eq!(file.format, "Gmsh 4.0 ASCII");
    let expected = read_text(VERSION_4).unwrap();
    assert_eq!(format!("{:?}", file.mesh), format!("{:?}", expected.mesh));
}

#[test]
fn parts_of_a_partitioned_entity_are_in_the_groups_of_the_whole() {
    let parts = "$EndEntities\n$PartitionedEntities\n2\n1\n9 1\n0 0 0 1\n7 3 1 1 2 0 0 0 1 1 1 1 4 0\n$EndPartitionedEntities";
    let text = VERSION_4.replace("$EndEntities", parts).replace("\n3 2 4 1\n", "\n3 7 4 1\n");
    let AnyMesh::Three(mesh) = read_text(&text).unwrap().mesh else { panic!("the file holds tetrahedra") };
    assert_eq!(mesh.regions(), ["rock"]);
    assert!(mesh.vertex_sets().contains(&set("4", &[1, 2, 3, 4])));
}

proptest! {
    #[test]
    fn truncated_text_files_never_panic(length in 0..VERSION_2.len(), length_4 in 0..VERSION_4.len()) {
        let _ = read_text(&VERSION_2[..length]);
        let _ = read_text(&VERSION_4[..length_4]);
    }

    #[test]
    fn text_files_with_changed_bytes_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        for text in [VERSION_2, VERSION_4] {
            let mut bytes = text.as_bytes().to_vec();
            for (place, byte) in &changes {
                let place = place.index(bytes.len());
                bytes[place] = *byte;
            }
            let _ = read_bytes(&bytes);
        }
    }
}

#[test]
fn comments_before_the_format_are_skipped() {
    let file =
        read_text(&format!("$Comments\nmade by hand, with $Nodes\n$EndComments\n{VERSION_2}")).unwrap();
    let AnyMesh::Two(mesh) = file.mesh else { panic!("triangles make a 2D mesh") };
    assert_eq!(mesh.cell_count(), 2);
}
