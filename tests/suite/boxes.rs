//! Boxes with a corner at the origin.

use pliant::mesh::{BoxOptions, RectangleOptions, Resolution, SimplexMesh, box_mesh, rectangle};

pub fn flat_box(max: [f64; 2], counts: [usize; 2]) -> SimplexMesh<2> {
    let resolution = Resolution::Counts(counts);
    rectangle(&RectangleOptions { max, resolution, ..Default::default() }).unwrap()
}

pub fn solid_box(max: [f64; 3], counts: [usize; 3]) -> SimplexMesh<3> {
    let resolution = Resolution::Counts(counts);
    box_mesh(&BoxOptions { max, resolution, ..Default::default() }).unwrap()
}
