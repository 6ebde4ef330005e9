//! What a Gmsh file says, section by section, before it becomes a mesh.

use std::ops::Range;

use super::cursor::{Cursor, Encoding, Fault, parse_integer, shown};
use super::data_section::{DataSection, read_data};
use super::element_type::ElementType;
use super::tag_index::TagIndex;
use super::{version_2, version_4};
use crate::ArrayLocation;

/// The sections of one file.
#[derive(Debug, Default)]
pub(super) struct GmshContents {
    /// For example `Gmsh 4.1 binary`.
    pub format: String,
    pub physical_names: Vec<PhysicalName>,
    pub nodes: Option<Nodes>,
    pub elements: Option<Elements>,
    pub data: Vec<DataSection>,
    /// Names of the sections that were not read.
    pub skipped: Vec<String>,
}

/// One line of `$PhysicalNames`.
#[derive(Debug)]
pub(super) struct PhysicalName {
    pub dimension: usize,
    pub group: i64,
    pub name: String,
}

/// The nodes in the order of the file.
#[derive(Debug)]
pub(super) struct Nodes {
    pub positions: Vec<[f64; 3]>,
    pub tags: TagIndex,
}

impl Nodes {
    /// Indexes the tags, which stand in the same order as the positions.
    pub fn new(cursor: &Cursor, positions: Vec<[f64; 3]>, tags: &[u64]) -> Result<Self, Fault> {
        match TagIndex::new(tags) {
            Ok(tags) => Ok(Self { positions, tags }),
            Err(tag) => cursor
                .fault(cursor.at(), format!("$Nodes gives node {tag} twice; number the nodes differently")),
        }
    }
}

/// The elements in the order of the file, in runs of equal type and group.
#[derive(Debug, Default)]
pub(super) struct Elements {
    pub runs: Vec<Run>,
    /// The tag of each element.
    pub tags: Vec<u64>,
    /// The node indices of all elements, one element after the other.
    pub nodes: Vec<usize>,
    /// The physical groups that the runs point into.
    pub groups: Vec<i64>,
}

/// Consecutive elements of one type in the same physical groups.
#[derive(Debug)]
pub(super) struct Run {
    pub element_type: ElementType,
    pub count: usize,
    /// Range in [`Elements::groups`]; empty for elements in no group.
    pub groups: Range<usize>,
}

impl Elements {
    /// Reads one element's nodes and resolves their tags.
    pub fn read_nodes(&mut self, cursor: &mut Cursor, nodes: &Nodes, count: usize) -> Result<(), Fault> {
        for _ in 0..count {
            let start = cursor.at();
            let tag = cursor.size("a node of an element")?;
            match nodes.tags.get(tag) {
                Some(index) => self.nodes.push(index),
                None => {
                    let element = self.tags.last().copied().unwrap_or(0);
                    return cursor.fault(
                        start,
                        format!("element {element} names node {tag}, which $Nodes does not give"),
                    );
                }
            }
        }
        Ok(())
    }
}

