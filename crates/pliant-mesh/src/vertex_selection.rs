//! Which vertices, or which cells, a pin, a load, a handle or a region applies to.

use std::fmt;

use crate::{MeshError, NearestVertex, SimplexMesh};

/// A way of choosing vertices, or cells by their centroids.
#[derive(Clone, Debug, PartialEq)]
pub enum VertexSelection<const D: usize> {
    /// A coordinate between bounds, both inclusive; at least one is given.
    Range {
        /// 0 for x, 1 for y, 2 for z.
        axis: usize,
        /// Lower bound in m.
        min: Option<f64>,
        /// Upper bound in m.
        max: Option<f64>,
    },
    /// An axis-aligned box, its faces included.
    Box {
        /// Lowest corner in m.
        min: [f64; D],
        /// Highest corner in m.
        max: [f64; D],
    },
    /// A ball (disc in 2D), its surface included.
    Ball {
        /// Centre in m.
        center: [f64; D],
        /// Radius in m.
        radius: f64,
    },
    /// The vertices of the cells of a region.
    Region(String),
    /// A vertex set of the mesh.
    Set(String),
    /// These vertices.
    Vertices(Vec<usize>),
    /// The vertex nearest to a point in m; of vertices whose distances agree to 1e-9, the lowest.
    Nearest([f64; D]),
    /// Everything that any of these selects.
    Union(Vec<VertexSelection<D>>),
}

impl<const D: usize> VertexSelection<D> {
    /// The selected vertices, ascending and without repetition, never empty. O(n + t).
    ///
    /// # Errors
    /// A selection (or a member of a union) that selects nothing, an unknown region or set, a vertex that does not
    /// exist, or bounds that make no sense.
    pub fn select(&self, mesh: &SimplexMesh<D>) -> Result<Vec<usize>, MeshError> {
        self.check_bounds()?;
        let mut vertices = match self {
            Self::Range { .. } | Self::Box { .. } | Self::Ball { .. } => {
                let positions = mesh.positions().iter().enumerate();
                positions.filter(|(_, position)| self.contains(position)).map(|(vertex, _)| vertex).collect()
            }
            Self::Region(name) => {
                let region = region_index(mesh, name)?;
                let cells = mesh.cells().zip(mesh.cell_regions());
                cells.filter(|&(_, &other)| other == region).flat_map(|(cell, _)| cell).copied().collect()
            }
            Self::Set(name) => match mesh.vertex_sets().iter().find(|set| set.name == *name) {
                Some(set) => set.vertices.clone(),
                None => {
                    let sets = mesh.vertex_sets().iter().map(|set| set.name.clone()).collect();
                    return Err(MeshError::UnknownVertexSet { name: name.clone(), sets });
                }
            },
            Self::Vertices(vertices) => {
                if let Some(&vertex) = vertices.iter().find(|&&vertex| vertex >= mesh.vertex_count()) {
                    let what = "the selection".to_owned();
                    return Err(MeshError::VertexOutOfRange { what, vertex, vertices: mesh.vertex_count() });
                }
                vertices.clone()
            }
            Self::Nearest(point) => vec![NearestVertex::new(mesh).nearest(*point)?],
            Self::Union(members) => {
                let mut all = Vec::new();
                for member in members {
                    all.extend(member.select(mesh)?);
                }
                all
            }
        };
        vertices.sort_unstable();
        vertices.dedup();
        if vertices.is_empty() { Err(self.empty("vertex", mesh)) } else { Ok(vertices) }
    }

    /// The cells whose centroid is in the range, box or ball, or that belong to the region; ascending, never empty. O(t).
    ///
    /// # Errors
    /// As [`VertexSelection::select`], and for a set, a list of vertices or a nearest vertex, which select no cells.
    pub fn select_cells(&self, mesh: &SimplexMesh<D>) -> Result<Vec<usize>, MeshError> {
        self.check_bounds()?;
        let mut cells: Vec<usize> = match self {
            Self::Range { .. } | Self::Box { .. } | Self::Ball { .. } => {
                (0..mesh.cell_count()).filter(|&cell| self.contains(&mesh.centroid(cell))).collect()
            }
            Self::Region(name) => {
                let region = region_index(mesh, name)?;
                let regions = mesh.cell_regions().iter().enumerate();
                regions.filter(|&(_, &other)| other == region).map(|(cell, _)| cell).collect()
            }
            Self::Union(members) => {
                let mut all = Vec::new();
                for member in members {
                    all.extend(member.select_cells(mesh)?);
                }
                all
            }
            Self::Set(_) | Self::Vertices(_) | Self::Nearest(_) => {
                let problem =
                    format!("{self} selects vertices, not cells; select cells by axis, box, ball or region");
                return Err(MeshError::InvalidSelection { problem });
            }
        };
        cells.sort_unstable();
        cells.dedup();
        if cells.is_empty() { Err(self.empty("cell", mesh)) } else { Ok(cells) }
    }

