//! The standard output, whose reader may go away.

use std::io::{ErrorKind, Write};

use crate::failure::Failure;

/// Prints text. A reader that has gone (a closed pipe, as with `| head`) is not a failure.
///
/// # Errors
/// If the output cannot be written for another reason, such as a full disk.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::work(format_args!("cannot write to the standard output ({error})")))
        }
        _ => Ok(()),
    }
}
