//! One picture of a mesh: a field on its cells or vertices, outlines of shapes, marked vertices. Of a 3D body its surface is seen.

use std::fmt::Write;

use pliant_mesh::{SimplexMesh, boundary_facets};

use crate::cell_areas::{boundary_loops, chained, closed_path, open_path};
use crate::colour_scale::STEPS;
use crate::solid_surface::{SolidSurface, shaded};
use crate::{ColourScale, Mark, Viewpoint};

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineStyle {
    /// A thin dark line.
    Solid,
    /// A dashed line, for what the picture is compared with.
    Dashed,
    /// A thick line of the colour of marks, for a way through the body.
    Trail,
}

/// A picture of a mesh. Layers are drawn in the order in which they are added.
#[derive(Clone, Debug)]
pub struct MeshPanel<'m, const D: usize> {
    mesh: &'m SimplexMesh<D>,
    bounds: ([f64; D], [f64; D]),
    /// What is seen of a 3D body; none in 2D.
    surface: Option<SolidSurface>,
    title: String,
    view: Viewpoint,
    layers: Vec<Layer>,
    bar: Option<(ColourScale, String)>,
    marks: Vec<Mark>,
}

/// What is drawn, in m in the plane of the picture.
#[derive(Clone, Debug)]
enum Layer {
    /// Areas of one colour: `#rrggbb` and the loops around them.
    Areas(Vec<(String, Vec<Vec<[f64; 2]>>)>),
    /// Lines through points.
    Lines { lines: Vec<Vec<[f64; 2]>>, style: LineStyle },
    /// Signs, each with its number and place.
    Marks { mark: Mark, places: Vec<(usize, [f64; 2])> },
}

impl<'m, const D: usize> MeshPanel<'m, D> {
    /// An empty picture of this title, from the front; 3D bodies are better seen from elsewhere.
    pub fn new(mesh: &'m SimplexMesh<D>, title: &str) -> Self {
        Self {
            mesh,
            bounds: mesh.bounding_box(),
            surface: (D == 3).then(|| SolidSurface::new(mesh)),
            title: title.to_owned(),
            view: Viewpoint::FRONT,
            layers: Vec::new(),
            bar: None,
            marks: Vec::new(),
        }
    }

    /// From another side. It holds for the layers that are added after it.
    #[must_use]
    pub fn seen_from(mut self, view: Viewpoint) -> Self {
        self.view = if D == 3 { view } else { Viewpoint::FRONT };
        self
    }

