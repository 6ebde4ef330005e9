//! Newton's method with Armijo backtracking, the same for full and reduced problems.
//!
//! Each iteration solves `H dx = -g` and halves the step (along a path that turns cells, see `turning_path`) until `P(x + a dx) <= P(x) + alpha a g^T dx`, decreases being judged within
//! the round-off of the potential. Converged: the unscaled step moves the positions by less than the tolerance, and is taken.
//! Source: Nocedal and Wright, "Numerical optimization", 2006, chapter 3.

use pliant_fem::{EnergySum, HessianProjection};

use crate::equilibrium_problem::EquilibriumProblem;
use crate::turning_path::turning_force;
use crate::{StaticsError, Termination};

/// When negative curvature is taken out of the Hessian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HessianStrategy {
    /// Only where the plain Hessian is not positive definite or gives no descent: quadratic convergence near the solution
    /// (the default).
    #[default]
    WhenNeeded,
    /// In every iteration.
    Always,
}

/// The path that a step follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepPath {
    /// Curved, so that cells turn instead of being stretched: far fewer iterations where parts turn (the default). Straight for
    /// an energy that is not objective.
    #[default]
    Turning,
    /// Straight: the textbook method.
    Straight,
}

/// Options of Newton's method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonOptions {
    /// Converged when the unscaled step moves the positions by less than this 2-norm in m (default 1e-6).
    pub step_tolerance: f64,
    /// Iterations at most (default 150).
    pub max_iterations: usize,
    /// Armijo's alpha: the fraction of the predicted decrease that is asked for (default 0.01).
    pub sufficient_decrease: f64,
    /// The factor that shortens a step (default 0.5).
    pub backtracking: f64,
    /// Step lengths below this one end the solve as stalled (default 1e-6).
    pub shortest_step: f64,
    /// Default: project when needed.
    pub hessian: HessianStrategy,
    /// Default: turning.
    pub path: StepPath,
}

impl Default for NewtonOptions {
    fn default() -> Self {
        Self {
            step_tolerance: 1e-6,
            max_iterations: 150,
            sufficient_decrease: 0.01,
            backtracking: 0.5,
            shortest_step: 1e-6,
            hessian: HessianStrategy::WhenNeeded,
            path: StepPath::Turning,
        }
    }
}

/// One iteration of Newton's method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonIteration {
    /// The potential before the step, in J.
    pub potential_energy: f64,
    /// 2-norm of the gradient by the unknowns before the step.
    pub gradient_norm: f64,
    /// 2-norm of the unscaled step of the positions, in m.
    pub step_norm: f64,
    /// The fraction of the step that was taken.
    pub step_length: f64,
    /// Whether the Hessian was projected.
    pub projection: HessianProjection,
    /// Iterations of the linear solver, those of Hessians that were given up included; 0 where it is direct.
    pub linear_iterations: usize,
}

/// The end of a solve.
#[must_use]
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium<const D: usize> {
    /// The unknowns of the problem: displacements, or those of a reduced problem (see its `coordinates`).
    pub unknowns: Vec<f64>,
    /// The displacement u of the whole mesh, stacked, in m.
    pub displacement: Vec<f64>,
    /// The potential there, in J.
    pub potential_energy: f64,
    /// Why the solve ended.
    pub termination: Termination,
    /// What each iteration did.
    pub history: Vec<NewtonIteration>,
}

impl<const D: usize> Equilibrium<D> {
    /// Iterations made.
    pub fn iterations(&self) -> usize {
        self.history.len()
    }

    /// Iterations of the linear solver in all; 0 where it is direct.
    pub fn linear_iterations(&self) -> usize {
        self.history.iter().map(|iteration| iteration.linear_iterations).sum()
    }

    /// The displacement of one vertex in m.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn vertex_displacement(&self, vertex: usize) -> [f64; D] {
        std::array::from_fn(|axis| self.displacement[vertex * D + axis])
    }

    /// This solution if it converged.
    ///
    /// # Errors
    /// If it did not.
    pub fn require_converged(self) -> Result<Self, StaticsError> {
        match self.termination {
            Termination::Converged => Ok(self),
            termination => Err(StaticsError::NotConverged {
                termination: termination.name(),
                iterations: self.iterations(),
                last_step: self.history.last().map_or(f64::INFINITY, |last| last.step_norm),
            }),
        }
    }
}

/// Solves a problem from its rest shape.
///
/// # Errors
/// A problem that fails its check, or memory that is not there. Not converging is a result.
pub fn solve_equilibrium<'m, const D: usize>(
    problem: &impl EquilibriumProblem<'m, D>,
    options: &NewtonOptions,
) -> Result<Equilibrium<D>, StaticsError> {
    solve_equilibrium_from(problem, &mut problem.workspace()?, problem.start(), options)
}

