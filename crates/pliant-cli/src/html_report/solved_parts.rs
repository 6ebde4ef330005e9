//! Numbers of solutions: convergence, fits and times, from the records of the commands.

use pliant::report::{
    ConvergencePoint, FitPoint, Item, Section, SpaceTimes, convergence_figure, fit_figure, time_figure,
};

use super::section;
use super::space_parts::label;
use crate::output::{FullRecord, SubspaceRecord};

/// Error and probe against the degrees of freedom.
pub fn convergence_section(full: &FullRecord, points: &[SubspaceRecord]) -> Section {
    let direction = &full.probe_displacement;
    let length = dot(direction, direction).sqrt();
    let along = |displacement: &[f64]| if length > 0.0 { dot(displacement, direction) / length } else { 0.0 };
    let points: Vec<ConvergencePoint> = points
        .iter()
        .filter_map(|record| {
            Some(ConvergencePoint {
                method: record.basis.method.to_owned(),
                dofs: record.basis.rank,
                error: record.mass_norm_error?,
                probe: along(&record.probe_displacement),
            })
        })
        .collect();
    section("Convergence", "", vec![Item::Figure(convergence_figure(&points, length))])
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Where the time went.
pub fn time_section(full: Option<&FullRecord>, records: &[SubspaceRecord]) -> Section {
    let full = full.map(|full| SpaceTimes {
        label: "full FEM".to_owned(),
        stages: vec![("set-up".to_owned(), full.seconds.setup), ("solve".to_owned(), full.seconds.solve)],
    });
    let spaces = records.iter().map(|record| SpaceTimes {
        label: label(record.basis.method, record.basis.frames),
        stages: vec![
            ("basis".to_owned(), record.seconds.basis),
            ("solve".to_owned(), record.seconds.solve.unwrap_or(0.0)),
        ],
    });
    let spaces: Vec<SpaceTimes> = full.into_iter().chain(spaces).collect();
    section("Time", "", vec![Item::Figure(time_figure(&spaces))])
}

/// The errors of a basis that was grown to a target.
pub fn fit_section(points: &[FitPoint], target: f64) -> Section {
    section("The fit", "", vec![Item::Figure(fit_figure(points, target))])
}
