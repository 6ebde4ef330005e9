//! `.npy` files, an array each: what an `.npz` file would hold, unpacked beside each other with one prefix, for example
//! `bunny_V.npy`, `bunny_F.npy` and `bunny_region.npy`. Any of them stands for all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::read::mesh_of;
use super::{CELL_NAMES, REGION_NAMES, VERTEX_NAMES};
use crate::MeshError;
use crate::fault::one_line;
use crate::formats::file_mesh::FileMesh;
use crate::formats::groups::{MATERIAL_ARRAYS, REGION_ARRAYS};
use crate::numpy::read_npy;

/// Reads the file and those beside it.
pub(super) fn read_files(path: &Path, bytes: &[u8]) -> Result<FileMesh, MeshError> {
    let malformed = |path: &Path, problem: String| MeshError::MalformedArchive {
        path: path.to_owned(),
        problem: one_line(&problem),
    };
    let Some(prefix) = prefix_of(path) else {
        let problem = "an .npy file holds one array; name those of a mesh vertices.npy and cells.npy (or V.npy and F.npy, also after \
                       a prefix such as bunny_), or save them as one .npz file with numpy.savez";
        return Err(malformed(path, problem.to_owned()));
    };
    let mut arrays = BTreeMap::new();
    for name in known_names() {
        let file = path.with_file_name(format!("{prefix}{name}.npy"));
        let stored;
        let data = if file == path {
            bytes
        } else if file.is_file() {
            stored = std::fs::read(&file)
                .map_err(|source| MeshError::ReadFile { path: PathBuf::from(&file), source })?;
            &stored[..]
        } else {
            continue;
        };
        let array = read_npy(data).map_err(|problem| malformed(&file, format!("the array {problem}")))?;
        arrays.insert(name.to_owned(), array);
    }
    mesh_of("NumPy .npy files", arrays).map_err(|problem| malformed(path, problem))
}

/// The names that arrays of a mesh have in files of their own.
fn known_names() -> impl Iterator<Item = &'static str> {
    let names = VERTEX_NAMES.iter().chain(&CELL_NAMES).chain(&REGION_ARRAYS).chain(&MATERIAL_ARRAYS);
    names.copied().chain([REGION_NAMES])
}

/// What stands before the name of the array, nothing or something that ends in `_`, `-` or `.`; none for other names.
fn prefix_of(path: &Path) -> Option<&str> {
    let stem = path.file_name()?.to_str()?.strip_suffix(".npy")?;
    let prefixes = known_names().filter_map(|name| stem.strip_suffix(name));
    // The longest name leaves the shortest prefix.
    prefixes
        .filter(|prefix| prefix.is_empty() || prefix.ends_with(['_', '-', '.']))
        .min_by_key(|prefix| prefix.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_what_stands_before_a_known_name() {
        assert_eq!(prefix_of(Path::new("a/V.npy")), Some(""));
        assert_eq!(prefix_of(Path::new("bunny_region_names.npy")), Some("bunny_"));
        assert_eq!(prefix_of(Path::new("a.b-cells.npy")), Some("a.b-"));
        for other in ["bunnyV.npy", "mesh.npy", "V.npz", "v.npy"] {
            assert_eq!(prefix_of(Path::new(other)), None, "{other}");
        }
    }
}
