//! `$Entities`, `$Nodes` and `$Elements` of Gmsh files of version 4.1.

use std::collections::BTreeMap;

use super::contents::{Elements, Nodes, Run, read_element_type};
use super::cursor::{Cursor, Fault};

/// The physical groups of each entity, by dimension and tag; only entities in a group are here.
#[derive(Debug, Default)]
pub(super) struct EntityGroups(BTreeMap<(i64, i64), Vec<i64>>);

/// Numbers of points, curves, surfaces and volumes; then each with its bounds, groups and boundary.
pub(super) fn read_entities(cursor: &mut Cursor) -> Result<EntityGroups, Fault> {
    let mut counts = [0; 4];
    for (count, what) in counts.iter_mut().zip(["points", "curves", "surfaces", "volumes"]) {
        *count = cursor.size(&format!("the number of {what}"))?;
    }
    let mut entities = EntityGroups::default();
    for (dimension, count) in (0..).zip(counts) {
        for _ in 0..count {
            let entity = cursor.integer("an entity's number")?;
            for _ in 0..if dimension == 0 { 3 } else { 6 } {
                cursor.real("an entity's bound")?;
            }
            let mut groups = Vec::new();
            for _ in 0..cursor.size("an entity's number of physical groups")? {
                // The sign only says how the group is oriented.
                let group = cursor.integer("a physical group")?.abs();
                if group != 0 && !groups.contains(&group) {
                    groups.push(group);
                }
            }
            if dimension > 0 {
                for _ in 0..cursor.size("an entity's number of bounding entities")? {
                    cursor.integer("a bounding entity")?;
                }
            }
            if !groups.is_empty() {
                entities.0.insert((dimension, entity), groups);
            }
        }
    }
    Ok(entities)
}

/// `blocks nodes least-tag greatest-tag`, then blocks of `dimension entity parametric count`, tags, coordinates.
pub(super) fn read_nodes(cursor: &mut Cursor) -> Result<Nodes, Fault> {
    let (blocks, count) = read_totals(cursor, "nodes")?;
    let count = cursor.checked_count(count, "nodes", 4, 28)?;
    let mut tags = Vec::with_capacity(count);
    let mut positions = Vec::with_capacity(count);
    for _ in 0..blocks {
        let start = cursor.at();
        let dimension = cursor.integer("the dimension of a block")?;
        cursor.integer("the entity of a block")?;
        let parametric = cursor.integer("whether a block is parametric")?;
        let block = block_size(cursor, start, "nodes", count - positions.len())?;
        for _ in 0..block {
            tags.push(cursor.size("a node number")?);
        }
        let parameters = if parametric == 0 { 0 } else { dimension.clamp(0, 3) };
        for _ in 0..block {
            let mut position = [0.0; 3];
            for coordinate in &mut position {
                *coordinate = cursor.real("a coordinate")?;
            }
            for _ in 0..parameters {
                cursor.real("a parametric coordinate")?;
            }
            positions.push(position);
        }
    }
    check_total(cursor, "nodes", positions.len(), count)?;
    Nodes::new(cursor, positions, &tags)
}

/// `blocks elements least-tag greatest-tag`, then blocks of `dimension entity type count` and `tag nodes` each.
pub(super) fn read_elements(
    cursor: &mut Cursor,
    nodes: &Nodes,
    entities: &EntityGroups,
) -> Result<Elements, Fault> {
    let (blocks, count) = read_totals(cursor, "elements")?;
    let count = cursor.checked_count(count, "elements", 2, 8)?;
    let mut elements = Elements { tags: Vec::with_capacity(count), ..Elements::default() };
    for _ in 0..blocks {
        let start = cursor.at();
        let dimension = cursor.integer("the dimension of a block")?;
        let entity = cursor.integer("the entity of a block")?;
        let element_type = read_element_type(cursor)?;
        let block = block_size(cursor, start, "elements", count - elements.tags.len())?;
        for _ in 0..block {
            elements.tags.push(cursor.size("an element number")?);
            elements.read_nodes(cursor, nodes, element_type.nodes)?;
        }
        let first = elements.groups.len();
        if let Some(groups) = entities.0.get(&(dimension, entity)) {
            elements.groups.extend_from_slice(groups);
        }
        elements.runs.push(Run { element_type, count: block, groups: first..elements.groups.len() });
    }
    check_total(cursor, "elements", elements.tags.len(), count)?;
    Ok(elements)
}

/// Numbers of blocks and of entries; the least and greatest tag that follow are not needed.
fn read_totals(cursor: &mut Cursor, what: &str) -> Result<(u64, u64), Fault> {
    let blocks = cursor.size("the number of blocks")?;
    let count = cursor.size(&format!("the number of {what}"))?;
    cursor.size("the least tag")?;
    cursor.size("the greatest tag")?;
    Ok((blocks, count))
}

fn block_size(cursor: &mut Cursor, start: usize, what: &str, missing: usize) -> Result<usize, Fault> {
    let count = cursor.size("the size of a block")?;
    match usize::try_from(count) {
        Ok(count) if count <= missing => Ok(count),
        _ => cursor.fault(
            start,
            format!("a block has {count} {what}, but only {missing} more are announced; correct the counts"),
        ),
    }
}

fn check_total(cursor: &Cursor, what: &str, found: usize, announced: usize) -> Result<(), Fault> {
    if found == announced {
        return Ok(());
    }
    cursor.fault(
        cursor.at(),
        format!("{announced} {what} are announced, but the blocks hold {found}; correct the counts"),
    )
}
