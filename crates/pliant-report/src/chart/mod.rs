//! Charts: lines with signs over axes that may be logarithmic. kuva draws the axes; it appears in this directory alone.

mod legend;
mod stacked_bars;

use kuva::plot::scatter::MarkerShape;
use kuva::plot::{LinePlot, ScatterPlot};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::theme::Theme;
use std::sync::Arc;

pub(crate) use stacked_bars::{Bar, stacked_bars};

use legend::{Entry, Key, legend};

use crate::svg::{Anchor, text};
use crate::{MethodStyle, Panel, Sign, method_style};

/// What an axis measures, with its unit, for example `error (1)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Beside the axis.
    pub label: String,
    /// What equal distances are.
    pub scale: AxisScale,
}

/// What equal distances along an axis are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisScale {
    /// Equal differences.
    Linear,
    /// Equal differences, of whole numbers alone.
    Counting,
    /// Equal factors; values that are not above 0 are left out.
    Logarithmic,
}

/// Points in the order in which they are linked.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// In the legend.
    pub label: String,
    /// The method that it belongs to; none is drawn in the colour of the text.
    pub method: Option<String>,
    /// x and y; what is not finite is left out.
    pub points: Vec<[f64; 2]>,
    /// Whether each point has its sign.
    pub has_signs: bool,
}

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Above the chart.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// At least one with a point, else the chart says that there is nothing to draw.
    pub series: Vec<Series>,
    /// Horizontal lines with their names.
    pub levels: Vec<(String, f64)>,
}

/// Colours that stand for classes of the style sheet until the drawing is done: what follows the surroundings must not be fixed here.
const AXIS: &str = "#010203";
const GRID: &str = "#040506";
const INK: &str = "#070809";
/// Pixels to the right of a chart, for half of the last number.
const RIGHT: f64 = 14.0;
/// Pixels of a title.
const TITLE: f64 = 26.0;

impl Axis {
    /// Equal differences are equal distances.
    pub fn linear(label: &str) -> Self {
        Self { label: label.to_owned(), scale: AxisScale::Linear }
    }

    /// The same for whole numbers, which alone are written.
    pub fn counting(label: &str) -> Self {
        Self { label: label.to_owned(), scale: AxisScale::Counting }
    }

    /// Equal factors are equal distances.
    pub fn logarithmic(label: &str) -> Self {
        Self { label: label.to_owned(), scale: AxisScale::Logarithmic }
    }

    fn is_logarithmic(&self) -> bool {
        self.scale == AxisScale::Logarithmic
    }

    fn shows(&self, value: f64) -> bool {
        value.is_finite() && (value > 0.0 || !self.is_logarithmic())
    }
}

impl Series {
    fn style(&self) -> (&str, MethodStyle) {
        match &self.method {
            Some(method) => {
                let style = method_style(method);
                (style.colour, style)
            }
            None => (INK, MethodStyle { colour: INK, sign: Sign::Circle }),
        }
    }
}

impl Chart {
    /// The chart, `width` pixels wide and `height` high without its legend.
    pub fn panel(&self, width: f64, height: f64) -> Panel {
        let factor = self.factor();
        let shown: Vec<Series> = self.series.iter().map(|series| self.shown(series, factor)).collect();
        let with_points: Vec<&Series> = shown.iter().filter(|series| !series.points.is_empty()).collect();
        if with_points.is_empty() {
            let nothing = text(0.5 * width, 0.5 * height, Anchor::Middle, "soft", "nothing to draw");
            let body = text(10.0, 20.0, Anchor::Start, "title", &self.title) + &nothing;
            return Panel { width, height, label: self.title.clone(), body };
        }
        let mut plots = with_points.iter().flat_map(|series| plots_of(series)).collect::<Vec<Plot>>();
        let xs = || with_points.iter().flat_map(|series| &series.points).map(|point| point[0]);
        let ends = [xs().fold(f64::INFINITY, f64::min), xs().fold(f64::NEG_INFINITY, f64::max)];
        let levels: Vec<&(String, f64)> = self.levels.iter().filter(|level| self.y.shows(level.1)).collect();
        plots.extend(levels.iter().map(|(_, level)| {
            let line = LinePlot::new().with_data(ends.map(|x| (x, level * factor)));
            Plot::Line(line.with_color(INK).with_stroke_width(1.5).with_dashed())
        }));
        let layout = self.layout(&plots, width - RIGHT, height - TITLE, factor);
        let mut body = titled(&self.title, plots, layout);
        let mut entries: Vec<Entry> = with_points
            .iter()
            .map(|series| {
                let (colour, style) = series.style();
                let colour = if colour == INK { None } else { Some(colour.to_owned()) };
                let key = if series.has_signs { Key::Sign(style.sign) } else { Key::Line };
                Entry { label: series.label.clone(), colour, key }
            })
            .collect();
        entries.extend(levels.iter().map(|(label, _)| Entry {
            label: label.clone(),
            colour: None,
            key: Key::Dashes,
        }));
        let (keys, depth) = legend(&entries, width, height);
        body += &keys;
        Panel { width, height: height + depth, label: self.title.clone(), body }
    }

    /// What upward values are multiplied by before they are drawn: kuva takes what is below 1e-10 on a logarithmic axis for 1e-10.
    fn factor(&self) -> f64 {
        let values = self.series.iter().flat_map(|series| &series.points).map(|point| point[1]);
        let least = values.filter(|&value| self.y.shows(value)).fold(f64::INFINITY, f64::min);
        if self.y.is_logarithmic() && least < 1e-9 { 10_f64.powf(-least.log10().floor()) } else { 1.0 }
    }

