//! What can go wrong in statics.

use pliant_basis::BasisError;
use pliant_fem::FemError;
use thiserror::Error;

/// An error of this crate. Every message is one sentence that says what to change.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StaticsError {
    /// A pin, handle or load names a vertex that does not exist.
    #[error("{what} names vertex {vertex}, but the mesh has {vertices} vertices (0 to {last})", last = .vertices.saturating_sub(1))]
    VertexOutOfRange {
        /// `a pin`, `a handle` or `a point load`.
        what: &'static str,
        /// The offending index.
        vertex: usize,
        /// Vertices of the mesh.
        vertices: usize,
    },
    /// A number of the problem is NaN, infinite or has the wrong sign.
    #[error("{what} is {value}, which must be {limit}")]
    OutOfRange {
        /// Such as `the stiffness of a pin`.
        what: &'static str,
        /// The offending value.
        value: f64,
        /// The range, in words.
        limit: &'static str,
    },
    /// A handle does not have one target for each vertex.
    #[error("a handle has {targets} targets for {vertices} vertices; give one position for each")]
    TargetCount {
        /// Positions given.
        targets: usize,
        /// Vertices of the handle.
        vertices: usize,
    },
    /// Two hard pins or handles want one vertex at different places.
    #[error("vertex {vertex} is held at two different places; remove it from one of the pins or handles")]
    ContradictoryHolds {
        /// The vertex.
        vertex: usize,
    },
    /// Parameters taken as given with which the energy is lower away from the rest shape.
    #[error(
        "the rest shape is unstable in cell {cell}: {energy} with the parameters as given has the bulk modulus {bulk_modulus:e} Pa there; give a Poisson ratio above {limit}, or use consistent parameters"
    )]
    UnstableRest {
        /// Name of the energy.
        energy: &'static str,
        /// The first such cell.
        cell: usize,
        /// Its bulk modulus at rest in Pa.
        bulk_modulus: f64,
        /// The Poisson ratio where it is zero.
        limit: &'static str,
    },
    /// A connected part of the body is not held by any pin or handle.
    #[error(
        "nothing holds the connected part of {vertices} vertices around vertex {vertex}, so it has no equilibrium; pin at least one of its vertices"
    )]
    NotHeld {
        /// The lowest vertex of the part.
        vertex: usize,
        /// How many vertices the part has.
        vertices: usize,
    },
    /// A subspace made for another mesh.
    #[error(
        "the subspace has {subspace} vertices, but the problem has {problem}; build it on the problem's mesh"
    )]
    OtherMesh {
        /// Vertices of the subspace.
        subspace: usize,
        /// Vertices of the problem.
        problem: usize,
    },
    /// The subspace cannot hold hard pins and move.
    #[error(
        "no deformation of the subspace ({dofs} coordinates) keeps the {held} hard-pinned vertices in place; use more frames, or give the pins a stiffness"
    )]
    CannotHold {
        /// Coordinates of the subspace.
        dofs: usize,
        /// Vertices held hard.
        held: usize,
    },
    /// The subspace cannot bring hard pins and handles where they belong.
    #[error(
        "the subspace misses the places of hard pins and handles by {distance:e} m; use more frames, or give them a stiffness"
    )]
    CannotReach {
        /// The largest distance that remains, in m.
        distance: f64,
    },
    /// A start has the wrong number of unknowns.
    #[error("the start has {given} unknowns, but the problem has {expected}")]
    StartLength {
        /// Unknowns given.
        given: usize,
        /// Unknowns of the problem.
        expected: usize,
    },
    /// The energy is infinite or not a number where the solve starts.
    #[error(
        "the energy at the start is {value}; start from a deformation that this energy allows, such as the rest shape"
    )]
    NoEnergyAtStart {
        /// The potential energy found.
        value: f64,
    },
    /// A solve that was required to converge did not.
    #[error(
        "Newton's method ended as {termination} after {iterations} iterations (last step {last_step:e} m); raise max_iterations, or apply the load in steps"
    )]
    NotConverged {
        /// `max-iterations` or `stalled`.
        termination: &'static str,
        /// Iterations made.
        iterations: usize,
        /// 2-norm of the last step of the positions, in m.
        last_step: f64,
    },
    /// Conjugate gradients came to an end before they were accurate.
    #[error(
        "the iterative solver came to a residual of {residual:e} in {iterations} iterations, above {wanted:e}; solve directly (newton.solver = \"direct\"), or improve the worst cells of the mesh"
    )]
    LinearSolverStalled {
        /// Iterations made.
        iterations: usize,
        /// The relative residual reached, in the norm of the preconditioner.
        residual: f64,
        /// The one asked for.
        wanted: f64,
    },
    /// Adaptive frames need a load to grow from.
    #[error("there is no training load; give at least one to grow frames from")]
    NoTrainingLoad,
    /// An error of the basis.
    #[error(transparent)]
    Basis(#[from] BasisError),
    /// An error of the finite elements.
    #[error(transparent)]
    Fem(#[from] FemError),
}
