//! Boxes of unit cubes cut into simplices.

use pliant_mesh::SimplexMesh;

/// Each cube is cut into D! simplices along its diagonal; `jitter`, values in 0..1 used in turn, moves the vertices a little.
pub fn lattice<const D: usize>(cubes: [usize; D], jitter: &[f64]) -> SimplexMesh<D> {
    let mut stride = [1; D];
    for axis in 1..D {
        stride[axis] = stride[axis - 1] * (cubes[axis - 1] + 1);
    }
    let vertices = stride[D - 1] * (cubes[D - 1] + 1);
    let coordinate = |vertex: usize, axis: usize| vertex / stride[axis] % (cubes[axis] + 1);
    let positions = (0..vertices)
        .map(|vertex| {
            std::array::from_fn(|axis| {
                coordinate(vertex, axis) as f64 + 0.2 * jitter[(vertex * D + axis) % jitter.len()]
            })
        })
        .collect();
    let orders: &[&[usize]] = match D {
        2 => &[&[0, 1], &[1, 0]],
        _ => &[&[0, 1, 2], &[1, 2, 0], &[2, 0, 1], &[0, 2, 1], &[2, 1, 0], &[1, 0, 2]],
    };
    let mut cells = Vec::new();
    for corner in (0..vertices).filter(|&vertex| (0..D).all(|axis| coordinate(vertex, axis) < cubes[axis])) {
        for (index, order) in orders.iter().enumerate() {
            let mut cell = vec![corner];
            order.iter().for_each(|&axis| cell.push(cell[cell.len() - 1] + stride[axis]));
            if index >= orders.len() / 2 {
                cell.swap(D - 1, D);
            }
            cells.extend(cell);
        }
    }
    SimplexMesh::new(positions, cells).expect("the lattice is a valid mesh")
}
