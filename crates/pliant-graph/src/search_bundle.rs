//! Bounded shortest-path searches from several sources at once, which cross stiff parts together.
//!
//! A stiff part is crossed whole, in next to no distance, by every search that wants to go on behind it, and the edges come from
//! memory anew for each. Here up to eight searches share them. Outside stiff parts each search is Dijkstra's algorithm by itself. One
//! that enters a stiff part waits there; when all wait or are done, the labels of all eight are lowered by passes over the marked
//! vertices, forth and back in the order of their numbers, until none is marked; then they go on from the vertices around.
//! Whatever the order, labels fall until no edge lowers one, and then they are the distances: to the last bit those that
//! [`DistanceSearch`](crate::DistanceSearch) finds, since each is the least of the same sums.

use crate::{
    ComplianceGraph,
    frontier::{Entry, Frontier},
};

/// How many searches run together: their labels of a vertex fill a line of the cache.
const WIDTH: usize = 8;

/// A vertex belongs to a stiff part where its bound is worth more than this many of its longest edge.
const STIFF_STEPS: f64 = 256.0;

/// Searches around the sources of one bundle after another, each touching only the vertices that it is allowed to enter.
///
/// Holds 11 n numbers; a bundle costs a few steps for each vertex that one of its searches enters, and n / 64 for each pass.
#[derive(Debug)]
pub struct SearchBundle<'graph> {
    graph: &'graph ComplianceGraph,
    stiff: Vec<bool>,
    labels: Labels<'graph>,
    /// One bit for each vertex, set in stiff parts where a label fell and the edges have not been followed since.
    marks: Vec<u64>,
    /// One for each search.
    frontiers: Vec<Frontier<'graph>>,
}

/// What the searches know of every vertex that one of them has met.
#[derive(Debug)]
struct Labels<'graph> {
    bounds: &'graph [f64],
    /// Whatever their bounds, the searches enter vertices below these distances.
    free: [f64; WIDTH],
    /// The distances so far, and the bounds where a search has not come.
    values: Vec<[f64; WIDTH]>,
    met: Vec<bool>,
    vertices: Vec<u32>,
}

impl Labels<'_> {
    /// The distances below which the searches enter a vertex.
    #[inline]
    fn bounds(&self, vertex: usize) -> [f64; WIDTH] {
        self.free.map(|free| free.max(self.bounds[vertex]))
    }

    #[inline]
    fn of(&mut self, vertex: usize) -> &mut [f64; WIDTH] {
        if !self.met[vertex] {
            self.meet(vertex);
        }
        &mut self.values[vertex]
    }

    /// Apart from [`Labels::of`], which every edge calls and which this would make too large to inline.
    #[inline(never)]
    fn meet(&mut self, vertex: usize) {
        self.met[vertex] = true;
        self.vertices.push(vertex as u32);
        self.values[vertex] = self.bounds(vertex);
    }
}

impl<'graph> SearchBundle<'graph> {
    /// How many sources a bundle has at most.
    pub const WIDTH: usize = WIDTH;

    /// Searches that enter a vertex only at a distance below its bound, in m/Pa. O(n).
    ///
    /// # Panics
    /// If there is not one bound for each vertex.
    pub fn within(graph: &'graph ComplianceGraph, bounds: &'graph [f64]) -> Self {
        let vertices = graph.vertex_count();
        assert_eq!(bounds.len(), vertices, "one bound for each vertex");
        let longest = |vertex| graph.edges(vertex).map(|(_, weight)| weight).fold(0.0, f64::max);
        Self {
            graph,
            stiff: (0..vertices).map(|vertex| STIFF_STEPS * longest(vertex) < bounds[vertex]).collect(),
            labels: Labels {
                bounds,
                free: [0.0; WIDTH],
                values: vec![[0.0; WIDTH]; vertices],
                met: vec![false; vertices],
                vertices: Vec::new(),
            },
            marks: vec![0; vertices.div_ceil(64)],
            frontiers: (0..WIDTH).map(|_| Frontier::new(graph.calibers())).collect(),
        }
    }

    /// Visits each vertex that a search enters, with the position of its source in the list and its distance from it, in no order
    /// that means anything.
    ///
    /// A source enters a vertex below the bound of the vertex, and whatever that is below its own distance `free`; sources are always
    /// entered. Distances are those of paths through entered vertices.
    ///
    /// # Panics
    /// At more sources than [`SearchBundle::WIDTH`], if there is not one free distance for each, or if a source is out of range.
    pub fn run(&mut self, sources: &[usize], free: &[f64], mut visit: impl FnMut(usize, usize, f64)) {
        assert_eq!(sources.len(), free.len(), "one free distance for each source");
        self.labels.free = [0.0; WIDTH];
        self.labels.free[..free.len()].copy_from_slice(free);
        self.frontiers.iter_mut().for_each(Frontier::clear);
        for (search, &source) in sources.iter().enumerate() {
            self.labels.of(source)[search] = 0.0;
            self.frontiers[search].push(source, 0, 0.0);
        }
        // All of them advance before the passes, whichever wait.
        while (0..sources.len()).filter(|&search| self.advance(search)).count() > 0 {
            let mut backward = false;
            while self.pass(backward) {
                backward = !backward;
            }
        }
        let mut vertices = std::mem::take(&mut self.labels.vertices);
        for vertex in vertices.drain(..).map(|vertex| vertex as usize) {
            self.labels.met[vertex] = false;
            let (values, bounds) = (self.labels.values[vertex], self.labels.bounds(vertex));
            for (search, &source) in sources.iter().enumerate() {
                if values[search] < bounds[search] || vertex == source {
                    visit(vertex, search, values[search]);
                }
            }
        }
        // The memory stays.
        self.labels.vertices = vertices;
    }