    /// Colours the cells by a value for each; `label` stands beside the colour bar. `displacement` (n x D stacked, in m) moves the mesh.
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
        let steps: Vec<usize> = values.iter().map(|&value| scale.step(value)).collect();
        let seen = self.seen(displacement);
        let areas = match &self.surface {
            Some(surface) => {
                let steps: Vec<usize> = surface.cells.iter().map(|&cell| steps[cell]).collect();
                surface_areas(surface, &seen, &steps, &scale)
            }
            None => self.flat_areas(&seen, &steps, &scale),
        };
        self.layers.push(Layer::Areas(areas));
        self.bar = Some((scale, label.to_owned()));
        self
    }

    /// Colours the cells, or the facets of a 3D body's surface, by the mean of their vertices' values; otherwise as [`MeshPanel::cells`].
    ///
    /// # Panics
    /// If there is not one value and one displacement for each vertex.
    #[must_use]
    pub fn vertices(
        mut self,
        values: &[f64],
        displacement: Option<&[f64]>,
        scale: ColourScale,
        label: &str,
    ) -> Self {
        assert_eq!(values.len(), self.mesh.vertex_count(), "one value for each vertex");
        let mean =
            |cell: &[usize]| cell.iter().map(|&vertex| values[vertex]).sum::<f64>() / cell.len() as f64;
        if let Some(surface) = &self.surface {
            let steps: Vec<usize> = surface.facets.iter().map(|facet| scale.step(mean(facet))).collect();
            let areas = surface_areas(surface, &self.seen(displacement), &steps, &scale);
            self.layers.push(Layer::Areas(areas));
            self.bar = Some((scale, label.to_owned()));
            return self;
        }
        let means: Vec<f64> = self.mesh.cells().map(mean).collect();
        self.cells(&means, displacement, scale, label)
    }

    /// Draws the boundary of the mesh and the interfaces between its regions; of a 3D body the rim of what is seen and the interfaces on it.
    ///
    /// # Panics
    /// If there is not one displacement for each vertex.
    #[must_use]
    pub fn outline(mut self, displacement: Option<&[f64]>, style: LineStyle) -> Self {
        let seen = self.seen(displacement);
        let edges = match &self.surface {
            Some(surface) => surface.lines(&seen),
            None => flat_lines(self.mesh),
        };
        let place = |vertex: usize| [seen[vertex][0], seen[vertex][1]];
        let lines = chained(&edges).into_iter().map(|line| line.into_iter().map(place).collect()).collect();
        self.layers.push(Layer::Lines { lines, style });
        self
    }

    /// Draws polygons of cells' values, such as [`crate::CutPlane`] makes, in place of the body itself.
    pub(crate) fn polygons(
        mut self,
        polygons: &[(Vec<[f64; D]>, f64)],
        scale: ColourScale,
        label: &str,
    ) -> Self {
        let flat = |polygon: &[[f64; D]]| -> Vec<[f64; 2]> {
            let seen = polygon.iter().map(|point| self.place(point));
            seen.map(|[x, y, _]| [x, y]).collect()
        };
        let areas = polygons
            .iter()
            .map(|(polygon, value)| (scale.colour(scale.step(*value)), vec![flat(polygon)]))
            .collect();
        self.layers.push(Layer::Areas(areas));
        self.bar = Some((scale, label.to_owned()));
        self
    }

    /// Draws a way along edges, through vertices of the rest shape.
    ///
    /// # Panics
    /// If a vertex does not exist.
    #[must_use]
    pub fn trail(mut self, vertices: &[usize]) -> Self {
        let seen = self.seen(None);
        let place = |vertex: usize| [seen[vertex][0], seen[vertex][1]];
        let line = vertices.iter().map(|&vertex| place(vertex)).collect();
        self.layers.push(Layer::Lines { lines: vec![line], style: LineStyle::Trail });
        self
    }

    /// Marks vertices of the rest shape; of a 3D body those that are seen, but every node.
    ///
    /// # Panics
    /// If a vertex does not exist.
    #[must_use]
    pub fn marks(mut self, vertices: &[usize], mark: Mark) -> Self {
        if vertices.is_empty() {
            return self;
        }
        let seen = self.seen(None);
        let visible = match &self.surface {
            Some(surface) if mark != Mark::Node => surface.visible(&seen),
            _ => vec![true; seen.len()],
        };
        let shown = vertices.iter().enumerate().filter(|(_, vertex)| visible[**vertex]);
        let places = shown.map(|(number, &vertex)| (number, [seen[vertex][0], seen[vertex][1]])).collect();
        self.layers.push(Layer::Marks { mark, places });
        self.marks.push(mark);
        self
    }

    /// Leaves the colour bar out.
    pub(crate) fn without_bar(mut self) -> Self {
        self.bar = None;
        self
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// The colour scale to explain, if it needs a bar.
    pub(crate) fn bar(&self) -> Option<&(ColourScale, String)> {
        self.bar.as_ref().filter(|(scale, _)| *scale != ColourScale::Categories)
    }

    /// The signs to explain.
    pub(crate) fn signs(&self) -> &[Mark] {
        &self.marks
    }

    /// Right, up and toward the viewer of every vertex, in m.
    fn seen(&self, displacement: Option<&[f64]>) -> Vec<[f64; 3]> {
        let rest = self.mesh.positions();
        let Some(displacement) = displacement else {
            return rest.iter().map(|x| self.place(x)).collect();
        };
        assert_eq!(displacement.len(), D * rest.len(), "one displacement for each vertex");
        let moved = rest.iter().zip(displacement.chunks_exact(D)).map(|(x, u)| {
            let position: [f64; D] = std::array::from_fn(|axis| x[axis] + u[axis]);
            self.place(&position)
        });
        moved.collect()
    }

    /// Right, up and toward the viewer of a point, in m from the middle of the body: so that it is in the middle from every side.
    fn place(&self, position: &[f64; D]) -> [f64; 3] {
        let (low, high) = self.bounds;
        let middle: [f64; D] = std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]));
        let [place, middle] = [position, &middle].map(|point| self.view.project(point));
        std::array::from_fn(|axis| place[axis] - middle[axis])
    }

    /// The triangles of a 2D body, those of one colour as one area.
    fn flat_areas(
        &self,
        seen: &[[f64; 3]],
        steps: &[usize],
        scale: &ColourScale,
    ) -> Vec<(String, Vec<Vec<[f64; 2]>>)> {
        let place = |vertex: &usize| [seen[*vertex][0], seen[*vertex][1]];
        let area = |step: usize| {
            let of_step = self.mesh.cells().zip(steps).filter(|(_, at)| **at == step).map(|(cell, _)| cell);
            let loops = boundary_loops(of_step);
            let places = loops.iter().map(|around| around.iter().map(place).collect()).collect();
            (scale.colour(step), places)
        };
        (0..STEPS).map(area).filter(|(_, loops): &(String, Vec<_>)| !loops.is_empty()).collect()
    }

    /// The lowest and the highest corner of everything drawn, in m.
    pub(crate) fn extent(&self) -> [[f64; 2]; 2] {
        let points = self.layers.iter().flat_map(|layer| -> Vec<[f64; 2]> {
            match layer {
                Layer::Areas(areas) => areas.iter().flat_map(|(_, loops)| loops).flatten().copied().collect(),
                Layer::Lines { lines, .. } => lines.iter().flatten().copied().collect(),
                Layer::Marks { places, .. } => places.iter().map(|(_, place)| *place).collect(),
            }
        });
        let nothing = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        let extent = points.filter(|point| point.iter().all(|x| x.is_finite())).fold(
            nothing,
            |[low, high]: [[f64; 2]; 2], [x, y]| {
                [[low[0].min(x), low[1].min(y)], [high[0].max(x), high[1].max(y)]]
            },
        );
        if extent == nothing { [[0.0; 2], [1.0; 2]] } else { extent }
    }

    /// The layers as SVG; `place` maps metres to pixels.
    pub(crate) fn draw(&self, place: impl Fn([f64; 2]) -> [f64; 2]) -> String {
        self.layers.iter().map(|layer| draw_layer(layer, &place)).collect()
    }
}

