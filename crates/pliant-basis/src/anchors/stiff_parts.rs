//! Stiff parts of a body: connected cells whose modulus is far above that of what they touch.
//!
//! Cells touch where they share a vertex. *Parts* are the connected sets of touching cells whose moduli differ by a factor of at most
//! `sqrt(ratio)`, so that scatter or a gradation within one material does not cut it. A part is *stiff* when its softest cell exceeds the
//! softest cell that it touches outside by more than `ratio`, or when it touches a stiff part that is not stiffer than itself
//! (a bone inside cartilage inside flesh). A body that grades smoothly from soft to stiff is one part and has no stiff one.

use pliant_mesh::SimplexMesh;

use super::disjoint_sets::DisjointSets;

/// The cells of every connected stiff set, by lowest vertex; touching stiff parts are one. O(t log t).
pub(super) fn stiff_parts<const D: usize>(
    mesh: &SimplexMesh<D>,
    moduli: &[f64],
    ratio: f64,
) -> Vec<Vec<usize>> {
    let around = CellsAround::new(mesh, moduli);
    let parts = Parts::new(&around, moduli, ratio.sqrt());
    let mut order: Vec<usize> = (0..parts.cells.len()).collect();
    order.sort_by(|&a, &b| parts.softest[a].total_cmp(&parts.softest[b]).then(a.cmp(&b)));
    let mut stiff = vec![false; mesh.cell_count()];
    let mut touches_stiff = vec![false; mesh.vertex_count()];
    for part in order {
        let corners = || parts.cells[part].iter().flat_map(|&cell| mesh.cell(cell));
        let much_stiffer = parts.softest[part] > ratio * parts.softest_outside[part];
        if much_stiffer || corners().any(|&vertex| touches_stiff[vertex]) {
            corners().for_each(|&vertex| touches_stiff[vertex] = true);
            parts.cells[part].iter().for_each(|&cell| stiff[cell] = true);
        }
    }
    connected_cells(mesh, |cell| stiff[cell])
}

/// The connected sets (cells that share a vertex) of the cells that are asked for, by lowest vertex; cells ascend. O(t).
pub(super) fn connected_cells<const D: usize>(
    mesh: &SimplexMesh<D>,
    wanted: impl Fn(usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut sets = DisjointSets::new(mesh.vertex_count());
    let cells = || mesh.cells().enumerate().filter(|(cell, _)| wanted(*cell));
    cells().for_each(|(_, corners)| sets.join_all(corners));
    let mut of_vertex: Vec<Vec<usize>> = vec![Vec::new(); mesh.vertex_count()];
    cells().for_each(|(cell, corners)| of_vertex[sets.lowest(corners[0])].push(cell));
    of_vertex.into_iter().filter(|cells| !cells.is_empty()).collect()
}

/// The cells around every vertex, softest first.
struct CellsAround {
    offsets: Vec<usize>,
    cells: Vec<usize>,
}

impl CellsAround {
    fn new<const D: usize>(mesh: &SimplexMesh<D>, moduli: &[f64]) -> Self {
        let mut offsets = vec![0; mesh.vertex_count() + 1];
        mesh.cells().flatten().for_each(|&vertex| offsets[vertex + 1] += 1);
        (0..mesh.vertex_count()).for_each(|vertex| offsets[vertex + 1] += offsets[vertex]);
        let mut next = offsets.clone();
        let mut cells = vec![0; mesh.cell_count() * (D + 1)];
        for (cell, corners) in mesh.cells().enumerate() {
            for &vertex in corners {
                cells[next[vertex]] = cell;
                next[vertex] += 1;
            }
        }
        for range in offsets.windows(2) {
            cells[range[0]..range[1]].sort_by(|&a, &b| moduli[a].total_cmp(&moduli[b]).then(a.cmp(&b)));
        }
        Self { offsets, cells }
    }

    fn each(&self) -> impl Iterator<Item = &[usize]> {
        self.offsets.windows(2).map(|range| &self.cells[range[0]..range[1]])
    }
}

/// Touching cells of similar modulus.
struct Parts {
    /// The cells of each part, parts by lowest cell.
    cells: Vec<Vec<usize>>,
    /// The lowest modulus of each part.
    softest: Vec<f64>,
    /// The lowest modulus that each part touches in other parts, infinite where there is none.
    softest_outside: Vec<f64>,
}

impl Parts {
    fn new(around: &CellsAround, moduli: &[f64], same_material: f64) -> Self {
        let mut sets = DisjointSets::new(moduli.len());
        for cells in around.each() {
            for pair in cells.windows(2) {
                if moduli[pair[1]] <= same_material * moduli[pair[0]] {
                    sets.join(pair[0], pair[1]);
                }
            }
        }
        let mut parts = Self { cells: Vec::new(), softest: Vec::new(), softest_outside: Vec::new() };
        let mut label = vec![0; moduli.len()];
        for cell in 0..moduli.len() {
            let lowest = sets.lowest(cell);
            if lowest == cell {
                label[cell] = parts.cells.len();
                parts.cells.push(Vec::new());
                parts.softest.push(f64::INFINITY);
            } else {
                label[cell] = label[lowest];
            }
            parts.cells[label[cell]].push(cell);
            parts.softest[label[cell]] = parts.softest[label[cell]].min(moduli[cell]);
        }
        parts.softest_outside = vec![f64::INFINITY; parts.cells.len()];
        for cells in around.each() {
            // Softest first, so the first cell of another part than one's own is what one touches.
            let Some(&first) = cells.first() else { continue };
            let second = cells.iter().find(|&&cell| label[cell] != label[first]);
            for &cell in cells {
                let outside = if label[cell] == label[first] { second.copied() } else { Some(first) };
                if let Some(outside) = outside {
                    let softest = &mut parts.softest_outside[label[cell]];
                    *softest = softest.min(moduli[outside]);
                }
            }
        }
        parts
    }
}