    /// Whether a range, box or ball contains the point; the other selections contain none.
    fn contains(&self, point: &[f64; D]) -> bool {
        match self {
            Self::Range { axis, min, max } => {
                min.is_none_or(|min| point[*axis] >= min) && max.is_none_or(|max| point[*axis] <= max)
            }
            Self::Box { min, max } => (0..D).all(|axis| point[axis] >= min[axis] && point[axis] <= max[axis]),
            Self::Ball { center, radius } => {
                let squared: f64 = (0..D).map(|axis| (point[axis] - center[axis]).powi(2)).sum();
                squared <= radius * radius
            }
            _ => false,
        }
    }

    fn check_bounds(&self) -> Result<(), MeshError> {
        let problem = match self {
            Self::Range { axis, .. } if *axis >= D => {
                format!(
                    "axis {axis} ({}) does not exist in {D}D; use {}",
                    axis_name(*axis),
                    ["x, y or z", "x or y"][usize::from(D == 2)]
                )
            }
            Self::Range { min: None, max: None, axis } => {
                format!("the range on {} has no bound; give min, max or both", axis_name(*axis))
            }
            Self::Range { min, max, .. } if min.is_some_and(f64::is_nan) || max.is_some_and(f64::is_nan) => {
                format!("{self} has a bound that is no number; give a number")
            }
            Self::Range { min: Some(min), max: Some(max), .. } if min > max => {
                format!("{self} is empty because min is above max; swap them")
            }
            Self::Box { min, max } if !(0..D).all(|axis| min[axis] <= max[axis]) => {
                format!("{self} is empty because min is not below max on every axis; swap them")
            }
            Self::Ball { radius, .. } if radius.is_nan() || *radius < 0.0 => {
                format!("{self} has the radius {radius}; give a positive number")
            }
            _ => return Ok(()),
        };
        Err(MeshError::InvalidSelection { problem })
    }

    fn empty(&self, kind: &'static str, mesh: &SimplexMesh<D>) -> MeshError {
        let (low, high) = mesh.bounding_box();
        let spans: Vec<String> =
            (0..D).map(|axis| format!("{} from {} to {}", axis_name(axis), low[axis], high[axis])).collect();
        MeshError::EmptySelection { selection: self.to_string(), kind, span: spans.join(", ") }
    }
}

impl<const D: usize> fmt::Display for VertexSelection<D> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Range { axis, min, max } => {
                let axis = axis_name(*axis);
                match (min, max) {
                    (Some(min), Some(max)) => write!(formatter, "the range {axis} from {min} to {max}"),
                    (Some(min), None) => write!(formatter, "the range {axis} from {min}"),
                    (None, Some(max)) => write!(formatter, "the range {axis} up to {max}"),
                    (None, None) => write!(formatter, "the range {axis}"),
                }
            }
            Self::Box { min, max } => write!(formatter, "the box from {min:?} to {max:?}"),
            Self::Ball { center, radius } => {
                write!(formatter, "the ball of radius {radius} about {center:?}")
            }
            Self::Region(name) => write!(formatter, "the region \"{name}\""),
            Self::Set(name) => write!(formatter, "the vertex set \"{name}\""),
            Self::Vertices(vertices) => write!(formatter, "the list of {} vertices", vertices.len()),
            Self::Nearest(point) => write!(formatter, "the vertex nearest to {point:?}"),
            Self::Union(members) => write!(formatter, "the union of {} selections", members.len()),
        }
    }
}

fn axis_name(axis: usize) -> &'static str {
    ["x", "y", "z"].get(axis).unwrap_or(&"?")
}

fn region_index<const D: usize>(mesh: &SimplexMesh<D>, name: &str) -> Result<usize, MeshError> {
    mesh.regions()
        .iter()
        .position(|region| region == name)
        .ok_or_else(|| MeshError::UnknownRegion { name: name.to_owned(), regions: mesh.regions().to_vec() })
}

#[cfg(test)]
mod tests {
    use super::VertexSelection::{self, *};
    use crate::{MeshParts, SimplexMesh, VertexSet};

