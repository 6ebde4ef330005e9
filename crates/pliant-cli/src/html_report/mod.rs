//! The HTML report of a command: its numbers handed to `pliant::report`, part by part.

mod body_part;
mod page_facts;
mod report_options;
mod solved_parts;
mod space_parts;
mod swing_part;

use std::path::Path;

use pliant::basis::Method;
use pliant::fem::Elasticity;
use pliant::report::{Body, Item, Page, Section};
use pliant::statics::Equilibrium;

use crate::failure::Failure;
use crate::load_case::handle_vertices;
use crate::model::{Model, select_vertices};
use crate::output::{Report, SweepReport, SwingReport};
use crate::scene::Scene;
use crate::setting::FullSolution;
use crate::space::Space;
use crate::space_builder::SpaceBuilder;
use crate::space_method::SpaceMethod;

pub use report_options::{Part, ReportOptions};
pub use solved_parts::fit_section;
pub use space_parts::SolvedSpace;

use solved_parts::{convergence_section, time_section};
use swing_part::swing_section;

/// A report that grows part by part.
#[derive(Clone, Debug)]
pub struct HtmlReport<'m, const D: usize> {
    body: Body<'m, D>,
    page: Page,
}

impl<'m, const D: usize> HtmlReport<'m, D> {
    /// An empty report of a model. The probe may come with a solution later.
    ///
    /// # Errors
    /// A selection that fails.
    pub fn new(model: &'m Model<D>, scene: &Scene) -> Result<Self, Failure> {
        let mut pinned = Vec::new();
        for (index, pin) in scene.pins.iter().enumerate() {
            pinned.extend(select_vertices(&model.mesh, &pin.select, &format!("pins[{index}]"))?);
        }
        let mut handle = Vec::new();
        for spec in &scene.handles {
            handle.extend(handle_vertices(&model.mesh, spec)?);
        }
        for vertices in [&mut pinned, &mut handle] {
            vertices.sort_unstable();
            vertices.dedup();
        }
        let mut body = Body::new(&model.mesh, model.material.youngs_modulus());
        if let Some(probe) = &scene.probe {
            body.probe = select_vertices(&model.mesh, probe, "probe")?.first().copied();
        }
        body.pinned = pinned;
        body.handle = handle;
        body.upright = upright(scene);
        let page = Page {
            title: Path::new(&scene.name)
                .file_stem()
                .map_or_else(|| scene.name.clone(), |stem| stem.to_string_lossy().into_owned()),
            lead: page_facts::lead(&model.mesh),
            facts: page_facts::facts(model),
            sections: Vec::new(),
        };
        Ok(Self { body, page })
    }

    /// The page so far.
    pub fn into_page(self) -> Page {
        self.page
    }

    /// Everything that a comparison has to show: the body, the subspaces, their solutions, and the time that they took.
    pub fn add_comparison(
        &mut self,
        builder: &SpaceBuilder<'_, D>,
        elasticity: &Elasticity<'_, D>,
        full: &FullSolution<D>,
        solved: &[SolvedSpace<D>],
        report: &Report,
    ) {
        self.follow(full.record.probe_vertex);
        self.fact("degrees of freedom", full.record.dofs.to_string());
        let spaces: Vec<&Space<D>> = solved.iter().map(|solved| &solved.space).collect();
        let nodes = spaces.iter().find_map(|space| nodes_by_compliance(space));
        self.add(self.body_section(builder, nodes));
        self.add(self.weight_section(&spaces));
        self.add(self.solution_section(elasticity, &full.equilibrium, solved));
        self.add(time_section(report.full.as_ref(), &report.subspaces));
    }

    /// The convergence of a sweep, and the time of its points.
    pub fn add_sweep(&mut self, sweep: &SweepReport) {
        self.follow(sweep.full.probe_vertex);
        if self.page.sections.is_empty() {
            self.add(self.material_section());
        }
        self.add(convergence_section(&sweep.full, &sweep.points));
    }

    /// The poses of a swing; `solved` are those of the report's subspaces, in their order.
    pub fn add_swing(
        &mut self,
        swing: &SwingReport,
        full: &[Equilibrium<D>],
        solved: &[Vec<Equilibrium<D>>],
    ) {
        if self.page.sections.is_empty() {
            self.add(self.material_section());
        }
        self.add(swing_section(&self.body, swing, full, solved));
    }

    /// The vertex to follow, where the scene names none.
    pub fn follow(&mut self, vertex: usize) {
        self.body.probe.get_or_insert(vertex);
    }

    /// Adds a part, unless it is empty.
    pub fn add(&mut self, section: Section) {
        if !section.items.is_empty() || !section.intro.is_empty() {
            self.page.sections.push(section);
        }
    }

    /// Adds a name and a value to the top of the page.
    pub fn fact(&mut self, name: &str, value: String) {
        self.page.facts.push((name.to_owned(), value));
    }
}

/// The nodes of a sparse meshless space.
pub fn nodes_by_compliance<const D: usize>(space: &Space<D>) -> Option<&[usize]> {
    let is_meshless = space.method == SpaceMethod::Weights(Method::SparseMeshless);
    space.nodes.as_deref().filter(|_| is_meshless)
}

/// A part of figures and tables.
fn section(heading: &str, intro: &str, items: Vec<Item>) -> Section {
    Section { heading: heading.to_owned(), intro: intro.to_owned(), items }
}

/// The axis that gravity runs along; y where there is none.
fn upright(scene: &Scene) -> usize {
    let gravity = scene.gravity.as_ref().map_or(&[][..], |gravity| &gravity.value[..]);
    let strongest = gravity.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    match strongest {
        Some((axis, strength)) if *strength != 0.0 => axis,
        _ => 1,
    }
}
