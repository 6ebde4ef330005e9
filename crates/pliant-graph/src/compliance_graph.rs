//! The compliance graph of a mesh: edge weight `|X_i - X_j| c_ij`, `c_ij` the reduced `1/E` of the cells around the edge.
//!
//! Shortest paths in it are compliance distances (m/Pa): short through stiff material, long through soft. With `E = 1`
//! they are geodesic distances along edges (m).
//! Source: Faure, Gilles, Bousquet, Pai 2011, "Sparse meshless models of complex deformable solids".

use petgraph::{Undirected, csr::Csr};
use pliant_mesh::{MaterialMap, SimplexMesh};
use rayon::prelude::*;

/// How the compliances `1/E` of the cells around an edge become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EdgeReduction {
    /// The arithmetic mean (the default).
    #[default]
    Mean,
    /// The smallest: an edge on an interface counts as stiff.
    Min,
    /// The largest: an edge on an interface counts as soft.
    Max,
}

/// The weighted edges of a mesh, with the lumped mass of every vertex.
///
/// Distances between vertices that no path joins are infinite.
#[derive(Clone, Debug)]
pub struct ComplianceGraph {
    adjacency: Csr<(), f64, Undirected, u32>,
    edge_count: usize,
    masses: Vec<f64>,
    calibers: Vec<f64>,
}

impl ComplianceGraph {
    /// The graph whose compliances are the mean over the cells around each edge. O(t log t), parallel.
    ///
    /// # Panics
    /// If the material belongs to a mesh with another number of cells, or at 2^32 vertices or cells.
    pub fn new<const D: usize>(mesh: &SimplexMesh<D>, material: &MaterialMap) -> Self {
        Self::with_reduction(mesh, material, EdgeReduction::Mean)
    }

    /// The graph with a chosen reduction. O(t log t), parallel.
    ///
    /// # Panics
    /// As [`ComplianceGraph::new`].
    pub fn with_reduction<const D: usize>(
        mesh: &SimplexMesh<D>,
        material: &MaterialMap,
        reduction: EdgeReduction,
    ) -> Self {
        assert_eq!(
            material.cell_count(),
            mesh.cell_count(),
            "the material map must have one entry for each cell of the mesh"
        );
        let compliance: Vec<f64> = material.youngs_modulus().iter().map(|modulus| 1.0 / modulus).collect();
        Self::build(mesh, &compliance, material.density(), reduction)
    }

    /// The graph of plain edge lengths, in m; masses are those of unit density.
    ///
    /// # Panics
    /// At 2^32 vertices or cells.
    pub fn geodesic<const D: usize>(mesh: &SimplexMesh<D>) -> Self {
        let ones = vec![1.0; mesh.cell_count()];
        Self::build(mesh, &ones, &ones, EdgeReduction::Mean)
    }

    fn build<const D: usize>(
        mesh: &SimplexMesh<D>,
        compliance: &[f64],
        density: &[f64],
        reduction: EdgeReduction,
    ) -> Self {
        let limit = u32::MAX as usize;
        assert!(
            mesh.vertex_count() < limit && mesh.cell_count() < limit,
            "a compliance graph holds fewer than 2^32 vertices and cells"
        );
        let incidence = Incidence::new(mesh);
        let edges: Vec<(u32, u32, f64)> = (0..mesh.vertex_count())
            .into_par_iter()
            .flat_map_iter(|vertex| edges_of(mesh, &incidence, vertex, compliance, reduction))
            .collect();
        let adjacency = Csr::from_sorted_edges(&edges)
            .expect("edges are listed by first vertex and, within it, by second vertex");
        let mut masses = vec![0.0; mesh.vertex_count()];
        for (cell, vertices) in mesh.cells().enumerate() {
            let share = mesh.volumes()[cell] * density[cell] / (D + 1) as f64;
            vertices.iter().for_each(|&vertex| masses[vertex] += share);
        }
        let shortest = |vertex| adjacency.edges_slice(vertex).iter().copied().fold(f64::INFINITY, f64::min);
        let calibers = (0..mesh.vertex_count() as u32).map(shortest).collect();
        Self { adjacency, edge_count: edges.len() / 2, masses, calibers }
    }

    /// n.
    pub fn vertex_count(&self) -> usize {
        self.masses.len()
    }

    /// Number of edges of the mesh, each counted once.
    pub fn edge_count(&self) -> usize {
        self.edge_count
    }

    /// Lumped mass of every vertex in kg (unit density for a geodesic graph: m^D).
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// The length of the shortest edge at every vertex.
    pub(crate) fn calibers(&self) -> &[f64] {
        &self.calibers
    }

    /// The neighbours of a vertex in ascending order, each with the weight of the edge to it.
    ///
    /// # Panics
    /// If the vertex is out of range.
    #[inline]
    pub fn edges(&self, vertex: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let vertex = vertex as u32;
        let neighbours = self.adjacency.neighbors_slice(vertex).iter().map(|&neighbour| neighbour as usize);
        neighbours.zip(self.adjacency.edges_slice(vertex).iter().copied())
    }

    /// Weight of the edge between two vertices; `None` when no cell holds both.
    ///
    /// # Panics
    /// If `from` is out of range.
    pub fn edge_weight(&self, from: usize, to: usize) -> Option<f64> {
        let neighbours = self.adjacency.neighbors_slice(from as u32);
        let position = neighbours.binary_search(&u32::try_from(to).ok()?).ok()?;
        Some(self.adjacency.edges_slice(from as u32)[position])
    }
}

