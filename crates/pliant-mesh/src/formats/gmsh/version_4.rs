//! `$Entities`, `$Nodes` and `$Elements` of Gmsh files of versions 4.0 and 4.1.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::contents::{ElementTags, Nodes, read_element_nodes, read_element_type};
use crate::fault::Fault;
use crate::formats::cursor::Cursor;
use crate::formats::file_mesh::{FileMesh, Run};
use crate::formats::parallel_lines::{Words, read_records};
use crate::scalar_type::Encoding;

/// Which of the two layouts of version 4 a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// The entity of a block comes before its dimension, tags are integers and stand beside the coordinates.
    V40,
    /// The dimension comes first, tags are sizes and stand before the coordinates.
    V41,
}

/// The physical groups of each entity, by dimension and tag; only entities in a group are here.
#[derive(Debug, Default)]
pub(super) struct EntityGroups(BTreeMap<(i64, i64), Vec<i64>>);

/// Numbers of points, curves, surfaces and volumes; then each with its bounds, groups and boundary.
pub(super) fn read_entities(
    cursor: &mut Cursor,
    layout: Layout,
    entities: &mut EntityGroups,
) -> Result<(), Fault> {
    for (dimension, count) in (0..).zip(read_entity_counts(cursor)?) {
        for _ in 0..count {
            let entity = cursor.integer("an entity's number")?;
            let groups = read_entity(cursor, layout, dimension)?;
            if !groups.is_empty() {
                entities.0.insert((dimension, entity), groups);
            }
        }
    }
    Ok(())
}

/// Numbers of partitions and ghosts, the ghosts; then entities as in `$Entities`, each with its parent and partitions.
///
/// An entity in no group of its own is in the groups of its parent, if that has the same dimension.
pub(super) fn read_partitioned_entities(
    cursor: &mut Cursor,
    layout: Layout,
    entities: &mut EntityGroups,
) -> Result<(), Fault> {
    cursor.size("the number of partitions")?;
    for _ in 0..cursor.size("the number of ghost entities")? {
        cursor.integer("a ghost entity")?;
        cursor.integer("the partition of a ghost entity")?;
    }
    for (dimension, count) in (0..).zip(read_entity_counts(cursor)?) {
        for _ in 0..count {
            let entity = cursor.integer("an entity's number")?;
            let parent = (cursor.integer("a parent's dimension")?, cursor.integer("a parent's number")?);
            for _ in 0..cursor.size("an entity's number of partitions")? {
                cursor.integer("a partition")?;
            }
            let mut groups = read_entity(cursor, layout, dimension)?;
            if parent.0 == dimension {
                let inherited = entities.0.get(&parent).map_or(&[][..], Vec::as_slice);
                let own = groups.into_iter().filter(|group| !inherited.contains(group));
                groups = inherited.iter().copied().chain(own).collect();
            }
            if !groups.is_empty() {
                entities.0.insert((dimension, entity), groups);
            }
        }
    }
    Ok(())
}

fn read_entity_counts(cursor: &mut Cursor) -> Result<[u64; 4], Fault> {
    let mut counts = [0; 4];
    for (count, what) in counts.iter_mut().zip(["points", "curves", "surfaces", "volumes"]) {
        *count = cursor.size(&format!("the number of {what}"))?;
    }
    Ok(counts)
}

