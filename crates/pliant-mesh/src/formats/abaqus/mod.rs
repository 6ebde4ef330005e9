//! Abaqus and CalculiX input files (`.inp`): nodes, elements, sets, and the isotropic materials of solid sections.
//!
//! `*KEYWORD, NAME=VALUE` and lines of numbers with commas; `**` begins a comment. Regions are the sets of the solid
//! sections, or else the element sets; E, nu and rho become arrays on cells.
//!
//! Source: the CalculiX CrunchiX user's manual, "Input deck format".

mod element_names;
mod include;
mod keyword_line;
mod materials;
mod read;
mod sets;

use super::Format;
use super::cursor::Cursor;
use include::WholeDeck;

pub(super) const ABAQUS: Format = Format {
    name: "Abaqus .inp",
    extensions: &["inp"],
    is_in: |bytes| bytes.trim_ascii_start().first() == Some(&b'*'),
    read: |path, bytes| {
        let deck = WholeDeck::new(path, bytes)?;
        read::read_file(&mut Cursor::new(&deck.text)).map_err(|fault| deck.located(fault))
    },
};
