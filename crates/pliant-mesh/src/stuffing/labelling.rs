//! Which label each lattice vertex has, which ones lie on an interface, and where lattice edges are cut.
//!
//! Only vertices with a neighbour of another label take part; they have a row with the cuts of the edges they own, as
//! fractions of the edge from the owner.

use super::lattice::{Lattice, OWNED, Site, direction, directions, moved};

/// The label of what lies outside of the body.
pub(crate) const OUTSIDE: u32 = 0;

/// No row.
const NONE: u32 = u32::MAX;

/// What is known of a vertex near an interface.
#[derive(Clone, Debug)]
struct Row {
    /// For each owned edge whose ends differ, where along it the interface passes; NaN elsewhere.
    cuts: [f64; 7],
    /// Where the vertex lies once it has been moved onto the interface.
    snapped: Option<[f64; 3]>,
}

/// Labels of a lattice's vertices and the cuts of its edges.
#[derive(Clone, Debug)]
pub(crate) struct Labelling {
    lattice: Lattice,
    labels: Vec<u32>,
    row_of: Vec<u32>,
    rows: Vec<Row>,
}

impl Labelling {
    /// Finds the edges whose ends differ and asks where each is cut, as a fraction from its first end.
    ///
    /// Answers outside 0 to 1, and NaN, become the nearest end and the middle.
    pub fn new(lattice: Lattice, labels: Vec<u32>, mut cut: impl FnMut(Site, usize) -> f64) -> Self {
        let count = lattice.vertex_count();
        let mut labelling = Self { lattice, labels, row_of: vec![NONE; count], rows: Vec::new() };
        for index in 0..count {
            let site = labelling.lattice.site(index);
            for (owned, &step) in OWNED.iter().enumerate() {
                let Some(other) = labelling.lattice.index(moved(site, step)) else { continue };
                if labelling.labels[index] == labelling.labels[other] {
                    continue;
                }
                let fraction = cut(site, owned);
                let fraction = if fraction.is_nan() { 0.5 } else { fraction.clamp(0.0, 1.0) };
                let row = labelling.row(index);
                labelling.rows[row].cuts[owned] = fraction;
                labelling.row(other);
            }
        }
        labelling
    }

    /// The row of a vertex, made when there is none.
    fn row(&mut self, index: usize) -> usize {
        if self.row_of[index] == NONE {
            self.row_of[index] = self.rows.len() as u32;
            self.rows.push(Row { cuts: [f64::NAN; 7], snapped: None });
        }
        self.row_of[index] as usize
    }

    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The label of a vertex, also of one on an interface: what it had before it was moved there.
    pub fn label(&self, site: Site) -> u32 {
        self.lattice.index(site).map_or(OUTSIDE, |index| self.labels[index])
    }

    /// Numbers of the vertices that have a neighbour of another label, ascending.
    pub fn near_interface(&self) -> Vec<usize> {
        (0..self.row_of.len()).filter(|&index| self.row_of[index] != NONE).collect()
    }

    /// Whether a vertex has been moved onto an interface.
    pub fn is_snapped(&self, site: Site) -> bool {
        self.snapped(site).is_some()
    }

    fn snapped(&self, site: Site) -> Option<[f64; 3]> {
        let row = self.row_of[self.lattice.index(site)?];
        if row == NONE { None } else { self.rows[row as usize].snapped }
    }

    /// Where a vertex lies now.
    pub fn position(&self, site: Site) -> [f64; 3] {
        self.snapped(site).unwrap_or_else(|| self.lattice.position(site))
    }

    /// Moves a vertex onto an interface; its edges are no longer cut.
    pub fn snap(&mut self, site: Site, position: [f64; 3]) {
        if let Some(index) = self.lattice.index(site) {
            let row = self.row(index);
            self.rows[row].snapped = Some(position);
        }
    }

    /// Where the edge from a vertex in one of the 14 directions is cut, as a fraction from the vertex; none if it is not.
    pub fn cut(&self, site: Site, index: usize) -> Option<f64> {
        let other = moved(site, direction(index));
        let differ = self.lattice.index(other).is_some() && self.label(site) != self.label(other);
        if !differ || self.is_snapped(site) || self.is_snapped(other) {
            return None;
        }
        let (owner, owned) = if index < 7 { (site, index) } else { (other, index - 7) };
        let fraction = self.rows[self.row_of[self.lattice.index(owner)?] as usize].cuts[owned];
        Some(if index < 7 { fraction } else { 1.0 - fraction })
    }

    /// Where the edge from a vertex to its neighbour one step further is cut, in m; in the middle if it is not.
    ///
    /// The same bits from both ends.
    pub fn cut_position(&self, site: Site, step: Site) -> [f64; 3] {
        let index = (0..14).find(|&index| direction(index) == step).unwrap_or(0);
        let (owner, owned) = if index < 7 { (site, index) } else { (moved(site, step), index - 7) };
        let fraction = self.cut(owner, owned).unwrap_or(0.5);
        let (from, to) = (self.lattice.position(owner), self.lattice.position(moved(owner, OWNED[owned])));
        std::array::from_fn(|axis| from[axis] + fraction * (to[axis] - from[axis]))
    }

    /// Moves the cut of an edge to another fraction from the vertex.
    pub fn set_cut(&mut self, site: Site, index: usize, fraction: f64) {
        let (owner, owned, fraction) = if index < 7 {
            (site, index, fraction)
        } else {
            (moved(site, direction(index)), index - 7, 1.0 - fraction)
        };
        if let Some(owner) = self.lattice.index(owner) {
            let row = self.row(owner);
            self.rows[row].cuts[owned] = fraction;
        }
    }

    /// Gives a vertex another label; the edges that become interfaces are cut in the middle.
    pub fn relabel(&mut self, site: Site, label: u32) {
        let Some(index) = self.lattice.index(site) else { return };
        let before: Vec<bool> = directions().map(|(index, _)| self.cut(site, index).is_some()).collect();
        self.labels[index] = label;
        for (index, step) in directions() {
            let other = moved(site, step);
            if let Some(number) = self.lattice.index(other) {
                self.row(number);
                if !before[index] {
                    self.set_cut(site, index, 0.5);
                }
            }
        }
    }
}
