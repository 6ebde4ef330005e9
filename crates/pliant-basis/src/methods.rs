//! One file for each method: how it builds its weights from a body, and what it promises about them.

mod anchored;
mod cardinal_eigenmodes;
mod eigenmodes;
mod hrpd;
mod sparse_meshless;

pub(crate) use anchored::anchored;
pub(crate) use cardinal_eigenmodes::cardinal_eigenmodes;
pub(crate) use eigenmodes::{material_eigenmodes, uniform_eigenmodes};
pub(crate) use hrpd::hrpd;
pub(crate) use sparse_meshless::sparse_meshless;
