//! One file for each method: how it builds its weights from a body, and what it promises about them.

mod hrpd;
mod sparse_meshless;

pub(crate) use hrpd::hrpd;
pub(crate) use sparse_meshless::sparse_meshless;
