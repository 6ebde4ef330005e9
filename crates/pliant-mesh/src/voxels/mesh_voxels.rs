//! A labelled voxel volume filled with tetrahedra, a region for each label, by isosurface stuffing.

use super::label_field::LabelField;
use super::voxel_volume::VoxelVolume;
use crate::mesh_parts::signed_volume;
use crate::stuffing::{Labelling, Lattice, OWNED, Stuffed, moved, stuff};
use crate::{MeshError, MeshOptions, MeshParts, SimplexMesh};

/// How a labelled volume is filled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VoxelMeshOptions {
    /// Length in m of the longest edges of the lattice. Default: none given, a 20th of the longest side of the body.
    pub cell_size: Option<f64>,
    /// The label that is no part of the body. Default: 0.
    pub background: u32,
    /// Names of labels; a label without one is called by its number. Default: none.
    pub names: Vec<(u32, String)>,
}

/// A mesh of a labelled volume, and what its regions were in voxels.
#[derive(Clone, Debug)]
pub struct VoxelMesh {
    /// A region for each label.
    pub mesh: SimplexMesh<3>,
    /// One for each label of the volume, ascending, also where no cell has it.
    pub regions: Vec<VoxelRegion>,
}

/// A label of a volume.
#[derive(Clone, Debug, PartialEq)]
pub struct VoxelRegion {
    /// The region's name.
    pub name: String,
    /// The label in the file.
    pub label: u32,
    /// Volume of its voxels, in m^3.
    pub voxel_volume: f64,
    /// Volume of its cells, in m^3.
    pub mesh_volume: f64,
}

/// Fills all labels but the background with tetrahedra of one size that conform across interfaces.
///
/// Interfaces are moved by a part of a voxel until the volumes of cells and voxels agree to a hundredth, where they can.
/// All dihedral angles are above 10.6 degrees with one label, above 8.2 with more. Parts thinner than a cell are lost; along
/// curves where three labels meet, interfaces are off by up to a quarter of a cell. O(voxels + body volume / size^3).
///
/// # Errors
/// Values that are no labels, nothing but background, a name of a label that the volume does not have, a size that is no
/// positive length, gives more than 1e8 cells or is so large that no lattice vertex lies inside.
pub fn mesh_voxels(volume: &VoxelVolume, options: &VoxelMeshOptions) -> Result<VoxelMesh, MeshError> {
    let refused = |problem: String| MeshError::InvalidMesher { problem };
    let mut field = LabelField::new(volume, options.background)?;
    let labels: Vec<(u32, usize)> = field.labels().collect();
    for (label, name) in &options.names {
        if !labels.iter().any(|(other, _)| other == label) {
            let known: Vec<String> = labels.iter().map(|(label, _)| label.to_string()).collect();
            return Err(refused(format!(
                "no voxel has the label {label} of the name \"{name}\"; the labels are {}",
                known.join(", ")
            )));
        }
    }
    let Some((low, high)) = field.block() else {
        return Err(refused(format!("every voxel has the background's label {}", options.background)));
    };
    let corners = volume.block_corners(low, high);
    let extreme = |pick: fn(f64, f64) -> f64| -> [f64; 3] {
        std::array::from_fn(|axis| corners.iter().map(|corner| corner[axis]).reduce(pick).unwrap_or(0.0))
    };
    let (low, high) = (extreme(f64::min), extreme(f64::max));
    let longest = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
    let size = options.cell_size.unwrap_or(longest / 20.0);
    let lattice = Lattice::over(low, high, size)?;
    let targets: Vec<f64> = labels.iter().map(|&(_, count)| count as f64 * volume.voxel_volume()).collect();
    let stuffed = match_volumes(&mut field, &lattice, &targets);
    if stuffed.cells.is_empty() {
        return Err(refused(format!(
            "no vertex of a lattice of the size {size} lies inside of the body, which is {longest} long; give a smaller size"
        )));
    }
    // Regions without cells would have no meaning in a mesh.
    let mut used: Vec<u32> = stuffed.labels.clone();
    used.sort_unstable();
    used.dedup();
    let name = |label: u32| {
        let given = options.names.iter().rev().find(|(other, _)| *other == label);
        given.map_or_else(|| label.to_string(), |(_, name)| name.clone())
    };
    let mesh_volumes = label_volumes(&stuffed, labels.len());
    let parts = MeshParts {
        positions: stuffed.positions,
        cells: stuffed.cells,
        regions: used.iter().map(|&number| name(labels[number as usize - 1].0)).collect(),
        cell_regions: stuffed
            .labels
            .iter()
            .map(|label| used.partition_point(|other| other < label))
            .collect(),
        vertex_sets: Vec::new(),
    };
    let mesh = SimplexMesh::from_parts(parts, &MeshOptions::default())?.mesh;
    let regions = labels.iter().zip(targets.into_iter().zip(mesh_volumes)).map(
        |(&(label, _), (voxel_volume, mesh_volume))| VoxelRegion {
            name: name(label),
            label,
            voxel_volume,
            mesh_volume,
        },
    );
    Ok(VoxelMesh { regions: regions.collect(), mesh })
}

