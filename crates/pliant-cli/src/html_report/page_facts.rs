//! What stands at the top of a report.

use pliant::mesh::SimplexMesh;

use crate::model::Model;

/// One sentence on the body.
pub fn lead<const D: usize>(mesh: &SimplexMesh<D>) -> String {
    let cells = if D == 2 { "triangles" } else { "tetrahedra" };
    let regions = match mesh.regions().len() {
        1 => "one region".to_owned(),
        count => format!("{count} regions"),
    };
    let (low, high) = mesh.bounding_box();
    let sides: Vec<String> = (0..D).map(|axis| format!("{:.3}", high[axis] - low[axis])).collect();
    format!("A {D}D body of {} {cells} in {regions}, {} m.", mesh.cell_count(), sides.join(" x "))
}

/// Names and values.
pub fn facts<const D: usize>(model: &Model<D>) -> Vec<(String, String)> {
    let mut facts = vec![("vertices".to_owned(), model.mesh.vertex_count().to_string())];
    for (index, region) in model.mesh.regions().iter().enumerate() {
        let of_region = model.mesh.cell_regions().iter().zip(model.material.youngs_modulus());
        let moduli = of_region.filter(|(at, _)| **at == index).map(|(_, modulus)| *modulus);
        let (low, high) = moduli.fold((f64::INFINITY, 0.0_f64), |(low, high), e| (low.min(e), high.max(e)));
        let value = if low == high { format!("{low:e} Pa") } else { format!("{low:e} to {high:e} Pa") };
        facts.push((format!("E of {region}"), value));
    }
    facts
}
