//! Prefilter of tests at a small node of equal weights: 16-bit lower bounds of the gain exclude most tests.
//!
//! The gain of a test is the entropy of its answers at the node less their entropy within groups, `N h(k/N) − Σ n
//! h(k_g/n)`, where `k` of `N` objects give the second answer and `h` is the binary entropy. Each term is looked up
//! for 32 tests in one instruction, as in `sum/shuffle_avx2.rs`, and is too small by less than 1/256 bit. Few tests
//! come out near the best, and only these are counted exactly.

use crate::lane::{LANE_BITS, Lane, ONES, ZEROS};
use crate::rows::{GroupRun, NodeView};
use crate::transpose::transpose_four;
use bytemuck::cast;
use std::arch::x86_64::{
    __m128i, __m256i, _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_cmpeq_epi16,
    _mm256_max_epu16, _mm256_movemask_epi8, _mm256_or_si256, _mm256_packs_epi16, _mm256_set1_epi8,
    _mm256_set1_epi16, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_subs_epu16, _mm256_unpackhi_epi8,
    _mm256_unpacklo_epi8, _mm256_xor_si256,
};

/// Most objects of a node that is prefiltered: they are counted in eight bit planes.
const MOST_OBJECTS: usize = (1 << PLANES) - 1;
const PLANES: usize = 8;
/// Fixed-point units per bit of entropy: `MOST_OBJECTS` bits just fit in 16 bits.
const PARTS: f64 = 256.0;

/// Values `n h(k/n)` for a number `n` of objects, in units, by the number `k` with the second answer. Sixteen at a
/// time: their lower bytes, then their higher bytes.
type Table = [[[u8; 16]; 2]; (1 << PLANES) / 16];

/// Gains and lookup tables of the prefilter.
#[derive(Debug, Default)]
pub(crate) struct PrefilterTables {
    /// Gain of each test in units, by lane.
    gains: Vec<[Words; 8]>,
    /// Tables by number of objects, as far as they were needed.
    tables: Vec<Option<Box<Table>>>,
}

impl PrefilterTables {
    /// Makes the table for `len` objects from a table of `x log₂ x`.
    fn prepare(&mut self, len: usize, information: &[f64]) {
        let table = &mut self.tables[len];
        if table.is_none() {
            let mut new = Box::new([[[0; 16]; 2]; (1 << PLANES) / 16]);
            for seconds in 0..=len {
                let bits = information[len] - information[seconds] - information[len - seconds];
                // Rounded down; rounding may have made a zero slightly negative.
                let [low, high] = ((bits * PARTS) as u16).to_le_bytes();
                new[seconds / 16][0][seconds % 16] = low;
                new[seconds / 16][1][seconds % 16] = high;
            }
            *table = Some(new);
        }
    }
}

/// 16-bit words for 32 columns: those of part `p` belong to columns `8 b + p`. Unpacking bytes brings them into this
/// order, and packing words brings them back.
type Words = [__m256i; 2];

/// Finds the tests that may be the best, in order. Returns false, and finds none, for more than [`MOST_OBJECTS`]
/// objects or if no test has a clear gain. `information` is `x log₂ x` up to the number of objects.
#[target_feature(enable = "avx2")]
pub(crate) fn prefilter(
    part: &NodeView<'_>,
    information: &[f64],
    looks: &mut PrefilterTables,
    left: &mut Vec<u32>,
) -> bool {
    if part.len() > MOST_OBJECTS {
        return false;
    }
    looks.tables.resize(MOST_OBJECTS + 1, None);
    looks.prepare(part.len(), information);
    part.runs.iter().for_each(|run| looks.prepare(run.len as usize, information));
    let PrefilterTables { gains, tables } = looks;
    let table = |len: usize| tables[len].as_deref().expect("every table was made");
    let stride = part.stride;
    let mut most = _mm256_setzero_si256();
    gains.resize(stride, [[most; 2]; 8]);
    for (lane, gains) in gains.iter_mut().enumerate() {
        let rows = &part.rows[lane..];
        look_up::<false>(rows, stride, part.len(), table(part.len()), gains);
        let mut start = 0;
        for GroupRun { len, .. } in part.runs {
            let (len, rows) = (*len as usize, &rows[start * stride..]);
            start += len;
            if len > 1 {
                look_up::<true>(rows, stride, len, table(len), gains);
            }
        }
        for gains in gains.as_flattened() {
            most = _mm256_max_epu16(most, *gains);
        }
    }
    let most = cast::<_, [u16; 16]>(most).into_iter().fold(0, u16::max);
    // The node's term may be too small by one unit, and so may each group's; one more, because scores that differ by
    // 1e-9 are ties.
    let lost = part.runs.len() as u16 + 2;
    if most <= lost {
        return false;
    }
    collect(gains, most - lost, left);
    true
}

