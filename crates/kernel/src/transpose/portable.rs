//! Transposition of bit matrices, for any processor.

use crate::lane::{LANE_BITS, Lane, ZEROS, zip};
use std::hint::black_box;

/// One byte per column: byte `j` of word `w` in lane `i` belongs to column `64 w + 8 i + j`.
#[derive(Clone, Copy)]
pub(crate) struct Bytes([Lane; 8]);

impl Bytes {
    pub(crate) const ZEROS: Self = Self([ZEROS; 8]);
}

impl Bytes {
    /// Bytes in order of columns, eight at a time.
    #[inline(always)]
    pub(crate) fn eights(&self) -> impl Iterator<Item = [u8; 8]> {
        (0..LANE_BITS / 8).map(|at| self.eight(at))
    }

    /// Bytes of the columns from `8 at` on.
    #[inline(always)]
    pub(crate) fn eight(&self, at: usize) -> [u8; 8] {
        self.0[at % 8][at / 8].to_le_bytes()
    }
}

/// Transposes a square of bits: bit `j` of word `i` becomes bit `i` of word `j`. [Warren, Hacker's Delight, section
/// 7-3], with the lowest bit first.
#[inline(always)]
pub(crate) fn transpose(square: &mut [u64; 64]) {
    let mut mask = u64::MAX >> 32;
    let mut width = 32;
    while width > 0 {
        for start in (0..64).step_by(2 * width) {
            for at in start..start + width {
                let swap = (square[at] >> width ^ square[at + width]) & mask;
                square[at] ^= swap << width;
                square[at + width] ^= swap;
            }
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// Transposes one word of each of 256 columns into 64 rows: four squares of bits side by side, each as in
/// [`transpose`].
#[inline(always)]
pub(crate) fn transpose_columns<const WORDS: usize>(
    columns: &[[u64; WORDS]],
    word: usize,
    rows: &mut [Lane; 64],
) {
    let columns = &columns[..LANE_BITS];
    for (at, row) in rows.iter_mut().enumerate() {
        *row = Lane(std::array::from_fn(|square| columns[square * 64 + at][word]));
    }
    let words = bytemuck::cast_mut(rows);
    swap_far::<32>(words, 0x0000_0000_ffff_ffff);
    swap_far::<16>(words, 0x0000_ffff_0000_ffff);
    swap_far::<8>(words, 0x00ff_00ff_00ff_00ff);
    swap_far::<4>(words, 0x0f0f_0f0f_0f0f_0f0f);
    swap_far::<2>(words, 0x3333_3333_3333_3333);
    swap_far::<1>(words, 0x5555_5555_5555_5555);
}

/// One step of [`transpose`] for four squares.
#[inline(always)]
fn swap_far<const FAR: usize>(words: &mut [u64; 256], mask: u64) {
    for words in words.chunks_exact_mut(8 * FAR) {
        let (first, second) = words.split_at_mut(4 * FAR);
        for (low, high) in first.iter_mut().zip(second) {
            let swap = (*low >> FAR ^ *high) & mask;
            *low ^= swap << FAR;
            *high ^= swap;
        }
    }
}

/// Transposes eight rows into bytes, the first row being the lowest bit. Rows begin `stride` lanes after one another;
/// missing ones count as zeros.
#[inline(always)]
pub(crate) fn transpose_eight(lanes: &[Lane], stride: usize) -> Bytes {
    let lane = |at: usize| lanes.get(at * stride).copied().unwrap_or(ZEROS);
    let mut rows = [lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7)];
    // First transposes squares of 8 × 8 bits, then squares of 8 × 8 bytes.
    swap::<4, 4>(&mut rows, 0x0f0f_0f0f_0f0f_0f0f);
    swap::<2, 2>(&mut rows, 0x3333_3333_3333_3333);
    swap::<1, 1>(&mut rows, 0x5555_5555_5555_5555);
    swap::<4, 32>(&mut rows, 0x0000_0000_ffff_ffff);
    swap::<2, 16>(&mut rows, 0x0000_ffff_0000_ffff);
    swap::<1, 8>(&mut rows, 0x00ff_00ff_00ff_00ff);
    Bytes(rows)
}

/// Transposes four rows into numbers, the first row being the lowest bit: byte `b` of part `p` belongs to column
/// `8 b + p`.
#[cfg(all(target_arch = "x86_64", not(feature = "scalar")))]
#[inline(always)]
pub(crate) fn transpose_four(four: [Lane; 4]) -> [Lane; 8] {
    let (a, c) = swap_bits::<2>(four[0], four[2], 0x3333_3333_3333_3333);
    let (b, d) = swap_bits::<2>(four[1], four[3], 0x3333_3333_3333_3333);
    let (a, b) = swap_bits::<1>(a, b, 0x5555_5555_5555_5555);
    let (c, d) = swap_bits::<1>(c, d, 0x5555_5555_5555_5555);
    let low = |lane: Lane| zip(lane, lane, |bits, _| bits & 0x0f0f_0f0f_0f0f_0f0f);
    let high = |lane: Lane| zip(lane, lane, |bits, _| bits >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
    [low(a), low(b), low(c), low(d), high(a), high(b), high(c), high(d)]
}

/// Swaps the bits of the first lane above the mask with those of the second below it.
#[inline(always)]
pub(crate) fn swap_bits<const SHIFT: u32>(first: Lane, second: Lane, mask: u64) -> (Lane, Lane) {
    let swap = zip(first, second, |low, high| (low >> SHIFT ^ high) & mask);
    (zip(first, swap, |row, swap| row ^ swap << SHIFT), zip(second, swap, |row, swap| row ^ swap))
}

/// For rows `FAR` apart, swaps the bits of the first above the mask with those of the second below it.
#[inline(always)]
fn swap<const FAR: usize, const SHIFT: u32>(rows: &mut [Lane; 8], mask: u64) {
    let mut pair = |pair: usize| {
        let at = pair / FAR * 2 * FAR + pair % FAR;
        (rows[at], rows[at + FAR]) = swap_bits::<SHIFT>(rows[at], rows[at + FAR], mask);
    };
    pair(0);
    pair(1);
    pair(2);
    pair(3);
    // LLVM uses no wide registers if it sees all swaps as one expression.
    black_box(rows);
}
