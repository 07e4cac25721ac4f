//! Counts per group and test at a large node: counted once, and found by subtraction for one of its children.

use super::count_columns;
use crate::lane::Lane;
use rayon::prelude::*;

/// Least number of lanes (2 MiB) for which counting is worth several threads.
pub(crate) const MIN_SHARED_LANES: usize = 1 << 16;

/// Number of objects with the second answer, by group and packed test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GroupCounts {
    /// Number of tests, padded to a multiple of 8.
    width: usize,
    counts: Vec<u32>,
}

impl GroupCounts {
    /// Counts the rows of each group.
    pub(crate) fn new(rows: &[&[Lane]], stride: usize, width: usize) -> Self {
        let mut counts = Self { width, counts: vec![0; rows.len() * width] };
        let lanes: usize = rows.iter().map(|rows| rows.len()).sum();
        let count = |(counts, rows): (&mut [u32], &&[Lane])| count_columns(rows, stride, counts);
        if lanes < MIN_SHARED_LANES || rayon::current_num_threads() < 2 {
            counts.groups_mut().zip(rows).for_each(count);
        } else {
            counts.counts.par_chunks_exact_mut(width).zip(rows).for_each(count);
        }
        counts
    }

    /// Zero counts for the same number of groups and tests.
    pub(crate) fn none(&self) -> Self {
        Self { width: self.width, counts: vec![0; self.counts.len()] }
    }

    /// Number of tests, padded to a multiple of 8.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Subtracts the counts of `others`, which has the same groups.
    pub(crate) fn without(mut self, others: &Self) -> Self {
        self.counts.iter_mut().zip(&others.counts).for_each(|(own, count)| *own -= count);
        self
    }

    /// Keeps the groups for which `are_there` is true.
    pub(crate) fn only(mut self, are_there: impl Iterator<Item = bool>) -> Self {
        let mut kept = 0;
        for (at, _) in are_there.enumerate().filter(|(_, is_there)| *is_there) {
            self.counts.copy_within(at * self.width..(at + 1) * self.width, kept * self.width);
            kept += 1;
        }
        self.counts.truncate(kept * self.width);
        self
    }

    /// Counts of one test, by group.
    pub(crate) fn column(&self, test: usize) -> impl Iterator<Item = u32> {
        self.counts.iter().skip(test).step_by(self.width).copied()
    }

    /// Counts of the node's group number `at`.
    pub(crate) fn group(&self, at: usize) -> &[u32] {
        &self.counts[at * self.width..][..self.width]
    }

    /// Counts, group by group.
    pub(crate) fn groups_mut(&mut self) -> impl Iterator<Item = &mut [u32]> {
        self.counts.chunks_exact_mut(self.width)
    }
}
