//! How the error falls as a space grows.

use crate::body::WIDTH;
use crate::{Axis, Chart, Figure, Series};

/// One size of one method.
#[derive(Clone, Debug)]
pub struct ConvergencePoint {
    /// As the command line spells it.
    pub method: String,
    /// Reduced coordinates.
    pub dofs: usize,
    /// The distance from the full solution in the mass norm, relative.
    pub error: f64,
    /// The displacement of the probe in the direction of the full one's, in m.
    pub probe: f64,
}

/// Error and displacement of the probe against degrees of freedom; `full_probe` is the full displacement of the probe in m.
pub fn convergence_figure(points: &[ConvergencePoint], full_probe: f64) -> Figure {
    let chart = |title: &str, y: Axis, value: fn(&ConvergencePoint) -> f64, levels: Vec<(String, f64)>| {
        Chart {
            title: title.to_owned(),
            x: Axis::logarithmic("degrees of freedom"),
            y,
            series: series(points, value),
            levels,
        }
        .panel(WIDTH, 360.0)
    };
    Figure {
        name: "convergence".to_owned(),
        title: "Error against size".to_owned(),
        caption: "Left: a method is better the lower its line and the steeper it falls; one that stays flat spends its frames where the body does not bend. \
                  Right: how far the probe moves; every space is too stiff, so lines come from below to the full solution."
            .to_owned(),
        panels: vec![
            chart("Error", Axis::logarithmic("error in the mass norm (1)"), |point| point.error, Vec::new()),
            chart(
                "Probe",
                Axis::linear("displacement of the probe (m)"),
                |point| point.probe,
                vec![("full FEM".to_owned(), full_probe)],
            ),
        ],
    }
}

/// One line for each method, in the order in which methods are met.
fn series(points: &[ConvergencePoint], value: fn(&ConvergencePoint) -> f64) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for point in points {
        let at = [point.dofs as f64, value(point)];
        match series.iter_mut().find(|series| series.label == point.method) {
            Some(series) => series.points.push(at),
            None => series.push(Series {
                label: point.method.clone(),
                method: Some(point.method.clone()),
                points: vec![at],
                has_signs: true,
            }),
        }
    }
    series.iter_mut().for_each(|series| series.points.sort_by(|a, b| a[0].total_cmp(&b[0])));
    series
}

/// One size of a basis that was grown to a target.
#[derive(Clone, Debug)]
pub struct FitPoint {
    /// Frames.
    pub frames: usize,
    /// The largest estimate of the training loads.
    pub estimated: f64,
    /// The largest true error of the training loads; none where it was not computed.
    pub error: Option<f64>,
    /// The largest error of the testing loads; none where it was not computed.
    pub testing: Option<f64>,
}

/// The errors of a basis that was grown, against its size, and the target.
pub fn fit_figure(points: &[FitPoint], target: f64) -> Figure {
    let line = |label: &str, method: Option<&str>, value: &dyn Fn(&FitPoint) -> Option<f64>| Series {
        label: label.to_owned(),
        method: method.map(str::to_owned),
        points: points.iter().filter_map(|point| Some([point.frames as f64, value(point)?])).collect(),
        has_signs: true,
    };
    let chart = Chart {
        title: "Largest error of all loads".to_owned(),
        x: Axis::counting("frames"),
        y: Axis::logarithmic("error in the mass norm (1)"),
        series: vec![
            line("estimated, training loads", Some("adaptive"), &|point| Some(point.estimated)),
            line("true, training loads", None, &|point| point.error),
            line("true, testing loads", Some("testing"), &|point| point.testing),
        ],
        levels: vec![("target".to_owned(), target)],
    };
    Figure {
        name: "fit".to_owned(),
        title: "Error against frames".to_owned(),
        caption: "Each frame is fitted to what the basis before it misses; the first size below the target is the one that is kept. Where the testing loads stay high, \
                  train on a load like them."
            .to_owned(),
        panels: vec![chart.panel(WIDTH, 360.0)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_one_line_in_the_order_of_its_sizes() {
        let point =
            |method: &str, dofs| ConvergencePoint { method: method.to_owned(), dofs, error: 0.1, probe: 1.0 };
        let lines = series(&[point("b", 12), point("a", 6), point("b", 6)], |point| point.error);
        assert_eq!(lines.iter().map(|line| &line.label[..]).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!(lines[0].points, [[6.0, 0.1], [12.0, 0.1]]);
    }
}
