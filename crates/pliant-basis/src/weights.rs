//! Weights W, n x k: how much each frame moves each vertex, kept as sparse rows.

use crate::BasisError;

/// A weight counts as non-zero when its absolute value is above this.
pub const NONZERO: f64 = 1e-9;

/// The weights of every vertex for every frame, n x k, without unit.
///
/// A row keeps its entries in ascending order of frames; an entry that is not stored is 0. All values are finite and there
/// is at least one frame. Nothing is said about signs or row sums: those depend on the method.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    row_offsets: Vec<usize>,
    frames: Vec<usize>,
    values: Vec<f64>,
    frame_count: usize,
}

impl Weights {
    /// Weights from compressed sparse rows: row `v` is `row_offsets[v]..row_offsets[v + 1]` of `frames` and `values`.
    ///
    /// Explicit zeros are kept. O(n + entries).
    ///
    /// # Errors
    /// No frame, arrays whose lengths do not agree, a frame out of range or out of ascending order, a value that is not finite.
    pub fn from_sparse_rows(
        frame_count: usize,
        row_offsets: Vec<usize>,
        frames: Vec<usize>,
        values: Vec<f64>,
    ) -> Result<Self, BasisError> {
        let vertices = row_offsets.len().saturating_sub(1);
        if frame_count == 0 {
            return Err(BasisError::FrameCount { frames: 0, vertices });
        }
        check_offsets(&row_offsets, frames.len())?;
        if values.len() != frames.len() {
            return Err(BasisError::ArrayLength {
                what: "the array of weights",
                length: values.len(),
                expected: frames.len(),
                hint: "give one value for each frame index",
            });
        }
        let weights = Self { row_offsets, frames, values, frame_count };
        (0..vertices).try_for_each(|vertex| weights.check_row(vertex))?;
        Ok(weights)
    }

    /// Weights from one list of `(frame, weight)` pairs for each vertex.
    ///
    /// # Errors
    /// As [`Weights::from_sparse_rows`].
    pub fn from_rows(frame_count: usize, rows: &[Vec<(usize, f64)>]) -> Result<Self, BasisError> {
        let entries = rows.iter().map(Vec::len).sum();
        let mut row_offsets = Vec::with_capacity(rows.len() + 1);
        let mut frames = Vec::with_capacity(entries);
        let mut values = Vec::with_capacity(entries);
        row_offsets.push(0);
        for row in rows {
            frames.extend(row.iter().map(|&(frame, _)| frame));
            values.extend(row.iter().map(|&(_, value)| value));
            row_offsets.push(frames.len());
        }
        Self::from_sparse_rows(frame_count, row_offsets, frames, values)
    }

    /// Weights from a row-major n x k array; every entry is kept, zeros too. See [`Weights::without_zeros`].
    ///
    /// # Errors
    /// No frame, a length that is not a multiple of `frame_count`, a value that is not finite.
    pub fn from_dense(frame_count: usize, row_major: Vec<f64>) -> Result<Self, BasisError> {
        if frame_count == 0 {
            return Err(BasisError::FrameCount { frames: 0, vertices: row_major.len() });
        }
        let vertices = row_major.len() / frame_count;
        if vertices * frame_count != row_major.len() {
            return Err(BasisError::ArrayLength {
                what: "the array of weights",
                length: row_major.len(),
                expected: (vertices + 1) * frame_count,
                hint: "give one value for each vertex and each frame",
            });
        }
        let row_offsets = (0..=vertices).map(|vertex| vertex * frame_count).collect();
        let frames = (0..vertices).flat_map(|_| 0..frame_count).collect();
        Self::from_sparse_rows(frame_count, row_offsets, frames, row_major)
    }

    /// The same weights without the entries whose absolute value is at most [`NONZERO`].
    pub fn without_zeros(&self) -> Self {
        self.filtered(self.frame_count, |_, value| value.abs() > NONZERO)
    }

    /// The first `frame_count` frames alone: modes computed once for the largest count serve every smaller one.
    ///
    /// # Errors
    /// If `frame_count` is 0 or above [`Weights::frame_count`].
    pub fn truncated(&self, frame_count: usize) -> Result<Self, BasisError> {
        if frame_count == 0 || frame_count > self.frame_count {
            return Err(BasisError::Truncation { frames: frame_count, available: self.frame_count });
        }
        Ok(self.filtered(frame_count, |frame, _| frame < frame_count))
    }

