//! What a Gmsh file says, section by section, before it becomes a mesh.

use super::data_section::{DataSection, read_data};
use super::element_numbers::element_type;
use super::{version_1, version_2, version_4};
use crate::fault::{Fault, shown};
use crate::formats::cell_type::CellType;
use crate::formats::cursor::{Cursor, parse_integer};
use crate::formats::file_mesh::{FileArray, FileMesh, GroupName};
use crate::formats::tag_index::TagIndex;
use crate::scalar_type::Encoding;
use crate::{ArrayLocation, MeshArray};

/// The tags of the nodes, whose positions are in the [`FileMesh`].
#[derive(Debug)]
pub(super) struct Nodes {
    tags: TagIndex,
}

impl Nodes {
    /// Indexes the tags, which stand in the same order as the positions.
    pub fn new(cursor: &Cursor, tags: &[u64]) -> Result<Self, Fault> {
        match TagIndex::new(tags) {
            Ok(tags) => Ok(Self { tags }),
            Err(tag) => cursor
                .fault(cursor.at(), format!("$Nodes gives node {tag} twice; number the nodes differently")),
        }
    }

    /// The index of the node with this tag.
    pub fn get(&self, tag: u64) -> Option<usize> {
        self.tags.get(tag)
    }
}

/// The tags of the elements in the order of the file, beside their types, groups and nodes in the [`FileMesh`].
pub(super) type ElementTags = Vec<u64>;

/// Reads the nodes of element `element` and resolves their tags.
pub(super) fn read_element_nodes(
    cursor: &mut Cursor,
    nodes: &Nodes,
    element: u64,
    count: usize,
    resolved: &mut Vec<usize>,
) -> Result<(), Fault> {
    for _ in 0..count {
        let start = cursor.at();
        let tag = cursor.tag("a node of an element")?;
        match nodes.get(tag) {
            Some(index) => resolved.push(index),
            None => {
                return cursor
                    .fault(start, format!("element {element} names node {tag}, which $Nodes does not give"));
            }
        }
    }
    Ok(())
}

/// Reads an element type, refusing those whose number of nodes is unknown.
pub(super) fn read_element_type(cursor: &mut Cursor) -> Result<CellType, Fault> {
    let start = cursor.at();
    let number = cursor.integer("an element type")?;
    match element_type(number) {
        Some(element_type) => Ok(element_type),
        None => cursor.fault(
            start,
            format!(
                "there is no element type {number} that can be read; convert the mesh to linear simplices"
            ),
        ),
    }
}

/// The layouts that are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
    Four(version_4::Layout),
}

/// The sections of one file.
#[derive(Debug, Default)]
struct Sections {
    nodes: Option<Nodes>,
    elements: Option<ElementTags>,
    data: Vec<DataSection>,
}

/// Reads all sections.
pub(super) fn read_contents(bytes: &[u8]) -> Result<FileMesh, (Fault, Encoding)> {
    let mut cursor = Cursor::new(bytes);
    read_sections(&mut cursor).map_err(|fault| (fault, cursor.encoding))
}

fn read_sections(cursor: &mut Cursor) -> Result<FileMesh, Fault> {
    let mut file = FileMesh::default();
    let mut sections = Sections::default();
    let version = read_version(cursor, &mut file)?;
    let mut entities = version_4::EntityGroups::default();
    loop {
        let start = cursor.at();
        let Some(section) = cursor.open_section()? else { break };
        let section = if version == Version::One { version_1::section_name(section) } else { section };
        match (section, version) {
            ("PhysicalNames", _) => file.group_names = read_physical_names(cursor)?,
            ("Entities", Version::Four(layout)) => version_4::read_entities(cursor, layout, &mut entities)?,
            ("PartitionedEntities", Version::Four(layout)) => {
                version_4::read_partitioned_entities(cursor, layout, &mut entities)?;
            }
            ("Nodes" | "Elements", _) if is_second(section, &sections) => {
                return cursor.fault(start, format!("there is a second ${section}; leave one"));
            }
            ("Nodes", _) => {
                sections.nodes = Some(match version {
                    Version::One | Version::Two => version_2::read_nodes(cursor, &mut file)?,
                    Version::Four(layout) => version_4::read_nodes(cursor, layout, &mut file)?,
                });
            }
            ("Elements", _) => {
                let Some(nodes) = &sections.nodes else {
                    return cursor.fault(start, "$Elements comes before $Nodes; put $Nodes first");
                };
                sections.elements = Some(match version {
                    Version::One => version_1::read_elements(cursor, nodes, &mut file)?,
                    Version::Two => version_2::read_elements(cursor, nodes, &mut file)?,
                    Version::Four(layout) => {
                        version_4::read_elements(cursor, layout, nodes, &entities, &mut file)?
                    }
                });
            }
            ("NodeData", _) => sections.data.push(read_data(cursor, ArrayLocation::Vertex)?),
            ("ElementData", _) => sections.data.push(read_data(cursor, ArrayLocation::Cell)?),
            (other, _) => {
                file.drop_some(format!("${other} section"), 1);
                cursor.skip_section()?;
                continue;
            }
        }
        cursor.close_section()?;
    }
    place_data(sections, &mut file);
    Ok(file)
}

