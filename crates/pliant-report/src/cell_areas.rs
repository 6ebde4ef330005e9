//! Cells of one colour as one area, and edges as lines: the path around many cells is far shorter than one for each.

use std::collections::BTreeMap;

use crate::svg::tenths;

/// The closed loops around the union of some triangles, each a list of vertices with the area on its left.
///
/// Edges that two of the triangles share are inside and left out; what remains is linked head to tail.
pub(crate) fn boundary_loops<'c>(triangles: impl Iterator<Item = &'c [usize]>) -> Vec<Vec<usize>> {
    let mut edges: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    for cell in triangles {
        for [a, b] in [[cell[0], cell[1]], [cell[1], cell[2]], [cell[2], cell[0]]] {
            match edges.get_mut(&[b, a]) {
                Some(count) if *count > 1 => *count -= 1,
                Some(_) => {
                    edges.remove(&[b, a]);
                }
                None => *edges.entry([a, b]).or_insert(0) += 1,
            }
        }
    }
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for ([a, b], count) in edges {
        next.entry(a).or_default().extend(std::iter::repeat_n(b, count));
    }
    let mut loops = Vec::new();
    while let Some((&start, _)) = next.first_key_value() {
        let mut chain = vec![start];
        let mut at = start;
        while let Some(ends) = next.get_mut(&at) {
            let Some(end) = ends.pop() else { break };
            if ends.is_empty() {
                next.remove(&at);
            }
            at = end;
            if at == start {
                break;
            }
            chain.push(at);
        }
        loops.push(chain);
    }
    loops
}

/// A closed path through points in pixels, in relative moves, which are shorter to write; points closer than a tenth of a pixel to the one
/// before are left out. Nothing where all are.
pub(crate) fn closed_path(points: impl Iterator<Item = [f64; 2]>) -> String {
    let path = open_path(points);
    if path.is_empty() { path } else { path + "z" }
}

/// A path through points in pixels; otherwise as [`closed_path`].
pub(crate) fn open_path(points: impl Iterator<Item = [f64; 2]>) -> String {
    let mut points = points.map(|point| point.map(tenths));
    let Some(first) = points.next() else { return String::new() };
    let mut moves = String::new();
    let mut last = first;
    for point in points {
        let [dx, dy] = [tenths(point[0] - last[0]), tenths(point[1] - last[1])];
        if dx == 0.0 && dy == 0.0 {
            continue;
        }
        if !moves.is_empty() && dx >= 0.0 {
            moves.push(' ');
        }
        moves += &dx.to_string();
        if dy >= 0.0 {
            moves.push(' ');
        }
        moves += &dy.to_string();
        last = point;
    }
    // A path of one point is no SVG: what follows it would not be drawn.
    if moves.is_empty() { moves } else { format!("M{} {}l{moves}", first[0], first[1]) }
}

/// Edges as lines through as many vertices as possible: each begins and ends where not two edges meet, or is closed.
///
/// Dashes run on along a line, where they would begin anew with every edge.
pub(crate) fn chained(edges: &[[usize; 2]]) -> Vec<Vec<usize>> {
    let mut beside: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, edge) in edges.iter().enumerate() {
        edge.iter().for_each(|&vertex| beside.entry(vertex).or_default().push(index));
    }
    let mut is_used = vec![false; edges.len()];
    let ends = beside.iter().filter(|(_, edges)| edges.len() != 2).map(|(&vertex, _)| vertex);
    let starts: Vec<usize> = ends.chain(beside.keys().copied()).collect();
    let mut lines = Vec::new();
    for start in starts {
        while let Some(mut index) = beside[&start].iter().copied().find(|&index| !is_used[index]) {
            let mut line = vec![start];
            let mut at = start;
            loop {
                is_used[index] = true;
                at = edges[index][usize::from(edges[index][0] == at)];
                line.push(at);
                match beside[&at].iter().copied().find(|&index| !is_used[index]) {
                    Some(next) if beside[&at].len() == 2 && at != start => index = next,
                    _ => break,
                }
            }
            lines.push(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_triangles_are_one_square_and_a_hole_is_a_loop_of_its_own() {
        let square = [[0, 1, 2], [0, 2, 3]];
        assert_eq!(boundary_loops(square.iter().map(|cell| &cell[..])), [vec![0, 1, 2, 3]]);
        // A ring of eight triangles between an outer square 0..4 and an inner one 4..8.
        let ring: Vec<[usize; 3]> =
            (0..4).flat_map(|i| [[i, (i + 1) % 4, 4 + i], [(i + 1) % 4, 4 + (i + 1) % 4, 4 + i]]).collect();
        let loops = boundary_loops(ring.iter().map(|cell| &cell[..]));
        assert_eq!(loops.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4]);
    }

    #[test]
    fn edges_are_linked_between_junctions_and_around() {
        assert_eq!(chained(&[[1, 2], [0, 1], [2, 3]]), [vec![0, 1, 2, 3]]);
        assert_eq!(chained(&[[0, 1], [1, 2], [2, 0]]), [vec![0, 1, 2, 0]]);
        let junction = chained(&[[0, 4], [1, 4], [2, 4]]);
        assert_eq!(junction, [vec![0, 4], vec![1, 4], vec![2, 4]]);
    }

    #[test]
    fn paths_are_relative_and_drop_what_does_not_move() {
        let points = [[0.0, 0.0], [1.0, -2.0], [1.01, -2.01], [0.5, 3.0]];
        assert_eq!(closed_path(points.into_iter()), "M0 0l1-2-0.5 5z");
        assert_eq!(closed_path([[1.0, 1.0], [1.01, 1.0]].into_iter()), "");
    }
}
