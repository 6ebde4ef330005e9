//! The static problem of full FEM: `min_x Psi(x) - f^T u + sum K/2 |x_v - target_v|^2`, hard-held vertices fixed.
//!
//! Unknowns are the stacked displacements `u = x - X` in m, n D of them; gravity and pins act on `u` as well, which keeps
//! the differences that the line search judges free of cancellation.

use std::sync::{Arc, OnceLock};

use pliant_basis::Subspace;
use pliant_fem::{
    Elasticity, Energy, EnergySum, HessianProjection, LameConvention, SymmetricMatrix, SymmetricPattern,
    lumped_mass,
};
use pliant_mesh::{MaterialMap, SimplexMesh, vertex_components};

use crate::body_force::integrate_body_force;
use crate::holds::{HeldVertices, Hold, check_finite, check_vertices};
use crate::turning_path::turning_laplacian;
use crate::{LinearSolver, ReducedProblem, StaticsError};

/// Bulk moduli at rest may be below zero by this fraction of the shear modulus: round-off.
const STABLE_REST: f64 = 1e-9;

/// A body with its loads, pins and handles. Built by chaining; what is given is checked when it is solved.
#[derive(Clone, Debug)]
pub struct FullProblem<'m, const D: usize> {
    elasticity: Elasticity<'m, D>,
    mass: Vec<f64>,
    force: Vec<f64>,
    loaded: Vec<usize>,
    holds: Vec<HeldVertices<D>>,
    pattern: Arc<OnceLock<Arc<SymmetricPattern>>>,
    solver: LinearSolver,
}

impl<'m, const D: usize> FullProblem<'m, D> {
    /// The body without loads, with the energy's parameters consistent with E and nu.
    ///
    /// # Panics
    /// If the material map belongs to a mesh with another number of cells.
    pub fn new(mesh: &'m SimplexMesh<D>, material: &MaterialMap, energy: impl Energy<D> + 'static) -> Self {
        Self::with_lame_convention(mesh, material, energy, LameConvention::Consistent)
    }

    /// The body without loads, with a choice of how E and nu become the energy's parameters.
    ///
    /// # Panics
    /// As [`FullProblem::new`].
    pub fn with_lame_convention(
        mesh: &'m SimplexMesh<D>,
        material: &MaterialMap,
        energy: impl Energy<D> + 'static,
        convention: LameConvention,
    ) -> Self {
        Self {
            elasticity: Elasticity::new(mesh, material, Arc::new(energy), convention),
            mass: lumped_mass(mesh, material.density()),
            force: vec![0.0; mesh.vertex_count() * D],
            loaded: Vec::new(),
            holds: Vec::new(),
            pattern: Arc::default(),
            solver: LinearSolver::Auto,
        }
    }

    /// Adds the weight of the body under this acceleration in m/s^2: lumped mass times `acceleration`.
    pub fn gravity(mut self, acceleration: [f64; D]) -> Self {
        for (force, mass) in self.force.chunks_exact_mut(D).zip(&self.mass) {
            force.iter_mut().zip(acceleration).for_each(|(force, g)| *force += mass * g);
        }
        self
    }

    /// Adds a force density in N/m^D as a function of the rest position, integrated against the hat functions with a rule
    /// that is exact for quadratic integrands.
    pub fn body_force(mut self, density: impl Fn([f64; D]) -> [f64; D]) -> Self {
        integrate_body_force(self.mesh(), density, &mut self.force);
        self
    }

    /// Adds a force in N at one vertex.
    pub fn point_load(mut self, vertex: usize, force: [f64; D]) -> Self {
        self.loaded.push(vertex);
        if let Some(sum) = self.force.get_mut(vertex * D..(vertex + 1) * D) {
            sum.iter_mut().zip(force).for_each(|(sum, force)| *sum += force);
        }
        self
    }

    /// Pins vertices hard: they stay at their rest positions to the last bit.
    pub fn pin(self, vertices: &[usize]) -> Self {
        self.pin_with(vertices, Hold::Hard)
    }

    /// Pins vertices to their rest positions, softly or hard.
    pub fn pin_with(self, vertices: &[usize], hold: Hold) -> Self {
        self.hold("a pin", vertices, vec![[0.0; D]; vertices.len()], hold)
    }

    /// Holds vertices at target positions in m, one for each vertex.
    pub fn handle(self, vertices: &[usize], positions: &[[f64; D]], hold: Hold) -> Self {
        let rest = self.mesh().positions();
        let displacement = |(&vertex, position): (&usize, &[f64; D])| {
            std::array::from_fn(|axis| position[axis] - rest.get(vertex).map_or(0.0, |rest| rest[axis]))
        };
        let displacements = vertices.iter().zip(positions).map(displacement).collect();
        self.hold("a handle", vertices, displacements, hold)
    }

