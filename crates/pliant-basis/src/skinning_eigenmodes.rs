//! Skinning eigenmodes: the smoothest weights of a body, the smallest eigenvectors of `L w = theta M1 w`.
//!
//! `L = sum_e vol_e s_e grad(phi) grad(phi)^T` with `s_e = 1` (uniform) or `s_e = mu_e` (material), `M1` the lumped mass at unit density. The first mode is
//! constant; rows do not sum to one, but the constant is in their span.
//! Source: Benchekroun, Zhang, Chaudhuri, Grinspun, Zhou, Jacobson, "Fast complementary dynamics via skinning eigenmodes", 2023.

use faer::Mat;
use pliant_fem::{ShapeGradients, laplacian, lumped_mass};
use pliant_mesh::{MaterialMap, SimplexMesh};

use crate::{BasisError, EigenOptions, Weights, smallest_eigenpairs};

/// What weighs the Laplacian of skinning eigenmodes.
#[derive(Clone, Copy, Debug)]
pub enum Stiffness<'a> {
    /// 1 everywhere: the modes see the shape alone.
    Uniform,
    /// The shear modulus mu of each cell: the modes are flat in stiff parts.
    Material(&'a MaterialMap),
}

/// Skinning eigenmodes, smoothest first.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Eigenmodes {
    /// theta, k, ascending, in 1/m^2 (uniform) or Pa/m^2 (material); the first is zero up to round-off.
    pub values: Vec<f64>,
    /// The modes as weights, n x k, orthonormal with respect to `M1`, signs fixed.
    pub weights: Weights,
    /// Relative residual of each mode, as in [`Eigenpairs`](crate::Eigenpairs).
    pub residuals: Vec<f64>,
}

/// The `frame_count` smoothest modes of a body. A prefix of the modes is the answer for fewer frames
/// ([`Weights::truncated`]). The cost is that of [`smallest_eigenpairs`].
///
/// # Errors
/// 0 frames or more than the mesh has vertices, a material map of another mesh, an eigensolver that fails
/// ([`smallest_eigenpairs`]).
pub fn skinning_eigenmodes<const D: usize>(
    mesh: &SimplexMesh<D>,
    frame_count: usize,
    stiffness: Stiffness<'_>,
    options: &EigenOptions,
) -> Result<Eigenmodes, BasisError> {
    let (vertices, cells) = (mesh.vertex_count(), mesh.cell_count());
    if frame_count == 0 || frame_count > vertices {
        return Err(BasisError::FrameCount { frames: frame_count, vertices });
    }
    let cell_stiffness: Vec<f64> = match stiffness {
        Stiffness::Uniform => vec![1.0; cells],
        Stiffness::Material(material) if material.cell_count() != cells => {
            let given = material.cell_count();
            return Err(BasisError::OtherMesh {
                what: "cells with a material",
                given,
                expected: cells,
                of: "cells",
            });
        }
        Stiffness::Material(material) => (0..cells).map(|cell| material.material(cell).mu()).collect(),
    };
    let matrix = laplacian(mesh, &ShapeGradients::new(mesh), &cell_stiffness);
    let mass = lumped_mass(mesh, &vec![1.0; cells]);
    let pairs = smallest_eigenpairs(&matrix, &mass, frame_count, options)?;
    let weights = Weights::from_dense(frame_count, row_major(&pairs.vectors))?;
    Ok(Eigenmodes { values: pairs.values, weights, residuals: pairs.residuals })
}

fn row_major(matrix: &Mat<f64>) -> Vec<f64> {
    (0..matrix.nrows()).flat_map(|row| (0..matrix.ncols()).map(move |column| matrix[(row, column)])).collect()
}
