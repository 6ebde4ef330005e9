//! What can be wrong with a mesh, a mesh file, a material or a selection.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

use crate::spelling::{did_you_mean, quoted_list};

/// Where in a file something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePlace {
    /// Line of a text file, from 1.
    Line(usize),
    /// Byte offset in a binary file, from 0.
    Byte(usize),
}

impl fmt::Display for FilePlace {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Line(line) => write!(formatter, "line {line}"),
            Self::Byte(byte) => write!(formatter, "byte {byte}"),
        }
    }
}

/// An error of this crate. Every message is one sentence that says what to change.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The mesh has no cell.
    #[error("the mesh has no {kind}; give it at least one")]
    NoCells {
        /// `triangles` or `tetrahedra`.
        kind: &'static str,
    },
    /// The flat cell array is not a whole number of cells.
    #[error(
        "the cell array has {length} entries, which is not a multiple of {vertices_per_cell}; list every vertex of every cell"
    )]
    CellArrayLength {
        /// Entries given.
        length: usize,
        /// `D + 1`.
        vertices_per_cell: usize,
    },
    /// An array does not have one entry for each cell.
    #[error("{what} has {length} entries for {cells} cells; give one for each cell")]
    CellCount {
        /// Which array.
        what: &'static str,
        /// Entries given.
        length: usize,
        /// Cells of the mesh.
        cells: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has the coordinate {value}; every coordinate must be a finite number")]
    NotFinite {
        /// Index of the vertex, from 0.
        vertex: usize,
        /// The offending value.
        value: f64,
    },
    /// A cell or a set names a vertex that does not exist.
    #[error("{what} names vertex {vertex}, but the mesh has {vertices} vertices (0 to {last})", last = .vertices.saturating_sub(1))]
    VertexOutOfRange {
        /// For example `cell 12` or `vertex set "tip"`.
        what: String,
        /// The offending index.
        vertex: usize,
        /// Vertices of the mesh.
        vertices: usize,
    },
    /// A cell names one vertex twice.
    #[error("cell {cell} names vertex {vertex} twice; a cell needs different vertices")]
    RepeatedVertex {
        /// Index of the cell, from 0.
        cell: usize,
        /// The repeated vertex.
        vertex: usize,
    },
    /// A cell has no volume.
    #[error("cell {cell} has no volume (signed volume {volume:e}); remove it or move its vertices apart")]
    ZeroVolume {
        /// Index of the cell, from 0.
        cell: usize,
        /// Signed volume in m^D.
        volume: f64,
    },
    /// A cell is inside out.
    #[error(
        "cell {cell} is inverted (signed volume {volume:e}); swap two of its vertices, or ask for inverted cells to be reoriented"
    )]
    InvertedCell {
        /// Index of the cell, from 0.
        cell: usize,
        /// Signed volume in m^D.
        volume: f64,
    },
    /// Vertices that no cell uses.
    #[error(
        "{count} vertices belong to no cell (the first is vertex {first}); remove them, or ask for unused vertices to be dropped"
    )]
    UnusedVertices {
        /// How many.
        count: usize,
        /// The first of them.
        first: usize,
    },
    /// A cell names a region that does not exist.
    #[error("cell {cell} names region {region}, but there are {regions} regions")]
    RegionOutOfRange {
        /// Index of the cell, from 0.
        cell: usize,
        /// The offending region index.
        region: usize,
        /// Regions of the mesh.
        regions: usize,
    },
    /// Regions for which no material was given.
    #[error("no material for {}; give one to each region", quoted_list(.regions))]
    RegionWithoutMaterial {
        /// The names of the regions.
        regions: Vec<String>,
    },
    /// A name that is not a region of the mesh.
    #[error("the mesh has no region \"{name}\"{}; its regions are {}", did_you_mean(.name, .regions), quoted_list(.regions))]
    UnknownRegion {
        /// The name given.
        name: String,
        /// The regions that exist.
        regions: Vec<String>,
    },
    /// A name that is not a vertex set of the mesh.
    #[error("the mesh has no vertex set \"{name}\"{}; its vertex sets are {}", did_you_mean(.name, .sets), quoted_list(.sets))]
    UnknownVertexSet {
        /// The name given.
        name: String,
        /// The sets that exist.
        sets: Vec<String>,
    },
    /// A selection that selects nothing.
    #[error("{selection} selects no {kind}; the mesh spans {span}")]
    EmptySelection {
        /// The selection in words.
        selection: String,
        /// `vertex` or `cell`.
        kind: &'static str,
        /// The bounding box in words.
        span: String,
    },
    /// A selection that makes no sense on this mesh.
    #[error("{problem}")]
    InvalidSelection {
        /// What is wrong and what to do.
        problem: String,
    },
    /// Options of a mesher that make no sense.
    #[error("{problem}")]
    InvalidMesher {
        /// What is wrong and what to do.
        problem: String,
    },
    /// A material parameter outside its range.
    #[error("{what} has the {parameter} {value}, which must be {limit}")]
    MaterialOutOfRange {
        /// For example `region "bone"` or `cell 12`.
        what: String,
        /// `Young's modulus`, `Poisson ratio` or `density`.
        parameter: &'static str,
        /// The offending value.
        value: f64,
        /// The range, in words.
        limit: &'static str,
    },
    /// A file that cannot be read.
    #[error("cannot read {}: {source}; check the path", .path.display())]
    ReadFile {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file of no known format.
    #[error("{} is not in a format that can be read; give one of {known}", .path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// The formats that can be read.
        known: String,
    },
    /// A file that is no triangle surface.
    #[error("{} is not a surface that can be read; give an OBJ, OFF, STL or PLY file", .path.display())]
    UnknownSurfaceFormat {
        /// The file.
        path: PathBuf,
    },
    /// A file that is no voxel volume.
    #[error(
        "{} is not a voxel volume that can be read; give an NRRD, MetaImage (.mhd, .mha) or NIfTI (.nii, .nii.gz) file or a folder of PNG images",
        .path.display()
    )]
    UnknownVoxelFormat {
        /// The file or folder.
        path: PathBuf,
    },
    /// A file that is no drawing.
    #[error("{} is not a drawing that can be read; give an .svg or .dxf file, or a list of polygons as .toml or .json", .path.display())]
    UnknownOutlineFormat {
        /// The file.
        path: PathBuf,
    },
    /// A table of a function that is none.
    #[error("{problem}")]
    InvalidTable {
        /// What is wrong and what to do.
        problem: String,
    },
    /// Voxels that make no volume, or values that are no labels.
    #[error("{problem}")]
    InvalidVoxels {
        /// What is wrong and what to do.
        problem: String,
    },
    /// A surface that does not enclose a volume.
    #[error(
        "the surface is not closed: {open} edges have one triangle, {branching} have more than two that do not pair, and \
         {turned} have two that face different sides; the first is from ({}) to ({}); repair the surface",
        coordinates(&.ends[0]), coordinates(&.ends[1])
    )]
    NotClosed {
        /// Edges of one triangle.
        open: usize,
        /// Edges of three and more triangles that do not run both ways equally often.
        branching: usize,
        /// Edges of two triangles that run along it the same way.
        turned: usize,
        /// The ends of the first such edge, in m.
        ends: [[f64; 3]; 2],
    },
    /// A file that breaks the rules of its format.
    #[error("{}, {place}: {problem}", .path.display())]
    MalformedFile {
        /// The file.
        path: PathBuf,
        /// Line or byte.
        place: FilePlace,
        /// What stands there, what should, and what to do.
        problem: String,
    },
    /// An archive of arrays that make no mesh.
    #[error("{}: {problem}", .path.display())]
    MalformedArchive {
        /// The file.
        path: PathBuf,
        /// Which array is wrong, how, and what to do.
        problem: String,
    },
    /// A file without triangles and tetrahedra.
    #[error("{} has neither triangles nor tetrahedra; mesh the surface (2D) or the volume (3D) before saving it", .path.display())]
    NoCellsInFile {
        /// The file.
        path: PathBuf,
    },
    /// A quadrangle or solid whose parts would overlap.
    #[error(
        "{}: one of the {kind} (element {element}, counted from 0 in the file) is so distorted that the simplices it is cut into overlap; move its corners, or mesh it with triangles or tetrahedra",
        .path.display()
    )]
    DistortedCell {
        /// The file.
        path: PathBuf,
        /// The plural of its shape.
        kind: String,
        /// Index of the element, from 0, elements of every dimension counted.
        element: usize,
    },
    /// Triangles that are not in a plane z = constant.
    #[error(
        "{} has triangles that are not flat in x and y (z from {low} to {high}); give a mesh in a plane z = constant, or fill it with tetrahedra",
        .path.display()
    )]
    NotFlat {
        /// The file.
        path: PathBuf,
        /// Least z of a triangle's vertex, in m.
        low: f64,
        /// Greatest z of a triangle's vertex, in m.
        high: f64,
    },
    /// A file of the other dimension.
    #[error("{} holds a {found}D mesh where a {wanted}D mesh is wanted", .path.display())]
    WrongDimension {
        /// The file.
        path: PathBuf,
        /// Dimension of the file's cells.
        found: usize,
        /// Dimension asked for.
        wanted: usize,
    },
    /// A readable file whose mesh is not valid.
    #[error("{}: {source}", .path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with the mesh; indices count from 0 in the order of the file.
        source: Box<MeshError>,
    },
    /// A file that cannot be written.
    #[error("cannot write {}: {source}; check that the directory exists and can be written to", .path.display())]
    WriteFile {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file to write of no known format.
    #[error("{} cannot be written in a format of that name; end it in one of {known}", .path.display())]
    UnwritableFormat {
        /// The file.
        path: PathBuf,
        /// The extensions that are known.
        known: String,
    },
    /// A name that a file format cannot hold.
    #[error(
        "the name {name:?} cannot be written to a Gmsh file; use a name without quotes and line breaks that is not empty"
    )]
    UnwritableName {
        /// The name of a region, a vertex set or an array.
        name: String,
    },
    /// An array whose length does not fit the mesh.
    #[error(
        "the array \"{name}\" has {length} numbers; give {components} (at least 1) for each of the {entries} entries, one a {on}"
    )]
    ArrayLength {
        /// The array.
        name: String,
        /// Numbers given.
        length: usize,
        /// Cells or vertices of the mesh.
        entries: usize,
        /// Numbers in one entry.
        components: usize,
        /// `cell` or `vertex`.
        on: &'static str,
    },
    /// An array with a NaN or an infinity.
    #[error(
        "the array \"{name}\" has the value {value} at {on} {entry}; every value must be a finite number"
    )]
    ArrayNotFinite {
        /// The array.
        name: String,
        /// `cell` or `vertex`.
        on: &'static str,
        /// Index of the cell or vertex, from 0.
        entry: usize,
        /// The offending value.
        value: f64,
    },
}

fn coordinates(position: &[f64; 3]) -> String {
    format!("{}, {}, {}", position[0], position[1], position[2])
}
