//! A handle that turns back and forth: the error of every pose, and the poses themselves.

use crate::body::WIDTH;
use crate::panel_grid::mesh_panels_within;
use crate::swing_view::{DELAY, SwingSpace, swing_player};
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
pub fn swing_view<const D: usize>(body: &Body<'_, D>, angles_degrees: &[f64], spaces: &[SwingSpace]) -> View {
    let scale = body.modulus_scale();
    let view = body.main_view();
    let html = swing_player(body.mesh, view, &scale, &body.region_logarithms(), angles_degrees, spaces);
    let logarithms = body.logarithms();
    let panel = |space: &SwingSpace, pose: usize| {
        let title = match space.errors.get(pose) {
            Some(error) => format!("{}: error {error:.4}", space.label),
            None => format!("{}: {:.1} degrees", space.label, angles_degrees[pose]),
        };
        let panel = body
            .panel(&title)
            .cells(&logarithms, Some(&space.poses[pose]), scale.clone(), "")
            .outline(Some(&space.poses[pose]), LineStyle::Solid)
            .without_bar();
        match space.errors.is_empty() {
            true => panel,
            false => panel.outline(Some(&spaces[0].poses[pose]), LineStyle::Dashed),
        }
    };
    let poses: Vec<Vec<_>> = (0..angles_degrees.len())
        .map(|pose| spaces.iter().map(|space| panel(space, pose)).collect())
        .collect();
    let all: Vec<_> = poses.iter().flatten().map(crate::MeshPanel::extent).collect();
    let pictures = poses
        .iter()
        .map(|panels| {
            let panels = mesh_panels_within(panels, &all, 0.8 * WIDTH);
            Figure { name: String::new(), title: "Swing".to_owned(), caption: String::new(), panels }
                .svg_in_columns(3)
        })
        .collect();
    View {
        title: "The swing, pose by pose".to_owned(),
        caption: "The handle turns about the pins, out and back. Full FEM is dashed over every space: look for parts that lag behind, \
                  and for stiff segments that bend."
            .to_owned(),
        html,
        animation: Some(Animation { name: "swing".to_owned(), pictures, delay_milliseconds: DELAY }),
    }
}
