//! Cardinal weights: modes turned into weights that are 1 at a node of their own and 0 at the other nodes, then made sparse.
//!
//! With F the modes times `lambda^-decay` (n x K), a pivoted QR of `F^T` chooses k nodes, and `C = F F_s^T (F_s F_s^T)^-1`, `F_s` the rows of the nodes,
//! has for each node the function in the span of the K modes that interpolates there with the least `sum_i lambda_i^(2 decay) c_i^2`. For K = k these are the
//! modes in another basis, `C = W W_s^-1`. Such functions are local only where the modes come in whole families, one for each part
//! of the body; a larger K lets high modes cut them off, at the price of another, equally smooth span (polyharmonic splines in the limit).
//! Entries are then shrunk towards 0, which keeps weights continuous where dropping small entries would tear stiff parts, and rows are divided
//! by their sum.
//! Source for the splines: Owhadi, Zhang, Berlyand, "Polyharmonic homogenization, rough polyharmonic splines and sparse
//! super-localization", 2014.

use faer::MatRef;
use rayon::prelude::*;

use crate::BasisError;

/// How much a constant counts next to the first mode that is none: interpolation reproduces it.
const CONSTANT: f64 = 1e3;
/// Values within this of the largest, relatively, count as equal; the lowest vertex becomes the node.
const TIE: f64 = 1e-9;
/// A row whose sum would shrink below this fraction shrinks by less.
const LEAST_SUM: f64 = 0.25;
/// Factor from one threshold to the next where weights are too many.
const RISE: f64 = 1.25;
/// Thresholds stay below this.
const HIGHEST_THRESHOLD: f64 = 0.25;

/// Fraction of the frames that a vertex may follow before the threshold rises.
const MOST_FILLED: f64 = 0.8;

/// The entries of one vertex: frames, ascending, and weights.
pub(crate) type Row = Vec<(usize, f64)>;

/// How modes become cardinal weights.
#[derive(Clone, Debug, PartialEq)]
pub struct CardinalOptions {
    /// Entries shrink by this much and vanish below it; 0 or more, below 1. Default 0.01; for `anchored` 0.0055.
    pub threshold: f64,
    /// Mean number of weights of a vertex above which the span is widened. Default 2.2.
    pub entries_per_vertex: f64,
    /// Mean number of weights of a vertex, at most 4/5 of the frames (and 2), above which the threshold rises, up to 0.25; a threshold of 0
    /// never does. Default 3.2.
    pub most_entries_per_vertex: f64,
    /// Modes for each frame where the span is widened, at least 1. Default 3.
    pub oversampling: f64,
    /// Power of the eigenvalue by which a mode is divided, 0 or more: how much smoothness counts. Default 1.5; for `anchored` 1.
    pub decay: f64,
}

impl Default for CardinalOptions {
    fn default() -> Self {
        Self {
            threshold: 0.01,
            entries_per_vertex: 2.2,
            most_entries_per_vertex: 3.2,
            oversampling: 3.0,
            decay: 1.5,
        }
    }
}

impl CardinalOptions {
    /// The defaults for `anchored`.
    pub fn anchored() -> Self {
        Self { threshold: 0.0055, decay: 1.0, ..Self::default() }
    }

    /// Refuses what no weights can be made with.
    pub(crate) fn check(&self) -> Result<(), BasisError> {
        let options = [
            ("threshold", self.threshold, (0.0..1.0).contains(&self.threshold), "a number from 0 to below 1"),
            ("entries_per_vertex", self.entries_per_vertex, self.entries_per_vertex >= 0.0, "0 or more"),
            (
                "most_entries_per_vertex",
                self.most_entries_per_vertex,
                self.most_entries_per_vertex >= 0.0,
                "0 or more",
            ),
            ("decay", self.decay, self.decay.is_finite() && self.decay >= 0.0, "a finite number from 0"),
            (
                "oversampling",
                self.oversampling,
                self.oversampling.is_finite() && self.oversampling >= 1.0,
                "a finite number from 1",
            ),
        ];
        match options.into_iter().find(|(_, _, valid, _)| !valid) {
            Some((option, value, _, limit)) => Err(BasisError::CardinalOption { option, value, limit }),
            None => Ok(()),
        }
    }

    /// Modes that the widened span of `frames` frames needs, at most `available`.
    pub(crate) fn widened(&self, frames: usize, available: usize) -> usize {
        ((self.oversampling * frames as f64).ceil() as usize + 4).min(available).max(frames)
    }

    /// Whether rows that shrink by the threshold hold few enough weights.
    pub(crate) fn is_local(&self, rows: &[Row]) -> bool {
        mean_entries(&shrink_all(rows, self.threshold)) <= self.entries_per_vertex
    }

