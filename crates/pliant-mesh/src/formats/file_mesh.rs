//! What a mesh file says, whatever its format, before it becomes a mesh.

use std::ops::Range;

use super::cell_type::CellType;
use crate::{Dropped, MeshArray, VertexSet};

/// Points, elements of any kind and dimension, groups and arrays, in the order of the file.
///
/// Readers promise: every index in `nodes` is below `positions.len()`, the counts of the runs add up to the elements, and
/// every group range lies in `groups`.
#[derive(Debug, Default)]
pub(crate) struct FileMesh {
    /// The format with its version and encoding, for example `Gmsh 4.1 binary`.
    pub format: String,
    /// The points; flat meshes have one z.
    pub positions: Vec<[f64; 3]>,
    /// The elements, in runs of equal type and groups.
    pub runs: Vec<Run>,
    /// The points of all elements, one element after the other, the corners of an element first.
    pub nodes: Vec<usize>,
    /// The numbers of the groups that the runs point into.
    pub groups: Vec<i64>,
    /// Names of groups; a group without one is called by its number.
    pub group_names: Vec<GroupName>,
    /// Sets of points that the file gives as such.
    pub vertex_sets: Vec<VertexSet>,
    /// Arrays on elements and points.
    pub arrays: Vec<FileArray>,
    /// What the reader has already left out.
    pub dropped: Vec<Dropped>,
}

/// Consecutive elements of one type in the same groups.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub cell_type: CellType,
    pub count: usize,
    /// Range in [`FileMesh::groups`]; empty for elements in no group. The first group of a cell is its region.
    pub groups: Range<usize>,
}

/// The name of a group of elements of one dimension.
#[derive(Debug)]
pub(crate) struct GroupName {
    pub dimension: usize,
    pub group: i64,
    pub name: String,
}

/// An array on the elements (all of them, in the order of the file) or on the points.
#[derive(Debug)]
pub(crate) struct FileArray {
    /// The array as the file gives it; `values` has `components` numbers for each entry, finite or not.
    pub array: MeshArray,
    /// For each entry its element or point; nothing when the entries are all of them in order.
    pub places: Option<Vec<usize>>,
}

impl FileMesh {
    /// Number of elements of any dimension.
    pub fn element_count(&self) -> usize {
        self.runs.iter().map(|run| run.count).sum()
    }

    /// Each run with the index of its first element and the points of its elements.
    pub fn by_run(&self) -> impl Iterator<Item = (&Run, usize, &[usize])> {
        let mut element = 0;
        let mut node = 0;
        self.runs.iter().map(move |run| {
            let length = run.count * run.cell_type.nodes;
            let nodes = &self.nodes[node..node + length];
            let first = element;
            element += run.count;
            node += length;
            (run, first, nodes)
        })
    }

    /// Appends the run of one element whose points have been pushed; joins it to the last run if that is like it.
    pub fn push_element(&mut self, cell_type: CellType, groups: &[i64]) {
        self.push_elements(cell_type, groups, 1);
    }

    /// [`FileMesh::push_element`] for some elements that are alike.
    pub fn push_elements(&mut self, cell_type: CellType, groups: &[i64], count: usize) {
        if let Some(run) = self.runs.last_mut()
            && run.cell_type == cell_type
            && self.groups[run.groups.clone()] == *groups
        {
            run.count += count;
            return;
        }
        let start = self.groups.len();
        self.groups.extend_from_slice(groups);
        self.runs.push(Run { cell_type, count, groups: start..self.groups.len() });
    }

    /// The groups of one run.
    pub fn groups_of(&self, run: &Run) -> &[i64] {
        &self.groups[run.groups.clone()]
    }

    /// Says that something of the file is not in the mesh; nothing if the count is 0.
    pub fn drop_some(&mut self, what: impl Into<String>, count: usize) {
        if count > 0 {
            self.dropped.push(Dropped { what: what.into(), count });
        }
    }
}
