//! Connected components of what the anchors leave free: harmonic extension into them and their fixed-interface modes.

use faer::Mat;
use pliant_fem::{Ordering, SparseCholesky, SymmetricMatrix, SymmetricPattern};

use super::mode::Mode;
use crate::{Anchors, BasisError, EigenOptions, smallest_eigenpairs};

/// Functions that are extended at once.
const COLUMNS_PER_SOLVE: usize = 32;

/// Free vertices that cells join, and the anchors around them.
pub(super) struct FreeComponent {
    /// Ascending.
    pub(super) vertices: Vec<usize>,
    /// The anchors that share a cell with it, ascending; none for a component that floats.
    pub(super) anchors: Vec<usize>,
    /// `(place in vertices, vertex of an anchor, L entry)` of every pair that couples.
    couplings: Vec<(usize, usize, f64)>,
}

/// A component with `L_ff` and its factor.
pub(super) struct SolvableComponent {
    pub(super) component: FreeComponent,
    matrix: SymmetricMatrix,
    /// None for a component that floats.
    cholesky: Option<SparseCholesky>,
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
        let (mut couplings, mut anchors) = (Vec::new(), Vec::new());
        for (row, &vertex) in vertices.iter().enumerate() {
            for_each_neighbour(laplacian.pattern(), vertex, |neighbour, place| {
                if let Some(anchor) = of_vertices[neighbour] {
                    couplings.push((row, neighbour, laplacian.values()[place]));
                    anchors.push(anchor);
                }
            });
        }
        anchors.sort_unstable();
        anchors.dedup();
        Self { vertices, anchors, couplings }
    }

    /// Whether no anchor holds it.
    pub(super) fn floats(&self) -> bool {
        self.anchors.is_empty()
    }

    /// Factorises `L_ff` where an anchor makes it definite.
    pub(super) fn solvable(self, laplacian: &SymmetricMatrix) -> Result<SolvableComponent, BasisError> {
        let matrix = laplacian.of_vertices(&self.vertices);
        let mut cholesky = None;
        if !self.floats() {
            let mut factor = SparseCholesky::new(matrix.pattern(), Ordering::Auto)?;
            factor.factorize(&matrix)?;
            cholesky = Some(factor);
        }
        Ok(SolvableComponent { component: self, matrix, cholesky })
    }
}

impl SolvableComponent {
    /// `L_ff^-1` times the columns, in place; zero for a component that floats.
    pub(super) fn solve(&mut self, columns: &mut Mat<f64>) {
        match &mut self.cholesky {
            Some(cholesky) => {
                for first in (0..columns.ncols()).step_by(COLUMNS_PER_SOLVE) {
                    let width = COLUMNS_PER_SOLVE.min(columns.ncols() - first);
                    cholesky.solve_many_in_place(columns.as_mut().subcols_mut(first, width));
                }
            }
            None => columns.fill(0.0),
        }
    }

    /// `w_f = -L_ff^-1 L_fa w_a` of several functions, `value(vertex, function)` at the vertices of anchors; a row for each vertex of the component.
    pub(super) fn extension(&mut self, functions: usize, value: impl Fn(usize, usize) -> f64) -> Mat<f64> {
        let mut columns = Mat::zeros(self.component.vertices.len(), functions);
        for &(row, vertex, entry) in &self.component.couplings {
            for function in 0..functions {
                columns[(row, function)] -= entry * value(vertex, function);
            }
        }
        self.solve(&mut columns);
        columns
    }

    /// The `count` lowest eigenvectors of `L_ff w = lambda M_ff w`, fewer where the component has fewer; constants of a component that
    /// floats are left out.
    pub(super) fn modes(
        &self,
        mass: &[f64],
        count: usize,
        options: &EigenOptions,
    ) -> Result<Vec<Mode>, BasisError> {
        let constants = usize::from(self.component.floats());
        lowest_modes(&self.matrix, &self.component.vertices, mass, constants, count, options)
    }
}

/// The `count` lowest eigenvectors of `L w = lambda M w` on some vertices, after the first `skipped`; fewer where there are fewer.
pub(super) fn lowest_modes(
    matrix: &SymmetricMatrix,
    vertices: &[usize],
    mass: &[f64],
    skipped: usize,
    count: usize,
    options: &EigenOptions,
) -> Result<Vec<Mode>, BasisError> {
    let pairs = (count + skipped).min(vertices.len());
    if count == 0 || pairs <= skipped {
        return Ok(Vec::new());
    }
    let mass: Vec<f64> = vertices.iter().map(|&vertex| mass[vertex]).collect();
    let found = smallest_eigenpairs(matrix, &mass, pairs, options)?;
    let mode = |index: usize| {
        let column = found.vectors.col(index).iter();
        Mode::new(found.values[index], vertices.iter().copied().zip(column.copied()).collect())
    };
    Ok((skipped..pairs).map(mode).collect())
}

/// Calls back with every vertex that couples with this one, itself too, and the place of the pair in the values of L (one component).
pub(super) fn for_each_neighbour(
    pattern: &SymmetricPattern,
    vertex: usize,
    mut action: impl FnMut(usize, usize),
) {
    for &(column, nth) in pattern.blocks_left(vertex) {
        action(column, pattern.entry(column, nth, 0, 0));
    }
    for (nth, &row) in pattern.vertex_rows(vertex).iter().enumerate() {
        action(row, pattern.entry(vertex, nth, 0, 0));
    }
}
