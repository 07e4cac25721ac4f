//! How many objects of each group give the second answers at a large node: counted once, and then known of its parts.

use super::sums::WORTH_SHARING;
use crate::lanes::Lane;
use crate::simd::count_columns;
use crate::{GroupId, Span};
use rayon::prelude::*;

/// By group and packed test: how many objects give the second answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    groups: Vec<GroupId>,
    /// How many tests there are, and some that are none.
    width: usize,
    counts: Vec<u32>,
}

impl Tally {
    /// Counts the rows of each group.
    pub(crate) fn new(runs: &[Span], rows: &[&[Lane]], stride: usize, width: usize) -> Self {
        let mut counts = vec![0; runs.len() * width];
        let lanes: usize = rows.iter().map(|rows| rows.len()).sum();
        if lanes < WORTH_SHARING || rayon::current_num_threads() < 2 {
            let each = counts.chunks_exact_mut(width).zip(rows);
            each.for_each(|(counts, rows)| count_columns(rows, stride, counts));
        } else {
            let each = counts.par_chunks_exact_mut(width).zip(rows);
            each.for_each(|(counts, rows)| count_columns(rows, stride, counts));
        }
        Self { groups: runs.iter().map(|run| run.group).collect(), width, counts }
    }

    /// How many tests there are, and some that are none.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// What is left for the groups of `runs` without `others`.
    pub(crate) fn without(mut self, others: &Self, runs: &[Span]) -> Self {
        for (group, counts) in others.groups.iter().zip(others.counts.chunks_exact(self.width)) {
            let at = self.place(*group);
            let own = &mut self.counts[at * self.width..][..self.width];
            own.iter_mut().zip(counts).for_each(|(own, count)| *own -= count);
        }
        let counts = runs.iter().flat_map(|run| self.run(self.place(run.group))).copied().collect();
        Self { groups: runs.iter().map(|run| run.group).collect(), counts, ..self }
    }

    fn place(&self, group: GroupId) -> usize {
        self.groups.binary_search(&group).expect("a part has groups of its node")
    }

    /// The counts of one test, by group.
    pub(crate) fn column(&self, test: usize) -> impl Iterator<Item = u32> {
        self.counts.iter().skip(test).step_by(self.width).copied()
    }

    /// The counts of group number `at` of those at the node.
    pub(crate) fn run(&self, at: usize) -> &[u32] {
        &self.counts[at * self.width..][..self.width]
    }
}
