//! The structure of a sparse Cholesky factor, in the best order that pays.

use faer::Side;
use faer::perm::PermRef;
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::cholesky::{SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky};

use crate::elimination_tree::EliminationTree;
use crate::nested_dissection::{nested_dissection, thorough_dissection};
use crate::ordering::{expand_to_rows, inverse, minimum_degree};
use crate::{FemError, Ordering, SymmetricPattern};

/// Operations of a factorisation for each vertex from which dissecting the vertices costs little beside what it may save.
const DISSECT_ABOVE: f64 = 4e5;
/// ... and from which it is worth to look for smaller separators.
const THOROUGH_ABOVE: f64 = 2.5e6;

/// Orders and analyses a pattern.
///
/// # Errors
/// If a graph or the structure of the factor does not fit into memory or its index type.
pub(crate) fn analyse(
    pattern: &SymmetricPattern,
    ordering: Ordering,
) -> Result<SymbolicCholesky<usize>, FemError> {
    analyse_in_order(pattern, &best_tree(pattern, ordering)?.order)
}

fn best_tree(pattern: &SymmetricPattern, ordering: Ordering) -> Result<EliminationTree, FemError> {
    if ordering == Ordering::NestedDissection {
        return dissected(pattern);
    }
    let by_degree = EliminationTree::new(pattern, &minimum_degree(pattern)?);
    let components = pattern.components();
    let flops_per_vertex = by_degree.flops(components) / pattern.vertex_count() as f64;
    if ordering == Ordering::Auto && pattern.dimension() == 3 && flops_per_vertex > DISSECT_ABOVE {
        let dissected = dissected(pattern)?;
        if dissected.flops(components) < by_degree.flops(components) {
            return Ok(dissected);
        }
    }
    Ok(by_degree)
}

/// Nested dissection; where a factorisation is long, with the smallest of several separators.
fn dissected(pattern: &SymmetricPattern) -> Result<EliminationTree, FemError> {
    let components = pattern.components();
    let plain = EliminationTree::new(pattern, &nested_dissection(pattern)?);
    if plain.flops(components) > THOROUGH_ABOVE * pattern.vertex_count() as f64 {
        let thorough = EliminationTree::new(pattern, &thorough_dissection(pattern)?);
        if thorough.flops(components) < plain.flops(components) {
            return Ok(thorough);
        }
    }
    Ok(plain)
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
    fn auto_takes_the_fewest_operations_in_a_large_cube_and_minimum_degree_elsewhere() {
        let flops = |pattern: &SymmetricPattern| {
            [Ordering::Auto, Ordering::MinimumDegree, Ordering::NestedDissection]
                .map(|ordering| best_tree(pattern, ordering).unwrap().flops(pattern.components()))
        };
        let [auto, degree, dissection] = flops(&SymmetricPattern::new(&shuffled_lattice::<3>(17, 1), 3));
        assert!(auto == dissection && dissection < degree);
        let [auto, degree, _] = flops(&SymmetricPattern::new(&shuffled_lattice::<3>(6, 2), 3));
        assert_eq!(auto, degree);
        let [auto, degree, _] = flops(&SymmetricPattern::new(&shuffled_lattice::<2>(20, 3), 2));
        assert_eq!(auto, degree);
    }
}
