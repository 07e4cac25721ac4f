//! Sums of shares over the rows with a set bit, digit by digit, from tables that fit in a register.
//!
//! Four bits of a column select one of sixteen digits in base 64, and one shuffle instruction does that for 32
//! columns (folklore). Compilers do not find this instruction, so it is used by name, on processors that have it
//! (`mod.rs` chooses). The sums equal those of `byte_tables.rs` to the last bit, in half the time.

use super::precision::Precision;
use crate::lane::{LANE_BITS, Lane, ZEROS};
use crate::math::WHOLE;
use crate::transpose::transpose_four;
use bytemuck::{Zeroable, cast};
use std::arch::x86_64::{
    __m128i, __m256i, _mm256_add_epi8, _mm256_add_epi16, _mm256_add_epi32, _mm256_and_si256,
    _mm256_broadcastsi128_si256, _mm256_packus_epi16, _mm256_packus_epi32, _mm256_permute4x64_epi64,
    _mm256_set1_epi32, _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_srli_epi32,
};

/// Bits per digit: four digits add up to less than a byte.
const DIGIT_BITS: usize = 6;
/// Digits for the sum of four fine shares.
const DIGITS: usize = 9;
/// Digits for the sum of four coarse shares.
const COARSE_DIGITS: usize = 6;
/// Bits of the lower half of a share, from which digits are made: four lower halves add up to 32 bits.
const LOWER_BITS: u32 = 30;
/// Rows looked up in one step, before bytes overflow.
const STEP: usize = 16;
/// Rows per block: their bits and tables stay in the first-level cache.
const BLOCK: usize = 128;
/// Most rows that can be added before a sum of digits overflows its 16 bits.
const MAX_ROWS: usize = 4096;

/// Digits of the sums of the sixteen patterns of four rows: two digits per place, the last one unused.
type DigitTables = [[[u8; 16]; 2]; DIGITS.div_ceil(2)];

/// Digit sums for 32 columns, by digit: the sums of the even columns plus 256 times those of the odd ones, and those
/// of the odd ones.
type DigitSums = [[__m256i; 2]; DIGITS];

/// Bits of four rows for 32 columns, as one number in each byte.
type Fours = [Lane; BLOCK / 4];

/// Scratch space of the shuffle sums.
#[derive(Debug, Default)]
pub(crate) struct ShuffleScratch {
    tables: Vec<[DigitTables; STEP / 4]>,
    /// Transposed rows by part of a lane: byte `b` of part `p` belongs to column `8 b + p`.
    transposed: Vec<Fours>,
    /// Digit sums by lane and part.
    sums: Vec<[DigitSums; 8]>,
}

/// Adds to `sums` the shares of the rows that have each bit set.
#[target_feature(enable = "avx2")]
pub(crate) fn add_shares(
    rows: &[Lane],
    stride: usize,
    shares: &[f64],
    precision: Precision,
    scratch: &mut ShuffleScratch,
    sums: &mut [f64],
) {
    for (rows, shares) in rows.chunks(MAX_ROWS * stride).zip(shares.chunks(MAX_ROWS)) {
        scratch.sums.clear();
        scratch.sums.resize(sums.len().div_ceil(LANE_BITS), Zeroable::zeroed());
        for (rows, shares) in rows.chunks(BLOCK * stride).zip(shares.chunks(BLOCK)) {
            add_block(rows, stride, shares, precision, scratch);
        }
        for (sums, parts) in sums.chunks_mut(LANE_BITS).zip(&scratch.sums) {
            add_parts(parts, precision, sums);
        }
    }
}

#[target_feature(enable = "avx2")]
fn add_block(
    rows: &[Lane],
    stride: usize,
    shares: &[f64],
    precision: Precision,
    scratch: &mut ShuffleScratch,
) {
    let ShuffleScratch { tables, transposed, sums } = scratch;
    transposed.resize(8, [ZEROS; BLOCK / 4]);
    fill_tables(shares, precision, tables);
    for (lane, parts) in sums.iter_mut().enumerate() {
        for four in 0..tables.len() * STEP / 4 {
            for (part, bits) in transposed.iter_mut().zip(four_of(rows, stride, four * 4, lane)) {
                part[four] = bits;
            }
        }
        for (fours, sums) in transposed.iter().zip(parts) {
            // Two passes, so that all accumulators fit the 16 vector registers.
            match precision {
                Precision::Fine => {
                    add_digits::<0, 5>(fours, tables, sums);
                    add_digits::<5, DIGITS>(fours, tables, sums);
                }
                Precision::Coarse => add_digits::<0, COARSE_DIGITS>(fours, tables, sums),
            }
        }
    }
}

/// Fills the tables for each four shares, and adds empty tables up to a full step.
#[target_feature(enable = "avx2")]
fn fill_tables(shares: &[f64], precision: Precision, tables: &mut Vec<[DigitTables; STEP / 4]>) {
    let (mut lower, mut upper) = ([0; BLOCK], [0; BLOCK]);
    for ((lower, upper), share) in lower.iter_mut().zip(&mut upper).zip(shares) {
        let whole = (share + precision.offset()).to_bits() & (WHOLE as u64 - 1);
        *lower = (whole & ((1 << LOWER_BITS) - 1)) as i32;
        *upper = (whole >> LOWER_BITS) as i32;
    }
    tables.resize(shares.len().div_ceil(STEP), Zeroable::zeroed());
    let halves = lower.as_chunks::<4>().0.iter().zip(upper.as_chunks::<4>().0);
    for (tables, (lower, upper)) in tables.as_flattened_mut().iter_mut().zip(halves) {
        *tables = tables_of(sums_of_some(lower), sums_of_some(upper));
    }
}

