//! Numbers that bits choose, added up for many columns at once: eight bits of a column say which of 256 numbers it gets.
//!
//! One addition instead of eight, the method of the Four Russians [folklore]. Plain code, compiled as `simd.rs` says.

use crate::lanes::{LANE_BITS, Lane, NONE, zip};
use crate::simd;
use std::hint::black_box;

/// What the 256 patterns of eight rows are worth.
pub(crate) type Worth = [f64; 256];

/// So many tables are looked at before a sum is put down: they stay in the nearest cache.
pub(crate) const AT_ONCE: usize = 4;

/// A byte for each column: byte `j` of word `w` in lane `i` is that of column `64 w + 8 i + j`.
#[derive(Clone, Copy)]
pub(crate) struct Bytes([Lane; 8]);

impl Bytes {
    /// Column by column, eight at a time.
    #[inline(always)]
    pub(crate) fn eights(&self) -> impl Iterator<Item = [u8; 8]> {
        (0..LANE_BITS / 8).map(|at| self.eight(at))
    }

    /// The columns from `8 at` on.
    #[inline(always)]
    fn eight(&self, at: usize) -> [u8; 8] {
        self.0[at % 8][at / 8].to_le_bytes()
    }
}

/// Turns eight rows into bytes, the first row being the lowest bit; they begin `stride` lanes after one another, and those that
/// are not there hold nothing.
#[inline(always)]
pub(crate) fn turn_eight(lanes: &[Lane], stride: usize) -> Bytes {
    let lane = |at: usize| lanes.get(at * stride).copied().unwrap_or(NONE);
    let mut rows = [lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7)];
    // First the squares of eight bits turn about their diagonals, then those of eight bytes.
    swap::<4, 4>(&mut rows, 0x0f0f_0f0f_0f0f_0f0f);
    swap::<2, 2>(&mut rows, 0x3333_3333_3333_3333);
    swap::<1, 1>(&mut rows, 0x5555_5555_5555_5555);
    swap::<4, 32>(&mut rows, 0x0000_0000_ffff_ffff);
    swap::<2, 16>(&mut rows, 0x0000_ffff_0000_ffff);
    swap::<1, 8>(&mut rows, 0x00ff_00ff_00ff_00ff);
    Bytes(rows)
}

/// Swaps the bits of the first lane that are above the mask with those of the second below.
#[inline(always)]
pub(crate) fn swap_bits<const SHIFT: u32>(first: Lane, second: Lane, mask: u64) -> (Lane, Lane) {
    let swap = zip(first, second, |low, high| (low >> SHIFT ^ high) & mask);
    (zip(first, swap, |row, swap| row ^ swap << SHIFT), zip(second, swap, |row, swap| row ^ swap))
}

/// Turns four rows into numbers, the first row being the lowest bit: byte `b` of part `p` is that of column `8 b + p`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn turn_four(four: [Lane; 4]) -> [Lane; 8] {
    let (a, c) = swap_bits::<2>(four[0], four[2], 0x3333_3333_3333_3333);
    let (b, d) = swap_bits::<2>(four[1], four[3], 0x3333_3333_3333_3333);
    let (a, b) = swap_bits::<1>(a, b, 0x5555_5555_5555_5555);
    let (c, d) = swap_bits::<1>(c, d, 0x5555_5555_5555_5555);
    let low = |lane: Lane| zip(lane, lane, |bits, _| bits & 0x0f0f_0f0f_0f0f_0f0f);
    let high = |lane: Lane| zip(lane, lane, |bits, _| bits >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
    [low(a), low(b), low(c), low(d), high(a), high(b), high(c), high(d)]
}

/// Of rows that are `FAR` from one another, swaps the bits of the first that are above the mask with those of the second below.
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
    // Compilers that see all swaps as one long expression give up on wide registers.
    black_box(rows);
}

/// Adds to the sum of every column what each eight of rows is worth there: one table for each eight, in order.
#[inline(always)]
pub(crate) fn add_worth(rows: &[Lane], stride: usize, tables: &[Worth], sums: &mut [f64]) {
    for (rows, tables) in rows.chunks(8 * AT_ONCE * stride).zip(tables.chunks(AT_ONCE)) {
        match tables {
            [a, b, c, d] => add_at_once(rows, stride, [a, b, c, d], sums),
            [a, b, c] => add_at_once(rows, stride, [a, b, c], sums),
            [a, b] => add_at_once(rows, stride, [a, b], sums),
            [a] => add_at_once(rows, stride, [a], sums),
            _ => {}
        }
    }
}

#[inline(always)]
fn add_at_once<const TABLES: usize>(
    rows: &[Lane],
    stride: usize,
    tables: [&Worth; TABLES],
    sums: &mut [f64],
) {
    for (lane, sums) in sums.chunks_mut(LANE_BITS).enumerate() {
        let mut bytes = [Bytes([NONE; 8]); TABLES];
        for (bytes, rows) in bytes.iter_mut().zip(rows.chunks(8 * stride)) {
            *bytes = turn_eight(&rows[lane..], stride);
        }
        for (at, sums) in sums.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            for (column, sum) in sums.iter_mut().enumerate() {
                for (table, bytes) in tables.iter().zip(&bytes) {
                    *sum += table[usize::from(bytes.eight(at)[column])];
                }
            }
        }
    }
}

