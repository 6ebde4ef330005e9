//! Lloyd's relaxation of nodes: every free node moves to the centre of its Voronoi region, again and again.

use pliant_mesh::SimplexMesh;
use rayon::prelude::*;

use crate::{
    ComplianceGraph, DistanceSearch, compliance_graph::distance, medoid::compliance_medoid, tie::TIE,
};

/// Where a Lloyd pass moves a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LloydCentre {
    /// To the member vertex nearest the Euclidean mean of the members (the default).
    #[default]
    EuclideanMean,
    /// To the member with the smallest sum of mass times compliance distance to all members. Several searches a node.
    ComplianceMedoid,
}

/// Moves the nodes from position `fixed` on, at most `passes` times, until nothing moves. One Dijkstra a pass.
///
/// Nodes are different vertices and every component holds one.
pub(crate) fn relax<const D: usize>(
    graph: &ComplianceGraph,
    mesh: &SimplexMesh<D>,
    mut nodes: Vec<usize>,
    fixed: usize,
    passes: usize,
    centre: LloydCentre,
) -> Vec<usize> {
    for _ in 0..passes {
        if fixed >= nodes.len() {
            break;
        }
        let labels = graph.nearest_source(&nodes).labels;
        let centres = match centre {
            LloydCentre::EuclideanMean => nearest_to_means(mesh, &labels, &nodes),
            LloydCentre::ComplianceMedoid => medoids(graph, &labels, &nodes, fixed),
        };
        if centres[fixed..] == nodes[fixed..] {
            break;
        }
        nodes[fixed..].copy_from_slice(&centres[fixed..]);
    }
    nodes
}

/// For each node the member nearest the mean of its members, the lowest of those that tie; the node if it has none. O(n).
fn nearest_to_means<const D: usize>(
    mesh: &SimplexMesh<D>,
    labels: &[Option<usize>],
    nodes: &[usize],
) -> Vec<usize> {
    let labelled = || {
        let vertices = labels.iter().zip(mesh.positions()).enumerate();
        vertices.filter_map(|(vertex, (&label, position))| Some((vertex, label?, position)))
    };
    let mut means = vec![[0.0; D]; nodes.len()];
    let mut counts = vec![0_usize; nodes.len()];
    for (_, label, position) in labelled() {
        counts[label] += 1;
        (0..D).for_each(|axis| means[label][axis] += position[axis]);
    }
    for (mean, &count) in means.iter_mut().zip(&counts) {
        mean.iter_mut().for_each(|coordinate| *coordinate /= count.max(1) as f64);
    }
    let mut radii = vec![f64::INFINITY; nodes.len()];
    for (_, label, position) in labelled() {
        radii[label] = radii[label].min(distance(position, &means[label]));
    }
    let mut centres: Vec<Option<usize>> = vec![None; nodes.len()];
    for (vertex, label, position) in labelled() {
        if centres[label].is_none() && distance(position, &means[label]) <= radii[label] * (1.0 + TIE) {
            centres[label] = Some(vertex);
        }
    }
    centres.into_iter().zip(nodes).map(|(centre, &node)| centre.unwrap_or(node)).collect()
}

/// For each free node the compliance medoid of its members, in parallel; the node itself if it is fixed or has none.
fn medoids(graph: &ComplianceGraph, labels: &[Option<usize>], nodes: &[usize], fixed: usize) -> Vec<usize> {
    let mut members = vec![Vec::new(); nodes.len()];
    for (vertex, label) in labels.iter().enumerate() {
        if let &Some(label) = label {
            members[label].push(vertex);
        }
    }
    (0..nodes.len())
        .into_par_iter()
        .map_init(
            || DistanceSearch::new(graph),
            |search, index| match index >= fixed && !members[index].is_empty() {
                true => compliance_medoid(graph, search, &members[index], |v| labels[v] == Some(index)),
                false => nodes[index],
            },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::grid;

    #[test]
    fn one_node_moves_to_the_centre_of_a_square() {
        let mesh = grid(5, 5, 0.0, 0);
        let graph = ComplianceGraph::geodesic(&mesh);
        for centre in [LloydCentre::EuclideanMean, LloydCentre::ComplianceMedoid] {
            assert_eq!(relax(&graph, &mesh, vec![3], 0, 1, centre), [12]);
        }
    }

    #[test]
    fn fixed_nodes_stay_and_free_ones_move() {
        let mesh = grid(9, 9, 0.3, 4);
        let graph = ComplianceGraph::geodesic(&mesh);
        for centre in [LloydCentre::EuclideanMean, LloydCentre::ComplianceMedoid] {
            let nodes = relax(&graph, &mesh, vec![0, 1, 80, 8], 2, 8, centre);
            assert_eq!(nodes[..2], [0, 1]);
            assert!(nodes[2] != 80 && nodes[3] != 8, "{nodes:?}");
            assert_eq!(relax(&graph, &mesh, vec![0, 1], 2, 8, centre), [0, 1]);
        }
    }

    #[test]
    fn no_pass_moves_nothing_and_a_settled_set_stays() {
        let mesh = grid(9, 9, 0.3, 4);
        let graph = ComplianceGraph::geodesic(&mesh);
        assert_eq!(relax(&graph, &mesh, vec![0, 1], 0, 0, LloydCentre::EuclideanMean), [0, 1]);
        let settled = relax(&graph, &mesh, vec![0, 1, 2], 0, 100, LloydCentre::EuclideanMean);
        assert_eq!(relax(&graph, &mesh, settled.clone(), 0, 1, LloydCentre::EuclideanMean), settled);
    }
}
