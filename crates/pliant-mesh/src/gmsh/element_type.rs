//! The numbered element types of Gmsh files: their shape, dimension and number of nodes.
//!
//! Source: the Gmsh reference manual, "MSH file format".

/// The shape of a Gmsh element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    Point,
    Line,
    Triangle,
    Quadrangle,
    Tetrahedron,
    Hexahedron,
    Prism,
    Pyramid,
}

/// One element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ElementType {
    pub shape: Shape,
    pub nodes: usize,
}

/// Number of a point in the file.
pub(super) const POINT: i64 = 15;
/// Number of a three-node triangle in the file.
pub(super) const TRIANGLE: i64 = 2;
/// Number of a four-node tetrahedron in the file.
pub(super) const TETRAHEDRON: i64 = 4;

impl ElementType {
    /// The type with this number, if it is one with a fixed number of nodes.
    pub fn from_number(number: i64) -> Option<Self> {
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
            92 => (Shape::Hexahedron, 64),
            93 => (Shape::Hexahedron, 125),
            _ => return None,
        };
        Some(Self { shape, nodes })
    }

    /// 0 for points to 3 for solids.
    pub fn dimension(self) -> usize {
        match self.shape {
            Shape::Point => 0,
            Shape::Line => 1,
            Shape::Triangle | Shape::Quadrangle => 2,
            Shape::Tetrahedron | Shape::Hexahedron | Shape::Prism | Shape::Pyramid => 3,
        }
    }

    /// Whether these elements can be cells: three-node triangles and four-node tetrahedra.
    pub fn is_linear_cell(self) -> bool {
        matches!((self.shape, self.nodes), (Shape::Triangle, 3) | (Shape::Tetrahedron, 4))
    }

    /// The plural, with the number of nodes where the elements are not the linear ones of their shape.
    pub fn plural(self) -> String {
        let (name, linear_nodes) = match self.shape {
            Shape::Point => ("points", 1),
            Shape::Line => ("lines", 2),
            Shape::Triangle => ("triangles", 3),
            Shape::Quadrangle => ("quadrangles", 4),
            Shape::Tetrahedron => ("tetrahedra", 4),
            Shape::Hexahedron => ("hexahedra", 8),
            Shape::Prism => ("prisms", 6),
            Shape::Pyramid => ("pyramids", 5),
        };
        if self.nodes == linear_nodes { name.to_owned() } else { format!("{}-node {name}", self.nodes) }
    }
}
