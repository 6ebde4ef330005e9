//! Smoothed aggregation: a multilevel preconditioner whose coarse levels are rigid motions of aggregates of vertices.
//!
//! One application is a V-cycle: smooth, restrict the residual, correct on the coarse level, smooth. Aggregates follow strong couplings, so they know
//! the materials; the number of iterations grows neither with the mesh nor with the ratio of the moduli. Vanek, Mandel, Brezina 1996.

mod aggregates;
mod block_matrix;
mod chebyshev;
mod galerkin_product;
mod levels;
mod prolongation;

use faer::linalg::solvers::{Llt, Solve};
use faer::{MatMut, Side};

use self::aggregates::Aggregates;
use self::block_matrix::{Block, BlockMatrix};
use self::chebyshev::Chebyshev;
use self::galerkin_product::galerkin_product;
use self::levels::Levels;
use self::prolongation::{Tentative, smoothed};
use crate::{FemError, SymmetricMatrix};

pub(crate) use self::chebyshev::dot;

/// Couplings are strong above this fraction of the diagonal, on the finest level; half of it on each level after.
const STRONG: f64 = 0.08;
/// Rows of a level that is solved directly.
const DIRECT_ROWS: usize = 1500;

/// Which motions cost next to nothing, and must be among those of the coarse levels.
#[derive(Clone, Copy, Debug)]
pub enum NearKernel<'a, const D: usize> {
    /// Constants: the kernel of a Laplacian, one component for each vertex.
    Constant,
    /// Rigid motions about these positions: the kernel of a stiffness, D components for each vertex.
    RigidMotions(&'a [[f64; D]]),
}

/// A preconditioner for a symmetric positive definite matrix, and that matrix, ready for products.
pub struct SmoothedAggregation {
    levels: Box<dyn Levels + Send + Sync>,
}

impl SmoothedAggregation {
    /// Builds the levels. O(non-zeros), about the cost of ten iterations.
    ///
    /// # Errors
    /// If a block of a diagonal, or the coarsest matrix, is not positive definite.
    ///
    /// # Panics
    /// If the matrix does not have the components, or not the vertices, of the near kernel.
    pub fn new<const D: usize>(
        matrix: &SymmetricMatrix,
        kernel: NearKernel<'_, D>,
    ) -> Result<Self, FemError> {
        let levels: Box<dyn Levels + Send + Sync> = match kernel {
            NearKernel::Constant => {
                Box::new(Hierarchy::new(matrix, vec![[[1.0]]; matrix.pattern().vertex_count()])?)
            }
            NearKernel::RigidMotions(positions) => {
                assert_eq!(positions.len(), matrix.pattern().vertex_count(), "one position for each vertex");
                let centred = centred(positions);
                match D {
                    2 => Box::new(Hierarchy::new(matrix, centred.map(|x| rigid_2d([x[0], x[1]])).collect())?),
                    _ => Box::new(Hierarchy::new(
                        matrix,
                        centred.map(|x| rigid_3d([x[0], x[1], x[D - 1]])).collect(),
                    )?),
                }
            }
        };
        Ok(Self { levels })
    }

    /// `y = A x`. Parallel, the same bits for any number of threads.
    ///
    /// # Panics
    /// If a slice does not have one entry for each row.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        self.levels.multiply(0, x, 1, y);
    }

    /// `M^-1 b`, M symmetric positive definite and near A. Parallel, the same bits for any number of threads.
    ///
    /// # Panics
    /// If the slice does not have one entry for each row.
    pub fn precondition(&self, b: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; b.len()];
        self.levels.precondition(0, b, 1, &mut x);
        x
    }
}

/// Positions relative to their mean, which keeps rotations from looking like translations.
fn centred<const D: usize>(positions: &[[f64; D]]) -> impl Iterator<Item = [f64; D]> {
    let count = positions.len().max(1) as f64;
    let mean: [f64; D] = std::array::from_fn(|axis| positions.iter().map(|x| x[axis]).sum::<f64>() / count);
    positions.iter().map(move |x| std::array::from_fn(|axis| x[axis] - mean[axis]))
}

fn rigid_2d([x, y]: [f64; 2]) -> Block<2, 3> {
    [[1.0, 0.0, -y], [0.0, 1.0, x]]
}

fn rigid_3d([x, y, z]: [f64; 3]) -> Block<3, 6> {
    [[1.0, 0.0, 0.0, 0.0, z, -y], [0.0, 1.0, 0.0, -z, 0.0, x], [0.0, 0.0, 1.0, y, -x, 0.0]]
}

/// One level and the way to the next.
struct Level<const B: usize, const K: usize> {
    matrix: BlockMatrix<B, B>,
    smoother: Chebyshev<B>,
    /// None on the last level.
    transfer: Option<Transfer<B, K>>,
}

struct Transfer<const B: usize, const K: usize> {
    prolongation: BlockMatrix<B, K>,
    restriction: BlockMatrix<K, B>,
}

/// What the next level starts from.
struct Coarse<const K: usize> {
    matrix: BlockMatrix<K, K>,
    kernel: Vec<Block<K, K>>,
}

