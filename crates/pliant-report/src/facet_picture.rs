//! Many triangles as one picture inside an SVG: a large surface would be megabytes of paths, and slow to open.
//!
//! The nearest triangle wins each pixel, so that no order has to be right. Edges are not smoothed: the lines of the figure lie on the rim,
//! and few colours make a small file.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::svg::tenths;

/// A triangle of one colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Facet {
    /// Right, up and toward the viewer, in m.
    pub corners: [[f64; 3]; 3],
    pub colour: [u8; 3],
}

/// Pixels for each of the figure.
const DENSITY: f64 = 2.0;
/// Colours of the file at most; one more is where nothing is.
const COLOURS: usize = 255;

/// The `<image>` of the triangles; `place` maps metres to pixels of the figure. Nothing where they have no area.
pub(crate) fn facet_picture(facets: &[Facet], place: impl Fn([f64; 2]) -> [f64; 2]) -> String {
    let placed: Vec<Facet> = facets
        .iter()
        .map(|facet| {
            let corners = facet.corners.map(|[x, y, depth]| {
                let [x, y] = place([x, y]);
                [x, y, depth]
            });
            Facet { corners, ..*facet }
        })
        .filter(|facet| facet.corners.iter().flatten().all(|x| x.is_finite()))
        .collect();
    let Some(mut canvas) = Canvas::around(&placed) else { return String::new() };
    placed.iter().for_each(|facet| canvas.draw(facet));
    let [x, y] = canvas.origin.map(tenths);
    let [width, height] = [canvas.width, canvas.height].map(|pixels| pixels as f64 / DENSITY);
    let file = STANDARD.encode(canvas.png());
    format!(
        r#"<image x="{x}" y="{y}" width="{width}" height="{height}" href="data:image/png;base64,{file}"/>"#
    )
}

/// Pixels, row by row from the top.
struct Canvas {
    /// The upper left corner in pixels of the figure.
    origin: [f64; 2],
    width: usize,
    height: usize,
    colours: Vec<Option<[u8; 3]>>,
    /// Toward the viewer, in m.
    depths: Vec<f64>,
}

impl Canvas {
    fn around(facets: &[Facet]) -> Option<Self> {
        let corners = || facets.iter().flat_map(|facet| facet.corners);
        let low = [0, 1].map(|axis| corners().map(|x| x[axis]).fold(f64::INFINITY, f64::min).floor());
        let high = [0, 1].map(|axis| corners().map(|x| x[axis]).fold(f64::NEG_INFINITY, f64::max).ceil());
        let [width, height] = [0, 1].map(|axis| (DENSITY * (high[axis] - low[axis]).max(0.0)) as usize);
        let pixels = width * height;
        (pixels > 0).then(|| Self {
            origin: low,
            width,
            height,
            colours: vec![None; pixels],
            depths: vec![f64::NEG_INFINITY; pixels],
        })
    }

    /// Colours the pixels whose middle a triangle covers, where nothing is nearer.
    fn draw(&mut self, facet: &Facet) {
        let at = |corner: [f64; 3]| [0, 1].map(|axis| DENSITY * (corner[axis] - self.origin[axis]) - 0.5);
        let [a, b, c] = facet.corners.map(at);
        let depths = facet.corners.map(|corner| corner[2]);
        let area = cross(a, b, c);
        let range = |axis: usize, size: usize| {
            let from = a[axis].min(b[axis]).min(c[axis]).ceil().max(0.0) as usize;
            let to = a[axis].max(b[axis]).max(c[axis]).floor().min(size as f64 - 1.0);
            if to < from as f64 { 0..0 } else { from..to as usize + 1 }
        };
        for row in range(1, self.height) {
            for column in range(0, self.width) {
                let point = [column as f64, row as f64];
                let shares =
                    [cross(b, c, point), cross(c, a, point), cross(a, b, point)].map(|part| part / area);
                // A middle on the edge of two triangles must not fall between them. Without an area no share is a number.
                if !shares.iter().all(|&share| share >= -1e-9) {
                    continue;
                }
                let depth: f64 = shares.iter().zip(depths).map(|(share, depth)| share * depth).sum();
                let pixel = row * self.width + column;
                if depth > self.depths[pixel] {
                    self.depths[pixel] = depth;
                    self.colours[pixel] = Some(facet.colour);
                }
            }
        }
    }

    /// A PNG file with a table of colours; colours are made coarser until they fit it.
    fn png(&self) -> Vec<u8> {
        let coarse = |colour: [u8; 3], bits: u32| colour.map(|part| part >> bits << bits);
        let distinct = |bits: u32| -> BTreeSet<[u8; 3]> {
            self.colours.iter().flatten().map(|&colour| coarse(colour, bits)).collect()
        };
        let bits = (0..8).find(|&bits| distinct(bits).len() <= COLOURS).unwrap_or(7);
        let table: Vec<[u8; 3]> = distinct(bits).into_iter().collect();
        let numbers: BTreeMap<[u8; 3], u8> = table.iter().copied().zip(1..=u8::MAX).collect();
        let number = |colour: &Option<[u8; 3]>| colour.map_or(0, |colour| numbers[&coarse(colour, bits)]);
        let pixels: Vec<u8> = self.colours.iter().map(number).collect();
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette([[0; 3]].iter().chain(&table).flatten().copied().collect::<Vec<u8>>());
        encoder.set_trns([0_u8].as_slice());
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::NoFilter);
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&pixels)?;
            writer.finish()
        });
        written.expect("memory takes a picture of this size");
        file
    }
}

/// Twice the area of a triangle, by its turn.
fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle(depth: f64, colour: [u8; 3]) -> Facet {
        Facet { corners: [[0.0, 0.0, depth], [8.0, 0.0, depth], [0.0, 8.0, depth]], colour }
    }

    #[test]
    fn the_nearer_triangle_is_seen_in_any_order_and_half_of_the_square_is_empty() {
        let (near, far) = (triangle(1.0, [9, 8, 7]), triangle(0.0, [1, 2, 3]));
        for facets in [[near, far], [far, near]] {
            let mut canvas = Canvas::around(&facets).unwrap();
            facets.iter().for_each(|facet| canvas.draw(facet));
            let seen: Vec<[u8; 3]> = canvas.colours.iter().flatten().copied().collect();
            assert_eq!((canvas.width, canvas.height), (16, 16));
            assert!(seen.iter().all(|colour| *colour == near.colour));
            assert_eq!(seen.len(), 16 * 17 / 2, "the middles on the long side belong to it");
        }
    }

    #[test]
    fn a_thousand_colours_become_a_table_and_nothing_becomes_no_picture() {
        let strip = |index: usize| Facet {
            corners: [[0.0, index as f64, 0.0], [9.0, index as f64, 0.0], [0.0, index as f64 + 1.0, 0.0]],
            colour: [(index / 4) as u8, (index % 4 * 60) as u8, 0],
        };
        let facets: Vec<Facet> = (0..1000).map(strip).collect();
        let image = facet_picture(&facets, |point| point);
        let data = image.split("base64,").nth(1).unwrap().split('"').next().unwrap();
        let file = STANDARD.decode(data).unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        assert!(reader.info().palette.as_ref().unwrap().len() <= 3 * 256);
        assert_eq!(facet_picture(&[], |point| point), "");
        let flat = Facet { corners: [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], colour: [0; 3] };
        assert_eq!(facet_picture(&[flat], |point| point), "");
    }
}