/// Fills the labels; where volumes differ from those of the voxels, moves the interfaces a little and fills again.
///
/// Flat pieces between points of a curved interface cut a part of what it bounds off: a ball of ten cells across would be
/// two percent too small.
fn match_volumes(field: &mut LabelField<'_>, lattice: &Lattice, targets: &[f64]) -> Stuffed {
    /// No volume that is closer than this needs to be corrected.
    const TOLERANCE: f64 = 0.01;
    const CORRECTIONS: usize = 4;
    /// Interfaces move at most by about a quarter of a voxel at a time.
    const LARGEST_STEP: f64 = 1.0;
    let sensitivities = field.sensitivities();
    let mut best: Option<(f64, Stuffed)> = None;
    for correction in 0..=CORRECTIONS {
        let stuffed = fill(field, lattice);
        let volumes = label_volumes(&stuffed, targets.len());
        let missing: Vec<f64> =
            targets.iter().zip(&volumes).map(|(target, volume)| target - volume).collect();
        let worst =
            missing.iter().zip(targets).map(|(missing, target)| (missing / target).abs()).fold(0.0, f64::max);
        if best.as_ref().is_none_or(|(error, _)| worst < *error) {
            best = Some((worst, stuffed));
        }
        if worst < TOLERANCE || correction == CORRECTIONS {
            break;
        }
        let factors: Vec<f64> = missing
            .iter()
            .zip(&sensitivities)
            .map(|(missing, sensitivity)| (missing / sensitivity).clamp(-LARGEST_STEP, LARGEST_STEP).exp())
            .collect();
        field.raise(&factors);
    }
    best.map(|(_, stuffed)| stuffed).unwrap_or_default()
}

fn fill(field: &LabelField<'_>, lattice: &Lattice) -> Stuffed {
    let at = |site| lattice.position(site);
    let numbers: Vec<u32> =
        (0..lattice.vertex_count()).map(|index| field.number(at(lattice.site(index)))).collect();
    let known = |site| lattice.index(site).map_or(0, |index| numbers[index]);
    let cut = |site, owned: usize| {
        let other = moved(site, OWNED[owned]);
        field.cut((at(site), known(site)), (at(other), known(other)))
    };
    stuff(Labelling::new(lattice.clone(), numbers.clone(), cut))
}

/// Volume of the cells of each label, in m^3.
fn label_volumes(stuffed: &Stuffed, count: usize) -> Vec<f64> {
    let mut volumes = vec![0.0; count];
    for (cell, &number) in stuffed.cells.chunks_exact(4).zip(&stuffed.labels) {
        let corners: [[f64; 3]; 4] = std::array::from_fn(|corner| stuffed.positions[cell[corner]]);
        volumes[number as usize - 1] += signed_volume(&corners);
    }
    volumes
}
