//! Writing a file so that it is either the old one or the whole new one, also when the process is interrupted.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The files that are half written at this moment. Locked while one of them comes or goes, not while it is written.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Writes the bytes beside the path and then renames: readers never see half a file, and a failure leaves the old one.
///
/// # Errors
/// If the directory does not exist or cannot be written to.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut unfinished = unfinished_files();
    // Opened here, for the permissions of any new file and for the system's own errors.
    let mut builder = tempfile::Builder::new();
    let mut file = builder.prefix(".writing-").make_in(directory, |path| File::create_new(path))?;
    unfinished.insert(file.path().to_owned());
    drop(unfinished);
    let written = file.as_file_mut().write_all(bytes);
    let mut unfinished = unfinished_files();
    unfinished.remove(file.path());
    written?;
    file.persist(path)?;
    Ok(())
}

/// Removes the files that [`replace_file`] is in the middle of, for a process that is about to end: who writes another, or
/// finishes one of these, waits for the end.
pub fn abandon_unfinished_files() {
    let unfinished = unfinished_files();
    remove(&unfinished);
    // Never unlocked again.
    std::mem::forget(unfinished);
}

fn unfinished_files() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes those that are there.
fn remove(files: &BTreeSet<PathBuf>) {
    for file in files {
        // The process ends anyway, and a file that cannot be removed is the last thing it could complain about.
        let _ = fs::remove_file(file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.txt");
        replace_file(&path, b"one").unwrap();
        replace_file(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
        let message = replace_file(&directory.path().join("no/a.txt"), b"three").unwrap_err().to_string();
        assert!(!message.contains(".writing"), "{message}");
        let here = |file: &PathBuf| file.starts_with(directory.path());
        assert!(!unfinished_files().iter().any(here), "nothing is being written");
    }

    #[test]
    fn what_is_half_written_can_be_removed() {
        let directory = tempfile::tempdir().unwrap();
        let [there, gone] = ["a", "b"].map(|name| directory.path().join(name));
        std::fs::write(&there, "half").unwrap();
        remove(&BTreeSet::from([there.clone(), gone]));
        assert!(!there.exists());
    }
}
