//! The static problem of a scene, and its solutions in the full space and in subspaces.

use std::sync::OnceLock;
use std::time::Instant;

use pliant::basis::Subspace;
use pliant::mesh::SimplexMesh;
use pliant::statics::{
    Equilibrium, EquilibriumProblem, FullProblem, Hold, NewtonOptions, Termination, compare, estimate_error,
    solve_equilibrium, solve_equilibrium_from,
};

use crate::failure::Failure;
use crate::independent_jobs::run_independent;
use crate::load_case::{LoadCase, gravity_vector, load_cases, with_point_loads};
use crate::model::{Model, select_vertices};
use crate::output::{
    EnergyRecord, FullLoadRecord, FullRecord, FullSeconds, LoadRecord, NearestRecord, SubspaceRecord,
    SubspaceSeconds,
};
use crate::scene::{Located, Scene, Selection};
use crate::space::Space;

/// What the scene's own load is called among the training loads.
const OWN_LOAD: &str = "own";

/// A scene's problem, ready to be solved.
#[derive(Clone, Debug)]
pub struct Setting<'m, const D: usize> {
    /// With gravity, point loads and pins; handles are free.
    pub problem: FullProblem<'m, D>,
    /// The loads that adaptive frames grow from: the scene's own where it names none.
    pub training: Vec<LoadCase<'m, D>>,
    /// The loads that subspaces are tested with.
    pub testing: Vec<LoadCase<'m, D>>,
    /// The scene's, else the library's.
    pub newton: NewtonOptions,
    /// Every pinned vertex, ascending.
    pub pinned: Vec<usize>,
    gravity: [f64; D],
    probe: Option<usize>,
    hard_pinned: usize,
    seconds: f64,
    full: OnceLock<FullSolution<D>>,
}

/// The full solution and its record.
#[derive(Clone, Debug)]
pub struct FullSolution<const D: usize> {
    /// The solution.
    pub equilibrium: Equilibrium<D>,
    /// The solutions of the testing loads, in their order.
    pub testing: Vec<Equilibrium<D>>,
    /// As reports describe it.
    pub record: FullRecord,
}

impl<'m, const D: usize> Setting<'m, D> {
    /// Puts the scene's loads and pins on the model.
    ///
    /// # Errors
    /// Gravity or a selection of another dimension, an empty selection, or a body that nothing holds.
    pub fn new(model: &'m Model<D>, scene: &Scene) -> Result<Self, Failure> {
        let begun = Instant::now();
        let gravity = gravity_vector(scene.gravity.as_ref())?;
        let mut unloaded =
            FullProblem::with_lame_convention(&model.mesh, &model.material, scene.energy, scene.lame)
                .linear_solver(scene.newton.solver.unwrap_or_default());
        let mut pinned = Vec::new();
        let mut hard_pinned = Vec::new();
        for (index, pin) in scene.pins.iter().enumerate() {
            let vertices = select_vertices(&model.mesh, &pin.select, &format!("pins[{index}]"))?;
            unloaded = unloaded.pin_with(&vertices, hold(pin.stiffness));
            pinned.extend_from_slice(&vertices);
            if pin.stiffness.is_none() {
                hard_pinned.extend(vertices);
            }
        }
        for vertices in [&mut pinned, &mut hard_pinned] {
            vertices.sort_unstable();
            vertices.dedup();
        }
        if pinned.is_empty() {
            let why = match (gravity == [0.0; D], scene.point_loads.is_empty()) {
                (false, _) => "falls under gravity",
                (true, false) => "moves off under its point loads",
                (true, true) => "has no equilibrium of its own",
            };
            return Err(Failure::input(format_args!(
                "{}: nothing is pinned, so the body {why}; add [[pins]]",
                scene.name
            )));
        }
        let problem = with_point_loads(unloaded.clone().gravity(gravity), &scene.point_loads, "point_loads")?;
        problem.check().map_err(|error| Failure::input(format_args!("{}: {error}", scene.name)))?;
        let mut training = load_cases(scene, &scene.training, &unloaded, &pinned)?;
        if training.is_empty() {
            training.push(LoadCase { name: OWN_LOAD.to_owned(), problem: problem.clone() });
        }
        let testing = load_cases(scene, &scene.testing, &unloaded, &pinned)?;
        let probe = match &scene.probe {
            None => None,
            Some(probe) => Some(probe_vertex(&model.mesh, probe)?),
        };
        let mut newton = NewtonOptions::default();
        // The default is a length for bodies of metres; a body of millimetres would be "converged" at once.
        let tolerance = newton.step_tolerance * model.mesh.diagonal().min(1.0);
        newton.step_tolerance = scene.newton.step_tolerance.unwrap_or(tolerance);
        newton.max_iterations = scene.newton.max_iterations.unwrap_or(newton.max_iterations);
        newton.hessian = scene.newton.hessian.unwrap_or(newton.hessian);
        newton.path = scene.newton.path.unwrap_or(newton.path);
        let seconds = begun.elapsed().as_secs_f64();
        let hard_pinned = hard_pinned.len();
        let full = OnceLock::new();
        Ok(Self { problem, training, testing, newton, pinned, gravity, probe, hard_pinned, seconds, full })
    }

