//! Shares that bits choose, added up for many columns at once: digit by digit, from tables that fit in a register.
//!
//! Four bits of a column say which of sixteen digits it gets, and a processor that can shuffle bytes does that for 32 columns in
//! one step [folklore]. Compilers do not find this step, so it is asked for by name; only processors that have it come here,
//! see `simd.rs`. The sums are those of `lookup.rs` to the last bit, in half the time.

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

/// Four digits add up to less than a byte.
const DIGIT_BITS: usize = 6;
/// Enough for the sum of four shares of a fine grain.
const DIGITS: usize = 9;
/// And of a coarse one.
const COARSE_DIGITS: usize = 6;
/// ShuffleScratch are made from two halves of a share; four lower ones add up to 32 bits.
const LOWER_BITS: u32 = 30;
/// So many rows are looked up in one step, before bytes overflow.
const STEP: usize = 16;
/// So many rows are done at a time: their bits and tables stay in the nearest cache.
const BLOCK: usize = 128;
/// So many rows can be added before a sum of digits overflows its 16 bits.
const MOST: usize = 4096;

/// What the sixteen patterns of four rows are worth: two digits in each place, the last of them nothing.
type DigitTables = [[[u8; 16]; 2]; DIGITS.div_ceil(2)];

/// By digit, for 32 columns: the sums of the even ones with 256 times those of the odd ones on top, and those of the odd ones.
type DigitSums = [[__m256i; 2]; DIGITS];

/// The bits of four rows for 32 columns, as one number in each byte.
type Fours = [Lane; BLOCK / 4];

/// PageBuffer to work in.
#[derive(Debug, Default)]
pub(crate) struct ShuffleScratch {
    tables: Vec<[DigitTables; STEP / 4]>,
    /// By part of a lane: byte `b` of part `p` is column `8 b + p`.
    turned: Vec<Fours>,
    /// By lane and part.
    sums: Vec<[DigitSums; 8]>,
}

/// Adds to `sums` the shares of the rows that have each bit set.
#[target_feature(enable = "avx2")]
pub(crate) fn add_shares(
    rows: &[Lane],
    stride: usize,
    shares: &[f64],
    grain: Precision,
    scratch: &mut ShuffleScratch,
    sums: &mut [f64],
) {
    for (rows, shares) in rows.chunks(MOST * stride).zip(shares.chunks(MOST)) {
        scratch.sums.clear();
        scratch.sums.resize(sums.len().div_ceil(LANE_BITS), Zeroable::zeroed());
        for (rows, shares) in rows.chunks(BLOCK * stride).zip(shares.chunks(BLOCK)) {
            add_block(rows, stride, shares, grain, scratch);
        }
        for (sums, parts) in sums.chunks_mut(LANE_BITS).zip(&scratch.sums) {
            add_parts(parts, grain, sums);
        }
    }
}

#[target_feature(enable = "avx2")]
fn add_block(rows: &[Lane], stride: usize, shares: &[f64], grain: Precision, scratch: &mut ShuffleScratch) {
    let ShuffleScratch { tables, turned, sums } = scratch;
    turned.resize(8, [ZEROS; BLOCK / 4]);
    fill_tables(shares, grain, tables);
    for (lane, parts) in sums.iter_mut().enumerate() {
        for four in 0..tables.len() * STEP / 4 {
            for (part, bits) in turned.iter_mut().zip(four_of(rows, stride, four * 4, lane)) {
                part[four] = bits;
            }
        }
        for (fours, sums) in turned.iter().zip(parts) {
            // Not all at once: so many sums as there are registers.
            match grain {
                Precision::Fine => {
                    add_digits::<0, 5>(fours, tables, sums);
                    add_digits::<5, DIGITS>(fours, tables, sums);
                }
                Precision::Coarse => add_digits::<0, COARSE_DIGITS>(fours, tables, sums),
            }
        }
    }
}

/// DigitTables for all fours of shares, and as many that say nothing as a step needs.
#[target_feature(enable = "avx2")]
fn fill_tables(shares: &[f64], grain: Precision, tables: &mut Vec<[DigitTables; STEP / 4]>) {
    let (mut lower, mut upper) = ([0; BLOCK], [0; BLOCK]);
    for ((lower, upper), share) in lower.iter_mut().zip(&mut upper).zip(shares) {
        let whole = (share + grain.offset()).to_bits() & (WHOLE as u64 - 1);
        *lower = (whole & ((1 << LOWER_BITS) - 1)) as i32;
        *upper = (whole >> LOWER_BITS) as i32;
    }
    tables.resize(shares.len().div_ceil(STEP), Zeroable::zeroed());
    let halves = lower.as_chunks::<4>().0.iter().zip(upper.as_chunks::<4>().0);
    for (tables, (lower, upper)) in tables.as_flattened_mut().iter_mut().zip(halves) {
        *tables = tables_of(sums_of_some(lower), sums_of_some(upper));
    }
}

/// The sums of some of four numbers: of those whose bits are set in the index. First those for 0 to 3 and 8 to 11, then the
/// rest, which is the order that packing wants.
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

/// The digits of sixteen sums, given as lower and upper halves.
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
    // Packing leaves the quarters of both in turn.
    cast(_mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(first, second)))
}

/// A lane of four rows from `first` on as numbers, see [`transpose_four`]. Rows that are not there hold nothing.
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

/// Adds the sums of a lane's digits as numbers.
#[inline]
#[target_feature(enable = "avx2")]
fn add_parts(parts: &[DigitSums; 8], grain: Precision, sums: &mut [f64]) {
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
        *sum += (f64::from_bits(whole | WHOLE.to_bits()) - WHOLE) * grain.unit();
    }
}
