//! Pieces of a triangulation that constrained edges bound, and which region each belongs to.

use spade::handles::FixedFaceHandle;
use spade::handles::InnerTag;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

pub(super) type Triangles = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// For each inner face the piece it belongs to.
pub(super) struct Pieces {
    /// By index of the face; `usize::MAX` for the outer one.
    pub of_face: Vec<usize>,
    /// A point well inside of each piece: the centroid of its largest triangle.
    pub points: Vec<[f64; 2]>,
}

impl Pieces {
    /// Floods from face to face over edges that are no constraints.
    pub fn new(triangles: &Triangles) -> Self {
        let mut of_face = vec![usize::MAX; triangles.num_all_faces()];
        let mut points = Vec::new();
        let mut stack: Vec<FixedFaceHandle<InnerTag>> = Vec::new();
        for face in triangles.inner_faces() {
            if of_face[face.index()] != usize::MAX {
                continue;
            }
            let piece = points.len();
            of_face[face.index()] = piece;
            stack.push(face.fix());
            let mut largest = (0.0, [0.0; 2]);
            while let Some(face) = stack.pop() {
                let face = triangles.face(face);
                let center = face.center();
                if face.area() > largest.0 {
                    largest = (face.area(), [center.x, center.y]);
                }
                for edge in face.adjacent_edges() {
                    let Some(next) = edge.rev().face().as_inner() else { continue };
                    if !edge.is_constraint_edge() && of_face[next.index()] == usize::MAX {
                        of_face[next.index()] = piece;
                        stack.push(next.fix());
                    }
                }
            }
            points.push(largest.1);
        }
        Self { of_face, points }
    }
}
