//! Sums over sets and their parts: number of objects, groups, mass.

use super::algebra::CostAlgebra;
use super::grid::{Grid, ones};
use super::minority::MinorityParts;
use super::state::{Child, Options, Split, State};
use super::summary::SetSummary;
use super::switches::Switches;
use std::ops::Range;

/// Scratch space for counting parts.
#[derive(Default)]
pub(super) struct Counter {
    /// Mass and number of objects by group: of the whole set, and of one part.
    whole: Vec<(f64, u32)>,
    part: Vec<(f64, u32)>,
    /// Groups of the current part.
    touched: Vec<u32>,
    /// Group, mass and number of objects in each of the smaller parts.
    taken: Vec<(u32, f64, u32)>,
    pub(super) minority: MinorityParts,
    /// Different splits of the current set.
    pub(super) splits: Vec<Split>,
    /// Index + 1 of each split in a hash table by its parts; 0 is empty.
    pub(super) places: Vec<u32>,
    /// Objects of all parts, as bits.
    pub(super) inside: Vec<u64>,
    /// Vector of children for reuse.
    pub(super) spare: Vec<Child>,
    /// Option vectors for reuse.
    pub(super) used: Vec<Options>,
    /// Whether only one of the tests that split in the same way is kept.
    pub(super) distinct: bool,
    /// Least number of objects of a set for the nested majority path.
    pub(super) nested: u32,
}

impl Counter {
    pub(super) fn new(groups: usize, switches: &Switches) -> Self {
        Self {
            whole: vec![(0.0, 0); groups],
            part: vec![(0.0, 0); groups],
            distinct: switches.distinct,
            nested: switches.nested.unwrap_or(u32::MAX),
            ..Self::default()
        }
    }

    /// Takes back the vectors of options that are no longer needed.
    pub(super) fn reuse(&mut self, options: Options) {
        self.used.push(options);
    }

    /// Summary of a whole set.
    pub(super) fn summary(&mut self, grid: &Grid, set: &[u64], algebra: &impl CostAlgebra) -> SetSummary {
        self.sum_groups(grid, set);
        let mut summary = SetSummary::default();
        for &(mass, count) in self.whole.iter().filter(|(_, count)| *count > 0) {
            summary.count += count;
            summary.groups += 1;
            summary.mass += mass;
            summary.spread += algebra.spread(mass);
        }
        summary
    }

    fn sum_groups(&mut self, grid: &Grid, set: &[u64]) {
        self.whole.fill((0.0, 0));
        for object in ones(set) {
            let (mass, count) = &mut self.whole[grid.groups[object] as usize];
            *mass += grid.weights[object];
            *count += 1;
        }
    }

    /// Size of the largest group of a set.
    pub(super) fn largest_group(&mut self, state: &State<'_>, algebra: &impl CostAlgebra) -> f64 {
        match (state.grid.plain(), state.grid.own) {
            (Some(weight), _) if algebra.is_mean() => weight,
            (_, true) if !algebra.is_mean() => 1.0,
            _ => {
                self.sum_groups(state.grid, state.set);
                let size =
                    |&(mass, count): &(f64, u32)| if algebra.is_mean() { mass } else { f64::from(count) };
                self.whole.iter().map(size).fold(0.0, f64::max)
            }
        }
    }

    /// Sums up the parts of a split; if sums are exact, the largest part is computed as the set − the other parts.
    pub(super) fn sum_parts(
        &mut self,
        grid: &Grid,
        whole: &SetSummary,
        split: &Split,
        children: &mut [Child],
        algebra: &impl CostAlgebra,
    ) {
        if let [level] = grid.levels.as_slice() {
            for child in children {
                let count = f64::from(child.summary.count);
                child.summary.groups = child.summary.count;
                (child.summary.mass, child.summary.spread) = (count * level.weight, count * level.spread);
            }
            return;
        }
        let mut rest = *whole;
        let largest = split.largest as usize;
        // If weights are not whole, a difference may be nothing but rounding: then all parts are added up.
        let inferred = grid.whole.then_some(largest);
        for (at, child) in children.iter_mut().enumerate().filter(|(at, _)| Some(*at) != inferred) {
            let start = split.inside + at * grid.words;
            let part = start..start + grid.words;
            let summary = &mut child.summary;
            if !grid.levels.is_empty() {
                sum_by_level(grid, &self.inside[part], summary);
            } else if grid.own {
                sum_by_object(grid, &self.inside[part], summary);
            } else {
                self.sum_by_group(grid, part, summary, algebra);
            }
            rest.mass -= summary.mass;
            if grid.own {
                rest.groups -= summary.groups;
                rest.spread -= summary.spread;
            }
        }
        if !grid.whole {
            self.taken.clear();
            return;
        }
        self.subtract_taken(&mut rest, algebra);
        children[largest].summary = SetSummary { count: children[largest].summary.count, ..rest };
    }

    /// Adds up a part by groups, and records its mass and number of each group in `taken`.
    #[inline]
    fn sum_by_group(
        &mut self,
        grid: &Grid,
        part: Range<usize>,
        summary: &mut SetSummary,
        algebra: &impl CostAlgebra,
    ) {
        for object in ones(&self.inside[part]) {
            let group = grid.groups[object];
            let (mass, count) = &mut self.part[group as usize];
            if *count == 0 {
                self.touched.push(group);
            }
            *mass += grid.weights[object];
            *count += 1;
            summary.mass += grid.weights[object];
        }
        summary.groups = self.touched.len() as u32;
        for group in self.touched.drain(..) {
            let (mass, count) = std::mem::take(&mut self.part[group as usize]);
            summary.spread += algebra.spread(mass);
            self.taken.push((group, mass, count));
        }
    }

    /// Subtracts the groups of all smaller parts from `rest`, which was the whole set.
    #[inline]
    fn subtract_taken(&mut self, rest: &mut SetSummary, algebra: &impl CostAlgebra) {
        // A group may lie in several of the smaller parts, so its rest is known only after all of them.
        for &(group, mass, count) in &self.taken {
            let whole = &mut self.whole[group as usize];
            rest.spread += algebra.spread(whole.0 - mass) - algebra.spread(whole.0);
            whole.0 -= mass;
            whole.1 -= count;
            rest.groups -= u32::from(whole.1 == 0);
        }
        for (group, mass, count) in self.taken.drain(..) {
            let whole = &mut self.whole[group as usize];
            whole.0 += mass;
            whole.1 += count;
        }
    }
}

/// Adds up a part with few different weights by counting each weight.
#[inline]
fn sum_by_level(grid: &Grid, part: &[u64], summary: &mut SetSummary) {
    for level in &grid.levels {
        let both = part.iter().zip(&level.set).map(|(set, level)| (set & level).count_ones());
        let count: u32 = both.sum();
        summary.mass += f64::from(count) * level.weight;
        summary.spread += f64::from(count) * level.spread;
    }
    summary.groups = summary.count;
}

/// Adds up a part in which every object is its own group.
#[inline]
fn sum_by_object(grid: &Grid, part: &[u64], summary: &mut SetSummary) {
    for object in ones(part) {
        summary.mass += grid.weights[object];
        summary.spread += grid.spreads[object];
    }
    summary.groups = summary.count;
}
