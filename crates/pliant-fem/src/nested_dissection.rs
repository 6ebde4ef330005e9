//! Nested dissection of the graph of vertices: the multilevel one of Karypis and Kumar 1998, and one whose first separators are the best of several.
//!
//! The first separators make the largest dense blocks of a factor, and take most of its operations. Each is worth a few tries.

use feral_metis::{CscPattern, MetisOptions, metis_order_full};
use rayon::prelude::*;

use crate::{FemError, SymmetricPattern};

/// Parts with more vertices are cut by the smallest of some separators.
const TRIED_ABOVE: usize = 3000;
const TRIES: u64 = 4;

/// The old vertex at each new place, by nested dissection.
pub(crate) fn nested_dissection(pattern: &SymmetricPattern) -> Result<Vec<usize>, FemError> {
    in_order(pattern, Part::order)
}

/// ... with the smallest of several separators wherever it matters.
pub(crate) fn thorough_dissection(pattern: &SymmetricPattern) -> Result<Vec<usize>, FemError> {
    in_order(pattern, Part::thorough_order)
}

fn in_order(
    pattern: &SymmetricPattern,
    order: impl Fn(&Part) -> Result<Vec<u32>, String>,
) -> Result<Vec<usize>, FemError> {
    let failed = |reason| FemError::FactorisationFailed { dofs: pattern.dof_count(), reason };
    let order = order(&Part::whole(pattern).map_err(failed)?).map_err(failed)?;
    Ok(order.into_iter().map(|vertex| vertex as usize).collect())
}

fn options(seed: u64) -> MetisOptions {
    // Halves that differ less, from a larger coarsest graph than the default, take 3 to 7 percent fewer operations in boxes of 9,000 to 70,000 vertices.
    MetisOptions { seed, max_imbalance: 0.1, coarsen_floor: 600, ..MetisOptions::default() }
}

/// A part of the graph of vertices, numbered by itself; rows ascend.
struct Part {
    /// The vertex of the whole graph at each number.
    vertices: Vec<u32>,
    offsets: Vec<i32>,
    neighbours: Vec<i32>,
}

impl Part {
    fn whole(pattern: &SymmetricPattern) -> Result<Self, String> {
        let vertices = pattern.vertex_count();
        let index =
            |value: usize| i32::try_from(value).map_err(|_| "the graph has too many edges".to_owned());
        let (mut offsets, mut neighbours) = (vec![0_i32], Vec::new());
        for vertex in 0..vertices {
            for neighbour in pattern.neighbours(vertex) {
                neighbours.push(index(neighbour)?);
            }
            offsets.push(index(neighbours.len())?);
        }
        Ok(Self { vertices: (0..vertices as u32).collect(), offsets, neighbours })
    }

    fn count(&self) -> usize {
        self.vertices.len()
    }

    fn neighbours(&self, number: usize) -> &[i32] {
        &self.neighbours[self.offsets[number] as usize..self.offsets[number + 1] as usize]
    }

    /// Its vertices in the order of nested dissection.
    fn order(&self) -> Result<Vec<u32>, String> {
        Ok(self.named(&self.numbers_in_order(&options(1))?.0))
    }

    /// Its numbers in order, and how many of them are in separators.
    fn numbers_in_order(&self, options: &MetisOptions) -> Result<(Vec<i32>, usize), String> {
        let graph = CscPattern::new(self.count(), &self.offsets, &self.neighbours)
            .expect("the rows of a part ascend");
        let (order, _, stats) = metis_order_full(&graph, options).map_err(|error| error.to_string())?;
        Ok((order, stats.n_separator_vertices as usize))
    }

    fn named(&self, numbers: &[i32]) -> Vec<u32> {
        numbers.iter().map(|&number| self.vertices[number as usize]).collect()
    }

    fn thorough_order(&self) -> Result<Vec<u32>, String> {
        if self.count() <= TRIED_ABOVE {
            return self.order();
        }
        let (inner, separator) = self.smallest_separator()?;
        let parts = self.connected_parts(&inner);
        if separator.is_empty() && parts.len() == 1 {
            return self.order();
        }
        let orders: Vec<Result<Vec<u32>, String>> =
            parts.into_par_iter().map(|part| part.thorough_order()).collect();
        let mut order = Vec::with_capacity(self.count());
        for part in orders {
            order.append(&mut part?);
        }
        order.append(&mut self.named(&separator));
        Ok(order)
    }

