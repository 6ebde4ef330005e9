//! Meshes for the tests of this crate: lattices with shuffled vertices, so that local and global order differ.

use std::sync::Arc;

use pliant_mesh::{InvertedCells, Material, MaterialMap, MeshOptions, MeshParts, SimplexMesh};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::{Elasticity, EnergyModel, HessianProjection, LameConvention, SymmetricMatrix, SymmetricPattern};

/// A unit square or cube of `cells_per_side^D` boxes, each cut into D! simplices along its diagonal, with the vertices in random
/// order and moved by up to a tenth of a box.
pub(crate) fn shuffled_lattice<const D: usize>(cells_per_side: usize, seed: u64) -> SimplexMesh<D> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let side = cells_per_side + 1;
    let count = side.pow(D as u32);
    let mut shuffled: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        shuffled.swap(last, random.random_range(0..=last));
    }
    let mut positions = vec![[0.0; D]; count];
    let mut cells = Vec::new();
    for lattice in 0..count {
        let index: [usize; D] = std::array::from_fn(|axis| lattice / side.pow(axis as u32) % side);
        positions[shuffled[lattice]] =
            index.map(|i| (i as f64 + random.random_range(-0.1..0.1)) / cells_per_side as f64);
        if index.contains(&cells_per_side) {
            continue;
        }
        for axes in permutations::<D>() {
            let mut corner = lattice;
            cells.push(shuffled[corner]);
            for axis in axes {
                corner += side.pow(axis as u32);
                cells.push(shuffled[corner]);
            }
        }
    }
    let options = MeshOptions { inverted_cells: InvertedCells::Reorient, ..MeshOptions::default() };
    SimplexMesh::from_parts(MeshParts { positions, cells, ..MeshParts::default() }, &options).unwrap().mesh
}

fn permutations<const D: usize>() -> Vec<[usize; D]> {
    let tuples = (0..D.pow(D as u32)).map(|code| std::array::from_fn(|place| code / D.pow(place as u32) % D));
    tuples.filter(|axes: &[usize; D]| (0..D).all(|axis| axes.contains(&axis))).collect()
}

/// Random symmetric cells: one dense symmetric matrix of all rows of a cell, filled in as a pattern wants it, and those dense
/// matrices added up the slow way.
pub(crate) fn random_cells<const D: usize>(
    mesh: &SimplexMesh<D>,
    components: usize,
    seed: u64,
) -> (impl Fn(usize, &mut [f64]) + Sync + use<D>, faer::Mat<f64>) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let rows = mesh.vertex_count() * components;
    let mut dense = faer::Mat::zeros(rows, rows);
    let mut blocks = Vec::new();
    for corners in mesh.cells() {
        let size = corners.len() * components;
        let factor = faer::Mat::from_fn(size, size, |_, _| random.random_range(-1.0..1.0));
        let cell = &factor * factor.transpose();
        for a in 0..corners.len() {
            for b in 0..corners.len() {
                for i in 0..components {
                    for l in 0..components {
                        let value = cell[(a * components + i, b * components + l)];
                        dense[(corners[a] * components + i, corners[b] * components + l)] += value;
                        if b <= a {
                            blocks.push(value);
                        }
                    }
                }
            }
        }
    }
    (move |cell: usize, out: &mut [f64]| out.copy_from_slice(&blocks[cell * out.len()..][..out.len()]), dense)
}

/// Numbers between -1 and 1.
pub(crate) fn random_vector(length: usize, seed: u64) -> Vec<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..length).map(|_| random.random_range(-1.0..1.0)).collect()
}

/// The same work in pools of 1, 2 and 5 threads.
pub(crate) fn in_pools<T: Send>(work: impl Fn() -> T + Sync) -> [T; 3] {
    [1, 2, 5]
        .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(&work))
}

/// The stiffness at rest, with Young's modulus as a function of the centroid of a cell and Poisson's ratio 0.4.
pub(crate) fn stiffness<const D: usize>(
    mesh: &SimplexMesh<D>,
    youngs_modulus: impl Fn([f64; D]) -> f64,
) -> SymmetricMatrix {
    let material = |x| Material { youngs_modulus: youngs_modulus(x), poisson_ratio: 0.4, density: 1.0 };
    let material = MaterialMap::from_function(mesh, material).unwrap();
    let energy = Arc::new(EnergyModel::Linear);
    let elasticity = Elasticity::new(mesh, &material, energy, LameConvention::Consistent);
    let mut matrix = SymmetricMatrix::zeros(Arc::new(SymmetricPattern::new(mesh, D)));
    let rest = vec![0.0; matrix.dof_count()];
    elasticity.assemble_hessian(&rest, HessianProjection::Plain, &mut matrix);
    matrix
}
