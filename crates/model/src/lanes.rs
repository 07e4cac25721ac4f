//! Counting bits in columns, 256 of them at a time.
//!
//! Plain code on arrays of four words, made to be compiled for whatever a processor can do: see `simd.rs`.

use crate::lookup::turn_eight;

/// The answers of one object to 256 tests, one bit each.
///
/// Lies at a multiple of its size: one that is written across two lines of the cache takes long to be read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(32))]
pub(crate) struct Lane(pub(crate) [u64; 4]);

impl std::ops::Deref for Lane {
    type Target = [u64; 4];

    #[inline(always)]
    fn deref(&self) -> &[u64; 4] {
        &self.0
    }
}

impl std::ops::DerefMut for Lane {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64; 4] {
        &mut self.0
    }
}

/// How many tests a lane holds.
pub(crate) const LANE_BITS: usize = 256;

pub(crate) const NONE: Lane = Lane([0; 4]);
pub(crate) const ALL: Lane = Lane([!0; 4]);

/// One lane made of two, word by word.
#[inline(always)]
pub(crate) fn zip(left: Lane, right: Lane, what: impl Fn(u64, u64) -> u64) -> Lane {
    Lane([what(left[0], right[0]), what(left[1], right[1]), what(left[2], right[2]), what(left[3], right[3])])
}

/// Adds two bits to `sum` in every column and gives the carries.
#[inline(always)]
fn add_two(sum: &mut Lane, left: Lane, right: Lane) -> Lane {
    let differ = zip(left, right, |left, right| left ^ right);
    let carry = zip(
        zip(left, right, |left, right| left & right),
        zip(*sum, differ, |sum, differ| sum & differ),
        |a, b| a | b,
    );
    *sum = zip(*sum, differ, |sum, differ| sum ^ differ);
    carry
}

/// The column sums of many lanes, as bit planes.
///
/// Carries wait in pairs before they go up one plane, so a lane costs about one addition however high the sums are:
/// carry-save adders, as in positional population counts [folklore].
#[inline(always)]
fn add_up<const PLANES: usize>(rows: &[Lane], stride: usize) -> [Lane; PLANES] {
    let count = rows.len().div_ceil(stride);
    let (mut planes, mut waiting) = ([NONE; PLANES], [NONE; PLANES]);
    let blocks = count / 8;
    for block in 0..blocks {
        let mut carry = add_eight(&mut planes, |at| rows[(block * 8 + at) * stride]);
        // Like counting the blocks in binary: where a carry waits already, both go up.
        let mut plane = 3;
        while (block >> (plane - 3)) & 1 == 1 {
            carry = add_two(&mut planes[plane], waiting[plane], carry);
            plane += 1;
        }
        waiting[plane] = carry;
    }
    // Rows that are not there hold nothing: as fast as to ask each time whether there is one more.
    let last = |at: usize| rows.get((blocks * 8 + at) * stride).copied().unwrap_or(NONE);
    let mut carry = if count.is_multiple_of(8) { NONE } else { add_eight(&mut planes, last) };
    let used = PLANES.min(usize::BITS as usize - count.leading_zeros() as usize);
    for plane in 3..used {
        let waits = (blocks >> (plane - 3)) & 1 == 1;
        carry = add_two(&mut planes[plane], if waits { waiting[plane] } else { NONE }, carry);
    }
    planes
}

/// Adds eight rows to the lowest three planes and gives the carries.
#[inline(always)]
fn add_eight<const PLANES: usize>(planes: &mut [Lane; PLANES], row: impl Fn(usize) -> Lane) -> Lane {
    let [ones, twos, fours, ..] = &mut planes[..] else { return NONE };
    let twos_a = add_two(ones, row(0), row(1));
    let twos_b = add_two(ones, row(2), row(3));
    let fours_a = add_two(twos, twos_a, twos_b);
    let twos_a = add_two(ones, row(4), row(5));
    let twos_b = add_two(ones, row(6), row(7));
    let fours_b = add_two(twos, twos_a, twos_b);
    add_two(fours, fours_a, fours_b)
}

/// Adds to `sums` how many rows have each bit set; a row is `stride` lanes long, `sums` a number for each of its bits, in eights.
#[inline(always)]
pub(crate) fn count_columns(rows: &[Lane], stride: usize, sums: &mut [u32]) {
    // Bit i of a count lies in plane i.
    match usize::BITS - (rows.len() / stride).leading_zeros() {
        0 => {}
        1..=4 => count_with_planes::<4>(rows, stride, sums),
        5..=8 => count_with_planes::<8>(rows, stride, sums),
        9..=16 => count_with_planes::<16>(rows, stride, sums),
        _ => count_with_planes::<32>(rows, stride, sums),
    }
}

