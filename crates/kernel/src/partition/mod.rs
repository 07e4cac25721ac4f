//! Partitioning rows in place by one of their bits.

mod portable;

pub(crate) use portable::{SplitSlices, place};

use crate::dispatch::simd;

simd! {
    /// Partitions rows by one of their bits; see [`portable::partition_rows`].
    pub(crate) fn partition_rows<T: Copy, const BACK: bool>(
        sides: SplitSlices<'_, T>,
        stride: usize,
        column: usize,
        bits: Option<&mut [u8]>,
    ) -> usize {
        portable::partition_rows::<T, BACK>(sides, stride, column, bits)
    }
}
