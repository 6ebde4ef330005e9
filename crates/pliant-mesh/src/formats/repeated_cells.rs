//! Cells that stand in a file more than once: version 2.2 repeats an element for each physical group that it is in.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

/// For each cell that has the same vertices as an earlier one (in any order) the first such cell. O(t log t).
pub(super) fn repeated_cells<const D: usize>(cells: &[usize]) -> BTreeMap<usize, usize> {
    let mut repeated = BTreeMap::new();
    let hashes: Vec<u64> = cells.par_chunks_exact(D + 1).map(order_free_hash).collect();
    let mut suspects = suspects(&hashes);
    suspects.sort_unstable();
    if suspects.windows(2).all(|pair| pair[0] != pair[1]) {
        return repeated;
    }
    let mut first_with: HashMap<Vec<usize>, usize> = HashMap::new();
    for (cell, corners) in cells.chunks_exact(D + 1).enumerate() {
        let mut corners = corners.to_vec();
        corners.sort_unstable();
        let first = *first_with.entry(corners).or_insert(cell);
        if first != cell {
            repeated.insert(cell, first);
        }
    }
    repeated
}

/// The hashes that may occur twice, among them all that do: those that share a bit of a table of 16 bits a cell.
fn suspects(hashes: &[u64]) -> Vec<u64> {
    let words = (hashes.len() / 4 + 1).next_power_of_two();
    let place = |hash: u64| (hash as usize / 64 % words, 1u64 << (hash % 64));
    let table = || -> Vec<AtomicU64> { (0..words).map(|_| AtomicU64::new(0)).collect() };
    let (seen, twice) = (table(), table());
    // Which of two hashes is the second does not matter to the table.
    hashes.par_iter().for_each(|&hash| {
        let (word, bit) = place(hash);
        if seen[word].fetch_or(bit, Ordering::Relaxed) & bit != 0 {
            twice[word].fetch_or(bit, Ordering::Relaxed);
        }
    });
    let is_suspect = |&hash: &u64| {
        let (word, bit) = place(hash);
        twice[word].load(Ordering::Relaxed) & bit != 0
    };
    hashes.par_iter().copied().filter(is_suspect).collect()
}

/// A hash that does not depend on the order: the sum of each vertex mixed by the finaliser of SplitMix64 (Steele, Lea,
/// Flood 2014).
fn order_free_hash(corners: &[usize]) -> u64 {
    let mix = |vertex: usize| {
        let mut bits = (vertex as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    };
    corners.iter().fold(0, |sum: u64, &vertex| sum.wrapping_add(mix(vertex)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_repeated_whatever_the_order_of_its_vertices() {
        let cells = [0, 1, 2, 2, 1, 3, 1, 2, 0, 3, 4, 5, 0, 2, 1];
        assert_eq!(repeated_cells::<2>(&cells), BTreeMap::from([(2, 0), (4, 0)]));
        assert!(repeated_cells::<2>(&cells[..6]).is_empty());
    }
}
