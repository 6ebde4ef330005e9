//! Gmsh files of version 1, which have no `$MeshFormat`: `$NOD` is the `$Nodes` of version 2.2, `$ELM` has other columns.

use super::contents::{ElementTags, Nodes, read_element_nodes, read_element_type};
use crate::fault::Fault;
use crate::formats::cursor::Cursor;
use crate::formats::file_mesh::FileMesh;

/// Whether the file, or what is left of it, begins with a section of version 1.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii_start();
    [&b"$NOD"[..], b"$ELM"].iter().any(|section| {
        bytes.strip_prefix(*section).and_then(|rest| rest.first()).is_some_and(u8::is_ascii_whitespace)
    })
}

/// What the section is called from version 2 on.
pub(super) fn section_name(section: &str) -> &str {
    match section {
        "NOD" => "Nodes",
        "ELM" => "Elements",
        other => other,
    }
}

/// `count`, then for each element `tag type physical-group elementary-entity node-count nodes`.
pub(super) fn read_elements(
    cursor: &mut Cursor,
    nodes: &Nodes,
    file: &mut FileMesh,
) -> Result<ElementTags, Fault> {
    let count = cursor.text_count("the number of elements")?;
    let count = cursor.checked_count(count, "elements", 6, 24)?;
    let mut tags = Vec::with_capacity(count);
    for _ in 0..count {
        let tag = cursor.tag("an element number")?;
        let element_type = read_element_type(cursor)?;
        let group = cursor.integer("the physical group of an element")?;
        cursor.integer("the elementary entity of an element")?;
        let start = cursor.at();
        let node_count = cursor.size("the number of nodes of an element")?;
        if node_count != element_type.nodes as u64 {
            let problem =
                format!("element {tag} has {node_count} nodes, but its type has {}", element_type.nodes);
            return cursor.fault(start, problem);
        }
        read_element_nodes(cursor, nodes, tag, element_type.nodes, &mut file.nodes)?;
        file.push_element(element_type, if group == 0 { &[] } else { std::slice::from_ref(&group) });
        tags.push(tag);
    }
    Ok(tags)
}
