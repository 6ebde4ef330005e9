//! One picture of a mesh: a field on its cells or vertices, outlines of shapes, marked vertices. Of a 3D body its surface is seen.

use std::fmt::Write;
use std::sync::Arc;

use pliant_mesh::SimplexMesh;

use crate::cell_areas::{chained, closed_path, open_path};
use crate::colour_scale::hex;
use crate::facet_picture::{Facet, facet_picture};
use crate::seen_surface::{SeenTriangle, shaded};
use crate::{ColourScale, DrawnSurface, Mark, SurfaceField, Viewpoint};

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
    /// What is seen of it; pictures of one body share it.
    surface: Arc<DrawnSurface>,
    title: String,
    view: Viewpoint,
    /// The middle of the body, so that it is in the middle from every side.
    middle: [f64; 3],
    layers: Vec<Layer>,
    bar: Option<(ColourScale, String)>,
    marks: Vec<Mark>,
}

/// What is drawn, in m in the plane of the picture.
#[derive(Clone, Debug)]
enum Layer {
    /// Areas of one colour: `#rrggbb` and the loops around them.
    Areas(Vec<(String, Vec<Vec<[f64; 2]>>)>),
    /// Triangles that are too many for areas.
    Facets(Vec<Facet>),
    /// Lines through points.
    Lines { lines: Vec<Vec<[f64; 2]>>, style: LineStyle },
    /// Signs, each with its number and place.
    Marks { mark: Mark, places: Vec<(usize, [f64; 2])> },
}

/// Areas of a picture at most; more are drawn as pixels. Each triangle of a solid is an area of its own, those of a flat body join.
const MOST_AREAS: usize = 2000;
/// The same for the triangles of a flat body.
const MOST_TRIANGLES: usize = 20_000;

impl<'m, const D: usize> MeshPanel<'m, D> {
    /// An empty picture of this title, from the front; 3D bodies are better seen from elsewhere.
    pub fn new(mesh: &'m SimplexMesh<D>, title: &str) -> Self {
        Self::of_surface(mesh, Arc::new(DrawnSurface::new(mesh)), title)
    }

    /// The same with the surface of this mesh, which need not be found again.
    pub(crate) fn of_surface(mesh: &'m SimplexMesh<D>, surface: Arc<DrawnSurface>, title: &str) -> Self {
        let (low, high) = mesh.bounding_box();
        Self {
            mesh,
            surface,
            title: title.to_owned(),
            view: Viewpoint::FRONT,
            middle: std::array::from_fn(|axis| if axis < D { 0.5 * (low[axis] + high[axis]) } else { 0.0 }),
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
        self,
        values: &[f64],
        displacement: Option<&[f64]>,
        scale: ColourScale,
        label: &str,
    ) -> Self {
        let values = self.surface.values(self.mesh, SurfaceField::Cells(values));
        let steps: Vec<usize> = values.into_iter().map(|value| scale.step(value)).collect();
        self.coloured(&steps, displacement, scale, label)
    }

    /// Colours the cells, or the facets of a 3D body's surface, by the mean of their vertices' values; otherwise as [`MeshPanel::cells`].
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
        let values = self.surface.values(self.mesh, SurfaceField::Vertices(values));
        let mean = |corners: &[usize; 3]| corners.iter().map(|&vertex| values[vertex]).sum::<f64>() / 3.0;
        let steps: Vec<usize> =
            self.surface.triangles.iter().map(|corners| scale.step(mean(corners))).collect();
        self.coloured(&steps, displacement, scale, label)
    }

    /// Gives each triangle of the surface the colour of its step.
    fn coloured(
        mut self,
        steps: &[usize],
        displacement: Option<&[f64]>,
        scale: ColourScale,
        label: &str,
    ) -> Self {
        let seen = self.seen(displacement);
        let corners = |triangle: usize| self.surface.triangles[triangle].map(|vertex| seen[vertex]);
        let facets: Vec<Facet> = if D == 3 {
            let facet = |facing: SeenTriangle| Facet {
                corners: corners(facing.triangle),
                colour: shaded(scale.rgb(steps[facing.triangle]), facing.brightness),
            };
            self.surface.facing(&seen).into_iter().map(facet).collect()
        } else {
            let facet = |(triangle, &step)| Facet { corners: corners(triangle), colour: scale.rgb(step) };
            steps.iter().enumerate().map(facet).collect()
        };
        let layer = if facets.len() > if D == 3 { MOST_AREAS } else { MOST_TRIANGLES } {
            Layer::Facets(facets)
        } else if D == 3 {
            Layer::Areas(facets.iter().map(area_of).collect())
        } else {
            let areas = self.surface.areas(steps).into_iter();
            let place = |vertex: usize| [seen[vertex][0], seen[vertex][1]];
            let placed = |around: Vec<usize>| around.into_iter().map(place).collect();
            let area = |(step, loops): (usize, Vec<Vec<usize>>)| {
                (hex(scale.rgb(step)), loops.into_iter().map(placed).collect())
            };
            Layer::Areas(areas.map(area).collect())
        };
        self.layers.push(layer);
        self.bar = Some((scale, label.to_owned()));
        self
    }

    /// Draws the boundary of the mesh and the interfaces between its regions; of a 3D body the rim of what is seen and the interfaces on it.
    ///
    /// # Panics
    /// If there is not one displacement for each vertex.
    #[must_use]
    pub fn outline(mut self, displacement: Option<&[f64]>, style: LineStyle) -> Self {
        let seen = self.seen(displacement);
        let edges = if D == 3 { self.surface.solid_lines(&seen) } else { self.surface.flat_lines() };
        let place = |vertex: usize| [seen[vertex][0], seen[vertex][1]];
        let lines = chained(&edges).into_iter().map(|line| line.into_iter().map(place).collect()).collect();
        self.layers.push(Layer::Lines { lines, style });
        self
    }