/// The data sections as arrays; tags that the mesh does not have are left out.
fn place_data(sections: Sections, file: &mut FileMesh) {
    let has = |on| sections.data.iter().any(|section| section.on == on);
    let elements =
        sections.elements.filter(|_| has(ArrayLocation::Cell)).map(|tags| TagIndex::of_first(&tags));
    for section in sections.data {
        let index = match section.on {
            ArrayLocation::Cell => elements.as_ref(),
            ArrayLocation::Vertex => sections.nodes.as_ref().map(|nodes| &nodes.tags),
        };
        let place = |&tag: &u64| index.and_then(|index| index.get(tag)).unwrap_or(usize::MAX);
        let places = Some(section.tags.iter().map(place).collect());
        let DataSection { name, on, components, values, .. } = section;
        file.arrays.push(FileArray { array: MeshArray { name, on, components, values }, places });
    }
}

fn is_second(section: &str, sections: &Sections) -> bool {
    if section == "Nodes" { sections.nodes.is_some() } else { sections.elements.is_some() }
}

/// The version, from `$MeshFormat` or from a first section that only version 1 has; comments may stand before it.
fn read_version(cursor: &mut Cursor, file: &mut FileMesh) -> Result<Version, Fault> {
    loop {
        if version_1::begins(cursor.rest()) {
            file.format = "Gmsh 1 ASCII".to_owned();
            return Ok(Version::One);
        }
        match cursor.open_section()? {
            Some("MeshFormat") => break,
            Some("Comments") => cursor.skip_section()?,
            _ => return cursor.fault(0, "a Gmsh file begins with $MeshFormat, but this one does not"),
        }
    }
    let version = read_format(cursor, file)?;
    cursor.close_section()?;
    Ok(version)
}

/// `version file-type data-size`, and in binary files the number 1 that shows the byte order.
fn read_format(cursor: &mut Cursor, file: &mut FileMesh) -> Result<Version, Fault> {
    let start = cursor.at();
    let line = cursor.text_line("the version")?;
    let words: Vec<&str> = std::str::from_utf8(line).unwrap_or("").split_ascii_whitespace().collect();
    let [number, kind, data_size] = words[..] else {
        let problem =
            format!("version, file type and data size should be here, but there is {}", shown(line));
        return cursor.fault(start, problem);
    };
    let version = match number {
        "2" | "2.0" | "2.1" | "2.2" => Version::Two,
        "4" | "4.0" => Version::Four(version_4::Layout::V40),
        "4.1" => Version::Four(version_4::Layout::V41),
        other => {
            let problem =
                format!("Gmsh version {other:?} is not read; save the mesh as version 4.1, 4.0 or 2.2");
            return cursor.fault(start, problem);
        }
    };
    let number = match version {
        Version::One | Version::Two => "2.2",
        Version::Four(version_4::Layout::V40) => "4.0",
        Version::Four(version_4::Layout::V41) => "4.1",
    };
    match kind {
        "0" => file.format = format!("Gmsh {number} ASCII"),
        "1" => file.format = format!("Gmsh {number} binary"),
        other => {
            return cursor
                .fault(start, format!("the file type is {other:?}, but it is 0 (ASCII) or 1 (binary)"));
        }
    }
    (cursor.size_bytes, cursor.tag_bytes) = match (version, data_size) {
        (Version::Two, "8") | (Version::Four(_), "4") => (4, 4),
        (Version::Four(version_4::Layout::V40), "8") => (8, 4),
        (Version::Four(version_4::Layout::V41), "8") => (8, 8),
        (_, other) => {
            return cursor
                .fault(start, format!("the data size is {other:?}; save the mesh with 8-byte numbers"));
        }
    };
    if kind == "1" {
        cursor.encoding = Encoding::LittleEndian;
        let start = cursor.at();
        match cursor.integer("the number that shows the byte order")? {
            1 => {}
            0x0100_0000 => cursor.encoding = Encoding::BigEndian,
            other => {
                let problem = format!("the number that shows the byte order is {other}, but it should be 1");
                return cursor.fault(start, problem);
            }
        }
    }
    Ok(version)
}

fn read_physical_names(cursor: &mut Cursor) -> Result<Vec<GroupName>, Fault> {
    let count = cursor.text_count("the number of physical names")?;
    let mut names = Vec::new();
    for _ in 0..count {
        cursor.skip_whitespace();
        let start = cursor.at();
        let line = cursor.text_line("a physical name")?;
        match parse_physical_name(line) {
            Some(name) => names.push(name),
            None => {
                let problem = format!(
                    "a physical name such as 2 1 \"bone\" (dimension, number, name) should be here, but there is {}",
                    shown(line)
                );
                return cursor.fault(start, problem);
            }
        }
    }
    Ok(names)
}

fn parse_physical_name(line: &[u8]) -> Option<GroupName> {
    let mut words = line.splitn(2, u8::is_ascii_whitespace);
    let dimension = usize::try_from(parse_integer(words.next()?)?).ok()?;
    let rest = words.next()?.trim_ascii_start();
    let mut words = rest.splitn(2, u8::is_ascii_whitespace);
    let group = parse_integer(words.next()?)?;
    let name = std::str::from_utf8(words.next()?.trim_ascii()).ok()?;
    let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    let name = if name.is_empty() { group.to_string() } else { name.to_owned() };
    Some(GroupName { dimension, group, name })
}
