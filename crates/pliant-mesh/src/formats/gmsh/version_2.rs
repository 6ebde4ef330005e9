//! `$Nodes` and `$Elements` of Gmsh files of version 2.2.

use super::contents::{ElementTags, Nodes, read_element_nodes, read_element_type};
use super::element_numbers::element_type;
use crate::fault::Fault;
use crate::formats::cell_type::CellType;
use crate::formats::cursor::Cursor;
use crate::formats::file_mesh::FileMesh;
use crate::formats::parallel_lines::{Words, concatenated, read_pieces, read_records};
use crate::scalar_type::Encoding;

/// `count`, then `tag x y z` for each node.
pub(super) fn read_nodes(cursor: &mut Cursor, file: &mut FileMesh) -> Result<Nodes, Fault> {
    let count = cursor.text_count("the number of nodes")?;
    let count = cursor.checked_count(count, "nodes", 4, 28)?;
    let mut tags = Vec::new();
    let parse = |words: &mut Words, tag: &mut u64, position: &mut [[f64; 3]]| {
        *tag = words.whole()?;
        position[0] = [words.real()?, words.real()?, words.real()?];
        Some(())
    };
    if cursor.encoding == Encoding::Ascii
        && read_records(cursor, count, (&mut tags, 0), (&mut file.positions, [0.0; 3], 1), parse).is_some()
    {
        return Nodes::new(cursor, &tags);
    }
    tags.reserve(count);
    file.positions.reserve(count);
    for _ in 0..count {
        tags.push(cursor.tag("a node number")?);
        let mut position = [0.0; 3];
        for coordinate in &mut position {
            *coordinate = cursor.real("a coordinate")?;
        }
        file.positions.push(position);
    }
    Nodes::new(cursor, &tags)
}

/// `count`, then for each element `tag type tag-count tags nodes`; the first of its tags is the physical group.
///
/// Binary files give `type count tag-count` once for a block of elements.
pub(super) fn read_elements(
    cursor: &mut Cursor,
    nodes: &Nodes,
    file: &mut FileMesh,
) -> Result<ElementTags, Fault> {
    let count = cursor.text_count("the number of elements")?;
    let count = cursor.checked_count(count, "elements", 4, 8)?;
    let mut tags = Vec::new();
    if cursor.encoding == Encoding::Ascii && read_lines(cursor, count, nodes, file, &mut tags).is_some() {
        return Ok(tags);
    }
    tags.reserve(count);
    while tags.len() < count {
        if cursor.encoding == Encoding::Ascii {
            let tag = cursor.tag("an element number")?;
            let element_type = read_element_type(cursor)?;
            let tag_count = cursor.size("the number of tags")?;
            read_one(cursor, nodes, file, tag, (element_type, tag_count))?;
            tags.push(tag);
        } else {
            read_block(cursor, nodes, file, &mut tags, count)?;
        }
    }
    Ok(tags)
}

/// What a piece of the lines of elements holds.
#[derive(Default)]
struct Elements {
    tags: Vec<u64>,
    nodes: Vec<usize>,
    /// Type and group of the elements, and how many are alike; 0 is no group.
    runs: Vec<(CellType, i64, usize)>,
}

/// Reads the elements by all threads if each is on a line of its own.
fn read_lines(
    cursor: &mut Cursor,
    count: usize,
    nodes: &Nodes,
    file: &mut FileMesh,
    tags: &mut ElementTags,
) -> Option<()> {
    let pieces = read_pieces(cursor, count, |words, piece: &mut Elements| {
        piece.tags.push(words.whole()?);
        let cell_type = element_type(words.whole()? as i64)?;
        let mut group = 0;
        for index in 0..words.whole()? {
            let tag = words.whole()?;
            if index == 0 {
                group = tag as i64;
            }
        }
        for _ in 0..cell_type.nodes {
            piece.nodes.push(nodes.get(words.whole()?)?);
        }
        match piece.runs.last_mut() {
            Some((last, of, alike)) if (*last, *of) == (cell_type, group) => *alike += 1,
            _ => piece.runs.push((cell_type, group, 1)),
        }
        Some(())
    })?;
    concatenated(tags, 0, &pieces.iter().map(|piece| &piece.tags[..]).collect::<Vec<_>>());
    concatenated(&mut file.nodes, 0, &pieces.iter().map(|piece| &piece.nodes[..]).collect::<Vec<_>>());
    for &(cell_type, group, alike) in pieces.iter().flat_map(|piece| &piece.runs) {
        file.push_elements(cell_type, if group == 0 { &[] } else { std::slice::from_ref(&group) }, alike);
    }
    Some(())
}

fn read_block(
    cursor: &mut Cursor,
    nodes: &Nodes,
    file: &mut FileMesh,
    tags: &mut ElementTags,
    total: usize,
) -> Result<(), Fault> {
    let start = cursor.at();
    let element_type = read_element_type(cursor)?;
    let count = cursor.size("the number of elements in a block")?;
    let tag_count = cursor.size("the number of tags")?;
    let missing = total - tags.len();
    if count == 0 || count > missing as u64 {
        let problem = format!("a block has {count} elements, but $Elements announces {missing} more");
        return cursor.fault(start, problem);
    }
    for _ in 0..count {
        let tag = cursor.tag("an element number")?;
        read_one(cursor, nodes, file, tag, (element_type, tag_count))?;
        tags.push(tag);
    }
    Ok(())
}

/// The tags and nodes of one element whose number has been read; of its tags the first is the physical group.
fn read_one(
    cursor: &mut Cursor,
    nodes: &Nodes,
    file: &mut FileMesh,
    element: u64,
    (element_type, tag_count): (CellType, u64),
) -> Result<(), Fault> {
    let mut group = 0;
    for index in 0..tag_count {
        let tag = cursor.integer("a tag of an element")?;
        if index == 0 {
            group = tag;
        }
    }
    read_element_nodes(cursor, nodes, element, element_type.nodes, &mut file.nodes)?;
    file.push_element(element_type, if group == 0 { &[] } else { std::slice::from_ref(&group) });
    Ok(())
}
