//! What is seen of a mesh in space: the boundary of a 3D mesh, the cells of a 2D one, with deformed positions and a field.

use pliant_mesh::{SimplexMesh, boundary_facets};

/// The triangles that are seen of a mesh, on vertices of their own numbering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnSurface {
    /// The mesh vertex of each surface vertex, ascending.
    pub(crate) vertices: Vec<usize>,
    /// Three surface vertices each, counter-clockwise from outside.
    pub(crate) triangles: Vec<[usize; 3]>,
    /// The mesh cell of each triangle.
    pub(crate) cells: Vec<usize>,
    /// The region of that cell.
    pub(crate) regions: Vec<usize>,
    /// Surface vertices of each edge, the lower first, with a triangle beside it; ascending, once for each triangle.
    pub(crate) sides: Vec<([usize; 2], usize)>,
}

/// A field to colour a surface by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SurfaceField<'a> {
    /// One value for each vertex of the mesh.
    Vertices(&'a [f64]),
    /// One value for each cell of the mesh.
    Cells(&'a [f64]),
}

impl DrawnSurface {
    /// The boundary of a 3D mesh; every cell of a 2D mesh, which lies in the plane z = 0. O(n + t).
    pub fn new<const D: usize>(mesh: &SimplexMesh<D>) -> Self {
        let (corners, cells) = if D == 2 {
            let corners = mesh.cells().map(|cell| [cell[0], cell[1], cell[2]]).collect();
            (corners, (0..mesh.cell_count()).collect())
        } else {
            boundary_with_cells(mesh)
        };
        let mut used = vec![false; mesh.vertex_count()];
        corners.iter().flatten().for_each(|&vertex: &usize| used[vertex] = true);
        let vertices: Vec<usize> = (0..used.len()).filter(|&vertex| used[vertex]).collect();
        let mut number = vec![0; used.len()];
        vertices.iter().enumerate().for_each(|(index, &vertex)| number[vertex] = index);
        let triangles = corners.iter().map(|triangle| triangle.map(|vertex| number[vertex])).collect();
        let regions = cells.iter().map(|&cell| mesh.cell_regions()[cell]).collect();
        Self::of_triangles(vertices, triangles, cells, regions)
    }

    pub(crate) fn of_triangles(
        vertices: Vec<usize>,
        triangles: Vec<[usize; 3]>,
        cells: Vec<usize>,
        regions: Vec<usize>,
    ) -> Self {
        let edges = |(index, [a, b, c]): (usize, &[usize; 3])| {
            [[*a, *b], [*b, *c], [*c, *a]].map(|[a, b]| ([a.min(b), a.max(b)], index))
        };
        let mut sides: Vec<([usize; 2], usize)> = triangles.iter().enumerate().flat_map(edges).collect();
        sides.sort_unstable();
        Self { vertices, triangles, cells, regions, sides }
    }

    /// How many triangles there are.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// The position of each surface vertex in m, moved by a displacement (n x D stacked) where there is one; z = 0 in 2D.
    ///
    /// # Panics
    /// If there is not one displacement for each vertex of the mesh.
    pub(crate) fn positions<const D: usize>(
        &self,
        mesh: &SimplexMesh<D>,
        displacement: Option<&[f64]>,
    ) -> Vec<[f64; 3]> {
        let rest = mesh.positions();
        if let Some(displacement) = displacement {
            assert_eq!(displacement.len(), D * rest.len(), "one displacement for each vertex");
        }
        let moved = |&vertex: &usize| {
            let mut position = [0.0; 3];
            for axis in 0..D {
                position[axis] = rest[vertex][axis] + displacement.map_or(0.0, |u| u[vertex * D + axis]);
            }
            position
        };
        self.vertices.iter().map(moved).collect()
    }

    /// The field on the surface: a value for each surface vertex, or for each triangle.
    ///
    /// # Panics
    /// If the field does not have one value for each vertex or cell of the mesh.
    pub(crate) fn values<const D: usize>(&self, mesh: &SimplexMesh<D>, field: SurfaceField<'_>) -> Vec<f64> {
        match field {
            SurfaceField::Vertices(values) => {
                assert_eq!(values.len(), mesh.vertex_count(), "one value for each vertex");
                self.vertices.iter().map(|&vertex| values[vertex]).collect()
            }
            SurfaceField::Cells(values) => {
                assert_eq!(values.len(), mesh.cell_count(), "one value for each cell");
                self.cells.iter().map(|&cell| values[cell]).collect()
            }
        }
    }
}

/// The boundary facets of a 3D mesh, counter-clockwise from outside, and the cell behind each.
fn boundary_with_cells<const D: usize>(mesh: &SimplexMesh<D>) -> (Vec<[usize; 3]>, Vec<usize>) {
    let facets = boundary_facets(mesh);
    // Facets come in the order of the cells, and one of the boundary has all its vertices in no other cell.
    let mut cells = Vec::with_capacity(facets.len());
    for (index, cell) in mesh.cells().enumerate() {
        let behind = |facet: &&[usize; D]| facet.iter().all(|vertex| cell.contains(vertex));
        cells.extend(facets[cells.len()..].iter().take_while(behind).map(|_| index));
    }
    (facets.iter().map(|facet| std::array::from_fn(|corner| facet[corner])).collect(), cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_mesh::{BoxOptions, RectangleOptions, Resolution, box_mesh, rectangle};

    #[test]
    fn a_box_is_seen_from_outside_and_each_triangle_knows_its_cell() {
        let options = BoxOptions { resolution: Resolution::Counts([2, 3, 2]), ..Default::default() };
        let mesh = box_mesh(&options).unwrap();
        let surface = DrawnSurface::new(&mesh);
        assert_eq!(surface.triangle_count(), 2 * 2 * (2 * 3 + 3 * 2 + 2 * 2));
        assert_eq!(surface.vertices.len(), mesh.vertex_count() - 2, "two vertices are inside");
        assert_eq!(surface.cells.len(), surface.triangle_count());
        let cells: Vec<&[usize]> = mesh.cells().collect();
        for (triangle, &cell) in surface.triangles.iter().zip(&surface.cells) {
            assert!(triangle.iter().all(|&corner| cells[cell].contains(&surface.vertices[corner])));
        }
    }

    #[test]
    fn a_flat_body_shows_all_its_cells_at_the_moved_positions() {
        let options = RectangleOptions { resolution: Resolution::Counts([2, 1]), ..Default::default() };
        let mesh = rectangle(&options).unwrap();
        let surface = DrawnSurface::new(&mesh);
        assert_eq!((surface.triangle_count(), surface.vertices.len()), (4, 6));
        let displacement: Vec<f64> = (0..12).map(f64::from).collect();
        let positions = surface.positions(&mesh, Some(&displacement));
        let rest = mesh.positions()[3];
        assert_eq!(positions[3], [rest[0] + 6.0, rest[1] + 7.0, 0.0]);
        let cells: Vec<f64> = (0..4).map(f64::from).collect();
        assert_eq!(surface.values(&mesh, SurfaceField::Cells(&cells)), cells);
    }
}
