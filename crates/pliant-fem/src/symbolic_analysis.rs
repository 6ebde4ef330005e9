//! The structure of a sparse Cholesky factor, in the best order that pays.

use faer::Side;
use faer::perm::PermRef;
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::cholesky::{SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky};

use crate::ordering::{expand_to_rows, inverse, minimum_degree, nested_dissection};
use crate::{FemError, Ordering, SymmetricPattern};

/// Numbers in a factor from which a second ordering costs little beside the factorisations that it may save.
const DISSECT_ABOVE: usize = 3_000_000;

/// Orders and analyses a pattern.
///
/// # Errors
/// If a graph or the structure of the factor does not fit into memory or its index type.
pub(crate) fn analyse(
    pattern: &SymmetricPattern,
    ordering: Ordering,
) -> Result<SymbolicCholesky<usize>, FemError> {
    if ordering == Ordering::NestedDissection {
        return analyse_in_order(pattern, &nested_dissection(pattern)?);
    }
    let by_degree = analyse_in_order(pattern, &minimum_degree(pattern)?)?;
    if ordering == Ordering::Auto && pattern.dimension() == 3 && by_degree.len_val() > DISSECT_ABOVE {
        let dissected = analyse_in_order(pattern, &nested_dissection(pattern)?)?;
        if dissected.len_val() < by_degree.len_val() {
            return Ok(dissected);
        }
    }
    Ok(by_degree)
}

fn analyse_in_order(
    pattern: &SymmetricPattern,
    vertices: &[usize],
) -> Result<SymbolicCholesky<usize>, FemError> {
    let dofs = pattern.dof_count();
    let order = expand_to_rows(vertices, pattern.components());
    let back = inverse(&order);
    factorize_symbolic_cholesky(
        symbolic_view(pattern),
        Side::Lower,
        SymmetricOrdering::Custom(PermRef::new_checked(&order, &back, dofs)),
        Default::default(),
    )
    .map_err(|error| FemError::FactorisationFailed { dofs, reason: error.to_string() })
}

/// The lower triangle of a pattern as faer sees it.
pub(crate) fn symbolic_view(pattern: &SymmetricPattern) -> SymbolicSparseColMatRef<'_, usize> {
    let dofs = pattern.dof_count();
    // Checking is linear in the entries, next to nothing beside what follows.
    SymbolicSparseColMatRef::new_checked(dofs, dofs, pattern.column_offsets(), None, pattern.row_indices())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_meshes::shuffled_lattice;

    #[test]
    fn auto_has_the_smaller_factor_in_a_large_cube_and_minimum_degree_elsewhere() {
        let sizes = |pattern: &SymmetricPattern| {
            [Ordering::Auto, Ordering::MinimumDegree, Ordering::NestedDissection]
                .map(|ordering| analyse(pattern, ordering).unwrap().len_val())
        };
        let [auto, degree, dissection] = sizes(&SymmetricPattern::new(&shuffled_lattice::<3>(17, 1), 3));
        assert!(auto == dissection && dissection < degree);
        let [auto, degree, _] = sizes(&SymmetricPattern::new(&shuffled_lattice::<3>(6, 2), 3));
        assert_eq!(auto, degree);
        let [auto, degree, _] = sizes(&SymmetricPattern::new(&shuffled_lattice::<2>(20, 3), 2));
        assert_eq!(auto, degree);
    }
}
