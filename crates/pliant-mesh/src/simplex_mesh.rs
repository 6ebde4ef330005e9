//! A mesh of triangles (D = 2) or tetrahedra (D = 3), valid by being there.
//!
//! Positions are n x D in metres, cells t x (D+1) vertex indices from 0, every cell positively oriented.

use crate::MeshError;

/// A named set of vertices, such as a physical group of edges in a mesh file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VertexSet {
    /// The name that selections use.
    pub name: String,
    /// Vertex indices, ascending, without repetition.
    pub vertices: Vec<usize>,
}

/// The unchecked parts of a mesh, as a file or a mesher delivers them.
#[derive(Clone, Debug, Default)]
pub struct MeshParts<const D: usize> {
    /// n x D rest positions in m.
    pub positions: Vec<[f64; D]>,
    /// t x (D+1) vertex indices, flat, cell by cell.
    pub cells: Vec<usize>,
    /// Region names; empty means one region called `body`.
    pub regions: Vec<String>,
    /// For each cell the index of its region in `regions`; empty when there is one region.
    pub cell_regions: Vec<usize>,
    /// Named vertex sets.
    pub vertex_sets: Vec<VertexSet>,
}

/// What to do with a cell whose signed volume is negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InvertedCells {
    /// Refuse the mesh (the default).
    #[default]
    Reject,
    /// Swap the last two vertices of the cell.
    Reorient,
}

/// What to do with a vertex that belongs to no cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnusedVertices {
    /// Refuse the mesh (the default).
    #[default]
    Reject,
    /// Drop it; later vertices move up.
    Drop,
}

/// How much repair [`SimplexMesh::from_parts`] may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshOptions {
    /// Default: reject.
    pub inverted_cells: InvertedCells,
    /// Default: reject.
    pub unused_vertices: UnusedVertices,
}

