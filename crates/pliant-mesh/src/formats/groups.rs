//! Groups of elements as regions (of cells) and vertex sets (of everything of lower dimension).

use std::collections::{BTreeMap, BTreeSet};

use super::file_mesh::FileMesh;
use crate::name_index::NameIndex;
use crate::{ArrayLocation, VertexSet};

/// Names of integer arrays on cells that say which region a cell belongs to, in the order in which they are looked for.
pub(super) const REGION_ARRAYS: [&str; 14] = [
    "region",
    "regions",
    "region_id",
    "material",
    "materials",
    "material_id",
    "gmsh:physical",
    "medit:ref",
    "tetgen:ref",
    "cell_tags",
    "CellEntityIds",
    "labels",
    "label",
    "attribute",
];

/// Regions and vertex sets of the cells of one dimension.
pub(super) struct Groups {
    /// Names, in the order of the groups' numbers.
    pub regions: Vec<String>,
    /// The region of each group of cells; 0 stands for cells in no group.
    pub region_of: BTreeMap<i64, usize>,
    pub vertex_sets: Vec<VertexSet>,
}

impl Groups {
    /// Groups that share a name are one region or one set; elements of lower dimension than D become vertex sets.
    pub fn new(file: &FileMesh, cell_dimension: usize) -> Self {
        let names: BTreeMap<(usize, i64), &str> = file
            .group_names
            .iter()
            .map(|entry| ((entry.dimension, entry.group), entry.name.as_str()))
            .collect();
        let mut region_groups = BTreeSet::new();
        let mut members: BTreeMap<(usize, i64), Vec<usize>> = names
            .keys()
            .filter(|&&(dimension, _)| dimension < cell_dimension)
            .map(|&dimension_and_group| (dimension_and_group, Vec::new()))
            .collect();
        for (run, _, nodes) in file.by_run().filter(|(run, ..)| run.count > 0) {
            let dimension = run.cell_type.dimension();
            let mut groups = file.groups_of(run).iter();
            if dimension == cell_dimension {
                // A cell has one region; its other groups live on as vertex sets.
                region_groups.insert(groups.next().copied().unwrap_or(0));
            }
            for &group in groups {
                members.entry((dimension, group)).or_default().extend_from_slice(nodes);
            }
        }
        // A named group without cells is an empty region, unless its cells are in a region already.
        let is_set = |group: i64| members.contains_key(&(cell_dimension, group));
        let named = names.keys().filter(|&&(dimension, _)| dimension == cell_dimension);
        region_groups.extend(named.map(|&(_, group)| group).filter(|&group| !is_set(group)));
        let name = |dimension: usize, group: i64| {
            names.get(&(dimension, group)).map_or_else(|| group.to_string(), |&name| name.to_owned())
        };
        let mut regions = NameIndex::default();
        let region_of = region_groups
            .into_iter()
            .map(|group| (group, regions.place(&name(cell_dimension, group))))
            .collect();
        let regions = regions.into_names();
        let mut groups = Self { regions, region_of, vertex_sets: file.vertex_sets.clone() };
        for ((dimension, group), vertices) in members {
            groups.add_to_set(name(dimension, group), &vertices);
        }
        groups
    }

    /// Adds vertices to the set of this name, which is made if there is none.
    pub fn add_to_set(&mut self, name: String, vertices: &[usize]) {
        match self.vertex_sets.iter_mut().find(|set| set.name == name) {
            Some(set) => set.vertices.extend(vertices),
            None => self.vertex_sets.push(VertexSet { name, vertices: vertices.to_vec() }),
        }
    }
}

/// Before the name of a vertex set in formats that have arrays only.
pub(super) const SET_PREFIX: &str = "set:";

/// Names of arrays that are on cells where there are as many cells as vertices.
pub(super) const MATERIAL_ARRAYS: [&str; 6] =
    ["E", "youngs_modulus", "nu", "poisson_ratio", "rho", "density"];

/// Whether an array of this name is on cells: it says which region a cell belongs to, or what it is made of.
pub(super) fn is_cell_array(name: &str) -> bool {
    REGION_ARRAYS.iter().chain(&MATERIAL_ARRAYS).any(|known| known.eq_ignore_ascii_case(name))
}

/// Takes arrays on vertices that are called `set:NAME` and are 0 and 1 as vertex sets.
pub(super) fn sets_of_arrays(file: &mut FileMesh) {
    for entry in std::mem::take(&mut file.arrays) {
        let array = &entry.array;
        let is_flag = |value: &f64| *value == 0.0 || *value == 1.0;
        match array.name.strip_prefix(SET_PREFIX) {
            Some(name)
                if array.on == ArrayLocation::Vertex
                    && entry.places.is_none()
                    && array.values.len() == file.positions.len()
                    && array.values.iter().all(is_flag) =>
            {
                let vertices =
                    (0..array.values.len()).filter(|&vertex| array.values[vertex] == 1.0).collect();
                file.vertex_sets.push(VertexSet { name: name.to_owned(), vertices });
            }
            _ => file.arrays.push(entry),
        }
    }
}

/// Where the file has no groups of cells, takes them from the first array of [`REGION_ARRAYS`] that has one whole number for
/// each element; that array is then no longer an array. Elements of lower dimension with the number 0 are in no group.
pub(super) fn group_by_array(file: &mut FileMesh, cell_dimension: usize) {
    let is_cell = |dimension: usize| dimension == cell_dimension;
    if file.runs.iter().any(|run| is_cell(run.cell_type.dimension()) && !run.groups.is_empty()) {
        return;
    }
    let elements = file.element_count();
    let labels = |name: &str| -> Option<usize> {
        file.arrays.iter().position(|entry| {
            let array = &entry.array;
            array.name.eq_ignore_ascii_case(name)
                && array.on == ArrayLocation::Cell
                && array.components == 1
                && entry.places.is_none()
                && array.values.len() == elements
                && array.values.iter().all(|&value| value.abs() < 1e15 && (value as i64) as f64 == value)
        })
    };
    let Some(index) = REGION_ARRAYS.into_iter().find_map(labels) else { return };
    let numbers = file.arrays.remove(index).array.values;
    let runs = std::mem::take(&mut file.runs);
    let old_groups = std::mem::take(&mut file.groups);
    let mut numbers = numbers.iter().map(|&number| number as i64);
    let mut groups = Vec::new();
    for run in runs {
        for number in numbers.by_ref().take(run.count) {
            groups.clear();
            groups.extend_from_slice(&old_groups[run.groups.clone()]);
            if (number != 0 || is_cell(run.cell_type.dimension())) && !groups.contains(&number) {
                groups.push(number);
            }
            file.push_element(run.cell_type, &groups);
        }
    }
}
