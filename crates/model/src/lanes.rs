//! Counting bits in columns, 256 of them at a time.
//!
//! Plain code on arrays of four words, made to be compiled for whatever a processor can do: see `simd.rs`.

/// The answers of one object to 256 tests, one bit each.
pub(crate) type Lane = [u64; 4];

/// How many tests a lane holds.
pub(crate) const LANE_BITS: usize = 256;

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
fn add_up<const PLANES: usize>(rows: &[Lane], stride: usize) -> [Lane; PLANES] {
    let count = rows.len().div_ceil(stride);
    let row = |at: usize| rows[at * stride];
    let (mut planes, mut waiting) = ([NONE; PLANES], [NONE; PLANES]);
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
    planes
}

/// Adds `worth` to every number whose bit is set.
#[inline(always)]
fn add_where(bits: u64, worth: u32, sums: &mut [u32; 64]) {
    for (at, sum) in sums.iter_mut().enumerate() {
        *sum += if bits >> (at % 64) & 1 == 1 { worth } else { 0 };
    }
}

/// Adds to `sums` how many rows have each bit set; a row is `stride` lanes long, `sums` a number for each of its bits.
#[inline(always)]
pub(crate) fn count_columns(rows: &[Lane], stride: usize, sums: &mut [u32]) {
    // Bit i of a count lies in plane i.
    match usize::BITS - (rows.len() / stride).leading_zeros() {
        0 => {}
        1..=4 => count_with_planes::<4>(rows, stride, sums),
        5..=8 => count_with_planes::<8>(rows, stride, sums),
        _ => count_with_planes::<32>(rows, stride, sums),
    }
}

#[inline(always)]
fn count_with_planes<const PLANES: usize>(rows: &[Lane], stride: usize, sums: &mut [u32]) {
    let used = (usize::BITS - (rows.len() / stride).leading_zeros()) as usize;
    for (lane, sums) in sums.chunks_mut(LANE_BITS).enumerate() {
        let planes = add_up::<PLANES>(&rows[lane..], stride);
        for (word, sums) in sums.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            for (plane, bits) in planes[..used].iter().enumerate() {
                add_where(bits[word], 1 << plane, sums);
            }
        }
    }
}

/// For up to seven rows: the columns of which `1`, `2`, … up to half of the rows differ from the others, as one row of
/// bits for each of these numbers.
#[inline(always)]
pub(crate) fn push_minorities(rows: &[Lane], stride: usize, minorities: &mut Vec<Lane>) {
    let count = rows.len() / stride;
    let start = minorities.len();
    minorities.resize(start + count / 2 * stride, NONE);
    for lane in 0..stride {
        let planes = add_up::<4>(&rows[lane..], stride);
        let are = |number: usize| {
            let differ = |plane: usize| {
                zip(planes[plane], [(number as u64 >> plane & 1).wrapping_neg(); 4], |a, b| a ^ b)
            };
            let two = zip(differ(0), differ(1), |a, b| a | b);
            zip(two, differ(2), |a, b| !(a | b))
        };
        for few in 1..=count / 2 {
            minorities[start + (few - 1) * stride + lane] = zip(are(few), are(count - few), |a, b| a | b);
        }
    }
}

/// A bit mask for every place of a word.
static PLACES: [u64; 64] = {
    let mut places = [0; 64];
    let mut at = 0;
    while at < 64 {
        places[at] = 1 << at;
        at += 1;
    }
    places
};

/// The value if the bit at `place` is set, else 0: without a branch, so that compilers do several at once.
#[inline(always)]
fn value_where(bits: u64, place: u64, value: f64) -> f64 {
    let mask = u64::from(bits & place == 0).wrapping_sub(1);
    f64::from_bits(value.to_bits() & mask)
}

/// Adds to `sums` the values of the rows that have each bit set, always in the same order.
#[inline(always)]
pub(crate) fn add_values(rows: &[Lane], stride: usize, values: &[f64], sums: &mut [f64]) {
    let (eights, rest) = values.as_chunks::<8>();
    if !eights.is_empty() {
        add_eights(rows, stride, eights, sums);
    }
    add_each(&rows[eights.len() * 8 * stride..], stride, rest, sums);
}

#[inline(always)]
fn add_eights(rows: &[Lane], stride: usize, eights: &[[f64; 8]], sums: &mut [f64]) {
    let mut table = [0.0; 256];
    for (rows, values) in rows.chunks_exact(8 * stride).zip(eights) {
        fill_sums_of_some(values, &mut table);
        add_from_table(rows, stride, &table, sums);
    }
}

