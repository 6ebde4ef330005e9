//! A swing: the error of every pose, and the poses.

use pliant::report::{Body, Item, Section, SwingSpace, swing_error_figure, swing_view};
use pliant::statics::Equilibrium;

use super::section;
use super::space_parts::label;
use crate::output::SwingReport;

/// The figures of a swing; `solved` are the poses of the report's subspaces, in their order.
pub fn swing_section<const D: usize>(
    body: &Body<'_, D>,
    swing: &SwingReport,
    full: &[Equilibrium<D>],
    solved: &[Vec<Equilibrium<D>>],
) -> Section {
    let displacements = |poses| -> Vec<&[f64]> {
        let poses: &[Equilibrium<D>] = poses;
        poses.iter().map(|pose| &pose.displacement[..]).collect()
    };
    let mut spaces =
        vec![SwingSpace { label: "full FEM".to_owned(), poses: displacements(full), errors: Vec::new() }];
    let mut errors = Vec::new();
    for (record, poses) in swing.subspaces.iter().zip(solved) {
        let label = label(record.method, record.frames);
        errors.push((label.clone(), record.method.to_owned(), record.errors.clone()));
        spaces.push(SwingSpace { label, poses: displacements(poses), errors: record.errors.clone() });
    }
    let items = vec![
        Item::View(swing_view(body, &swing.angles_degrees, &spaces)),
        Item::Figure(swing_error_figure(&swing.angles_degrees, &errors)),
    ];
    section("The swing", "", items)
}
