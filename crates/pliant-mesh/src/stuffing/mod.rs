//! Isosurface stuffing: from labels on a body-centred cubic lattice to tetrahedra with bounded dihedral angles.
//!
//! Labelle and Shewchuk 2007, *Isosurface stuffing: fast tetrahedral meshes with good dihedral angles*, at one size, and
//! extended here from inside and outside to any number of labels. Vertices near an interface are snapped onto it
//! (`snapping.rs`), tetrahedra with three labels are avoided (`junctions.rs`), and the others are cut (`stencils.rs`).

mod junctions;
mod labelling;
mod lattice;
mod snapping;
#[cfg(test)]
mod stencil_bounds;
mod stencils;
mod stuff;
#[cfg(test)]
mod tests;

pub(crate) use labelling::Labelling;
pub(crate) use lattice::{Lattice, OWNED, Site, moved};
pub(crate) use stuff::{Stuffed, stuff};
