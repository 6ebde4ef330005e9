//! Subspaces: their weights and promises, and their solutions beside the full one.

use pliant::basis::{Subspace, Weights};
use pliant::fem::Elasticity;
use pliant::report::{
    Cell, FrameWeight, Item, NewtonHistory, PatchTest, Section, SpaceShape, Sparsity, Table, newton_figure,
    patch_test_figure, shape_figure, sparsity_figure, turning_view, volume_figure, weight_figure,
};
use pliant::statics::Equilibrium;

use super::{HtmlReport, section};
use crate::output::{BasisRecord, figure};
use crate::solution_files::volume_ratios;
use crate::space::Space;
use crate::space_method::SpaceMethod;

/// A subspace and the solution in it.
#[derive(Clone, Debug)]
pub struct SolvedSpace<const D: usize> {
    /// The subspace.
    pub space: Space<D>,
    /// The solution.
    pub equilibrium: Equilibrium<D>,
    /// Its distance from the full one in the mass norm.
    pub error: Option<f64>,
}

/// What a figure calls a subspace.
pub fn label(method: &str, frames: usize) -> String {
    format!("{method}, {frames} {}", if frames == 1 { "frame" } else { "frames" })
}

fn label_of<const D: usize>(space: &Space<D>) -> String {
    label(space.method.name(), space.subspace.frame_count())
}

impl<const D: usize> HtmlReport<'_, D> {
    /// Weights, sparsity, patch test and the table of checks.
    pub fn weight_section(&self, spaces: &[&Space<D>]) -> Section {
        if spaces.is_empty() {
            return Section::default();
        }
        let each = if spaces.len() > 4 { 2 } else { 3 };
        let weights: Vec<FrameWeight> = spaces
            .iter()
            .flat_map(|space| {
                chosen_weights(space.method.name(), space.subspace.weights(), space.nodes.is_none(), each)
            })
            .collect();
        let rows = self.rows_along_the_body();
        let patterns: Vec<Sparsity> =
            spaces.iter().map(|space| sparsity(space.method.name(), &space.subspace, &rows)).collect();
        let deformation = self.affine_deformation();
        let tests: Vec<PatchTest> = spaces.iter().map(|space| self.patch_test(space, &deformation)).collect();
        let records: Vec<BasisRecord> = spaces.iter().map(|space| space.record()).collect();
        let items = vec![
            Item::Figure(weight_figure(&self.body, &weights)),
            Item::Figure(sparsity_figure(&patterns)),
            Item::Figure(patch_test_figure(&self.body, &deformation, &tests)),
            Item::Table(check_table(&records)),
        ];
        section("The subspaces", "", items)
    }

    /// The weights of a basis that was grown, and which of them are zero.
    pub fn grown_section(&self, subspace: &Subspace<D>) -> Section {
        let method = SpaceMethod::Adaptive.name();
        let weights = chosen_weights(method, subspace.weights(), false, 6);
        let pattern = sparsity(method, subspace, &self.rows_along_the_body());
        let items = vec![
            Item::Figure(weight_figure(&self.body, &weights)),
            Item::Figure(sparsity_figure(&[pattern])),
        ];
        section("The basis", "", items)
    }

    /// Shapes, volumes, Newton's convergence, and in 3D a view that turns.
    pub fn solution_section(
        &self,
        elasticity: &Elasticity<'_, D>,
        full: &Equilibrium<D>,
        spaces: &[SolvedSpace<D>],
    ) -> Section {
        let shape = |label: String, displacement: &[f64], error: Option<f64>| SpaceShape {
            label,
            displacement: displacement.to_vec(),
            error,
            volume_ratios: volume_ratios(elasticity, displacement),
        };
        let mut shapes = vec![shape("full FEM".to_owned(), &full.displacement, None)];
        shapes.extend(
            spaces
                .iter()
                .map(|solved| shape(label_of(&solved.space), &solved.equilibrium.displacement, solved.error)),
        );
        let mut histories = vec![history("full FEM", None, full)];
        histories.extend(spaces.iter().map(|solved| {
            history(&label_of(&solved.space), Some(solved.space.method.name()), &solved.equilibrium)
        }));
        let shown = shape_figure(&self.body, &full.displacement, &shapes);
        let mut items = vec![Item::Figure(shown)];
        if D == 3 {
            items.push(Item::View(turning_view(&self.body, &shapes)));
        }
        items.push(Item::Figure(volume_figure(&self.body, &shapes)));
        items.push(Item::Figure(newton_figure(&histories)));
        section("The solutions", "", items)
    }

    /// Vertices sorted along the longest side of the body.
    fn rows_along_the_body(&self) -> Vec<usize> {
        let (low, high) = self.body.mesh.bounding_box();
        let longest = (0..D)
            .max_by(|&a, &b| (high[a] - low[a]).total_cmp(&(high[b] - low[b])).then(b.cmp(&a)))
            .unwrap_or(0);
        let positions = self.body.mesh.positions();
        let mut rows: Vec<usize> = (0..positions.len()).collect();
        rows.sort_by(|&a, &b| positions[a][longest].total_cmp(&positions[b][longest]));
        rows
    }

    /// A shear and a stretch about the middle of the body: n x D stacked, in m.
    fn affine_deformation(&self) -> Vec<f64> {
        let (low, high) = self.body.mesh.bounding_box();
        let displacement = |x: &[f64; D]| -> [f64; D] {
            let from_middle: [f64; D] = std::array::from_fn(|axis| x[axis] - 0.5 * (low[axis] + high[axis]));
            std::array::from_fn(|axis| match axis {
                0 => 0.1 * from_middle[0] + 0.3 * from_middle[1],
                1 => 0.15 * from_middle[0] - 0.1 * from_middle[1],
                _ => 0.1 * from_middle[0],
            })
        };
        self.body.mesh.positions().iter().flat_map(displacement).collect()
    }

    fn patch_test(&self, space: &Space<D>, deformation: &[f64]) -> PatchTest {
        PatchTest {
            label: label_of(space),
            error: space.record().checks.patch_test.unwrap_or(f64::NAN),
            displacement: space.subspace.nearest_displacement(deformation),
        }
    }
}

