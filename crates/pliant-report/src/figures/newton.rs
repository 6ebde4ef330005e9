//! How Newton's method came to the solution.

use crate::body::WIDTH;
use crate::{Axis, Chart, Figure, Series};

/// The iterations in one space.
#[derive(Clone, Debug)]
pub struct NewtonHistory {
    /// For example `hrpd, 9 frames`.
    pub label: String,
    /// The method; none for full FEM.
    pub method: Option<String>,
    /// The potential before each iteration and at the end, in J.
    pub potentials: Vec<f64>,
    /// The norm of the gradient before each iteration, in N.
    pub gradients: Vec<f64>,
}

/// The energy gap and the gradient's norm against iterations.
pub fn newton_figure(histories: &[NewtonHistory]) -> Figure {
    let chart = |title: &str, label: &str, values: fn(&NewtonHistory) -> Vec<f64>| {
        let series = histories
            .iter()
            .map(|history| {
                let points = values(history).into_iter().enumerate();
                Series {
                    label: history.label.clone(),
                    method: history.method.clone(),
                    points: points.map(|(iteration, value)| [iteration as f64, value]).collect(),
                    has_signs: true,
                }
            })
            .collect();
        let x = Axis::counting("Newton iteration");
        Chart { title: title.to_owned(), x, y: Axis::logarithmic(label), series, levels: Vec::new() }
            .panel(WIDTH, 330.0)
    };
    Figure {
        name: "newton".to_owned(),
        title: "How Newton's method converges".to_owned(),
        caption: "Left the energy above the end, relative to the start; right the norm of the gradient in each space's own coordinates. \
                  Near the solution both fall off a cliff: the convergence is quadratic. A long plateau before it means parts that turn far."
            .to_owned(),
        panels: vec![
            chart("Energy gap", "energy above the end (1)", gaps),
            chart("Gradient", "norm of the gradient (N)", |history| history.gradients.clone()),
        ],
    }
}

/// Smaller gaps are differences of equal numbers.
const ROUND_OFF: f64 = 1e-15;

/// `(P - P_end) / (P_start - P_end)` before each iteration.
fn gaps(history: &NewtonHistory) -> Vec<f64> {
    let (Some(&start), Some(&end)) = (history.potentials.first(), history.potentials.last()) else {
        return Vec::new();
    };
    let gap = |potential: &f64| (potential - end) / (start - end);
    history.potentials.iter().map(gap).map(|gap| if gap < ROUND_OFF { 0.0 } else { gap }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_go_from_one_to_nothing() {
        let potentials = vec![0.0, -3.0, -4.0];
        let history = NewtonHistory { label: String::new(), method: None, potentials, gradients: Vec::new() };
        assert_eq!(gaps(&history), [1.0, 0.25, 0.0]);
    }
}