fn draw_layer(layer: &Layer, place: &impl Fn([f64; 2]) -> [f64; 2]) -> String {
    match layer {
        Layer::Areas(areas) => {
            let mut svg = String::new();
            // Neighbours of one colour in one path. A hairline of the same colour closes the seams between neighbours.
            for same in areas.chunk_by(|a, b| a.0 == b.0) {
                let colour = &same[0].0;
                let _ = write!(svg, r#"<path fill="{colour}" stroke="{colour}" stroke-width="0.4" d=""#);
                for around in same.iter().flat_map(|(_, loops)| loops) {
                    svg += &closed_path(around.iter().map(|&point| place(point)));
                }
                svg += "\"/>";
            }
            svg
        }
        Layer::Lines { lines, style } => {
            let path: String =
                lines.iter().map(|line| open_path(line.iter().map(|&point| place(point)))).collect();
            match style {
                LineStyle::Solid => format!(r#"<path class="line" d="{path}"/>"#),
                LineStyle::Trail => format!(r#"<path class="trail" d="{path}"/>"#),
                // With a rim, so that it is seen on dark areas too.
                LineStyle::Dashed => {
                    format!(r#"<path class="halo" d="{path}"/><path class="ghost" d="{path}"/>"#)
                }
            }
        }
        Layer::Marks { mark, places } => {
            let draw = |&(number, point): &(usize, [f64; 2])| mark.draw(place(point), number, places.len());
            places.iter().map(draw).collect()
        }
    }
}

/// The facets that face the viewer, the farthest first.
fn surface_areas(
    surface: &SolidSurface,
    seen: &[[f64; 3]],
    steps: &[usize],
    scale: &ColourScale,
) -> Vec<(String, Vec<Vec<[f64; 2]>>)> {
    let area = |facet: crate::solid_surface::SeenFacet| {
        let corners = surface.facets[facet.facet].map(|vertex| [seen[vertex][0], seen[vertex][1]]);
        (shaded(scale.rgb(steps[facet.facet]), facet.brightness), vec![corners.to_vec()])
    };
    surface.facing(seen).into_iter().map(area).collect()
}

/// The edges of a 2D mesh's boundary and between its regions.
fn flat_lines<const D: usize>(mesh: &SimplexMesh<D>) -> Vec<[usize; 2]> {
    let boundary = boundary_facets(mesh).into_iter().map(|facet: [usize; D]| [facet[0], facet[1]]);
    boundary.chain(interfaces(mesh)).collect()
}

/// The edges between cells of different regions, each once.
fn interfaces<const D: usize>(mesh: &SimplexMesh<D>) -> Vec<[usize; 2]> {
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