/// Reads an element type, refusing those whose number of nodes is unknown.
pub(super) fn read_element_type(cursor: &mut Cursor) -> Result<ElementType, Fault> {
    let start = cursor.at();
    let number = cursor.integer("an element type")?;
    match ElementType::from_number(number) {
        Some(element_type) => Ok(element_type),
        None => cursor.fault(
            start,
            format!(
                "there is no element type {number} that can be read; convert the mesh to linear simplices"
            ),
        ),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    Two,
    Four,
}

/// Reads all sections.
pub(super) fn read_contents(bytes: &[u8]) -> Result<(GmshContents, Encoding), (Fault, Encoding)> {
    let mut cursor = Cursor::new(bytes);
    match read_sections(&mut cursor) {
        Ok(contents) => Ok((contents, cursor.encoding)),
        Err(fault) => Err((fault, cursor.encoding)),
    }
}

fn read_sections(cursor: &mut Cursor) -> Result<GmshContents, Fault> {
    let mut contents = GmshContents::default();
    loop {
        match cursor.open_section()? {
            Some("MeshFormat") => break,
            Some("Comments") => cursor.skip_section()?,
            _ => return cursor.fault(0, "a Gmsh file begins with $MeshFormat, but this one does not"),
        }
    }
    let version = read_format(cursor, &mut contents)?;
    cursor.close_section()?;
    let mut entities = version_4::EntityGroups::default();
    loop {
        let start = cursor.at();
        let Some(section) = cursor.open_section()? else { return Ok(contents) };
        match section {
            "PhysicalNames" => contents.physical_names = read_physical_names(cursor)?,
            "Entities" if version == Version::Four => entities = version_4::read_entities(cursor)?,
            "PartitionedEntities" => {
                return cursor.fault(start, "the mesh is partitioned; save it without partitions");
            }
            "Nodes" | "Elements" if is_second(section, &contents) => {
                return cursor.fault(start, format!("there is a second ${section}; leave one"));
            }
            "Nodes" => {
                contents.nodes = Some(match version {
                    Version::Two => version_2::read_nodes(cursor)?,
                    Version::Four => version_4::read_nodes(cursor)?,
                });
            }
            "Elements" => {
                let Some(nodes) = &contents.nodes else {
                    return cursor.fault(start, "$Elements comes before $Nodes; put $Nodes first");
                };
                contents.elements = Some(match version {
                    Version::Two => version_2::read_elements(cursor, nodes)?,
                    Version::Four => version_4::read_elements(cursor, nodes, &entities)?,
                });
            }
            "NodeData" => contents.data.push(read_data(cursor, ArrayLocation::Vertex)?),
            "ElementData" => contents.data.push(read_data(cursor, ArrayLocation::Cell)?),
            other => {
                contents.skipped.push(other.to_owned());
                cursor.skip_section()?;
                continue;
            }
        }
        cursor.close_section()?;
    }
}

fn is_second(section: &str, contents: &GmshContents) -> bool {
    if section == "Nodes" { contents.nodes.is_some() } else { contents.elements.is_some() }
}

/// `version file-type data-size`, and in binary files the number 1 that shows the byte order.
fn read_format(cursor: &mut Cursor, contents: &mut GmshContents) -> Result<Version, Fault> {
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
        "4.1" => Version::Four,
        other => {
            let problem = format!("Gmsh version {other:?} is not read; save the mesh as version 4.1 or 2.2");
            return cursor.fault(start, problem);
        }
    };
    let number = if version == Version::Two { "2.2" } else { "4.1" };
    match kind {
        "0" => contents.format = format!("Gmsh {number} ASCII"),
        "1" => contents.format = format!("Gmsh {number} binary"),
        other => {
            return cursor
                .fault(start, format!("the file type is {other:?}, but it is 0 (ASCII) or 1 (binary)"));
        }
    }
    cursor.size_bytes = match (version, data_size) {
        (Version::Two, "8") => 4,
        (Version::Four, "8") => 8,
        (Version::Four, "4") => 4,
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

fn read_physical_names(cursor: &mut Cursor) -> Result<Vec<PhysicalName>, Fault> {
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

fn parse_physical_name(line: &[u8]) -> Option<PhysicalName> {
    let mut words = line.splitn(2, u8::is_ascii_whitespace);
    let dimension = usize::try_from(parse_integer(words.next()?)?).ok()?;
    let rest = words.next()?.trim_ascii_start();
    let mut words = rest.splitn(2, u8::is_ascii_whitespace);
    let group = parse_integer(words.next()?)?;
    let name = std::str::from_utf8(words.next()?.trim_ascii()).ok()?;
    let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    let name = if name.is_empty() { group.to_string() } else { name.to_owned() };
    Some(PhysicalName { dimension, group, name })
}