    /// The full solution: solved when it is first asked for, and kept.
    ///
    /// # Errors
    /// What the library says.
    pub fn full(&self) -> Result<&FullSolution<D>, Failure> {
        match self.full.get() {
            Some(full) => Ok(full),
            None => {
                let full = self.solve_full()?;
                Ok(self.full.get_or_init(|| full))
            }
        }
    }

    fn solve_full(&self) -> Result<FullSolution<D>, Failure> {
        let begun = Instant::now();
        let mut workspace = self.problem.workspace().map_err(Failure::work)?;
        let setup = self.seconds + begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let equilibrium =
            solve_equilibrium_from(&self.problem, &mut workspace, self.problem.start(), &self.newton)
                .map_err(Failure::work)?;
        let solve = begun.elapsed().as_secs_f64();
        let probe_vertex = self.probe.unwrap_or_else(|| most_moved(&equilibrium));
        let testing = self.solve_cases(&self.testing)?;
        let record = FullRecord {
            dofs: (self.problem.mesh().vertex_count() - self.hard_pinned) * D,
            newton_iterations: equilibrium.iterations(),
            linear_solver: workspace.linear_solver().name(),
            linear_iterations: equilibrium.linear_iterations(),
            termination: equilibrium.termination.name(),
            probe_vertex,
            probe_displacement: equilibrium.vertex_displacement(probe_vertex).to_vec(),
            potential_energy: equilibrium.potential_energy,
            energy: EnergyRecord::new(&self.problem, &equilibrium.displacement),
            seconds: FullSeconds { setup, solve },
            testing: self.testing.iter().zip(&testing).map(full_load_record).collect(),
        };
        Ok(FullSolution { equilibrium, testing, record })
    }

    /// Solves the full problem under each of some loads, in parallel.
    ///
    /// # Errors
    /// What the library says, with the name of the load.
    pub fn solve_cases(&self, cases: &[LoadCase<'m, D>]) -> Result<Vec<Equilibrium<D>>, Failure> {
        let solve = |case: &LoadCase<'m, D>| {
            solve_equilibrium(&case.problem, &self.newton).map_err(|error| case.failed(error))
        };
        let begin: Vec<usize> = (0..cases.len()).collect();
        run_independent(&begin, |index| solve(&cases[index]))?.into_iter().collect()
    }

    /// Solves the problem under a load in a subspace.
    ///
    /// # Errors
    /// What the library says, with the name of the load.
    pub fn solve_case_in(
        &self,
        case: &LoadCase<'m, D>,
        subspace: &Subspace<D>,
    ) -> Result<Equilibrium<D>, Failure> {
        let reduced = case.problem.project(subspace).map_err(|error| case.failed(error))?;
        solve_equilibrium(&reduced, &self.newton).map_err(|error| case.failed(error))
    }

    /// How a subspace does with the testing loads.
    fn test(&self, space: &Space<D>, full: &FullSolution<D>) -> Result<Vec<LoadRecord>, Failure> {
        let solve = |(case, exact): (&LoadCase<'m, D>, &Equilibrium<D>)| {
            let quick = self.solve_case_in(case, &space.subspace)?;
            let errors = compare(&case.problem, exact, &quick);
            Ok(LoadRecord {
                name: case.name.clone(),
                mass_norm_error: errors.mass_norm_error,
                displacement_error: errors.displacement_error,
                newton_iterations: quick.iterations(),
                termination: quick.termination.name(),
            })
        };
        self.testing.iter().zip(&full.testing).map(solve).collect()
    }

    /// Solves the problem in a subspace, and measures the solution against the full one where there is one.
    ///
    /// # Errors
    /// What the library says, for example that no deformation of the subspace satisfies the hard pins.
    pub fn solve_in(
        &self,
        space: &Space<D>,
        full: Option<&FullSolution<D>>,
    ) -> Result<(Equilibrium<D>, SubspaceRecord), Failure> {
        let begun = Instant::now();
        let reduced = self.problem.project(&space.subspace).map_err(Failure::of_reduced_solve)?;
        let equilibrium = solve_equilibrium(&reduced, &self.newton).map_err(Failure::of_reduced_solve)?;
        let seconds = begun.elapsed().as_secs_f64();
        let mut record = self.subspace_record(space, &equilibrium, full, seconds);
        if let Some(full) = full {
            record.testing = self.test(space, full)?;
        }
        let estimate = estimate_error(&self.problem, &equilibrium, &self.newton).map_err(Failure::work)?;
        record.estimated_error = estimate.is_finite().then_some(estimate);
        Ok((equilibrium, record))
    }

