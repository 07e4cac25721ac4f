//! Counting bits in columns, 256 of them at a time.
//!
//! Every function here is compiled twice, for plain processors and for those with 256-bit registers, and the better
//! one is chosen when the program runs. Both do the same additions in the same order, so both give the same numbers.

use multiversion::multiversion;

/// The answers of one object to 256 tests, one bit each.
pub(crate) type Lane = [u64; 4];

/// How many tests a lane holds.
pub(crate) const LANE_BITS: usize = 256;

/// Adds up to 2^32 lanes: bit `i` of every column's sum lies in plane `i`.
const PLANES: usize = 32;

const NONE: Lane = [0; 4];

/// One lane made of two, word by word.
#[inline(always)]
fn zip(left: Lane, right: Lane, what: impl Fn(u64, u64) -> u64) -> Lane {
    [what(left[0], right[0]), what(left[1], right[1]), what(left[2], right[2]), what(left[3], right[3])]
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

/// Adds one bit to `sum` in every column and gives the carries.
#[inline(always)]
fn add_one(sum: &mut Lane, bits: Lane) -> Lane {
    let carry = zip(*sum, bits, |sum, bits| sum & bits);
    *sum = zip(*sum, bits, |sum, bits| sum ^ bits);
    carry
}

/// The column sums of many lanes, as bit planes.
///
/// Carries wait in pairs before they go up one plane, so a lane costs about one addition however high the sums are:
/// carry-save adders, as in positional population counts [folklore].
#[inline(always)]
fn add_up(rows: &[Lane], stride: usize, planes: &mut [Lane; PLANES]) {
    let count = rows.len().div_ceil(stride);
    let row = |at: usize| rows[at * stride];
    let mut waiting = [NONE; PLANES];
    let (mut ones, mut twos, mut fours) = (NONE, NONE, NONE);
    let blocks = count / 8;
    for block in 0..blocks {
        let at = block * 8;
        let twos_a = add_two(&mut ones, row(at), row(at + 1));
        let twos_b = add_two(&mut ones, row(at + 2), row(at + 3));
        let fours_a = add_two(&mut twos, twos_a, twos_b);
        let twos_a = add_two(&mut ones, row(at + 4), row(at + 5));
        let twos_b = add_two(&mut ones, row(at + 6), row(at + 7));
        let fours_b = add_two(&mut twos, twos_a, twos_b);
        let mut carry = add_two(&mut fours, fours_a, fours_b);
        // Like counting the blocks in binary: where a carry waits already, both go up.
        let mut plane = 3;
        while (block >> (plane - 3)) & 1 == 1 {
            carry = add_two(&mut planes[plane], waiting[plane], carry);
            plane += 1;
        }
        waiting[plane] = carry;
    }
    (planes[0], planes[1], planes[2]) = (ones, twos, fours);
    let used = PLANES.min(usize::BITS as usize - count.leading_zeros() as usize);
    let mut ripple = |first: usize, mut carry: Lane| {
        for plane in &mut planes[first..used] {
            carry = add_one(plane, carry);
        }
    };
    for plane in (3..used).filter(|plane| (blocks >> (plane - 3)) & 1 == 1) {
        ripple(plane, waiting[plane]);
    }
    for at in blocks * 8..count {
        ripple(0, row(at));
    }
}

/// Adds `worth` to every number whose bit is set.
#[inline(always)]
fn add_where(bits: u64, worth: u32, sums: &mut [u32; 64]) {
    for (at, sum) in sums.iter_mut().enumerate() {
        *sum += if bits >> (at % 64) & 1 == 1 { worth } else { 0 };
    }
}

/// Adds to `sums` how many rows have each bit set; a row is `stride` lanes long, `sums` a number for each of its bits.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn count_columns(rows: &[Lane], stride: usize, sums: &mut [u32]) {
    let count = rows.len() / stride;
    let used = usize::BITS as usize - count.leading_zeros() as usize;
    for (lane, sums) in sums.chunks_mut(LANE_BITS).enumerate() {
        let mut planes = [NONE; PLANES];
        if count > 0 {
            add_up(&rows[lane..], stride, &mut planes);
        }
        for (word, sums) in sums.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            for (plane, bits) in planes[..used].iter().enumerate() {
                add_where(bits[word], 1 << plane, sums);
            }
        }
    }
}

/// Adds to `sums` the values of the rows that have each bit set, in order of rows.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(crate) fn add_values(rows: &[Lane], stride: usize, values: &[f64], sums: &mut [f64]) {
    let places: [u64; 64] = std::array::from_fn(|at| 1 << at);
    if rows.is_empty() {
        return;
    }
    for (lane, sums) in sums.chunks_mut(LANE_BITS).enumerate() {
        for (word, sums) in sums.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            for (row, value) in rows[lane..].iter().step_by(stride).zip(values) {
                let bits = row[word];
                for (sum, place) in sums.iter_mut().zip(&places) {
                    *sum += if bits & place != 0 { *value } else { 0.0 };
                }
            }
        }
    }
}

/// Turns a square of bits about its diagonal: bit `j` of word `i` becomes bit `i` of word `j`.
/// [Warren, Hacker's Delight, section 7-3], with the lowest bit first.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
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
