//! The page: figures, tables and views in one HTML file that needs nothing else, and the figures as files beside it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pliant_mesh::replace_file;

use crate::figure::STYLE;
use crate::orbit_view::ORBIT_STYLE;
use crate::raster::{FONT, Raster, png, rasterise};
use crate::svg::escaped;
use crate::{Figure, ReportError, orbit_script};

/// What a page shows.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Its name.
    pub title: String,
    /// One sentence below the name.
    pub lead: String,
    /// Names and values at the top, for example the number of vertices.
    pub facts: Vec<(String, String)>,
    /// In order.
    pub sections: Vec<Section>,
}

/// A part of a page.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Its name.
    pub heading: String,
    /// What the reader should know first; may be empty.
    pub intro: String,
    /// In order.
    pub items: Vec<Item>,
}

/// What stands in a section.
#[derive(Clone, Debug)]
pub enum Item {
    /// A still figure.
    Figure(Figure),
    /// A table.
    Table(Table),
    /// HTML that draws itself.
    View(View),
}

/// A table with a caption.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// A few words.
    pub title: String,
    /// What to look for.
    pub caption: String,
    /// Column names.
    pub header: Vec<String>,
    /// One cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// Whether a promise is kept; none where nothing was promised.
    pub verdict: Option<bool>,
}

/// A part of the page that moves.
#[derive(Clone, Debug)]
pub struct View {
    /// A few words.
    pub title: String,
    /// What to look for.
    pub caption: String,
    /// Elements with a script of their own.
    pub html: String,
    /// An animated PNG of the same: its file name, its pictures as SVG, and milliseconds between them; none where there is none.
    pub animation: Option<Animation>,
}

/// Pictures of one size, one after the other.
#[derive(Clone, Debug)]
pub struct Animation {
    /// The name of its file, without the extension.
    pub name: String,
    /// SVG texts of one size.
    pub pictures: Vec<String>,
    /// Between two pictures.
    pub delay_milliseconds: u16,
}

/// Pixels of a PNG file for each of the figure.
const STILL_SCALE: f32 = 2.0;
/// Where the figures take more bytes than this together, those that save most are in the page as PNG; their SVG files stay. With what moves,
/// the page is below 5 MB.
const LARGEST_TOTAL: usize = 2_200_000;

/// Makes a directory for a page, and tries whether it can be written: better before long work than after it.
///
/// # Errors
/// If it cannot be made or written.
pub fn prepare_directory(directory: &Path) -> Result<(), ReportError> {
    let figures = figures_directory(directory)?;
    for directory in [directory, &figures] {
        let trial = directory.join(".trial");
        write_file(trial.clone(), b"")?;
        fs::remove_file(&trial).map_err(|source| ReportError::Write { path: trial, source })?;
    }
    Ok(())
}

/// Where the figures are; made where it is missing.
fn figures_directory(directory: &Path) -> Result<PathBuf, ReportError> {
    let figures = directory.join("figures");
    fs::create_dir_all(&figures).map_err(|source| ReportError::Write { path: figures.clone(), source })?;
    Ok(figures)
}

/// Writes `index.html`, and each figure as SVG and PNG into `figures/`. Files of the same names are replaced, others stay.
///
/// # Errors
/// If the directory cannot be written.
pub fn write_page(page: &Page, directory: &Path) -> Result<(), ReportError> {
    let figures = figures_directory(directory)?;
    let mut stills = Vec::new();
    for figure in page.figures() {
        let svg = figure.svg();
        let still = png(&figure.name, &[rasterise(&figure.name, &svg, STILL_SCALE)?], 0)?;
        write_file(figures.join(format!("{}.svg", figure.name)), svg.as_bytes())?;
        write_file(figures.join(format!("{}.png", figure.name)), &still)?;
        stills.push(Still { svg_bytes: svg.len(), png: still, is_inline: true });
    }
    for animation in page.animations() {
        let draw = |svg: &String| rasterise(&animation.name, svg, 1.0);
        let pictures = animation.pictures.iter().map(draw).collect::<Result<Vec<Raster>, _>>()?;
        let file = png(&animation.name, &pictures, animation.delay_milliseconds)?;
        write_file(figures.join(format!("{}.png", animation.name)), &file)?;
    }
    keep_small(&mut stills);
    write_file(directory.join("index.html"), page.html(&stills).as_bytes())
}

/// The PNG of a figure, and whether the page holds that or the SVG.
struct Still {
    svg_bytes: usize,
    png: Vec<u8>,
    is_inline: bool,
}

impl Still {
    /// As text in the page.
    fn png_bytes(&self) -> usize {
        self.png.len() / 3 * 4
    }
}

/// Takes SVGs out of the page until the rest is small enough, or PNGs would not be smaller.
fn keep_small(stills: &mut [Still]) {
    loop {
        let bytes = |still: &Still| if still.is_inline { still.svg_bytes } else { still.png_bytes() };
        let total: usize = stills.iter().map(bytes).sum();
        let saving = |still: &&mut Still| still.svg_bytes.saturating_sub(still.png_bytes());
        let largest = stills.iter_mut().filter(|still| still.is_inline).max_by_key(saving);
        match largest {
            Some(still) if total > LARGEST_TOTAL && saving(&still) > 0 => still.is_inline = false,
            _ => return,
        }
    }
}

