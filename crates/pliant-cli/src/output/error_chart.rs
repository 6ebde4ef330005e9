//! The error of each subspace as a bar on a logarithmic scale, below the table of the terminal.

use std::io::IsTerminal;

use super::report::SubspaceRecord;
use super::text_table::figure;

/// Columns where the output is not a terminal.
const WIDTH: usize = 80;
/// What the figures at the end of the bars take.
const FIGURE: usize = 9;

/// What a chart is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Style {
    /// Columns.
    width: usize,
    /// Blocks of eighths of a column and box lines, else `#`, `+` and `-`.
    is_unicode: bool,
}

/// The mass-norm error of each subspace against its frames; nothing where there is no error to show. As wide as the terminal, 80 columns elsewhere.
pub fn error_chart(subspaces: &[SubspaceRecord]) -> String {
    let bars: Vec<Bar<'_>> = subspaces
        .iter()
        .filter_map(|record| {
            let error = record.mass_norm_error.filter(|error| error.is_finite())?;
            Some(Bar { method: record.basis.method, frames: record.basis.frames, error })
        })
        .collect();
    draw(&bars, Style { width: terminal_width(), is_unicode: has_unicode() })
}

fn terminal_width() -> usize {
    let terminal = console::Term::stdout();
    let columns = if std::io::stdout().is_terminal() { terminal.size_checked() } else { None };
    columns.map_or(WIDTH, |(_, columns)| usize::from(columns).clamp(60, 120))
}

/// Whether the locale says that text is UTF-8: the first of these variables that is set counts. Windows always takes it.
fn has_unicode() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].iter().filter_map(|name| std::env::var(name).ok());
    let locale = set.map(|value| value.to_ascii_lowercase()).find(|value| !value.is_empty());
    cfg!(windows) || locale.is_some_and(|locale| locale.contains("utf-8") || locale.contains("utf8"))
}

#[derive(Clone, Copy, Debug)]
struct Bar<'a> {
    method: &'a str,
    frames: usize,
    error: f64,
}

