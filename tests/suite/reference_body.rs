//! The three bodies of the reference (data/reference): stiff bones in something soft, held at the least x, driven at the greatest.

use pliant::basis::BasisBuilder;
use pliant::fem::{EnergyModel, LameConvention};
use pliant::mesh::{Material, MaterialMap, SimplexMesh, VertexSelection, VertexSet};
use pliant::statics::{FullProblem, Hold, SwingPath, centroid};

pub const SPRINGS: Hold = Hold::Soft(1e9);

pub struct ReferenceBody<const D: usize> {
    pub mesh: SimplexMesh<D>,
    pub material: MaterialMap,
    pub pinned: Vec<usize>,
    pub handle: Vec<usize>,
}

pub fn tentacle2d() -> ReferenceBody<2> {
    let mesh = SimplexMesh::<2>::read(path("tentacle2d.msh")).unwrap();
    ReferenceBody::new(mesh, [("bone", 1e6), ("joint", 1e3)], [-0.3, 4.0])
}

pub fn bone2d() -> ReferenceBody<2> {
    let mesh = SimplexMesh::<2>::read(path("bone2d.msh")).unwrap();
    ReferenceBody::new(mesh, [("bone", 1e9), ("flesh", 2e3)], [1e-9, 3.999999])
}

pub fn tentacle3d_s() -> ReferenceBody<3> {
    let mesh = SimplexMesh::<3>::read(path("tentacle3d_s.msh")).unwrap();
    ReferenceBody::new(mesh, [("bone", 1e6), ("joint", 1e3)], [-0.3, 4.0])
}

/// A file of the reference.
pub fn path(file: &str) -> String {
    format!("{}/data/reference/{file}", env!("CARGO_MANIFEST_DIR"))
}

impl<const D: usize> ReferenceBody<D> {
    /// Young's modulus by region; the greatest x that is pinned and the least that belongs to the handle.
    fn new(mesh: SimplexMesh<D>, moduli: [(&str, f64); 2], ends: [f64; 2]) -> Self {
        let materials = moduli.map(|(region, youngs_modulus)| {
            (region, Material { youngs_modulus, poisson_ratio: 0.4, density: 1.0 })
        });
        let material = MaterialMap::from_regions(&mesh, &materials).unwrap();
        let select = |min, max| VertexSelection::Range { axis: 0, min, max }.select(&mesh).unwrap();
        let (pinned, handle) = (select(None, Some(ends[0])), select(Some(ends[1]), None));
        Self { mesh, material, pinned, handle }
    }

    /// Without a load.
    pub fn held(&self, hold: Hold) -> FullProblem<'_, D> {
        let (energy, lame) = (EnergyModel::StableNeoHookean, LameConvention::AsGiven);
        FullProblem::with_lame_convention(&self.mesh, &self.material, energy, lame)
            .pin_with(&self.pinned, hold)
    }

    /// Held by springs under gravity along x and y, in m/s^2.
    pub fn under(&self, x: f64, y: f64) -> FullProblem<'_, D> {
        self.held(SPRINGS).gravity(std::array::from_fn(|axis| [x, y].get(axis).copied().unwrap_or(0.0)))
    }

    /// Held by springs under gravity, as the reference has it.
    pub fn hanging(&self) -> FullProblem<'_, D> {
        self.under(0.0, -9.8)
    }

    /// Hanging, with the handle turned about the centroid of the pins by springs.
    pub fn turned(&self, degrees: f64) -> FullProblem<'_, D> {
        let problem = self.hanging();
        let path = SwingPath {
            handle: self.handle.clone(),
            hold: SPRINGS,
            pivot: centroid(&problem, &self.pinned),
            angle_degrees: 0.0,
            steps: 1,
        };
        path.pose(&problem, degrees)
    }

    /// Builds bases for the body that is held by its pins alone.
    pub fn builder(&self) -> BasisBuilder<'_, D> {
        self.builder_with(&[("pin", &self.pinned)])
    }

    /// Builds bases for the body that is held by its pins and driven by its handle.
    pub fn driven_builder(&self) -> BasisBuilder<'_, D> {
        self.builder_with(&[("pin", &self.pinned), ("handle", &self.handle)])
    }

    fn builder_with(&self, held: &[(&str, &Vec<usize>)]) -> BasisBuilder<'_, D> {
        let set = |&(name, vertices): &(&str, &Vec<usize>)| VertexSet {
            name: name.to_owned(),
            vertices: vertices.clone(),
        };
        let sets = held.iter().map(set).collect();
        BasisBuilder::new(&self.mesh, &self.material).unwrap().with_held_sets(sets)
    }
}
