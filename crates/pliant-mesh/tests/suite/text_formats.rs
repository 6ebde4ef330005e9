//! Abaqus, MEDIT and TetGen files are read as their formats say, and malformed ones are refused with the place.

use std::path::Path;

use pliant_mesh::{
    AnyMesh, BoxOptions, MeshFile, MshVersion, Resolution, SimplexMesh, WriteOptions, box_mesh, read_mesh,
    write_mesh,
};

const DECK: &str = "*HEADING\n\
     a test\n\
    ** comment\n\
    *NODE, NSET=Nall\n\
    1, 0., 0., 0.\n\
    2, 2., 0., 0.\n\
    3, 2., 1.\n\
    4, 0., 1., 0.\n\
    5, 4., 0., 0.\n\
    6, 4., 1., 0.\n\
    7, 6., 0., 0\n\
    8, 6, 1, 0\n\
    *ELEMENT, TYPE=CPS4R, ELSET=Eall\n\
    10, 1, 2, 3,\n\
    4\n\
    20, 2,5,6,3\n\
    *ELEMENT, TYPE=CPE3\n\
    31, 5, 7, 8\n\
    32, 5,8,6\n\
    *ELEMENT, TYPE=SPRINGA\n\
    99, 1, 2\n\
    *ELSET, ELSET=bone, GENERATE\n\
    10, 20, 10\n\
    *ELSET, elset=\"soft part\"\n\
    31,\n\
    32\n\
    *ELSET, elset=both\n\
    bone, soft part\n\
    *NSET, NSET=fixed\n\
    1, 4\n\
    *MATERIAL, NAME=B\n\
    *ELASTIC\n\
    1e6, 0.3\n\
    *DENSITY\n\
    1000.\n\
    *MATERIAL, NAME=s\n\
    *ELASTIC, TYPE=ISO\n\
    1e3, 0.45, 20\n\
    *DENSITY\n\
    900.\n\
    *SOLID SECTION, ELSET=bone, MATERIAL=b\n\
    *SOLID SECTION, ELSET=soft part,\n\
     MATERIAL=S\n\
    1.\n\
    *STEP\n\
    *STATIC\n\
    *CLOAD\n\
    1, 2, 3\n\
    *END STEP\n";

fn read_in(directory: &Path, files: &[(&str, &str)]) -> Result<MeshFile, String> {
    for (name, text) in files {
        std::fs::write(directory.join(name), text).unwrap();
    }
    let prefix = format!("{}/", directory.display());
    read_mesh(directory.join(files[0].0)).map_err(|error| error.to_string().replace(&prefix, ""))
}

fn read(name: &str, text: &str) -> Result<MeshFile, String> {
    read_in(tempfile::tempdir().unwrap().path(), &[(name, text)])
}

fn two(file: &MeshFile) -> &SimplexMesh<2> {
    match &file.mesh {
        AnyMesh::Two(mesh) => mesh,
        AnyMesh::Three(_) => panic!("the file holds triangles"),
    }
}

fn sets(mesh: &SimplexMesh<2>) -> Vec<(&str, &[usize])> {
    mesh.vertex_sets().iter().map(|set| (set.name.as_str(), set.vertices.as_slice())).collect()
}

fn dropped(file: &MeshFile) -> Vec<String> {
    file.dropped.iter().map(|dropped| format!("{} {}", dropped.count, dropped.what)).collect()
}

#[test]
fn a_deck_gives_cells_regions_of_sections_sets_and_materials() {
    let file = read("deck.inp", DECK).unwrap();
    let mesh = two(&file);
    assert_eq!((mesh.vertex_count(), mesh.cell_count(), mesh.volume()), (8, 6, 6.0));
    assert_eq!(mesh.regions(), ["bone", "soft part"]);
    assert_eq!(mesh.cell_regions(), [0, 0, 0, 0, 1, 1]);
    let all = [0, 1, 2, 3, 4, 5, 6, 7];
    assert_eq!(sets(mesh), [("Nall", &all[..]), ("fixed", &[0, 3]), ("Eall", &all[..6]), ("both", &all[..])]);
    let arrays: Vec<(&str, &[f64])> =
        file.arrays.iter().map(|array| (array.name.as_str(), array.values.as_slice())).collect();
    let expected = [
        ("E", &[1e6, 1e6, 1e6, 1e6, 1e3, 1e3][..]),
        ("nu", &[0.3, 0.3, 0.3, 0.3, 0.45, 0.45]),
        ("rho", &[1000.0, 1000.0, 1000.0, 1000.0, 900.0, 900.0]),
    ];
    assert_eq!(arrays, expected);
    let expected =
        ["2 quadrangles cut into triangles", "1 *CLOAD keywords", "1 elements of the type SPRINGA"];
    let mut found = dropped(&file);
    found.sort_by_key(|what| what.contains('*') || what.contains("SPRINGA"));
    assert_eq!(found, expected);
}

