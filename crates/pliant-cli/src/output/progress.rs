//! A progress bar on a terminal, and nothing elsewhere.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::CommonOptions;

/// A bar on stderr while long work runs; it vanishes when dropped.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar of `steps` steps, hidden when stderr is not a terminal or JSON was asked for.
    pub fn new(steps: usize, common: &CommonOptions) -> Self {
        let hidden = common.json || !std::io::stderr().is_terminal();
        let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(steps as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}") {
            bar.set_style(style);
        }
        if !hidden {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        Self { bar }
    }

    /// Says what is being worked on.
    pub fn say(&self, message: impl Into<String>) {
        self.bar.set_message(message.into());
    }

    /// One more step is done.
    pub fn step(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