/// The bounds, groups and boundary of an entity, of which the groups are kept.
fn read_entity(cursor: &mut Cursor, layout: Layout, dimension: i64) -> Result<Vec<i64>, Fault> {
    for _ in 0..if dimension == 0 && layout == Layout::V41 { 3 } else { 6 } {
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
    Ok(groups)
}

/// `blocks nodes`, then blocks of `dimension entity parametric count`, tags, coordinates.
pub(super) fn read_nodes(cursor: &mut Cursor, layout: Layout, file: &mut FileMesh) -> Result<Nodes, Fault> {
    let (blocks, count) = read_totals(cursor, layout, "nodes")?;
    let count = cursor.checked_count(count, "nodes", 4, 28)?;
    let mut tags = Vec::with_capacity(count);
    file.positions.reserve(count);
    for _ in 0..blocks {
        let start = cursor.at();
        let (dimension, _) = read_entity_of_block(cursor, layout)?;
        let parametric = cursor.integer("whether a block is parametric")?;
        let block = block_size(cursor, start, "nodes", count - file.positions.len())?;
        if layout == Layout::V41
            && parametric == 0
            && read_node_lines(cursor, block, &mut tags, &mut file.positions).is_some()
        {
            continue;
        }
        if layout == Layout::V41 {
            for _ in 0..block {
                tags.push(cursor.tag("a node number")?);
            }
        }
        let parameters = if parametric == 0 { 0 } else { dimension.clamp(0, 3) };
        for _ in 0..block {
            if layout == Layout::V40 {
                tags.push(cursor.tag("a node number")?);
            }
            let mut position = [0.0; 3];
            for coordinate in &mut position {
                *coordinate = cursor.real("a coordinate")?;
            }
            for _ in 0..parameters {
                cursor.real("a parametric coordinate")?;
            }
            file.positions.push(position);
        }
    }
    check_total(cursor, "nodes", file.positions.len(), count)?;
    Nodes::new(cursor, &tags)
}

/// `blocks elements`, then blocks of `dimension entity type count` and `tag nodes` each.
pub(super) fn read_elements(
    cursor: &mut Cursor,
    layout: Layout,
    nodes: &Nodes,
    entities: &EntityGroups,
    file: &mut FileMesh,
) -> Result<ElementTags, Fault> {
    let (blocks, count) = read_totals(cursor, layout, "elements")?;
    let count = cursor.checked_count(count, "elements", 2, 8)?;
    let mut tags = Vec::with_capacity(count);
    for _ in 0..blocks {
        let start = cursor.at();
        let entity = read_entity_of_block(cursor, layout)?;
        let cell_type = read_element_type(cursor)?;
        let block = block_size(cursor, start, "elements", count - tags.len())?;
        if read_element_lines(cursor, block, nodes, (&mut tags, &mut file.nodes), cell_type.nodes).is_none() {
            for _ in 0..block {
                let tag = cursor.tag("an element number")?;
                tags.push(tag);
                read_element_nodes(cursor, nodes, tag, cell_type.nodes, &mut file.nodes)?;
            }
        }
        let first = file.groups.len();
        if let Some(groups) = entities.0.get(&entity) {
            file.groups.extend_from_slice(groups);
        }
        file.runs.push(Run { cell_type, count: block, groups: first..file.groups.len() });
    }
    check_total(cursor, "elements", tags.len(), count)?;
    Ok(tags)
}

/// Reads the tags of a block and then its positions by all threads, if each is on a line of its own.
fn read_node_lines(
    cursor: &mut Cursor,
    count: usize,
    tags: &mut Vec<u64>,
    positions: &mut Vec<[f64; 3]>,
) -> Option<()> {
    if cursor.encoding != Encoding::Ascii {
        return None;
    }
    let tag_only = |words: &mut Words, tag: &mut u64, _: &mut [()]| {
        *tag = words.whole()?;
        Some(())
    };
    let position_only = |words: &mut Words, _: &mut (), position: &mut [[f64; 3]]| {
        position[0] = [words.real()?, words.real()?, words.real()?];
        Some(())
    };
    let mut ahead = cursor.clone();
    let (mut no_tags, mut no_values, before) = (Vec::new(), Vec::new(), tags.len());
    let read = read_records(&mut ahead, count, (tags, 0), (&mut no_values, (), 1), tag_only).and_then(|()| {
        read_records(&mut ahead, count, (&mut no_tags, ()), (positions, [0.0; 3], 1), position_only)
    });
    match read {
        Some(()) => *cursor = ahead,
        None => tags.truncate(before),
    }
    read
}

/// Reads the tag and the nodes of each element of a block by all threads, if each is on a line of its own or has eight bytes a
/// number.
fn read_element_lines(
    cursor: &mut Cursor,
    count: usize,
    nodes: &Nodes,
    (tags, resolved): (&mut ElementTags, &mut Vec<usize>),
    width: usize,
) -> Option<()> {
    if cursor.encoding == Encoding::LittleEndian && cursor.tag_bytes == 8 {
        return read_element_bytes(cursor, count, nodes, (tags, resolved), width);
    }
    if cursor.encoding != Encoding::Ascii {
        return None;
    }
    read_records(cursor, count, (tags, 0), (resolved, 0, width), |words, tag, resolved| {
        *tag = words.whole()?;
        for node in resolved {
            *node = nodes.get(words.whole()?)?;
        }
        Some(())
    })
}

fn read_element_bytes(
    cursor: &mut Cursor,
    count: usize,
    nodes: &Nodes,
    (tags, resolved): (&mut ElementTags, &mut Vec<usize>),
    width: usize,
) -> Option<()> {
    let size = 8 * (1 + width);
    let bytes = cursor.rest().get(..count.checked_mul(size)?)?;
    let (tags_before, resolved_before) = (tags.len(), resolved.len());
    tags.resize(tags_before + count, 0);
    resolved.resize(resolved_before + count * width, 0);
    let outputs =
        tags[tags_before..].par_iter_mut().zip(resolved[resolved_before..].par_chunks_exact_mut(width));
    let records = bytes.par_chunks_exact(size).with_min_len(5_000).zip(outputs);
    let read = records.try_for_each(|(record, (tag, resolved))| {
        let mut words = record.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
        *tag = words.next().filter(|&tag| i64::try_from(tag).is_ok())?;
        for node in resolved {
            *node = nodes.get(words.next()?)?;
        }
        Some(())
    });
    if read.is_none() {
        tags.truncate(tags_before);
        resolved.truncate(resolved_before);
        return None;
    }
    cursor.skip(bytes.len());
    Some(())
}

/// Dimension and number of the entity of a block.
fn read_entity_of_block(cursor: &mut Cursor, layout: Layout) -> Result<(i64, i64), Fault> {
    let first = cursor.integer("the entity of a block")?;
    let second = cursor.integer("the entity of a block")?;
    Ok(if layout == Layout::V40 { (second, first) } else { (first, second) })
}

/// Numbers of blocks and of entries; the least and greatest tag that follow in 4.1 are not needed.
fn read_totals(cursor: &mut Cursor, layout: Layout, what: &str) -> Result<(u64, u64), Fault> {
    let blocks = cursor.size("the number of blocks")?;
    let count = cursor.size(&format!("the number of {what}"))?;
    if layout == Layout::V41 {
        cursor.size("the least tag")?;
        cursor.size("the greatest tag")?;
    }
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