    /// n.
    pub fn vertex_count(&self) -> usize {
        self.row_offsets.len() - 1
    }

    /// k, at least 1.
    pub fn frame_count(&self) -> usize {
        self.frame_count
    }

    /// The frames of one vertex in ascending order, and their weights.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn row(&self, vertex: usize) -> (&[usize], &[f64]) {
        let range = self.row_offsets[vertex]..self.row_offsets[vertex + 1];
        (&self.frames[range.clone()], &self.values[range])
    }

    /// Where each row starts in [`Weights::frames`] and [`Weights::values`], n + 1 entries.
    pub fn row_offsets(&self) -> &[usize] {
        &self.row_offsets
    }

    /// The frame of every stored entry, row after row.
    pub fn frames(&self) -> &[usize] {
        &self.frames
    }

    /// The weight of every stored entry, row after row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The weight of one vertex for one frame, 0 where none is stored. O(log k).
    ///
    /// # Panics
    /// If the vertex is out of range.
    pub fn weight(&self, vertex: usize, frame: usize) -> f64 {
        let (frames, values) = self.row(vertex);
        frames.binary_search(&frame).map_or(0.0, |entry| values[entry])
    }

    /// The weights of one frame for every vertex, n. O(entries).
    ///
    /// # Panics
    /// If the frame is out of range.
    pub fn column(&self, frame: usize) -> Vec<f64> {
        assert!(frame < self.frame_count, "frame {frame} of {}", self.frame_count);
        (0..self.vertex_count()).map(|vertex| self.weight(vertex, frame)).collect()
    }

    /// How many weights have an absolute value above [`NONZERO`].
    pub fn nonzeros(&self) -> usize {
        self.values.iter().filter(|value| value.abs() > NONZERO).count()
    }

    /// [`Weights::nonzeros`] over n k.
    pub fn density(&self) -> f64 {
        self.nonzeros() as f64 / (self.vertex_count() * self.frame_count) as f64
    }

    /// The sum of each row, n.
    pub fn row_sums(&self) -> Vec<f64> {
        (0..self.vertex_count()).map(|vertex| self.row(vertex).1.iter().sum()).collect()
    }

    /// The largest `|row sum - 1|`: 0 for a partition of unity.
    pub fn partition_of_unity_error(&self) -> f64 {
        self.row_sums().iter().map(|sum| (sum - 1.0).abs()).fold(0.0, f64::max)
    }

    fn filtered(&self, frame_count: usize, keep: impl Fn(usize, f64) -> bool) -> Self {
        let mut row_offsets = Vec::with_capacity(self.row_offsets.len());
        let (mut frames, mut values) = (Vec::new(), Vec::new());
        row_offsets.push(0);
        for vertex in 0..self.vertex_count() {
            let (row_frames, row_values) = self.row(vertex);
            for (&frame, &value) in row_frames.iter().zip(row_values) {
                if keep(frame, value) {
                    frames.push(frame);
                    values.push(value);
                }
            }
            row_offsets.push(frames.len());
        }
        Self { row_offsets, frames, values, frame_count }
    }

    fn check_row(&self, vertex: usize) -> Result<(), BasisError> {
        let (frames, values) = self.row(vertex);
        for (entry, (&frame, &value)) in frames.iter().zip(values).enumerate() {
            if frame >= self.frame_count {
                return Err(BasisError::FrameOutOfRange { vertex, frame, frames: self.frame_count });
            }
            if entry > 0 && frames[entry - 1] >= frame {
                return Err(BasisError::FrameOrder { vertex, frame, previous: frames[entry - 1] });
            }
            if !value.is_finite() {
                return Err(BasisError::WeightNotFinite { vertex, frame, value });
            }
        }
        Ok(())
    }
}