/// A mesh together with the repairs that its construction made.
#[derive(Clone, Debug)]
pub struct Checked<const D: usize> {
    /// The valid mesh.
    pub mesh: SimplexMesh<D>,
    /// Cells whose orientation was turned.
    pub reoriented_cells: usize,
    /// Vertices dropped because no cell uses them.
    pub dropped_vertices: usize,
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

/// A cell counts as flat when its volume is below this fraction of its longest edge to the power D.
const FLAT_CELL: f64 = 1e-13;

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

/// Signed volume of the simplex with these corners, in m^D.
pub(crate) fn signed_volume<const D: usize>(corners: &[[f64; D]]) -> f64 {
    let edge = |vertex: usize, axis: usize| corners[vertex][axis] - corners[0][axis];
    match D {
        2 => 0.5 * (edge(1, 0) * edge(2, 1) - edge(1, 1) * edge(2, 0)),
        _ => {
            let minor = |a: usize, b: usize| edge(2, a) * edge(3, b) - edge(2, b) * edge(3, a);
            (edge(1, 0) * minor(1, 2) + edge(1, 1) * minor(2, 0) + edge(1, 2) * minor(0, 1)) / 6.0
        }
    }
}

fn check_finite<const D: usize>(positions: &[[f64; D]]) -> Result<(), MeshError> {
    for (vertex, position) in positions.iter().enumerate() {
        if let Some(&value) = position.iter().find(|value| !value.is_finite()) {
            return Err(MeshError::NotFinite { vertex, value });
        }
    }
    Ok(())
}

fn check_cells<const D: usize>(cells: &[usize], vertices: usize) -> Result<(), MeshError> {
    if cells.is_empty() {
        return Err(MeshError::NoCells { kind: if D == 2 { "triangles" } else { "tetrahedra" } });
    }
    if !cells.len().is_multiple_of(D + 1) {
        return Err(MeshError::CellArrayLength { length: cells.len(), vertices_per_cell: D + 1 });
    }
    for (cell, corners) in cells.chunks_exact(D + 1).enumerate() {
        for (local, &vertex) in corners.iter().enumerate() {
            if vertex >= vertices {
                return Err(MeshError::VertexOutOfRange { what: format!("cell {cell}"), vertex, vertices });
            }
            if corners[..local].contains(&vertex) {
                return Err(MeshError::RepeatedVertex { cell, vertex });
            }
        }
    }
    Ok(())
}

fn fill_regions<const D: usize>(parts: &mut MeshParts<D>) -> Result<(), MeshError> {
    let cells = parts.cells.len() / (D + 1);
    if parts.regions.is_empty() {
        parts.regions.push("body".to_owned());
    }
    if parts.cell_regions.is_empty() && parts.regions.len() == 1 {
        parts.cell_regions = vec![0; cells];
    }
    check_regions(&parts.regions, &parts.cell_regions, cells)
}

fn check_regions(regions: &[String], cell_regions: &[usize], cells: usize) -> Result<(), MeshError> {
    if cell_regions.len() != cells {
        return Err(MeshError::CellCount { what: "the region array", length: cell_regions.len(), cells });
    }
    match cell_regions.iter().position(|&region| region >= regions.len()) {
        Some(cell) => {
            Err(MeshError::RegionOutOfRange { cell, region: cell_regions[cell], regions: regions.len() })
        }
        None => Ok(()),
    }
}

fn check_set(set: &VertexSet, vertices: usize) -> Result<(), MeshError> {
    match set.vertices.last() {
        Some(&vertex) if vertex >= vertices => Err(MeshError::VertexOutOfRange {
            what: format!("vertex set \"{}\"", set.name),
            vertex,
            vertices,
        }),
        _ => Ok(()),
    }
}

fn drop_unused_vertices<const D: usize>(
    parts: &mut MeshParts<D>,
    unused: UnusedVertices,
) -> Result<usize, MeshError> {
    let mut used = vec![false; parts.positions.len()];
    for &vertex in &parts.cells {
        used[vertex] = true;
    }
    let count = used.iter().filter(|&&used| !used).count();
    if count == 0 {
        return Ok(0);
    }
    if unused == UnusedVertices::Reject {
        let first = used.iter().position(|&used| !used).expect("count is positive");
        return Err(MeshError::UnusedVertices { count, first });
    }
    let mut new_index = vec![usize::MAX; used.len()];
    let mut kept = Vec::with_capacity(used.len() - count);
    for (vertex, &position) in parts.positions.iter().enumerate() {
        if used[vertex] {
            new_index[vertex] = kept.len();
            kept.push(position);
        }
    }
    parts.positions = kept;
    for vertex in &mut parts.cells {
        *vertex = new_index[*vertex];
    }
    for set in &mut parts.vertex_sets {
        set.vertices.retain(|&vertex| used[vertex]);
        for vertex in &mut set.vertices {
            *vertex = new_index[*vertex];
        }
    }
    Ok(count)
}

/// Volumes of all cells and how many had to be turned.
fn orient_cells<const D: usize>(
    parts: &mut MeshParts<D>,
    inverted: InvertedCells,
) -> Result<(Vec<f64>, usize), MeshError> {
    let mut volumes = Vec::with_capacity(parts.cells.len() / (D + 1));
    let mut reoriented = 0;
    for (cell, vertices) in parts.cells.chunks_exact_mut(D + 1).enumerate() {
        let mut corners = [[0.0; D]; 4];
        for (corner, &vertex) in corners.iter_mut().zip(vertices.iter()) {
            *corner = parts.positions[vertex];
        }
        let volume = signed_volume(&corners[..=D]);
        if volume.abs() <= FLAT_CELL * longest_edge(&corners[..=D]).powi(D as i32) {
            return Err(MeshError::ZeroVolume { cell, volume });
        }
        if volume < 0.0 {
            if inverted == InvertedCells::Reject {
                return Err(MeshError::InvertedCell { cell, volume });
            }
            vertices.swap(D - 1, D);
            reoriented += 1;
        }
        volumes.push(volume.abs());
    }
    Ok((volumes, reoriented))
}

fn longest_edge<const D: usize>(corners: &[[f64; D]]) -> f64 {
    let mut longest: f64 = 0.0;
    for (index, a) in corners.iter().enumerate() {
        for b in &corners[..index] {
            let squared: f64 = (0..D).map(|axis| (a[axis] - b[axis]).powi(2)).sum();
            longest = longest.max(squared);
        }
    }
    longest.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

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