    /// Shrinks the entries of every row by the threshold, or by the lowest higher one that leaves few enough.
    pub(crate) fn shrink(&self, rows: &[Row], frame_count: usize) -> Vec<Row> {
        let most = self.most_entries_per_vertex.min((MOST_FILLED * frame_count as f64).max(2.0));
        let mut threshold = self.threshold;
        let mut best = shrink_all(rows, threshold);
        while mean_entries(&best) > most && threshold > 0.0 {
            threshold *= RISE;
            if threshold > HIGHEST_THRESHOLD {
                break;
            }
            best = shrink_all(rows, threshold);
        }
        best
    }
}

/// Functions that interpolate at nodes.
pub(crate) struct CardinalFunctions {
    /// k rows of the modes, one for each function.
    pub(crate) nodes: Vec<usize>,
    /// n x k, row-major; the rows of nodes are unit vectors to the last bit.
    pub(crate) values: Vec<f64>,
}

impl CardinalFunctions {
    /// As many functions as `count` (at most n), from at least as many M-orthonormal modes (n x K) with ascending eigenvalues, of which the first
    /// `constants` are zero. O(n K count).
    pub(crate) fn new(
        modes: MatRef<'_, f64>,
        eigenvalues: &[f64],
        constants: usize,
        count: usize,
        decay: f64,
    ) -> Self {
        let (vertices, width) = (modes.nrows(), modes.ncols());
        let first = eigenvalues.get(constants).copied().unwrap_or(1.0);
        let weight = |mode: usize| {
            if mode < constants { CONSTANT } else { (first / eigenvalues[mode]).powf(decay) }
        };
        let weights: Vec<f64> = (0..width).map(weight).collect();
        // What the nodes chosen so far leave of the row of every vertex.
        let mut rest: Vec<f64> = (0..vertices)
            .flat_map(|v| (0..width).map(move |mode| (v, mode)))
            .map(|(v, mode)| modes[(v, mode)] * weights[mode])
            .collect();
        let mut nodes = Vec::with_capacity(count);
        let mut coefficients = vec![0.0; vertices * count];
        for step in 0..count {
            let lengths: Vec<f64> = rest.chunks_exact(width).map(dot_itself).collect();
            let longest = lengths.iter().fold(0.0, |most: f64, length| most.max(*length));
            let is_longest = |length: &f64| *length >= longest * (1.0 - TIE);
            let node = lengths.iter().position(is_longest).expect("some row is the longest");
            nodes.push(node);
            let scale = 1.0 / longest.max(f64::MIN_POSITIVE).sqrt();
            let direction: Vec<f64> =
                rest[node * width..(node + 1) * width].iter().map(|entry| entry * scale).collect();
            for (row, coefficient) in
                rest.chunks_exact_mut(width).zip(coefficients.iter_mut().skip(step).step_by(count))
            {
                *coefficient = row.iter().zip(&direction).map(|(a, b)| a * b).sum();
                row.iter_mut().zip(&direction).for_each(|(entry, part)| *entry -= *coefficient * part);
            }
        }
        let triangle: Vec<f64> =
            nodes.iter().flat_map(|node| &coefficients[node * count..(node + 1) * count]).copied().collect();
        for row in coefficients.chunks_exact_mut(count) {
            solve_row(&triangle, row);
        }
        for (own, node) in nodes.iter().enumerate() {
            let row = &mut coefficients[node * count..(node + 1) * count];
            row.fill(0.0);
            row[own] = 1.0;
        }
        Self { nodes, values: coefficients }
    }

    /// The values of every function at one vertex.
    pub(crate) fn row(&self, vertex: usize) -> &[f64] {
        let count = self.nodes.len();
        &self.values[vertex * count..(vertex + 1) * count]
    }
}

fn dot_itself(row: &[f64]) -> f64 {
    row.iter().map(|entry| entry * entry).sum()
}

/// Overwrites r with the x of `x L = r`, L lower triangular, row-major.
fn solve_row(triangle: &[f64], row: &mut [f64]) {
    let count = row.len();
    for column in (0..count).rev() {
        let known: f64 = (column + 1..count).map(|i| row[i] * triangle[i * count + column]).sum();
        row[column] = (row[column] - known) / triangle[column * count + column];
    }
}

fn shrink_all(rows: &[Row], threshold: f64) -> Vec<Row> {
    rows.par_iter().map(|row| shrunk(row, threshold)).collect()
}

fn mean_entries(rows: &[Row]) -> f64 {
    rows.iter().map(Vec::len).sum::<usize>() as f64 / rows.len().max(1) as f64
}

