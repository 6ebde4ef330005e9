//! What a method promises about its weights, measured: each value is at round-off where the promise is kept.
//!
//! Round-off means 1e-12 where the weights sum to one by construction and 1e-9 for eigenmodes.

use crate::{Subspace, Weights};

/// A property of the weights that a method has by construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Every row sums to one; where only the first frames do, those alone are counted ([`Subspace::affine_frame_count`]).
    PartitionOfUnity,
    /// No weight is below 0.
    NonNegative,
    /// Each node, and each vertex of an anchor, follows its own frame alone; where the first frames sum to one, among those.
    Interpolation,
}

/// The checks of one subspace; `None` where the method does not promise the property.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SubspaceChecks {
    /// The largest `|row sum - 1|`.
    pub partition_of_unity: Option<f64>,
    /// The smallest weight, entries that are not stored counting as 0.
    pub minimum_weight: Option<f64>,
    /// The largest `|W[node_b, a] - delta_ab|` over nodes b, every vertex of an anchor being a node, and all frames a, or the first alone where those sum to one.
    pub interpolation: Option<f64>,
    /// The largest `|y - P y|_M / |y|_M` over the D (D + 1) unit affine maps y, P the projection onto the span of B: whether the
    /// frames can express every affine map.
    pub patch_test: f64,
    /// `|x0 + B z_rest - X|_M / |X|_M`: whether the subspace starts at rest.
    pub rest: f64,
}

impl SubspaceChecks {
    /// Measures what is promised. `nodes` are pairs of a vertex and the frame that it follows alone; only [`Promise::Interpolation`]
    /// needs them. O(entries).
    ///
    /// # Panics
    /// If a node is not a vertex.
    pub fn new<const D: usize>(
        subspace: &Subspace<D>,
        promises: &[Promise],
        nodes: &[(usize, usize)],
    ) -> Self {
        let weights = subspace.weights();
        let promised = |promise| promises.contains(&promise);
        Self {
            partition_of_unity: promised(Promise::PartitionOfUnity)
                .then(|| partition_of_unity_error(subspace)),
            minimum_weight: promised(Promise::NonNegative).then(|| minimum_weight(weights)),
            interpolation: promised(Promise::Interpolation).then(|| interpolation_error(subspace, nodes)),
            patch_test: patch_test(subspace),
            rest: rest_error(subspace),
        }
    }
}

fn minimum_weight(weights: &Weights) -> f64 {
    let stored = weights.values().iter().copied().fold(f64::INFINITY, f64::min);
    let all_stored = weights.values().len() == weights.vertex_count() * weights.frame_count();
    if all_stored { stored } else { stored.min(0.0) }
}

fn partition_of_unity_error<const D: usize>(subspace: &Subspace<D>) -> f64 {
    let weights = subspace.weights();
    let counted = subspace.affine_frame_count().unwrap_or(weights.frame_count());
    let row_error = |vertex| {
        let (frames, values) = weights.row(vertex);
        let sum: f64 = values[..frames.partition_point(|&frame| frame < counted)].iter().sum();
        (sum - 1.0).abs()
    };
    (0..weights.vertex_count()).map(row_error).fold(0.0, f64::max)
}

fn interpolation_error<const D: usize>(subspace: &Subspace<D>, nodes: &[(usize, usize)]) -> f64 {
    let weights = subspace.weights();
    let counted = subspace.affine_frame_count().unwrap_or(weights.frame_count());
    let mut largest: f64 = 0.0;
    for &(vertex, own) in nodes {
        let (frames, values) = weights.row(vertex);
        let others = frames.iter().zip(values).filter(|(frame, _)| **frame != own && **frame < counted);
        largest = others.map(|(_, value)| value.abs()).fold(largest, f64::max);
        largest = largest.max((weights.weight(vertex, own) - 1.0).abs());
    }
    largest
}