/// Collects the columns with a gain of at least `least`, in order. Columns without a test have gain 0.
#[inline]
#[target_feature(enable = "avx2")]
fn collect(gains: &[[Words; 8]], least: u16, left: &mut Vec<u32>) {
    let least = _mm256_set1_epi16(least as i16);
    left.clear();
    for (lane, parts) in gains.iter().enumerate() {
        for (part, gains) in parts.iter().enumerate() {
            let first = is_at_least(gains[0], least);
            let second = is_at_least(gains[1], least);
            let mut bytes = _mm256_movemask_epi8(_mm256_packs_epi16(first, second)) as u32;
            while bytes != 0 {
                left.push((lane * LANE_BITS + part) as u32 + 8 * bytes.trailing_zeros());
                bytes &= bytes - 1;
            }
        }
    }
    left.sort_unstable();
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_at_least(words: __m256i, least: __m256i) -> __m256i {
    _mm256_cmpeq_epi16(_mm256_max_epu16(words, least), words)
}

/// Looks up, for every column of a lane, the entropy of the first `len` bits; subtracts it from the gain, or sets the
/// gain to it.
///
/// No closures: they do not inherit `#[target_feature]`.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up<const TAKES: bool>(
    rows: &[Lane],
    stride: usize,
    len: usize,
    table: &Table,
    gains: &mut [Words; 8],
) {
    let planes = count(rows, stride, len);
    let low = transpose_four([cast(planes[0]), cast(planes[1]), cast(planes[2]), cast(planes[3])]);
    if len < 16 {
        for (gains, low) in gains.iter_mut().zip(low) {
            set_or_subtract::<TAKES>(choose(&table[0], cast(low)), gains);
        }
        return;
    }
    let high = transpose_four([cast(planes[4]), cast(planes[5]), cast(planes[6]), cast(planes[7])]);
    for (gains, (low, high)) in gains.iter_mut().zip(low.into_iter().zip(high)) {
        let mut bytes = [_mm256_setzero_si256(); 2];
        for (at, sixteen) in table[..=len / 16].iter().enumerate() {
            // A byte with its highest bit set selects 0.
            let is_mine = _mm256_cmpeq_epi8(cast(high), _mm256_set1_epi8(at as i8));
            let choice = _mm256_or_si256(cast(low), _mm256_xor_si256(is_mine, _mm256_set1_epi8(-1)));
            let chosen = choose(sixteen, choice);
            bytes = [_mm256_or_si256(bytes[0], chosen[0]), _mm256_or_si256(bytes[1], chosen[1])];
        }
        set_or_subtract::<TAKES>(bytes, gains);
    }
}

/// Sets the gain to the words of lower and higher bytes, or subtracts them, not below 0.
#[inline]
#[target_feature(enable = "avx2")]
fn set_or_subtract<const TAKES: bool>([low, high]: [__m256i; 2], gains: &mut Words) {
    let words = [_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high)];
    *gains = match TAKES {
        true => [_mm256_subs_epu16(gains[0], words[0]), _mm256_subs_epu16(gains[1], words[1])],
        false => words,
    };
}

/// Selects the lower and higher bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn choose(sixteen: &[[u8; 16]; 2], choice: __m256i) -> [__m256i; 2] {
    let low = _mm256_broadcastsi128_si256(cast::<_, __m128i>(sixteen[0]));
    let high = _mm256_broadcastsi128_si256(cast::<_, __m128i>(sixteen[1]));
    [_mm256_shuffle_epi8(low, choice), _mm256_shuffle_epi8(high, choice)]
}

/// Masks of the rows present in a block of eight; the index decides how many are left.
const THERE: [Lane; 15] =
    [ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES, ZEROS, ZEROS, ZEROS, ZEROS, ZEROS, ZEROS, ZEROS];

/// Number of the first `len` rows that have each bit set, as bit planes.
#[inline]
#[target_feature(enable = "avx2")]
fn count(rows: &[Lane], stride: usize, len: usize) -> [__m256i; PLANES] {
    let mut planes = [_mm256_setzero_si256(); PLANES];
    let (whole, rest) = (len / 8, len % 8);
    for block in 0..whole {
        let rows = &rows[block * 8 * stride..][..7 * stride + 1];
        let eight = [
            cast(rows[0]),
            cast(rows[stride]),
            cast(rows[2 * stride]),
            cast(rows[3 * stride]),
            cast(rows[4 * stride]),
            cast(rows[5 * stride]),
            cast(rows[6 * stride]),
            cast(rows[7 * stride]),
        ];
        add_eight(&mut planes, eight);
    }
    if rest > 0 {
        // Always eight rows, because the number is hard to predict: missing ones repeat the last row under a mask of
        // zeros.
        let rows = &rows[whole * 8 * stride..][..(rest - 1) * stride + 1];
        let there = &THERE[8 - rest..][..8];
        let mut eight = [_mm256_setzero_si256(); 8];
        for at in 0..8 {
            eight[at] = _mm256_and_si256(cast(rows[at.min(rest - 1) * stride]), cast(there[at]));
        }
        add_eight(&mut planes, eight);
    }
    planes
}