/// The cells around every vertex, in ascending order.
struct Incidence {
    starts: Vec<usize>,
    cells: Vec<u32>,
}

impl Incidence {
    fn new<const D: usize>(mesh: &SimplexMesh<D>) -> Self {
        let mut starts = vec![0; mesh.vertex_count() + 1];
        for &vertex in mesh.cells().flatten() {
            starts[vertex + 1] += 1;
        }
        for vertex in 0..mesh.vertex_count() {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut cells = vec![0; starts[mesh.vertex_count()]];
        for (cell, vertices) in mesh.cells().enumerate() {
            for &vertex in vertices {
                cells[next[vertex]] = cell as u32;
                next[vertex] += 1;
            }
        }
        Self { starts, cells }
    }

    fn cells(&self, vertex: usize) -> &[u32] {
        &self.cells[self.starts[vertex]..self.starts[vertex + 1]]
    }
}

/// The edges `(vertex, neighbour, weight)` of one vertex, neighbours ascending.
///
/// Both ends of an edge reduce the same cells in the same order, so the two stored weights have the same bits.
fn edges_of<const D: usize>(
    mesh: &SimplexMesh<D>,
    incidence: &Incidence,
    vertex: usize,
    compliance: &[f64],
    reduction: EdgeReduction,
) -> Vec<(u32, u32, f64)> {
    let mut around: Vec<(u32, u32)> = Vec::with_capacity(D * incidence.cells(vertex).len());
    for &cell in incidence.cells(vertex) {
        let others = mesh.cell(cell as usize).iter().filter(|&&other| other != vertex);
        around.extend(others.map(|&other| (other as u32, cell)));
    }
    around.sort_unstable();
    around
        .chunk_by(|a, b| a.0 == b.0)
        .map(|cells| {
            let neighbour = cells[0].0;
            let values = cells.iter().map(|&(_, cell)| compliance[cell as usize]);
            let reduced = match reduction {
                EdgeReduction::Mean => values.sum::<f64>() / cells.len() as f64,
                EdgeReduction::Min => values.fold(f64::INFINITY, f64::min),
                EdgeReduction::Max => values.fold(0.0, f64::max),
            };
            let (a, b) = (&mesh.positions()[vertex], &mesh.positions()[neighbour as usize]);
            (vertex as u32, neighbour, distance(a, b) * reduced)
        })
        .collect()
}

/// Euclidean distance of two points, in m.
pub(crate) fn distance<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    (0..D).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::{grid, material};

    fn unit_square() -> SimplexMesh<2> {
        SimplexMesh::new(vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], vec![0, 1, 2, 0, 2, 3])
            .unwrap()
    }

    #[test]
    fn an_interface_edge_has_the_reduced_compliance_of_its_cells() {
        let mesh = unit_square();
        let material = material(&mesh, &[0.5, 0.25]);
        let diagonal = |reduction| {
            ComplianceGraph::with_reduction(&mesh, &material, reduction).edge_weight(0, 2).unwrap()
        };
        assert_eq!(diagonal(EdgeReduction::Mean), 3.0 * 2f64.sqrt());
        assert_eq!(diagonal(EdgeReduction::Min), 2.0 * 2f64.sqrt());
        assert_eq!(diagonal(EdgeReduction::Max), 4.0 * 2f64.sqrt());
    }

    #[test]
    fn an_edge_of_one_cell_has_its_length_times_the_compliance_of_that_cell() {
        let mesh = unit_square();
        let graph = ComplianceGraph::new(&mesh, &material(&mesh, &[0.5, 0.25]));
        assert_eq!(graph.edges(1).collect::<Vec<_>>(), [(0, 2.0), (2, 2.0)]);
        assert_eq!(graph.edges(3).collect::<Vec<_>>(), [(0, 4.0), (2, 4.0)]);
        assert_eq!(graph.edge_weight(1, 3), None);
        assert_eq!(graph.edge_count(), 5);
    }

    #[test]
    fn both_directions_of_an_edge_have_the_same_bits() {
        let mesh = grid(9, 7, 0.2, 3);
        let moduli: Vec<f64> = (0..mesh.cell_count()).map(|cell| 1.0 / (3.0 + cell as f64)).collect();
        let graph = ComplianceGraph::new(&mesh, &material(&mesh, &moduli));
        for vertex in 0..graph.vertex_count() {
            for (neighbour, weight) in graph.edges(vertex) {
                assert_eq!(graph.edge_weight(neighbour, vertex), Some(weight));
            }
        }
    }

    #[test]
    fn a_tetrahedron_has_six_edges_and_a_quarter_of_its_mass_at_each_corner() {
        let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mesh = SimplexMesh::<3>::new(positions, vec![0, 1, 2, 3]).unwrap();
        let graph = ComplianceGraph::geodesic(&mesh);
        assert_eq!(graph.edge_count(), 6);
        assert_eq!(graph.edge_weight(1, 2), Some(2f64.sqrt()));
        assert!(graph.masses().iter().all(|mass| (mass - 1.0 / 24.0).abs() < 1e-17));
    }

    #[test]
    #[should_panic(expected = "one entry for each cell")]
    fn a_material_of_another_mesh_panics_as_documented() {
        let other = grid(4, 4, 0.0, 0);
        let _ = ComplianceGraph::new(&unit_square(), &material(&other, &vec![1.0; other.cell_count()]));
    }
}
