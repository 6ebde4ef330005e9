//! What eliminating the vertices of a pattern in some order costs: the elimination tree and the column counts of the factor.
//!
//! The parent of a vertex is the first vertex below it in its column of the factor (Liu 1990, "The role of elimination trees in sparse
//! factorization"). In a postorder of the tree every subtree is contiguous, and vertices with equal columns follow each other.

use crate::SymmetricPattern;
use crate::ordering::inverse;

/// No parent: a root.
const ROOT: u32 = u32::MAX;

/// An elimination order of the vertices, a postorder of its own tree.
pub(crate) struct EliminationTree {
    /// The old vertex at each new place.
    pub(crate) order: Vec<usize>,
    /// Entries of each column of the factor on and below the diagonal, counted in vertices.
    counts: Vec<u32>,
}

impl EliminationTree {
    /// Brings an order into the postorder with the same factor. O(entries of the factor, in vertices).
    pub(crate) fn new(pattern: &SymmetricPattern, order: &[usize]) -> Self {
        let (parent, counts) = parents_and_counts(pattern, order);
        let post = postorder(&parent, &counts);
        Self {
            order: post.iter().map(|&place| order[place]).collect(),
            counts: post.iter().map(|&place| counts[place]).collect(),
        }
    }

    /// Multiplications and additions of the factorisation with so many rows for each vertex, about.
    pub(crate) fn flops(&self, components: usize) -> f64 {
        let cube = (components * components * components) as f64;
        self.counts.iter().map(|&count| f64::from(count) * f64::from(count)).sum::<f64>() * cube
    }
}

/// Row by row: the path from each neighbour to the row is what the row adds to the columns.
fn parents_and_counts(pattern: &SymmetricPattern, order: &[usize]) -> (Vec<u32>, Vec<u32>) {
    let place = inverse(order);
    let mut parent = vec![ROOT; order.len()];
    let mut counts = vec![1; order.len()];
    let mut visited = vec![ROOT; order.len()];
    for (row, &vertex) in order.iter().enumerate() {
        visited[row] = row as u32;
        for neighbour in pattern.neighbours(vertex) {
            let mut column = place[neighbour];
            while column < row && visited[column] != row as u32 {
                if parent[column] == ROOT {
                    parent[column] = row as u32;
                }
                counts[column] += 1;
                visited[column] = row as u32;
                column = parent[column] as usize;
            }
        }
    }
    (parent, counts)
}

/// A postorder in which the child with the longest column comes last, next to its parent: the two are the likeliest to share rows.
fn postorder(parent: &[u32], counts: &[u32]) -> Vec<usize> {
    let count = parent.len();
    let mut by_length: Vec<usize> = (0..count).collect();
    by_length.sort_by_key(|&vertex| (counts[vertex], vertex));
    // Lists of children and of roots, the longest first.
    let (mut first, mut next) = (vec![ROOT; count + 1], vec![ROOT; count]);
    for vertex in by_length {
        let list = if parent[vertex] == ROOT { count } else { parent[vertex] as usize };
        next[vertex] = first[list];
        first[list] = vertex as u32;
    }
    // Depth first, longest first, is a postorder backwards.
    let mut reversed = Vec::with_capacity(count);
    let mut stack = Vec::new();
    let push_list = |head: u32, stack: &mut Vec<usize>| {
        let start = stack.len();
        let mut child = head;
        while child != ROOT {
            stack.push(child as usize);
            child = next[child as usize];
        }
        stack[start..].reverse();
    };
    push_list(first[count], &mut stack);
    while let Some(vertex) = stack.pop() {
        reversed.push(vertex);
        push_list(first[vertex], &mut stack);
    }
    reversed.reverse();
    reversed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nested_dissection::nested_dissection;
    use crate::ordering::minimum_degree;
    use crate::test_meshes::shuffled_lattice;

    /// Columns of the factor by eliminating vertex after vertex, the slow way.
    fn columns_of_factor(pattern: &SymmetricPattern, order: &[usize]) -> Vec<Vec<usize>> {
        let place = inverse(order);
        let mut columns: Vec<Vec<usize>> = order
            .iter()
            .map(|&vertex| {
                pattern.neighbours(vertex).chain([vertex]).map(|neighbour| place[neighbour]).collect()
            })
            .collect();
        for column in 0..order.len() {
            columns[column].retain(|&row| row >= column);
            columns[column].sort_unstable();
            columns[column].dedup();
            let below = columns[column][1..].to_vec();
            for &row in &below {
                columns[row].extend(&below);
            }
        }
        columns
    }

    #[test]
    fn a_postorder_keeps_the_factor_has_its_counts_and_ends_every_subtree_with_its_root() {
        for seed in 0..3 {
            let pattern = SymmetricPattern::new(&shuffled_lattice::<3>(4, seed), 3);
            for order in [minimum_degree(&pattern).unwrap(), nested_dissection(&pattern).unwrap()] {
                let tree = EliminationTree::new(&pattern, &order);
                let columns = columns_of_factor(&pattern, &tree.order);
                let counts: Vec<u32> = columns.iter().map(|rows| rows.len() as u32).collect();
                assert_eq!(tree.counts, counts);
                let before: usize = columns_of_factor(&pattern, &order).iter().map(Vec::len).sum();
                assert_eq!(before, columns.iter().map(Vec::len).sum::<usize>());
                // The vertices below a root are the block before it: no other column in that block has a parent outside.
                let parent = |column: usize| columns[column].get(1).copied().unwrap_or(usize::MAX);
                let mut size = vec![1; order.len()];
                for column in 0..order.len() {
                    let block = column + 1 - size[column]..column;
                    assert!(block.into_iter().all(|below| parent(below) <= column));
                    if parent(column) < order.len() {
                        size[parent(column)] += size[column];
                    }
                }
            }
        }
    }
}
