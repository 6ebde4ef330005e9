//! A handle that turns back and forth: the error of every pose, and the poses themselves.

use crate::body::WIDTH;
use crate::panel_grid::mesh_panels_within;
use crate::swing_player::{DELAY, SwingSpace, swing_player};
use crate::{Animation, Axis, Body, Chart, Figure, LineStyle, Series, View};

/// The error of each space against the angle; `spaces` are labels, methods and the error of each pose.
pub fn swing_error_figure(angles_degrees: &[f64], spaces: &[(String, String, Vec<f64>)]) -> Figure {
    let series = spaces
        .iter()
        .map(|(label, method, errors)| Series {
            label: label.clone(),
            method: Some(method.clone()),
            points: angles_degrees.iter().zip(errors).map(|(&angle, &error)| [angle, error]).collect(),
            has_signs: true,
        })
        .collect();
    let chart = Chart {
        title: "Error of each pose".to_owned(),
        x: Axis::linear("angle of the handle (degrees)"),
        y: Axis::logarithmic("error in the mass norm (1)"),
        series,
        levels: Vec::new(),
    };
    Figure {
        name: "swing-error".to_owned(),
        title: "Error against angle".to_owned(),
        caption: "The same angle is passed twice, on the way out and back: a space whose two errors differ has found two shapes for one load. \
                  A flat line means a space that follows the handle as well far from rest as near it."
            .to_owned(),
        panels: vec![chart.panel(WIDTH, 380.0)],
    }
}

/// The poses of every space, the full one first, as a part of the page that moves and as an animated file.
///
/// # Panics
/// If there is no space, or a space has not one displacement for each vertex in each pose.
pub fn swing_view<const D: usize>(
    body: &Body<'_, D>,
    angles_degrees: &[f64],
    spaces: &[SwingSpace<'_>],
) -> View {
    let (logarithms, scale) = (body.logarithms(), body.modulus_scale());
    let panel = |space: &SwingSpace<'_>, pose: usize| {
        let title = match space.errors.get(pose) {
            Some(error) => format!("{}: error {error:.4}", space.label),
            None => format!("{}: {:.1} degrees", space.label, angles_degrees[pose]),
        };
        let panel = body
            .panel(&title)
            .cells(&logarithms, Some(space.poses[pose]), scale.clone(), "")
            .outline(Some(space.poses[pose]), LineStyle::Solid)
            .without_bar();
        match space.errors.is_empty() {
            true => panel,
            false => panel.outline(Some(spaces[0].poses[pose]), LineStyle::Dashed),
        }
    };
    let empty = body.panel("");
    let every = spaces.iter().flat_map(|space| &space.poses);
    let extents: Vec<_> = every.map(|displacement| empty.extent_of(displacement)).collect();
    let picture = |pose: usize| {
        let panels: Vec<_> = spaces.iter().map(|space| panel(space, pose)).collect();
        let panels = mesh_panels_within(&panels, &extents, 0.8 * WIDTH);
        Figure { name: String::new(), title: "Swing".to_owned(), caption: String::new(), panels }
            .svg_in_columns(3)
    };
    View {
        title: "The swing, pose by pose".to_owned(),
        caption: "The handle turns about the pins, out and back. Full FEM is dashed over every space: look for parts that lag behind, \
                  and for stiff segments that bend."
            .to_owned(),
        html: swing_player(body, angles_degrees, spaces),
        animation: Some(Animation {
            name: "swing".to_owned(),
            pictures: (0..angles_degrees.len()).map(picture).collect(),
            delay_milliseconds: DELAY,
        }),
    }
}
