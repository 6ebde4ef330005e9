//! What is written into a VTK file: arrays of three or another number of components, regions and vertex sets as arrays, and
//! the names of regions as fields.

use crate::formats::group_numbers::region_numbers;
use crate::formats::groups::SET_PREFIX;
use crate::formats::write_mesh::Written;
use crate::{ArrayLocation, MeshArray, SimplexMesh};

/// The arrays of a file in the order in which they are written.
pub(super) struct Contents {
    /// Name, number and dimension of each region that is not called by its number, as meshio has them.
    pub fields: Vec<(String, [i32; 2])>,
    /// Numbers of regions, whole.
    pub regions: Vec<i32>,
    /// For each vertex set its name and for each vertex whether it is in it.
    pub sets: Vec<(String, Vec<u8>)>,
    pub arrays: Vec<MeshArray>,
}

impl Contents {
    /// Collects them; an array that would be taken for the regions or for a set is reported.
    pub fn new<const D: usize>(mesh: &SimplexMesh<D>, arrays: &[MeshArray], written: &mut Written) -> Self {
        let numbers = region_numbers(mesh);
        let named = mesh.regions().iter().zip(&numbers).filter(|(name, number)| **name != number.to_string());
        let sets = mesh.vertex_sets().iter().map(|set| {
            let mut is_in = vec![0; mesh.vertex_count()];
            set.vertices.iter().for_each(|&vertex| is_in[vertex] = 1);
            (format!("{SET_PREFIX}{}", set.name), is_in)
        });
        let is_free = |array: &MeshArray| match array.on {
            ArrayLocation::Cell => array.name != "region",
            ArrayLocation::Vertex => !array.name.starts_with(SET_PREFIX),
        };
        for array in arrays.iter().filter(|array| !is_free(array)) {
            written.drop_some(format!("array \"{}\", whose name stands for something else", array.name), 1);
        }
        Self {
            fields: named.map(|(name, &number)| (name.clone(), [number, D as i32])).collect(),
            regions: mesh.cell_regions().iter().map(|&region| numbers[region]).collect(),
            sets: sets.collect(),
            arrays: arrays.iter().filter(|array| is_free(array)).map(padded).collect(),
        }
    }

    /// The arrays on cells or on vertices.
    pub fn arrays_on(&self, on: ArrayLocation) -> impl Iterator<Item = &MeshArray> {
        self.arrays.iter().filter(move |array| array.on == on)
    }
}

/// Entries of two components with a zero third one, because VTK is three-dimensional; others as they are.
fn padded(array: &MeshArray) -> MeshArray {
    let mut array = array.clone();
    if array.components == 2 {
        array.values = array.values.chunks_exact(2).flat_map(|entry| [entry[0], entry[1], 0.0]).collect();
        array.components = 3;
    }
    array
}
