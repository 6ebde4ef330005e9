//! One picture of a 2D mesh: a field on its cells or vertices, outlines of shapes, marked vertices.

use std::fmt::Write;

use pliant_mesh::{SimplexMesh, boundary_facets};

use crate::ColourScale;
use crate::colour_scale::STEPS;

/// How an outline is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineStyle {
    /// A thin dark line.
    Solid,
    /// A dashed line, for what the picture is compared with.
    Dashed,
}

/// A picture of a mesh. Layers are drawn in the order in which they are added.
#[derive(Clone, Debug)]
pub struct MeshPanel<'m> {
    mesh: &'m SimplexMesh<2>,
    title: String,
    layers: Vec<Layer>,
    bar: Option<(ColourScale, String)>,
}

#[derive(Clone, Debug)]
enum Layer {
    /// Positions, and for each cell its step of the scale.
    Cells { positions: Vec<[f64; 2]>, steps: Vec<usize>, scale: ColourScale },
    /// Segments.
    Outline { segments: Vec<[[f64; 2]; 2]>, style: LineStyle },
    /// Squares.
    Marks(Vec<[f64; 2]>),
}

impl<'m> MeshPanel<'m> {
    /// An empty picture of this title.
    pub fn new(mesh: &'m SimplexMesh<2>, title: &str) -> Self {
        Self { mesh, title: title.to_owned(), layers: Vec::new(), bar: None }
    }

    /// Colours the cells by a value for each; `label` stands under the colour bar. `displacement` (n x 2 stacked, in m) moves the mesh.
    ///
    /// # Panics
    /// If there is not one value for each cell or one displacement for each vertex.
    #[must_use]
    pub fn cells(
        mut self,
        values: &[f64],
        displacement: Option<&[f64]>,
        scale: ColourScale,
        label: &str,
    ) -> Self {
        assert_eq!(values.len(), self.mesh.cell_count(), "one value for each cell");
        let positions = self.moved(displacement);
        let steps = values.iter().map(|&value| scale.step(value)).collect();
        self.layers.push(Layer::Cells { positions, steps, scale: scale.clone() });
        self.bar = Some((scale, label.to_owned()));
        self
    }

    /// Colours the cells by the mean of their vertices' values; otherwise as [`MeshPanel::cells`].
    ///
    /// # Panics
    /// If there is not one value and one displacement for each vertex.
    #[must_use]
    pub fn vertices(
        self,
        values: &[f64],
        displacement: Option<&[f64]>,
        scale: ColourScale,
        label: &str,
    ) -> Self {
        assert_eq!(values.len(), self.mesh.vertex_count(), "one value for each vertex");
        let mean =
            |cell: &[usize]| cell.iter().map(|&vertex| values[vertex]).sum::<f64>() / cell.len() as f64;
        let means: Vec<f64> = self.mesh.cells().map(mean).collect();
        self.cells(&means, displacement, scale, label)
    }

    /// Draws the boundary of the mesh and the interfaces between its regions.
    ///
    /// # Panics
    /// If there is not one displacement for each vertex.
    #[must_use]
    pub fn outline(mut self, displacement: Option<&[f64]>, style: LineStyle) -> Self {
        let positions = self.moved(displacement);
        let mut edges: Vec<[usize; 2]> = boundary_facets(self.mesh);
        edges.extend(interfaces(self.mesh));
        let segments = edges.into_iter().map(|edge| edge.map(|vertex| positions[vertex])).collect();
        self.layers.push(Layer::Outline { segments, style });
        self
    }

