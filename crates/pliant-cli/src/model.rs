//! A scene on its mesh: regions assigned, materials looked up, selections resolved.

use std::collections::BTreeMap;

use pliant::mesh::{MaterialMap, MeshError, SimplexMesh, VertexSelection};

use crate::cell_materials::cell_materials;
use crate::failure::Failure;
use crate::output::MeshRecord;
use crate::scene::{Located, RegionRule, Selection};
use crate::source::Source;

/// A mesh and the material of each of its cells.
#[derive(Clone, Debug)]
pub struct Model<const D: usize> {
    /// With the scene's regions.
    pub mesh: SimplexMesh<D>,
    /// E, nu and rho of every cell.
    pub material: MaterialMap,
}

impl<const D: usize> Model<D> {
    /// Assigns the scene's regions and looks its materials up, some perhaps in the arrays of the mesh file.
    ///
    /// # Errors
    /// A selection that is empty or of another dimension, a region that does not exist or has no material, an array that
    /// does not exist or has a value out of range.
    pub fn new(mesh: SimplexMesh<D>, source: &Source) -> Result<Self, Failure> {
        let mesh = assign_regions(mesh, &source.scene.regions)?;
        let material = cell_materials(&mesh, source)?;
        Ok(Self { mesh, material })
    }

    /// The mesh as reports describe it.
    pub fn record(&self) -> MeshRecord {
        let mut regions: BTreeMap<String, usize> =
            self.mesh.regions().iter().map(|region| (region.clone(), 0)).collect();
        for &region in self.mesh.cell_regions() {
            if let Some(cells) = regions.get_mut(&self.mesh.regions()[region]) {
                *cells += 1;
            }
        }
        MeshRecord {
            dimension: D,
            vertices: self.mesh.vertex_count(),
            cells: self.mesh.cell_count(),
            volume: self.mesh.volume(),
            regions,
        }
    }
}

/// Gives the cells that each rule selects by centroid to its region; later rules win, regions without cells go.
///
/// # Errors
/// A selection that is empty or of another dimension.
pub fn assign_regions<const D: usize>(
    mesh: SimplexMesh<D>,
    rules: &[RegionRule],
) -> Result<SimplexMesh<D>, Failure> {
    if rules.is_empty() {
        return Ok(mesh);
    }
    let mut names = mesh.regions().to_vec();
    let mut labels = mesh.cell_regions().to_vec();
    for rule in rules {
        let region = names.iter().position(|name| *name == rule.name.value).unwrap_or_else(|| {
            names.push(rule.name.value.clone());
            names.len() - 1
        });
        let what = format!("the cells of the region \"{}\"", rule.name.value);
        let selection = resolve::<D>(&rule.select, &what)?;
        let cells = selection.select_cells(&mesh).map_err(|error| located(&rule.select, &what, error))?;
        cells.into_iter().for_each(|cell| labels[cell] = region);
    }
    let kept: Vec<usize> = (0..names.len()).filter(|region| labels.contains(region)).collect();
    let labels = labels.iter().map(|label| kept.partition_point(|region| region < label)).collect();
    let names = kept.into_iter().map(|region| names[region].clone()).collect();
    mesh.with_regions(names, labels).map_err(Failure::work)
}

/// The vertices of a selection, ascending; `what` is what messages call it, for example `pins[0]`.
///
/// # Errors
/// Vectors of another dimension, names or indices that do not exist, or nothing selected.
pub fn select_vertices<const D: usize>(
    mesh: &SimplexMesh<D>,
    selection: &Located<Selection>,
    what: &str,
) -> Result<Vec<usize>, Failure> {
    resolve::<D>(selection, what)?.select(mesh).map_err(|error| located(selection, what, error))
}

fn located(selection: &Located<Selection>, what: &str, error: MeshError) -> Failure {
    selection.origin.wrong(format_args!("{what}: {error}"))
}

/// The selection in D dimensions.
fn resolve<const D: usize>(
    selection: &Located<Selection>,
    what: &str,
) -> Result<VertexSelection<D>, Failure> {
    let vector = |values: &[f64], name: &str| -> Result<[f64; D], Failure> {
        fixed_length(values).ok_or_else(|| {
            selection.origin.wrong(format_args!(
                "{what}: \"{name}\" has {} numbers, but the mesh is {D}D; give it {D}",
                values.len()
            ))
        })
    };
    Ok(match &selection.value {
        Selection::Range { axis, .. } if *axis >= D => {
            return Err(selection
                .origin
                .wrong(format_args!("{what}: a {D}D mesh has no axis \"z\"; the axes are x and y")));
        }
        Selection::Range { axis, min, max } => VertexSelection::Range { axis: *axis, min: *min, max: *max },
        Selection::Box { min, max } => {
            VertexSelection::Box { min: vector(min, "min")?, max: vector(max, "max")? }
        }
        Selection::Ball { center, radius } => {
            VertexSelection::Ball { center: vector(center, "center")?, radius: *radius }
        }
        Selection::Region(name) => VertexSelection::Region(name.clone()),
        Selection::Set(name) => VertexSelection::Set(name.clone()),
        Selection::Vertices(vertices) => VertexSelection::Vertices(vertices.clone()),
        Selection::Nearest(point) => VertexSelection::Nearest(vector(point, "nearest")?),
        Selection::Union(parts) => {
            VertexSelection::Union(parts.iter().map(|part| resolve(part, what)).collect::<Result<_, _>>()?)
        }
    })
}

/// The values as an array, if there are exactly D of them.
pub fn fixed_length<const D: usize>(values: &[f64]) -> Option<[f64; D]> {
    <[f64; D]>::try_from(values).ok()
}
