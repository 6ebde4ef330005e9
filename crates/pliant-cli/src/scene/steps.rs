//! `[newton]`, `[sweep]` and `[swing]` of a scene: how to solve, and along which path.

use pliant::statics::{HessianStrategy, LinearSolver, StepPath};

use super::{Located, Node, Origin, Table};
use crate::failure::Failure;

/// `[newton]`; what is missing has the library's default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NewtonSpec {
    /// Largest last step in m (2-norm).
    pub step_tolerance: Option<f64>,
    /// At most so many iterations.
    pub max_iterations: Option<usize>,
    /// When negative curvature is taken out of the Hessian.
    pub hessian: Option<HessianStrategy>,
    /// Whether steps turn or go straight.
    pub path: Option<StepPath>,
    /// How the linear systems of full FEM are solved.
    pub solver: Option<LinearSolver>,
}

impl NewtonSpec {
    /// Reads `[newton]`.
    ///
    /// # Errors
    /// Unknown keys or values out of range.
    pub fn read(node: &Node, path: &str) -> Result<Self, Failure> {
        let table =
            Table::new(node, path, &["step_tolerance", "max_iterations", "hessian", "path", "solver"])?;
        let hessians = [
            ("project-when-needed", HessianStrategy::WhenNeeded),
            ("project-always", HessianStrategy::Always),
        ];
        let paths = [("turning", StepPath::Turning), ("straight", StepPath::Straight)];
        let solvers = LinearSolver::ALL.map(|solver| (solver.name(), solver));
        Ok(Self {
            solver: table.choice("solver", &solvers)?.map(|choice| choice.value),
            hessian: table.choice("hessian", &hessians)?.map(|choice| choice.value),
            path: table.choice("path", &paths)?.map(|choice| choice.value),
            step_tolerance: table.optional("step_tolerance", Node::positive)?,
            max_iterations: table.optional("max_iterations", Node::count)?,
        })
    }
}

/// `[sweep]`: the frame counts.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepSpec {
    /// k of each point; default 3, 6, 9, 12, 18, 24.
    pub frames: Vec<usize>,
    /// Where the frame counts were written; none for the default.
    pub origin: Option<Origin>,
}

impl Default for SweepSpec {
    fn default() -> Self {
        Self { frames: vec![3, 6, 9, 12, 18, 24], origin: None }
    }
}

impl SweepSpec {
    /// Reads `[sweep]`.
    ///
    /// # Errors
    /// Unknown keys, or frame counts that are not a list of whole numbers from 1.
    pub fn read(node: &Node, path: &str) -> Result<Self, Failure> {
        let table = Table::new(node, path, &["frames"])?;
        let origin = table.get("frames").map(|node| node.origin.clone());
        let frames = table.optional("frames", Node::counts)?;
        Ok(frames.map_or_else(Self::default, |frames| Self { frames, origin }))
    }
}

/// `[swing]`: a handle turned back and forth in the x-y plane about the pins' centroid.
#[derive(Clone, Debug, PartialEq)]
pub struct SwingSpec {
    /// Name of the handle; none is the scene's only one.
    pub handle: Option<Located<String>>,
    /// Amplitude in degrees; default 40.
    pub angle_degrees: f64,
    /// Number of poses; default 36, at least 2.
    pub steps: usize,
}

impl Default for SwingSpec {
    fn default() -> Self {
        Self { handle: None, angle_degrees: 40.0, steps: 36 }
    }
}

impl SwingSpec {
    /// Reads `[swing]`.
    ///
    /// # Errors
    /// Unknown keys or values out of range.
    pub fn read(node: &Node, path: &str) -> Result<Self, Failure> {
        let table = Table::new(node, path, &["handle", "angle_degrees", "steps"])?;
        let default = Self::default();
        Ok(Self {
            handle: table.optional("handle", Node::string)?,
            angle_degrees: table.optional("angle_degrees", Node::number)?.unwrap_or(default.angle_degrees),
            steps: table.optional("steps", steps)?.unwrap_or(default.steps),
        })
    }
}

fn steps(node: &Node, name: &str) -> Result<usize, Failure> {
    match node.index(name) {
        Ok(steps) if steps >= 2 => Ok(steps),
        _ => Err(node.mismatch(name, "a whole number from 2")),
    }
}
