use super::*;
use pliant_mesh::Material;

/// A strip of `columns` x 2 unit squares, two triangles each, cut along alternating diagonals.
fn strip(columns: usize) -> SimplexMesh<2> {
    let vertex = |x: usize, y: usize| x * 3 + y;
    let positions =
        (0..=columns).flat_map(|x| (0..3).map(move |y| [x as f64 + 0.5, y as f64 - 0.3])).collect();
    let mut cells = Vec::new();
    for x in 0..columns {
        for y in 0..2 {
            let [a, b, c, d] = [vertex(x, y), vertex(x + 1, y), vertex(x + 1, y + 1), vertex(x, y + 1)];
            cells.extend(if (x + y) % 2 == 0 { [a, b, c, a, c, d] } else { [a, b, d, b, c, d] });
        }
    }
    SimplexMesh::new(positions, cells).unwrap()
}

fn material(mesh: &SimplexMesh<2>) -> MaterialMap {
    MaterialMap::from_function(mesh, |[x, _]| Material {
        youngs_modulus: 1e4,
        poisson_ratio: 0.3,
        density: 1.0 + x,
    })
    .unwrap()
}

/// Two frames that blend along the strip with the square of the distance, which keeps the columns independent.
fn blend(mesh: &SimplexMesh<2>) -> Weights {
    let length = mesh.positions().iter().fold(0.0, |most: f64, [x, _]| most.max(*x));
    let rows: Vec<Vec<(usize, f64)>> = mesh
        .positions()
        .iter()
        .map(|[x, _]| {
            let right = ((x - 0.5) / (length - 0.5)).powi(2);
            if right == 0.0 { vec![(0, 1.0)] } else { vec![(0, 1.0 - right), (1, right)] }
        })
        .collect();
    Weights::from_rows(2, &rows).unwrap()
}

/// One hat for each column of vertices: between columns everything is affine, so no frame is fully independent.
fn hats(mesh: &SimplexMesh<2>, columns: usize) -> Weights {
    let rows: Vec<_> = (0..mesh.vertex_count()).map(|vertex| vec![(vertex / 3, 1.0)]).collect();
    Weights::from_rows(columns + 1, &rows).unwrap()
}