fn check_offsets(row_offsets: &[usize], entries: usize) -> Result<(), BasisError> {
    let mut least = 0;
    for (row, &value) in row_offsets.iter().enumerate() {
        if value < least || (row == 0 && value != 0) {
            return Err(BasisError::RowOffsets { row, value, least });
        }
        least = value;
    }
    let hint = "give n + 1 offsets, the last of which is the number of entries";
    match row_offsets.last() {
        Some(&last) if last == entries => Ok(()),
        Some(&last) => Err(BasisError::ArrayLength {
            what: "the array of frame indices",
            length: entries,
            expected: last,
            hint,
        }),
        None => {
            Err(BasisError::ArrayLength { what: "the array of row offsets", length: 0, expected: 1, hint })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three vertices, two frames: the first and last vertex hold a frame alone, the middle one blends.
    fn hat() -> Weights {
        Weights::from_rows(2, &[vec![(0, 1.0)], vec![(0, 0.25), (1, 0.75)], vec![(1, 1.0)]]).unwrap()
    }

    #[test]
    fn sparse_and_dense_rows_hold_the_same_weights() {
        let dense = Weights::from_dense(2, vec![1.0, 0.0, 0.25, 0.75, 1e-10, 1.0]).unwrap();
        assert_eq!(dense.values().len(), 6);
        assert_eq!(dense.nonzeros(), 4);
        assert_eq!(dense.without_zeros(), hat());
        assert_eq!(hat().column(1), [0.0, 0.75, 1.0]);
        assert_eq!(hat().row(1), (&[0, 1][..], &[0.25, 0.75][..]));
        assert!((hat().density() - 4.0 / 6.0).abs() < 1e-15);
    }

    #[test]
    fn row_sums_measure_the_partition_of_unity() {
        assert_eq!(hat().row_sums(), [1.0; 3]);
        assert_eq!(hat().partition_of_unity_error(), 0.0);
        assert_eq!(hat().truncated(1).unwrap().row_sums(), [1.0, 0.25, 0.0]);
        assert_eq!(hat().truncated(1).unwrap().partition_of_unity_error(), 1.0);
    }

    #[test]
    fn truncation_keeps_the_first_frames_and_refuses_none_or_too_many() {
        let first = hat().truncated(1).unwrap();
        assert_eq!((first.frame_count(), first.column(0)), (1, vec![1.0, 0.25, 0.0]));
        assert_eq!(hat().truncated(2).unwrap(), hat());
        for frames in [0, 3] {
            let error = hat().truncated(frames).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("{frames} frames were asked for, but the weights hold 2; keep 1 to 2")
            );
        }
    }

    #[test]
    fn bad_rows_are_refused_with_the_offending_entry() {
        let reject = |rows: &[Vec<(usize, f64)>]| Weights::from_rows(2, rows).unwrap_err().to_string();
        assert_eq!(
            reject(&[vec![], vec![(2, 1.0)]]),
            "the weights of vertex 1 name frame 2, but there are 2 frames, numbered from 0"
        );
        assert_eq!(
            reject(&[vec![(1, 0.5), (0, 0.5)]]),
            "the weights of vertex 0 name frame 0 after frame 1; list each frame once, in ascending order"
        );
        assert_eq!(
            reject(&[vec![(1, f64::NAN)]]),
            "the weight of vertex 0 for frame 1 is NaN; every weight must be a finite number"
        );
    }

    #[test]
    fn arrays_whose_lengths_disagree_are_refused() {
        let build = |offsets: &[usize], frames: &[usize], values: &[f64]| {
            Weights::from_sparse_rows(2, offsets.to_vec(), frames.to_vec(), values.to_vec())
        };
        assert!(build(&[0, 1, 2], &[0, 1], &[1.0, 1.0]).is_ok());
        assert!(matches!(
            build(&[0, 1, 2], &[0, 1], &[1.0]),
            Err(BasisError::ArrayLength { expected: 2, .. })
        ));
        assert!(matches!(
            build(&[0, 1], &[0, 1], &[1.0, 1.0]),
            Err(BasisError::ArrayLength { expected: 1, .. })
        ));
        assert!(matches!(build(&[], &[], &[]), Err(BasisError::ArrayLength { length: 0, .. })));
        let down = build(&[0, 2, 1, 2], &[0, 1], &[1.0, 1.0]);
        assert!(matches!(down, Err(BasisError::RowOffsets { row: 2, value: 1, least: 2 })));
        assert!(matches!(build(&[1, 2], &[0, 1], &[1.0; 2]), Err(BasisError::RowOffsets { row: 0, .. })));
        assert!(matches!(
            Weights::from_dense(2, vec![1.0; 3]),
            Err(BasisError::ArrayLength { expected: 4, .. })
        ));
        assert!(matches!(Weights::from_dense(0, vec![]), Err(BasisError::FrameCount { frames: 0, .. })));
    }
}
