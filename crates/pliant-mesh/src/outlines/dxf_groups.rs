//! The lines of a DXF file in pairs: a group code and its value.

use crate::fault::{Fault, shown};

/// A pair of lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group<'a> {
    pub code: i32,
    pub value: &'a str,
    /// Line of the value, from 1.
    pub line: usize,
}

impl Group<'_> {
    /// The value as a finite number.
    pub fn number(&self) -> Result<f64, Fault> {
        match self.value.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => {
                let problem = format!(
                    "the value of group {} should be a finite number, but there is {}",
                    self.code,
                    shown(self.value)
                );
                Err(Fault::line(self.line, problem))
            }
        }
    }

    /// The value as a whole number.
    pub fn integer(&self) -> Result<i64, Fault> {
        self.value.parse().map_err(|_| {
            let problem = format!(
                "the value of group {} should be a whole number, but there is {}",
                self.code,
                shown(self.value)
            );
            Fault::line(self.line, problem)
        })
    }
}

/// All groups of a file up to `EOF`.
pub(super) fn dxf_groups(text: &str) -> Result<Vec<Group<'_>>, Fault> {
    let mut groups = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((index, code)) = lines.next() {
        let code = code.trim();
        let Ok(code) = code.parse() else {
            if code.is_empty() && lines.all(|(_, line)| line.trim().is_empty()) {
                break;
            }
            let problem = format!("a group code should be here, but there is {}", shown(code));
            return Err(Fault::line(index + 1, problem));
        };
        let Some((index, value)) = lines.next() else {
            return Err(Fault::line(index + 1, "the file ends after a group code; it is truncated"));
        };
        let group = Group { code, value: value.trim(), line: index + 1 };
        if group.code == 0 && group.value == "EOF" {
            break;
        }
        groups.push(group);
    }
    Ok(groups)
}
