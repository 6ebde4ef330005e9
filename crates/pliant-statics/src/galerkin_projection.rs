//! The projected Hessian `H_z = B^T H B` for `B = S (x) I_D`, from the D x D vertex blocks of H.
//!
//! Block `(a, b)` of H_z, over all pairs of columns `(c, e)`, is `sum_w Q_w S_w` with `Q_w[c] = sum_v S_vc H_vw[a][b]`: a sparse sum for each row `w`, then a
//! dense product over panels of rows. H is symmetric, so the blocks `a <= b` say all, and of `a = b` the lower half. A panel works on the columns
//! that its rows and their neighbours touch, so sparse weights cost what they touch.

use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::{Accum, Mat, MatMut, MatRef, Par};
use pliant_fem::SymmetricMatrix;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use crate::reduced_columns::ReducedColumns;

/// Rows of a panel.
const PANEL_ROWS: usize = 128;
/// Panels are summed in at most this many groups, and the groups in order, so that sums never depend on the number of threads.
const MOST_GROUPS: usize = 8;
/// Panels of a group at least: each group has a sum of its own to clear and to add.
const LEAST_PANELS: usize = 4;
/// Columns of a panel are filled up with zeros to a multiple of this many, the most numbers that a processor sums side by side.
const LANES: usize = 8;
/// Pairs `a <= b` of components at most.
const MOST_PAIRS: usize = 6;

/// What projecting the Hessians of one mesh onto one subspace needs.
#[derive(Clone, Debug)]
pub(crate) struct GalerkinProjection<const D: usize> {
    /// Rows in an order in which neighbours touch the same columns.
    order: Vec<usize>,
}

/// The components `(a, b)`, `a <= b`, whose blocks are summed.
fn pairs<const D: usize>() -> impl Iterator<Item = (usize, usize)> {
    (0..D).flat_map(|b| (0..=b).map(move |a| (a, b)))
}

impl<const D: usize> GalerkinProjection<D> {
    pub(crate) fn new(columns: &ReducedColumns) -> Self {
        let mut order: Vec<usize> = (0..columns.row_count()).collect();
        // Rows with the same columns stand together; where all rows have all columns nothing moves.
        order.sort_by(|&a, &b| columns.row(a).0.cmp(columns.row(b).0));
        Self { order }
    }

    /// `B^T H B`, symmetric to the last bit. Parallel, the same bits for any number of threads.
    pub(crate) fn project(&self, columns: &ReducedColumns, hessian: &SymmetricMatrix) -> Mat<f64> {
        let count = columns.column_count();
        let panels: Vec<&[usize]> = self.order.chunks(PANEL_ROWS).collect();
        let group_size = panels.len().div_ceil(MOST_GROUPS).max(LEAST_PANELS);
        let groups: Vec<Vec<Mat<f64>>> = panels
            .par_chunks(group_size)
            .map(|group| {
                let mut sums = vec![Mat::zeros(count, count); pairs::<D>().count()];
                let mut panel = Panel::<D>::new(columns);
                for rows in group {
                    panel.accumulate(columns, hessian, rows, &mut sums);
                }
                sums
            })
            .collect();
        let mut groups = groups.into_iter();
        let mut sums = groups.next().expect("a mesh has rows");
        for group in groups {
            sums.iter_mut().zip(group).for_each(|(sum, part)| *sum += part);
        }
        let sum_of = |a: usize, b: usize| &sums[b * (b + 1) / 2 + a];
        Mat::from_fn(count * D, count * D, |row, column| {
            let ((c, a), (e, b)) = ((row / D, row % D), (column / D, column % D));
            match a.cmp(&b) {
                std::cmp::Ordering::Less => sum_of(a, b)[(c, e)],
                std::cmp::Ordering::Equal => sum_of(a, b)[(c.max(e), c.min(e))],
                std::cmp::Ordering::Greater => sum_of(b, a)[(e, c)],
            }
        })
    }
}

/// The memory of one panel: its rows and their neighbours, each with the active columns side by side.
struct Panel<const D: usize> {
    /// For each column its place among the active ones.
    place: Vec<usize>,
    active: Vec<usize>,
    /// For each row of S its place among those of the panel.
    slot: Vec<u32>,
    /// The rows of S in the panel: its own, then their neighbours.
    members: Vec<usize>,
    /// S of the members, row by row.
    rows: Vec<f64>,
    /// Q: for each pair of components the rows of the panel.
    pushed: Vec<f64>,
    product: Vec<f64>,
}

const NONE: usize = usize::MAX;
const NO_SLOT: u32 = u32::MAX;

/// Blocks of H between a row and a neighbour, one number for each pair of components, and the neighbour's slot.
type Coupling = ([f64; MOST_PAIRS], usize);

impl<const D: usize> Panel<D> {
    fn new(columns: &ReducedColumns) -> Self {
        Self {
            place: vec![NONE; columns.column_count()],
            active: Vec::new(),
            slot: vec![NO_SLOT; columns.row_count()],
            members: Vec::new(),
            rows: Vec::new(),
            pushed: Vec::new(),
            product: Vec::new(),
        }
    }