    /// Three unit squares along x, each of two triangles; the middle one is soft.
    fn strip() -> SimplexMesh<2> {
        let positions = (0..8).map(|index| [(index / 2) as f64, (index % 2) as f64]).collect();
        let cells = (0..3).flat_map(|a| [2 * a, 2 * a + 2, 2 * a + 3, 2 * a, 2 * a + 3, 2 * a + 1]);
        let parts = MeshParts {
            positions,
            cells: cells.collect(),
            regions: vec!["hard".to_owned(), "soft".to_owned()],
            cell_regions: vec![0, 0, 1, 1, 0, 0],
            vertex_sets: vec![VertexSet { name: "corners".to_owned(), vertices: vec![0, 1, 6, 7] }],
        };
        SimplexMesh::from_parts(parts, &Default::default()).unwrap().mesh
    }

    fn range(axis: usize, min: Option<f64>, max: Option<f64>) -> VertexSelection<2> {
        Range { axis, min, max }
    }

    #[test]
    fn bounds_are_inclusive() {
        let mesh = strip();
        assert_eq!(range(0, Some(2.0), None).select(&mesh).unwrap(), [4, 5, 6, 7]);
        assert_eq!(range(0, None, Some(0.0)).select(&mesh).unwrap(), [0, 1]);
        assert_eq!(range(1, Some(1.0), Some(1.0)).select(&mesh).unwrap(), [1, 3, 5, 7]);
        assert_eq!(Box { min: [1.0, 0.0], max: [2.0, 0.5] }.select(&mesh).unwrap(), [2, 4]);
        assert_eq!(Ball { center: [1.0, 0.0], radius: 1.0 }.select(&mesh).unwrap(), [0, 2, 3, 4]);
    }

    #[test]
    fn names_lists_points_and_unions_select_their_vertices() {
        let mesh = strip();
        assert_eq!(Region("soft".to_owned()).select(&mesh).unwrap(), [2, 3, 4, 5]);
        assert_eq!(Set("corners".to_owned()).select(&mesh).unwrap(), [0, 1, 6, 7]);
        assert_eq!(Vertices(vec![5, 2, 5]).select(&mesh).unwrap(), [2, 5]);
        assert_eq!(Nearest([9.0, 0.2]).select(&mesh).unwrap(), [6]);
        let union = Union(vec![Nearest([9.0, 0.2]), range(0, None, Some(0.0))]);
        assert_eq!(union.select(&mesh).unwrap(), [0, 1, 6]);
    }

    #[test]
    fn cells_are_selected_by_centroid_or_region() {
        let mesh = strip();
        assert_eq!(range(0, Some(1.5), None).select_cells(&mesh).unwrap(), [2, 4, 5]);
        let union = Union(vec![Region("soft".to_owned()), Ball { center: [0.5, 0.5], radius: 0.3 }]);
        assert_eq!(union.select_cells(&mesh).unwrap(), [0, 1, 2, 3]);
        let error = Set("corners".to_owned()).select_cells(&mesh).unwrap_err().to_string();
        assert_eq!(
            error,
            "the vertex set \"corners\" selects vertices, not cells; select cells by axis, box, ball or region"
        );
    }

    #[test]
    fn bad_selections_are_refused_with_a_sentence() {
        let cases = [
            (
                range(0, Some(3.5), None),
                "the range x from 3.5 selects no vertex; the mesh spans x from 0 to 3, y from 0 to 1",
            ),
            (range(0, None, None), "the range on x has no bound; give min, max or both"),
            (
                range(0, Some(2.0), Some(1.0)),
                "the range x from 2 to 1 is empty because min is above max; swap them",
            ),
            (
                range(0, Some(f64::NAN), None),
                "the range x from NaN has a bound that is no number; give a number",
            ),
            (range(2, Some(2.0), None), "axis 2 (z) does not exist in 2D; use x or y"),
            (
                Ball { center: [0.0; 2], radius: -1.0 },
                "the ball of radius -1 about [0.0, 0.0] has the radius -1; give a positive number",
            ),
            (
                Region("sotf".to_owned()),
                "the mesh has no region \"sotf\" (did you mean \"soft\"?); its regions are \"hard\" and \"soft\"",
            ),
            (
                Set("corner".to_owned()),
                "the mesh has no vertex set \"corner\" (did you mean \"corners\"?); its vertex sets are \"corners\"",
            ),
            (Vertices(vec![8]), "the selection names vertex 8, but the mesh has 8 vertices (0 to 7)"),
            (
                Vertices(vec![]),
                "the list of 0 vertices selects no vertex; the mesh spans x from 0 to 3, y from 0 to 1",
            ),
            (
                Union(vec![Nearest([0.0; 2]), range(0, Some(9.0), None)]),
                "the range x from 9 selects no vertex; the mesh spans x from 0 to 3, y from 0 to 1",
            ),
        ];
        for (selection, expected) in cases {
            assert_eq!(selection.select(&strip()).unwrap_err().to_string(), expected);
        }
    }
}
