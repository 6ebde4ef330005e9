//! Connected components of what the anchors leave free: their harmonic weights and their fixed-interface modes.

use faer::Mat;
use pliant_fem::{Ordering, SparseCholesky, SymmetricMatrix, SymmetricPattern};

use crate::{Anchors, BasisError, EigenOptions, NONZERO, smallest_eigenpairs};

/// Anchors whose weights are solved for at once.
const COLUMNS_PER_SOLVE: usize = 32;

/// Free vertices that cells join, and the anchors around them.
pub(super) struct FreeComponent {
    /// Ascending.
    pub(super) vertices: Vec<usize>,
    /// The anchors that share a cell with it, ascending; none for a component that floats.
    pub(super) anchors: Vec<usize>,
    /// `(place in vertices, place in anchors, L entry)` of every pair that couples.
    couplings: Vec<(usize, usize, f64)>,
}

/// The fixed-interface modes of one component.
pub(super) struct ComponentModes {
    /// Ascending; without the zero of a component that floats.
    pub(super) eigenvalues: Vec<f64>,
    /// One column for each mode, scaled to a largest entry of 1.
    pub(super) modes: Mat<f64>,
}

impl FreeComponent {
    /// All components, by lowest vertex. O(non-zeros of L).
    pub(super) fn find(laplacian: &SymmetricMatrix, anchors: &Anchors) -> Vec<Self> {
        let pattern = laplacian.pattern();
        let of_vertices = anchors.of_vertices();
        let mut component = vec![usize::MAX; of_vertices.len()];
        let mut found: Vec<Self> = Vec::new();
        for seed in 0..of_vertices.len() {
            if of_vertices[seed].is_some() || component[seed] != usize::MAX {
                continue;
            }
            component[seed] = found.len();
            let mut vertices = vec![seed];
            let mut next = 0;
            while next < vertices.len() {
                for_each_neighbour(pattern, vertices[next], |neighbour, _| {
                    if of_vertices[neighbour].is_none() && component[neighbour] == usize::MAX {
                        component[neighbour] = found.len();
                        vertices.push(neighbour);
                    }
                });
                next += 1;
            }
            vertices.sort_unstable();
            found.push(Self::with_couplings(laplacian, of_vertices, vertices));
        }
        found
    }

    fn with_couplings(
        laplacian: &SymmetricMatrix,
        of_vertices: &[Option<usize>],
        vertices: Vec<usize>,
    ) -> Self {
        let mut couplings = Vec::new();
        for (row, &vertex) in vertices.iter().enumerate() {
            for_each_neighbour(laplacian.pattern(), vertex, |neighbour, place| {
                if let Some(anchor) = of_vertices[neighbour] {
                    couplings.push((row, anchor, laplacian.values()[place]));
                }
            });
        }
        let mut anchors: Vec<usize> = couplings.iter().map(|&(_, anchor, _)| anchor).collect();
        anchors.sort_unstable();
        anchors.dedup();
        for (_, anchor, _) in &mut couplings {
            *anchor = anchors.binary_search(anchor).expect("the anchor of every coupling is listed");
        }
        Self { vertices, anchors, couplings }
    }

    /// Whether no anchor holds it.
    pub(super) fn floats(&self) -> bool {
        self.anchors.is_empty()
    }

    /// `W_f = -L_ff^-1 L_fa W_a`: for each vertex its `(anchor, weight)` pairs, anchors ascending. Weights of at most 1e-9 are dropped and
    /// the others divided by their sum.
    pub(super) fn harmonic_rows(
        &self,
        matrix: &SymmetricMatrix,
    ) -> Result<Vec<Vec<(usize, f64)>>, BasisError> {
        let mut rows = vec![Vec::new(); self.vertices.len()];
        if self.floats() {
            return Ok(rows);
        }
        let mut cholesky = SparseCholesky::new(matrix.pattern(), Ordering::Auto)?;
        cholesky.factorize(matrix)?;
        let mut by_anchor = self.couplings.clone();
        by_anchor.sort_by_key(|&(row, anchor, _)| (anchor, row));
        let mut couplings = by_anchor.into_iter().peekable();
        for first in (0..self.anchors.len()).step_by(COLUMNS_PER_SOLVE) {
            let width = COLUMNS_PER_SOLVE.min(self.anchors.len() - first);
            let mut block = Mat::zeros(self.vertices.len(), width);
            while let Some((row, anchor, value)) = couplings.next_if(|coupling| coupling.1 < first + width) {
                block[(row, anchor - first)] -= value;
            }
            cholesky.solve_many_in_place(block.as_mut());
            for (column, &anchor) in self.anchors[first..first + width].iter().enumerate() {
                for (row, &weight) in rows.iter_mut().zip(block.col_as_slice(column)) {
                    if weight.abs() > NONZERO {
                        row.push((anchor, weight));
                    }
                }
            }
        }
        for row in &mut rows {
            let sum: f64 = row.iter().map(|&(_, weight)| weight).sum();
            row.iter_mut().for_each(|(_, weight)| *weight /= sum);
        }
        Ok(rows)
    }

    /// The `count` lowest eigenvectors of `L_ff w = lambda M_ff w`, fewer where the component has fewer; constants of a component that
    /// floats are left out.
    pub(super) fn modes(
        &self,
        matrix: &SymmetricMatrix,
        mass: &[f64],
        count: usize,
        options: &EigenOptions,
    ) -> Result<ComponentModes, BasisError> {
        let constants = usize::from(self.floats());
        let pairs = (count + constants).min(self.vertices.len());
        if count == 0 || pairs == constants {
            return Ok(ComponentModes { eigenvalues: Vec::new(), modes: Mat::zeros(self.vertices.len(), 0) });
        }
        let mass: Vec<f64> = self.vertices.iter().map(|&vertex| mass[vertex]).collect();
        let found = smallest_eigenpairs(matrix, &mass, pairs, options)?;
        let mut modes = found.vectors.subcols(constants, pairs - constants).to_owned();
        for column in modes.col_iter_mut() {
            let largest = column.norm_max();
            column.iter_mut().for_each(|value| *value /= largest);
        }
        Ok(ComponentModes { eigenvalues: found.values[constants..].to_vec(), modes })
    }
}

/// Calls back with every vertex that couples with this one, itself too, and the place of the pair in the values of L (one component).
fn for_each_neighbour(pattern: &SymmetricPattern, vertex: usize, mut action: impl FnMut(usize, usize)) {
    for &(column, nth) in pattern.blocks_left(vertex) {
        action(column, pattern.entry(column, nth, 0, 0));
    }
    for (nth, &row) in pattern.vertex_rows(vertex).iter().enumerate() {
        action(row, pattern.entry(vertex, nth, 0, 0));
    }
}
