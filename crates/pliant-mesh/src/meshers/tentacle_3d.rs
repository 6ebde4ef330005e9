//! The tentacle in 3D: a structured mesh of bricks, a core and a shell around it, each brick cut into five tetrahedra.
//!
//! The core is a long block of `layers x m x m` bricks whose sides bulge and whose ends are faces of a rounded cube; the
//! shell extrudes the core's surface to the capsule's in `s` steps. Around the ends the outer surface is an equiangular
//! cubed sphere (Ronchi, Iacono, Paolucci 1996), so that no brick is flattened. Layers are planes x = constant at the
//! interfaces. All cycles of a mesh of bricks are even, so its vertices have two colours; each brick's face is cut between
//! the corners of the first colour, which makes neighbours agree.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use super::brick_cells::push_brick;
use super::resolution::{check_cell_count, check_cell_size};
use super::tapered_capsule::{INTERFACES, LENGTH, RADII, REGIONS, SEGMENT_REGIONS, side_radius};
use crate::{MeshError, MeshOptions, MeshParts, SimplexMesh};

/// How fine the tentacle is.
#[derive(Clone, Debug, PartialEq)]
pub struct Tentacle3dOptions {
    /// Edge length of the bricks in m, about; the mesh has about `5 / cell_size^3` vertices. Default: 0.085 (8,026).
    pub cell_size: f64,
}

impl Default for Tentacle3dOptions {
    fn default() -> Self {
        Self { cell_size: 0.085 }
    }
}

/// Half of the core's width over the radius.
const CORE_WIDTH: f64 = 0.55;
/// How round the core is: 0 is a block, 1 a cylinder.
const CORE_ROUNDNESS: f64 = 0.65;

/// The tentacle as tetrahedra; no cell straddles an interface, and both tips have a vertex.
///
/// No dihedral angle is below 25 degrees at sizes up to 0.2 m, which gives 10^3 to over 10^6 vertices; coarser meshes
/// have at least 18 degrees (the coarsest, at 1 m and more, has 138 vertices). O(n).
///
/// # Errors
/// A size that is no positive length or gives more than 1e8 cells.
pub fn tentacle_3d(options: &Tentacle3dOptions) -> Result<SimplexMesh<3>, MeshError> {
    let size = options.cell_size;
    check_cell_size(size)?;
    check_cell_count(25.0 / size.powi(3))?;
    let grid = Grid::new(size);
    let core = grid.core_positions();
    let surface = grid.surface_vertices();
    let mut positions = core.clone();
    for step in 1..=grid.shell {
        let fraction = step as f64 / grid.shell as f64;
        positions.extend(surface.iter().map(|&vertex| {
            let (inner, outer) = (core[vertex], grid.outer_position(vertex));
            std::array::from_fn(|axis| inner[axis] + (outer[axis] - inner[axis]) * fraction)
        }));
    }
    let (cells, cell_regions) = grid.cells(&surface);
    let parts = MeshParts {
        positions,
        cells,
        regions: REGIONS.map(str::to_owned).to_vec(),
        cell_regions,
        vertex_sets: Vec::new(),
    };
    Ok(SimplexMesh::from_parts(parts, &MeshOptions::default())?.mesh)
}

/// The bricks: numbers of intervals, and where they lie.
struct Grid {
    /// Intervals across the core, even so that the axis has vertices.
    across: usize,
    /// Intervals from the core's surface to the body's.
    shell: usize,
    /// Layers of each of the five segments.
    segment_layers: [usize; 5],
}

impl Grid {
    fn new(size: f64) -> Self {
        let intervals = |length: f64, least: usize| ((length / size).round() as usize).max(least);
        let (left, right) = (INTERFACES[0] + 0.55 * RADII[0], LENGTH - INTERFACES[3] + 0.55 * RADII[1]);
        Self {
            across: 2 * intervals(0.35, 1),
            shell: intervals(0.2, 1),
            segment_layers: [
                intervals(left, 2),
                intervals(INTERFACES[1] - INTERFACES[0], 1),
                intervals(INTERFACES[2] - INTERFACES[1], 1),
                intervals(INTERFACES[3] - INTERFACES[2], 1),
                intervals(right, 2),
            ],
        }
    }

    fn layers(&self) -> usize {
        self.segment_layers.iter().sum()
    }

    /// Segment of a layer of bricks, and the bricks' number within it.
    fn locate(&self, mut layer: usize) -> (usize, usize) {
        for (segment, &count) in self.segment_layers.iter().enumerate() {
            if layer < count {
                return (segment, layer);
            }
            layer -= count;
        }
        (4, self.segment_layers[4])
    }