    /// Draws convex polygons of cells' values, such as [`crate::CutPlane`] makes, in place of the body itself.
    pub(crate) fn polygons(
        mut self,
        polygons: &[(Vec<[f64; D]>, f64)],
        scale: ColourScale,
        label: &str,
    ) -> Self {
        let flat = |polygon: &[[f64; D]]| -> Vec<[f64; 2]> {
            polygon.iter().map(|point| self.place(&padded(point))).map(|[x, y, _]| [x, y]).collect()
        };
        let placed = polygons.iter().map(|(polygon, value)| (flat(polygon), scale.rgb(scale.step(*value))));
        self.layers.push(if polygons.len() > MOST_AREAS {
            let fan = |(polygon, colour): (Vec<[f64; 2]>, [u8; 3])| {
                let corners = polygon.len();
                let corner = move |at: usize| [polygon[at][0], polygon[at][1], 0.0];
                (2..corners).map(move |at| Facet { corners: [corner(0), corner(at - 1), corner(at)], colour })
            };
            Layer::Facets(placed.flat_map(fan).collect())
        } else {
            Layer::Areas(placed.map(|(polygon, colour)| (hex(colour), vec![polygon])).collect())
        });
        self.bar = Some((scale, label.to_owned()));
        self
    }

    /// Draws a way along edges, through vertices of the rest shape.
    ///
    /// # Panics
    /// If a vertex does not exist.
    #[must_use]
    pub fn trail(mut self, vertices: &[usize]) -> Self {
        let line = vertices.iter().map(|&vertex| self.place_of(vertex)).collect();
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
        let is_shown: Box<dyn Fn(usize) -> bool> = if D == 3 && mark != Mark::Node {
            let visible = self.surface.visible(&self.seen(None));
            let surface = Arc::clone(&self.surface);
            Box::new(move |vertex| surface.vertices.binary_search(&vertex).is_ok_and(|at| visible[at]))
        } else {
            Box::new(|_| true)
        };
        let shown = vertices.iter().enumerate().filter(|(_, vertex)| is_shown(**vertex));
        let places = shown.map(|(number, &vertex)| (number, self.place_of(vertex))).collect();
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

    /// Right, up and toward the viewer of every vertex of the surface, in m.
    fn seen(&self, displacement: Option<&[f64]>) -> Vec<[f64; 3]> {
        self.surface.positions(self.mesh, displacement).iter().map(|position| self.place(position)).collect()
    }

    /// Right, up and toward the viewer of a point, in m from the middle of the body.
    fn place(&self, position: &[f64; 3]) -> [f64; 3] {
        self.view.project::<3>(&std::array::from_fn(|axis| position[axis] - self.middle[axis]))
    }

    /// Right and up of a vertex of the rest shape.
    fn place_of(&self, vertex: usize) -> [f64; 2] {
        let [x, y, _] = self.place(&padded(&self.mesh.positions()[vertex]));
        [x, y]
    }

    /// The lowest and the highest corner of a deformed body, in m.
    pub(crate) fn extent_of(&self, displacement: &[f64]) -> [[f64; 2]; 2] {
        corners_of(self.seen(Some(displacement)).into_iter().map(|[x, y, _]| [x, y]))
    }

    /// The lowest and the highest corner of everything drawn, in m.
    pub(crate) fn extent(&self) -> [[f64; 2]; 2] {
        let points = self.layers.iter().flat_map(|layer| -> Vec<[f64; 2]> {
            match layer {
                Layer::Areas(areas) => areas.iter().flat_map(|(_, loops)| loops).flatten().copied().collect(),
                Layer::Facets(facets) => {
                    facets.iter().flat_map(|facet| facet.corners).map(|[x, y, _]| [x, y]).collect()
                }
                Layer::Lines { lines, .. } => lines.iter().flatten().copied().collect(),
                Layer::Marks { places, .. } => places.iter().map(|(_, place)| *place).collect(),
            }
        });
        corners_of(points)
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
                let _ = write!(svg, r#"<path fill="{colour}" stroke="{colour}" stroke-width="0.7" d=""#);
                for around in same.iter().flat_map(|(_, loops)| loops) {
                    svg += &closed_path(around.iter().map(|&point| place(point)));
                }
                svg += "\"/>";
            }
            svg
        }
        Layer::Facets(facets) => facet_picture(facets, place),
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
            let placed: Vec<(usize, [f64; 2])> =
                places.iter().map(|&(number, point)| (number, place(point))).collect();
            mark.draw_all(&placed)
        }
    }
}

/// The lowest and the highest corner of some points; of a unit square where there are none.
fn corners_of(points: impl Iterator<Item = [f64; 2]>) -> [[f64; 2]; 2] {
    let nothing = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    let extent = points.filter(|point| point.iter().all(|x| x.is_finite())).fold(
        nothing,
        |[low, high]: [[f64; 2]; 2], [x, y]| {
            [[low[0].min(x), low[1].min(y)], [high[0].max(x), high[1].max(y)]]
        },
    );
    if extent == nothing { [[0.0; 2], [1.0; 2]] } else { extent }
}

/// A point in space; z = 0 of a flat body.
fn padded<const D: usize>(point: &[f64; D]) -> [f64; 3] {
    std::array::from_fn(|axis| if axis < D { point[axis] } else { 0.0 })
}

fn area_of(facet: &Facet) -> (String, Vec<Vec<[f64; 2]>>) {
    (hex(facet.colour), vec![facet.corners.map(|[x, y, _]| [x, y]).to_vec()])
}