/// Solves a problem from given unknowns, with a workspace that is kept from one solve to the next. Where the start violates the
/// hard holds of this problem it is changed first, so that the end of one pose can start the next.
///
/// # Errors
/// As [`solve_equilibrium`]; also a start of the wrong length or without finite energy.
pub fn solve_equilibrium_from<'m, P: EquilibriumProblem<'m, D>, const D: usize>(
    problem: &P,
    workspace: &mut P::Workspace,
    start: Vec<f64>,
    options: &NewtonOptions,
) -> Result<Equilibrium<D>, StaticsError> {
    problem.full().check()?;
    let expected = problem.start().len();
    if start.len() != expected {
        return Err(StaticsError::StartLength { given: start.len(), expected });
    }
    let mut unknowns = problem.satisfy_holds(start);
    let mut displacement = problem.displacement(&unknowns);
    let mut potential = problem.full().potential_energy(&displacement);
    if !potential.value.is_finite() {
        return Err(StaticsError::NoEnergyAtStart { value: potential.value });
    }
    let mut preferred = preferred_projection(options.hessian);
    let mut history: Vec<NewtonIteration> = Vec::new();
    let termination = loop {
        if history.len() == options.max_iterations {
            break Termination::MaxIterations;
        }
        log::info!("Newton iteration {} of {} unknowns", history.len() + 1, unknowns.len());
        let gradient = problem.restrict(problem.full().residual(&displacement));
        let point =
            Point { unknowns: &unknowns, displacement: &displacement, potential, gradient: &gradient };
        let trial = Trial { problem, point, options };
        let linear_before = P::linear_iterations(workspace);
        let Some(step) = trial.step(workspace, preferred)? else { break Termination::Stalled };
        history.push(NewtonIteration {
            potential_energy: potential.value,
            gradient_norm: norm(&gradient),
            step_norm: step.norm,
            step_length: step.length,
            projection: step.projection,
            linear_iterations: P::linear_iterations(workspace) - linear_before,
        });
        End { unknowns, displacement, potential } = step.end;
        if step.norm < options.step_tolerance {
            break Termination::Converged;
        }
        // Far from the solution the plain Hessian tends to stay indefinite: try it again once a whole step was good.
        preferred = if step.length == 1.0 { preferred_projection(options.hessian) } else { step.projection };
    };
    Ok(Equilibrium { unknowns, displacement, potential_energy: potential.value, termination, history })
}

fn preferred_projection(strategy: HessianStrategy) -> HessianProjection {
    match strategy {
        HessianStrategy::WhenNeeded => HessianProjection::Plain,
        HessianStrategy::Always => HessianProjection::PositiveSemidefinite,
    }
}

/// Where a step ends.
struct End {
    unknowns: Vec<f64>,
    displacement: Vec<f64>,
    potential: EnergySum,
}

/// An accepted step.
struct Step {
    end: End,
    norm: f64,
    length: f64,
    projection: HessianProjection,
}

/// Where a step starts.
struct Point<'a> {
    unknowns: &'a [f64],
    displacement: &'a [f64],
    potential: EnergySum,
    gradient: &'a [f64],
}

/// Steps that move a vertex farther than this, in diagonals of the body, are tried with a shift first.
const LONGEST_MOVE: f64 = 8.0;

/// Shifts of the projected Hessian, as fractions of its diagonal, from the least.
const SHIFTS: [f64; 5] = [1e-10, 1e-8, 1e-6, 1e-4, 1e-2];

/// The search for a step from one point.
struct Trial<'a, P, const D: usize> {
    problem: &'a P,
    point: Point<'a>,
    options: &'a NewtonOptions,
}

/// What differences of potentials cannot tell, in J: 1e-13 of the sum of the absolute terms, and four standard deviations of the
/// errors of the cells' energies, which count where stiff cells have turned far from rest.
fn round_off(potential: &EnergySum) -> f64 {
    1e-13 * potential.magnitude + 4.0 * potential.variance.sqrt()
}

/// Differences of potentials below so many round-offs may be noise of the displacements that a subspace lifts.
const NOISE: f64 = 100.0;

