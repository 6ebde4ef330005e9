//! Young's modulus, Poisson ratio and density of every cell.

use crate::{MeshError, SimplexMesh};

/// One isotropic elastic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// E in Pa, positive.
    pub youngs_modulus: f64,
    /// nu, between -1 and 0.5, both excluded.
    pub poisson_ratio: f64,
    /// rho in kg/m^D, positive.
    pub density: f64,
}

impl Material {
    /// The first Lame parameter `E nu / ((1 + nu) (1 - 2 nu))` in Pa (plane strain in 2D).
    pub fn lambda(&self) -> f64 {
        let nu = self.poisson_ratio;
        self.youngs_modulus * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))
    }

    /// The shear modulus `E / (2 (1 + nu))` in Pa.
    pub fn mu(&self) -> f64 {
        self.youngs_modulus / (2.0 * (1.0 + self.poisson_ratio))
    }

    fn check(&self, what: impl Fn() -> String) -> Result<(), MeshError> {
        let nu = self.poisson_ratio;
        let positive = |value: f64| value.is_finite() && value > 0.0;
        let checks = [
            (
                "Young's modulus",
                self.youngs_modulus,
                positive(self.youngs_modulus),
                "a positive number of Pa",
            ),
            ("Poisson ratio", nu, nu > -1.0 && nu < 0.5, "above -1 and below 0.5"),
            ("density", self.density, positive(self.density), "a positive number of kg/m^D"),
        ];
        match checks.into_iter().find(|(_, _, valid, _)| !valid) {
            Some((parameter, value, _, limit)) => {
                Err(MeshError::MaterialOutOfRange { what: what(), parameter, value, limit })
            }
            None => Ok(()),
        }
    }
}

/// The material of every cell of one mesh, each value in its range.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialMap {
    youngs_modulus: Vec<f64>,
    poisson_ratio: Vec<f64>,
    density: Vec<f64>,
}

impl MaterialMap {
    /// One material everywhere.
    ///
    /// # Errors
    /// If a value is out of range.
    pub fn uniform<const D: usize>(mesh: &SimplexMesh<D>, material: Material) -> Result<Self, MeshError> {
        material.check(|| "the body".to_owned())?;
        Ok(Self::collect(std::iter::repeat_n(material, mesh.cell_count())))
    }

    /// Looks each region's material up by name; `"*"` stands for every region that is not named.
    ///
    /// # Errors
    /// A name that is not a region, a region without a material, or a value out of range.
    pub fn from_regions<const D: usize, N: AsRef<str>>(
        mesh: &SimplexMesh<D>,
        materials: &[(N, Material)],
    ) -> Result<Self, MeshError> {
        for (name, material) in materials {
            let name = name.as_ref();
            material.check(|| format!("region \"{name}\""))?;
            if name != "*" && !mesh.regions().iter().any(|region| region == name) {
                return Err(MeshError::UnknownRegion {
                    name: name.to_owned(),
                    regions: mesh.regions().to_vec(),
                });
            }
        }
        let find = |name: &str| {
            materials.iter().rev().find(|(key, _)| key.as_ref() == name).map(|&(_, material)| material)
        };
        let by_region: Vec<Option<Material>> =
            mesh.regions().iter().map(|region| find(region).or_else(|| find("*"))).collect();
        let missing: Vec<String> = mesh
            .regions()
            .iter()
            .enumerate()
            .filter(|&(index, _)| by_region[index].is_none() && mesh.cell_regions().contains(&index))
            .map(|(_, region)| region.clone())
            .collect();
        if !missing.is_empty() {
            return Err(MeshError::RegionWithoutMaterial { regions: missing });
        }
        Ok(Self::collect(
            mesh.cell_regions()
                .iter()
                .map(|&region| by_region[region].expect("every region that has a cell has a material")),
        ))
    }

    /// Evaluates a function at the centroid of every cell.
    ///
    /// # Errors
    /// If a value is out of range; the message names the cell.
    pub fn from_function<const D: usize>(
        mesh: &SimplexMesh<D>,
        material: impl Fn([f64; D]) -> Material,
    ) -> Result<Self, MeshError> {
        Self::checked((0..mesh.cell_count()).map(|cell| material(mesh.centroid(cell))))
    }

