//! `.glb` files of deformed bodies, for viewers and slides: the boundary of a 3D body, all of a 2D one.

use std::path::Path;

use pliant::mesh::{ArrayLocation, Dropped, MeshArray, SimplexMesh};
use pliant::report::{ColourScale, GltfBody, GltfPoses, SurfaceField, glb};
use pliant::statics::Equilibrium;

use crate::failure::Failure;
use crate::model::Model;
use crate::output::write_atomically;

/// Of a swing that is played.
const POSES_PER_SECOND: f64 = 12.0;
/// What moves a mesh that has it.
const DISPLACEMENT: &str = "displacement";
/// Arrays that colour a mesh, the first of those that it has: what a solution is judged by before what is given.
const COLOURING: [&str; 4] = ["error", DISPLACEMENT, MODULUS[0], MODULUS[1]];
/// Coloured by their decimal logarithm.
const MODULUS: [&str; 2] = ["youngs_modulus", "E"];

/// The colours of all shapes that are compared with this one: its displacement, from none to the largest.
pub fn displacement_scale<const D: usize>(displacement: &[f64]) -> ColourScale {
    let largest = lengths::<D>(displacement).into_iter().fold(0.0, f64::max);
    ColourScale::Sequential { from: 0.0, to: if largest > 0.0 { largest } else { 1.0 } }
}

/// Writes one shape, coloured by its displacement; `file` is the name of its `.vtu` file.
///
/// # Errors
/// If the file cannot be written.
pub fn write_shape<const D: usize>(
    directory: &Path,
    file: &str,
    model: &Model<D>,
    displacement: &[f64],
    scale: &ColourScale,
) -> Result<(), Failure> {
    let values = lengths::<D>(displacement);
    let field = SurfaceField::Vertices(&values);
    write(directory, file, &model.mesh, Some(displacement), field, scale, None)
}

/// Writes the poses of a swing as one body that moves, coloured by the decimal logarithm of Young's modulus.
///
/// # Errors
/// If the file cannot be written.
pub fn write_poses<const D: usize>(
    directory: &Path,
    file: &str,
    model: &Model<D>,
    poses: &[Equilibrium<D>],
    angles_degrees: &[f64],
) -> Result<(), Failure> {
    let moduli: Vec<f64> = model.material.youngs_modulus().iter().map(|modulus| modulus.log10()).collect();
    let scale = ColourScale::of_values(&moduli);
    let displacements: Vec<&[f64]> = poses.iter().map(|pose| &pose.displacement[..]).collect();
    let names: Vec<String> = angles_degrees.iter().map(|angle| format!("{angle:.1} degrees")).collect();
    let seconds_per_pose = 1.0 / POSES_PER_SECOND;
    let poses = GltfPoses { displacements: &displacements, names: &names, seconds_per_pose };
    write(directory, file, &model.mesh, None, SurfaceField::Cells(&moduli), &scale, Some(poses))
}

/// The bytes of a mesh file as `.glb`, moved by its displacement and coloured by one of its arrays (by region without one), and what that cannot hold.
///
/// # Errors
/// A displacement of another number of components than the mesh has axes.
pub fn mesh_as_glb<const D: usize>(
    name: &str,
    mesh: &SimplexMesh<D>,
    arrays: &[MeshArray],
) -> Result<(Vec<u8>, Vec<Dropped>), Failure> {
    let mover = arrays.iter().find(|array| array.name == DISPLACEMENT && array.on == ArrayLocation::Vertex);
    let displacement = mover.map(stacked::<D>).transpose()?;
    let colouring = COLOURING.iter().find_map(|name| arrays.iter().find(|array| array.name == *name));
    let mut values: Vec<f64> = match colouring {
        Some(array) => array.values.chunks_exact(array.components).map(length).collect(),
        None => mesh.cell_regions().iter().map(|&region| region as f64).collect(),
    };
    if colouring.is_some_and(|array| MODULUS.contains(&&*array.name))
        && values.iter().all(|&value| value > 0.0)
    {
        values.iter_mut().for_each(|modulus| *modulus = modulus.log10());
    }
    let field = match colouring {
        Some(array) if array.on == ArrayLocation::Vertex => SurfaceField::Vertices(&values),
        _ => SurfaceField::Cells(&values),
    };
    let scale = ColourScale::of_values(&values);
    let body = GltfBody { name, displacement: displacement.as_deref(), field, scale: &scale, poses: None };
    let shown = [mover, colouring];
    let unused = arrays.iter().filter(|array| !shown.iter().flatten().any(|shown| *shown == *array));
    let mut dropped: Vec<Dropped> =
        unused.map(|array| Dropped { what: format!("array \"{}\"", array.name), count: 1 }).collect();
    let sets = mesh.vertex_sets().len();
    let tetrahedra = if D == 3 { mesh.cell_count() } else { 0 };
    for (what, count) in [("tetrahedra, of which the boundary remains", tetrahedra), ("vertex sets", sets)] {
        if count > 0 {
            dropped.push(Dropped { what: what.to_owned(), count });
        }
    }
    Ok((glb(mesh, &body), dropped))
}

/// A vector for each vertex as n x D numbers; files of flat meshes may have a third component.
fn stacked<const D: usize>(array: &MeshArray) -> Result<Vec<f64>, Failure> {
    if array.components < D {
        return Err(Failure::work(format_args!(
            "the array \"{}\" has {} components for each vertex, but the mesh is {D}D; rename it, or give it {D}",
            array.name, array.components
        )));
    }
    Ok(array.values.chunks_exact(array.components).flat_map(|vector| vector[..D].iter().copied()).collect())
}

fn lengths<const D: usize>(displacement: &[f64]) -> Vec<f64> {
    displacement.chunks_exact(D).map(length).collect()
}

/// The length of a vector; a single number as it is.
fn length(vector: &[f64]) -> f64 {
    if let [number] = vector { *number } else { vector.iter().map(|x| x * x).sum::<f64>().sqrt() }
}

fn write<const D: usize>(
    directory: &Path,
    file: &str,
    mesh: &SimplexMesh<D>,
    displacement: Option<&[f64]>,
    field: SurfaceField<'_>,
    scale: &ColourScale,
    poses: Option<GltfPoses<'_>>,
) -> Result<(), Failure> {
    let name = file.trim_end_matches(".vtu");
    let body = GltfBody { name, displacement, field, scale, poses };
    write_atomically(&directory.join(format!("{name}.glb")), &glb(mesh, &body))
}