/// Some frames from the first to the last; of modes the first is the constant, which is no picture.
fn chosen_weights(method: &str, weights: &Weights, skips_first: bool, count: usize) -> Vec<FrameWeight> {
    let frames = weights.frame_count();
    let first = usize::from(skips_first && frames > count);
    let last = frames - 1;
    let mut chosen: Vec<usize> =
        (0..count).map(|place| first + (last - first) * place / (count - 1).max(1)).collect();
    chosen.dedup();
    let weight = |frame: usize| FrameWeight {
        title: format!("{method}, frame {frame} of {frames}"),
        values: weights.column(frame),
    };
    chosen.into_iter().map(weight).collect()
}

fn sparsity<const D: usize>(method: &str, subspace: &Subspace<D>, rows: &[usize]) -> Sparsity {
    let weights = subspace.weights();
    let frames_of = |&vertex: &usize| {
        let (frames, values) = weights.row(vertex);
        let nonzero = frames.iter().zip(values).filter(|(_, value)| value.abs() > 1e-9);
        nonzero.map(|(frame, _)| *frame).collect()
    };
    Sparsity {
        label: label(method, weights.frame_count()),
        method: method.to_owned(),
        frames: weights.frame_count(),
        rows: rows.iter().map(frames_of).collect(),
        weights_density: weights.density(),
        basis_density: subspace.basis_density(),
    }
}

fn history<const D: usize>(label: &str, method: Option<&str>, solution: &Equilibrium<D>) -> NewtonHistory {
    let before = solution.history.iter().map(|iteration| iteration.potential_energy);
    NewtonHistory {
        label: label.to_owned(),
        method: method.map(str::to_owned),
        potentials: before.chain([solution.potential_energy]).collect(),
        gradients: solution.history.iter().map(|iteration| iteration.gradient_norm).collect(),
    }
}

/// What round-off may add to a promise: more for eigenmodes, whose weights are solved for.
fn tolerance(method: &str) -> f64 {
    if method.ends_with("eigenmodes") || method == "anchored" || method == "adaptive" { 1e-8 } else { 1e-11 }
}

fn check_table(records: &[BasisRecord]) -> Table {
    let header =
        ["space", "DOFs", "rank", "sum of weights - 1", "smallest weight", "at nodes", "patch test", "rest"];
    let row = |record: &BasisRecord| {
        let within = |error: Option<f64>| Cell {
            text: figure(error),
            verdict: error.map(|error| error <= tolerance(record.method)),
        };
        let plain = |text: String| Cell { text, verdict: None };
        let checks = &record.checks;
        let smallest = checks.minimum_weight;
        vec![
            plain(label(record.method, record.frames)),
            plain(record.dofs.to_string()),
            Cell { text: record.rank.to_string(), verdict: Some(record.rank == record.dofs) },
            within(checks.partition_of_unity),
            Cell {
                text: figure(smallest),
                verdict: smallest.map(|smallest| smallest >= -tolerance(record.method)),
            },
            within(checks.interpolation),
            within(checks.patch_test),
            within(checks.rest),
        ]
    };
    Table {
        title: "What each method promises, and whether it holds".to_owned(),
        caption: "Errors, which should be round-off; a dash is no promise. Weights that sum to 1 pass the patch test. A rank below the \
                  number of coordinates means that columns depend on each other and were dropped."
            .to_owned(),
        header: header.map(str::to_owned).to_vec(),
        rows: records.iter().map(row).collect(),
    }
}
