//! Claims that every energy must meet, in 2D and 3D.

use proptest::prelude::*;

use super::EnergyModel;
use crate::energy::{Energy, Lame};
use crate::rotation_svd::RotationSvd;
use crate::small_matrix::{Matrix, add_scaled, from_fn, identity, inner_product, product, scaled};

const LAME: Lame = Lame { mu: 0.7, lambda: 1.9 };

fn difference<const D: usize>(a: &Matrix<D>, b: &Matrix<D>) -> f64 {
    add_scaled(a, -1.0, b).iter().flatten().fold(0.0, |most, entry| most.max(entry.abs()))
}

/// Stress against the density and the Hessian against the stress, by central differences.
fn derivatives_hold<const D: usize>(model: EnergyModel, h: &Matrix<D>, direction: &Matrix<D>) {
    let energy: &dyn Energy<D> = &model;
    let step = 1e-5;
    let (ahead, behind) = (add_scaled(h, step, direction), add_scaled(h, -step, direction));
    let slope = (energy.density(&ahead, LAME) - energy.density(&behind, LAME)) / (2.0 * step);
    let expected = inner_product(&energy.stress(h, LAME), direction);
    assert!((slope - expected).abs() < 1e-6 * (1.0 + expected.abs()), "{model:?}: {slope} {expected}");

    let slope =
        scaled(0.5 / step, &add_scaled(&energy.stress(&ahead, LAME), -1.0, &energy.stress(&behind, LAME)));
    let hessian = energy.hessian(h, LAME);
    let mut expected: Matrix<D> = [[0.0; D]; D];
    for (value, matrix) in hessian.values().iter().zip(hessian.matrices()) {
        expected = add_scaled(&expected, value * inner_product(matrix, direction), matrix);
    }
    let size = inner_product(&expected, &expected).sqrt();
    assert!(difference(&slope, &expected) < 1e-5 * (1.0 + size), "{model:?} {h:?}: {slope:?} {expected:?}");
}

/// The corotated energies have kinks where the nearest rotation jumps; the logarithmic one ends at `J = 0`.
fn is_smooth_at<const D: usize>(model: EnergyModel, h: &Matrix<D>) -> bool {
    let s = RotationSvd::new(&add_scaled(&identity(), 1.0, h)).singular_values;
    match model {
        EnergyModel::NeoHookean => s[D - 1] > 0.15,
        EnergyModel::Corotated | EnergyModel::Arap => s[D - 2] + s[D - 1] > 0.15,
        _ => true,
    }
}

fn small_strain_agrees<const D: usize>(model: EnergyModel, direction: &Matrix<D>) {
    let material = pliant_mesh::Material {
        youngs_modulus: 3.0,
        poisson_ratio: if model == EnergyModel::Arap { 0.0 } else { 0.3 },
        density: 1.0,
    };
    let (energy, linear): (&dyn Energy<D>, &dyn Energy<D>) = (&model, &EnergyModel::Linear);
    let h = scaled(1e-7, direction);
    let stress = energy.stress(&h, energy.consistent_lame(&material));
    let expected = linear.stress(&h, linear.consistent_lame(&material));
    let size = inner_product(&expected, &expected).sqrt();
    assert!(difference(&stress, &expected) < 1e-5 * size + 1e-15, "{model:?}: {stress:?} {expected:?}");
    let density = energy.density(&h, energy.consistent_lame(&material));
    let expected = linear.density(&h, linear.consistent_lame(&material));
    assert!((density - expected).abs() < 1e-5 * expected + 1e-22, "{model:?}: {density} {expected}");
}

/// `psi(R F) = psi(F)` and `P(R F) = R P(F)`; a rotation of the rest shape costs nothing.
fn is_objective<const D: usize>(model: EnergyModel, h: &Matrix<D>, turn: &Matrix<D>) {
    let energy: &dyn Energy<D> = &model;
    let rotation = RotationSvd::new(turn).rotation();
    let f = add_scaled(&identity(), 1.0, h);
    let turned = add_scaled(&product(&rotation, &f), -1.0, &identity());
    let (before, after) = (energy.density(h, LAME), energy.density(&turned, LAME));
    assert!((before - after).abs() < 1e-11 * (1.0 + before.abs()), "{model:?}: {before} {after}");
    let expected = product(&rotation, &energy.stress(h, LAME));
    assert!(difference(&energy.stress(&turned, LAME), &expected) < 1e-10 * (1.0 + before.abs() * 100.0));
    let rigid = add_scaled(&rotation, -1.0, &identity());
    assert!(energy.density(&rigid, LAME).abs() < 1e-14, "{model:?}");
}

fn every_claim<const D: usize>(h: Matrix<D>, direction: Matrix<D>) {
    for model in EnergyModel::ALL {
        small_strain_agrees(model, &direction);
        if is_smooth_at(model, &h) {
            derivatives_hold(model, &h, &direction);
            if model != EnergyModel::Linear {
                is_objective(model, &h, &direction);
            }
        }
    }
}

proptest! {
    #[test]
    fn energies_2d_have_true_derivatives_agree_at_small_strain_and_are_objective(
        h in prop::array::uniform2(prop::array::uniform2(-1.2..1.2_f64)),
        direction in prop::array::uniform2(prop::array::uniform2(-1.0..1.0_f64)),
    ) {
        every_claim(h, direction);
    }

    #[test]
    fn energies_3d_have_true_derivatives_agree_at_small_strain_and_are_objective(
        h in prop::array::uniform3(prop::array::uniform3(-1.0..1.0_f64)),
        direction in prop::array::uniform3(prop::array::uniform3(-1.0..1.0_f64)),
    ) {
        every_claim(h, direction);
    }
}

#[test]
fn clamping_the_hessian_leaves_no_negative_eigenvalue_even_for_inverted_cells() {
    let h: Matrix<3> = from_fn(|row, column| if row == column { [-2.5, 0.1, -0.4][row] } else { 0.2 });
    for model in EnergyModel::ALL {
        if model == EnergyModel::NeoHookean {
            assert!(model.density(&h, LAME).is_infinite());
            continue;
        }
        let mut hessian = model.hessian(&h, LAME);
        hessian.clamp(0.0);
        assert!(hessian.values().iter().all(|&value| value >= 0.0), "{model:?}");
    }
}

#[test]
fn names_are_read_back() {
    for model in EnergyModel::ALL {
        assert_eq!(model.name().parse::<EnergyModel>().unwrap(), model);
    }
    let error = "stable-neo-hokean".parse::<EnergyModel>().unwrap_err().to_string();
    assert!(error.contains("did you mean \"stable-neo-hookean\"?"), "{error}");
}
