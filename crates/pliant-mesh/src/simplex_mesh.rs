//! A mesh of triangles (D = 2) or tetrahedra (D = 3), valid by being there.
//!
//! Positions are n x D in metres, cells t x (D+1) vertex indices from 0, every cell positively oriented.

use crate::mesh_parts::{
    check_cells, check_finite, check_regions, check_set, drop_unused_vertices, fill_regions, orient_cells,
};
use crate::{Checked, MeshError, MeshOptions, MeshParts};

/// A named set of vertices, such as a physical group of edges in a mesh file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VertexSet {
    /// The name that selections use.
    pub name: String,
    /// Vertex indices, ascending, without repetition.
    pub vertices: Vec<usize>,
}

/// A conforming mesh of simplices in D dimensions with named regions and vertex sets.
///
/// Indices are in range, coordinates finite, volumes positive and every vertex belongs to a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct SimplexMesh<const D: usize> {
    positions: Vec<[f64; D]>,
    cells: Vec<usize>,
    volumes: Vec<f64>,
    regions: Vec<String>,
    cell_regions: Vec<usize>,
    vertex_sets: Vec<VertexSet>,
}

impl<const D: usize> SimplexMesh<D> {
    /// A mesh of one region from positions and flat cells, nothing repaired.
    ///
    /// # Errors
    /// As [`SimplexMesh::from_parts`].
    pub fn new(positions: Vec<[f64; D]>, cells: Vec<usize>) -> Result<Self, MeshError> {
        let parts = MeshParts { positions, cells, ..MeshParts::default() };
        Ok(Self::from_parts(parts, &MeshOptions::default())?.mesh)
    }

    /// Checks the parts, repairs what the options allow, and reports what was repaired. O(n + t).
    ///
    /// # Errors
    /// No cells, an index out of range, a coordinate that is not finite, a vertex repeated in a cell, a cell without
    /// volume; an inverted cell or an unused vertex unless the options repair it.
    pub fn from_parts(mut parts: MeshParts<D>, options: &MeshOptions) -> Result<Checked<D>, MeshError> {
        const { assert!(D == 2 || D == 3, "meshes are 2D or 3D") };
        check_finite(&parts.positions)?;
        check_cells::<D>(&parts.cells, parts.positions.len())?;
        fill_regions::<D>(&mut parts)?;
        for set in &mut parts.vertex_sets {
            set.vertices.sort_unstable();
            set.vertices.dedup();
            check_set(set, parts.positions.len())?;
        }
        let dropped_vertices = drop_unused_vertices(&mut parts, options.unused_vertices)?;
        let (volumes, reoriented_cells) = orient_cells(&mut parts, options.inverted_cells)?;
        let mesh = Self {
            positions: parts.positions,
            cells: parts.cells,
            volumes,
            regions: parts.regions,
            cell_regions: parts.cell_regions,
            vertex_sets: parts.vertex_sets,
        };
        Ok(Checked { mesh, reoriented_cells, dropped_vertices })
    }

    /// n.
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    /// t.
    pub fn cell_count(&self) -> usize {
        self.volumes.len()
    }

    /// Rest positions X, n x D, in m.
    pub fn positions(&self) -> &[[f64; D]] {
        &self.positions
    }

    /// The D+1 vertices of one cell.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn cell(&self, cell: usize) -> &[usize] {
        &self.cells[cell * (D + 1)..(cell + 1) * (D + 1)]
    }

    /// All cells in order, each as its D+1 vertices.
    pub fn cells(&self) -> std::slice::ChunksExact<'_, usize> {
        self.cells.chunks_exact(D + 1)
    }

    /// Volume (area in 2D) of every cell in m^D, all positive.
    pub fn volumes(&self) -> &[f64] {
        &self.volumes
    }

    /// Volume of the body in m^D.
    pub fn volume(&self) -> f64 {
        self.volumes.iter().sum()
    }

    /// The mean of a cell's vertices, in m.
    pub fn centroid(&self, cell: usize) -> [f64; D] {
        let vertices = self.cell(cell);
        std::array::from_fn(|axis| {
            vertices.iter().map(|&vertex| self.positions[vertex][axis]).sum::<f64>() / (D + 1) as f64
        })
    }

    /// Region names, in the order that [`SimplexMesh::cell_regions`] indexes.
    pub fn regions(&self) -> &[String] {
        &self.regions
    }

    /// For each cell the index of its region.
    pub fn cell_regions(&self) -> &[usize] {
        &self.cell_regions
    }

    /// Named vertex sets.
    pub fn vertex_sets(&self) -> &[VertexSet] {
        &self.vertex_sets
    }

    /// Lowest and highest coordinate on each axis, in m.
    pub fn bounding_box(&self) -> ([f64; D], [f64; D]) {
        let mut low = [f64::INFINITY; D];
        let mut high = [f64::NEG_INFINITY; D];
        for position in &self.positions {
            for axis in 0..D {
                low[axis] = low[axis].min(position[axis]);
                high[axis] = high[axis].max(position[axis]);
            }
        }
        (low, high)
    }

    /// Length of the bounding box's diagonal in m, the body's length scale.
    pub fn diagonal(&self) -> f64 {
        let (low, high) = self.bounding_box();
        (0..D).map(|axis| (high[axis] - low[axis]).powi(2)).sum::<f64>().sqrt()
    }

    /// The same mesh with other regions, for example assigned by a selection.
    ///
    /// # Errors
    /// If `cell_regions` is not one valid index for each cell.
    pub fn with_regions(mut self, regions: Vec<String>, cell_regions: Vec<usize>) -> Result<Self, MeshError> {
        check_regions(&regions, &cell_regions, self.cell_count())?;
        self.regions = regions;
        self.cell_regions = cell_regions;
        Ok(self)
    }

    /// The same mesh with one more named vertex set.
    ///
    /// # Errors
    /// If the set names a vertex that does not exist.
    pub fn with_vertex_set(mut self, mut set: VertexSet) -> Result<Self, MeshError> {
        set.vertices.sort_unstable();
        set.vertices.dedup();
        check_set(&set, self.vertex_count())?;
        self.vertex_sets.push(set);
        Ok(self)
    }
}

