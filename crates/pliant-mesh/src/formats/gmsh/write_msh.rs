//! Writing Gmsh `.msh` files so that reading them gives the same mesh, bit for bit.

use std::path::Path;

use super::element_numbers::{POINT, TETRAHEDRON, TRIANGLE};
use super::number_writer::NumberWriter;
use crate::formats::write_mesh::check_arrays;
use crate::simplex_mesh::in_space;
use crate::{ArrayLocation, MeshArray, MeshError, SimplexMesh, replace_file};

/// Version and encoding of a Gmsh file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MshVersion {
    /// Version 2.2 as text, which every program reads.
    Ascii22,
    /// Version 2.2, little-endian.
    Binary22,
    /// Version 4.1 as text (the default).
    #[default]
    Ascii41,
    /// Version 4.1, little-endian.
    Binary41,
}

impl MshVersion {
    fn is_binary(self) -> bool {
        matches!(self, Self::Binary22 | Self::Binary41)
    }

    fn is_4(self) -> bool {
        matches!(self, Self::Ascii41 | Self::Binary41)
    }
}

/// Writes a mesh with its regions as physical groups of cells, its vertex sets as physical groups of points, and arrays.
///
/// Numbers are written so that they are read back bit for bit; the file appears whole or not at all. O(n + t).
///
/// # Errors
/// A name that the format cannot hold, an array of the wrong length or with a value that is not finite, or a file that
/// cannot be written.
pub fn write_msh<const D: usize>(
    path: impl AsRef<Path>,
    mesh: &SimplexMesh<D>,
    arrays: &[MeshArray],
    version: MshVersion,
) -> Result<(), MeshError> {
    let path = path.as_ref();
    let bytes = msh_bytes(mesh, arrays, version)?;
    replace_file(path, &bytes).map_err(|source| MeshError::WriteFile { path: path.to_owned(), source })
}

/// The bytes of the file.
pub(in crate::formats) fn msh_bytes<const D: usize>(
    mesh: &SimplexMesh<D>,
    arrays: &[MeshArray],
    version: MshVersion,
) -> Result<Vec<u8>, MeshError> {
    let sets = mesh.vertex_sets().iter().map(|set| set.name.as_str());
    let names = arrays.iter().map(|array| array.name.as_str());
    for name in mesh.regions().iter().map(String::as_str).chain(sets).chain(names) {
        check_name(name)?;
    }
    check_arrays(mesh, arrays)?;
    let mut out = NumberWriter::new(version.is_binary(), if version.is_4() { 8 } else { 4 });
    out.line(&format!(
        "$MeshFormat\n{} {} 8",
        if version.is_4() { "4.1" } else { "2.2" },
        u8::from(version.is_binary())
    ));
    if version.is_binary() {
        out.integer(1);
        out.end_row();
    }
    out.line("$EndMeshFormat");
    write_names(&mut out, mesh);
    if version.is_4() {
        write_entities(&mut out, mesh);
        write_nodes_4(&mut out, mesh);
        write_elements_4(&mut out, mesh);
    } else {
        write_nodes_2(&mut out, mesh);
        write_elements_2(&mut out, mesh);
    }
    for array in arrays {
        write_array(&mut out, mesh, array);
    }
    Ok(out.into_bytes())
}

fn check_name(name: &str) -> Result<(), MeshError> {
    if name.is_empty() || name.contains('"') || name.contains(char::is_control) {
        return Err(MeshError::UnwritableName { name: name.to_owned() });
    }
    Ok(())
}

/// Number of point elements, which come before the cells.
fn point_count<const D: usize>(mesh: &SimplexMesh<D>) -> usize {
    mesh.vertex_sets().iter().map(|set| set.vertices.len()).sum()
}

fn cell_type<const D: usize>() -> i64 {
    if D == 2 { TRIANGLE } else { TETRAHEDRON }
}

fn write_names<const D: usize>(out: &mut NumberWriter, mesh: &SimplexMesh<D>) {
    out.line(&format!("$PhysicalNames\n{}", mesh.regions().len() + mesh.vertex_sets().len()));
    for (set, index) in mesh.vertex_sets().iter().zip(1..) {
        out.line(&format!("0 {index} \"{}\"", set.name));
    }
    for (region, index) in mesh.regions().iter().zip(1..) {
        out.line(&format!("{D} {index} \"{region}\""));
    }
    out.line("$EndPhysicalNames");
}

fn write_nodes_2<const D: usize>(out: &mut NumberWriter, mesh: &SimplexMesh<D>) {
    out.line(&format!("$Nodes\n{}", mesh.vertex_count()));
    for (position, tag) in mesh.positions().iter().zip(1..) {
        out.size(tag);
        out.reals(&in_space(position));
        out.end_row();
    }
    out.end_section("$EndNodes");
}