#[test]
fn a_malformed_deck_is_refused_with_its_line() {
    let cases = [
        (
            "1, 0., 0., 0.",
            "1, 0., x, 0.",
            "line 5: a node (number, x, y, z) should be here, but there is \"1, 0., x, 0.\"",
        ),
        (
            "20, 2,5,6,3",
            "20, 2,5,6",
            "line 16: an element of the type CPS4R has 4 nodes, but only 3 stand here",
        ),
        ("32, 5,8,6", "31, 5,8,6", "line 50: element 31 is given twice; number the elements differently"),
        ("32, 5,8,6", "32, 5,80,6", "line 50: element 32 names node 80, which the file does not give"),
        ("10, 20, 10", "10", "line 23: GENERATE needs lines of first, last and step; correct the set"),
        (
            "bone, soft part",
            "bone, sof",
            "line 28: a number or the name of a set before this one should be here, but there is \"sof\"",
        ),
    ];
    for (good, bad, expected) in cases {
        assert_eq!(
            read("deck.inp", &DECK.replacen(good, bad, 1)).unwrap_err(),
            format!("deck.inp, {expected}")
        );
    }
    let range = DECK.replacen("10, 20, 10", "0, 999999999999999999, 1", 1);
    // A set of every element is the last that cells are looked for in.
    let file = read("deck.inp", &range).unwrap();
    assert_eq!(two(&file).regions(), ["soft part", "bone"]);
    assert_eq!(two(&file).cell_regions(), [1, 1, 1, 1, 0, 0]);
}

#[test]
fn a_deck_in_several_files_is_the_same_deck_and_faults_are_in_their_own() {
    let whole = read("deck.inp", DECK).unwrap();
    let lines: Vec<&str> = DECK.split_inclusive('\n').collect();
    let join = |lines: &[&str]| lines.concat();
    // The second file is in the first, a piece of data without its keyword; the last line has no end.
    let main = [&join(&lines[..3]), "*INCLUDE, INPUT=parts/a.dat\n", &join(&lines[12..])].concat();
    let first = [&join(&lines[3..5]), " *Include, input=\"b.dat\"\n", &join(&lines[7..12])].concat();
    let second = join(&lines[5..7]);
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("parts")).unwrap();
    let read_files = |main: &str, first: &str, second: &str| {
        let files = [("deck.inp", main), ("parts/a.dat", first), ("parts/b.dat", second)];
        read_in(directory.path(), &files)
    };
    let file = read_files(&main, &first, second.trim_end()).unwrap();
    assert_eq!(two(&file), two(&whole));
    assert_eq!((file.arrays, file.dropped), (whole.arrays, whole.dropped));
    let message = read_files(&main, &first, &second.replacen('2', "x", 1)).unwrap_err();
    assert!(message.starts_with("parts/b.dat, line 1: "), "{message}");
    let broken = main.replace("10, 20, 10", "10");
    let message = read_files(&broken, &first, &second).unwrap_err();
    assert!(message.starts_with("deck.inp, line 15: GENERATE"), "{message}");
    let message = read_files(&main, &first, "*INCLUDE, INPUT=b.dat\n").unwrap_err();
    assert!(message.starts_with("parts/b.dat, line 1: files include each other too often"), "{message}");
    let message = read_files(&main, &first.replace("b.dat", "c.dat"), &second).unwrap_err();
    assert!(message.starts_with("cannot read parts/c.dat"), "{message}");
}

const MEDIT: &str = "# comment\nMeshVersionFormatted 2\nDimension\n2\nVertices 4\n0 0 0\n1 0 5\n1 1 5\n0 1.5D0 0\n\
    Edges 1\n1 2 7\nCorners 2\n1\n2\nTriangles\n2\n1 2 3 -3\n1 3 4 8\nEnd\n";

#[test]
fn medit_references_are_regions_and_vertex_sets() {
    let file = read("a.mesh", MEDIT).unwrap();
    let mesh = two(&file);
    assert_eq!(mesh.regions(), ["-3", "8"]);
    assert_eq!(mesh.cell_regions(), [0, 1]);
    assert_eq!(sets(mesh), [("vertices 5", &[1, 2][..]), ("7", &[0, 1])]);
    assert_eq!(mesh.positions()[3], [0.0, 1.5]);
    assert_eq!(dropped(&file), ["1 Corners section"]);
}

