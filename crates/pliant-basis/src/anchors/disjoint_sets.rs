//! Disjoint sets of indices (union-find), each led by its lowest member.

/// Sets that start as one for each index and are joined.
pub(super) struct DisjointSets {
    parents: Vec<usize>,
}

impl DisjointSets {
    pub(super) fn new(count: usize) -> Self {
        Self { parents: (0..count).collect() }
    }

    /// The lowest index of the set that holds this one.
    pub(super) fn lowest(&mut self, mut index: usize) -> usize {
        while self.parents[index] != index {
            self.parents[index] = self.parents[self.parents[index]];
            index = self.parents[index];
        }
        index
    }

    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.lowest(a), self.lowest(b));
        self.parents[a.max(b)] = a.min(b);
    }

    /// Joins all of these.
    pub(super) fn join_all(&mut self, indices: &[usize]) {
        indices.windows(2).for_each(|pair| self.join(pair[0], pair[1]));
    }
}
