//! Reading the keywords of an input file.

use std::collections::{BTreeMap, BTreeSet};

use super::element_names::element_type;
use super::keyword_line::{KeywordLine, next_data, next_keyword};
use super::materials::{Materials, PARAMETERS};
use super::sets::Sets;
use crate::fault::{Fault, shown};
use crate::formats::cell_type::CellType;
use crate::formats::cursor::{Cursor, parse_integer, parse_real};
use crate::formats::file_mesh::{FileArray, FileMesh, GroupName};
use crate::formats::tag_index::TagIndex;
use crate::{ArrayLocation, MeshArray, VertexSet};

/// Keywords without anything for a mesh, which are not worth a word.
const STRUCTURE: [&str; 11] = [
    "HEADING",
    "PREPRINT",
    "PART",
    "END PART",
    "ASSEMBLY",
    "END ASSEMBLY",
    "INSTANCE",
    "END INSTANCE",
    "STEP",
    "END STEP",
    "STATIC",
];

#[derive(Default)]
struct Deck {
    node_tags: Vec<u64>,
    positions: Vec<[f64; 3]>,
    /// The tag and the type of each element, and the tags of the nodes of all.
    elements: Vec<(u64, CellType)>,
    element_nodes: Vec<u64>,
    node_sets: Sets,
    element_sets: Sets,
    materials: Materials,
    skipped: BTreeMap<String, usize>,
}

/// Reads a file.
pub(super) fn read_file(cursor: &mut Cursor) -> Result<FileMesh, Fault> {
    let mut deck = Deck::default();
    while let Some((start, line)) = next_keyword(cursor)? {
        match line.keyword.as_str() {
            "NODE" => read_nodes(cursor, &line, &mut deck)?,
            "ELEMENT" => read_elements(cursor, start, &line, &mut deck)?,
            "NSET" | "ELSET" => {
                let sets = if line.keyword == "NSET" { &mut deck.node_sets } else { &mut deck.element_sets };
                match line.parameter(&line.keyword) {
                    Some(name) => sets.read(cursor, &line, name)?,
                    None => {
                        let problem = format!("*{} has no name; give it {}=NAME", line.keyword, line.keyword);
                        return cursor.fault(start, problem);
                    }
                }
            }
            "MATERIAL" => deck.materials.begin(&line),
            "ELASTIC" => {
                if !deck.materials.read_elastic(cursor, &line)? {
                    *deck
                        .skipped
                        .entry("*ELASTIC of a material that is not isotropic".to_owned())
                        .or_default() += 1;
                }
            }
            "DENSITY" => deck.materials.read_density(cursor)?,
            "SOLID SECTION" => deck.materials.push_section(&line),
            keyword if STRUCTURE.contains(&keyword) => {}
            keyword => *deck.skipped.entry(format!("*{keyword} keywords")).or_default() += 1,
        }
    }
    let end = cursor.at();
    deck.into_file().or_else(|problem| cursor.fault(end, problem))
}

/// `number, x, y, z`; missing coordinates are 0.
fn read_nodes(cursor: &mut Cursor, line: &KeywordLine, deck: &mut Deck) -> Result<(), Fault> {
    while let Some((start, words)) = next_data(cursor)? {
        let tag = words.first().and_then(|word| parse_integer(word)?.try_into().ok());
        let mut position = [0.0; 3];
        let mut is_read = words.len() >= 2;
        for (coordinate, word) in position.iter_mut().zip(&words[1.min(words.len())..]) {
            match parse_real(word).filter(|value| value.is_finite()) {
                Some(value) => *coordinate = value,
                None => is_read = word.is_empty() && is_read,
            }
        }
        match tag {
            Some(tag) if is_read => {
                deck.node_tags.push(tag);
                deck.positions.push(position);
                if let Some(set) = line.parameter("NSET") {
                    deck.node_sets.push(set, tag);
                }
            }
            _ => {
                let line = words.join(&b", "[..]);
                let problem =
                    format!("a node (number, x, y, z) should be here, but there is {}", shown(&line));
                return cursor.fault(start, problem);
            }
        }
    }
    Ok(())
}

