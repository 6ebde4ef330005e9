//! The names of Abaqus element types.

use crate::formats::cell_type::{CellType, Shape};

/// The type of this name, whatever letters for its integration (`R`, `I`, `H`, `M` and the like) follow.
pub(super) fn element_type(name: &str) -> Option<CellType> {
    let name = name.to_ascii_uppercase();
    let (shape, nodes) = match name.trim_end_matches(|letter: char| letter.is_ascii_alphabetic()) {
        "T2D2" | "T3D2" | "B21" | "B31" | "B33" => (Shape::Line, 2),
        "T2D3" | "T3D3" | "B22" | "B32" => (Shape::Line, 3),
        "CPS3" | "CPE3" | "CAX3" | "CPEG3" | "S3" | "STRI3" | "M3D3" | "R3D3" | "DC2D3" => {
            (Shape::Triangle, 3)
        }
        "CPS6" | "CPE6" | "CAX6" | "CPEG6" | "S6" | "STRI65" | "M3D6" | "DC2D6" => (Shape::Triangle, 6),
        "CPS4" | "CPE4" | "CAX4" | "CPEG4" | "S4" | "M3D4" | "R3D4" | "DC2D4" => (Shape::Quadrangle, 4),
        "CPS8" | "CPE8" | "CAX8" | "CPEG8" | "S8" | "M3D8" | "DC2D8" => (Shape::Quadrangle, 8),
        "C3D4" | "DC3D4" => (Shape::Tetrahedron, 4),
        "C3D10" | "DC3D10" => (Shape::Tetrahedron, 10),
        "C3D5" => (Shape::Pyramid, 5),
        "C3D13" => (Shape::Pyramid, 13),
        "C3D6" | "DC3D6" => (Shape::Prism, 6),
        "C3D15" | "DC3D15" => (Shape::Prism, 15),
        "C3D8" | "DC3D8" => (Shape::Hexahedron, 8),
        "C3D20" | "DC3D20" => (Shape::Hexahedron, 20),
        _ => return None,
    };
    Some(CellType { shape, nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_the_integration_do_not_change_the_shape() {
        assert_eq!(element_type("c3d8r"), Some(Shape::Hexahedron.linear()));
        assert_eq!(element_type("C3D10MH").map(|kind| kind.nodes), Some(10));
        assert_eq!(element_type("S4R"), Some(Shape::Quadrangle.linear()));
        assert_eq!(element_type("SPRINGA"), None);
    }
}