    fn shown(&self, series: &Series, factor: f64) -> Series {
        let shows = |point: &&[f64; 2]| self.x.shows(point[0]) && self.y.shows(point[1]);
        let points = series.points.iter().filter(shows).map(|[x, y]| [*x, y * factor]).collect();
        Series { points, ..series.clone() }
    }

    /// The highest value that a linear axis has to show, rounded up, with some room above levels.
    fn top(&self) -> Option<f64> {
        let values = self.series.iter().flat_map(|series| &series.points).map(|point| point[1]);
        let values: Vec<f64> = values.chain(self.levels.iter().map(|level| level.1)).collect();
        let highest = values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
        let step = 10_f64.powf((highest / 2.0).log10().floor());
        (!self.y.is_logarithmic() && !self.levels.is_empty() && highest > 0.0)
            .then(|| (1.05 * highest / step).ceil() * step)
    }

    /// 1, 2, 5, 10 and so on, so that few numbers stand along the axis.
    fn count_step(&self) -> f64 {
        let xs = || self.series.iter().flat_map(|series| &series.points).map(|point| point[0]);
        let range = xs().fold(f64::NEG_INFINITY, f64::max) - xs().fold(f64::INFINITY, f64::min);
        let steps = (0..9).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
        steps.into_iter().find(|step| range / step <= 8.0).unwrap_or(1e9)
    }

    fn layout(&self, plots: &[Plot], width: f64, height: f64, factor: f64) -> Layout {
        let mut layout = plain_layout(plots, width, height)
            .with_x_label(self.x.label.clone())
            .with_y_label(self.y.label.clone());
        let powers = TickFormat::Custom(Arc::new(move |value| power_of_ten(value / factor)));
        match self.x.scale {
            AxisScale::Linear => (),
            AxisScale::Counting => layout = layout.with_x_tick_step(self.count_step()),
            AxisScale::Logarithmic => layout = layout.with_log_x(),
        }
        if self.y.is_logarithmic() {
            layout = layout.with_log_y().with_y_tick_format(powers);
        }
        if let Some(top) = self.top() {
            layout = layout.with_y_axis_max(top);
        }
        layout
    }
}

/// A layout of this size in the colours that stand for classes.
fn plain_layout(plots: &[Plot], width: f64, height: f64) -> Layout {
    let theme = Theme {
        background: "none".to_owned(),
        axis_color: AXIS.to_owned(),
        tick_color: AXIS.to_owned(),
        grid_color: GRID.to_owned(),
        text_color: INK.to_owned(),
        font_family: None,
        ..Theme::light()
    };
    Layout::auto_from_plots(plots)
        .with_width(width)
        .with_height(height)
        .with_label_size(13)
        .with_tick_size(11)
        .with_theme(theme)
}

/// What kuva draws, below a title, in classes of the style sheet.
fn titled(title: &str, plots: Vec<Plot>, layout: Layout) -> String {
    let drawn = kuva::render_to_svg(plots, layout);
    let chart = themed(&inside(&drawn));
    text(10.0, 20.0, Anchor::Start, "title", title)
        + &format!(r#"<g transform="translate(0 {TITLE})">{chart}</g>"#)
}

fn plots_of(series: &Series) -> Vec<Plot> {
    let (colour, style) = series.style();
    let points: Vec<(f64, f64)> = series.points.iter().map(|point| (point[0], point[1])).collect();
    let line = LinePlot::new().with_data(points.clone()).with_color(colour).with_stroke_width(1.8);
    let mut plots = vec![Plot::Line(line)];
    if series.has_signs {
        let signs = ScatterPlot::new()
            .with_data(points)
            .with_color(colour)
            .with_size(4.0)
            .with_marker(marker(style.sign));
        plots.push(Plot::Scatter(signs));
    }
    plots
}

fn marker(sign: Sign) -> MarkerShape {
    match sign {
        Sign::Circle => MarkerShape::Circle,
        Sign::Square => MarkerShape::Square,
        Sign::Triangle => MarkerShape::Triangle,
        Sign::Diamond => MarkerShape::Diamond,
        Sign::Plus => MarkerShape::Plus,
        Sign::Cross => MarkerShape::Cross,
    }
}

/// `1e-3` for a power of ten, nothing between them, so that labels keep apart.
fn power_of_ten(value: f64) -> String {
    let exponent = value.log10();
    if (exponent - exponent.round()).abs() > 1e-6 {
        return String::new();
    }
    match exponent.round() as i32 {
        -2 => "0.01".to_owned(),
        -1 => "0.1".to_owned(),
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        2 => "100".to_owned(),
        exponent => format!("1e{exponent}"),
    }
}

/// What stands inside the outermost element.
fn inside(svg: &str) -> String {
    let begin = svg.find('>').map_or(0, |end| end + 1);
    let end = svg.rfind("</svg>").unwrap_or(svg.len());
    svg[begin..end].to_owned()
}

/// Classes in place of the colours that stand for them. Clips go: their names are counted through the whole run, so that the same chart would
/// differ from the one before, and nothing is drawn outside its axes anyway.
fn themed(svg: &str) -> String {
    let mut plain = String::with_capacity(svg.len());
    let mut rest = svg;
    for (begin, end) in [("<defs>", "</defs>"), (r#" clip-path=""#, r#"""#)] {
        while let Some(start) = rest.find(begin)
            && let Some(length) = rest[start + begin.len()..].find(end)
        {
            plain += &rest[..start];
            rest = &rest[start + begin.len() + length + end.len()..];
        }
    }
    plain += rest;
    plain
        .replace(&format!(r#"stroke="{AXIS}""#), r#"class="axis""#)
        .replace(&format!(r#"stroke="{GRID}""#), r#"class="grid""#)
        .replace(&format!(r#"stroke="{INK}""#), r#"class="ink""#)
        .replace(&format!(r#"fill="{INK}""#), r#"class="inkfill""#)
}
