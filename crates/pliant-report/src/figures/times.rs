//! Where the time goes.

use crate::Figure;
use crate::body::WIDTH;
use crate::chart::{Bar, stacked_bars};

/// Seconds of one space.
#[derive(Clone, Debug)]
pub struct SpaceTimes {
    /// For example `hrpd, 9 frames`.
    pub label: String,
    /// Stages in the order in which they run, with their seconds.
    pub stages: Vec<(String, f64)>,
}

/// One bar for each space, its stages end to end.
pub fn time_figure(spaces: &[SpaceTimes]) -> Figure {
    let bars: Vec<Bar> =
        spaces.iter().map(|space| Bar { label: space.label.clone(), parts: space.stages.clone() }).collect();
    Figure {
        name: "times".to_owned(),
        title: "Time by stage".to_owned(),
        caption: "Building a basis is paid once for a body, solving once for each load. Spaces that share graphs or eigenmodes wait for \
                  whoever builds them first. Unlike every other figure this one differs from run to run."
            .to_owned(),
        panels: vec![stacked_bars("Seconds", "seconds (s)", &bars, WIDTH)],
    }
}
