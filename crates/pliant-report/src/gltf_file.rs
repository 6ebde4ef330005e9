//! Deformed surfaces as binary glTF 2.0 (`.glb`), with vertex colours, and a swing as morph targets with an animation.
//!
//! Source: Khronos Group, "glTF 2.0 specification", 2021. Positions are single precision; colours are linear, as the format wants them.

use std::collections::HashMap;

use pliant_mesh::SimplexMesh;
use serde_json::{Value, json};

use crate::{ColourScale, DrawnSurface, SurfaceField};

const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;

/// The shapes of one body over time.
#[derive(Clone, Copy, Debug)]
pub struct GltfPoses<'a> {
    /// For each pose its displacement, n x D stacked, in m.
    pub displacements: &'a [&'a [f64]],
    /// What each pose is called.
    pub names: &'a [String],
    /// From each pose to the next.
    pub seconds_per_pose: f64,
}

/// What the file shows.
#[derive(Clone, Copy, Debug)]
pub struct GltfBody<'a> {
    /// What viewers call it.
    pub name: &'a str,
    /// n x D stacked, in m; none is the rest shape.
    pub displacement: Option<&'a [f64]>,
    /// What colours it.
    pub field: SurfaceField<'a>,
    /// How.
    pub scale: &'a ColourScale,
    /// Where there are some, they play one after the other.
    pub poses: Option<GltfPoses<'a>>,
}