impl<const B: usize, const K: usize> Level<B, K> {
    /// The level, and the matrix of the next; the row of a diagonal block that is not positive definite as the error.
    fn new(
        matrix: BlockMatrix<B, B>,
        kernel: &[Block<B, K>],
        threshold: f64,
    ) -> Result<(Self, Option<Coarse<K>>), usize> {
        let smoother = Chebyshev::new(&matrix)?;
        let aggregates = Aggregates::new(&matrix, threshold);
        if aggregates.count == 0 {
            return Ok((Self { matrix, smoother, transfer: None }, None));
        }
        let tentative = Tentative::new(&aggregates, kernel);
        let omega = 4.0 / (3.0 * smoother.largest_eigenvalue());
        let prolongation =
            smoothed(&matrix, smoother.inverse_diagonal(), omega, &aggregates, &tentative.blocks);
        let restriction = prolongation.transposed();
        let mut coarse = galerkin_product(&matrix, &prolongation, &restriction);
        coarse.fill_empty_diagonal();
        let transfer = Some(Transfer { prolongation, restriction });
        let coarse = Coarse { matrix: coarse, kernel: tentative.coarse_kernel };
        Ok((Self { matrix, smoother, transfer }, Some(coarse)))
    }

    /// # Panics
    /// On the last level.
    fn prolongation(&self) -> &BlockMatrix<B, K> {
        &self.transfer.as_ref().expect("there is a coarser level").prolongation
    }

    /// One cycle on W columns into X, which is 0.
    fn cycle<const W: usize>(&self, b: &[f64], x: &mut [f64], correct: impl FnOnce(Vec<f64>) -> Vec<f64>) {
        let (mut residual, mut step) = (vec![0.0; b.len()], vec![0.0; b.len()]);
        self.smoother.smooth::<W>(&self.matrix, b, x, true, [&mut residual, &mut step]);
        if let Some(transfer) = &self.transfer {
            self.matrix.residual::<W>(b, x, &mut residual);
            let mut coarse = vec![0.0; transfer.restriction.row_count() * K * W];
            transfer.restriction.multiply::<W>(&residual, &mut coarse);
            transfer.prolongation.multiply_add::<W>(&correct(coarse), x);
            self.smoother.smooth::<W>(&self.matrix, b, x, false, [&mut residual, &mut step]);
        }
    }
}

/// All levels: the finest, those between, and the coarsest.
struct Hierarchy<const B: usize, const K: usize> {
    finest: Level<B, K>,
    coarser: Vec<Level<K, K>>,
    coarsest: Option<Coarsest<K>>,
}

/// A level that is solved directly.
struct Coarsest<const K: usize> {
    matrix: BlockMatrix<K, K>,
    factor: Llt<f64>,
}

impl<const B: usize, const K: usize> Hierarchy<B, K> {
    fn new(matrix: &SymmetricMatrix, kernel: Vec<Block<B, K>>) -> Result<Self, FemError> {
        let mut threshold = STRONG;
        let finest = Level::new(BlockMatrix::from_symmetric(matrix), &kernel, threshold);
        let (finest, mut next) = finest.map_err(|vertex| FemError::NotPositiveDefinite {
            dof: vertex * B,
            vertex,
            component: 0,
        })?;
        let mut coarser = Vec::new();
        let mut coarsest = None;
        while let Some(coarse) = next {
            if coarse.matrix.row_count() * K <= DIRECT_ROWS {
                let factor = coarse.matrix.to_dense().llt(Side::Lower);
                let factor = factor.map_err(|_| FemError::Indefinite { iteration: 0 })?;
                coarsest = Some(Coarsest { matrix: coarse.matrix, factor });
                break;
            }
            threshold *= 0.5;
            let level = Level::new(coarse.matrix, &coarse.kernel, threshold);
            let (level, after) = level.map_err(|_| FemError::Indefinite { iteration: 0 })?;
            coarser.push(level);
            next = after;
        }
        Ok(Self { finest, coarser, coarsest })
    }

    /// One cycle from a level downwards, the finest being 0, on W columns.
    fn precondition_columns<const W: usize>(&self, level: usize, b: &[f64], x: &mut [f64]) {
        x.fill(0.0);
        let correct = |coarse| self.correct::<W>(level, coarse);
        match level.checked_sub(1) {
            None => self.finest.cycle::<W>(b, x, correct),
            Some(index) if index < self.coarser.len() => self.coarser[index].cycle::<W>(b, x, correct),
            Some(index) => x.copy_from_slice(&self.correct::<W>(index, b.to_vec())),
        }
    }

    /// The correction on the coarser level of this index and those below it.
    fn correct<const W: usize>(&self, index: usize, mut b: Vec<f64>) -> Vec<f64> {
        if let Some(level) = self.coarser.get(index) {
            let mut x = vec![0.0; b.len()];
            level.cycle::<W>(&b, &mut x, |coarse| self.correct::<W>(index + 1, coarse));
            return x;
        }
        if let Some(coarsest) = &self.coarsest {
            let rows = b.len() / W;
            coarsest.factor.solve_in_place(MatMut::from_row_major_slice_mut(&mut b, rows, W));
        }
        b
    }
}

#[cfg(test)]
mod tests;
