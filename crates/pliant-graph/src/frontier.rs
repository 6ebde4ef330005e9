//! The vertices that Dijkstra's algorithm has reached and not settled: a radix heap with calibers, a few steps a vertex where a heap takes log n.
//!
//! An entry waits in the bucket of the highest bit in which its distance differs from the floor, the smallest distance in the buckets
//! when they were last looked into. When nothing is ready, the lowest bucket is dealt out again above its own smallest distance.
//! An entry is ready, in any order, once it is within the floor plus the caliber of its vertex, its shortest edge: another path to the
//! vertex leads through an entry still here, at the floor or beyond, and ends in an edge at least that long, so it is no shorter. Sums
//! rounded along a path keep that order. Buckets halve their range each time, and stop at the length of an edge, short or long as it is
//! there: stiff and soft parts cost the same.
//! Sources: Ahuja, Mehlhorn, Orlin, Tarjan 1990, "Faster algorithms for the shortest path problem"; Goldberg 2008, "A practical shortest
//! path algorithm with linear expected time".

/// A vertex reached from a source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) distance: f64,
    pub(crate) vertex: u32,
    /// What the user counts sources by; the queue does not look at it.
    pub(crate) source: u32,
}

/// Entries to settle. For popped entries to be final, what is pushed must not be nearer than what was popped before it; what is nearer
/// comes at once.
#[derive(Debug)]
pub(crate) struct Frontier<'graph> {
    calibers: &'graph [f64],
    floor: f64,
    ready: Vec<Entry>,
    /// One for each bit of a distance; numbers above zero order like their bits.
    buckets: Vec<Vec<Entry>>,
    /// The bits whose buckets hold something.
    filled: u64,
}

impl<'graph> Frontier<'graph> {
    /// An empty frontier; `calibers` are the lengths of the shortest edges at the vertices.
    pub(crate) fn new(calibers: &'graph [f64]) -> Self {
        Self { calibers, floor: 0.0, ready: Vec::new(), buckets: vec![Vec::new(); 64], filled: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, vertex: usize, source: u32, distance: f64) {
        self.deal(Entry { distance, vertex: vertex as u32, source });
    }

    /// An entry that no path through the others improves.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Entry> {
        while self.ready.is_empty() && self.filled != 0 {
            self.raise_floor();
        }
        self.ready.pop()
    }

    pub(crate) fn clear(&mut self) {
        self.floor = 0.0;
        self.ready.clear();
        self.buckets.iter_mut().for_each(Vec::clear);
        self.filled = 0;
    }

    #[inline]
    fn deal(&mut self, entry: Entry) {
        if entry.distance <= self.floor + self.calibers[entry.vertex as usize] {
            self.ready.push(entry);
        } else {
            // It is above the floor, so some bit differs.
            let bit = (entry.distance.to_bits() ^ self.floor.to_bits()).ilog2();
            self.buckets[bit as usize].push(entry);
            self.filled |= 1 << bit;
        }
    }

    fn raise_floor(&mut self) {
        let lowest = self.filled.trailing_zeros() as usize;
        self.filled &= self.filled - 1;
        let mut entries = std::mem::take(&mut self.buckets[lowest]);
        let nearest = entries.iter().map(|entry| entry.distance.to_bits()).min();
        self.floor = nearest.map_or(self.floor, f64::from_bits);
        for entry in entries.drain(..) {
            self.deal(entry);
        }
        // All went below: they agree with the floor in this bit now. The memory stays.
        self.buckets[lowest] = entries;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_calibers_entries_come_in_order_whatever_the_range() {
        let calibers = [0.0; 64];
        let mut frontier = Frontier::new(&calibers);
        for round in 0..2 {
            for vertex in 0..64 {
                let step = (vertex * 37 + round) % 64;
                frontier.push(vertex, 7, 1.5_f64.powi(step as i32 - 32));
            }
            let popped: Vec<f64> =
                std::iter::from_fn(|| frontier.pop()).map(|entry| entry.distance).collect();
            assert_eq!(popped.len(), 64);
            assert!(popped.windows(2).all(|pair| pair[0] < pair[1]));
            frontier.clear();
        }
    }

    #[test]
    fn an_entry_is_never_ready_beyond_the_nearest_one_and_its_own_caliber() {
        let calibers = [0.5, 0.25, 0.0, 2.0];
        let mut frontier = Frontier::new(&calibers);
        let distances = [1.4, 1.3, 1.0, 3.5];
        (0..4).for_each(|vertex| frontier.push(vertex, 0, distances[vertex]));
        let order: Vec<u32> = std::iter::from_fn(|| frontier.pop()).map(|entry| entry.vertex).collect();
        let place = |vertex: u32| order.iter().position(|&popped| popped == vertex).unwrap();
        // Vertex 0 is within 0.5 of the nearest, vertex 1 not within 0.25, vertex 3 not within 2.
        assert!(place(0) < place(1) && place(2) < place(1) && place(3) == 3);
    }
}
