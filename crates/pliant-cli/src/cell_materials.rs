//! The material of each cell: by region, with numbers from the scene, arrays from the mesh file and voxel volumes.

use pliant::mesh::{
    ArrayLocation, Material, MaterialMap, MeshArray, MeshError, SimplexMesh, VoxelOptions, quoted_list,
    read_voxels,
};

use crate::failure::Failure;
use crate::scene::{Located, MaterialRule, MaterialSpec, Parameter, VolumeParameter};
use crate::source::Source;

/// Names of the arrays that give the materials where a mesh has all three and the scene gives none.
const YOUNGS_MODULUS: [&str; 2] = ["youngs_modulus", "E"];
const POISSON_RATIO: [&str; 2] = ["poisson_ratio", "nu"];
const DENSITY: [&str; 2] = ["density", "rho"];

/// Looks the material of every cell up.
///
/// # Errors
/// A region that does not exist or has no material, an array that does not exist or has a value out of range.
pub fn cell_materials<const D: usize>(
    mesh: &SimplexMesh<D>,
    source: &Source,
) -> Result<MaterialMap, Failure> {
    let scene = &source.scene;
    let arrays = &source.file.arrays;
    let in_scene = |error: MeshError| Failure::input(format_args!("{}: {error}", scene.name));
    if scene.materials.is_empty()
        && let [Some(youngs_modulus), Some(poisson_ratio), Some(density)] =
            [YOUNGS_MODULUS, POISSON_RATIO, DENSITY].map(|names| find_first(arrays, &names))
    {
        return MaterialMap::from_arrays(mesh, youngs_modulus, poisson_ratio, density).map_err(in_scene);
    }
    for rule in &scene.materials {
        check_region_exists(mesh, rule)?;
    }
    // Numbers where arrays come in: those are put in their place below.
    let materials: Vec<(&str, Material)> =
        scene.materials.iter().map(|rule| (rule.value.0.as_str(), numbers_of(&rule.value.1))).collect();
    let map = MaterialMap::from_regions(mesh, &materials).map_err(|error| {
        let is_bare_mesh = scene.mesh.value.as_os_str() == scene.name.as_str();
        let hint = match scene.materials.is_empty() {
            true if is_bare_mesh => ", for example with --material REGION:E,NU,RHO",
            true => ", for example in [materials.\"*\"]",
            false => "",
        };
        Failure::input(format_args!("{}: {error}{hint}", scene.name))
    })?;
    let youngs_modulus =
        with_arrays(mesh, source, map.youngs_modulus(), |material| &material.youngs_modulus)?;
    let poisson_ratio = with_arrays(mesh, source, map.poisson_ratio(), |material| &material.poisson_ratio)?;
    let density = with_arrays(mesh, source, map.density(), |material| &material.density)?;
    MaterialMap::from_arrays(mesh, &youngs_modulus, &poisson_ratio, &density).map_err(in_scene)
}

/// The values, replaced in the regions whose parameter is an array.
fn with_arrays<const D: usize>(
    mesh: &SimplexMesh<D>,
    source: &Source,
    values: &[f64],
    parameter: impl Fn(&MaterialSpec) -> &Parameter,
) -> Result<Vec<f64>, Failure> {
    let rules = &source.scene.materials;
    let find = |name: &str| rules.iter().rev().find(|rule| rule.value.0 == name);
    let mut values = values.to_vec();
    for (region, name) in mesh.regions().iter().enumerate() {
        let Some(rule) = find(name).or_else(|| find("*")) else { continue };
        let of_cells = match parameter(&rule.value.1) {
            Parameter::Number(_) => continue,
            Parameter::Array(array) => find_array(&source.file.arrays, &array.value)
                .ok_or_else(|| no_such_array(array, &source.file.arrays))?
                .to_vec(),
            Parameter::Volume(volume) => {
                values_of_volume(mesh, &volume.value).map_err(|error| volume.origin.wrong(error))?
            }
        };
        for (cell, _) in mesh.cell_regions().iter().enumerate().filter(|&(_, &label)| label == region) {
            values[cell] = of_cells[cell];
        }
    }
    Ok(values)
}

/// What the table makes of the volume's value at each cell's centroid.
fn values_of_volume<const D: usize>(
    mesh: &SimplexMesh<D>,
    parameter: &VolumeParameter,
) -> Result<Vec<f64>, MeshError> {
    let options = VoxelOptions { unit: parameter.unit, ..VoxelOptions::default() };
    let (volume, _) = read_voxels(&parameter.path, &options)?;
    let values = volume.at_cells(mesh)?;
    Ok(values.into_iter().map(|value| parameter.table.at(value)).collect())
}

/// E of each cell, if an array of the file has it.
pub fn file_youngs_modulus(arrays: &[MeshArray]) -> Option<&[f64]> {
    find_first(arrays, &YOUNGS_MODULUS)
}

/// rho of each cell, if an array of the file has it.
pub fn file_density(arrays: &[MeshArray]) -> Option<&[f64]> {
    find_first(arrays, &DENSITY)
}

fn find_first<'a>(arrays: &'a [MeshArray], names: &[&str]) -> Option<&'a [f64]> {
    names.iter().find_map(|name| find_array(arrays, name))
}

/// The values of the array of this name with one number for each cell.
fn find_array<'a>(arrays: &'a [MeshArray], name: &str) -> Option<&'a [f64]> {
    let found = arrays.iter().find(|array| is_usable(array) && array.name == name);
    found.map(|array| array.values.as_slice())
}

fn is_usable(array: &MeshArray) -> bool {
    array.on == ArrayLocation::Cell && array.components == 1
}

fn no_such_array(array: &Located<String>, arrays: &[MeshArray]) -> Failure {
    let usable: Vec<&str> =
        arrays.iter().filter(|array| is_usable(array)).map(|array| array.name.as_str()).collect();
    let known = if usable.is_empty() {
        "it has none of one number for each cell".to_owned()
    } else {
        format!("of one number for each cell it has {}", quoted_list(&usable))
    };
    array.origin.wrong(format_args!("the mesh has no array \"{}\"; {known}", array.value))
}

/// The numbers of a material, with valid ones where there are arrays.
fn numbers_of(material: &MaterialSpec) -> Material {
    let number = |parameter: &Parameter, otherwise: f64| match parameter {
        Parameter::Number(number) => *number,
        Parameter::Array(_) | Parameter::Volume(_) => otherwise,
    };
    Material {
        youngs_modulus: number(&material.youngs_modulus, 1.0),
        poisson_ratio: number(&material.poisson_ratio, 0.0),
        density: number(&material.density, 1.0),
    }
}

fn check_region_exists<const D: usize>(mesh: &SimplexMesh<D>, rule: &MaterialRule) -> Result<(), Failure> {
    let name = &rule.value.0;
    if name == "*" || mesh.regions().contains(name) {
        return Ok(());
    }
    let error = MeshError::UnknownRegion { name: name.clone(), regions: mesh.regions().to_vec() };
    Err(rule.origin.wrong(error))
}
