//! The tie rule: values within `1e-9` relative of the extreme are equal, and equal means the earliest.
//!
//! Symmetric meshes need it: without it the last bit of a sum would choose between mirror images.

/// Relative width of a tie.
pub(crate) const TIE: f64 = 1e-9;

/// Position of the first value that ties with the largest; `None` when there is no value. Infinity ties with itself.
pub(crate) fn first_largest(values: impl Iterator<Item = f64> + Clone) -> Option<usize> {
    let largest = values.clone().reduce(f64::max)?;
    let bound = largest * (1.0 - TIE);
    values.clone().position(|value| value >= bound)
}

/// Position of the first value that ties with the smallest; `None` when there is no value. Values are not negative.
pub(crate) fn first_smallest(values: impl Iterator<Item = f64> + Clone) -> Option<usize> {
    let smallest = values.clone().reduce(f64::min)?;
    let bound = smallest * (1.0 + TIE);
    values.clone().position(|value| value <= bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_within_the_tie_width_of_the_extreme_count_as_equal() {
        let values = [1.0, 3.0 - 1e-10, 3.0, 1.0 - 1e-10];
        assert_eq!(first_largest(values.iter().copied()), Some(1));
        assert_eq!(first_smallest(values.iter().copied()), Some(0));
    }

    #[test]
    fn values_outside_the_tie_width_are_different() {
        let values = [1.0, 3.0 - 1e-8, 3.0, 1.0 - 1e-8];
        assert_eq!(first_largest(values.iter().copied()), Some(2));
        assert_eq!(first_smallest(values.iter().copied()), Some(3));
    }

    #[test]
    fn infinity_is_the_largest_value_and_ties_with_itself() {
        let values = [1.0, f64::INFINITY, f64::INFINITY];
        assert_eq!(first_largest(values.iter().copied()), Some(1));
        assert_eq!(first_largest(std::iter::empty()), None);
        assert_eq!(first_smallest(std::iter::empty()), None);
    }
}