/// A unit affine map moves one component by one of `X_0 .. X_{D-1}, 1`; B treats components alike, so D + 1 functions cover all.
fn patch_test<const D: usize>(subspace: &Subspace<D>) -> f64 {
    let mut largest: f64 = 0.0;
    for h in 0..=D {
        let projected = subspace.lift_function(&subspace.affine_function_coordinates(h));
        let exact = subspace.rest_positions().iter().map(|position| position.get(h).copied().unwrap_or(1.0));
        let (mut error, mut size) = (0.0, 0.0);
        for ((exact, projected), mass) in exact.zip(projected).zip(subspace.mass()) {
            error += mass * (exact - projected).powi(2);
            size += mass * exact.powi(2);
        }
        largest = largest.max((error / size).sqrt());
    }
    largest
}

fn rest_error<const D: usize>(subspace: &Subspace<D>) -> f64 {
    let norm = |field: &[[f64; D]]| -> f64 {
        field
            .iter()
            .zip(subspace.mass())
            .map(|(u, m)| m * u.iter().map(|c| c * c).sum::<f64>())
            .sum::<f64>()
            .sqrt()
    };
    norm(&subspace.displacement(&subspace.rest_coordinates())) / norm(subspace.rest_positions())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_mesh::{Material, MaterialMap, SimplexMesh};

    const ALL: [Promise; 3] = [Promise::PartitionOfUnity, Promise::NonNegative, Promise::Interpolation];

    fn triangle_fan() -> SimplexMesh<2> {
        let positions = vec![[1.0, 0.0], [2.0, 0.1], [1.9, 1.0], [1.0, 1.2], [0.2, 0.6]];
        SimplexMesh::new(positions, vec![0, 1, 2, 0, 2, 3, 0, 3, 4]).unwrap()
    }

    fn checks(rows: &[Vec<(usize, f64)>], promises: &[Promise], nodes: &[(usize, usize)]) -> SubspaceChecks {
        let mesh = triangle_fan();
        let rubber = Material { youngs_modulus: 1e4, poisson_ratio: 0.3, density: 2.0 };
        let material = MaterialMap::uniform(&mesh, rubber).unwrap();
        let weights = Weights::from_rows(2, rows).unwrap();
        let subspace = Subspace::linear_blend_skinning(&mesh, &material, weights).unwrap();
        SubspaceChecks::new(&subspace, promises, nodes)
    }

    #[test]
    fn kept_promises_are_at_round_off() {
        let rows = [
            vec![(0, 1.0)],
            vec![(1, 1.0)],
            vec![(0, 0.3), (1, 0.7)],
            vec![(0, 0.5), (1, 0.5)],
            vec![(0, 0.9), (1, 0.1)],
        ];
        let checks = checks(&rows, &ALL, &[(0, 0), (1, 1)]);
        assert!(checks.partition_of_unity.unwrap() < 1e-15);
        assert_eq!(checks.minimum_weight, Some(0.0));
        assert_eq!(checks.interpolation, Some(0.0));
        assert!(checks.patch_test < 1e-14, "{checks:?}");
        assert!(checks.rest < 1e-15, "{checks:?}");
    }

    #[test]
    fn broken_promises_are_measured() {
        let rows =
            [vec![(0, 0.9)], vec![(1, 1.0)], vec![(0, 1.2), (1, -0.2)], vec![(0, 1.0)], vec![(0, 1.0)]];
        let checks = checks(&rows, &ALL, &[(0, 0), (1, 1)]);
        assert!((checks.partition_of_unity.unwrap() - 0.1).abs() < 1e-15);
        assert_eq!(checks.minimum_weight, Some(-0.2));
        assert!((checks.interpolation.unwrap() - 0.1).abs() < 1e-15);
    }

    #[test]
    fn weights_that_cannot_express_affine_maps_fail_the_patch_test() {
        // One frame that leaves vertex 4 behind.
        let mut rows = vec![vec![(0, 1.0)]; 5];
        rows[4].clear();
        let checks = checks(&rows, &[], &[]);
        assert!(checks.patch_test > 0.1 && checks.patch_test < 1.0, "{checks:?}");
        assert!(checks.rest > 0.01, "{checks:?}");
        let unmeasured = (checks.partition_of_unity, checks.minimum_weight, checks.interpolation);
        assert_eq!(unmeasured, (None, None, None));
    }
}
