//! Where a report goes: into a directory, or as a part into a larger one.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use pliant::report::{Page, prepare_directory, write_page};

use super::HtmlReport;
use crate::failure::Failure;
use crate::output::print;

/// Where a report goes.
#[derive(Args, Clone, Debug, Default)]
pub struct ReportOptions {
    /// Write an HTML page with figures into this directory (index.html; figures/ holds each as SVG and PNG)
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// The larger report that this one is a part of.
    #[arg(skip)]
    part: Option<Arc<Mutex<Part>>>,
}

/// What a command adds to a larger report.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// The page; none where the command failed before it.
    pub page: Option<Page>,
    /// What the command would have printed.
    pub printed: String,
}

impl ReportOptions {
    /// For a command whose page and text are collected.
    pub fn of_part() -> Self {
        Self { report: None, part: Some(Arc::default()) }
    }

    /// Whether there is to be a report.
    pub fn is_wanted(&self) -> bool {
        self.report.is_some() || self.part.is_some()
    }

    /// Makes the directory, before the work whose result goes there.
    ///
    /// # Errors
    /// If it cannot be made or written.
    pub fn prepare(&self) -> Result<(), Failure> {
        let directory = self.report.as_deref();
        directory.map_or(Ok(()), |directory| prepare_directory(directory).map_err(Failure::work))
    }

    /// Writes the report, or keeps it for the larger one.
    ///
    /// # Errors
    /// If the directory cannot be written.
    pub fn deliver<const D: usize>(&self, report: HtmlReport<'_, D>) -> Result<(), Failure> {
        let page = report.into_page();
        if let Some(directory) = &self.report {
            write_page(&page, directory).map_err(Failure::work)?;
        }
        if let Some(part) = &self.part {
            part.lock().unwrap_or_else(PoisonError::into_inner).page = Some(page);
        }
        Ok(())
    }

    /// Prints the text of a command, or keeps it for the larger report.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn print(&self, text: &str) -> Result<(), Failure> {
        let Some(part) = &self.part else { return print(text) };
        text.clone_into(&mut part.lock().unwrap_or_else(PoisonError::into_inner).printed);
        Ok(())
    }

    /// What was collected.
    pub fn collected(&self) -> Part {
        let part = self.part.as_ref();
        part.map(|part| part.lock().unwrap_or_else(PoisonError::into_inner).clone()).unwrap_or_default()
    }
}
