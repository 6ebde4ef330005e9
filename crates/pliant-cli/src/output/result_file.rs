//! Result files: their directory, their names, and writing them whole.

use std::fs;
use std::path::Path;

use pliant::mesh::replace_file;

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

/// Refuses a file whose name does not end in one of the extensions.
///
/// # Errors
/// As said; the input is wrong.
pub fn require_extension(path: &Path, extensions: &[&str]) -> Result<(), Failure> {
    let given = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    if extensions.iter().any(|extension| extension.eq_ignore_ascii_case(given)) {
        return Ok(());
    }
    let dotted: Vec<String> = extensions.iter().map(|extension| format!(".{extension}")).collect();
    Err(Failure::input(format_args!(
        "the output {} cannot be written in a format of that name; end it in {}",
        path.display(),
        dotted.join(" or ")
    )))
}

/// Writes a file so that a reader sees the old one or the whole new one.
///
/// # Errors
/// If the directory cannot be written.
pub fn write_atomically(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    replace_file(path, contents).map_err(|error| {
        Failure::work(format_args!(
            "cannot write {} ({error}); check the directory and its permissions",
            path.display()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_that_is_not_there_is_named() {
        let message = write_atomically(Path::new("/no/such/place/a.json"), b"").unwrap_err().to_string();
        assert!(message.contains("/no/such/place/a.json"), "{message}");
    }

    #[test]
    fn an_extension_that_is_not_known_is_refused() {
        assert!(require_extension(Path::new("a.VTU"), &["msh", "vtu"]).is_ok());
        let message = require_extension(Path::new("a.stl"), &["msh", "vtu"]).unwrap_err().to_string();
        assert!(message.contains("a.stl") && message.ends_with("end it in .msh or .vtu"), "{message}");
    }
}