/// The entries of a row whose weights should sum to one, smaller by `threshold`, without those that vanish, divided by their sum. A row that would
/// lose half of its sum shrinks by a half, a quarter and so on.
fn shrunk(row: &Row, threshold: f64) -> Row {
    let sum = |row: &Row| row.iter().map(|(_, value)| value).sum::<f64>();
    let at = |threshold: f64| -> Row {
        let smaller = |value: f64| value.signum() * (value.abs() - threshold).max(0.0);
        row.iter().map(|&(frame, value)| (frame, smaller(value))).filter(|(_, value)| *value != 0.0).collect()
    };
    let least = LEAST_SUM * sum(row);
    let mut left = at(threshold);
    for halvings in 1..=12 {
        if sum(&left) >= least {
            break;
        }
        left = at(if halvings < 12 { threshold * 0.5_f64.powi(halvings) } else { 0.0 });
    }
    let total = sum(&left);
    left.iter_mut().for_each(|(_, value)| *value /= total);
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use faer::Mat;

    /// Cosines on a bar of 60 vertices, the eigenvectors of its Laplacian with free ends, M-orthonormal for equal masses.
    fn cosines(count: usize) -> (Mat<f64>, Vec<f64>) {
        let angle =
            |vertex: usize, mode: usize| std::f64::consts::PI * mode as f64 * (vertex as f64 + 0.5) / 60.0;
        let modes = Mat::from_fn(60, count, |vertex, mode| {
            if mode == 0 { 1.0 } else { std::f64::consts::SQRT_2 * angle(vertex, mode).cos() }
        });
        (modes, (0..count).map(|mode| (mode * mode) as f64).collect())
    }

    #[test]
    fn without_more_modes_than_functions_the_span_is_that_of_the_modes() {
        let (modes, eigenvalues) = cosines(6);
        let functions = CardinalFunctions::new(modes.as_ref(), &eigenvalues, 1, 6, 1.5);
        for vertex in 0..60 {
            for mode in 0..6 {
                let at_nodes = functions.nodes.iter().map(|&node| modes[(node, mode)]);
                let sum: f64 = functions.row(vertex).iter().zip(at_nodes).map(|(c, w)| c * w).sum();
                assert!((sum - modes[(vertex, mode)]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn functions_interpolate_at_distinct_nodes_to_the_last_bit_and_reproduce_the_constant() {
        let (modes, eigenvalues) = cosines(24);
        let functions = CardinalFunctions::new(modes.as_ref(), &eigenvalues, 1, 8, 1.5);
        for (own, &node) in functions.nodes.iter().enumerate() {
            for (other, &value) in functions.row(node).iter().enumerate() {
                assert_eq!(value, f64::from(u8::from(own == other)));
            }
        }
        for vertex in 0..60 {
            assert!((functions.row(vertex).iter().sum::<f64>() - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn more_modes_than_functions_make_them_local() {
        let entries = |width: usize| {
            let (modes, eigenvalues) = cosines(width);
            let functions = CardinalFunctions::new(modes.as_ref(), &eigenvalues, 1, 12, 1.5);
            functions.values.iter().filter(|value| value.abs() > 0.01).count()
        };
        assert!(entries(40) < entries(12), "{} and {}", entries(40), entries(12));
    }

    #[test]
    fn shrinking_is_continuous_and_keeps_the_sum_of_a_row() {
        let shrunk = |row: &[f64]| shrunk(&row.iter().copied().enumerate().collect(), 0.01);
        assert_eq!(shrunk(&[0.0, 1.0, 0.0]), [(1, 1.0)]);
        let (just_kept, just_dropped) = (shrunk(&[0.9899, 0.0101]), shrunk(&[0.9901, 0.0099]));
        assert_eq!((just_kept.len(), just_dropped.len()), (2, 1));
        assert!(just_kept[1].1 < 2e-4 && just_dropped[0].1 == 1.0);
        let many = vec![1.0 / 200.0; 200];
        assert_eq!(shrunk(&many).len(), 200);
    }

    #[test]
    fn the_threshold_rises_until_weights_are_few_enough_and_zero_stays_zero() {
        let row = || -> Row { [0.9, 0.04, 0.03, 0.02, 0.01].into_iter().enumerate().collect() };
        let entries = |threshold: f64, most_entries_per_vertex: f64| {
            let options =
                CardinalOptions { threshold, most_entries_per_vertex, ..CardinalOptions::default() };
            mean_entries(&options.shrink(&[row(), row()], 5))
        };
        assert_eq!(entries(0.005, 9.0), 4.0);
        assert_eq!(entries(0.005, 3.5), 3.0);
        assert_eq!(entries(0.005, 0.0), 1.0);
        assert_eq!(entries(0.0, 0.0), 5.0);
    }

    #[test]
    fn options_out_of_range_are_sentences() {
        let message = |options: CardinalOptions| options.check().unwrap_err().to_string();
        assert_eq!(
            message(CardinalOptions { threshold: 1.0, ..CardinalOptions::default() }),
            "the option threshold of cardinal weights is 1; give a number from 0 to below 1"
        );
        assert!(
            message(CardinalOptions { oversampling: f64::NAN, ..CardinalOptions::default() })
                .contains("from 1")
        );
        assert!(CardinalOptions::default().check().is_ok());
    }
}