fn build(mesh: &SimplexMesh<2>, weights: Weights) -> Subspace<2> {
    Subspace::linear_blend_skinning(mesh, &material(mesh), weights).unwrap()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn columns_hold_weight_times_coordinate_in_the_order_of_the_affine_map() {
    let mesh = strip(4);
    let subspace = build(&mesh, blend(&mesh));
    assert_eq!((subspace.dofs(), subspace.rank(), subspace.frame_count()), (12, 12, 2));
    for (vertex, position) in mesh.positions().iter().enumerate() {
        for frame in 0..2 {
            let weight = subspace.weights().weight(vertex, frame);
            let expected = [weight * position[0], weight * position[1], weight];
            for h in 0..3 {
                let column = frame * 3 + h;
                assert_eq!(subspace.scalar_column(column)[vertex], expected[h]);
                for component in 0..2 {
                    let mut unit = vec![0.0; 12];
                    unit[column * 2 + component] = 1.0;
                    let lifted = subspace.lift(&unit)[vertex];
                    assert_eq!((lifted[component], lifted[1 - component]), (expected[h], 0.0));
                }
            }
        }
    }
}

#[test]
fn densities_count_the_entries_of_the_whole_basis() {
    let mesh = strip(4);
    let subspace = build(&mesh, blend(&mesh));
    // 15 vertices of which 3 + 3 follow one frame; no coordinate is 0.
    assert_eq!(subspace.basis_nonzeros(), (9 * 2 + 6) * 3 * 2);
    assert!((subspace.basis_density() - 144.0 / (30.0 * 12.0)).abs() < 1e-15);
}

#[test]
fn projecting_a_lift_gives_the_coordinates_back_at_full_rank() {
    let mesh = strip(5);
    let subspace = build(&mesh, blend(&mesh));
    let coordinates: Vec<f64> = (0..12).map(|index| (index as f64 * 1.7).sin()).collect();
    let back = subspace.project(&subspace.lift(&coordinates));
    assert!(largest_difference(&back, &coordinates) < 1e-12);
}

#[test]
fn the_projection_error_is_mass_orthogonal_to_the_basis() {
    let mesh = strip(5);
    let subspace = build(&mesh, blend(&mesh));
    let target: Vec<[f64; 2]> = mesh.positions().iter().map(|[x, y]| [x * x * y, (x + y).sin()]).collect();
    let nearest = subspace.lift(&subspace.project(&target));
    let error: Vec<[f64; 2]> = nearest.iter().zip(&target).map(|(a, b)| [a[0] - b[0], a[1] - b[1]]).collect();
    assert!(error.iter().any(|error| error[0].abs() > 0.1));
    for column in 0..subspace.scalar_column_count() {
        let values = subspace.scalar_column(column);
        for component in 0..2 {
            let product: f64 =
                (0..values.len()).map(|v| subspace.mass()[v] * values[v] * error[v][component]).sum();
            assert!(product.abs() < 1e-10, "column {column}: {product}");
        }
    }
}

#[test]
fn dependent_columns_are_dropped_and_the_lift_still_projects_onto_itself() {
    let mesh = strip(4);
    let subspace = build(&mesh, hats(&mesh, 4));
    // On a column of vertices x is constant: 1 and x are parallel, so each frame loses one scalar column.
    assert_eq!((subspace.dofs(), subspace.rank()), (30, 20));
    assert!(subspace.kept_columns().is_sorted());
    let coordinates: Vec<f64> = (0..30).map(|index| (index as f64 * 0.9).cos()).collect();
    let lifted = subspace.lift(&coordinates);
    let projected = subspace.project(&lifted);
    for column in (0..15).filter(|column| !subspace.kept_columns().contains(column)) {
        assert_eq!(projected[column * 2..column * 2 + 2], [0.0, 0.0]);
    }
    let again = subspace.lift(&projected);
    assert!(largest_difference(again.as_flattened(), lifted.as_flattened()) < 1e-12);
}

#[test]
fn the_rest_coordinates_are_the_identity_in_each_frame_when_the_weights_sum_to_one() {
    let mesh = strip(4);
    let subspace = build(&mesh, blend(&mesh));
    let rest = subspace.rest_coordinates();
    assert_eq!(rest, [1.0, 0.0, 0.0, 1.0, 0.0, 0.0].repeat(2));
    let displacement = subspace.displacement(&rest);
    assert!(displacement.as_flattened().iter().all(|component| component.abs() < 1e-14));
}

#[test]
fn affine_maps_are_exact_for_weights_that_only_span_the_constant() {
    let mesh = strip(4);
    // Columns 3 and 0.5 + x: the constant is their combination only together with a frame of its own.
    let rows: Vec<_> = mesh.positions().iter().map(|[x, y]| vec![(0, 3.0), (1, x * y - 2.0)]).collect();
    let subspace = build(&mesh, Weights::from_rows(2, &rows).unwrap());
    let (linear, translation) = ([[0.3, -2.0], [1.5, 0.7]], [4.0, -5.0]);
    let lifted = subspace.lift(&subspace.affine_coordinates(&linear, &translation));
    for (position, image) in mesh.positions().iter().zip(lifted) {
        for component in 0..2 {
            let [a, b] = linear[component];
            let expected = a * position[0] + b * position[1] + translation[component];
            assert!((image[component] - expected).abs() < 1e-12);
        }
    }
    let rest = subspace.displacement(&subspace.rest_coordinates());
    assert!(rest.as_flattened().iter().all(|component| component.abs() < 1e-12));
}

#[test]
fn weights_and_materials_of_another_mesh_are_refused() {
    let (mesh, other) = (strip(4), strip(5));
    let error = Subspace::linear_blend_skinning(&mesh, &material(&mesh), blend(&other)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there are 18 rows of weights, but the mesh has 15 vertices; build them on the same mesh"
    );
    let error = Subspace::linear_blend_skinning(&mesh, &material(&other), blend(&mesh)).unwrap_err();
    assert!(error.to_string().contains("20 entries of the material map, but the mesh has 16 cells"));
    let zero = Weights::from_rows(1, &vec![vec![]; 15]).unwrap();
    let error = Subspace::linear_blend_skinning(&mesh, &material(&mesh), zero).unwrap_err();
    assert!(matches!(error, BasisError::NoWeight));
}
