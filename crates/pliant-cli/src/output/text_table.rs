//! Tables for the terminal, in Markdown so that they can be pasted.

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};

use super::report::{FailureRecord, FullRecord, SubspaceRecord};

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

/// One row a space; the full one first when it was solved. Columns of testing loads where there are some, and below the table a line for each basis
/// that was grown and does badly with them.
pub fn space_table(full: Option<&FullRecord>, subspaces: &[SubspaceRecord]) -> String {
    let is_tested = subspaces.iter().any(|record| !record.testing.is_empty());
    let mut header = vec!["space", "frames", "DOFs", "density", "error", "estimated"];
    if is_tested {
        header.extend(["unseen, mean", "unseen, largest"]);
    }
    header.extend(["displacement", "energy gap", "iterations", "seconds", "termination"]);
    let full = full.map(|full| full_row(full, header.len()));
    let rows = full.into_iter().chain(subspaces.iter().map(|record| subspace_row(record, is_tested)));
    let mut text = text_table(&header, rows);
    subspaces.iter().filter_map(unlike_training).for_each(|line| text += &line);
    text
}

/// One line for each point of a sweep that its method cannot have.
pub fn missing_points(failures: &[FailureRecord]) -> String {
    let missing = failures.iter().filter(|failure| failure.no_such_size);
    missing
        .map(|failure| {
            format!("missing: {} at {} frames: {}\n", failure.method, failure.frames, failure.error)
        })
        .collect()
}

fn full_row(full: &FullRecord, columns: usize) -> Vec<String> {
    let mut row = vec!["-".to_owned(); columns];
    row[0] = "full".to_owned();
    row[2] = full.dofs.to_string();
    row[columns - 3] = full.newton_iterations.to_string();
    if full.linear_iterations > 0 {
        row[columns - 3] += &format!(" ({} linear)", full.linear_iterations);
    }
    row[columns - 2] = seconds(full.seconds.setup + full.seconds.solve);
    row[columns - 1] = full.termination.to_owned();
    row
}

fn subspace_row(record: &SubspaceRecord, is_tested: bool) -> Vec<String> {
    let basis = &record.basis;
    let dofs = if basis.rank < basis.dofs {
        format!("{} (rank {})", basis.dofs, basis.rank)
    } else {
        basis.dofs.to_string()
    };
    let mut row = vec![
        basis.method.to_owned(),
        basis.frames.to_string(),
        dofs,
        format!("{:.3}", basis.weights_density),
        figure(record.mass_norm_error),
        figure(record.estimated_error),
    ];
    if is_tested {
        let largest = record.worst_testing_load().map(|load| load.mass_norm_error);
        row.extend([figure(record.mean_testing_error()), figure(largest)]);
    }
    row.extend([
        figure(record.displacement_error),
        figure(record.energy_gap),
        record.newton_iterations.to_string(),
        seconds(record.seconds.basis + record.seconds.solve.unwrap_or(0.0)),
        record.termination.to_owned(),
    ]);
    row
}

/// A testing load with more than this many times the error of the training loads tells that the frames fit those alone.
const UNLIKE_TRAINING: f64 = 5.0;
/// Errors below this one are nobody's concern.
const NEGLIGIBLE: f64 = 1e-3;

/// Says so where grown frames fit only the loads that they grew from.
fn unlike_training(record: &SubspaceRecord) -> Option<String> {
    let trained = record.basis.training.as_ref()?.iter().map(|load| load.estimated_error).fold(0.0, f64::max);
    let worst = record.worst_testing_load()?;
    (worst.mass_norm_error > NEGLIGIBLE.max(UNLIKE_TRAINING * trained)).then(|| {
        format!(
            "{} at {} frames fits its training loads (error {}) but not the load \"{}\" ({}); train on a load like it\n",
            record.basis.method,
            record.basis.frames,
            figure(Some(trained)),
            worst.name,
            figure(Some(worst.mass_norm_error))
        )
    })
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