/// Adds to `sums` the values of the rows that have each bit set, always in the same order. `tables` is room.
#[inline(always)]
pub(crate) fn add_values(
    rows: &[Lane],
    stride: usize,
    values: &[f64],
    tables: &mut Vec<Worth>,
    sums: &mut [f64],
) {
    // Fewer than eight are added one by one: a table is not worth its while.
    let (values, rest) = values.split_at(values.len() / 8 * 8);
    let (rows, rest_rows) = rows.split_at(values.len() * stride);
    if !values.is_empty() {
        tables.resize(AT_ONCE, [0.0; 256]);
    }
    for (rows, values) in rows.chunks(8 * AT_ONCE * stride).zip(values.chunks(8 * AT_ONCE)) {
        let eights = values.chunks(8);
        let used = eights.len();
        for (values, table) in eights.zip(&mut *tables) {
            fill_sums_of_some(values, table);
        }
        add_worth(rows, stride, &tables[..used], sums);
    }
    for (row, value) in rest_rows.chunks_exact(stride).zip(rest) {
        add_value(row, *value, sums);
    }
}

/// Adds a value where bits are set: without a branch, so that compilers do several at once.
#[inline(always)]
fn add_value(row: &[Lane], value: f64, sums: &mut [f64]) {
    for (at, sums) in sums.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let bits = row[at / 32][at / 8 % 4] >> (at % 8 * 8);
        for (place, sum) in sums.iter_mut().enumerate() {
            let mask = u64::from(bits & 1 << place == 0).wrapping_sub(1);
            *sum += f64::from_bits(value.to_bits() & mask);
        }
    }
}

/// The sums of some of up to eight values: of those whose bits are set in the index.
#[inline(always)]
pub(crate) fn fill_sums_of_some(values: &[f64], sums: &mut [f64]) {
    sums[0] = 0.0;
    for (bit, value) in values.iter().enumerate() {
        let (without, with) = sums.split_at_mut(1 << bit);
        for (without, with) in without.iter().zip(with) {
            *with = without + value;
        }
    }
}

/// Makes a table for `used` rows one for some rows more: what these are worth comes on top.
#[inline(always)]
pub(crate) fn spread(table: &mut Worth, used: usize, worth: &[f64]) {
    let (first, others) = table.split_at_mut(1 << used);
    let [least, worth @ ..] = worth else { return };
    if let [first] = first {
        others.iter_mut().zip(worth).for_each(|(other, worth)| *other = *first + worth);
        *first += least;
        return;
    }
    for (others, worth) in others.chunks_exact_mut(first.len()).zip(worth) {
        others.iter_mut().zip(&*first).for_each(|(other, first)| *other = first + worth);
    }
    first.iter_mut().for_each(|first| *first += least);
}

/// Rows of bits that are worth something together, collected until there are enough of them for a look at all columns.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    stride: usize,
    rows: Vec<Lane>,
    /// Patterns that do not occur are worth anything.
    tables: Vec<Worth>,
    /// How many rows each of the tables in use is for.
    used: Vec<usize>,
}

impl Collected {
    /// For rows of `stride` lanes.
    pub(crate) fn begin(&mut self, stride: usize) {
        self.stride = stride;
        self.rows.clear();
        self.used.clear();
        self.tables.resize(AT_ONCE, [0.0; 256]);
    }

    /// Room for `bits` rows, at most eight, that say in binary which of the `worth` a column gets; `worth` ends where no
    /// column gets. Where there is no room left, `sums` get what is there.
    pub(crate) fn push_or_add(&mut self, bits: usize, worth: &[f64], sums: &mut [f64]) -> &mut [Lane] {
        let is_room = |used: &usize| used + bits <= 8;
        let table = self.used.iter().position(is_room).unwrap_or_else(|| {
            if self.used.len() == AT_ONCE {
                self.add_to(sums);
            }
            self.rows.resize(self.rows.len() + 8 * self.stride, NONE);
            self.tables[self.used.len()][0] = 0.0;
            self.used.push(0);
            self.used.len() - 1
        });
        let used = self.used[table];
        simd::spread(&mut self.tables[table], used, worth);
        self.used[table] += bits;
        let start = (table * 8 + used) * self.stride;
        &mut self.rows[start..start + bits * self.stride]
    }

    /// Adds to the sum of every column what is there, and begins anew.
    pub(crate) fn add_to(&mut self, sums: &mut [f64]) {
        simd::add_worth(&self.rows, self.stride, &self.tables[..self.used.len()], sums);
        self.begin(self.stride);
    }
}
