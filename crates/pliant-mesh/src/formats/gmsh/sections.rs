//! The sections of a Gmsh file: `$Nodes` to `$EndNodes`. The open one is the part of the cursor.

use crate::fault::{Fault, shown};
use crate::formats::cursor::Cursor;

impl<'a> Cursor<'a> {
    /// The name of the next section, or nothing at the end of the file.
    pub(super) fn open_section(&mut self) -> Result<Option<&'a str>, Fault> {
        self.skip_whitespace();
        if self.remaining() == 0 {
            return Ok(None);
        }
        let start = self.at();
        let line = self.text_line("a section")?;
        if let Ok(part) = std::str::from_utf8(line)
            && let Some(name) = part.strip_prefix('$')
            && !name.is_empty()
            && !name.starts_with("End")
        {
            self.part = part;
            return Ok(Some(name));
        }
        self.fault(start, format!("a section such as $Nodes should begin here, but there is {}", shown(line)))
    }

    /// Moves past the `$End...` line of the open section.
    pub(super) fn close_section(&mut self) -> Result<(), Fault> {
        self.skip_whitespace();
        let start = self.at();
        let end = format!("$End{}", &self.part[1..]);
        if self.remaining() == 0 {
            return self.truncated(&end);
        }
        let line = self.text_line("the end of the section")?;
        // Version 1 writes $ENDNOD.
        if line.eq_ignore_ascii_case(end.as_bytes()) {
            return Ok(());
        }
        let problem =
            format!("{end} should be here, but there is {}; correct the counts of the section", shown(line));
        self.fault(start, problem)
    }

    /// Moves past the open section without reading it.
    pub(super) fn skip_section(&mut self) -> Result<(), Fault> {
        let end = format!("$End{}", &self.part[1..]);
        let found = self.rest().windows(end.len()).position(|window| window == end.as_bytes());
        match found {
            Some(offset) => {
                self.skip(offset);
                self.close_section()
            }
            None => self.truncated(&end),
        }
    }
}