/// Adds the values of eight rows. Eight bits of a column say which of the 256 sums of some of them it gets: one addition
/// instead of eight, the method of the Four Russians [folklore].
#[inline(always)]
fn add_from_table(rows: &[Lane], stride: usize, table: &[f64; 256], sums: &mut [f64]) {
    for (lane, sums) in sums.chunks_mut(LANE_BITS).enumerate() {
        let turned = turn_eight(std::array::from_fn(|row| rows[row * stride + lane]));
        for (word, sums) in sums.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            for (row, sums) in turned.iter().zip(sums.as_chunks_mut::<8>().0) {
                for (sum, byte) in sums.iter_mut().zip(row[word].to_le_bytes()) {
                    *sum += table[usize::from(byte)];
                }
            }
        }
    }
}

/// The sums of some of eight values: of those whose bits are set in the index.
#[inline(always)]
fn fill_sums_of_some(values: &[f64; 8], sums: &mut [f64; 256]) {
    for (bit, value) in values.iter().enumerate() {
        let (without, with) = sums.split_at_mut(1 << bit);
        for (without, with) in without.iter().zip(with) {
            *with = without + value;
        }
    }
}

/// How eight rows swap bits so that they become bytes: row distance, shift and the bits that move. First the squares of eight
/// bits turn about their diagonals, then those of eight bytes.
const SWAPS: [(usize, u32, u64); 6] = [
    (4, 4, 0x0f0f_0f0f_0f0f_0f0f),
    (2, 2, 0x3333_3333_3333_3333),
    (1, 1, 0x5555_5555_5555_5555),
    (4, 32, 0x0000_0000_ffff_ffff),
    (2, 16, 0x0000_ffff_0000_ffff),
    (1, 8, 0x00ff_00ff_00ff_00ff),
];

/// Turns eight rows into bytes: byte `j` of word `w` in row `i` is then column `8 i + j` of the rows' word `w`.
#[inline(always)]
fn turn_eight(mut rows: [Lane; 8]) -> [Lane; 8] {
    for (far, shift, mask) in SWAPS {
        for at in (0..8).filter(|at| at & far == 0) {
            let swap = zip(rows[at], rows[at + far], |low, high| (low >> shift ^ high) & mask);
            rows[at] = zip(rows[at], swap, |row, swap| row ^ swap << shift);
            rows[at + far] = zip(rows[at + far], swap, |row, swap| row ^ swap);
        }
    }
    rows
}

