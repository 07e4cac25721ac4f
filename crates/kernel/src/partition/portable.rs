//! In-place partition of rows by one of their bits, for any processor.

use crate::lane::{LANE_BITS, Lane, bit_of};

/// Rows of bits with one item each, and spill space for one more than will be spilled.
pub(crate) struct SplitSlices<'a, T> {
    pub(crate) rows: &'a mut [Lane],
    pub(crate) items: &'a mut [T],
    pub(crate) aside_rows: &'a mut [Lane],
    pub(crate) aside_items: &'a mut [T],
}

/// Partitions rows by one of their bits: rows without it move to the front, rows with it are spilled, both in their
/// old order. With `BACK`, from the last row on, rows with it move to the back and rows without it are spilled, the
/// last one first. Returns the number of spilled rows, and records the bit of every row if asked to.
///
/// Branchless: both places are written, and only the index of the right one advances. Answers are hard to predict,
/// and a wrong prediction costs more than a write.
#[inline(always)]
pub(crate) fn partition_rows<T: Copy, const BACK: bool>(
    sides: SplitSlices<'_, T>,
    stride: usize,
    column: usize,
    bits: Option<&mut [u8]>,
) -> usize {
    match stride {
        1 => partition_arrays::<T, 1, BACK>(sides, column, bits),
        2 => partition_arrays::<T, 2, BACK>(sides, column, bits),
        3 => partition_arrays::<T, 3, BACK>(sides, column, bits),
        4 => partition_arrays::<T, 4, BACK>(sides, column, bits),
        5 => partition_arrays::<T, 5, BACK>(sides, column, bits),
        _ => partition_slices::<T, BACK>(sides, stride, column, bits),
    }
}

/// Index `at` of `len` from the front, or from the back.
#[inline(always)]
pub(crate) fn place<const BACK: bool>(at: usize, len: usize) -> usize {
    if BACK { len - 1 - at } else { at }
}

#[inline(always)]
fn partition_arrays<T: Copy, const STRIDE: usize, const BACK: bool>(
    sides: SplitSlices<'_, T>,
    column: usize,
    bits: Option<&mut [u8]>,
) -> usize {
    match bits {
        Some(bits) => partition_and_record::<T, STRIDE, BACK, true>(sides, column, bits),
        None => partition_and_record::<T, STRIDE, BACK, false>(sides, column, &mut []),
    }
}

#[inline(always)]
fn partition_and_record<T: Copy, const STRIDE: usize, const BACK: bool, const TELLS: bool>(
    sides: SplitSlices<'_, T>,
    column: usize,
    bits: &mut [u8],
) -> usize {
    let (lane, word, bit) = (column / LANE_BITS, column / 64 % 4, column % 64);
    let count = sides.items.len();
    let (rows, items) = (&mut sides.rows.as_chunks_mut::<STRIDE>().0[..count], &mut sides.items[..count]);
    let bits = if TELLS { &mut bits[..count] } else { bits };
    let aside_rows = sides.aside_rows.as_chunks_mut::<STRIDE>().0;
    let aside_items = &mut sides.aside_items[..aside_rows.len()];
    let (mut stayed, mut went) = (0, 0);
    for at in 0..count {
        let at = place::<BACK>(at, count);
        // The row is read in place: a copy would go through the stack, which may be slow.
        let said = (rows[at][lane][word] >> bit & 1) as usize;
        if TELLS {
            bits[at] = said as u8;
        }
        let stay = place::<BACK>(stayed, count);
        aside_rows[went] = rows[at];
        aside_items[went] = items[at];
        rows[stay] = rows[at];
        items[stay] = items[at];
        let goes = said ^ usize::from(BACK);
        stayed += 1 - goes;
        went += goes;
    }
    went
}

/// Partitions rows of any length.
fn partition_slices<T: Copy, const BACK: bool>(
    sides: SplitSlices<'_, T>,
    stride: usize,
    column: usize,
    mut bits: Option<&mut [u8]>,
) -> usize {
    let SplitSlices { rows, items, aside_rows, aside_items } = sides;
    let count = items.len();
    let (mut stayed, mut went) = (0, 0);
    for at in 0..count {
        let at = place::<BACK>(at, count);
        let row = at * stride..(at + 1) * stride;
        let bit = bit_of(&rows[row.clone()], column);
        if let Some(bits) = &mut bits {
            bits[at] = bit;
        }
        if (bit == 1) == BACK {
            let stay = place::<BACK>(stayed, count);
            rows.copy_within(row, stay * stride);
            items[stay] = items[at];
            stayed += 1;
        } else {
            aside_rows[went * stride..(went + 1) * stride].copy_from_slice(&rows[row]);
            aside_items[went] = items[at];
            went += 1;
        }
    }
    went
}