/// Adds eight rows as in `count/portable.rs`, but moves carries up at once, because there are few rows. Intrinsics,
/// because here LLVM splits the generic version into 128-bit operations.
#[inline]
#[target_feature(enable = "avx2")]
fn add_eight(planes: &mut [__m256i; PLANES], rows: [__m256i; 8]) {
    let [ones, twos, fours, ..] = planes;
    let twos_a = carry_save_add(ones, rows[0], rows[1]);
    let twos_b = carry_save_add(ones, rows[2], rows[3]);
    let fours_a = carry_save_add(twos, twos_a, twos_b);
    let twos_a = carry_save_add(ones, rows[4], rows[5]);
    let twos_b = carry_save_add(ones, rows[6], rows[7]);
    let fours_b = carry_save_add(twos, twos_a, twos_b);
    let mut carry = carry_save_add(fours, fours_a, fours_b);
    for plane in &mut planes[3..] {
        let next = _mm256_and_si256(*plane, carry);
        *plane = _mm256_xor_si256(*plane, carry);
        carry = next;
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn carry_save_add(sum: &mut __m256i, left: __m256i, right: __m256i) -> __m256i {
    let differ = _mm256_xor_si256(left, right);
    let carry = _mm256_or_si256(_mm256_and_si256(left, right), _mm256_and_si256(*sum, differ));
    *sum = _mm256_xor_si256(*sum, differ);
    carry
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::PackedRows;
    use crate::rows::tests::of_cells;
    use crate::score::{NodeSums, SumsNeeded, Term, TermTables};
    use fewest_model::Instance;
    use proptest::prelude::*;

    /// Instance of objects in these groups, with `tests` tests.
    fn instance(groups: &[u8], tests: usize, answer: impl Fn(usize, usize) -> bool) -> Instance {
        let header = ["object", "group"].into_iter().map(str::to_owned);
        let header = header.chain((0..tests).map(|test| format!("t{test}"))).collect();
        let row = |(object, group): (usize, &u8)| {
            let cells = (0..tests).map(|test| answer(object, test).to_string());
            [format!("o{object}"), format!("g{group}")].into_iter().chain(cells).collect()
        };
        of_cells(header, groups.iter().enumerate().map(row))
    }

    /// Terms for which only the difference of two sums matters.
    fn terms(objects: usize) -> TermTables {
        let information = SumsNeeded::new(Term::Information, Term::Information);
        TermTables::new(SumsNeeded { only_difference: true, ..information }, objects)
    }

    #[test]
    fn tests_that_say_the_same_are_left_together() {
        // Four of twelve, or one of three in four groups: within groups 12 h(1/3) = 4 · 3 h(1/3) bits, but four
        // roundings lose more.
        let groups: Vec<u8> = (0..24).map(|object| if object < 12 { 0 } else { object / 3 }).collect();
        let answer = |object: usize, test: usize| match test {
            0 => object < 4,
            1 => object >= 12 && object.is_multiple_of(3),
            // A test that separates one object from all others.
            _ => object == test - 2,
        };
        let instance = instance(&groups, 26, answer);
        let mut packed = PackedRows::new(&instance, None, None);
        let mut sums = NodeSums::default();
        let left = sums.prefilter(&packed.root().rows(), &terms(24));
        if std::arch::is_x86_feature_detected!("avx2") {
            assert_eq!(left, Some(&[0, 1][..]));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_is_left_may_be_the_best_and_nothing_else(
            groups in prop_oneof![
                prop::collection::vec(0u8..9, 2..40),
                prop::collection::vec(0u8..60, 100..=MOST_OBJECTS),
            ],
            tests in prop_oneof![1usize..40, 250usize..600],
            seed: u64,
        ) {
            // Pseudo-random answers.
            let answer = |object: usize, test: usize| {
                let mixed = (seed ^ (object * 1000 + test) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 63 == 1
            };
            let instance = instance(&groups, tests, answer);
            let mut packed = PackedRows::new(&instance, None, None);
            let tests = packed.tests().len();
            let root = packed.root();
            let terms = terms(groups.len());
            let mut all = NodeSums::default();
            all.count(&root.rows(), &terms, tests);
            let bits: Vec<f64> = all.cells[0][..tests].iter().map(|cells| cells + all.whole - all.group_cells).collect();
            let best = bits.iter().copied().fold(0.0, f64::max);
            let lost = (root.runs().len() + 2) as f64 / PARTS;
            let mut sums = NodeSums::default();
            let Some(left) = sums.prefilter(&root.rows(), &terms) else {
                prop_assert!(!std::arch::is_x86_feature_detected!("avx2") || best <= 2.0 * lost);
                return Ok(());
            };
            let left = left.to_vec();
            prop_assert!(left.is_sorted());
            for (column, bits) in bits.iter().enumerate() {
                match left.binary_search(&(column as u32)) {
                    Ok(_) => prop_assert!(*bits > best - 2.0 * lost),
                    Err(_) => prop_assert!(*bits < best * (1.0 - 1e-6)),
                }
            }
            sums.sum_prefiltered(&root.rows(), &terms);
            prop_assert_eq!(&sums.chosen, &left);
            for (cells, column) in sums.cells[0].iter().zip(left) {
                prop_assert!((cells + sums.whole - sums.group_cells - bits[column as usize]).abs() < 1e-9);
            }
        }
    }
}
