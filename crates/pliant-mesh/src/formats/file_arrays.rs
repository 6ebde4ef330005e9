//! The arrays of a file as arrays with one entry for each cell or vertex of the mesh.

use super::file_mesh::{FileArray, FileMesh};
use crate::{ArrayLocation, Dropped, MeshArray};

/// Takes the arrays of the file. A part of an element has the entry of its element; an array without an entry for
/// some cell or vertex, or with a value that is not finite, is reported instead; of arrays that share a name the last stays.
pub(super) fn mesh_arrays(file: &mut FileMesh, parents: &[usize], used: &[bool]) -> Vec<MeshArray> {
    let elements = file.element_count();
    let mut arrays: Vec<MeshArray> = Vec::new();
    for FileArray { array, places } in std::mem::take(&mut file.arrays) {
        let (count, sources): (usize, Vec<usize>) = match array.on {
            ArrayLocation::Cell => (elements, parents.to_vec()),
            ArrayLocation::Vertex => {
                let nodes = used.iter().enumerate().filter(|(_, used)| **used);
                (used.len(), nodes.map(|(node, _)| node).collect())
            }
        };
        let mut entry_of = vec![usize::MAX; count];
        let entries = array.values.len() / array.components.max(1);
        match places {
            Some(places) => {
                for (entry, place) in places.into_iter().enumerate().filter(|&(_, place)| place < count) {
                    entry_of[place] = entry;
                }
            }
            None => (0..count.min(entries)).for_each(|entry| entry_of[entry] = entry),
        }
        let missing = sources.iter().filter(|&&source| entry_of[source] >= entries).count();
        if missing > 0 {
            let plural = if array.on == ArrayLocation::Cell { "cells" } else { "vertices" };
            file.drop_some(format!("array \"{}\" without values for some {plural}", array.name), missing);
            continue;
        }
        let entry = |&source: &usize| {
            let start = entry_of[source] * array.components;
            &array.values[start..start + array.components]
        };
        let values: Vec<f64> = sources.iter().flat_map(entry).copied().collect();
        let infinite = values.iter().filter(|value| !value.is_finite()).count();
        if infinite > 0 {
            let what = format!("array \"{}\" with values that are not finite", array.name);
            file.drop_some(what, infinite);
            continue;
        }
        let array = MeshArray { values, ..array };
        match arrays.iter_mut().find(|other| other.name == array.name && other.on == array.on) {
            Some(earlier) => {
                let what = format!("earlier step of array \"{}\"", array.name);
                file.dropped.push(Dropped { what, count: 1 });
                *earlier = array;
            }
            None => arrays.push(array),
        }
    }
    arrays
}
