//! Polygons as triangles.

/// A polygon as a fan of triangles around its first vertex.
pub(crate) fn polygon_fan(polygon: &[usize]) -> impl Iterator<Item = [usize; 3]> + '_ {
    let first = polygon.first().copied().unwrap_or(0);
    polygon.windows(2).skip(1).map(move |pair| [first, pair[0], pair[1]])
}
