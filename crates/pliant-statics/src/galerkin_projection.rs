//! The projected Hessian `H_z = B^T H B` for `B = S (x) I_D`, from the D x D vertex blocks of H.
//!
//! Block `(c, e)` of H_z is `sum_{v, w} S_vc H_vw S_we`. With the lower half of H (its diagonal blocks halved) this is `T + T^T`,
//! `T = sum_w Q_w (x) S_w`, `Q_w = sum_{v >= w} S_v (x) H_vw`: a sparse sum for each row `w`, then a dense product over panels of rows.
//! A panel works on the columns that its rows and their neighbours touch, so sparse weights cost what they touch.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use pliant_fem::SymmetricMatrix;
use rayon::prelude::*;

use crate::reduced_columns::ReducedColumns;

/// Rows of a panel.
const PANEL_ROWS: usize = 96;
/// Panels are summed in at most this many groups, and the groups in order, so that sums never depend on the number of threads.
const MOST_GROUPS: usize = 8;
/// Panels of a group at least: each group has a sum of its own to clear and to add.
const LEAST_PANELS: usize = 4;

/// What projecting the Hessians of one mesh onto one subspace needs.
#[derive(Clone, Debug)]
pub(crate) struct GalerkinProjection<const D: usize> {
    /// Rows in an order in which neighbours touch the same columns.
    order: Vec<usize>,
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
        let halves: Vec<Mat<f64>> = panels
            .par_chunks(group_size)
            .map(|group| {
                let mut half = Mat::zeros(count * D * D, count);
                let mut panel = Panel::<D>::new(count);
                for rows in group {
                    panel.accumulate(columns, hessian, rows, &mut half);
                }
                half
            })
            .collect();
        let mut halves = halves.into_iter();
        let mut half = halves.next().expect("a mesh has rows");
        for part in halves {
            half += part;
        }
        let entry = |row: usize, column: usize| {
            let (c, a) = (row / D, row % D);
            let (e, b) = (column / D, column % D);
            half[((a * D + b) * count + c, e)]
        };
        Mat::from_fn(count * D, count * D, |row, column| entry(row, column) + entry(column, row))
    }
}

/// The memory of one panel.
struct Panel<const D: usize> {
    /// For each column its place among the active ones.
    place: Vec<usize>,
    active: Vec<usize>,
    /// Q: for each row and each (a, b) the active columns.
    pushed: Vec<f64>,
    /// S: for each row the active columns.
    rows: Vec<f64>,
    product: Vec<f64>,
}

const INACTIVE: usize = usize::MAX;

impl<const D: usize> Panel<D> {
    fn new(count: usize) -> Self {
        Self {
            place: vec![INACTIVE; count],
            active: Vec::new(),
            pushed: Vec::new(),
            rows: Vec::new(),
            product: Vec::new(),
        }
    }

    fn accumulate(
        &mut self,
        columns: &ReducedColumns,
        hessian: &SymmetricMatrix,
        rows: &[usize],
        half: &mut Mat<f64>,
    ) {
        self.find_active_columns(columns, hessian, rows);
        let active = self.active.len();
        self.pushed.clear();
        self.pushed.resize(rows.len() * D * D * active, 0.0);
        self.rows.clear();
        self.rows.resize(rows.len() * active, 0.0);
        for (index, &row) in rows.iter().enumerate() {
            let (entries, values) = columns.row(row);
            for (&column, &value) in entries.iter().zip(values) {
                self.rows[index * active + self.place[column]] = value;
            }
            let pushed = &mut self.pushed[index * D * D * active..(index + 1) * D * D * active];
            push_row::<D>(columns, hessian, row, &self.place, pushed);
        }
        self.add_product(rows.len(), columns.column_count(), half);
    }

    fn find_active_columns(&mut self, columns: &ReducedColumns, hessian: &SymmetricMatrix, rows: &[usize]) {
        for &column in &self.active {
            self.place[column] = INACTIVE;
        }
        self.active.clear();
        for &row in rows {
            for &neighbour in hessian.pattern().vertex_rows(row) {
                for &column in columns.row(neighbour).0 {
                    if self.place[column] == INACTIVE {
                        self.place[column] = self.active.len();
                        self.active.push(column);
                    }
                }
            }
            if self.active.len() == self.place.len() {
                break;
            }
        }
    }

    /// Adds `Q^T S` of the panel to the rows `(a, b, c)` and columns `e` of the half.
    fn add_product(&mut self, rows: usize, count: usize, half: &mut Mat<f64>) {
        let active = self.active.len();
        if active == 0 {
            return;
        }
        let pushed = MatRef::from_row_major_slice(&self.pushed, rows, D * D * active);
        let panel = MatRef::from_row_major_slice(&self.rows, rows, active);
        self.product.resize(D * D * active * active, 0.0);
        let product = MatMut::from_column_major_slice_mut(
            &mut self.product[..D * D * active * active],
            D * D * active,
            active,
        );
        matmul(product, Accum::Replace, pushed.transpose(), panel, 1.0, Par::Seq);
        for (e, &column) in self.active.iter().enumerate() {
            let sums = half.col_mut(column).try_as_col_major_mut().expect("a matrix column is contiguous");
            let sums = sums.as_slice_mut();
            for ab in 0..D * D {
                let from = &self.product[(e * D * D + ab) * active..(e * D * D + ab + 1) * active];
                for (&value, &c) in from.iter().zip(&self.active) {
                    sums[ab * count + c] += value;
                }
            }
        }
    }
}

/// `Q_w`: the lower half of column `w` of H times S, for each (a, b) the active columns.
fn push_row<const D: usize>(
    columns: &ReducedColumns,
    hessian: &SymmetricMatrix,
    row: usize,
    place: &[usize],
    pushed: &mut [f64],
) {
    let active = pushed.len() / (D * D);
    for (nth, &neighbour) in hessian.pattern().vertex_rows(row).iter().enumerate() {
        let block = hessian.block::<D>(row, nth);
        let share = if nth == 0 { 0.5 } else { 1.0 };
        let (entries, values) = columns.row(neighbour);
        for a in 0..D {
            for b in 0..D {
                let factor = share * block[a][b];
                let out = &mut pushed[(a * D + b) * active..(a * D + b + 1) * active];
                for (&column, value) in entries.iter().zip(values) {
                    out[place[column]] += factor * value;
                }
            }
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
