//! Reading the arrays of an `.npz` file.

use std::collections::BTreeMap;
use std::io::{self, Read};

use zip::ZipArchive;

use super::{NumpyArray, read_npy};
use crate::growth_budget::{MOST_GROWTH, growth_budget};

/// Reads every array of the bytes of an `.npz` file, compressed or not, by its name without `.npy`. Other entries are passed over.
///
/// # Errors
/// What is wrong and what to do, as a sentence without its subject, the file: an archive that is damaged, or an array that cannot be read or
/// takes much more memory than the file does.
pub fn read_npz(bytes: &[u8]) -> Result<BTreeMap<String, NumpyArray>, String> {
    let broken =
        |error: zip::result::ZipError| format!("the archive is broken ({error}); write the file again");
    let mut archive = ZipArchive::new(io::Cursor::new(bytes)).map_err(broken)?;
    let mut budget = growth_budget(bytes.len());
    let mut arrays = BTreeMap::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(broken)?;
        let Some(name) = entry.name().ok().and_then(|name| name.strip_suffix(".npy").map(str::to_owned))
        else {
            continue;
        };
        let mut data = Vec::new();
        let limit = budget as u64 + 1;
        let read = entry.by_ref().take(limit).read_to_end(&mut data);
        read.map_err(|error| {
            format!("the array \"{name}\" cannot be decompressed ({error}); write the file again")
        })?;
        budget = budget.checked_sub(data.len()).ok_or_else(|| {
            format!("the array \"{name}\" would take more than {MOST_GROWTH} times the size of the file; write the file again")
        })?;
        let array = read_npy(&data).map_err(|problem| format!("the array \"{name}\" {problem}"))?;
        arrays.insert(name, array);
    }
    Ok(arrays)
}