    /// Adds what the rows contribute to the sum of each pair of components.
    fn accumulate(
        &mut self,
        columns: &ReducedColumns,
        hessian: &SymmetricMatrix,
        rows: &[usize],
        sums: &mut [Mat<f64>],
    ) {
        self.find_members(hessian, rows);
        self.find_active_columns(columns);
        if self.active.is_empty() {
            return;
        }
        let width = self.active.len().next_multiple_of(LANES);
        self.rows.clear();
        self.rows.resize(self.members.len() * width, 0.0);
        for (&member, out) in self.members.iter().zip(self.rows.chunks_exact_mut(width)) {
            let (entries, values) = columns.row(member);
            entries.iter().zip(values).for_each(|(&column, &value)| out[self.place[column]] = value);
        }
        let count = sums.len();
        self.pushed.resize(count * rows.len() * width, 0.0);
        let mut couplings = Vec::new();
        let arch = Arch::new();
        for (index, &row) in rows.iter().enumerate() {
            couplings.clear();
            couplings.extend(couplings_of::<D>(hessian, row, &self.slot));
            let (couplings, from, stride) = (&couplings[..], &self.rows[..], rows.len() * width);
            let pushed = &mut self.pushed[index * width..];
            match D {
                1 => arch.dispatch(PushRow::<1> { couplings, rows: from, width, pushed, stride }),
                2 => arch.dispatch(PushRow::<3> { couplings, rows: from, width, pushed, stride }),
                _ => arch.dispatch(PushRow::<6> { couplings, rows: from, width, pushed, stride }),
            }
        }
        let own = MatRef::from_row_major_slice(&self.rows[..rows.len() * width], rows.len(), width);
        for (pair, ((a, b), sum)) in pairs::<D>().zip(sums).enumerate() {
            let pushed = &self.pushed[pair * rows.len() * width..(pair + 1) * rows.len() * width];
            let pushed = MatRef::from_row_major_slice(pushed, rows.len(), width);
            add_product(pushed, own, a == b, &self.active, sum, &mut self.product);
        }
    }

    fn find_members(&mut self, hessian: &SymmetricMatrix, rows: &[usize]) {
        self.members.iter().for_each(|&member| self.slot[member] = NO_SLOT);
        self.members.clear();
        let pattern = hessian.pattern();
        let left = |&row: &usize| pattern.blocks_left(row).iter().map(|&(column, _)| column);
        let neighbours =
            rows.iter().flat_map(|row| pattern.vertex_rows(*row).iter().copied().chain(left(row)));
        for member in rows.iter().copied().chain(neighbours) {
            if self.slot[member] == NO_SLOT {
                self.slot[member] = self.members.len() as u32;
                self.members.push(member);
            }
        }
    }

    fn find_active_columns(&mut self, columns: &ReducedColumns) {
        self.active.iter().for_each(|&column| self.place[column] = NONE);
        self.active.clear();
        for &member in &self.members {
            for &column in columns.row(member).0 {
                if self.place[column] == NONE {
                    self.place[column] = 0;
                    self.active.push(column);
                }
            }
            if self.active.len() == self.place.len() {
                break;
            }
        }
        self.active.sort_unstable();
        self.active.iter().enumerate().for_each(|(place, &column)| self.place[column] = place);
    }
}

/// `H_vw[a][b]` of every neighbour `v` of row `w`.
fn couplings_of<const D: usize>(
    hessian: &SymmetricMatrix,
    row: usize,
    slot: &[u32],
) -> impl Iterator<Item = Coupling> {
    let coupling = |entry: &dyn Fn(usize, usize) -> f64, neighbour: usize| {
        let mut numbers = [0.0; MOST_PAIRS];
        numbers.iter_mut().zip(pairs::<D>()).for_each(|(number, (a, b))| *number = entry(a, b));
        (numbers, slot[neighbour] as usize)
    };
    let pattern = hessian.pattern();
    let left = pattern.blocks_left(row).iter().map(move |&(column, nth)| {
        let block = hessian.block::<D>(column, nth);
        coupling(&|a, b| block[b][a], column)
    });
    let below = pattern.vertex_rows(row).iter().enumerate().map(move |(nth, &neighbour)| {
        let block = hessian.block::<D>(row, nth);
        coupling(&|a, b| block[a][b], neighbour)
    });
    left.chain(below)
}

/// `Q_w` for each of P pairs of components: sums over the neighbours, as many columns at a time as the processor takes.
struct PushRow<'a, const P: usize> {
    couplings: &'a [Coupling],
    rows: &'a [f64],
    /// Numbers of a row.
    width: usize,
    pushed: &'a mut [f64],
    /// From one pair's numbers to the next one's.
    stride: usize,
}