/// `number, nodes`, over as many lines as the nodes take.
fn read_elements(cursor: &mut Cursor, at: usize, line: &KeywordLine, deck: &mut Deck) -> Result<(), Fault> {
    let Some(name) = line.parameter("TYPE") else {
        return cursor.fault(at, "*ELEMENT has no TYPE; give it one such as TYPE=C3D4");
    };
    let Some(cell_type) = element_type(name) else {
        let count =
            std::iter::from_fn(|| next_data(cursor).transpose()).collect::<Result<Vec<_>, _>>()?.len();
        *deck.skipped.entry(format!("elements of the type {}", name.to_ascii_uppercase())).or_default() +=
            count;
        return Ok(());
    };
    while let Some((start, words)) = next_data(cursor)? {
        let mut tags: Vec<u64> = Vec::with_capacity(cell_type.nodes + 1);
        let mut words = words;
        loop {
            for word in words {
                match parse_integer(word).and_then(|tag| tag.try_into().ok()) {
                    Some(tag) => tags.push(tag),
                    None => {
                        let problem =
                            format!("the number of a node should be here, but there is {}", shown(word));
                        return cursor.fault(start, problem);
                    }
                }
            }
            if tags.len() > cell_type.nodes {
                break;
            }
            match next_data(cursor)? {
                Some((_, more)) => words = more,
                None => {
                    let problem = format!(
                        "an element of the type {name} has {} nodes, but only {} stand here",
                        cell_type.nodes,
                        tags.len().saturating_sub(1)
                    );
                    return cursor.fault(start, problem);
                }
            }
        }
        if tags.len() != cell_type.nodes + 1 {
            let problem = format!(
                "element {} has {} nodes, but the type {name} has {}",
                tags[0],
                tags.len() - 1,
                cell_type.nodes
            );
            return cursor.fault(start, problem);
        }
        deck.elements.push((tags[0], cell_type));
        deck.element_nodes.extend_from_slice(&tags[1..]);
        if let Some(set) = line.parameter("ELSET") {
            deck.element_sets.push(set, tags[0]);
        }
    }
    Ok(())
}

impl Deck {
    fn into_file(mut self) -> Result<FileMesh, String> {
        let mut file = FileMesh {
            format: "Abaqus".to_owned(),
            positions: std::mem::take(&mut self.positions),
            ..FileMesh::default()
        };
        let nodes = TagIndex::new(&self.node_tags).map_err(|tag| {
            format!(
                "node {tag} is given twice; merge the parts of the model into one, and give every node once"
            )
        })?;
        let tags: Vec<u64> = self.elements.iter().map(|&(tag, _)| tag).collect();
        let elements = TagIndex::new(&tags)
            .map_err(|tag| format!("element {tag} is given twice; number the elements differently"))?;
        let node_sets = self.node_sets.resolve(&self.node_tags, &nodes)?;
        for (set, vertices) in self.node_sets.iter().zip(node_sets) {
            file.vertex_sets.push(VertexSet { name: set.name.clone(), vertices });
        }
        let members = self.element_sets.resolve(&tags, &elements)?;
        let order = self.set_order(&members);
        let mut groups_of: Vec<Vec<i64>> = vec![Vec::new(); tags.len()];
        for (&set, group) in order.iter().zip(1..) {
            members[set].iter().for_each(|&element| groups_of[element].push(group));
        }
        let mut next = 0;
        for (&(tag, cell_type), groups) in self.elements.iter().zip(&groups_of) {
            for &node in &self.element_nodes[next..next + cell_type.nodes] {
                file.nodes.push(nodes.get(node).ok_or_else(|| {
                    format!("element {tag} names node {node}, which the file does not give")
                })?);
            }
            next += cell_type.nodes;
            file.push_element(cell_type, groups);
        }
        let names: Vec<&str> = self.element_sets.iter().map(|set| set.name.as_str()).collect();
        for (&set, group) in order.iter().zip(1..) {
            // A set may hold elements of every dimension; a name of a dimension without members would be an empty region.
            let dimensions = members[set].iter().map(|&element| self.elements[element].1.dimension());
            for dimension in dimensions.collect::<BTreeSet<_>>() {
                file.group_names.push(GroupName { dimension, group, name: names[set].to_owned() });
            }
        }
        self.materials_as_arrays(&members, &mut file);
        for (what, count) in self.skipped {
            file.drop_some(what, count);
        }
        Ok(file)
    }

    /// The sets in the order in which they are taken for regions: those of sections, those with a keyword of their own, those
    /// named at the elements; in each kind those that hold every element last.
    fn set_order(&self, members: &[Vec<usize>]) -> Vec<usize> {
        let is_section = |set: usize| {
            self.materials.sections.iter().any(|section| self.element_sets.find(&section.set) == Some(set))
        };
        let kinds: Vec<(bool, bool, bool)> = self
            .element_sets
            .iter()
            .enumerate()
            .map(|(set, entry)| {
                (!is_section(set), members[set].len() == self.elements.len(), !entry.is_listed)
            })
            .collect();
        let mut order: Vec<usize> = (0..kinds.len()).collect();
        order.sort_by_key(|&set| kinds[set]);
        order
    }

    /// E, nu and rho of the elements of sections, as far as the materials have them.
    fn materials_as_arrays(&self, members: &[Vec<usize>], file: &mut FileMesh) {
        for (parameter, name) in PARAMETERS.into_iter().enumerate() {
            let mut of_element: BTreeMap<usize, f64> = BTreeMap::new();
            for section in &self.materials.sections {
                let set = self.element_sets.find(&section.set);
                if let (Some(set), Some(value)) = (set, self.materials.parameter(section, parameter)) {
                    of_element.extend(members[set].iter().map(|&element| (element, value)));
                }
            }
            if !of_element.is_empty() {
                let (places, values) = of_element.into_iter().unzip();
                let array =
                    MeshArray { name: name.to_owned(), on: ArrayLocation::Cell, components: 1, values };
                file.arrays.push(FileArray { array, places: Some(places) });
            }
        }
    }
}
