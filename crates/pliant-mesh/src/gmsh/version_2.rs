//! `$Nodes` and `$Elements` of Gmsh files of version 2.2.

use super::contents::{Elements, Nodes, Run, read_element_type};
use super::cursor::{Cursor, Encoding, Fault};
use super::element_type::ElementType;

/// `count`, then `tag x y z` for each node.
pub(super) fn read_nodes(cursor: &mut Cursor) -> Result<Nodes, Fault> {
    let count = cursor.text_count("the number of nodes")?;
    let count = cursor.checked_count(count, "nodes", 4, 28)?;
    let mut tags = Vec::with_capacity(count);
    let mut positions = Vec::with_capacity(count);
    for _ in 0..count {
        tags.push(cursor.size("a node number")?);
        let mut position = [0.0; 3];
        for coordinate in &mut position {
            *coordinate = cursor.real("a coordinate")?;
        }
        positions.push(position);
    }
    Nodes::new(cursor, positions, &tags)
}

/// `count`, then for each element `tag type tag-count tags nodes`; the first of its tags is the physical group.
///
/// Binary files give `type count tag-count` once for a block of elements.
pub(super) fn read_elements(cursor: &mut Cursor, nodes: &Nodes) -> Result<Elements, Fault> {
    let count = cursor.text_count("the number of elements")?;
    let count = cursor.checked_count(count, "elements", 4, 8)?;
    let mut elements = Elements { tags: Vec::with_capacity(count), ..Elements::default() };
    while elements.tags.len() < count {
        if cursor.encoding == Encoding::Ascii {
            elements.tags.push(cursor.size("an element number")?);
            let element_type = read_element_type(cursor)?;
            let tag_count = cursor.size("the number of tags")?;
            read_one(cursor, nodes, &mut elements, element_type, tag_count)?;
        } else {
            read_block(cursor, nodes, &mut elements, count)?;
        }
    }
    Ok(elements)
}

fn read_block(
    cursor: &mut Cursor,
    nodes: &Nodes,
    elements: &mut Elements,
    total: usize,
) -> Result<(), Fault> {
    let start = cursor.at();
    let element_type = read_element_type(cursor)?;
    let count = cursor.size("the number of elements in a block")?;
    let tag_count = cursor.size("the number of tags")?;
    let missing = total - elements.tags.len();
    if count > missing as u64 {
        let problem = format!("a block has {count} elements, but $Elements announces only {missing} more");
        return cursor.fault(start, problem);
    }
    for _ in 0..count {
        elements.tags.push(cursor.size("an element number")?);
        read_one(cursor, nodes, elements, element_type, tag_count)?;
    }
    Ok(())
}

/// The tags and nodes of one element whose number has been read.
fn read_one(
    cursor: &mut Cursor,
    nodes: &Nodes,
    elements: &mut Elements,
    element_type: ElementType,
    tag_count: u64,
) -> Result<(), Fault> {
    let mut group = 0;
    for index in 0..tag_count {
        let tag = cursor.integer("a tag of an element")?;
        if index == 0 {
            group = tag;
        }
    }
    elements.read_nodes(cursor, nodes, element_type.nodes)?;
    let current = match elements.runs.last() {
        Some(run) if run.element_type == element_type => {
            elements.groups[run.groups.clone()].first().copied().unwrap_or(0) == group
        }
        _ => false,
    };
    match elements.runs.last_mut() {
        Some(run) if current => run.count += 1,
        _ => {
            let start = elements.groups.len();
            if group != 0 {
                elements.groups.push(group);
            }
            let groups = start..elements.groups.len();
            elements.runs.push(Run { element_type, count: 1, groups });
        }
    }
    Ok(())
}
