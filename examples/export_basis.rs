//! A basis written to `basis.npz`, read back, and used.
//!
//! `cargo run --example export_basis [FILE]`; without a file it writes to the temporary directory. SciPy opens the result:
//! `B = scipy.sparse.load_npz("basis.npz")`.

use pliant::basis::{BasisBuilder, BasisFile, Method, MethodOptions, Subspace, write_basis};
use pliant::mesh::{Material, MaterialMap, SimplexMesh};
use std::error::Error;
use std::path::PathBuf;

const BONE: Material = Material { youngs_modulus: 1e6, poisson_ratio: 0.4, density: 1.0 };
const JOINT: Material = Material { youngs_modulus: 1e3, poisson_ratio: 0.4, density: 1.0 };

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os()
        .nth(1)
        .map_or_else(|| std::env::temp_dir().join("pliant-export-basis.npz"), PathBuf::from);

    let mesh =
        SimplexMesh::<3>::read(concat!(env!("CARGO_MANIFEST_DIR"), "/data/reference/tentacle3d_s.msh"))?;
    let material = MaterialMap::from_regions(&mesh, &[("bone", BONE), ("joint", JOINT)])?;
    let method = Method::SparseMeshless;
    let built = BasisBuilder::new(&mesh, &material)?.build(method, 9, &MethodOptions::default())?;
    let subspace = Subspace::linear_blend_skinning(&mesh, &material, built.weights)?;
    write_basis(&path, &mesh, &subspace, method.name(), built.nodes.as_deref())?;

    let file = BasisFile::<3>::read(&path)?;
    println!(
        "{}: {} basis {} x {} of {} frames",
        path.display(),
        file.method(),
        file.basis().row_count(),
        file.basis().column_count(),
        file.weights().frame_count()
    );

    // The same shape from the file's matrix and from a subspace rebuilt from the file's weights: every frame sheared alike.
    let again = Subspace::linear_blend_skinning(&mesh, &material, file.weights().clone())?;
    let shear = again.affine_coordinates(&[[1.0, 0.2, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], &[0.0; 3]);
    let (lifted, multiplied) = (again.lift(&shear), file.basis().multiply(&shear));
    let difference =
        lifted.as_flattened().iter().zip(&multiplied).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("matrix and subspace agree within {difference:.1e} m");
    Ok(())
}
