//! Numbers for regions and vertex sets, for formats that have no names.

use std::collections::BTreeSet;

use super::write_mesh::Written;
use crate::SimplexMesh;

/// A number for each region: its name where that is a whole number, else the lowest positive one that is free.
pub(super) fn region_numbers<const D: usize>(mesh: &SimplexMesh<D>) -> Vec<i32> {
    numbers(mesh.regions().iter().map(|name| name.parse().ok()).collect())
}

/// [`region_numbers`], and a report of the names that they replace.
pub(super) fn nameless_regions<const D: usize>(mesh: &SimplexMesh<D>, written: &mut Written) -> Vec<i32> {
    let numbers = region_numbers(mesh);
    for (region, (name, number)) in mesh.regions().iter().zip(&numbers).enumerate() {
        // The name of the only region of a mesh without regions says nothing.
        let is_said = *name == number.to_string() || (*name == "body" && mesh.regions().len() == 1);
        if !is_said && mesh.cell_regions().contains(&region) {
            written.drop_some(format!("name of the region \"{name}\", which is {number} there"), 1);
        }
    }
    numbers
}

/// For each vertex the number of its set, 0 for none. A set keeps a number that is the last word of its name. A vertex has one number: a set that shares vertices with an earlier one is reported instead.
pub(super) fn set_numbers<const D: usize>(mesh: &SimplexMesh<D>, written: &mut Written) -> Vec<i32> {
    let sets = mesh.vertex_sets();
    let last_number = |name: &str| name.rsplit(' ').next()?.parse().ok().filter(|&number| number != 0);
    let given = sets.iter().map(|set| last_number(&set.name));
    let numbers = numbers(given.collect());
    let mut of_vertex = vec![0; mesh.vertex_count()];
    for (set, number) in sets.iter().zip(numbers) {
        if set.vertices.iter().any(|&vertex| of_vertex[vertex] != 0) {
            written.drop_some(format!("vertex set \"{}\", which overlaps another", set.name), 1);
            continue;
        }
        set.vertices.iter().for_each(|&vertex| of_vertex[vertex] = number);
        if last_number(&set.name) != Some(number) {
            written.drop_some(format!("name of the vertex set \"{}\", which is {number} there", set.name), 1);
        }
    }
    of_vertex
}

/// The given numbers, the first of equal ones, and free ones for the rest.
fn numbers(given: Vec<Option<i32>>) -> Vec<i32> {
    let mut taken = BTreeSet::new();
    let kept: Vec<Option<i32>> =
        given.into_iter().map(|number| number.filter(|&number| taken.insert(number))).collect();
    let mut next = 1;
    let mut free = || {
        while !taken.insert(next) {
            next += 1;
        }
        next
    };
    kept.into_iter().map(|number| number.unwrap_or_else(&mut free)).collect()
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn numbers_are_kept_and_the_rest_gets_free_ones() {
        assert_eq!(numbers(vec![None, Some(1), Some(7), None, Some(1)]), [2, 1, 7, 3, 4]);
        assert_eq!(numbers(vec![Some(0), Some(-3)]), [0, -3]);
    }
}
