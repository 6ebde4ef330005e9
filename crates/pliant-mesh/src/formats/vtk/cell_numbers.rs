//! The numbered cell types of VTK.
//!
//! Source: the VTK file formats manual, and `vtkCellType.h` for the numbers.

use crate::formats::cell_type::{CellType, Shape};

/// The number of triangles (2D) or tetrahedra (3D).
pub(super) fn simplex_number<const D: usize>() -> u8 {
    if D == 2 { 5 } else { 10 }
}

/// The element type of a VTK cell with this number and this many points, and the order in which to take its corners (nothing
/// where it is theirs); nothing for cells that cannot be cut into simplices.
pub(super) fn element_type(number: i64, nodes: usize) -> Option<(CellType, Option<&'static [usize]>)> {
    const PIXEL: &[usize] = &[0, 1, 3, 2];
    const VOXEL: &[usize] = &[0, 1, 3, 2, 4, 5, 7, 6];
    // The base of a prism is seen from inside.
    const PRISM: &[usize] = &[0, 2, 1, 3, 5, 4];
    // Linear cells have exactly their corners; quadratic, cubic, Lagrange and Bezier ones begin with them.
    let (shape, order, is_linear) = match number {
        1 => (Shape::Point, None, true),
        3 => (Shape::Line, None, true),
        5 => (Shape::Triangle, None, true),
        7 if nodes == 3 => (Shape::Triangle, None, true),
        7 if nodes == 4 => (Shape::Quadrangle, None, true),
        8 => (Shape::Quadrangle, Some(PIXEL), true),
        9 => (Shape::Quadrangle, None, true),
        10 => (Shape::Tetrahedron, None, true),
        11 => (Shape::Hexahedron, Some(VOXEL), true),
        12 => (Shape::Hexahedron, None, true),
        13 => (Shape::Prism, Some(PRISM), true),
        14 => (Shape::Pyramid, None, true),
        21 | 35 | 68 | 75 => (Shape::Line, None, false),
        22 | 34 | 69 | 76 => (Shape::Triangle, None, false),
        23 | 28 | 30 | 70 | 77 => (Shape::Quadrangle, None, false),
        24 | 71 | 78 => (Shape::Tetrahedron, None, false),
        25 | 29 | 33 | 72 | 79 => (Shape::Hexahedron, None, false),
        26 | 31 | 32 | 73 | 80 => (Shape::Prism, None, false),
        27 | 37 | 74 | 81 => (Shape::Pyramid, None, false),
        _ => return None,
    };
    let corners = shape.corners();
    let fits = if is_linear { nodes == corners } else { nodes >= corners };
    fits.then_some((CellType { shape, nodes }, order))
}
