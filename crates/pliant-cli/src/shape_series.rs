//! The shapes of a sweep or a swing: a folder of `.vtu` files, and a `.pvd` file that ParaView opens as one series, in which
//! each space is a block.

use std::path::{Path, PathBuf};

use pliant::fem::Elasticity;
use pliant::mesh::{PvdEntry, write_pvd};

use crate::failure::Failure;
use crate::model::Model;
use crate::output::create_directory;
use crate::scene::SubspaceSpec;
use crate::solution_files::{series_names, solution_names, write_solution};

/// What the block of the full solution is called.
const FULL: &str = "full";

/// Where the shapes of one run go.
pub struct ShapeSeries<'r, const D: usize> {
    directory: PathBuf,
    /// `sweep` or `swing`: the folder, and the name of the collection.
    name: &'static str,
    model: &'r Model<D>,
    elasticity: &'r Elasticity<'r, D>,
}

impl<'r, const D: usize> ShapeSeries<'r, D> {
    /// Makes the folder `name` in a directory.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(
        directory: &Path,
        name: &'static str,
        model: &'r Model<D>,
        elasticity: &'r Elasticity<'r, D>,
    ) -> Result<Self, Failure> {
        create_directory(&directory.join(name))?;
        Ok(Self { directory: directory.to_owned(), name, model, elasticity })
    }

    /// Writes one shape into the folder; as [`write_solution`].
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, file: &str, displacement: &[f64], full: Option<&[f64]>) -> Result<(), Failure> {
        let path = self.directory.join(self.name).join(file);
        write_solution(&path, self.model, self.elasticity, displacement, full)
    }

    /// Writes the collection of a sweep: the time is the number of frames, and the full solution is there at each.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish_sweep(&self, points: &[SubspaceSpec], is_solved: &[bool]) -> Result<(), Failure> {
        let mut frames: Vec<usize> = points.iter().map(|spec| spec.frames).collect();
        frames.sort_unstable();
        frames.dedup();
        let full = frames.into_iter().map(|frames| self.entry(frames, 0, FULL, &full_file()));
        let mut blocks = vec![FULL.to_owned()];
        let names = solution_names(points).into_iter().zip(series_names(points));
        let mut entries: Vec<PvdEntry> = full.collect();
        for ((spec, (file, series)), _) in points.iter().zip(names).zip(is_solved).filter(|entry| *entry.1) {
            let part = blocks.iter().position(|block| *block == series).unwrap_or_else(|| {
                blocks.push(series.clone());
                blocks.len() - 1
            });
            entries.push(self.entry(spec.frames, part, &series, &file));
        }
        self.finish(&entries)
    }

    /// Writes the collection of a swing: the time is the number of the pose from 0, because angles return.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish_swing(
        &self,
        subspaces: &[SubspaceSpec],
        is_solved: &[bool],
        poses: usize,
    ) -> Result<(), Failure> {
        let solved =
            solution_names(subspaces).into_iter().zip(is_solved).filter(|(_, is_solved)| **is_solved);
        let spaces = std::iter::once(full_file()).chain(solved.map(|(file, _)| file));
        let of_space = |(part, file): (usize, String)| {
            let name = file.trim_end_matches(".vtu").to_owned();
            (0..poses).map(move |pose| self.entry(pose, part, &name, &pose_file(&file, pose, poses)))
        };
        let entries: Vec<PvdEntry> = spaces.enumerate().flat_map(of_space).collect();
        self.finish(&entries)
    }

    fn entry(&self, time: usize, part: usize, name: &str, file: &str) -> PvdEntry {
        PvdEntry { time: time as f64, part, name: name.to_owned(), file: format!("{}/{file}", self.name) }
    }

    fn finish(&self, entries: &[PvdEntry]) -> Result<(), Failure> {
        write_pvd(self.directory.join(format!("{}.pvd", self.name)), entries).map_err(Failure::work)
    }
}

/// The file of the full solution.
pub fn full_file() -> String {
    format!("{FULL}.vtu")
}

/// The file of one pose of a space, for example `hrpd-9_07.vtu`.
pub fn pose_file(file: &str, pose: usize, poses: usize) -> String {
    let digits = poses.saturating_sub(1).to_string().len();
    format!("{}_{pose:0digits$}.vtu", file.trim_end_matches(".vtu"))
}