    /// The shape of a subspace that is nearest to the full solution.
    fn nearest(&self, space: &Space<D>, full: &FullSolution<D>) -> NearestRecord {
        let displacement = space.subspace.nearest_displacement(&full.equilibrium.displacement);
        let shape = Equilibrium { displacement, ..full.equilibrium.clone() };
        NearestRecord {
            mass_norm_error: compare(&self.problem, &full.equilibrium, &shape).mass_norm_error,
            energy: EnergyRecord::new(&self.problem, &shape.displacement),
        }
    }

    fn subspace_record(
        &self,
        space: &Space<D>,
        equilibrium: &Equilibrium<D>,
        full: Option<&FullSolution<D>>,
        seconds: f64,
    ) -> SubspaceRecord {
        let errors = full.map(|full| compare(&self.problem, &full.equilibrium, equilibrium));
        let followed = full.map(|full| full.record.probe_vertex).or(self.probe);
        let probe_vertex = followed.unwrap_or_else(|| most_moved(equilibrium));
        let probe = equilibrium.vertex_displacement(probe_vertex);
        let fraction = full.and_then(|full| {
            let along_gravity = dot(&self.gravity, &full.equilibrium.vertex_displacement(probe_vertex));
            (along_gravity != 0.0).then(|| dot(&self.gravity, &probe) / along_gravity)
        });
        SubspaceRecord {
            basis: space.record(),
            mass_norm_error: errors.map(|errors| errors.mass_norm_error),
            displacement_error: errors.and_then(|errors| errors.displacement_error),
            energy_gap: errors.and_then(|errors| errors.energy_gap),
            estimated_error: None,
            testing: Vec::new(),
            probe_displacement: probe.to_vec(),
            probe_fraction: fraction,
            potential_energy: equilibrium.potential_energy,
            energy: EnergyRecord::new(&self.problem, &equilibrium.displacement),
            nearest: full.map(|full| self.nearest(space, full)),
            newton_iterations: equilibrium.iterations(),
            termination: equilibrium.termination.name(),
            seconds: SubspaceSeconds { basis: space.seconds, solve: Some(seconds) },
        }
    }
}

fn full_load_record<const D: usize>((case, solution): (&LoadCase<'_, D>, &Equilibrium<D>)) -> FullLoadRecord {
    FullLoadRecord {
        name: case.name.clone(),
        newton_iterations: solution.iterations(),
        termination: solution.termination.name(),
    }
}

/// The one vertex that `probe` selects.
fn probe_vertex<const D: usize>(mesh: &SimplexMesh<D>, probe: &Located<Selection>) -> Result<usize, Failure> {
    match select_vertices(mesh, probe, "probe")?[..] {
        [vertex] => Ok(vertex),
        ref vertices => Err(probe.origin.wrong(format_args!(
            "probe selects {} vertices, but reports follow one; give it as {{ nearest = [..] }} or {{ vertices = [i] }}",
            vertices.len()
        ))),
    }
}

/// A stiffness makes a soft hold, none a hard one.
pub fn hold(stiffness: Option<f64>) -> Hold {
    stiffness.map_or(Hold::Hard, Hold::Soft)
}

fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The vertex that moves most; the lowest of those within 1e-9 of the largest displacement.
fn most_moved<const D: usize>(equilibrium: &Equilibrium<D>) -> usize {
    let lengths: Vec<f64> = equilibrium
        .displacement
        .chunks_exact(D)
        .map(|u| u.iter().map(|u| u * u).sum::<f64>().sqrt())
        .collect();
    let largest = lengths.iter().copied().fold(0.0, f64::max);
    lengths.iter().position(|&length| length >= largest * (1.0 - 1e-9)).unwrap_or(0)
}

/// Fails for the solves that did not converge.
///
/// # Errors
/// If there is one; the message names the first and says how many there are.
pub fn require_converged<'a>(solves: impl IntoIterator<Item = (String, &'a str)>) -> Result<(), Failure> {
    let failed: Vec<(String, &str)> =
        solves.into_iter().filter(|(_, termination)| *termination != Termination::Converged.name()).collect();
    match failed.first() {
        None => Ok(()),
        Some((name, termination)) => Err(Failure::work(format_args!(
            "{} of the solves did not converge, the first in {name} ({termination}); raise newton.max_iterations or leave \
             --strict out",
            failed.len()
        ))),
    }
}