fn write_elements_2<const D: usize>(out: &mut NumberWriter, mesh: &SimplexMesh<D>) {
    let count = point_count(mesh) + mesh.cell_count();
    out.line(&format!("$Elements\n{count}"));
    let mut tag = 0;
    let mut element = |out: &mut NumberWriter, kind: i64, group: usize, vertices: &[usize]| {
        tag += 1;
        out.size(tag);
        if !out.is_binary() {
            out.integer(kind);
            out.size(2);
        }
        out.size(group);
        out.size(group);
        for &vertex in vertices {
            out.size(vertex + 1);
        }
        out.end_row();
    };
    if point_count(mesh) > 0 {
        start_block_2(out, POINT, point_count(mesh));
        for (set, group) in mesh.vertex_sets().iter().zip(1..) {
            for &vertex in &set.vertices {
                element(out, POINT, group, &[vertex]);
            }
        }
    }
    start_block_2(out, cell_type::<D>(), mesh.cell_count());
    for (cell, region) in mesh.cells().zip(mesh.cell_regions()) {
        element(out, cell_type::<D>(), region + 1, cell);
    }
    out.end_section("$EndElements");
}

/// Binary files of version 2.2 give the type once for a block of elements.
fn start_block_2(out: &mut NumberWriter, kind: i64, count: usize) {
    if out.is_binary() {
        out.integer(kind);
        out.size(count);
        out.size(2);
    }
}

/// A point entity for each vertex set and a surface (2D) or volume (3D) for each region.
fn write_entities<const D: usize>(out: &mut NumberWriter, mesh: &SimplexMesh<D>) {
    out.line("$Entities");
    let regions = mesh.regions().len();
    for count in
        [mesh.vertex_sets().len(), 0, if D == 2 { regions } else { 0 }, if D == 3 { regions } else { 0 }]
    {
        out.size(count);
    }
    out.end_row();
    let (low, high) = mesh.bounding_box();
    for (set, index) in mesh.vertex_sets().iter().zip(1..) {
        let place = set.vertices.first().map_or(low, |&vertex| mesh.positions()[vertex]);
        out.integer(index);
        out.reals(&in_space(&place));
        out.size(1);
        out.integer(index);
        out.end_row();
    }
    for index in 1..=regions as i64 {
        out.integer(index);
        out.reals(&in_space(&low));
        out.reals(&in_space(&high));
        out.size(1);
        out.integer(index);
        out.size(0);
        out.end_row();
    }
    out.end_section("$EndEntities");
}

fn write_nodes_4<const D: usize>(out: &mut NumberWriter, mesh: &SimplexMesh<D>) {
    out.line("$Nodes");
    for total in [1, mesh.vertex_count(), 1, mesh.vertex_count()] {
        out.size(total);
    }
    out.end_row();
    for block in [D as i64, 1, 0] {
        out.integer(block);
    }
    out.size(mesh.vertex_count());
    out.end_row();
    for tag in 1..=mesh.vertex_count() {
        out.size(tag);
        out.end_row();
    }
    for position in mesh.positions() {
        out.reals(&in_space(position));
        out.end_row();
    }
    out.end_section("$EndNodes");
}

fn write_elements_4<const D: usize>(out: &mut NumberWriter, mesh: &SimplexMesh<D>) {
    out.line("$Elements");
    // Consecutive cells of one region make a block, so that the order of cells is kept.
    let runs: Vec<&[usize]> = mesh.cell_regions().chunk_by(|a, b| a == b).collect();
    let sets = mesh.vertex_sets().iter().filter(|set| !set.vertices.is_empty()).count();
    let count = point_count(mesh) + mesh.cell_count();
    for total in [runs.len() + sets, count, 1, count] {
        out.size(total);
    }
    out.end_row();
    let start_block = |out: &mut NumberWriter, dimension: usize, entity: usize, kind: i64, count: usize| {
        out.integer(dimension as i64);
        out.integer(entity as i64);
        out.integer(kind);
        out.size(count);
        out.end_row();
    };
    let mut tag = 0;
    for (set, entity) in mesh.vertex_sets().iter().zip(1..).filter(|(set, _)| !set.vertices.is_empty()) {
        start_block(out, 0, entity, POINT, set.vertices.len());
        for &vertex in &set.vertices {
            tag += 1;
            out.size(tag);
            out.size(vertex + 1);
            out.end_row();
        }
    }
    let mut cells = mesh.cells();
    for run in runs {
        start_block(out, D, run[0] + 1, cell_type::<D>(), run.len());
        for cell in cells.by_ref().take(run.len()) {
            tag += 1;
            out.size(tag);
            for &vertex in cell {
                out.size(vertex + 1);
            }
            out.end_row();
        }
    }
    out.end_section("$EndElements");
}

fn write_array<const D: usize>(out: &mut NumberWriter, mesh: &SimplexMesh<D>, array: &MeshArray) {
    let (section, first) = match array.on {
        ArrayLocation::Vertex => ("NodeData", 1),
        ArrayLocation::Cell => ("ElementData", 1 + point_count(mesh)),
    };
    let entries = array.values.len() / array.components;
    out.line(&format!("${section}\n1\n\"{}\"\n1\n0\n3\n0\n{}\n{entries}", array.name, array.components));
    for (entry, tag) in array.values.chunks_exact(array.components).zip(first as i64..) {
        out.integer(tag);
        out.reals(entry);
        out.end_row();
    }
    out.end_section(&format!("$End{section}"));
}