    /// One search by itself, until nothing is left or it has entered a stiff part and come to where that may bring it nearer.
    /// Returns whether it waits for a stiff part.
    fn advance(&mut self, search: usize) -> bool {
        let mut entrance = f64::INFINITY;
        while let Some(Entry { distance, vertex, .. }) = self.frontiers[search].pop() {
            let vertex = vertex as usize;
            if distance > entrance {
                self.frontiers[search].push(vertex, 0, distance);
                break;
            }
            if distance > self.labels.values[vertex][search] {
                continue;
            }
            for (neighbour, weight) in self.graph.edges(vertex) {
                let longer = distance + weight;
                let known = self.labels.of(neighbour)[search];
                if longer >= known {
                    continue;
                }
                self.labels.values[neighbour][search] = longer;
                // A vertex that a pass has dealt with falls once more at the most, and by little.
                let first = known >= self.labels.bounds(neighbour)[search];
                if first && self.stiff[neighbour] {
                    self.marks[neighbour / 64] |= 1 << (neighbour % 64);
                    entrance = entrance.min(longer);
                } else {
                    self.frontiers[search].push(neighbour, 0, longer);
                }
            }
        }
        entrance.is_finite()
    }

    /// Follows the edges of marked vertices in the order of their numbers, with those that it marks ahead. Returns whether there were any.
    fn pass(&mut self, backward: bool) -> bool {
        let mut found = false;
        let words = self.marks.len();
        for step in 0..words {
            let word = if backward { words - 1 - step } else { step };
            let mut marked = self.marks[word];
            while marked != 0 {
                found = true;
                let bit = if backward { 63 - marked.leading_zeros() } else { marked.trailing_zeros() };
                self.marks[word] &= !(1 << bit);
                self.relax(64 * word + bit as usize);
                let ahead = if backward { (1 << bit) - 1 } else { !1 << bit };
                marked = (marked | self.marks[word]) & ahead;
            }
        }
        found
    }

    /// Lowers the labels of all searches along the edges of a vertex in a stiff part.
    fn relax(&mut self, vertex: usize) {
        let bounds = self.labels.bounds(vertex);
        let mut distances = self.labels.values[vertex];
        for (distance, bound) in distances.iter_mut().zip(bounds) {
            *distance = if *distance < bound { *distance } else { f64::INFINITY };
        }
        for (neighbour, weight) in self.graph.edges(vertex) {
            let labels = self.labels.of(neighbour);
            let (known, mut lower) = (*labels, *labels);
            let mut any = false;
            for search in 0..WIDTH {
                let longer = distances[search] + weight;
                any |= longer < known[search];
                lower[search] = if longer < known[search] { longer } else { known[search] };
            }
            if !any {
                continue;
            }
            *labels = lower;
            if self.stiff[neighbour] {
                self.marks[neighbour / 64] |= 1 << (neighbour % 64);
                continue;
            }
            for search in 0..WIDTH {
                if lower[search] < known[search] {
                    self.frontiers[search].push(neighbour, 0, lower[search]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test_bodies::{material, two_squares};

    /// Two bodies that share nothing, soft with stiff parts scattered in them.
    fn stiff_parts(contrast: f64, seed: usize) -> ComplianceGraph {
        let mesh = two_squares(13, 11);
        let stiff = |cell: usize| (cell / 9 + seed).wrapping_mul(0x9e37_79b9) >> 7 & 3 != 0;
        let moduli: Vec<f64> =
            (0..mesh.cell_count()).map(|cell| if stiff(cell) { contrast } else { 1.0 }).collect();
        ComplianceGraph::new(&mesh, &material(&mesh, &moduli))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn bundles_visit_exactly_the_balls_with_the_bits_of_full_runs(
            exponent in 0.0f64..6.0,
            seed in 0usize..1000,
            bundles in proptest::collection::vec(proptest::collection::vec((0usize..152, 0.0f64..1.0), 1..9), 1..4),
            share in 0.05f64..1.2,
        ) {
            let graph = stiff_parts(10f64.powf(exponent), seed);
            let full = graph.distances_from(0);
            let farthest = full.into_iter().filter(|distance| distance.is_finite()).fold(0.0, f64::max);
            let bounds = vec![share * farthest; graph.vertex_count()];
            let mut bundle = SearchBundle::within(&graph, &bounds);
            for together in bundles {
                let (sources, free): (Vec<usize>, Vec<f64>) =
                    together.into_iter().map(|(source, free)| (source, free * farthest)).unzip();
                let mut visited = Vec::new();
                bundle.run(&sources, &free, |vertex, search, distance| visited.push((search, vertex, distance)));
                visited.sort_by_key(|&(search, vertex, _)| (search, vertex));
                let mut balls = Vec::new();
                for (search, &source) in sources.iter().enumerate() {
                    let radius = free[search].max(bounds[0]);
                    let distances = graph.distances_from(source).into_iter().enumerate();
                    balls.extend(distances.filter(|&(_, d)| d < radius).map(|(vertex, d)| (search, vertex, d)));
                }
                prop_assert_eq!(visited, balls);
            }
        }
    }

    #[test]
    fn stiff_parts_are_those_that_a_search_crosses_in_passes() {
        let graph = stiff_parts(1e6, 3);
        let bounds = vec![1.0; graph.vertex_count()];
        let stiff = SearchBundle::within(&graph, &bounds).stiff;
        let share = stiff.iter().filter(|&&stiff| stiff).count();
        assert!((20..130).contains(&share), "{share}");
    }
}
