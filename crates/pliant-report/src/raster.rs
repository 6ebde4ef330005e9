//! SVG to pixels and PNG, without any font of the system.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use crate::ReportError;

/// DejaVu Sans, cut down to what figures write; its licence is in `fonts/LICENSE`.
pub(crate) const FONT: &[u8] = include_bytes!("../fonts/DejaVuSans-subset.ttf");
/// The font alone.
static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(FONT.to_vec());
    Arc::new(fonts)
});
/// Pixels of a side at most; larger pictures are drawn smaller.
const LARGEST: f32 = 8000.0;

/// An opaque picture.
#[derive(Clone, Debug)]
pub(crate) struct Raster {
    pub width: u32,
    pub height: u32,
    /// Red, green, blue of each pixel, row by row from the top.
    pub rgb: Vec<u8>,
}

/// Draws SVG text on white, `scale` pixels for each of its own.
///
/// # Errors
/// If the text is not SVG, or the picture has no size.
pub(crate) fn rasterise(name: &str, svg: &str, scale: f32) -> Result<Raster, ReportError> {
    let failed = |message: String| ReportError::Raster { name: name.to_owned(), message };
    let options =
        Options { fontdb: Arc::clone(&FONTS), font_family: "DejaVu Sans".to_owned(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| failed(error.to_string()))?;
    let size = tree.size();
    let scale = scale.min(LARGEST / size.width().max(size.height()));
    let [width, height] = [size.width(), size.height()].map(|side| (side * scale).ceil() as u32);
    let mut pixels =
        Pixmap::new(width, height).ok_or_else(|| failed(format!("it is {width} x {height} pixels")))?;
    pixels.fill(resvg::tiny_skia::Color::WHITE);
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    let rgb = pixels.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    Ok(Raster { width, height, rgb })
}

/// The PNG file of some pictures of one size: a still one of one, else an animation that repeats, `delay_milliseconds` between them.
///
/// # Errors
/// If there is no picture, or they differ in size.
pub(crate) fn png(name: &str, pictures: &[Raster], delay_milliseconds: u16) -> Result<Vec<u8>, ReportError> {
    let failed = |message: String| ReportError::Raster { name: name.to_owned(), message };
    let first = pictures.first().ok_or_else(|| failed("it has no pictures".to_owned()))?;
    let encode = || -> Result<Vec<u8>, png::EncodingError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, first.width, first.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        if pictures.len() > 1 {
            encoder.set_animated(pictures.len() as u32, 0)?;
            encoder.set_frame_delay(delay_milliseconds, 1000)?;
        }
        let mut writer = encoder.write_header()?;
        for picture in pictures {
            writer.write_image_data(&picture.rgb)?;
        }
        writer.finish()?;
        Ok(file)
    };
    encode().map_err(|error| failed(error.to_string()))
}