    fn core_vertex(&self, [i, j, k]: [usize; 3]) -> usize {
        (i * (self.across + 1) + j) * (self.across + 1) + k
    }

    fn core_index(&self, vertex: usize) -> [usize; 3] {
        let side = self.across + 1;
        [vertex / (side * side), vertex / side % side, vertex % side]
    }

    fn is_surface(&self, [i, j, k]: [usize; 3]) -> bool {
        i == 0 || i == self.layers() || [j, k].iter().any(|&index| index == 0 || index == self.across)
    }

    /// Where a vertex of the core stands on the square of tangents, both coordinates from -1 to 1.
    fn tangents(&self, j: usize, k: usize) -> [f64; 2] {
        [j, k].map(|index| {
            let across = 2.0 * index as f64 / self.across as f64 - 1.0;
            // The ends are met exactly.
            if across.abs() == 1.0 { across } else { (across * FRAC_PI_4).tan() }
        })
    }

    fn core_positions(&self) -> Vec<[f64; 3]> {
        let count = (self.layers() + 1) * (self.across + 1).pow(2);
        (0..count)
            .map(|vertex| {
                let [i, j, k] = self.core_index(vertex);
                let square = self.tangents(j, k);
                match self.place(i) {
                    Place::Plane(x) => core_section(x, square),
                    Place::End(end, fraction) => end.core(fraction, square),
                }
            })
            .collect()
    }

    /// The point of the body's surface that belongs to a vertex of the core's surface.
    fn outer_position(&self, vertex: usize) -> [f64; 3] {
        let index @ [i, j, k] = self.core_index(vertex);
        let square = self.tangents(j, k);
        let side = [j, k].iter().any(|&index| index == 0 || index == self.across);
        match self.place(index[0]) {
            Place::Plane(x) => on_circle(x, side_radius(x), square),
            Place::End(end, fraction) if side && i != 0 && i != self.layers() => end.side(fraction, square),
            Place::End(end, _) => end.cap(square),
        }
    }

    fn place(&self, i: usize) -> Place {
        let (segment, number) = self.locate(i);
        let fraction = number as f64 / self.segment_layers[segment] as f64;
        match segment {
            0 => Place::End(LEFT, fraction),
            4 if number == 0 => Place::Plane(INTERFACES[3]),
            4 => Place::End(RIGHT, 1.0 - fraction),
            _ => {
                let (from, to) = (INTERFACES[segment - 1], INTERFACES[segment]);
                Place::Plane(from + (to - from) * fraction)
            }
        }
    }

    fn surface_vertices(&self) -> Vec<usize> {
        let count = (self.layers() + 1) * (self.across + 1).pow(2);
        (0..count).filter(|&vertex| self.is_surface(self.core_index(vertex))).collect()
    }

    /// All cells and their regions: the core brick by brick, then the shell around it.
    fn cells(&self, surface: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let [layers, m] = [self.layers(), self.across];
        let core_count = (layers + 1) * (m + 1) * (m + 1);
        let mut on_surface = vec![usize::MAX; core_count];
        for (place, &vertex) in surface.iter().enumerate() {
            on_surface[vertex] = place;
        }
        let mut cells = Vec::new();
        let mut regions = Vec::new();
        let region = |layer: usize| SEGMENT_REGIONS[self.locate(layer).0];
        let mut push = |corners: [usize; 8], first: bool, layer: usize| {
            push_brick(&mut cells, corners, first);
            regions.extend([region(layer); 5]);
        };
        let counts = [layers, m, m];
        for i in 0..layers {
            for j in 0..m {
                for k in 0..m {
                    let corners = std::array::from_fn(|corner| {
                        self.core_vertex([i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2)])
                    });
                    push(corners, (i + j + k) % 2 == 0, i);
                }
            }
        }
        // Each side of the core: the axis across it, at its low or high end, and the two axes in it such that the first,
        // the second and the outward direction are right-handed.
        const SIDES: [(usize, bool, usize, usize); 6] = [
            (0, false, 2, 1),
            (0, true, 1, 2),
            (1, false, 0, 2),
            (1, true, 2, 0),
            (2, false, 1, 0),
            (2, true, 0, 1),
        ];
        for (axis, high, first_axis, second_axis) in SIDES {
            for first in 0..counts[first_axis] {
                for second in 0..counts[second_axis] {
                    let mut index = [0; 3];
                    index[axis] = if high { counts[axis] } else { 0 };
                    let quad: [usize; 4] = std::array::from_fn(|corner| {
                        index[first_axis] = first + (corner & 1);
                        index[second_axis] = second + (corner >> 1);
                        self.core_vertex(index)
                    });
                    let [i, j, k] = self.core_index(quad[0]);
                    let layer = i.min(layers - 1);
                    for step in 0..self.shell {
                        let corners = std::array::from_fn(|corner| {
                            let (vertex, level) = (quad[corner & 3], step + (corner >> 2));
                            match level {
                                0 => vertex,
                                _ => core_count + (level - 1) * surface.len() + on_surface[vertex],
                            }
                        });
                        push(corners, (i + j + k + step) % 2 == 0, layer);
                    }
                }
            }
        }
        (cells, regions)
    }
}