/// The point in space: a point of the plane gets z = 0.
pub(crate) fn in_space<const D: usize>(position: &[f64; D]) -> [f64; 3] {
    std::array::from_fn(|axis| if axis < D { position[axis] } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InvertedCells, UnusedVertices};

    fn square() -> MeshParts<2> {
        MeshParts {
            positions: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            cells: vec![0, 1, 2, 0, 2, 3],
            ..MeshParts::default()
        }
    }

    #[test]
    fn a_unit_square_has_unit_volume_and_one_region() {
        let mesh = SimplexMesh::from_parts(square(), &MeshOptions::default()).unwrap().mesh;
        assert_eq!(mesh.volume(), 1.0);
        assert_eq!(mesh.regions(), ["body"]);
        assert_eq!(mesh.cell_regions(), [0, 0]);
    }

    #[test]
    fn an_inverted_cell_is_rejected_or_reoriented() {
        let mut parts = square();
        parts.cells = vec![0, 2, 1, 0, 2, 3];
        let error = SimplexMesh::from_parts(parts.clone(), &MeshOptions::default()).unwrap_err();
        assert!(matches!(error, MeshError::InvertedCell { cell: 0, .. }));
        let options = MeshOptions { inverted_cells: InvertedCells::Reorient, ..MeshOptions::default() };
        let checked = SimplexMesh::from_parts(parts, &options).unwrap();
        assert_eq!(checked.reoriented_cells, 1);
        assert_eq!(checked.mesh.volumes(), [0.5, 0.5]);
    }

    #[test]
    fn dropping_unused_vertices_renumbers_cells_and_sets() {
        let mut parts = square();
        parts.positions.insert(0, [9.0, 9.0]);
        parts.cells.iter_mut().for_each(|vertex| *vertex += 1);
        parts.vertex_sets = vec![VertexSet { name: "left".to_owned(), vertices: vec![4, 0, 1, 1] }];
        let error = SimplexMesh::from_parts(parts.clone(), &MeshOptions::default()).unwrap_err();
        assert!(matches!(error, MeshError::UnusedVertices { count: 1, first: 0 }));
        let options = MeshOptions { unused_vertices: UnusedVertices::Drop, ..MeshOptions::default() };
        let checked = SimplexMesh::from_parts(parts, &options).unwrap();
        assert_eq!(checked.dropped_vertices, 1);
        assert_eq!(checked.mesh.cell(0), [0, 1, 2]);
        assert_eq!(checked.mesh.vertex_sets()[0].vertices, [0, 3]);
    }

    #[test]
    fn bad_parts_are_refused_with_the_offending_index() {
        let reject = |change: &dyn Fn(&mut MeshParts<2>)| {
            let mut parts = square();
            change(&mut parts);
            SimplexMesh::from_parts(parts, &MeshOptions::default()).unwrap_err()
        };
        assert!(matches!(reject(&|parts| parts.cells.clear()), MeshError::NoCells { .. }));
        assert!(matches!(reject(&|parts| parts.cells[4] = 7), MeshError::VertexOutOfRange { vertex: 7, .. }));
        assert!(matches!(
            reject(&|parts| parts.cells[1] = 0),
            MeshError::RepeatedVertex { cell: 0, vertex: 0 }
        ));
        assert!(matches!(
            reject(&|parts| parts.positions[2][1] = f64::NAN),
            MeshError::NotFinite { vertex: 2, .. }
        ));
        assert!(matches!(
            reject(&|parts| parts.positions[2] = [2.0, 0.0]),
            MeshError::ZeroVolume { cell: 0, .. }
        ));
        assert!(matches!(reject(&|parts| parts.cell_regions = vec![0]), MeshError::CellCount { .. }));
        assert!(matches!(
            reject(&|parts| parts.cell_regions = vec![0, 3]),
            MeshError::RegionOutOfRange { cell: 1, region: 3, .. }
        ));
    }

    #[test]
    fn tetrahedra_are_oriented_by_the_right_hand_rule() {
        let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mesh = SimplexMesh::new(positions.clone(), vec![0, 1, 2, 3]).unwrap();
        assert!((mesh.volume() - 1.0 / 6.0).abs() < 1e-16);
        assert_eq!(mesh.centroid(0), [0.25; 3]);
        assert!(SimplexMesh::new(positions, vec![0, 2, 1, 3]).is_err());
    }
}