    /// How the linear systems are solved (default: the faster way for the size of the mesh).
    pub fn linear_solver(mut self, solver: LinearSolver) -> Self {
        self.solver = solver;
        self
    }

    fn hold(
        mut self,
        what: &'static str,
        vertices: &[usize],
        displacements: Vec<[f64; D]>,
        hold: Hold,
    ) -> Self {
        self.holds.push(HeldVertices { what, vertices: vertices.to_vec(), displacements, hold });
        self
    }

    /// The Galerkin projection of this problem onto a subspace.
    ///
    /// # Errors
    /// A subspace of another mesh, or one that cannot satisfy the hard pins and handles.
    pub fn project<'p>(
        &'p self,
        subspace: &'p Subspace<D>,
    ) -> Result<ReducedProblem<'p, 'm, D>, StaticsError> {
        ReducedProblem::new(self, subspace)
    }

    /// The mesh.
    pub fn mesh(&self) -> &'m SimplexMesh<D> {
        self.elasticity.mesh()
    }

    /// The elastic energy.
    pub fn elasticity(&self) -> &Elasticity<'m, D> {
        &self.elasticity
    }

    /// Lumped mass of every vertex in kg, n.
    pub fn mass(&self) -> &[f64] {
        &self.mass
    }

    /// The external force on every vertex in N, stacked, n D.
    pub fn force(&self) -> &[f64] {
        &self.force
    }

    /// Checks what the builder was given.
    ///
    /// # Errors
    /// A vertex out of range, a number that is not finite, contradictory hard holds, parameters with which the rest shape is
    /// unstable, or a connected part that nothing holds.
    pub fn check(&self) -> Result<(), StaticsError> {
        let mesh = self.mesh();
        check_vertices("a point load", &self.loaded, mesh.vertex_count())?;
        check_finite("a load", &self.force)?;
        for hold in &self.holds {
            hold.check(mesh)?;
        }
        self.check_rest_is_stable()?;
        self.check_contradictions()?;
        self.check_every_part_is_held()
    }

    /// Whether a subspace is one of this mesh.
    pub(crate) fn check_subspace(&self, subspace: &Subspace<D>) -> Result<(), StaticsError> {
        let (subspace, problem) = (subspace.vertex_count(), self.mesh().vertex_count());
        if subspace == problem { Ok(()) } else { Err(StaticsError::OtherMesh { subspace, problem }) }
    }

    /// The bulk modulus at rest must not be negative: such a body has no least energy, or not at rest.
    fn check_rest_is_stable(&self) -> Result<(), StaticsError> {
        let energy = self.elasticity.energy_density();
        for (cell, &lame) in self.elasticity.lame().iter().enumerate() {
            let rest = energy.rest_lame(lame);
            let bulk_modulus = rest.lambda + 2.0 * rest.mu / D as f64;
            if bulk_modulus < -STABLE_REST * rest.mu {
                let limit = if D == 2 { "0" } else { "1/8" };
                return Err(StaticsError::UnstableRest { energy: energy.name(), cell, bulk_modulus, limit });
            }
        }
        Ok(())
    }

    fn check_contradictions(&self) -> Result<(), StaticsError> {
        let mut placed: Vec<Option<[f64; D]>> = vec![None; self.mesh().vertex_count()];
        for (vertex, displacement) in self.hard_displacements() {
            if placed[vertex].is_some_and(|other| other != displacement) {
                return Err(StaticsError::ContradictoryHolds { vertex });
            }
            placed[vertex] = Some(displacement);
        }
        Ok(())
    }

    fn check_every_part_is_held(&self) -> Result<(), StaticsError> {
        let components = vertex_components(self.mesh());
        let mut held = vec![false; components.count];
        for vertex in self.holds.iter().flat_map(|hold| &hold.vertices) {
            held[components.labels[*vertex]] = true;
        }
        let Some(part) = held.iter().position(|held| !held) else { return Ok(()) };
        let of_part = |&vertex: &usize| components.labels[vertex] == part;
        let vertex = (0..components.labels.len()).find(of_part).expect("a component has a vertex");
        let vertices = (0..components.labels.len()).filter(of_part).count();
        Err(StaticsError::NotHeld { vertex, vertices })
    }

    /// Every hard-held vertex with its prescribed displacement in m, in the order given.
    pub(crate) fn hard_displacements(&self) -> impl Iterator<Item = (usize, [f64; D])> {
        let hard = self.holds.iter().filter(|hold| hold.hold == Hold::Hard);
        hard.flat_map(|hold| hold.vertices.iter().copied().zip(hold.displacements.iter().copied()))
    }

    /// Every spring: vertex, stiffness in N/m, displacement at which it rests, in m.
    pub(crate) fn springs(&self) -> impl Iterator<Item = (usize, f64, [f64; D])> {
        self.holds.iter().flat_map(|hold| {
            let stiffness = match hold.hold {
                Hold::Soft(stiffness) => Some(stiffness),
                Hold::Hard => None,
            };
            let held = hold.vertices.iter().zip(&hold.displacements);
            held.filter_map(move |(&vertex, &target)| Some((vertex, stiffness?, target)))
        })
    }

    /// The solver that is used, `Direct` or `Iterative`.
    pub(crate) fn chosen_solver(&self) -> LinearSolver {
        self.solver.resolved(self.mesh())
    }

    /// Whether each degree of freedom is prescribed by a hard hold, n D.
    pub(crate) fn constrained(&self) -> Vec<bool> {
        let mut constrained = vec![false; self.mesh().vertex_count() * D];
        for (vertex, _) in self.hard_displacements() {
            constrained[vertex * D..(vertex + 1) * D].fill(true);
        }
        constrained
    }

    /// The turning Laplacian of this problem, with the springs of its soft holds.
    pub(crate) fn turning_laplacian(&self) -> SymmetricMatrix {
        let mut springs = vec![0.0; self.mesh().vertex_count()];
        for (vertex, stiffness, _) in self.springs() {
            springs[vertex] += stiffness;
        }
        turning_laplacian(&self.elasticity, &springs)
    }

    /// The lumped mass norm `|y|_M` of a stacked field, given by its entries, n D of them.
    pub(crate) fn mass_norm(&self, entry: impl Fn(usize) -> f64) -> f64 {
        (0..self.force.len()).map(|dof| self.mass[dof / D] * entry(dof).powi(2)).sum::<f64>().sqrt()
    }

    /// Puts every hard-held vertex where it is held, to the last bit.
    pub(crate) fn impose_holds(&self, displacement: &mut [f64]) {
        for (vertex, target) in self.hard_displacements() {
            displacement[vertex * D..(vertex + 1) * D].copy_from_slice(&target);
        }
    }

    /// The potential `P` that statics minimises, at a stacked displacement, in J.
    ///
    /// # Panics
    /// If the displacement does not have n D entries.
    pub fn potential_energy(&self, displacement: &[f64]) -> EnergySum {
        assert_eq!(displacement.len(), self.force.len(), "one displacement for each degree of freedom");
        let mut sum = self.elasticity.energy(displacement);
        for (force, u) in self.force.iter().zip(displacement) {
            sum.add(-force * u);
        }
        for (vertex, stiffness, target) in self.springs() {
            for axis in 0..D {
                sum.add(0.5 * stiffness * (displacement[vertex * D + axis] - target[axis]).powi(2));
            }
        }
        sum
    }

    /// The gradient of the potential by every displacement in N, n D, reactions of hard holds included.
    pub fn residual(&self, displacement: &[f64]) -> Vec<f64> {
        let mut gradient: Vec<f64> = self.force.iter().map(|force| -force).collect();
        self.elasticity.add_gradient(displacement, &mut gradient);
        for (vertex, stiffness, target) in self.springs() {
            for axis in 0..D {
                gradient[vertex * D + axis] += stiffness * (displacement[vertex * D + axis] - target[axis]);
            }
        }
        gradient
    }

    /// The buffers of a Hessian of this problem.
    pub(crate) fn tangent_stiffness(&self) -> TangentStiffness {
        let pattern = self.pattern.get_or_init(|| Arc::new(SymmetricPattern::new(self.mesh(), D))).clone();
        TangentStiffness { springs: vec![0.0; pattern.dof_count()], matrix: SymmetricMatrix::zeros(pattern) }
    }

    /// Overwrites the matrix with the Hessian of the potential; hard-held rows are not eliminated.
    pub(crate) fn assemble(
        &self,
        stiffness: &mut TangentStiffness,
        displacement: &[f64],
        projection: HessianProjection,
    ) {
        self.elasticity.assemble_hessian(displacement, projection, &mut stiffness.matrix);
        stiffness.springs.fill(0.0);
        for (vertex, spring, _) in self.springs() {
            stiffness.springs[vertex * D..(vertex + 1) * D].iter_mut().for_each(|sum| *sum += spring);
        }
        stiffness.matrix.add_to_diagonal(&stiffness.springs);
    }
}

/// A Hessian with the memory that assembling it needs.
pub(crate) struct TangentStiffness {
    springs: Vec<f64>,
    pub(crate) matrix: SymmetricMatrix,
}