fn write_file(path: PathBuf, contents: &[u8]) -> Result<(), ReportError> {
    replace_file(&path, contents).map_err(|source| ReportError::Write { path, source })
}

impl Page {
    fn items(&self) -> impl Iterator<Item = &Item> {
        self.sections.iter().flat_map(|section| &section.items)
    }

    fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.items().filter_map(|item| if let Item::Figure(figure) = item { Some(figure) } else { None })
    }

    fn animations(&self) -> impl Iterator<Item = &Animation> {
        self.items()
            .filter_map(|item| if let Item::View(view) = item { view.animation.as_ref() } else { None })
    }

    /// The whole text; one still for each figure.
    fn html(&self, stills: &[Still]) -> String {
        let mut stills = stills.iter();
        let mut body = String::new();
        let _ = write!(
            body,
            "<header><h1>{}</h1><p class=\"lead\">{}</p><dl>",
            escaped(&self.title),
            escaped(&self.lead)
        );
        for (name, value) in &self.facts {
            let _ = write!(body, "<div><dt>{}</dt><dd>{}</dd></div>", escaped(name), escaped(value));
        }
        body += "</dl>";
        if self.sections.len() > 1 {
            body += "<nav>";
            for (index, section) in self.sections.iter().enumerate() {
                let _ = write!(body, "<a href=\"#part-{index}\">{}</a>", escaped(&section.heading));
            }
            body += "</nav>";
        }
        body += "</header>\n<main>\n";
        for (index, section) in self.sections.iter().enumerate() {
            let _ = writeln!(body, "<section><h2 id=\"part-{index}\">{}</h2>", escaped(&section.heading));
            if !section.intro.is_empty() {
                let _ = writeln!(body, "<p class=\"intro\">{}</p>", escaped(&section.intro));
            }
            for item in &section.items {
                body += &match item {
                    Item::Figure(figure) => figure_html(figure, stills.next()),
                    Item::Table(table) => table_html(table),
                    Item::View(view) => view_html(view),
                };
            }
            body += "</section>\n";
        }
        let turns = body.contains("class=\"orbit-view\"");
        if turns {
            body += &orbit_script();
        }
        body += "</main>\n<footer>Every figure is also a file: SVG and PNG, in the directory <code>figures</code>.</footer>";
        format!(
            concat!(
                "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">",
                "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><link rel=\"icon\" href=\"data:,\">\n",
                "<title>{title}</title>\n<style>\n",
                "@font-face{{font-family:\"DejaVu Sans\";src:url(data:font/ttf;base64,{font})}}\n{page}{orbit}{figure}</style></head>\n",
                "<body>\n{body}\n</body></html>\n"
            ),
            title = escaped(&self.title),
            font = STANDARD.encode(FONT),
            page = include_str!("page.css"),
            orbit = if turns { ORBIT_STYLE } else { "" },
            figure = STYLE,
            body = body
        )
    }
}

fn figure_html(figure: &Figure, still: Option<&Still>) -> String {
    let name = escaped(&figure.name);
    let (width, drawing) = match still {
        Some(still) if !still.is_inline => {
            let file = STANDARD.encode(&still.png);
            let title = escaped(&figure.title);
            (800.0, format!("<img class=\"picture\" alt=\"{title}\" src=\"data:image/png;base64,{file}\">"))
        }
        _ => {
            let widest = figure.panels.iter().map(|panel| panel.width).fold(1.0, f64::max);
            (widest, figure.panels.iter().map(|panel| panel.inline() + "\n").collect())
        }
    };
    format!(
        concat!(
            "<figure id=\"{0}\"><span class=\"files\"><a href=\"figures/{0}.svg\">SVG</a> <a href=\"figures/{0}.png\">PNG</a></span>",
            "<h3>{1}</h3><div class=\"panels\" style=\"--width:{2:.0}px\">\n{3}</div><figcaption>{4}</figcaption></figure>\n"
        ),
        name,
        escaped(&figure.title),
        width,
        drawing,
        escaped(&figure.caption)
    )
}

fn table_html(table: &Table) -> String {
    let header: String = table.header.iter().map(|name| format!("<th>{}</th>", escaped(name))).collect();
    let cell = |cell: &Cell| {
        let class = match cell.verdict {
            None => "",
            Some(true) => " class=\"good\"",
            Some(false) => " class=\"bad\"",
        };
        format!("<td{class}>{}</td>", escaped(&cell.text))
    };
    let row = |row: &Vec<Cell>| format!("<tr>{}</tr>\n", row.iter().map(cell).collect::<String>());
    format!(
        concat!(
            "<div class=\"card\"><h3>{}</h3><div class=\"scroll\"><table><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div>",
            "<p class=\"intro\">{}</p></div>\n"
        ),
        escaped(&table.title),
        header,
        table.rows.iter().map(row).collect::<String>(),
        escaped(&table.caption)
    )
}

fn view_html(view: &View) -> String {
    let file = view.animation.as_ref().map_or_else(String::new, |animation| {
        let name = escaped(&animation.name);
        format!(
            "<span class=\"files\"><a href=\"figures/{name}.png\">animated PNG</a></span>\
             <noscript><img class=\"picture\" alt=\"\" src=\"figures/{name}.png\"></noscript>"
        )
    });
    format!(
        "<figure>{file}<h3>{}</h3>{}<figcaption>{}</figcaption></figure>\n",
        escaped(&view.title),
        view.html,
        escaped(&view.caption)
    )
}
