//! Reports as JSON text: indented, a newline at the end, `null` for what is not a finite number.

use serde::Serialize;

use crate::failure::Failure;

/// The JSON text of a report.
///
/// # Errors
/// A report that has no JSON form, which no report of this command is.
pub fn to_json(report: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(report)
        .map(|text| text + "\n")
        .map_err(|error| Failure::work(format_args!("cannot write the report as JSON ({error})")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_null() {
        let text = to_json(&[f64::NAN, f64::INFINITY, 1.5]).unwrap();
        assert_eq!(text, "[\n  null,\n  null,\n  1.5\n]\n");
    }
}
