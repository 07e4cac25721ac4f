//! Transposing bits: columns of answers become rows, and rows become bytes for each column.

mod portable;
#[cfg(test)]
mod tests;

#[cfg(all(target_arch = "x86_64", not(feature = "scalar")))]
pub(crate) use portable::transpose_four;
pub(crate) use portable::{Bytes, transpose_eight};

use crate::dispatch::simd;
use crate::lane::Lane;

simd! {
    /// Transposes a square of bits.
    pub(crate) fn transpose(square: &mut [u64; 64]) {
        portable::transpose(square);
    }
}

simd! {
    /// Transposes columns into rows; see [`portable::transpose_columns`].
    pub(crate) fn transpose_columns<const WORDS: usize>(columns: &[[u64; WORDS]], word: usize, rows: &mut [Lane; 64]) {
        portable::transpose_columns(columns, word, rows);
    }
}
