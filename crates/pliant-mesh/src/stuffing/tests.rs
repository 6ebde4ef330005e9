use std::collections::HashMap;

use proptest::prelude::*;

use super::labelling::OUTSIDE;
use super::{Labelling, Lattice, OWNED, Site, Stuffed, moved, stuff};
use crate::{MeshOptions, MeshParts, MeshQuality, SimplexMesh};

/// The lattice over the unit cube with a level set sampled on it: inside where it is positive.
fn level_set(size: f64, value: impl Fn([f64; 3]) -> f64) -> Stuffed {
    let lattice = Lattice::over([0.0; 3], [1.0; 3], size).unwrap();
    let at = |site: Site| value(lattice.position(site));
    let labels = (0..lattice.vertex_count()).map(|index| u32::from(at(lattice.site(index)) > 0.0)).collect();
    let cut = |site: Site, owned: usize| {
        let (a, b) = (at(site), at(moved(site, OWNED[owned])));
        a / (a - b)
    };
    stuff(Labelling::new(lattice.clone(), labels, cut))
}

fn mesh(stuffed: Stuffed) -> SimplexMesh<3> {
    let parts = MeshParts { positions: stuffed.positions, cells: stuffed.cells, ..MeshParts::default() };
    SimplexMesh::from_parts(parts, &MeshOptions::default()).unwrap().mesh
}

/// How many cells share each facet; a mesh that conforms has one or two.
fn facet_shares(stuffed: &Stuffed) -> HashMap<[usize; 3], usize> {
    let mut shares = HashMap::new();
    for cell in stuffed.cells.chunks_exact(4) {
        for left_out in 0..4 {
            let mut facet: Vec<usize> =
                (0..4).filter(|&corner| corner != left_out).map(|i| cell[i]).collect();
            facet.sort_unstable();
            *shares.entry([facet[0], facet[1], facet[2]]).or_insert(0) += 1;
        }
    }
    shares
}

#[test]
fn the_volume_of_a_ball_converges_at_second_order() {
    let exact = 4.0 / 3.0 * std::f64::consts::PI * 0.4f64.powi(3);
    let error = |size: f64| {
        let ball = |x: [f64; 3]| 0.4 - (0..3).map(|axis| (x[axis] - 0.5).powi(2)).sum::<f64>().sqrt();
        (mesh(level_set(size, ball)).volume() / exact - 1.0).abs()
    };
    let (coarse, fine) = (error(0.1), error(0.025));
    assert!(coarse < 0.03 && fine < coarse / 10.0, "{coarse} {fine}");
}

/// Random bits for a vertex, the same whenever asked.
fn noise(seed: u64, site: Site, salt: u64) -> u64 {
    let mut state = seed ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for value in site {
        state = (state ^ value as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state ^= state >> 29;
    }
    state.wrapping_mul(0x94d0_49bb_1331_11eb) >> 11
}

/// Labels and cuts without any sense: the worst that can happen.
fn scrambled(seed: u64, labels: u64, sharp: bool) -> Stuffed {
    scrambled_from(seed, labels, 0, sharp)
}

/// The same with no hole inside.
fn everywhere_inside(seed: u64, sharp: bool) -> Stuffed {
    scrambled_from(seed, 3, 1, sharp)
}

fn scrambled_from(seed: u64, labels: u64, first: u32, sharp: bool) -> Stuffed {
    let lattice = Lattice::over([0.0; 3], [3.0; 3], 1.0).unwrap();
    let inside = |site: Site| (0..3).all(|axis| (3..12).contains(&site[axis]));
    let label =
        |site: Site| if inside(site) { first + (noise(seed, site, 0) % labels) as u32 } else { OUTSIDE };
    let all = (0..lattice.vertex_count()).map(|index| label(lattice.site(index))).collect();
    let cut = |site: Site, owned: usize| {
        let bits = noise(seed, site, owned as u64 + 1);
        if sharp {
            [0.0, 0.28, 0.29, 0.39, 0.4, 0.5, 0.6, 0.61, 0.71, 0.72, 1.0][(bits % 11) as usize]
        } else {
            (bits % 1_000_003) as f64 / 1_000_003.0
        }
    };
    stuff(Labelling::new(lattice.clone(), all, cut))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_angle_bound_of_one_label_holds_for_any_signs_and_cuts(seed: u64, sharp: bool) {
        let stuffed = scrambled(seed, 2, sharp);
        prop_assert!(facet_shares(&stuffed).values().all(|&count| count <= 2));
        let minimum = MeshQuality::new(&mesh(stuffed)).minimum();
        prop_assert!(minimum > 10.6, "{}", minimum);
    }

    #[test]
    fn the_angle_bound_of_many_labels_holds_for_any_labels_and_cuts(seed: u64, labels in 3u64..7, sharp: bool) {
        let stuffed = scrambled(seed, labels, sharp);
        prop_assert!(stuffed.labels.iter().all(|&label| label != OUTSIDE && u64::from(label) < labels));
        prop_assert!(facet_shares(&stuffed).values().all(|&count| count <= 2));
        let minimum = MeshQuality::new(&mesh(stuffed)).minimum();
        prop_assert!(minimum > 8.2, "{}", minimum);
    }

    #[test]
    fn cells_of_different_labels_meet_without_a_gap(seed: u64, sharp: bool) {
        let stuffed = scrambled(seed, 4, sharp);
        let filled = everywhere_inside(seed, sharp);
        prop_assert!(!stuffed.cells.is_empty());
        for (facet, count) in facet_shares(&filled) {
            // Only facets of the outside's interface have one cell; no vertex far inside is on it.
            let deep = |vertex: usize| filled.positions[vertex].iter().all(|&x| (0.9..2.1).contains(&x));
            prop_assert!(count == 2 || !facet.into_iter().all(deep));
        }
    }

    #[test]
    fn smooth_level_sets_fill_without_inverted_cells(waves in prop::array::uniform9(-1.0..1.0f64), level in -0.4..0.4f64) {
        let value = |x: [f64; 3]| {
            let wave = |w: &[f64]| (6.0 * (w[0] * x[0] + w[1] * x[1] + w[2] * x[2])).sin();
            let border = (0..3).map(|axis| x[axis].min(1.0 - x[axis])).fold(f64::INFINITY, f64::min);
            (wave(&waves[..3]) + wave(&waves[3..6]) + wave(&waves[6..]) - level).min(5.0 * (border - 0.05))
        };
        let stuffed = level_set(0.1, value);
        prop_assume!(!stuffed.cells.is_empty());
        let volume: f64 = mesh(stuffed.clone()).volume();
        prop_assert!(volume < 1.0);
        prop_assert!(MeshQuality::new(&mesh(stuffed)).minimum() > 10.6);
    }
}
