//! A progress bar on a terminal, and nothing elsewhere.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use log::{Level, LevelFilter, Log, Metadata, Record};

use super::stage_times::StageTimes;
use crate::cli::CommonOptions;

/// The bar that is shown now, with the work that it names.
static SHOWN: Mutex<Option<Shown>> = Mutex::new(None);

struct Shown {
    bar: ProgressBar,
    work: String,
    stages: StageTimes,
}

/// A bar on stderr while long work runs: steps, time, and what is being worked on, in the words of the command and of the libraries.
/// One at a time; it vanishes when dropped.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar of `steps` steps, hidden when stderr is not a terminal or JSON was asked for.
    pub fn new(steps: usize, common: &CommonOptions) -> Self {
        if common.json || !std::io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden() };
        }
        let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{bar:12} {pos}/{len} {elapsed}{left} {wide_msg}") {
            bar.set_style(style.with_key("left", write_time_left));
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        *shown() = Some(Shown { bar: bar.clone(), work: String::new(), stages: StageTimes::default() });
        // Fails from the second bar on, when the listener is there.
        if log::set_logger(&Listener).is_ok() {
            log::set_max_level(LevelFilter::Debug);
        }
        Self { bar }
    }

    /// Says what is being worked on.
    pub fn say(&self, work: impl Into<String>) {
        if let Some(shown) = shown().as_mut() {
            shown.work = work.into();
            shown.bar.set_message(shown.work.clone());
        }
    }

    /// One more step is done.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// So many steps were done before, in no time.
    pub fn skip(&self, steps: usize) {
        self.bar.inc(steps as u64);
        self.bar.reset_eta();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        *shown() = None;
        self.bar.finish_and_clear();
    }
}

/// Makes the bar longer by the steps of work that its owner does not see inside, if there is a bar.
pub fn add_progress(steps: usize) {
    if let Some(shown) = shown().as_ref() {
        shown.bar.inc_length(steps as u64);
    }
}

/// So many of these steps are done.
pub fn advance_progress(steps: usize) {
    if let Some(shown) = shown().as_ref() {
        shown.bar.inc(steps as u64);
    }
}

/// Takes the bar off the terminal, if there is one.
pub fn clear_progress() {
    if let Some(shown) = shown().take() {
        shown.bar.finish_and_clear();
    }
}

fn shown() -> MutexGuard<'static, Option<Shown>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The remaining time, once a step is done to tell from.
fn write_time_left(state: &ProgressState, out: &mut dyn Write) {
    if state.pos() > 0 && state.len().is_some_and(|len| state.pos() < len) {
        let seconds = state.eta().as_secs();
        let _ = match seconds {
            0..60 => write!(out, ", about {seconds} s left"),
            60..3600 => write!(out, ", about {} min left", seconds.div_ceil(60)),
            _ => write!(out, ", about {:.1} h left", seconds as f64 / 3600.0),
        };
    }
}

/// Shows what the libraries say they are at: stages (info), and before it the step of a stage (debug).
struct Listener;

impl Log for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("pliant")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata())
            && let Some(shown) = shown().as_mut()
        {
            let text = record.args().to_string();
            let is_stage = record.level() <= Level::Info;
            let said = shown.stages.say(text, is_stage, thread::current().id(), Instant::now());
            shown.bar.set_message(format!("{}: {said}", shown.work));
        }
    }

    fn flush(&self) {}
}
