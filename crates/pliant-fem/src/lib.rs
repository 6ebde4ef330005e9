//! Placeholder header, replaced with the crate's table of contents.
