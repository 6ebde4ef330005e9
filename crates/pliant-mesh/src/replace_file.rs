//! Writing a file so that it is either the old one or the whole new one.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Writes the bytes beside the path and then renames: readers never see half a file, and a failure leaves the old one.
///
/// # Errors
/// If the directory does not exist or cannot be written to.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // Opened here, for the permissions of any new file and for the system's own errors.
    let mut builder = tempfile::Builder::new();
    let mut file = builder.prefix(".writing-").make_in(directory, |path| File::create_new(path))?;
    file.as_file_mut().write_all(bytes)?;
    file.persist(path)?;
    Ok(())
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
    }
}
