//! Tables for the terminal, in Markdown so that they can be pasted.

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};

use super::report::{FullRecord, SubspaceRecord};

/// A table with a header whose columns are right-aligned but for the first.
pub fn text_table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(header.to_vec());
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let lines: Vec<String> = table.to_string().lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}

const HEADER: [&str; 11] = [
    "space",
    "frames",
    "DOFs",
    "density",
    "error",
    "estimated",
    "displacement",
    "energy gap",
    "iterations",
    "seconds",
    "termination",
];

/// One row a space; the full one first when it was solved.
pub fn space_table(full: Option<&FullRecord>, subspaces: &[SubspaceRecord]) -> String {
    text_table(&HEADER, full.map(full_row).into_iter().chain(subspaces.iter().map(subspace_row)))
}

fn full_row(full: &FullRecord) -> Vec<String> {
    let none = || "-".to_owned();
    vec![
        "full".to_owned(),
        none(),
        full.dofs.to_string(),
        none(),
        none(),
        none(),
        none(),
        none(),
        full.newton_iterations.to_string(),
        seconds(full.seconds.setup + full.seconds.solve),
        full.termination.to_owned(),
    ]
}

fn subspace_row(record: &SubspaceRecord) -> Vec<String> {
    let basis = &record.basis;
    let dofs = if basis.rank < basis.dofs {
        format!("{} (rank {})", basis.dofs, basis.rank)
    } else {
        basis.dofs.to_string()
    };
    vec![
        basis.method.to_owned(),
        basis.frames.to_string(),
        dofs,
        format!("{:.3}", basis.weights_density),
        figure(record.mass_norm_error),
        figure(record.estimated_error),
        figure(record.displacement_error),
        figure(record.energy_gap),
        record.newton_iterations.to_string(),
        seconds(record.seconds.basis + record.seconds.solve.unwrap_or(0.0)),
        record.termination.to_owned(),
    ]
}

/// Three significant digits, `-` for nothing.
pub fn figure(value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(value) if (1e-3..1e3).contains(&value.abs()) => format!("{value:.4}"),
        Some(value) => format!("{value:.2e}"),
    }
}

/// Seconds to a tenth of a millisecond.
pub fn seconds(value: f64) -> String {
    format!("{value:.4}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short_and_nothing_is_a_dash() {
        assert_eq!(figure(None), "-");
        assert_eq!(figure(Some(0.0)), "0");
        assert_eq!(figure(Some(0.054321)), "0.0543");
        assert_eq!(figure(Some(-3.2e-9)), "-3.20e-9");
        assert_eq!(figure(Some(123_456.0)), "1.23e5");
    }

    #[test]
    fn rows_line_up_under_the_header() {
        let text = text_table(&["space", "DOFs"], [vec!["full".to_owned(), "12".to_owned()]]);
        let rows: Vec<&str> = text.lines().filter(|line| line.contains(['D', '1'])).collect();
        assert_eq!(rows.len(), 2, "{text}");
        assert_eq!(rows[0].find("DOFs").unwrap() + 4, rows[1].find("12").unwrap() + 2, "{text}");
    }
}
