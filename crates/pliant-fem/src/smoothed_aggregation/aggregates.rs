//! Aggregates: groups of strongly coupled nodes that move as one on the coarse level (Vanek, Mandel, Brezina 1996).
//!
//! Nodes i and j are strongly coupled when `|A_ij|^2 > threshold^2 |A_ii| |A_jj|` (Frobenius norms of blocks). Where the material jumps,
//! the nodes of the interface belong to the stiff side, and their couplings to the soft side are weak by the root of the ratio of the moduli: no
//! aggregate crosses the jump, and a stiff inclusion is an aggregate of its own. Nodes without strong couplings (held vertices) have no aggregate.

use rayon::prelude::*;

use super::block_matrix::{Block, BlockMatrix, ROWS_PER_TASK};

/// A node without aggregate.
pub(crate) const NONE: u32 = u32::MAX;

/// The aggregate of every node.
pub(crate) struct Aggregates {
    /// One for each node; [`NONE`] where it has none.
    pub(crate) labels: Vec<u32>,
    pub(crate) count: usize,
}

impl Aggregates {
    /// Greedy aggregation in the order of the nodes. O(blocks).
    pub(crate) fn new<const B: usize>(matrix: &BlockMatrix<B, B>, threshold: f64) -> Self {
        let graph = StrongGraph::new(matrix, threshold);
        let nodes = matrix.row_count();
        let mut labels = vec![NONE; nodes];
        let mut count = 0;
        // Neighbourhoods that nothing else has touched yet, and what is free around them. Half as many iterations more than with
        // neighbourhoods alone, but a coarse level with a quarter of the numbers, which is set up in half the time.
        for node in 0..nodes {
            let neighbours = graph.neighbours(node);
            let free = |&(neighbour, _): &(u32, f64)| labels[neighbour as usize] == NONE;
            if neighbours.is_empty() || labels[node] != NONE || !neighbours.iter().all(free) {
                continue;
            }
            labels[node] = count;
            neighbours.iter().for_each(|&(neighbour, _)| labels[neighbour as usize] = count);
            for &(neighbour, _) in neighbours {
                for &(next, _) in graph.neighbours(neighbour as usize) {
                    if labels[next as usize] == NONE {
                        labels[next as usize] = count;
                    }
                }
            }
            count += 1;
        }
        // The rest joins the aggregate to which it is coupled most, as it was before this pass.
        let before = labels.clone();
        for node in 0..nodes {
            if labels[node] == NONE {
                let mut best = (NONE, 0.0);
                for &(neighbour, strength) in graph.neighbours(node) {
                    if before[neighbour as usize] != NONE && strength > best.1 {
                        best = (before[neighbour as usize], strength);
                    }
                }
                labels[node] = best.0;
            }
        }
        // What is left touches no aggregate: neighbourhoods of what is left.
        for node in 0..nodes {
            let neighbours = graph.neighbours(node);
            if labels[node] == NONE && !neighbours.is_empty() {
                labels[node] = count;
                for &(neighbour, _) in neighbours {
                    if labels[neighbour as usize] == NONE {
                        labels[neighbour as usize] = count;
                    }
                }
                count += 1;
            }
        }
        Self { labels, count: count as usize }
    }

    /// The nodes of every aggregate: offsets, and nodes ascending in each.
    pub(crate) fn members(&self) -> (Vec<usize>, Vec<u32>) {
        let mut offsets = vec![0; self.count + 1];
        let labelled = || self.labels.iter().enumerate().filter(|(_, label)| **label != NONE);
        labelled().for_each(|(_, &label)| offsets[label as usize + 1] += 1);
        for aggregate in 0..self.count {
            offsets[aggregate + 1] += offsets[aggregate];
        }
        let mut next = offsets.clone();
        let mut members = vec![0; offsets[self.count]];
        for (node, &label) in labelled() {
            members[next[label as usize]] = node as u32;
            next[label as usize] += 1;
        }
        (offsets, members)
    }
}

/// The strong couplings of every node and how strong they are.
struct StrongGraph {
    offsets: Vec<usize>,
    neighbours: Vec<(u32, f64)>,
}

impl StrongGraph {
    fn new<const B: usize>(matrix: &BlockMatrix<B, B>, threshold: f64) -> Self {
        let nodes = matrix.row_count();
        let sizes: Vec<f64> = (0..nodes)
            .into_par_iter()
            .with_min_len(ROWS_PER_TASK)
            .map(|node| squared_size(&matrix.diagonal_block(node)).sqrt())
            .collect();
        let strong: Vec<Vec<(u32, f64)>> = (0..nodes)
            .into_par_iter()
            .with_min_len(ROWS_PER_TASK)
            .map(|node| {
                let (columns, blocks) = matrix.row(node);
                let strength = |(&column, block): (&u32, &Block<B, B>)| {
                    let bound = threshold.powi(2) * sizes[node] * sizes[column as usize];
                    let squared = squared_size(block);
                    (column as usize != node && squared > bound).then_some((column, squared))
                };
                columns.iter().zip(blocks).filter_map(strength).collect()
            })
            .collect();
        let mut offsets = Vec::with_capacity(nodes + 1);
        let mut neighbours = Vec::with_capacity(strong.iter().map(Vec::len).sum());
        offsets.push(0);
        for row in strong {
            neighbours.extend(row);
            offsets.push(neighbours.len());
        }
        Self { offsets, neighbours }
    }

    fn neighbours(&self, node: usize) -> &[(u32, f64)] {
        &self.neighbours[self.offsets[node]..self.offsets[node + 1]]
    }
}

fn squared_size<const B: usize>(block: &Block<B, B>) -> f64 {
    block.iter().flatten().map(|entry| entry * entry).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_meshes::{shuffled_lattice, stiffness};

    #[test]
    fn aggregates_cover_the_free_vertices_and_do_not_cross_a_jump_of_the_material() {
        let mesh = shuffled_lattice::<3>(10, 1);
        let is_stiff = |x: [f64; 3]| x[0] < 0.45;
        let mut matrix = stiffness(&mesh, |x| if is_stiff(x) { 1e6 } else { 1.0 });
        let held: Vec<bool> = mesh.positions().iter().flat_map(|x| [x[2] < 0.05; 3]).collect();
        matrix.eliminate(&held, 1.0);
        let aggregates = Aggregates::new(&BlockMatrix::<3, 3>::from_symmetric(&matrix), 0.08);
        let mut sides = vec![[0, 0]; aggregates.count];
        let mut touches_stiff = vec![false; mesh.vertex_count()];
        for (cell, corners) in mesh.cells().enumerate() {
            corners.iter().for_each(|&vertex| touches_stiff[vertex] |= is_stiff(mesh.centroid(cell)));
        }
        for vertex in 0..mesh.vertex_count() {
            let label = aggregates.labels[vertex];
            assert_eq!(label == NONE, held[vertex * 3], "vertex {vertex}");
            if label != NONE {
                sides[label as usize][usize::from(touches_stiff[vertex])] += 1;
            }
        }
        assert!(sides.iter().all(|[soft, stiff]| *soft == 0 || *stiff == 0), "{sides:?}");
        let mean = mesh.vertex_count() as f64 / aggregates.count as f64;
        assert!((10.0..80.0).contains(&mean), "{mean} vertices in an aggregate");
    }
}