#[inline(always)]
fn count_with_planes<const PLANES: usize>(rows: &[Lane], stride: usize, sums: &mut [u32]) {
    for (lane, sums) in sums.chunks_mut(LANE_BITS).enumerate() {
        let planes = add_up::<PLANES>(&rows[lane..], stride);
        for (byte, planes) in planes.chunks(8).enumerate() {
            let bytes = turn_eight(planes, 1);
            for (eight, sums) in bytes.eights().zip(sums.as_chunks_mut::<8>().0) {
                for (sum, count) in sums.iter_mut().zip(eight) {
                    *sum += u32::from(count) << (8 * byte);
                }
            }
        }
    }
}

/// As many rows as the longest run whose columns are folded: a fold takes one bit less than a count, and a byte at most.
pub(crate) const LONGEST_FOLD: usize = 511;

/// How many bits a fold of `count` rows takes.
#[inline(always)]
pub(crate) fn fold_bits(count: usize) -> usize {
    (usize::BITS - (count / 2).leading_zeros()) as usize
}

/// How many rows differ from the others in each column, at most half of them: as rows of bits, the lowest first.
///
/// There are at most [`LONGEST_FOLD`] rows, and [`fold_bits`] rows of `folds`.
#[inline(always)]
pub(crate) fn fold_columns(rows: &[Lane], stride: usize, folds: &mut [Lane]) {
    match rows.len() / stride {
        0 | 1 => {}
        2 | 3 => {
            let (first, others) = rows.split_at(stride);
            folds.fill(NONE);
            for other in others.chunks_exact(stride) {
                for (fold, (first, other)) in folds.iter_mut().zip(first.iter().zip(other)) {
                    *fold = zip(*fold, zip(*first, *other, |first, other| first ^ other), |fold, differ| {
                        fold | differ
                    });
                }
            }
        }
        4..=15 => fold_with_planes::<4>(rows, stride, folds),
        _ => fold_with_planes::<9>(rows, stride, folds),
    }
}

#[inline(always)]
fn fold_with_planes<const PLANES: usize>(rows: &[Lane], stride: usize, folds: &mut [Lane]) {
    let count = rows.len() / stride;
    let (half, used) = (count / 2, fold_bits(count) + 1);
    for lane in 0..stride {
        let planes = add_up::<PLANES>(&rows[lane..], stride);
        // Bit by bit from the lowest: what is left of all rows, and whether more than half have the bit.
        let (mut rests, mut borrow, mut most) = ([NONE; PLANES], NONE, NONE);
        for (at, (plane, rest)) in planes.iter().zip(&mut rests).take(used).enumerate() {
            let differ = zip(*plane, borrow, |plane, borrow| plane ^ borrow);
            (*rest, borrow) = match count >> at & 1 {
                0 => (differ, zip(*plane, borrow, |plane, borrow| plane | borrow)),
                _ => (
                    zip(differ, NONE, |differ, _| !differ),
                    zip(*plane, borrow, |plane, borrow| plane & borrow),
                ),
            };
            most = match half >> at & 1 {
                0 => zip(most, *plane, |most, plane| most | plane),
                _ => zip(most, *plane, |most, plane| most & plane),
            };
        }
        for (folds, (plane, rest)) in folds.chunks_exact_mut(stride).zip(planes.iter().zip(&rests)) {
            let differ = zip(*plane, *rest, |plane, rest| plane ^ rest);
            folds[lane] =
                zip(*plane, zip(differ, most, |differ, most| differ & most), |plane, swap| plane ^ swap);
        }
    }
}

/// Turns a square of bits about its diagonal: bit `j` of word `i` becomes bit `i` of word `j`.
/// [Warren, Hacker's Delight, section 7-3], with the lowest bit first.
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

/// Turns one word of each of 256 columns into 64 rows: four squares of bits, side by side, each as in [`transpose`].
#[inline(always)]
pub(crate) fn turn_columns<const WORDS: usize>(columns: &[[u64; WORDS]], word: usize, rows: &mut [Lane; 64]) {
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

/// For a few rows: which columns have which pattern of answers, where bit `i` of a pattern is row `i`'s. The first lanes are those
/// of the first columns, one for each pattern.
#[inline(always)]
pub(crate) fn part_columns(rows: &[Lane], stride: usize, columns: &mut [Lane]) {
    let count = rows.len() / stride;
    for (lane, columns) in columns.chunks_exact_mut(1 << count).enumerate() {
        columns[0] = ALL;
        for at in 0..count {
            let row = rows[at * stride + lane];
            let (without, with) = columns.split_at_mut(1 << at);
            for (without, with) in without.iter_mut().zip(with) {
                *with = zip(*without, row, |columns, row| columns & row);
                *without = zip(*without, row, |columns, row| columns & !row);
            }
        }
    }
}

/// Rows of bits and an item for each, and room for one more than will go there.
pub(crate) struct Sides<'a, T> {
    pub(crate) rows: &'a mut [Lane],
    pub(crate) items: &'a mut [T],
    pub(crate) aside_rows: &'a mut [Lane],
    pub(crate) aside_items: &'a mut [T],
}