/// Subset sums of four numbers; the index is the subset, as bits. First those for 0 to 3 and 8 to 11, then the rest:
/// the order that packing needs.
#[target_feature(enable = "avx2")]
fn sums_of_some(four: &[i32; 4]) -> [__m256i; 2] {
    let masked = |value: i32, mask: [i32; 8]| _mm256_and_si256(_mm256_set1_epi32(value), cast(mask));
    let first_two = _mm256_add_epi32(
        masked(four[0], [0, -1, 0, -1, 0, -1, 0, -1]),
        masked(four[1], [0, 0, -1, -1, 0, 0, -1, -1]),
    );
    let without = _mm256_add_epi32(first_two, masked(four[3], [0, 0, 0, 0, -1, -1, -1, -1]));
    [without, _mm256_add_epi32(without, _mm256_set1_epi32(four[2]))]
}

/// Digits of sixteen sums, given as lower and upper halves.
#[target_feature(enable = "avx2")]
fn tables_of(lower: [__m256i; 2], upper: [__m256i; 2]) -> DigitTables {
    let carried =
        |at: usize| _mm256_add_epi32(upper[at], _mm256_srli_epi32::<{ LOWER_BITS as i32 }>(lower[at]));
    let upper = [carried(0), carried(1)];
    [
        two_digits(digit::<0>(lower), digit::<6>(lower)),
        two_digits(digit::<12>(lower), digit::<18>(lower)),
        two_digits(digit::<24>(lower), digit::<0>(upper)),
        two_digits(digit::<6>(upper), digit::<12>(upper)),
        two_digits(digit::<18>(upper), digit::<24>(upper)),
    ]
}

#[target_feature(enable = "avx2")]
fn digit<const SHIFT: i32>(sums: [__m256i; 2]) -> __m256i {
    let mask = _mm256_set1_epi32((1 << DIGIT_BITS) - 1);
    let [first, second] = sums.map(|sums| _mm256_and_si256(_mm256_srli_epi32::<SHIFT>(sums), mask));
    _mm256_packus_epi32(first, second)
}

#[target_feature(enable = "avx2")]
fn two_digits(first: __m256i, second: __m256i) -> [[u8; 16]; 2] {
    // Packing interleaves the quarters of both operands.
    cast(_mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(first, second)))
}

/// Converts one lane of four rows from `first` on to numbers, see [`transpose_four`]. Missing rows count as zeros.
#[inline(always)]
fn four_of(rows: &[Lane], stride: usize, first: usize, lane: usize) -> [Lane; 8] {
    let place = |at: usize| (first + at) * stride + lane;
    transpose_four(if place(3) < rows.len() {
        [rows[place(0)], rows[place(1)], rows[place(2)], rows[place(3)]]
    } else {
        [0, 1, 2, 3].map(|at| rows.get(place(at)).copied().unwrap_or(ZEROS))
    })
}

/// Adds the digits from `FROM` to `TO` of all rows to the sums of 32 columns.
#[inline]
#[target_feature(enable = "avx2")]
fn add_digits<const FROM: usize, const TO: usize>(
    fours: &Fours,
    tables: &[[DigitTables; STEP / 4]],
    sums: &mut DigitSums,
) {
    let mut some = *sums;
    for (fours, tables) in fours.as_chunks::<{ STEP / 4 }>().0.iter().zip(tables) {
        for digit in FROM..TO {
            let worth = |at: usize| {
                let table: __m128i = cast(tables[at][digit / 2][digit % 2]);
                _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), cast(fours[at]))
            };
            let bytes =
                _mm256_add_epi8(_mm256_add_epi8(worth(0), worth(1)), _mm256_add_epi8(worth(2), worth(3)));
            let [both, odd] = &mut some[digit];
            *both = _mm256_add_epi16(*both, bytes);
            *odd = _mm256_add_epi16(*odd, _mm256_srli_epi16::<8>(bytes));
        }
    }
    sums[FROM..TO].copy_from_slice(&some[FROM..TO]);
}

/// Adds the digit sums of a lane to `sums` as floats.
#[inline]
#[target_feature(enable = "avx2")]
fn add_parts(parts: &[DigitSums; 8], precision: Precision, sums: &mut [f64]) {
    let mut wholes = [[0u64; 8]; LANE_BITS / 8];
    for (part, digits) in parts.iter().enumerate() {
        let (mut evens, mut odds) = ([0u64; 16], [0u64; 16]);
        for (digit, digits) in digits.iter().enumerate() {
            let [both, odd]: [[u16; 16]; 2] = cast(*digits);
            for at in 0..16 {
                evens[at] += u64::from(both[at].wrapping_sub(odd[at] << 8)) << (digit * DIGIT_BITS);
                odds[at] += u64::from(odd[at]) << (digit * DIGIT_BITS);
            }
        }
        for at in 0..16 {
            wholes[2 * at][part] = evens[at];
            wholes[2 * at + 1][part] = odds[at];
        }
    }
    for (sum, whole) in sums.iter_mut().zip(wholes.as_flattened()) {
        *sum += (f64::from_bits(whole | WHOLE.to_bits()) - WHOLE) * precision.unit();
    }
}