    /// Marks vertices of the rest shape by squares.
    ///
    /// # Panics
    /// If a vertex does not exist.
    #[must_use]
    pub fn marks(mut self, vertices: &[usize]) -> Self {
        let rest = self.mesh.positions();
        self.layers.push(Layer::Marks(vertices.iter().map(|&vertex| rest[vertex]).collect()));
        self
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn bar(&self) -> Option<&(ColourScale, String)> {
        self.bar.as_ref()
    }

    fn moved(&self, displacement: Option<&[f64]>) -> Vec<[f64; 2]> {
        let rest = self.mesh.positions();
        let Some(displacement) = displacement else { return rest.to_vec() };
        assert_eq!(displacement.len(), 2 * rest.len(), "one displacement for each vertex");
        let pairs = rest.iter().zip(displacement.chunks_exact(2));
        pairs.map(|(x, u)| [x[0] + u[0], x[1] + u[1]]).collect()
    }

    /// The lowest and the highest corner of everything drawn, in m.
    pub(crate) fn extent(&self) -> [[f64; 2]; 2] {
        let points: Vec<[f64; 2]> = self
            .layers
            .iter()
            .flat_map(|layer| match layer {
                Layer::Cells { positions, .. } | Layer::Marks(positions) => positions.clone(),
                Layer::Outline { segments, .. } => segments.iter().flatten().copied().collect(),
            })
            .collect();
        let bound = |axis: usize, pick: fn(f64, f64) -> f64, start: f64| {
            points.iter().map(|point| point[axis]).fold(start, pick)
        };
        let lowest = |axis| bound(axis, f64::min, f64::INFINITY);
        let highest = |axis| bound(axis, f64::max, f64::NEG_INFINITY);
        if points.is_empty() {
            return [[0.0; 2], [1.0; 2]];
        }
        [[lowest(0), lowest(1)], [highest(0), highest(1)]]
    }

    /// The layers as SVG; `place` maps metres to pixels.
    pub(crate) fn draw(&self, place: impl Fn([f64; 2]) -> [f64; 2]) -> String {
        self.layers.iter().map(|layer| self.draw_layer(layer, &place)).collect()
    }

    fn draw_layer(&self, layer: &Layer, place: &impl Fn([f64; 2]) -> [f64; 2]) -> String {
        let at = |point: [f64; 2]| {
            let [x, y] = place(point);
            format!("{x:.1} {y:.1}")
        };
        match layer {
            Layer::Cells { positions, steps, scale } => {
                let mut paths = vec![String::new(); STEPS];
                for (cell, &step) in self.mesh.cells().zip(steps) {
                    let [a, b, c] = [0, 1, 2].map(|corner| place(positions[cell[corner]]).map(tenths));
                    // Relative moves are shorter to write.
                    let to_b = [b[0] - a[0], b[1] - a[1]].map(tenths);
                    let to_c = [c[0] - b[0], c[1] - b[1]].map(tenths);
                    let [[ax, ay], [bx, by], [cx, cy]] = [a, to_b, to_c];
                    let _ = write!(paths[step], "M{ax} {ay}l{bx} {by} {cx} {cy}z");
                }
                let drawn = paths.iter().enumerate().filter(|(_, path)| !path.is_empty());
                // A hairline of the same colour closes the seams between neighbours.
                drawn
                    .map(|(step, path)| {
                        let colour = scale.colour(step);
                        format!(r#"<path fill="{colour}" stroke="{colour}" stroke-width="0.4" d="{path}"/>"#)
                    })
                    .collect()
            }
            Layer::Outline { segments, style } => {
                let path: String = segments.iter().map(|[a, b]| format!("M{}L{}", at(*a), at(*b))).collect();
                let dashes = match style {
                    LineStyle::Solid => "",
                    LineStyle::Dashed => r#" stroke-dasharray="4 3""#,
                };
                format!(r#"<path class="line" fill="none"{dashes} d="{path}"/>"#)
            }
            Layer::Marks(points) => points
                .iter()
                .map(|&point| {
                    let [x, y] = place(point);
                    let (left, top) = (x - 2.0, y - 2.0);
                    format!(r#"<rect class="mark" x="{left:.1}" y="{top:.1}" width="4" height="4"/>"#)
                })
                .collect(),
        }
    }
}

/// Rounded to a tenth of a pixel.
fn tenths(pixels: f64) -> f64 {
    (pixels * 10.0).round() / 10.0 + 0.0
}

/// The edges between cells of different regions, each once.
fn interfaces(mesh: &SimplexMesh<2>) -> Vec<[usize; 2]> {
    let mut edges: Vec<([usize; 2], usize)> = Vec::with_capacity(3 * mesh.cell_count());
    for (cell, &region) in mesh.cells().zip(mesh.cell_regions()) {
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            edges.push(([cell[a].min(cell[b]), cell[a].max(cell[b])], region));
        }
    }
    edges.sort_unstable();
    let pairs = edges.windows(2);
    pairs.filter(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1).map(|pair| pair[0].0).collect()
}