/// Where a layer of vertices lies.
enum Place {
    /// In the plane with this x.
    Plane(f64),
    /// At an end of the body, a fraction of the way from the core's end (0) to the interface (1).
    End(End, f64),
}

/// An end of the body, up to the nearest interface.
#[derive(Clone, Copy)]
struct End {
    /// Centre of the half ball, in m.
    center: f64,
    radius: f64,
    /// -1 or 1, outwards along x.
    outward: f64,
    interface: f64,
}

const LEFT: End = End { center: 0.0, radius: RADII[0], outward: -1.0, interface: INTERFACES[0] };
const RIGHT: End = End { center: LENGTH, radius: RADII[1], outward: 1.0, interface: INTERFACES[3] };

impl End {
    /// A vertex of the core: a plane section that bends towards a face of a rounded cube at the end.
    fn core(&self, fraction: f64, square: [f64; 2]) -> [f64; 3] {
        if fraction == 1.0 {
            return core_section(self.interface, square);
        }
        let start = self.center + self.outward * 0.9 * CORE_WIDTH * self.radius;
        let section = core_section(start + (self.interface - start) * fraction, square);
        let flat = core_section(start, square);
        let direction = [self.outward, square[0], square[1]];
        let scale = CORE_WIDTH * self.radius * roundness(1.0, norm(direction));
        let bend = (1.0 - fraction).powi(2);
        std::array::from_fn(|axis| {
            let cube = if axis == 0 { self.center } else { 0.0 } + scale * direction[axis];
            section[axis] + bend * (cube - flat[axis])
        })
    }

    /// A point of the body's side, at equal arc lengths from the edge of the cubed sphere to the interface.
    fn side(&self, fraction: f64, square: [f64; 2]) -> [f64; 3] {
        if fraction == 1.0 {
            return on_circle(self.interface, side_radius(self.interface), square);
        }
        let start = self.radius * square[0].hypot(square[1]).atan();
        let quarter = self.radius * FRAC_PI_2;
        let along = start + (quarter + (self.interface - self.center).abs() - start) * fraction;
        if along < quarter {
            let angle = along / self.radius;
            on_circle(
                self.center + self.outward * self.radius * angle.cos(),
                self.radius * angle.sin(),
                square,
            )
        } else {
            let x = self.center - self.outward * (along - quarter);
            on_circle(x, side_radius(x), square)
        }
    }

    /// A point of the half ball over the core's end: the cubed sphere.
    fn cap(&self, square: [f64; 2]) -> [f64; 3] {
        let direction = [self.outward, square[0], square[1]];
        let scale = self.radius / norm(direction);
        [self.center + scale * direction[0], scale * direction[1], scale * direction[2]]
    }
}

/// The core's section at x: a square whose sides bulge, more the farther they are from the axis.
fn core_section(x: f64, square: [f64; 2]) -> [f64; 3] {
    let radius = side_radius(x.clamp(0.0, LENGTH));
    let largest = square[0].abs().max(square[1].abs());
    let scale = CORE_WIDTH * radius * roundness(largest, square[0].hypot(square[1]));
    [x, scale * square[0], scale * square[1]]
}

/// The factor that pulls a point of a square or cube, at the given largest coordinate, towards the circle or sphere.
fn roundness(largest: f64, norm: f64) -> f64 {
    if norm == 0.0 { 1.0 } else { 1.0 - CORE_ROUNDNESS * largest.powi(2) * (1.0 - largest / norm) }
}

fn on_circle(x: f64, radius: f64, square: [f64; 2]) -> [f64; 3] {
    let scale = radius / square[0].hypot(square[1]);
    [x, scale * square[0], scale * square[1]]
}

fn norm(vector: [f64; 3]) -> f64 {
    vector.iter().map(|value| value * value).sum::<f64>().sqrt()
}
