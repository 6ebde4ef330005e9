//! Splitting quadrangles, hexahedra, prisms and pyramids into simplices, so that neighbours agree.
//!
//! Every quadrangular face is cut from its corner of the smallest index, which both its cells see alike; a solid is the cone
//! from its corner of the smallest index over the triangles of the faces that do not hold it. No point is added and no
//! prism is left that cannot be cut (Dompierre, Labbe, Vallet, Camarero 1999, "How to subdivide pyramids, prisms and
//! hexahedra into tetrahedra").

use super::cell_type::Shape;
use crate::polygon_fan::polygon_fan;

/// The faces of a solid as local corners, each seen counter-clockwise from outside.
fn faces(shape: Shape) -> &'static [&'static [usize]] {
    match shape {
        Shape::Hexahedron => {
            &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]]
        }
        Shape::Prism => &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]],
        Shape::Pyramid => &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]],
        _ => &[],
    }
}

/// Appends the simplices of one cell, given by its corners, to `simplices`; a simplex goes as it is.
///
/// A quadrangle of the plane whose diagonal from the smallest index runs outside is cut along the other one. Simplices with
/// a repeated corner are left out where a solid or quadrangle is collapsed.
pub(super) fn split_cell(
    shape: Shape,
    corners: &[usize],
    positions: &[[f64; 3]],
    simplices: &mut Vec<usize>,
) {
    match shape {
        Shape::Quadrangle => {
            let start = lowest(corners);
            let turned = |shift: usize| [0, 1, 2, 3].map(|corner| corners[(start + shift + corner) % 4]);
            let fits =
                |[a, b, c, d]: [usize; 4]| area(positions, [a, b, c]) * area(positions, [a, c, d]) > 0.0;
            let is_collapsed = (0..4).any(|corner| corners[corner] == corners[(corner + 1) % 4]);
            let kept =
                if is_collapsed || fits(turned(0)) || !fits(turned(1)) { turned(0) } else { turned(1) };
            polygon_fan(&kept).for_each(|triangle| push(simplices, &triangle));
        }
        Shape::Hexahedron | Shape::Prism | Shape::Pyramid => {
            let apex = corners[lowest(corners)];
            for face in faces(shape) {
                let mut face: Vec<usize> = face.iter().map(|&local| corners[local]).collect();
                if !face.contains(&apex) {
                    let start = lowest(&face);
                    face.rotate_left(start);
                    // Seen from outside counter-clockwise, so that the apex behind the face makes the volume positive.
                    polygon_fan(&face).for_each(|[a, b, c]| push(simplices, &[apex, a, b, c]));
                }
            }
        }
        _ => simplices.extend_from_slice(corners),
    }
}

/// Local number of the corner with the smallest index.
fn lowest(corners: &[usize]) -> usize {
    (0..corners.len()).min_by_key(|&local| corners[local]).unwrap_or(0)
}

fn push(simplices: &mut Vec<usize>, simplex: &[usize]) {
    if (1..simplex.len()).all(|local| !simplex[..local].contains(&simplex[local])) {
        simplices.extend_from_slice(simplex);
    }
}

