//! How many objects of each group give the second answers at a large node: counted once, and then known of its parts.

use super::count_columns;
use crate::lane::Lane;
use rayon::prelude::*;

/// From this many lanes (2 MiB) on, counting is worth several threads.
pub(crate) const WORTH_SHARING: usize = 1 << 16;

/// By group and packed test: how many objects give the second answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GroupCounts {
    /// How many tests there are, and some that are none.
    width: usize,
    counts: Vec<u32>,
}

impl GroupCounts {
    /// Counts the rows of each group.
    pub(crate) fn new(rows: &[&[Lane]], stride: usize, width: usize) -> Self {
        let mut tally = Self { width, counts: vec![0; rows.len() * width] };
        let lanes: usize = rows.iter().map(|rows| rows.len()).sum();
        let count = |(counts, rows): (&mut [u32], &&[Lane])| count_columns(rows, stride, counts);
        if lanes < WORTH_SHARING || rayon::current_num_threads() < 2 {
            tally.groups_mut().zip(rows).for_each(count);
        } else {
            tally.counts.par_chunks_exact_mut(width).zip(rows).for_each(count);
        }
        tally
    }

    /// Nothing, for as many groups and tests.
    pub(crate) fn none(&self) -> Self {
        Self { width: self.width, counts: vec![0; self.counts.len()] }
    }

    /// How many tests there are, and some that are none.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// What is left without `others` of the same groups.
    pub(crate) fn without(mut self, others: &Self) -> Self {
        self.counts.iter_mut().zip(&others.counts).for_each(|(own, count)| *own -= count);
        self
    }

    /// Only the groups that `are_there`.
    pub(crate) fn only(mut self, are_there: impl Iterator<Item = bool>) -> Self {
        let mut kept = 0;
        for (at, _) in are_there.enumerate().filter(|(_, is_there)| *is_there) {
            self.counts.copy_within(at * self.width..(at + 1) * self.width, kept * self.width);
            kept += 1;
        }
        self.counts.truncate(kept * self.width);
        self
    }

    /// The counts of one test, by group.
    pub(crate) fn column(&self, test: usize) -> impl Iterator<Item = u32> {
        self.counts.iter().skip(test).step_by(self.width).copied()
    }

    /// The counts of group number `at` of those at the node.
    pub(crate) fn group(&self, at: usize) -> &[u32] {
        &self.counts[at * self.width..][..self.width]
    }

    /// The counts of one group after the other.
    pub(crate) fn groups_mut(&mut self) -> impl Iterator<Item = &mut [u32]> {
        self.counts.chunks_exact_mut(self.width)
    }
}
