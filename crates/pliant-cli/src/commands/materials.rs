//! `pliant materials`: the materials that are known by name.

use std::fmt::Write;

use pliant::mesh::{MaterialPreset, material_presets};
use serde::Serialize;

use crate::cli::CommonOptions;
use crate::failure::Failure;
use crate::output::{print, text_table, to_json};

/// One preset of `pliant materials --json`.
#[derive(Serialize)]
struct PresetRecord {
    name: &'static str,
    group: &'static str,
    youngs_modulus: f64,
    poisson_ratio: f64,
    density: f64,
    source: &'static str,
}

impl From<&'static MaterialPreset> for PresetRecord {
    fn from(preset: &'static MaterialPreset) -> Self {
        Self {
            name: &preset.name,
            group: &preset.group,
            youngs_modulus: preset.material.youngs_modulus,
            poisson_ratio: preset.material.poisson_ratio,
            density: preset.material.density,
            source: &preset.source,
        }
    }
}

/// Prints the presets and the sources of their values.
///
/// # Errors
/// If the standard output cannot be written.
pub fn run(common: &CommonOptions) -> Result<(), Failure> {
    let presets: Vec<PresetRecord> = material_presets().iter().map(PresetRecord::from).collect();
    print(&if common.json { to_json(&presets)? } else { describe(&presets) })
}

fn describe(presets: &[PresetRecord]) -> String {
    let rows = presets.iter().map(|preset| {
        vec![
            preset.name.to_owned(),
            preset.group.to_owned(),
            format!("{:.3e}", preset.youngs_modulus),
            preset.poisson_ratio.to_string(),
            preset.density.to_string(),
        ]
    });
    let mut text = text_table(&["preset", "group", "E (Pa)", "nu", "rho (kg/m^3)"], rows);
    for preset in presets {
        let _ = writeln!(text, "{}: {}", preset.name, preset.source);
    }
    text
}
