//! What can be wrong with weights, a subspace or a basis file.

use pliant_fem::FemError;
use pliant_graph::GraphError;
use pliant_mesh::{did_you_mean, quoted_list};
use std::path::PathBuf;
use thiserror::Error;

/// An error of this crate. Every message is one sentence that says what to change.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BasisError {
    /// Fewer than one frame, or more frames than the mesh has vertices.
    #[error(
        "{frames} frames were asked for on a mesh of {vertices} vertices; ask for 1 to {vertices} frames"
    )]
    FrameCount {
        /// Frames asked for.
        frames: usize,
        /// Vertices of the mesh.
        vertices: usize,
    },
    /// An array does not have the length that its neighbours imply.
    #[error("{what} has {length} entries where {expected} are needed; {hint}")]
    ArrayLength {
        /// Which array.
        what: &'static str,
        /// Entries given.
        length: usize,
        /// Entries needed.
        expected: usize,
        /// What to give instead.
        hint: &'static str,
    },
    /// The row offsets of sparse rows do not start at 0 or go down.
    #[error(
        "the row offsets are {value} at row {row}, where they must be at least {least}; start at 0 and never go down"
    )]
    RowOffsets {
        /// Index of the row, from 0.
        row: usize,
        /// The offending offset.
        value: usize,
        /// The least offset allowed there.
        least: usize,
    },
    /// A row names a frame that does not exist.
    #[error(
        "the weights of vertex {vertex} name frame {frame}, but there are {frames} frames, numbered from 0"
    )]
    FrameOutOfRange {
        /// Index of the vertex, from 0.
        vertex: usize,
        /// The offending frame.
        frame: usize,
        /// Number of frames.
        frames: usize,
    },
    /// The frames of a row are not in ascending order.
    #[error(
        "the weights of vertex {vertex} name frame {frame} after frame {previous}; list each frame once, in ascending order"
    )]
    FrameOrder {
        /// Index of the vertex, from 0.
        vertex: usize,
        /// The frame that comes too late.
        frame: usize,
        /// The frame before it.
        previous: usize,
    },
    /// A weight is NaN or infinite.
    #[error(
        "the weight of vertex {vertex} for frame {frame} is {value}; every weight must be a finite number"
    )]
    WeightNotFinite {
        /// Index of the vertex, from 0.
        vertex: usize,
        /// Index of the frame, from 0.
        frame: usize,
        /// The offending value.
        value: f64,
    },
    /// Weights cannot be cut down to no frame or to more than they have.
    #[error("{frames} frames were asked for, but the weights hold {available}; keep 1 to {available}")]
    Truncation {
        /// Frames asked for.
        frames: usize,
        /// Frames of the weights.
        available: usize,
    },
    /// Weights, or a material map, that do not fit the mesh.
    #[error("there are {given} {what}, but the mesh has {expected} {of}; build them on the same mesh")]
    OtherMesh {
        /// For example `rows of weights`.
        what: &'static str,
        /// How many were given.
        given: usize,
        /// How many the mesh has.
        expected: usize,
        /// `vertices` or `cells`.
        of: &'static str,
    },
    /// No weight differs from 0, so nothing can move.
    #[error("every weight is 0, so the frames span nothing; give at least one vertex a weight")]
    NoWeight,
    /// A file that cannot be opened or is no archive.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file that cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// An archive whose arrays are missing or contradict each other.
    #[error("{} is not a basis file: {problem}", path.display())]
    NotABasisFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Nodes that cannot be sampled or used.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Supports so narrow that some vertex may get no weight.
    #[error("the support scale of {method} is {scale}; give a finite number above {least}")]
    SupportScale {
        /// The method, as the command line spells it.
        method: &'static str,
        /// The offending value.
        scale: f64,
        /// It must be above this.
        least: f64,
    },
    /// An operator or its factorisation failed.
    #[error(transparent)]
    Fem(#[from] FemError),
    /// No eigenpairs, or more than there are.
    #[error("{count} eigenpairs were asked for of a problem with {rows} rows; ask for 1 to {rows}")]
    EigenpairCount {
        /// Pairs asked for.
        count: usize,
        /// Rows of the matrices.
        rows: usize,
    },
    /// An entry of the lumped mass is zero, negative or not finite.
    #[error("row {row} has the mass {mass}, which must be a positive number")]
    MassNotPositive {
        /// Index of the row, from 0.
        row: usize,
        /// The offending value.
        mass: f64,
    },
    /// The iterative eigensolver was asked for on a matrix of vectors.
    #[error(
        "the iterative eigensolver needs one row for each vertex, and the matrix has {components}; use the direct solver"
    )]
    SeveralRowsForAVertex {
        /// Rows for each vertex.
        components: usize,
    },
    /// The eigensolver ran out of restarts.
    #[error(
        "{converged} of {wanted} eigenpairs converged in {restarts} restarts (the next has the relative residual {residual:e}); ask for fewer, or allow more restarts"
    )]
    EigenpairsNotConverged {
        /// Pairs asked for.
        wanted: usize,
        /// Pairs that converged.
        converged: usize,
        /// Restarts made.
        restarts: usize,
        /// Relative residual of the first pair that did not.
        residual: f64,
    },
    /// An eigenpair does not satisfy its equation well enough.
    #[error(
        "eigenpair {index} (eigenvalue {value:e}) has the relative residual {residual:e}, above {limit:e}; check the mesh for slivers and the stiffness for extreme ratios"
    )]
    EigenpairInaccurate {
        /// Index of the pair, from 0.
        index: usize,
        /// Its eigenvalue.
        value: f64,
        /// Its relative residual.
        residual: f64,
        /// The residual allowed.
        limit: f64,
    },
    /// The eigensolver met numbers that it cannot go on with.
    #[error(
        "the eigensolver broke down because {reason}; check the stiffness and the mass for extreme values"
    )]
    EigenBreakdown {
        /// What happened.
        reason: &'static str,
    },
    /// Fewer frames than anchors need, or more than there are.
    #[error(
        "{frames} frames were asked for, but the body has {anchors} anchors{}; ask for {least} to {most} frames, or name fewer anchors",
        if *floating > 0 { format!(" and {floating} components without one") } else { String::new() }
    )]
    AnchoredFrameCount {
        /// Frames asked for.
        frames: usize,
        /// Anchors of the body.
        anchors: usize,
        /// Connected components without an anchor; each needs a frame.
        floating: usize,
        /// The least number of frames.
        least: usize,
        /// The largest number of frames: anchors and free vertices.
        most: usize,
    },
    /// An option of cardinal weights that is out of range.
    #[error("the option {option} of cardinal weights is {value}; give {limit}")]
    CardinalOption {
        /// The option.
        option: &'static str,
        /// The offending value.
        value: f64,
        /// What is allowed.
        limit: &'static str,
    },
    /// Weights that sum to one need a frame in every connected component.
    #[error(
        "{frames} frames were asked for, but the body has {components} connected components; ask for at least {components} frames"
    )]
    FewerFramesThanComponents {
        /// Frames asked for.
        frames: usize,
        /// Connected components of the mesh.
        components: usize,
    },
    /// A stiffness ratio that cannot tell stiff from soft.
    #[error("the stiffness ratio of anchors is {ratio}; give a finite number above 1")]
    StiffnessRatio {
        /// The offending value.
        ratio: f64,
    },
    /// A pin or handle without vertices.
    #[error("the held set \"{name}\" has no vertices; give it at least one")]
    EmptyHeldSet {
        /// The name of the set.
        name: String,
    },
    /// A pin or handle names a vertex that does not exist.
    #[error(
        "the held set \"{name}\" names vertex {vertex}, but the mesh has {vertices} vertices, numbered from 0"
    )]
    HeldVertex {
        /// The name of the set.
        name: String,
        /// The offending vertex.
        vertex: usize,
        /// Vertices of the mesh.
        vertices: usize,
    },
    /// An anchor is asked for by a name that nothing has.
    #[error(
        "there is no pin, handle, vertex set or region \"{name}\" to be an anchor{}; there are {}",
        did_you_mean(name, known),
        quoted_list(known)
    )]
    UnknownAnchor {
        /// The name given.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// A name that is not a method.
    #[error(
        "there is no method \"{name}\"{}; the methods are {}",
        did_you_mean(name, methods),
        quoted_list(methods)
    )]
    UnknownMethod {
        /// The name given.
        name: String,
        /// The methods that exist.
        methods: Vec<&'static str>,
    },
}
