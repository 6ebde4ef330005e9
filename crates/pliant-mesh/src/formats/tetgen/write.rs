//! Writing TetGen `.node` and `.ele` files, numbered from 0.

use std::fmt::Write;
use std::path::Path;

use crate::formats::group_numbers::{nameless_regions, set_numbers};
use crate::formats::write_mesh::{Written, drop_arrays};
use crate::{MeshArray, SimplexMesh};

/// Both files of a mesh: the attribute of a cell is the number of its region, the marker of a point that of its set.
pub(in crate::formats) fn pair<const D: usize>(
    path: &Path,
    mesh: &SimplexMesh<D>,
    arrays: &[MeshArray],
) -> Written {
    let mut written = Written { files: Vec::new(), dropped: Vec::new() };
    let regions = nameless_regions(mesh, &mut written);
    let sets = set_numbers(mesh, &mut written);
    drop_arrays(&mut written, arrays);
    let mut points = format!("{} {D} 0 1\n", mesh.vertex_count());
    for (vertex, (position, set)) in mesh.positions().iter().zip(&sets).enumerate() {
        let _ = write!(points, "{vertex} ");
        for coordinate in position {
            let _ = write!(points, "{coordinate:?} ");
        }
        let _ = writeln!(points, "{set}");
    }
    let mut cells = format!("{} {} 1\n", mesh.cell_count(), D + 1);
    for (index, (cell, &region)) in mesh.cells().zip(mesh.cell_regions()).enumerate() {
        let _ = write!(cells, "{index} ");
        for vertex in cell {
            let _ = write!(cells, "{vertex} ");
        }
        let _ = writeln!(cells, "{}", regions[region]);
    }
    written.files.push((path.with_extension("node"), points.into_bytes()));
    written.files.push((path.with_extension("ele"), cells.into_bytes()));
    written
}
