//! `sweep.csv`: one line a point, for spreadsheets; an empty field is what `sweep.json` calls null.

use super::report::SubspaceRecord;
use crate::failure::Failure;

/// The names of the columns; those of the probe's displacement follow the dimension.
fn header(axes: usize) -> Vec<&'static str> {
    let mut names = vec![
        "method",
        "frames",
        "dofs",
        "rank",
        "weights_nonzeros",
        "weights_density",
        "basis_density",
        "mass_norm_error",
        "displacement_error",
        "energy_gap",
        "estimated_error",
    ];
    names.extend(["probe_displacement_x", "probe_displacement_y", "probe_displacement_z"].iter().take(axes));
    names.extend(["probe_fraction", "newton_iterations", "termination", "basis_seconds", "solve_seconds"]);
    names.extend(["testing_mean_error", "testing_largest_error"]);
    names
}

/// The text of the file.
///
/// # Errors
/// If it cannot be composed.
pub fn sweep_csv(points: &[SubspaceRecord]) -> Result<Vec<u8>, Failure> {
    let compose = || -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        let axes = points.first().map_or(0, |point| point.probe_displacement.len());
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(header(axes))?;
        for point in points {
            writer.write_record(fields(point))?;
        }
        Ok(writer.into_inner()?)
    };
    compose().map_err(|error| Failure::work(format_args!("cannot compose sweep.csv ({error})")))
}

fn fields(point: &SubspaceRecord) -> Vec<String> {
    let optional = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let basis = &point.basis;
    let mut fields = vec![
        basis.method.to_owned(),
        basis.frames.to_string(),
        basis.dofs.to_string(),
        basis.rank.to_string(),
        basis.weights_nonzeros.to_string(),
        basis.weights_density.to_string(),
        basis.basis_density.to_string(),
        optional(point.mass_norm_error),
        optional(point.displacement_error),
        optional(point.energy_gap),
        optional(point.estimated_error),
    ];
    fields.extend(point.probe_displacement.iter().map(f64::to_string));
    fields.extend([
        optional(point.probe_fraction),
        point.newton_iterations.to_string(),
        point.termination.to_owned(),
        point.seconds.basis.to_string(),
        optional(point.seconds.solve),
        optional(point.mean_testing_error()),
        optional(point.worst_testing_load().map(|load| load.mass_norm_error)),
    ]);
    fields
}
