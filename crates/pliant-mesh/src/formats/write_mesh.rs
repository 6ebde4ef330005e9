//! Writing a mesh in the format that its file name asks for.

use std::path::{Path, PathBuf};

use super::{gmsh, medit, npz, obj, tetgen, vtk};
use crate::{ArrayLocation, Dropped, MeshArray, MeshError, MshVersion, SimplexMesh, replace_file};

/// How a mesh is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// Version and encoding of `.msh` files. Default: 4.1 as text.
    pub msh_version: MshVersion,
}

/// The extensions that [`write_mesh`] knows.
pub const WRITABLE_EXTENSIONS: [&str; 9] =
    ["msh", "vtu", "vtk", "mesh", "meshb", "npz", "node", "ele", "obj"];

/// What a format makes of a mesh.
pub(super) struct Written {
    /// The files with their bytes; most formats have one.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// What the format cannot hold.
    pub dropped: Vec<Dropped>,
}

impl Written {
    /// One file that holds everything.
    pub fn whole(path: &Path, bytes: Vec<u8>) -> Self {
        Self { files: vec![(path.to_owned(), bytes)], dropped: Vec::new() }
    }

    /// Writes the files and says what is not in them.
    pub fn store(self) -> Result<Vec<Dropped>, MeshError> {
        for (path, bytes) in self.files {
            replace_file(&path, &bytes).map_err(|source| MeshError::WriteFile { path, source })?;
        }
        Ok(self.dropped)
    }

    /// Says that something is not in the file; nothing if the count is 0.
    pub fn drop_some(&mut self, what: impl Into<String>, count: usize) {
        if count > 0 {
            self.dropped.push(Dropped { what: what.into(), count });
        }
    }
}

/// Writes a mesh with its regions, vertex sets and arrays in the format of the extension, and returns what that cannot hold.
///
/// `.msh` (Gmsh), `.vtu` and `.vtk` (VTK) and `.npz` (NumPy) hold everything; `.mesh` and `.meshb` (MEDIT) hold regions and vertex sets as numbers,
/// `.node` and `.ele` (TetGen, both are written) too, `.obj` the triangles of a 2D mesh or the boundary of a 3D one. What
/// [`read_mesh`](crate::read_mesh) reads is what was written, bit for bit, except for what is returned; numbers of regions stand for their
/// names. A file appears whole or not at all. O(n + t).
///
/// # Errors
/// Another extension, an array of the wrong length or with a value that is not finite, a name that the format cannot hold,
/// or a file that cannot be written.
pub fn write_mesh<const D: usize>(
    path: impl AsRef<Path>,
    mesh: &SimplexMesh<D>,
    arrays: &[MeshArray],
    options: &WriteOptions,
) -> Result<Vec<Dropped>, MeshError> {
    let path = path.as_ref();
    check_arrays(mesh, arrays)?;
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let written = match extension.as_deref() {
        Some("msh") => Written::whole(path, gmsh::msh_bytes(mesh, arrays, options.msh_version)?),
        Some("vtu") => vtk::vtu(path, mesh, arrays),
        Some("vtk") => vtk::legacy(path, mesh, arrays),
        Some("mesh") => medit::mesh(path, mesh, arrays),
        Some("meshb") => medit::meshb(path, mesh, arrays),
        Some("npz") => npz::npz(path, mesh, arrays)?,
        Some("node" | "ele") => tetgen::pair(path, mesh, arrays),
        Some("obj") => obj::obj(path, mesh, arrays),
        _ => {
            let known = WRITABLE_EXTENSIONS.map(|extension| format!(".{extension}")).join(", ");
            return Err(MeshError::UnwritableFormat { path: path.to_owned(), known });
        }
    };
    written.store()
}

/// Checks that each array has one entry of finite numbers for each cell or vertex.
pub(super) fn check_arrays<const D: usize>(
    mesh: &SimplexMesh<D>,
    arrays: &[MeshArray],
) -> Result<(), MeshError> {
    arrays.iter().try_for_each(|array| array.check(mesh))
}

/// Says that a format has no arrays.
pub(super) fn drop_arrays(written: &mut Written, arrays: &[MeshArray]) {
    for array in arrays {
        let on = if array.on == ArrayLocation::Cell { "cells" } else { "vertices" };
        written.drop_some(format!("array \"{}\" on {on}", array.name), 1);
    }
}
