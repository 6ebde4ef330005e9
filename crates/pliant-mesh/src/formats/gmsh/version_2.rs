//! `$Nodes` and `$Elements` of Gmsh files of version 2.2.

use super::contents::{ElementTags, Nodes, read_element_nodes, read_element_type};
use crate::formats::cell_type::CellType;
use crate::formats::cursor::{Cursor, Encoding, Fault};
use crate::formats::file_mesh::FileMesh;

/// `count`, then `tag x y z` for each node.
pub(super) fn read_nodes(cursor: &mut Cursor, file: &mut FileMesh) -> Result<Nodes, Fault> {
    let count = cursor.text_count("the number of nodes")?;
    let count = cursor.checked_count(count, "nodes", 4, 28)?;
    let mut tags = Vec::with_capacity(count);
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
    let mut tags = Vec::with_capacity(count);
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
