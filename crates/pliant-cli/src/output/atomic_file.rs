//! Files that are either complete or not there: written beside their place, then moved into it.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::failure::Failure;

/// Creates a directory for results, and the ones above it.
///
/// # Errors
/// If it cannot be created.
pub fn create_directory(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| {
        Failure::work(format_args!(
            "cannot create the directory {} ({error}); choose another --out",
            path.display()
        ))
    })
}

/// Writes a file through a temporary one in the same directory, so that a reader never sees half of it.
///
/// # Errors
/// If the directory cannot be written.
pub fn write_atomically(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    let directory = match path.parent() {
        Some(directory) if !directory.as_os_str().is_empty() => directory,
        _ => Path::new("."),
    };
    let write = || -> std::io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(".pliant-").tempfile_in(directory)?;
        file.write_all(contents)?;
        share(file.as_file())?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| {
        Failure::work(format_args!(
            "cannot write {} ({error}); check the directory and its permissions",
            path.display()
        ))
    })
}

/// Temporary files are private to the user; results are as readable as any other new file usually is.
#[cfg(unix)]
fn share(file: &fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn share(_file: &fs::File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.json");
        write_atomically(&path, b"first, and longer").unwrap();
        write_atomically(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_directory_that_is_not_there_is_named() {
        let message = write_atomically(Path::new("/no/such/place/a.json"), b"").unwrap_err().to_string();
        assert!(message.contains("/no/such/place/a.json"), "{message}");
    }
}