/// Adds the values row by row.
#[inline(always)]
fn add_each(rows: &[Lane], stride: usize, values: &[f64], sums: &mut [f64]) {
    let (fours, rest) = values.as_chunks::<4>();
    for (column, sums) in sums.as_chunks_mut::<64>().0.iter_mut().enumerate() {
        let (lane, word) = (column / 4, column % 4);
        let bits = |row: usize| rows[row * stride + lane][word];
        for (at, values) in fours.iter().enumerate() {
            let bits: [u64; 4] = std::array::from_fn(|row| bits(at * 4 + row));
            for (sum, place) in sums.iter_mut().zip(&PLACES) {
                for row in 0..4 {
                    *sum += value_where(bits[row], *place, values[row]);
                }
            }
        }
        for (row, value) in (fours.len() * 4..).zip(rest) {
            for (sum, place) in sums.iter_mut().zip(&PLACES) {
                *sum += value_where(bits(row), *place, *value);
            }
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

/// For up to six rows: the lowest column of every pattern of answers, where bit `i` of a pattern is row `i`'s; `None` for
/// patterns that do not occur.
#[inline(always)]
pub(crate) fn first_of_patterns(rows: &[Lane], stride: usize, firsts: &mut [Option<u32>; 64]) {
    let count = rows.len() / stride;
    firsts.fill(None);
    let mut columns = [NONE; 64];
    for lane in 0..stride {
        columns[0] = [u64::MAX; 4];
        for at in 0..count {
            let row = rows[at * stride + lane];
            let (without, with) = columns.split_at_mut(1 << at);
            for (without, with) in without.iter_mut().zip(with) {
                *with = zip(*without, row, |columns, row| columns & row);
                *without = zip(*without, row, |columns, row| columns & !row);
            }
        }
        for (first, columns) in firsts.iter_mut().zip(&columns[..1 << count]) {
            let word = columns.iter().position(|word| *word != 0);
            let column = || word.map(|at| (lane * LANE_BITS + at * 64) as u32 + columns[at].trailing_zeros());
            *first = first.or_else(column);
        }
    }
}

/// Parts rows by one of their bits: those without it come to the front, those with it behind, both in their old order. Writes
/// down the bit of every row. `aside` must have room for one row more than have the bit.
///
/// Both places are written, and only the one that counts moves on: answers are hard to guess, and branches are dear.
#[inline(always)]
pub(crate) fn part_rows(
    rows: &mut [Lane],
    stride: usize,
    column: usize,
    bits: &mut [u8],
    aside: &mut [Lane],
) {
    match stride {
        1 => part_arrays::<1>(rows, column, bits, aside),
        2 => part_arrays::<2>(rows, column, bits, aside),
        3 => part_arrays::<3>(rows, column, bits, aside),
        4 => part_arrays::<4>(rows, column, bits, aside),
        5 => part_arrays::<5>(rows, column, bits, aside),
        _ => part_slices(rows, stride, column, bits, aside),
    }
}

#[inline(always)]
fn part_arrays<const STRIDE: usize>(rows: &mut [Lane], column: usize, bits: &mut [u8], aside: &mut [Lane]) {
    let (lane, word, place) = (column / LANE_BITS, column / 64 % 4, column % 64);
    let (rows, aside) = (rows.as_chunks_mut::<STRIDE>().0, aside.as_chunks_mut::<STRIDE>().0);
    let (mut first, mut second) = (0, 0);
    for (at, said) in bits.iter_mut().enumerate() {
        let row = rows[at];
        let bit = row[lane][word] >> place & 1;
        *said = bit as u8;
        rows[first] = row;
        aside[second] = row;
        first += 1 - bit as usize;
        second += bit as usize;
    }
    rows[first..].copy_from_slice(&aside[..second]);
}

/// The same for rows of any length.
fn part_slices(rows: &mut [Lane], stride: usize, column: usize, bits: &mut [u8], aside: &mut [Lane]) {
    let (mut first, mut second) = (0, 0);
    for (at, said) in bits.iter_mut().enumerate() {
        let row = at * stride..(at + 1) * stride;
        *said = bit_of(&rows[row.clone()], column);
        if *said == 0 {
            rows.copy_within(row, first * stride);
            first += 1;
        } else {
            aside[second * stride..(second + 1) * stride].copy_from_slice(&rows[row]);
            second += 1;
        }
    }
    rows[first * stride..].copy_from_slice(&aside[..second * stride]);
}

/// The bit of a row at `column`.
#[inline(always)]
pub(crate) fn bit_of(row: &[Lane], column: usize) -> u8 {
    (row[column / LANE_BITS][column / 64 % 4] >> (column % 64) & 1) as u8
}

/// Sets the score of every test that splits nothing, because none or all of `count` objects give its second answer, to -1.
/// Gives the largest score, and whether all are numbers.
#[inline(always)]
pub(crate) fn rank(scores: &mut [f64], seconds: &[u32], count: u32) -> (f64, bool) {
    // Four at a time: the largest of each column, and then of all.
    let (mut tops, mut gaps) = ([-1.0f64; 4], [0.0f64; 4]);
    let (fours, rest) = scores.as_chunks_mut::<4>();
    let (four_seconds, rest_seconds) = seconds.as_chunks::<4>();
    for (scores, seconds) in fours.iter_mut().zip(four_seconds) {
        for at in 0..4 {
            let splits = seconds[at].wrapping_sub(1) < count - 1;
            scores[at] = if splits { scores[at] } else { -1.0 };
            tops[at] = if scores[at] > tops[at] { scores[at] } else { tops[at] };
            // Not a number once anything was none.
            gaps[at] += scores[at] * 0.0;
        }
    }
    let last = seconds.len() - rest_seconds.len();
    for (score, second) in rest.iter_mut().zip(&seconds[last.min(fours.len() * 4)..]) {
        *score = if second.wrapping_sub(1) < count - 1 { *score } else { -1.0 };
        tops[0] = if *score > tops[0] { *score } else { tops[0] };
        gaps[0] += *score * 0.0;
    }
    let top = tops.into_iter().fold(-1.0, f64::max);
    (top, gaps.into_iter().all(|gap| !gap.is_nan()))
}