impl<const P: usize> WithSimd for PushRow<'_, P> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (rows, _) = S::as_simd_f64s(self.rows);
        let (pushed, _) = S::as_mut_simd_f64s(self.pushed);
        let (width, stride) = (self.width / S::F64_LANES, self.stride / S::F64_LANES);
        for place in 0..width {
            let mut sums = [simd.splat_f64s(0.0); P];
            for (numbers, slot) in self.couplings {
                let from = rows[slot * width + place];
                for pair in 0..P {
                    sums[pair] = simd.mul_add_e_f64s(simd.splat_f64s(numbers[pair]), from, sums[pair]);
                }
            }
            for pair in 0..P {
                pushed[pair * stride + place] = sums[pair];
            }
        }
    }
}

/// Adds `Q^T S` of a panel to a sum; of a symmetric one the lower half.
fn add_product(
    pushed: MatRef<'_, f64>,
    rows: MatRef<'_, f64>,
    symmetric: bool,
    active: &[usize],
    sum: &mut Mat<f64>,
    product: &mut Vec<f64>,
) {
    let all = active.len() == sum.nrows();
    let shape = if symmetric { BlockStructure::TriangularLower } else { BlockStructure::Rectangular };
    let multiply = |target: MatMut<'_, f64>, accumulate: Accum| {
        let width = target.nrows();
        let (left, right) = (pushed.subcols(0, width).transpose(), rows.subcols(0, width));
        if symmetric {
            let whole = BlockStructure::Rectangular;
            triangular::matmul(target, shape, accumulate, left, whole, right, whole, 1.0, Par::Seq);
        } else {
            matmul(target, accumulate, left, right, 1.0, Par::Seq);
        }
    };
    if all {
        return multiply(sum.as_mut(), Accum::Add);
    }
    let width = pushed.ncols();
    product.resize(product.len().max(width * width), 0.0);
    let product = &mut product[..width * width];
    multiply(MatMut::from_column_major_slice_mut(product, width, width), Accum::Replace);
    for (place, &column) in active.iter().enumerate() {
        let sums = sum.col_mut(column).try_as_col_major_mut().expect("a matrix column is contiguous");
        let sums = sums.as_slice_mut();
        let first = if symmetric { place } else { 0 };
        for (&value, &row) in product[place * width..].iter().zip(active).skip(first) {
            sums[row] += value;
        }
    }
}

#[cfg(test)]
mod tests {
    use pliant_basis::{Subspace, Weights};
    use pliant_fem::{EnergyModel, HessianProjection};
    use pliant_mesh::{BoxOptions, Material, MaterialMap, Resolution, box_mesh};

    use super::*;
    use crate::FullProblem;
    use crate::centred_frames::CentredFrames;

    /// Weights of frames along x: hats over `support` of the length, everywhere positive for a large support.
    fn hats(positions: &[[f64; 3]], frames: usize, support: f64) -> Weights {
        let weight =
            |x: f64, frame: usize| (1.0 - (x - frame as f64 / (frames - 1) as f64).abs() / support).max(0.0);
        let values: Vec<f64> = positions
            .iter()
            .flat_map(|position| (0..frames).map(move |frame| weight(position[0], frame)))
            .collect();
        Weights::from_dense(frames, values).unwrap().without_zeros()
    }

    fn projection_error(support: f64) -> f64 {
        let resolution = Resolution::Counts([20, 4, 4]);
        let mesh = box_mesh(&BoxOptions { resolution, ..BoxOptions::default() }).unwrap();
        let stuff = Material { youngs_modulus: 2.0, poisson_ratio: 0.3, density: 1.0 };
        let material = MaterialMap::uniform(&mesh, stuff).unwrap();
        let full = FullProblem::new(&mesh, &material, EnergyModel::StableNeoHookean);
        let displacement: Vec<f64> =
            mesh.positions().iter().flatten().enumerate().map(|(i, x)| 0.1 * (x + i as f64).sin()).collect();
        let mut stiffness = full.tangent_stiffness();
        full.assemble(&mut stiffness, &displacement, HessianProjection::Plain);
        let weights = hats(mesh.positions(), 6, support);
        let subspace = Subspace::linear_blend_skinning(&mesh, &material, weights).unwrap();
        let columns = ReducedColumns::new(&subspace, &CentredFrames::new(&subspace));
        let projected = GalerkinProjection::<3>::new(&columns).project(&columns, &stiffness.matrix);
        let basis = Mat::from_fn(mesh.vertex_count() * 3, columns.column_count() * 3, |row, column| {
            let (entries, values) = columns.row(row / 3);
            let entry = entries.binary_search(&(column / 3));
            if row % 3 == column % 3 { entry.map_or(0.0, |entry| values[entry]) } else { 0.0 }
        });
        let expected = basis.transpose() * stiffness.matrix.to_dense() * &basis;
        (projected - &expected).norm_max() / expected.norm_max()
    }

    #[test]
    fn the_projected_hessian_is_the_product_with_the_dense_basis_for_sparse_and_dense_weights() {
        assert!(projection_error(0.3) < 1e-14, "{}", projection_error(0.3));
        assert!(projection_error(2.0) < 1e-14, "{}", projection_error(2.0));
    }
}
