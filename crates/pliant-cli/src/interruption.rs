//! Ctrl-C: ends the process at once, whatever it is in the middle of, and leaves no half-written file.

use std::sync::{Mutex, PoisonError};

use pliant::mesh::abandon_unfinished_files;

use crate::failure::Failure;
use crate::output::clear_progress;

/// What shells report for a process that Ctrl-C ended: 128 and the number of the signal.
const EXIT_STATUS: i32 = 130;

/// What the message says after "interrupted".
static KEPT: Mutex<String> = Mutex::new(String::new());

/// From here on Ctrl-C ends the process with status 130 and one sentence. It acts on a thread of its own, so that no factorisation has to end first.
///
/// # Errors
/// If the system does not allow it.
pub fn end_when_interrupted() -> Result<(), Failure> {
    let end = || {
        abandon_unfinished_files();
        clear_progress();
        eprintln!("error: interrupted{}", KEPT.lock().unwrap_or_else(PoisonError::into_inner));
        std::process::exit(EXIT_STATUS);
    };
    ctrlc::set_handler(end).map_err(|error| {
        Failure::work(format_args!("cannot listen for Ctrl-C ({error}); run it in another terminal"))
    })
}

/// What Ctrl-C keeps, and how to go on from there: the end of a sentence that begins with "interrupted".
pub fn say_when_interrupted(kept: String) {
    *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = kept;
}
