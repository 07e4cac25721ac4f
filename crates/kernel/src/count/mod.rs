//! Counting set bits in the columns of many rows.

mod by_group;
mod portable;
#[cfg(test)]
mod tests;

pub(crate) use by_group::{GroupCounts, MIN_SHARED_LANES};
pub(crate) use portable::{MAX_MINORITY_ROWS, minority_bits};

use crate::dispatch::simd;
use crate::lane::Lane;

simd! {
    /// Adds to `sums` the number of rows that have each bit set. A row is `stride` lanes long; `sums` holds a number
    /// for each of its bits.
    pub(crate) fn count_columns(rows: &[Lane], stride: usize, sums: &mut [u32]) {
        portable::count_columns(rows, stride, sums);
    }
}

simd! {
    /// Counts the minority of each column; see [`portable::minority_counts`].
    pub(crate) fn minority_counts(rows: &[Lane], stride: usize, minorities: &mut [Lane]) {
        portable::minority_counts(rows, stride, minorities);
    }
}

simd! {
    /// Finds the columns of each pattern of answers; see [`portable::columns_by_pattern`].
    pub(crate) fn columns_by_pattern(rows: &[Lane], stride: usize, columns: &mut [Lane]) {
        portable::columns_by_pattern(rows, stride, columns);
    }
}

simd! {
    /// Number of bits set in both `words` and the masks; each mask is given with the index of its word.
    pub fn count_masked(words: &[u64], masks: &[(u32, u64)]) -> u32 {
        masks.iter().map(|(place, mask)| (words[*place as usize] & mask).count_ones()).sum()
    }
}
