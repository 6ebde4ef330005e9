//! Materials by name: common tissues, rubbers and plastics for printing, each with the source of its values.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::{Material, Quantity};

/// A material with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialPreset {
    /// For example `cortical-bone`.
    pub name: String,
    /// `tissue`, `rubber` or `plastic`.
    pub group: String,
    /// E, nu and the density of the bulk, in kg/m^3.
    pub material: Material,
    /// Author and year, or the maker's data sheet, for each value.
    pub source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    group: String,
    youngs_modulus: String,
    poisson_ratio: f64,
    density: String,
    source: String,
}

/// All presets: tissues, then rubbers, then plastics, each by name.
pub fn material_presets() -> &'static [MaterialPreset] {
    static PRESETS: OnceLock<Vec<MaterialPreset>> = OnceLock::new();
    PRESETS.get_or_init(|| {
        let entries: BTreeMap<String, Entry> = toml::from_str(include_str!("../data/material_presets.toml"))
            .expect("the shipped file of presets is valid, by test");
        let mut presets: Vec<MaterialPreset> =
            entries.into_iter().map(|(name, entry)| preset(name, entry)).collect();
        let order = |preset: &MaterialPreset| {
            ["tissue", "rubber", "plastic"].iter().position(|group| *group == preset.group)
        };
        presets.sort_by_key(order);
        presets
    })
}

fn preset(name: String, entry: Entry) -> MaterialPreset {
    let value = |quantity: Quantity, text: &str| {
        quantity.parse(text).expect("the shipped file of presets is valid, by test")
    };
    let material = Material {
        youngs_modulus: value(Quantity::Pressure, &entry.youngs_modulus),
        poisson_ratio: entry.poisson_ratio,
        density: value(Quantity::Density, &entry.density),
    };
    MaterialPreset { name, group: entry.group, material, source: entry.source }
}

/// The preset of a name.
pub fn material_preset(name: &str) -> Option<&'static MaterialPreset> {
    material_presets().iter().find(|preset| preset.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MaterialMap, SimplexMesh};

    #[test]
    fn every_preset_is_a_valid_material_with_a_source_and_a_group() {
        let mesh = SimplexMesh::new(vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], vec![0, 1, 2]).unwrap();
        assert!(material_presets().len() >= 20);
        for preset in material_presets() {
            MaterialMap::uniform(&mesh, preset.material).unwrap();
            assert!(["tissue", "rubber", "plastic"].contains(&preset.group.as_str()), "{preset:?}");
            assert!(
                preset.source.chars().any(|c| c.is_ascii_digit()) || preset.source.contains("data"),
                "{preset:?}"
            );
            assert_eq!(material_preset(&preset.name), Some(preset));
        }
    }
}
