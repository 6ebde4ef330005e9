//! A closed surface filled with tetrahedra, by isosurface stuffing.

use super::TriangleSurface;
use super::crossings::Crossings;
use crate::stuffing::{Labelling, Lattice, stuff};
use crate::{MeshError, MeshOptions, MeshParts, SimplexMesh};

/// How a closed surface is filled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SurfaceMeshOptions {
    /// Length in m of the longest edges of the lattice. Default: none given, a 20th of the longest side of the body.
    pub cell_size: Option<f64>,
}

/// Fills what a closed surface winds around with tetrahedra of one size, all dihedral angles above 10.6 degrees.
///
/// What is thinner than a cell is lost, and edges are cut off by up to a cell; smooth surfaces are met at second order.
/// O(t + body volume / size^3).
///
/// # Errors
/// A surface that is not closed, a size that is no positive length or gives more than 1e8 cells, or one so large that no
/// lattice vertex lies inside.
pub fn mesh_surface(
    surface: &TriangleSurface,
    options: &SurfaceMeshOptions,
) -> Result<SimplexMesh<3>, MeshError> {
    surface.check_closed()?;
    let (low, high) = surface.bounding_box();
    let longest = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
    let size = options.cell_size.unwrap_or(longest / 20.0);
    let lattice = Lattice::over(low, high, size)?;
    let crossings = Crossings::new(surface, &lattice);
    let labels = crossings.labels(&lattice);
    let stuffed = stuff(Labelling::new(lattice, labels, |site, owned| crossings.cut(site, owned)));
    if stuffed.cells.is_empty() {
        let problem = format!(
            "no vertex of a lattice of the size {size} lies inside of the body, which is {longest} long; give a smaller size"
        );
        return Err(MeshError::InvalidMesher { problem });
    }
    let parts = MeshParts { positions: stuffed.positions, cells: stuffed.cells, ..MeshParts::default() };
    Ok(SimplexMesh::from_parts(parts, &MeshOptions::default())?.mesh)
}
