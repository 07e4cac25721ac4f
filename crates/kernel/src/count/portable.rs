//! Bit-sliced counting of set bits in columns, 256 of them at a time, for any processor.
//!
//! Plain code on arrays of four words. The compiler makes 256-bit instructions of it if `dispatch.rs` allows them.

use crate::lane::{LANE_BITS, Lane, ONES, ZEROS, zip};
use crate::transpose::transpose_eight;

/// Adds two bits to `sum` in every column and returns the carries.
#[inline(always)]
fn carry_save_add(sum: &mut Lane, left: Lane, right: Lane) -> Lane {
    let differ = zip(left, right, |left, right| left ^ right);
    let carry = zip(
        zip(left, right, |left, right| left & right),
        zip(*sum, differ, |sum, differ| sum & differ),
        |a, b| a | b,
    );
    *sum = zip(*sum, differ, |sum, differ| sum ^ differ);
    carry
}

/// Column sums of many lanes, as bit planes.
///
/// Carries are collected in pairs before they go up one plane, so a lane costs about one addition however high the
/// sums are: carry-save adders, as in positional population counts (folklore).
#[inline(always)]
fn bit_sliced_sum<const PLANES: usize>(rows: &[Lane], stride: usize) -> [Lane; PLANES] {
    let count = rows.len().div_ceil(stride);
    let (mut planes, mut waiting) = ([ZEROS; PLANES], [ZEROS; PLANES]);
    let blocks = count / 8;
    for block in 0..blocks {
        let mut carry = add_eight(&mut planes, |at| rows[(block * 8 + at) * stride]);
        // As in binary counting: if a carry is pending already, both move up one plane.
        let mut plane = 3;
        while (block >> (plane - 3)) & 1 == 1 {
            carry = carry_save_add(&mut planes[plane], waiting[plane], carry);
            plane += 1;
        }
        waiting[plane] = carry;
    }
    // Missing rows count as zeros; that is as fast as a test for the end.
    let last = |at: usize| rows.get((blocks * 8 + at) * stride).copied().unwrap_or(ZEROS);
    let mut carry = if count.is_multiple_of(8) { ZEROS } else { add_eight(&mut planes, last) };
    let used = PLANES.min(usize::BITS as usize - count.leading_zeros() as usize);
    for plane in 3..used {
        let waits = (blocks >> (plane - 3)) & 1 == 1;
        carry = carry_save_add(&mut planes[plane], if waits { waiting[plane] } else { ZEROS }, carry);
    }
    planes
}

/// Adds eight rows to the lowest three planes and returns the carries.
#[inline(always)]
fn add_eight<const PLANES: usize>(planes: &mut [Lane; PLANES], row: impl Fn(usize) -> Lane) -> Lane {
    let [ones, twos, fours, ..] = &mut planes[..] else { return ZEROS };
    let twos_a = carry_save_add(ones, row(0), row(1));
    let twos_b = carry_save_add(ones, row(2), row(3));
    let fours_a = carry_save_add(twos, twos_a, twos_b);
    let twos_a = carry_save_add(ones, row(4), row(5));
    let twos_b = carry_save_add(ones, row(6), row(7));
    let fours_b = carry_save_add(twos, twos_a, twos_b);
    carry_save_add(fours, fours_a, fours_b)
}

/// Adds to `sums` the number of rows that have each bit set. A row is `stride` lanes long; `sums` holds a number for
/// each of its bits, eight to an array.
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
        let planes = bit_sliced_sum::<PLANES>(&rows[lane..], stride);
        for (byte, planes) in planes.chunks(8).enumerate() {
            let bytes = transpose_eight(planes, 1);
            for (eight, sums) in bytes.eights().zip(sums.as_chunks_mut::<8>().0) {
                for (sum, count) in sums.iter_mut().zip(eight) {
                    *sum += u32::from(count) << (8 * byte);
                }
            }
        }
    }
}

/// Most rows of a run whose minority is counted: a minority needs one bit less than a count, and must fit one byte.
pub(crate) const MAX_MINORITY_ROWS: usize = 511;

/// Bits of the minority count of `count` rows.
#[inline(always)]
pub(crate) fn minority_bits(count: usize) -> usize {
    (usize::BITS - (count / 2).leading_zeros()) as usize
}

/// Minority count of each column: the number of rows that differ from the majority, at most half of them. Written as
/// bit planes, the lowest first.
///
/// There are at most [`MAX_MINORITY_ROWS`] rows, and [`minority_bits`] rows of `minorities`.
#[inline(always)]
pub(crate) fn minority_counts(rows: &[Lane], stride: usize, minorities: &mut [Lane]) {
    match rows.len() / stride {
        0 | 1 => {}
        2 | 3 => {
            let (first, others) = rows.split_at(stride);
            minorities.fill(ZEROS);
            for other in others.chunks_exact(stride) {
                for (fold, (first, other)) in minorities.iter_mut().zip(first.iter().zip(other)) {
                    *fold = zip(*fold, zip(*first, *other, |first, other| first ^ other), |fold, differ| {
                        fold | differ
                    });
                }
            }
        }
        4..=15 => minority_with_planes::<4>(rows, stride, minorities),
        _ => minority_with_planes::<9>(rows, stride, minorities),
    }
}

#[inline(always)]
fn minority_with_planes<const PLANES: usize>(rows: &[Lane], stride: usize, minorities: &mut [Lane]) {
    let count = rows.len() / stride;
    let (half, used) = (count / 2, minority_bits(count) + 1);
    for lane in 0..stride {
        let planes = bit_sliced_sum::<PLANES>(&rows[lane..], stride);
        // Subtracts bit by bit, from the lowest: rows − count. The borrow tells whether more than half have the bit.
        let (mut rests, mut borrow, mut most) = ([ZEROS; PLANES], ZEROS, ZEROS);
        for (at, (plane, rest)) in planes.iter().zip(&mut rests).take(used).enumerate() {
            let differ = zip(*plane, borrow, |plane, borrow| plane ^ borrow);
            (*rest, borrow) = match count >> at & 1 {
                0 => (differ, zip(*plane, borrow, |plane, borrow| plane | borrow)),
                _ => (
                    zip(differ, ZEROS, |differ, _| !differ),
                    zip(*plane, borrow, |plane, borrow| plane & borrow),
                ),
            };
            most = match half >> at & 1 {
                0 => zip(most, *plane, |most, plane| most | plane),
                _ => zip(most, *plane, |most, plane| most & plane),
            };
        }
        for (minorities, (plane, rest)) in minorities.chunks_exact_mut(stride).zip(planes.iter().zip(&rests))
        {
            let differ = zip(*plane, *rest, |plane, rest| plane ^ rest);
            minorities[lane] =
                zip(*plane, zip(differ, most, |differ, most| differ & most), |plane, swap| plane ^ swap);
        }
    }
}

/// Columns of each pattern of answers of a few rows, where bit `i` of a pattern belongs to row `i`. One lane per
/// pattern for the first 256 columns, then for the next.
#[inline(always)]
pub(crate) fn columns_by_pattern(rows: &[Lane], stride: usize, columns: &mut [Lane]) {
    let count = rows.len() / stride;
    for (lane, columns) in columns.chunks_exact_mut(1 << count).enumerate() {
        columns[0] = ONES;
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
