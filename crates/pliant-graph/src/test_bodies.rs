//! Small bodies for the tests of this crate.

use pliant_mesh::{MaterialMap, SimplexMesh};

use crate::ComplianceGraph;

/// A unit square of `columns` x `rows` vertices cut into triangles, inner vertices shifted by up to `jitter` of a step.
pub(crate) fn grid(columns: usize, rows: usize, jitter: f64, seed: u64) -> SimplexMesh<2> {
    let (positions, cells) = grid_parts(columns, rows, jitter, seed);
    SimplexMesh::new(positions, cells).unwrap()
}

/// Two such squares side by side that share nothing; the first one is `columns` x `rows`, the second 3 x 3.
pub(crate) fn two_squares(columns: usize, rows: usize) -> SimplexMesh<2> {
    let (mut positions, mut cells) = grid_parts(columns, rows, 0.2, 1);
    let (others, other_cells) = grid_parts(3, 3, 0.2, 2);
    let offset = positions.len();
    positions.extend(others.iter().map(|p| [p[0] + 2.0, p[1]]));
    cells.extend(other_cells.iter().map(|vertex| vertex + offset));
    SimplexMesh::new(positions, cells).unwrap()
}

fn grid_parts(columns: usize, rows: usize, jitter: f64, seed: u64) -> (Vec<[f64; 2]>, Vec<usize>) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    let step = [1.0 / (columns - 1) as f64, 1.0 / (rows - 1) as f64];
    let mut positions = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let inner = row > 0 && row + 1 < rows && column > 0 && column + 1 < columns;
            let shift = if inner { jitter } else { 0.0 };
            positions.push([
                (column as f64 + shift * random()) * step[0],
                (row as f64 + shift * random()) * step[1],
            ]);
        }
    }
    let mut cells = Vec::new();
    for row in 0..rows - 1 {
        for column in 0..columns - 1 {
            let corner = row * columns + column;
            let (right, up) = (corner + 1, corner + columns);
            if (row + column) % 2 == 0 {
                cells.extend([corner, right, up + 1, corner, up + 1, up]);
            } else {
                cells.extend([corner, right, up, right, up + 1, up]);
            }
        }
    }
    (positions, cells)
}

/// A material with these moduli and unit density.
pub(crate) fn material(mesh: &SimplexMesh<2>, youngs_modulus: &[f64]) -> MaterialMap {
    let cells = mesh.cell_count();
    MaterialMap::from_arrays(mesh, youngs_modulus, &vec![0.3; cells], &vec![1.0; cells]).unwrap()
}

/// A jittered grid whose cells have moduli between 1 and 1000, and its graph; every third seed gives a regular grid of
/// one material instead, which is full of ties.
pub(crate) fn random_body(columns: usize, rows: usize, seed: u64) -> (SimplexMesh<2>, ComplianceGraph) {
    let regular = seed.is_multiple_of(3);
    let mesh = grid(columns, rows, if regular { 0.0 } else { 0.4 }, seed);
    let modulus = |cell: usize| {
        let scrambled = (cell as u64 ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        if regular { 1.0 } else { 10f64.powf(scrambled as f64 / (1u64 << 24) as f64 * 3.0) }
    };
    let moduli: Vec<f64> = (0..mesh.cell_count()).map(modulus).collect();
    let graph = ComplianceGraph::new(&mesh, &material(&mesh, &moduli));
    (mesh, graph)
}

/// The graph of [`random_body`].
pub(crate) fn random_graph(columns: usize, rows: usize, seed: u64) -> ComplianceGraph {
    random_body(columns, rows, seed).1
}
