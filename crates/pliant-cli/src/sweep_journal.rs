//! `sweep.jsonl`: what a sweep has finished, one line of JSON each, so that `--resume` goes on after an interruption.
//!
//! The first line says which sweep it is of, by a fingerprint. A line that is torn or does not come back as it was is solved again.

use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::interruption::say_when_interrupted;
use crate::model::Model;
use crate::output::{FullRecord, SubspaceRecord, write_atomically};
use crate::scene::SubspaceSpec;

const FILE: &str = "sweep.jsonl";

/// The first line.
#[derive(Deserialize, PartialEq, Serialize)]
struct Header {
    fingerprint: String,
    points: usize,
}

/// Every other line.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Entry<F, P> {
    Full(F),
    Point(usize, P),
    /// A size that the method does not have, and why.
    Missing(usize, String),
}

/// The journal of a running sweep.
#[derive(Debug)]
pub struct SweepJournal {
    path: PathBuf,
    file: Mutex<(File, usize)>,
    points: usize,
}

/// What an earlier run of the same sweep finished.
#[derive(Debug)]
pub struct Finished {
    /// The full solution.
    pub full: Option<FullRecord>,
    /// Each point that is finished, in its place; an error says why the method does not have that size.
    pub points: Vec<Option<Result<SubspaceRecord, String>>>,
}

impl Finished {
    /// Nothing of so many points.
    pub fn nothing(points: usize) -> Self {
        Self { full: None, points: vec![None; points] }
    }

    /// Whether nothing is left to solve.
    pub fn is_whole(&self) -> bool {
        self.full.is_some() && self.count() == self.points.len()
    }

    /// How many points are finished.
    pub fn count(&self) -> usize {
        self.points.iter().flatten().count()
    }
}

impl SweepJournal {
    /// Begins the journal in a directory; with `resume` goes on with the one that is there, if there is one.
    ///
    /// # Errors
    /// A journal of another sweep, or one that cannot be read or written.
    pub fn open(
        directory: &Path,
        fingerprint: &str,
        points: usize,
        resume: bool,
    ) -> Result<(Self, Finished), Failure> {
        let path = directory.join(FILE);
        let header = Header { fingerprint: fingerprint.to_owned(), points };
        let mut finished = Finished::nothing(points);
        let mut lines = vec![line(&header)?];
        if resume && path.exists() {
            let bytes = std::fs::read(&path).map_err(|error| cannot("read", &path, &error))?;
            // Not a sentence of its own: a damaged journal begins with what is not this sweep either.
            let text = String::from_utf8_lossy(&bytes);
            let mut old = text.lines();
            if old.next().and_then(|first| serde_json::from_str(first).ok()) != Some(header) {
                return Err(Failure::input(format_args!(
                    "--resume: {} is of another sweep (the scene, its mesh, the methods, the frames or the version of pliant differ); \
                     leave --resume out to begin anew, or choose another --out",
                    path.display()
                )));
            }
            for text in old {
                match unchanged(text) {
                    Some(Entry::Full(full)) => finished.full = Some(full),
                    Some(Entry::Point(index, record)) if index < points => {
                        finished.points[index] = Some(Ok(record));
                    }
                    Some(Entry::Missing(index, why)) if index < points => {
                        finished.points[index] = Some(Err(why));
                    }
                    _ => continue,
                }
                lines.push(text.to_owned() + "\n");
            }
        }
        // Anew, so that the next line does not follow a torn one.
        write_atomically(&path, lines.concat().as_bytes())?;
        let file =
            OpenOptions::new().append(true).open(&path).map_err(|error| cannot("write", &path, &error))?;
        let count = finished.count();
        let journal = Self { path, file: Mutex::new((file, count)), points };
        journal.say_what_is_kept(count);
        Ok((journal, finished))
    }

