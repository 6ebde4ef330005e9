//! The numbered element types of Gmsh files.
//!
//! Source: the Gmsh reference manual, "MSH file format".

use crate::formats::cell_type::{CellType, Shape};

/// Number of a point in the file.
pub(super) const POINT: i64 = 15;
/// Number of a three-node triangle in the file.
pub(super) const TRIANGLE: i64 = 2;
/// Number of a four-node tetrahedron in the file.
pub(super) const TETRAHEDRON: i64 = 4;

/// The type with this number, if it is one with a fixed number of nodes.
pub(super) fn element_type(number: i64) -> Option<CellType> {
    let (shape, nodes) = match number {
        1 => (Shape::Line, 2),
        TRIANGLE => (Shape::Triangle, 3),
        3 => (Shape::Quadrangle, 4),
        TETRAHEDRON => (Shape::Tetrahedron, 4),
        5 => (Shape::Hexahedron, 8),
        6 => (Shape::Prism, 6),
        7 => (Shape::Pyramid, 5),
        8 => (Shape::Line, 3),
        9 => (Shape::Triangle, 6),
        10 => (Shape::Quadrangle, 9),
        11 => (Shape::Tetrahedron, 10),
        12 => (Shape::Hexahedron, 27),
        13 => (Shape::Prism, 18),
        14 => (Shape::Pyramid, 14),
        POINT => (Shape::Point, 1),
        16 => (Shape::Quadrangle, 8),
        17 => (Shape::Hexahedron, 20),
        18 => (Shape::Prism, 15),
        19 => (Shape::Pyramid, 13),
        20 => (Shape::Triangle, 9),
        21 => (Shape::Triangle, 10),
        22 => (Shape::Triangle, 12),
        23 => (Shape::Triangle, 15),
        24 => (Shape::Triangle, 15),
        25 => (Shape::Triangle, 21),
        26 => (Shape::Line, 4),
        27 => (Shape::Line, 5),
        28 => (Shape::Line, 6),
        29 => (Shape::Tetrahedron, 20),
        30 => (Shape::Tetrahedron, 35),
        31 => (Shape::Tetrahedron, 56),
        36 => (Shape::Quadrangle, 16),
        37 => (Shape::Quadrangle, 25),
        92 => (Shape::Hexahedron, 64),
        93 => (Shape::Hexahedron, 125),
        _ => return None,
    };
    Some(CellType { shape, nodes })
}
