//! Modes of the inside of a stiff part: its lowest eigenvectors of the weighted Laplacian, zero on what is held in it and carried
//! harmonically into the free components around it.
//!
//! The constant is the anchor's own frame, so it is left out unless something in the part is held.

use pliant_fem::SymmetricMatrix;

use super::free_component::{SolvableComponent, lowest_modes};
use super::mode::Mode;
use crate::{Anchors, BasisError, EigenOptions};

/// The `count` lowest modes of one anchor, fewer where it has fewer; none where all of it is held.
pub(super) fn stiff_part_modes(
    laplacian: &SymmetricMatrix,
    mass: &[f64],
    anchors: &Anchors,
    anchor: usize,
    components: &mut [SolvableComponent],
    count: usize,
    options: &EigenOptions,
) -> Result<Vec<Mode>, BasisError> {
    let whole = &anchors.as_slice()[anchor].vertices;
    let inside: Vec<usize> = whole.iter().copied().filter(|&vertex| !anchors.held()[vertex]).collect();
    let constants = usize::from(inside.len() == whole.len());
    if inside.is_empty() {
        return Ok(Vec::new());
    }
    let matrix = laplacian.of_vertices(&inside);
    let mut modes = lowest_modes(&matrix, &inside, mass, constants, count, options)?;
    for component in components.iter_mut().filter(|part| part.component.anchors.contains(&anchor)) {
        let at = |vertex: usize, mode: usize| {
            let entries: &[(usize, f64)] = &modes[mode].entries;
            let place = entries.partition_point(|(other, _)| *other < vertex);
            entries.get(place).filter(|(other, _)| *other == vertex).map_or(0.0, |(_, value)| *value)
        };
        let extension = component.extension(modes.len(), at);
        for (mode, column) in modes.iter_mut().zip(extension.col_iter()) {
            mode.entries.extend(component.component.vertices.iter().copied().zip(column.iter().copied()));
        }
    }
    let sorted = |mut mode: Mode| {
        mode.entries.sort_unstable_by_key(|(vertex, _)| *vertex);
        Mode::new(mode.eigenvalue, mode.entries)
    };
    Ok(modes.into_iter().map(sorted).collect())
}