    /// Keeps the full solution.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub fn keep_full(&self, record: &FullRecord) -> Result<(), Failure> {
        self.append(&Entry::<_, ()>::Full(record), 0)
    }

    /// Keeps a point that is finished, or why its method does not have that size.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub fn keep_point(&self, index: usize, point: Result<&SubspaceRecord, &str>) -> Result<(), Failure> {
        let entry = match point {
            Ok(record) => Entry::<(), _>::Point(index, record),
            Err(why) => Entry::Missing(index, why.to_owned()),
        };
        self.append(&entry, 1)
    }

    fn append(&self, entry: &impl Serialize, finished: usize) -> Result<(), Failure> {
        let line = line(entry)?;
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.0.write_all(line.as_bytes()).map_err(|error| cannot("write", &self.path, &error))?;
        file.1 += finished;
        self.say_what_is_kept(file.1);
        Ok(())
    }

    fn say_what_is_kept(&self, finished: usize) {
        say_when_interrupted(format!(
            ": {finished} of {} points are kept in {}; the same command with --resume goes on from there",
            self.points,
            self.path.display()
        ));
    }
}

/// What tells one sweep from another: the scene as it is written, the overrides, the mesh and material that it leads to, and the points.
///
/// # Errors
/// If the scene cannot be read any more.
pub fn fingerprint<const D: usize>(
    scene: &Path,
    overrides: &[String],
    model: &Model<D>,
    points: &[SubspaceSpec],
) -> Result<String, Failure> {
    let text = std::fs::read(scene).map_err(|error| cannot("read", scene, &error))?;
    let mut hasher = DefaultHasher::new();
    (env!("CARGO_PKG_VERSION"), text, overrides).hash(&mut hasher);
    let mesh = &model.mesh;
    let material = &model.material;
    let numbers = mesh.positions().as_flattened().iter();
    let parameters = [material.youngs_modulus(), material.poisson_ratio(), material.density()];
    for number in numbers.chain(parameters.into_iter().flatten()) {
        number.to_bits().hash(&mut hasher);
    }
    mesh.cells().for_each(|cell| cell.hash(&mut hasher));
    (mesh.regions(), mesh.cell_regions()).hash(&mut hasher);
    for set in mesh.vertex_sets() {
        (&set.name, &set.vertices).hash(&mut hasher);
    }
    for point in points {
        format!("{} {} {:?} {:?}", point.method, point.frames, point.options, point.growth).hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn line(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(value);
    text.map(|text| text + "\n")
        .map_err(|error| Failure::work(format_args!("cannot compose {FILE} ({error})")))
}

/// What a line holds, if it would be written as it stands.
fn unchanged<F, P>(text: &str) -> Option<Entry<F, P>>
where
    Entry<F, P>: DeserializeOwned + Serialize,
{
    let entry: Entry<F, P> = serde_json::from_str(text).ok()?;
    (serde_json::to_string(&entry).ok()? == text).then_some(entry)
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::work(format_args!(
        "cannot {what} {} ({error}); check the file and its permissions",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_back_only_as_it_was() {
        let text = r#"{"point":[3,[0.1,null,2.2250738585072014e-308]]}"#;
        let read = unchanged::<(), Vec<Option<f64>>>(text);
        assert!(matches!(read, Some(Entry::Point(3, values)) if values[2] == Some(f64::MIN_POSITIVE)));
        for torn in [&text[..text.len() - 1], r#"{"point":[3,[0.10]]}"#, r#"{"other":1}"#, ""] {
            assert!(unchanged::<(), Vec<Option<f64>>>(torn).is_none(), "{torn}");
        }
    }

    #[test]
    fn a_journal_goes_on_after_a_torn_line_and_refuses_another_sweep() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(FILE);
        let (journal, _) = SweepJournal::open(directory.path(), "one", 2, false).unwrap();
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(br#"{"full":{"dofs":"#).unwrap();
        drop((journal, file));
        let (_, finished) = SweepJournal::open(directory.path(), "one", 2, true).unwrap();
        assert!(finished.full.is_none() && finished.count() == 0);
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 1, "the torn line is gone");
        for (fingerprint, points) in [("two", 2), ("one", 3)] {
            let message =
                SweepJournal::open(directory.path(), fingerprint, points, true).unwrap_err().to_string();
            assert!(message.contains("another sweep"), "{message}");
        }
        std::fs::write(&path, [0xff, 0xfe]).unwrap();
        assert!(SweepJournal::open(directory.path(), "one", 2, true).is_err());
        assert!(SweepJournal::open(directory.path(), "one", 2, false).is_ok());
    }
}
