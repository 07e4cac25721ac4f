//! Row-wise form of the candidates, for counting many tests at one node.

use super::Candidates;
use crate::ObjectId;

/// Set of the candidate rows, and the run of each: a yes/no column is then counted word by word, and only the rows
/// with the rarer answer are looked at.
#[derive(Clone, Debug)]
pub(crate) struct ByRow {
    /// One bit for each row: 1 for a candidate.
    mask: Vec<u64>,
    /// Index of each row's run; 0 if the row is not a candidate.
    run_of: Vec<u32>,
}

impl ByRow {
    pub(super) fn new(candidates: &Candidates) -> Self {
        let rows = candidates.objects.iter().map(|object| object.index() + 1).max().unwrap_or(0);
        let (mut mask, mut run_of) = (vec![0u64; rows.div_ceil(64)], vec![0; rows]);
        for (at, run) in (0u32..).zip(&candidates.runs) {
            for object in &candidates.objects[run.indices()] {
                mask[object.index() / 64] |= 1 << (object.index() % 64);
                run_of[object.index()] = at;
            }
        }
        Self { mask, run_of }
    }

    /// Index of the run that holds `object`.
    #[inline]
    pub(crate) fn run(&self, object: ObjectId) -> usize {
        self.run_of[object.index()] as usize
    }

    /// Number of candidates whose bit is set in `plane`.
    pub(crate) fn ones(&self, plane: &[u64]) -> u32 {
        self.mask.iter().zip(plane).map(|(mask, word)| (mask & word).count_ones()).sum()
    }

    /// Candidates whose bit in `plane` is `bit`, by row.
    pub(crate) fn with_bit<'a>(&'a self, plane: &'a [u64], bit: bool) -> impl Iterator<Item = ObjectId> + 'a {
        let flip = if bit { 0 } else { u64::MAX };
        self.mask.iter().zip(plane).enumerate().flat_map(move |(at, (mask, word))| {
            let mut left = mask & (word ^ flip);
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(ObjectId::at(at * 64 + bit))
            })
        })
    }
}