    /// Takes E, nu and rho from arrays with one entry for each cell.
    ///
    /// # Errors
    /// If an array has the wrong length or a value is out of range.
    pub fn from_arrays<const D: usize>(
        mesh: &SimplexMesh<D>,
        youngs_modulus: &[f64],
        poisson_ratio: &[f64],
        density: &[f64],
    ) -> Result<Self, MeshError> {
        for (what, array) in [
            ("the array of Young's moduli", youngs_modulus),
            ("the array of Poisson ratios", poisson_ratio),
            ("the array of densities", density),
        ] {
            if array.len() != mesh.cell_count() {
                return Err(MeshError::CellCount { what, length: array.len(), cells: mesh.cell_count() });
            }
        }
        Self::checked((0..mesh.cell_count()).map(|cell| Material {
            youngs_modulus: youngs_modulus[cell],
            poisson_ratio: poisson_ratio[cell],
            density: density[cell],
        }))
    }

    /// t.
    pub fn cell_count(&self) -> usize {
        self.density.len()
    }

    /// The material of one cell.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn material(&self, cell: usize) -> Material {
        Material {
            youngs_modulus: self.youngs_modulus[cell],
            poisson_ratio: self.poisson_ratio[cell],
            density: self.density[cell],
        }
    }

    /// E of every cell in Pa.
    pub fn youngs_modulus(&self) -> &[f64] {
        &self.youngs_modulus
    }

    /// nu of every cell.
    pub fn poisson_ratio(&self) -> &[f64] {
        &self.poisson_ratio
    }

    /// rho of every cell in kg/m^D.
    pub fn density(&self) -> &[f64] {
        &self.density
    }

    fn checked(materials: impl Iterator<Item = Material>) -> Result<Self, MeshError> {
        let materials: Vec<Material> = materials.collect();
        for (cell, material) in materials.iter().enumerate() {
            material.check(|| format!("cell {cell}"))?;
        }
        Ok(Self::collect(materials.into_iter()))
    }

    fn collect(materials: impl Iterator<Item = Material>) -> Self {
        let mut map = Self { youngs_modulus: Vec::new(), poisson_ratio: Vec::new(), density: Vec::new() };
        for material in materials {
            map.youngs_modulus.push(material.youngs_modulus);
            map.poisson_ratio.push(material.poisson_ratio);
            map.density.push(material.density);
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BONE: Material = Material { youngs_modulus: 1e6, poisson_ratio: 0.4, density: 1.0 };
    const JOINT: Material = Material { youngs_modulus: 1e3, poisson_ratio: 0.4, density: 2.0 };

    fn mesh() -> SimplexMesh<2> {
        SimplexMesh::new(vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], vec![0, 1, 2, 0, 2, 3])
            .unwrap()
            .with_regions(vec!["bone".to_owned(), "joint".to_owned()], vec![1, 0])
            .unwrap()
    }

    #[test]
    fn regions_are_looked_up_by_name_and_the_star_is_the_rest() {
        let map = MaterialMap::from_regions(&mesh(), &[("*", JOINT), ("bone", BONE)]).unwrap();
        assert_eq!(map.youngs_modulus(), [1e3, 1e6]);
        assert_eq!(map.density(), [2.0, 1.0]);
    }

    #[test]
    fn a_misspelt_region_is_an_error_that_names_the_nearest() {
        let error = MaterialMap::from_regions(&mesh(), &[("bnoe", BONE), ("*", JOINT)]).unwrap_err();
        assert!(error.to_string().contains("did you mean \"bone\"?"), "{error}");
    }

    #[test]
    fn a_region_without_material_is_an_error_that_lists_it() {
        let error = MaterialMap::from_regions(&mesh(), &[("bone", BONE)]).unwrap_err();
        assert_eq!(error.to_string(), "no material for \"joint\"; give one to each region");
    }

    #[test]
    fn values_out_of_range_are_errors_that_name_the_cell_and_the_value() {
        for (bad, value) in [
            (Material { youngs_modulus: 0.0, ..BONE }, "0"),
            (Material { youngs_modulus: f64::NAN, ..BONE }, "NaN"),
            (Material { poisson_ratio: 0.5, ..BONE }, "0.5"),
            (Material { poisson_ratio: -1.0, ..BONE }, "-1"),
            (Material { density: -2.0, ..BONE }, "-2"),
        ] {
            let error =
                MaterialMap::from_function(&mesh(), |x| if x[0] < 0.5 { bad } else { BONE }).unwrap_err();
            assert!(error.to_string().starts_with("cell 1 has the"), "{error}");
            assert!(error.to_string().contains(value), "{error}");
        }
    }

    #[test]
    fn lame_parameters_follow_from_modulus_and_ratio() {
        assert!((BONE.mu() - 1e6 / 2.8).abs() < 1e-9);
        assert!((BONE.lambda() - 0.4e6 / (1.4 * 0.2)).abs() < 1e-8);
    }
}