impl<'m, P: EquilibriumProblem<'m, D>, const D: usize> Trial<'_, P, D> {
    /// A step with the preferred Hessian or else the projected one; `None` where neither lowers the potential. Where such a step would
    /// throw the body many times its size, as where a hinge leaves it free to turn, a shift of the Hessian bounds it.
    fn step(
        &self,
        workspace: &mut P::Workspace,
        preferred: HessianProjection,
    ) -> Result<Option<Step>, StaticsError> {
        let projected = HessianProjection::PositiveSemidefinite;
        let curvatures = [(preferred, 0.0), (projected, 0.0)];
        let shifted = SHIFTS.map(|shift| (projected, shift));
        let reach = LONGEST_MOVE * self.problem.full().mesh().diagonal();
        let mut too_long = None;
        let distinct = usize::from(preferred == projected);
        for (projection, shift) in curvatures.into_iter().skip(distinct).chain(shifted) {
            let Some(direction) = self.direction(workspace, projection, shift)? else { continue };
            if direction.farthest > reach {
                too_long = too_long.or(Some((direction, projection)));
                continue;
            }
            let step = self.step_along(workspace, direction, projection);
            // A shift helps where there is no step or one too long, not where the line search has come to the round-off.
            if step.is_some() || shift > 0.0 || (projection == projected && too_long.is_none()) {
                return Ok(step);
            }
        }
        Ok(too_long.and_then(|(direction, projection)| self.step_along(workspace, direction, projection)))
    }

    /// Where Newton's method wants to go; `None` where the Hessian cannot say or does not lead downwards.
    fn direction(
        &self,
        workspace: &mut P::Workspace,
        projection: HessianProjection,
        shift: f64,
    ) -> Result<Option<Direction>, StaticsError> {
        let (displacement, gradient) = (self.point.displacement, self.point.gradient);
        let newton = self.problem.newton_step(workspace, displacement, gradient, projection, shift)?;
        let Some(step) = newton else { return Ok(None) };
        let change = self.problem.prolong(&step);
        let norm = norm(&change);
        let slope: f64 = gradient.iter().zip(&step).map(|(g, dx)| g * dx).sum();
        if !norm.is_finite() || (slope >= 0.0 && norm >= self.options.step_tolerance) {
            return Ok(None);
        }
        let farthest = change.iter().fold(0.0, |most: f64, u| most.max(u.abs()));
        Ok(Some(Direction { step, change, slope, norm, farthest }))
    }

    /// The whole of a step below the tolerance, else as much of it as lowers the potential.
    fn step_along(
        &self,
        workspace: &mut P::Workspace,
        direction: Direction,
        projection: HessianProjection,
    ) -> Option<Step> {
        let norm = direction.norm;
        let (end, length) = if norm < self.options.step_tolerance {
            (self.advance(workspace, &direction, 1.0), 1.0)
        } else {
            self.backtrack(workspace, &direction)?
        };
        Some(Step { end, norm, length, projection })
    }

    /// A fraction of a step, along the path of the options.
    fn advance(&self, workspace: &mut P::Workspace, direction: &Direction, length: f64) -> End {
        let mut step: Vec<f64> = direction.step.iter().map(|dx| length * dx).collect();
        let elasticity = self.problem.full().elasticity();
        if self.options.path == StepPath::Turning && elasticity.energy_density().is_objective() {
            let force = turning_force(elasticity, self.point.displacement, &direction.change, length);
            let turn = self.problem.turn(workspace, force);
            step.iter_mut().zip(turn).for_each(|(dx, turn)| *dx += turn);
        }
        let unknowns = self.problem.advance(self.point.unknowns, &step);
        let displacement = self.problem.displacement(&unknowns);
        let potential = self.problem.full().potential_energy(&displacement);
        End { unknowns, displacement, potential }
    }

    /// The end of the longest of the steps 1, 1/2, 1/4 ... that lowers the potential enough, and its length.
    fn backtrack(&self, workspace: &mut P::Workspace, direction: &Direction) -> Option<(End, f64)> {
        let mut length = 1.0;
        while length >= self.options.shortest_step {
            let end = self.advance(workspace, direction, length);
            let bound = self.point.potential.value
                + self.options.sufficient_decrease * length * direction.slope
                + round_off(&self.point.potential);
            let lowers = end.potential.value.is_finite() && end.potential.value <= bound;
            if lowers || self.flattens(direction, length, &end) {
                return Some((end, length));
            }
            length *= self.options.backtracking;
        }
        None
    }

    /// Whether a step is good by its gradient, where the whole decrease that it promises is as small as what potentials cannot tell
    /// (the approximate conditions of Hager and Zhang 2005, section 2).
    fn flattens(&self, direction: &Direction, length: f64, end: &End) -> bool {
        let noise = NOISE * round_off(&self.point.potential);
        let rise = end.potential.value - self.point.potential.value;
        if !rise.is_finite() || rise > noise || length * direction.slope.abs() > noise {
            return false;
        }
        let gradient = self.problem.restrict(self.problem.full().residual(&end.displacement));
        let slope: f64 = gradient.iter().zip(&direction.step).map(|(g, dx)| g * dx).sum();
        slope.abs() <= 0.5 * direction.slope.abs()
    }
}

/// Where Newton's method wants to go.
struct Direction {
    /// The unscaled step.
    step: Vec<f64>,
    /// The change of the displacement that it makes.
    change: Vec<f64>,
    /// The derivative of the potential along it, in J.
    slope: f64,
    /// 2-norm of the change, in m.
    norm: f64,
    /// The largest entry of the change, in m.
    farthest: f64,
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|entry| entry * entry).sum::<f64>().sqrt()
}