/// Parts rows by one of their bits: those without it come to the front, those with it go aside, both in their old order; or
/// from the last row on, those with it come to the back and those without go aside, the last one first. Gives how many went, and
/// writes down the bit of every row if asked to.
///
/// Both places are written, and only the one that counts moves on: answers are hard to guess, and branches are dear.
#[inline(always)]
pub(crate) fn part_rows<T: Copy, const BACK: bool>(
    sides: Sides<'_, T>,
    stride: usize,
    column: usize,
    bits: Option<&mut [u8]>,
) -> usize {
    match stride {
        1 => part_arrays::<T, 1, BACK>(sides, column, bits),
        2 => part_arrays::<T, 2, BACK>(sides, column, bits),
        3 => part_arrays::<T, 3, BACK>(sides, column, bits),
        4 => part_arrays::<T, 4, BACK>(sides, column, bits),
        5 => part_arrays::<T, 5, BACK>(sides, column, bits),
        _ => part_slices::<T, BACK>(sides, stride, column, bits),
    }
}

/// The place number `at` of `len`, or the one as far from the end.
#[inline(always)]
pub(crate) fn place<const BACK: bool>(at: usize, len: usize) -> usize {
    if BACK { len - 1 - at } else { at }
}

#[inline(always)]
fn part_arrays<T: Copy, const STRIDE: usize, const BACK: bool>(
    sides: Sides<'_, T>,
    column: usize,
    bits: Option<&mut [u8]>,
) -> usize {
    match bits {
        Some(bits) => part_and_tell::<T, STRIDE, BACK, true>(sides, column, bits),
        None => part_and_tell::<T, STRIDE, BACK, false>(sides, column, &mut []),
    }
}

#[inline(always)]
fn part_and_tell<T: Copy, const STRIDE: usize, const BACK: bool, const TELLS: bool>(
    sides: Sides<'_, T>,
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
        // The row is read where it lies: a copy of it would go through the stack, and that may be slow.
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

/// The same for rows of any length.
fn part_slices<T: Copy, const BACK: bool>(
    sides: Sides<'_, T>,
    stride: usize,
    column: usize,
    mut bits: Option<&mut [u8]>,
) -> usize {
    let Sides { rows, items, aside_rows, aside_items } = sides;
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

/// The bit of a row at `column`.
#[inline(always)]
pub(crate) fn bit_of(row: &[Lane], column: usize) -> u8 {
    (row[column / LANE_BITS][column / 64 % 4] >> (column % 64) & 1) as u8
}

/// The first score that is not below `least` even with `more` added to it: NaN is not.
#[inline(always)]
pub(crate) fn first_not_below(scores: &[f64], more: f64, least: f64) -> Option<usize> {
    // Some at a time, without a branch for each.
    let mut start = 0;
    for some in scores.chunks(16) {
        let mut below = 0;
        for score in some {
            below += u64::from(score + more < least);
        }
        if (below as usize) < some.len() {
            let first = some.iter().take_while(|score| **score + more < least).count();
            return Some(start + first);
        }
        start += some.len();
    }
    None
}

/// Sets the score of every test that splits nothing, because none or all of `count` objects give its second answer, to -1.
/// Gives the largest score, and whether all are numbers.
#[inline(always)]
pub(crate) fn rank(scores: &mut [f64], seconds: &[u32], count: u32) -> (f64, bool) {
    for (score, second) in scores.iter_mut().zip(seconds) {
        *score = if second.wrapping_sub(1) < count - 1 { *score } else { -1.0 };
    }
    // Eight at a time: the largest of each column, and then of all.
    let (mut tops, mut gaps) = ([-1.0f64; 8], [0.0f64; 8]);
    let (eights, rest) = scores.as_chunks::<8>();
    for scores in eights {
        for at in 0..8 {
            tops[at] = if scores[at] > tops[at] { scores[at] } else { tops[at] };
            // Not a number once anything was none.
            gaps[at] += scores[at] * 0.0;
        }
    }
    for score in rest {
        tops[0] = if *score > tops[0] { *score } else { tops[0] };
        gaps[0] += *score * 0.0;
    }
    let top = tops.into_iter().fold(-1.0, f64::max);
    (top, gaps.into_iter().all(|gap| !gap.is_nan()))
}
