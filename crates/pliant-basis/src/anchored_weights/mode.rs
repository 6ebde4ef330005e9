//! A weight that is no frame of an anchor: zero but for the listed vertices.

use crate::NONZERO;

/// Eigenvalues that are this near, relatively, count as equal.
const EQUAL: f64 = 1e-9;

/// A fixed-interface mode of a free component, or a mode of the inside of a stiff part.
#[derive(Clone, Debug)]
pub(super) struct Mode {
    /// In Pa/m^2.
    pub(super) eigenvalue: f64,
    /// Vertices, ascending, and values, the largest 1 in size, none of 1e-9 or less.
    pub(super) entries: Vec<(usize, f64)>,
    /// The free component it lives on, or a number above those for a stiff part; 0 before it is sorted.
    pub(super) group: usize,
}

impl Mode {
    /// Scales the values and drops the small ones.
    pub(super) fn new(eigenvalue: f64, mut entries: Vec<(usize, f64)>) -> Self {
        let largest = entries.iter().fold(0.0, |most: f64, (_, value)| most.max(value.abs()));
        entries.iter_mut().for_each(|(_, value)| *value /= largest.max(f64::MIN_POSITIVE));
        entries.retain(|(_, value)| value.abs() > NONZERO);
        Self { eigenvalue, entries, group: 0 }
    }
}

/// The `count` modes of lowest eigenvalue of all groups, numbered from `first_group`; see [`sort`].
pub(super) fn lowest(groups: Vec<Vec<Mode>>, first_group: usize, count: usize) -> Vec<Mode> {
    let mut all: Vec<Mode> = Vec::new();
    for (group, modes) in groups.into_iter().enumerate() {
        all.extend(modes.into_iter().map(|mode| Mode { group: first_group + group, ..mode }));
    }
    sort(&mut all);
    all.truncate(count);
    all
}

/// Ascending eigenvalues; equal ones in the order of the groups.
pub(super) fn sort(modes: &mut [Mode]) {
    modes.sort_by(|a, b| a.eigenvalue.total_cmp(&b.eigenvalue));
    modes
        .chunk_by_mut(|a, b| b.eigenvalue <= a.eigenvalue * (1.0 + EQUAL))
        .for_each(|equal| equal.sort_by_key(|mode| mode.group));
}
