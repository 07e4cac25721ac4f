//! Rows of one node while a tree grows.

use super::view::{GroupRun, NodeView};
use crate::lane::{Lane, ZEROS, bit_of};
use fewest_model::{Candidates, Instance, ObjectId};

/// Objects of a node with their rows; objects of one group are adjacent.
#[derive(Debug)]
pub struct NodeRows<'a> {
    pub(crate) stride: usize,
    /// Yes/no answers of each object. In a pure node they are unordered, because no test will be asked there.
    pub(crate) rows: &'a mut [Lane],
    pub(crate) objects: &'a mut [ObjectId],
    /// Weights of the objects; empty if all weigh the same.
    pub(crate) weights: &'a mut [f64],
    /// Second number per object, such as a power of its probability; empty if the criterion needs none.
    pub(crate) moments: &'a mut [f64],
    pub(crate) runs: Vec<GroupRun>,
}

impl<'a> NodeRows<'a> {
    /// Returns a read-only view of the rows.
    pub fn rows(&self) -> NodeView<'_> {
        let Self { stride, rows, weights, moments, runs, .. } = self;
        NodeView { stride: *stride, rows, weights, moments, runs, counts: None }
    }

    /// Number of objects.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Whether all objects belong to one group.
    pub fn is_pure(&self) -> bool {
        self.runs.len() <= 1
    }

    /// Objects, by group and then by row.
    pub fn objects(&self) -> &[ObjectId] {
        self.objects
    }

    /// Groups that are still possible, with their sizes.
    pub fn runs(&self) -> &[GroupRun] {
        &self.runs
    }

    /// Finds the first packed test whose answers differ for two objects of different groups, and returns the two
    /// objects in order of their answers.
    pub fn difference(&self) -> Option<(usize, [ObjectId; 2])> {
        let ([left, right], 2) = (self.objects.as_array()?, self.runs.len()) else { return None };
        let (left_row, right_row) = self.rows.split_at(self.stride);
        let differ = |at: usize| left_row[at / 4][at % 4] ^ right_row[at / 4][at % 4];
        let word = (0..4 * self.stride).find(|at| differ(*at) != 0)?;
        let column = word * 64 + differ(word).trailing_zeros() as usize;
        let objects = if bit_of(left_row, column) == 0 { [*left, *right] } else { [*right, *left] };
        Some((column, objects))
    }

    /// Finds the middle one of the packed tests to which the objects give different answers, if there is any.
    ///
    /// Of the thresholds of one measurement, the middle one keeps a tree flat; the first would make it a list.
    pub fn middle_difference(&self) -> Option<usize> {
        let first = self.rows.get(..self.stride)?;
        let mut differing = vec![ZEROS; self.stride];
        for row in self.rows.chunks_exact(self.stride) {
            for ((differing, lane), first) in differing.iter_mut().zip(row).zip(first) {
                differing
                    .iter_mut()
                    .zip(lane.iter().zip(first.iter()))
                    .for_each(|(bits, (one, two))| *bits |= one ^ two);
            }
        }
        let words = || differing.iter().flat_map(|lane| lane.iter().copied());
        let mut before = words().map(u64::count_ones).sum::<u32>() / 2;
        let (at, mut word) = (0..).zip(words()).find(|(_, word)| {
            let is_here = word.count_ones() > before;
            before -= if is_here { 0 } else { word.count_ones() };
            is_here
        })?;
        (0..before).for_each(|_| word &= word - 1);
        Some(at * 64 + word.trailing_zeros() as usize)
    }

    /// Converts the objects to candidates, for code that looks at one test at a time.
    pub fn candidates(&self, instance: &Instance) -> Candidates {
        Candidates::of_sorted(instance, self.objects.to_vec())
    }
}