/// Twice the signed area in x and y.
fn area(positions: &[[f64; 3]], [a, b, c]: [usize; 3]) -> f64 {
    let edge = |to: usize, axis: usize| positions[to][axis] - positions[a][axis];
    edge(b, 0) * edge(c, 1) - edge(b, 1) * edge(c, 0)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::super::assemble::assemble;
    use super::super::file_mesh::FileMesh;
    use super::*;
    use crate::{AnyMesh, SimplexMesh, boundary_facets};

    const SIDE: usize = 3;

    /// A cube of SIDE^3 bricks whose points are numbered in the order of `keys`. Each column is of hexahedra (0), of
    /// prisms (1), or of hexahedra of which the lowest is six pyramids (2).
    fn bricks(columns: &[u8], keys: &[u64]) -> FileMesh {
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|&point| (keys[point], point));
        let mut number = vec![0; keys.len()];
        order.iter().enumerate().for_each(|(rank, &point)| number[point] = rank);
        let points = (SIDE + 1).pow(3);
        let at = |[i, j, k]: [usize; 3]| number[i + (SIDE + 1) * (j + (SIDE + 1) * k)];
        let mut file = FileMesh { positions: vec![[0.0; 3]; keys.len()], ..FileMesh::default() };
        for k in 0..=SIDE {
            for j in 0..=SIDE {
                for i in 0..=SIDE {
                    file.positions[at([i, j, k])] = [i, j, k].map(|index| index as f64 / SIDE as f64);
                }
            }
        }
        for (column, kind) in columns.iter().enumerate() {
            let (i, j) = (column % SIDE, column / SIDE);
            // A point for each column, which the meshes without pyramids drop.
            let center = number[points + column];
            file.positions[center] = [i, j, 0].map(|index| (index as f64 + 0.5) / SIDE as f64);
            for k in 0..SIDE {
                let ring = |k: usize| [[i, j, k], [i + 1, j, k], [i + 1, j + 1, k], [i, j + 1, k]].map(at);
                let (low, high) = (ring(k), ring(k + 1));
                let mut push = |shape: Shape, nodes: &[usize]| {
                    file.nodes.extend_from_slice(nodes);
                    file.push_element(shape.linear(), &[]);
                };
                let brick = [low, high].concat();
                match kind {
                    1 => {
                        for prism in [[0, 1, 2, 4, 5, 6], [0, 2, 3, 4, 6, 7]] {
                            push(Shape::Prism, &prism.map(|corner| brick[corner]));
                        }
                    }
                    2 if k == 0 => faces(Shape::Hexahedron).iter().for_each(|face| {
                        let base = [3, 2, 1, 0].map(|corner| brick[face[corner]]);
                        push(Shape::Pyramid, &[&base[..], &[center]].concat());
                    }),
                    _ => push(Shape::Hexahedron, &brick),
                }
            }
        }
        file
    }

    fn three(file: FileMesh) -> (SimplexMesh<3>, usize) {
        let read = assemble(Path::new("bricks"), file).unwrap();
        let reoriented = read.dropped.iter().filter(|dropped| dropped.what == "reoriented cells").count();
        match read.mesh {
            AnyMesh::Three(mesh) => (mesh, reoriented),
            AnyMesh::Two(_) => panic!("bricks are solids"),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// A face that two cells cut differently would show as four more facets of the boundary.
        #[test]
        fn neighbours_of_every_shape_agree_on_their_diagonals(
            columns in prop::collection::vec(0u8..3, SIDE * SIDE),
            keys in prop::collection::vec(any::<u64>(), (SIDE + 1).pow(3) + SIDE * SIDE),
        ) {
            let (mesh, reoriented) = three(bricks(&columns, &keys));
            prop_assert_eq!(reoriented, 0);
            prop_assert!((mesh.volume() - 1.0).abs() < 1e-12);
            prop_assert_eq!(boundary_facets(&mesh).len(), 2 * 6 * SIDE * SIDE);
        }
    }

    #[test]
    fn a_collapsed_hexahedron_is_a_prism() {
        let positions =
            [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]].map(|p| p.map(f64::from));
        let mut file = FileMesh { positions: positions.to_vec(), ..FileMesh::default() };
        file.nodes = vec![0, 1, 2, 2, 3, 4, 5, 5];
        file.push_element(Shape::Hexahedron.linear(), &[]);
        let (mesh, _) = three(file);
        assert_eq!(mesh.cell_count(), 3);
        assert!((mesh.volume() - 0.5).abs() < 1e-15);
    }

    #[test]
    fn a_quadrangle_with_a_dent_is_cut_inside_and_a_twisted_one_refused() {
        let quadrangle = |positions: [[f64; 3]; 4], nodes: [usize; 4]| {
            let mut file = FileMesh::default();
            file.positions.extend(positions);
            file.nodes.extend(nodes);
            file.push_element(Shape::Quadrangle.linear(), &[]);
            file
        };
        // The smallest index is beside the dent, whose diagonal is the only one inside.
        let dent = [[2.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 2.0, 0.0]];
        let file = quadrangle(dent, [1, 0, 2, 3]);
        let read = assemble(Path::new("dent"), file).unwrap();
        let AnyMesh::Two(mesh) = read.mesh else { panic!("a quadrangle is flat") };
        assert!((mesh.volume() - 1.0).abs() < 1e-15);
        let bow = [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let file = quadrangle(bow, [0, 1, 2, 3]);
        let error = assemble(Path::new("bow"), file).unwrap_err().to_string();
        assert!(error.starts_with("bow: one of the quadrangles (element 0, "), "{error}");
    }
}