    /// The numbers beside the smallest of some separators, and those in it; none where it is not connected.
    fn smallest_separator(&self) -> Result<(Vec<i32>, Vec<i32>), String> {
        // Halves as large as that are not cut again, and what cuts the whole stands last.
        let once = self.count() as u32 - 1;
        let cut = |seed| self.numbers_in_order(&MetisOptions { nd_to_amd_switch: once, ..options(seed) });
        let tries: Vec<Result<_, String>> = (1..=TRIES).into_par_iter().map(cut).collect();
        let tries = tries.into_iter().collect::<Result<Vec<_>, _>>()?;
        // The first of the smallest.
        let best = tries.into_iter().min_by_key(|&(_, separator)| separator);
        let (mut order, separator) = best.expect("there is a first try");
        let separator = order.split_off(order.len() - separator);
        Ok((order, separator))
    }

    /// The connected parts of what some of its numbers span, in the order of their first.
    fn connected_parts(&self, numbers: &[i32]) -> Vec<Self> {
        const OUTSIDE: u32 = u32::MAX;
        const OPEN: u32 = u32::MAX - 1;
        let mut part_of = vec![OUTSIDE; self.count()];
        numbers.iter().for_each(|&number| part_of[number as usize] = OPEN);
        let mut members: Vec<Vec<usize>> = Vec::new();
        for first in 0..self.count() {
            if part_of[first] != OPEN {
                continue;
            }
            let part = members.len() as u32;
            part_of[first] = part;
            let mut found = vec![first];
            let mut next = 0;
            while next < found.len() {
                for &neighbour in self.neighbours(found[next]) {
                    let place = &mut part_of[neighbour as usize];
                    if *place == OPEN {
                        *place = part;
                        found.push(neighbour as usize);
                    }
                }
                next += 1;
            }
            found.sort_unstable();
            members.push(found);
        }
        let mut numbered = vec![0_i32; self.count()];
        for members in &members {
            members.iter().enumerate().for_each(|(place, &number)| numbered[number] = place as i32);
        }
        let part = |members: &Vec<usize>| {
            let (mut offsets, mut neighbours) = (vec![0], Vec::new());
            for &number in members {
                let inside = self
                    .neighbours(number)
                    .iter()
                    .filter(|&&other| part_of[other as usize] == part_of[number]);
                neighbours.extend(inside.map(|&other| numbered[other as usize]));
                offsets.push(neighbours.len() as i32);
            }
            let vertices = members.iter().map(|&number| self.vertices[number]).collect();
            Self { vertices, offsets, neighbours }
        };
        members.iter().map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elimination_tree::EliminationTree;
    use crate::test_meshes::shuffled_lattice;

    #[test]
    fn thorough_orders_are_permutations_that_take_fewer_operations_for_any_number_of_threads() {
        let pattern = SymmetricPattern::new(&shuffled_lattice::<3>(19, 1), 3);
        let order = thorough_dissection(&pattern).unwrap();
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(order, alone.install(|| thorough_dissection(&pattern)).unwrap());
        let flops = |order: &[usize]| EliminationTree::new(&pattern, order).flops(3);
        assert!(flops(&order) < flops(&nested_dissection(&pattern).unwrap()));
        let mut order = order;
        order.sort_unstable();
        assert!(order.into_iter().eq(0..pattern.vertex_count()));
    }

    #[test]
    fn parts_that_do_not_touch_are_dissected_by_themselves() {
        let lattice = shuffled_lattice::<3>(3, 2);
        let pattern = SymmetricPattern::new(&lattice, 1);
        let whole = Part::whole(&pattern).unwrap();
        let ends: Vec<i32> = (0..whole.count() as i32)
            .filter(|&number| {
                let x = lattice.positions()[number as usize][0];
                !(0.3..0.7).contains(&x) || x > 0.5
            })
            .collect();
        let parts = whole.connected_parts(&ends);
        assert_eq!(parts.iter().map(Part::count).sum::<usize>(), ends.len());
        for part in &parts {
            for number in 0..part.count() {
                let vertex = part.vertices[number] as usize;
                let inside = |other: &usize| part.vertices.contains(&(*other as u32));
                let expected: Vec<usize> = pattern.neighbours(vertex).filter(inside).collect();
                let found: Vec<usize> = part
                    .neighbours(number)
                    .iter()
                    .map(|&other| part.vertices[other as usize] as usize)
                    .collect();
                assert_eq!(found, expected);
            }
        }
    }
}
