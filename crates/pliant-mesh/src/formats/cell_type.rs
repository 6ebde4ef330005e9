//! The kinds of elements that mesh files hold: shape and number of nodes.

/// The shape of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    Point,
    Line,
    Triangle,
    Quadrangle,
    Tetrahedron,
    Hexahedron,
    Prism,
    Pyramid,
}

/// An element type. Its corners come first among its nodes; there are more where it is of higher order.
///
/// Corners are numbered as in Gmsh and VTK: a quadrangle around its edge, hexahedra and prisms the bottom and then the top
/// above it, a pyramid its base and then the apex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CellType {
    pub shape: Shape,
    pub nodes: usize,
}

impl Shape {
    /// 0 for points to 3 for solids.
    pub fn dimension(self) -> usize {
        match self {
            Self::Point => 0,
            Self::Line => 1,
            Self::Triangle | Self::Quadrangle => 2,
            Self::Tetrahedron | Self::Hexahedron | Self::Prism | Self::Pyramid => 3,
        }
    }

    /// Number of corners.
    pub const fn corners(self) -> usize {
        match self {
            Self::Point => 1,
            Self::Line => 2,
            Self::Triangle => 3,
            Self::Quadrangle | Self::Tetrahedron => 4,
            Self::Pyramid => 5,
            Self::Prism => 6,
            Self::Hexahedron => 8,
        }
    }

    /// The element type with straight edges.
    pub const fn linear(self) -> CellType {
        CellType { shape: self, nodes: self.corners() }
    }

    /// The plural.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Point => "points",
            Self::Line => "lines",
            Self::Triangle => "triangles",
            Self::Quadrangle => "quadrangles",
            Self::Tetrahedron => "tetrahedra",
            Self::Hexahedron => "hexahedra",
            Self::Prism => "prisms",
            Self::Pyramid => "pyramids",
        }
    }
}

impl CellType {
    /// 0 for points to 3 for solids.
    pub fn dimension(self) -> usize {
        self.shape.dimension()
    }

    /// Whether there are nodes besides the corners.
    pub fn is_higher_order(self) -> bool {
        self.nodes > self.shape.corners()
    }

    /// The plural, with the number of nodes where the elements are not the linear ones of their shape.
    pub fn plural(self) -> String {
        let name = self.shape.plural();
        if self.is_higher_order() { format!("{}-node {name}", self.nodes) } else { name.to_owned() }
    }
}