#[test]
fn a_malformed_medit_file_is_refused_with_its_line() {
    let cases = [
        (
            "1 2 3 -3",
            "1 2 5 -3",
            "line 17: the vertex of an element is 5, but there are 4 of them, from 1 to 4",
        ),
        (
            "Vertices 4",
            "Vertices 3",
            "line 9: a keyword such as Vertices should be here, but there is \"0\"; correct the count of Vertices",
        ),
        ("Dimension\n2", "Dimension\n4", "line 4: the dimension is 4, but it is 2 or 3"),
        (
            "Triangles\n2",
            "Triangles\n2000000",
            "line 16: Triangles announces 2000000 elements, but only 22 bytes follow; the file is truncated or the count is wrong",
        ),
    ];
    for (good, bad, expected) in cases {
        assert_eq!(read("a.mesh", &MEDIT.replacen(good, bad, 1)).unwrap_err(), format!("a.mesh, {expected}"));
    }
}

#[test]
fn tetgen_files_are_found_from_either_and_faults_name_the_right_one() {
    let points = "# points\n4 2 1 1\n1 0 0 0.5 0\n2 1 0 0.5 1 # corner\n3 1 1 0.5 1\n4 0 1 0.5 0\n";
    let cells = "2 3 1\n1 1 2 3 30\n2 1 3 4 31\n";
    let directory = tempfile::tempdir().unwrap();
    for files in [[("a.node", points), ("a.ele", cells)], [("a.ele", cells), ("a.node", points)]] {
        let file = read_in(directory.path(), &files).unwrap();
        assert_eq!(two(&file).regions(), ["30", "31"]);
        assert_eq!(sets(two(&file)), [("1", &[1, 2][..])]);
        assert_eq!(file.arrays[0].name, "attribute 1");
    }
    let error =
        read_in(directory.path(), &[("a.node", points), ("a.ele", "2 3 1\n1 1 2 3 30\n2 1 3 9 31\n")]);
    assert_eq!(error.unwrap_err(), "a.ele, line 3: cell 2 names point 9, which the .node file does not give");
    // An attribute that is not whole is an array.
    let file = read_in(directory.path(), &[("a.node", points), ("a.ele", "2 3 1\n1 1 2 3 0.5\n2 1 3 4 1\n")])
        .unwrap();
    assert_eq!((two(&file).regions().len(), file.arrays[1].name.as_str()), (1, "tetgen:ref"));
    let error = read("b.node", points).unwrap_err();
    assert!(error.starts_with("cannot read b.ele: "), "{error}");
}

/// Files as programs write them are parsed by all threads, others word by word: that must not show.
#[test]
fn the_layout_of_the_text_changes_neither_the_mesh_nor_the_place_of_a_fault() {
    let options = BoxOptions { resolution: Resolution::Counts([12, 10, 10]), ..BoxOptions::default() };
    let mesh = box_mesh(&options).unwrap();
    let directory = tempfile::tempdir().unwrap();
    for (name, msh_version) in
        [("a.msh", MshVersion::Ascii22), ("b.msh", MshVersion::Ascii41), ("c.mesh", MshVersion::default())]
    {
        let path = directory.path().join(name);
        write_mesh(&path, &mesh, &[], &WriteOptions { msh_version }).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read_mesh(&path).map(|file| file.mesh).map_err(|error| error.to_string())
        };
        let AnyMesh::Three(expected) = read(&text).unwrap() else { panic!("a box is solid") };
        assert!(expected.cells().eq(mesh.cells()) && expected.positions() == mesh.positions(), "{name}");
        let lines: Vec<&str> = text.lines().collect();
        let middle = lines.len() * 2 / 3;
        let two_on_a_line = [&lines[..middle].join("\n"), " ", &lines[middle..].join("\n"), "\n"].concat();
        let signed = [&lines[..middle].join("\n"), "\n+", &lines[middle..].join("\n"), "\n"].concat();
        for variant in [text.replace('\n', "\r\n"), text.replace('\n', " \n\t"), two_on_a_line, signed] {
            let AnyMesh::Three(found) = read(&variant).unwrap() else { panic!("a box is solid") };
            assert!(found == expected, "{name}");
        }
        let broken = [&lines[..middle].join("\n"), "\nx", &lines[middle..].join("\n"), "\n"].concat();
        let message = read(&broken).unwrap_err();
        assert!(message.contains(&format!("line {}: ", middle + 1)), "{message}");
    }
}
