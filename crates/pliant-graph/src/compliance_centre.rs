//! The compliance centre of a body: the vertex whose greatest distance to any other vertex is smallest.
//!
//! Exact without all pairs: a search from vertex j gives its greatest distance `S_j`, and the bounds `d_ij <= S_i` and
//! `S_j - d_ij <= S_i` for every other vertex; a vertex whose bound exceeds the best value is never searched from.
//! Source of the bounds: Takes and Kosters 2013, "Computing the eccentricity distribution of large graphs".

use pliant_mesh::{SimplexMesh, vertex_components};

use crate::{ComplianceGraph, bounded_search::smallest_by_bounds, tie::first_largest};

/// The centre of the heaviest component (the first of those that weigh the same), the lowest of the vertices that tie.
pub(crate) fn compliance_centre<const D: usize>(graph: &ComplianceGraph, mesh: &SimplexMesh<D>) -> usize {
    let components = vertex_components(mesh);
    let mut masses = vec![0.0; components.count];
    for (&component, mass) in components.labels.iter().zip(graph.masses()) {
        masses[component] += mass;
    }
    let heaviest = first_largest(masses.iter().copied()).expect("a mesh has a component");
    let members: Vec<usize> =
        (0..graph.vertex_count()).filter(|&vertex| components.labels[vertex] == heaviest).collect();
    centre_of(graph, &members)
}

/// The centre of a whole component, given by its vertices in ascending order.
fn centre_of(graph: &ComplianceGraph, members: &[usize]) -> usize {
    let evaluate = |index: usize, bounds: &mut [f64]| {
        let distances = graph.distances_from(members[index]);
        let farthest = members.iter().map(|&member| distances[member]).fold(0.0, f64::max);
        for (bound, &member) in bounds.iter_mut().zip(members) {
            *bound = bound.max(distances[member]).max(farthest - distances[member]);
        }
        farthest
    };
    members[smallest_by_bounds(members.len(), evaluate).expect("a component has a vertex")]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test_bodies::{grid, material, random_graph, two_squares};
    use crate::tie::first_smallest;

    #[test]
    fn the_centre_lies_halfway_in_compliance_not_in_length() {
        let square = grid(41, 5, 0.0, 0);
        let positions = square.positions().iter().map(|position| [10.0 * position[0], position[1]]).collect();
        let mesh = SimplexMesh::new(positions, square.cells().flatten().copied().collect()).unwrap();
        let soft = |cell: usize| mesh.centroid(cell)[0] > 7.0;
        let moduli: Vec<f64> =
            (0..mesh.cell_count()).map(|cell| if soft(cell) { 1.0 } else { 1e6 }).collect();
        let graph = ComplianceGraph::new(&mesh, &material(&mesh, &moduli));
        let centre = compliance_centre(&graph, &mesh);
        assert!((mesh.positions()[centre][0] - 8.5).abs() < 0.3, "{:?}", mesh.positions()[centre]);
    }

    #[test]
    fn a_disconnected_body_has_the_centre_of_its_heaviest_component() {
        let mesh = two_squares(5, 5);
        let graph = ComplianceGraph::new(&mesh, &material(&mesh, &vec![1.0; mesh.cell_count()]));
        assert!(compliance_centre(&graph, &mesh) < 25);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn the_centre_is_that_of_all_pairs(seed in 0u64..3000) {
            let graph = random_graph(10, 8, seed);
            let all: Vec<usize> = (0..graph.vertex_count()).collect();
            let each = graph.distances_from_each(&all);
            let greatest = each.iter().map(|distances| distances.iter().copied().fold(0.0, f64::max));
            prop_assert_eq!(Some(centre_of(&graph, &all)), first_smallest(greatest));
        }
    }
}