fn draw(bars: &[Bar<'_>], style: Style) -> String {
    let positive: Vec<f64> = bars.iter().map(|bar| bar.error).filter(|&error| error > 0.0).collect();
    if positive.is_empty() {
        return String::new();
    }
    let names = bars.iter().map(|bar| bar.method.len()).max().unwrap_or(0);
    let digits = bars.iter().map(|bar| bar.frames.to_string().len()).max().unwrap_or(0);
    let left = names + 1 + digits + 1;
    let columns = style.width.saturating_sub(left + 1 + FIGURE).max(8);
    let scale = Scale::new(&positive, columns);
    let (title, axis) = ("error, frames", scale.axis(style.is_unicode));
    let mut text = format!("\n{:left$}{}\n{title:>width$} {axis}\n", "", scale.labels(), width = left - 1);
    let mut previous = "";
    for bar in bars {
        let method = if bar.method == previous { "" } else { bar.method };
        previous = bar.method;
        let drawn = scale.bar(bar.error, style.is_unicode);
        let line = format!("{method:names$} {:>digits$} {drawn} {}", bar.frames, figure(Some(bar.error)),);
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// Powers of ten along some columns; the first stands at the line where the bars begin.
struct Scale {
    first: i32,
    last: i32,
    columns: usize,
}

impl Scale {
    /// Whole decades around some positive errors.
    fn new(errors: &[f64], columns: usize) -> Self {
        let smallest = errors.iter().copied().fold(f64::INFINITY, f64::min).log10();
        let largest = errors.iter().copied().fold(0.0, f64::max).log10();
        let first = smallest.floor() as i32;
        Self { first, last: (largest.ceil() as i32).max(first + 1), columns }
    }

    /// From the line to an error, in columns.
    fn place(&self, error: f64) -> f64 {
        let decades = f64::from(self.last - self.first);
        (error.log10() - f64::from(self.first)) / decades * self.columns as f64
    }

    /// The powers of ten that are written, with their columns: as many as have room.
    fn ticks(&self) -> impl Iterator<Item = (i32, usize)> {
        const ROOM: usize = 7;
        let decades = (self.last - self.first) as usize;
        let stride = (decades * ROOM).div_ceil(self.columns).max(1);
        (0..=decades)
            .step_by(stride)
            .map(move |decade| (self.first + decade as i32, (decade * self.columns + decades / 2) / decades))
    }

    /// The powers of ten, each centred over its tick.
    fn labels(&self) -> String {
        let mut text = String::new();
        for (power, column) in self.ticks() {
            let label = match power {
                -2..=2 => format!("{}", 10_f64.powi(power)),
                _ => format!("1e{power}"),
            };
            let start = column.saturating_sub(label.len() / 2);
            text += &" ".repeat(start.saturating_sub(text.len()));
            text += &label;
        }
        text
    }

    /// A line with a tick at each written power.
    fn axis(&self, is_unicode: bool) -> String {
        let [line, tick] = if is_unicode { ['─', '┴'] } else { ['-', '+'] };
        let mut axis: Vec<char> = vec![line; self.columns + 1];
        self.ticks().for_each(|(_, column)| axis[column] = tick);
        axis.into_iter().collect()
    }

    /// A bar as wide as the columns; an error above 0 shows at least a sliver.
    fn bar(&self, error: f64, is_unicode: bool) -> String {
        const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
        let place = if error > 0.0 { self.place(error) } else { 0.0 };
        if !is_unicode {
            let full = if error > 0.0 { (place.round() as usize).max(1) } else { 0 };
            return format!("{:width$}", "#".repeat(full), width = self.columns);
        }
        let eighths = if error > 0.0 { ((place * 8.0).round() as usize).max(1) } else { 0 };
        let mut bar = "█".repeat(eighths / 8);
        if eighths % 8 > 0 {
            bar.push(EIGHTHS[eighths % 8]);
        }
        let drawn = bar.chars().count();
        bar + &" ".repeat(self.columns - drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARS: [Bar<'_>; 4] = [
        Bar { method: "anchored", frames: 9, error: 1e-4 },
        Bar { method: "anchored", frames: 12, error: 1e-2 },
        Bar { method: "hrpd", frames: 9, error: 1.0 },
        Bar { method: "exact", frames: 12, error: 0.0 },
    ];

    fn rows(style: Style) -> Vec<String> {
        draw(&BARS, style).lines().map(str::to_owned).collect()
    }

    #[test]
    fn bars_grow_by_the_same_length_for_each_decade_and_fill_the_width() {
        for (style, block) in
            [(Style { width: 80, is_unicode: false }, '#'), (Style { width: 120, is_unicode: true }, '█')]
        {
            let rows = rows(style);
            let lengths: Vec<usize> =
                rows[3..].iter().map(|row| row.chars().filter(|&c| c == block).count()).collect();
            let columns = lengths[2];
            assert!(lengths[1].abs_diff(columns / 2) <= 1 && lengths[0] <= 1 && lengths[3] == 0, "{rows:#?}");
            assert!(rows.iter().all(|row| row.chars().count() <= style.width), "{rows:#?}");
            assert!(columns > style.width / 2, "{rows:#?}");
        }
    }

    #[test]
    fn a_method_is_named_once_and_each_row_ends_in_its_figure() {
        let rows = rows(Style { width: 80, is_unicode: true });
        assert!(rows[3].starts_with("anchored  9 ") && rows[3].ends_with("1.00e-4"), "{rows:#?}");
        assert!(rows[4].starts_with("         12 ") && rows[6].ends_with(" 0"), "{rows:#?}");
        assert!(rows[1].contains("1e-4") && rows[1].ends_with('1'), "{rows:#?}");
    }

    #[test]
    fn without_a_unicode_locale_every_character_is_ascii() {
        assert!(draw(&BARS, Style { width: 60, is_unicode: false }).is_ascii());
    }

    #[test]
    fn nothing_to_show_is_no_chart_and_one_error_is_one() {
        let style = Style { width: 80, is_unicode: true };
        assert!(draw(&[], style).is_empty() && draw(&BARS[3..], style).is_empty());
        assert_eq!(draw(&BARS[..1], style).lines().count(), 4);
    }
}