/// The bytes of a `.glb` file: the boundary of a 3D mesh, the cells of a 2D one. A cell field is flat in each cell.
///
/// # Panics
/// If a displacement, a field or the names of the poses have another length.
pub fn glb<const D: usize>(mesh: &SimplexMesh<D>, body: &GltfBody<'_>) -> Vec<u8> {
    let surface = DrawnSurface::new(mesh);
    let values = surface.values(mesh, body.field);
    let corners = Corners::new(&surface, body.field, &values, body.scale);
    let mut buffer = Buffer::default();
    let base = surface.positions(mesh, body.displacement);
    let indices = buffer.indices(&corners.triangles);
    let position = buffer.positions(&corners.of_vertices(&base));
    let colour = buffer.colours(&corners.colours(body.scale));
    let mut primitive = json!({
        "attributes": { "POSITION": position, "COLOR_0": colour }, "indices": indices, "material": 0, "mode": 4,
    });
    let mut drawn = json!({ "name": body.name });
    let mut animations = Vec::new();
    if let Some(poses) = &body.poses {
        assert_eq!(poses.names.len(), poses.displacements.len(), "one name for each pose");
        let mut target = |displacement: &&[f64]| {
            let moved = surface.positions(mesh, Some(displacement)).into_iter().zip(&base);
            let by: Vec<[f64; 3]> =
                moved.map(|(to, from)| std::array::from_fn(|axis| to[axis] - from[axis])).collect();
            json!({ "POSITION": buffer.positions(&corners.of_vertices(&by)) })
        };
        primitive["targets"] = poses.displacements.iter().map(&mut target).collect();
        let (count, mut weights) = (poses.names.len(), vec![0.0; poses.names.len()]);
        weights[..count.min(1)].fill(1.0);
        drawn["weights"] = json!(weights);
        drawn["extras"] = json!({ "targetNames": poses.names });
        animations.push(animation(&mut buffer, poses));
    }
    drawn["primitives"] = json!([primitive]);
    let mut document = json!({
        "asset": { "version": "2.0", "generator": concat!("pliant ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0, "name": body.name }],
        "meshes": [drawn],
        "materials": [{
            "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 0.9 }, "doubleSided": true,
        }],
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{ "byteLength": buffer.bytes.len() }],
    });
    if !animations.is_empty() {
        document["animations"] = Value::Array(animations);
    }
    container(document.to_string().into_bytes(), buffer.bytes)
}

/// One pose after the other: at its time each has the weight 1, and the others 0.
fn animation(buffer: &mut Buffer, poses: &GltfPoses<'_>) -> Value {
    let count = poses.names.len();
    let times: Vec<f64> = (0..count).map(|pose| pose as f64 * poses.seconds_per_pose).collect();
    let weights: Vec<f64> =
        (0..count * count).map(|entry| f64::from(u8::from(entry % (count + 1) == 0))).collect();
    let (input, output) = (buffer.scalars(&times), buffer.scalars(&weights));
    json!({
        "name": "swing",
        "samplers": [{ "input": input, "output": output, "interpolation": "LINEAR" }],
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
    })
}

/// The corners of the triangles: a surface vertex with its colour, so one for each colour where colours meet.
struct Corners {
    vertices: Vec<usize>,
    /// Steps of the scale.
    steps: Vec<usize>,
    triangles: Vec<[usize; 3]>,
}

impl Corners {
    fn new(surface: &DrawnSurface, field: SurfaceField<'_>, values: &[f64], scale: &ColourScale) -> Self {
        let steps: Vec<usize> = values.iter().map(|&value| scale.step(value)).collect();
        if matches!(field, SurfaceField::Vertices(_)) {
            let vertices = (0..surface.vertices.len()).collect();
            return Self { vertices, steps, triangles: surface.triangles.clone() };
        }
        let mut corners = Self { vertices: Vec::new(), steps: Vec::new(), triangles: Vec::new() };
        let mut known: HashMap<(usize, usize), usize> = HashMap::new();
        for (triangle, &step) in surface.triangles.iter().zip(&steps) {
            corners.triangles.push(triangle.map(|vertex| {
                *known.entry((vertex, step)).or_insert_with(|| {
                    corners.vertices.push(vertex);
                    corners.steps.push(step);
                    corners.vertices.len() - 1
                })
            }));
        }
        corners
    }

    fn of_vertices(&self, values: &[[f64; 3]]) -> Vec<[f64; 3]> {
        self.vertices.iter().map(|&vertex| values[vertex]).collect()
    }

    fn colours(&self, scale: &ColourScale) -> Vec<[u16; 4]> {
        self.steps.iter().map(|&step| linear(scale.rgb(step))).collect()
    }
}

/// A colour of the screen (sRGB) in light, with no transparency, from 0 to 65535.
fn linear(colour: [u8; 3]) -> [u16; 4] {
    let light = |part: u8| {
        let part = f64::from(part) / 255.0;
        let light = if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
        (light * 65_535.0).round() as u16
    };
    let [r, g, b] = colour.map(light);
    [r, g, b, u16::MAX]
}

/// The binary part with what describes it; every view begins at a multiple of 4.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Adds data and returns the number of its accessor.
    fn push(&mut self, bytes: &[u8], mut accessor: Value, target: Option<u32>) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        accessor["bufferView"] = json!(self.views.len());
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn indices(&mut self, triangles: &[[usize; 3]]) -> usize {
        const ELEMENT_ARRAY_BUFFER: u32 = 34963;
        let bytes: Vec<u8> =
            triangles.iter().flatten().flat_map(|&corner| (corner as u32).to_le_bytes()).collect();
        let accessor =
            json!({ "componentType": UNSIGNED_INT, "type": "SCALAR", "count": 3 * triangles.len() });
        self.push(&bytes, accessor, Some(ELEMENT_ARRAY_BUFFER))
    }

    fn positions(&mut self, positions: &[[f64; 3]]) -> usize {
        // The bounds have to be those of the numbers in the file, which are rounded.
        let rounded: Vec<[f32; 3]> = positions.iter().map(|position| position.map(|x| x as f32)).collect();
        let bound = |pick: fn(f32, f32) -> f32, start: f32| -> [f32; 3] {
            std::array::from_fn(|axis| rounded.iter().map(|position| position[axis]).fold(start, pick))
        };
        let bytes: Vec<u8> = rounded.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        let accessor = json!({
            "componentType": FLOAT, "type": "VEC3", "count": positions.len(),
            "min": bound(f32::min, f32::INFINITY), "max": bound(f32::max, f32::NEG_INFINITY),
        });
        self.push(&bytes, accessor, Some(ARRAY_BUFFER))
    }

    fn colours(&mut self, colours: &[[u16; 4]]) -> usize {
        let bytes: Vec<u8> = colours.iter().flatten().flat_map(|part| part.to_le_bytes()).collect();
        let accessor = json!({
            "componentType": UNSIGNED_SHORT, "type": "VEC4", "count": colours.len(), "normalized": true,
        });
        self.push(&bytes, accessor, Some(ARRAY_BUFFER))
    }

    fn scalars(&mut self, values: &[f64]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|&value| (value as f32).to_le_bytes()).collect();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min) as f32;
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) as f32;
        let accessor = json!({
            "componentType": FLOAT, "type": "SCALAR", "count": values.len(), "min": [least], "max": [most],
        });
        self.push(&bytes, accessor, None)
    }
}

const ARRAY_BUFFER: u32 = 34962;

/// Header, text padded with spaces, data padded with zeros.
fn container(mut json: Vec<u8>, data: Vec<u8>) -> Vec<u8> {
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = 12 + 8 + json.len() + 8 + data.len();
    let mut bytes = Vec::with_capacity(length);
    bytes.extend_from_slice(b"glTF");
    for number in [2, length as u32, json.len() as u32] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(b"JSON");
    bytes.extend_from_slice(&json);
    bytes.extend_from_slice(&(data.len() as u32).to_le_bytes());
    bytes.extend_from_slice(b"BIN\0");
    bytes.extend_from_slice(&data);
    bytes
}
