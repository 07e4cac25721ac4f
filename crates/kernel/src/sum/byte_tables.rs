//! Sums over the rows with a set bit, for many columns at once: eight bits of a column select one of 256 precomputed
//! sums.
//!
//! One addition instead of eight: the method of the Four Russians (folklore). For any processor.

use crate::lane::{LANE_BITS, Lane};
use crate::transpose::{Bytes, transpose_eight};

/// Sums of the 256 patterns of eight rows.
pub(crate) type ByteTable = [f64; 256];

/// Tables used before a sum is written back: four of them (8 KiB) stay in the first-level cache.
pub(crate) const AT_ONCE: usize = 4;

/// Adds to the sum of every column the table entries that its bits select: one table for each eight rows, in order.
#[inline(always)]
pub(crate) fn add_tables(rows: &[Lane], stride: usize, tables: &[ByteTable], sums: &mut [f64]) {
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
    tables: [&ByteTable; TABLES],
    sums: &mut [f64],
) {
    for (lane, sums) in sums.chunks_mut(LANE_BITS).enumerate() {
        let mut bytes = [Bytes::ZEROS; TABLES];
        for (bytes, rows) in bytes.iter_mut().zip(rows.chunks(8 * stride)) {
            *bytes = transpose_eight(&rows[lane..], stride);
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

/// Adds to `sums` the values of the rows that have each bit set, always in the same order. `tables` is scratch space.
#[inline(always)]
pub(crate) fn add_values(
    rows: &[Lane],
    stride: usize,
    values: &[f64],
    tables: &mut Vec<ByteTable>,
    sums: &mut [f64],
) {
    // Fewer than eight rows are added one by one: filling a table would cost more.
    let (values, rest) = values.split_at(values.len() / 8 * 8);
    let (rows, rest_rows) = rows.split_at(values.len() * stride);
    if !values.is_empty() {
        tables.resize(AT_ONCE, [0.0; 256]);
    }
    for (rows, values) in rows.chunks(8 * AT_ONCE * stride).zip(values.chunks(8 * AT_ONCE)) {
        let eights = values.chunks(8);
        let used = eights.len();
        for (values, table) in eights.zip(&mut *tables) {
            subset_sums(values, table);
        }
        add_tables(rows, stride, &tables[..used], sums);
    }
    for (row, value) in rest_rows.chunks_exact(stride).zip(rest) {
        add_value(row, *value, sums);
    }
}

/// Adds a value where bits are set; branchless, so that compilers vectorise it.
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

/// Sums of all subsets of up to eight values; the index is the subset, as bits.
#[inline(always)]
pub(crate) fn subset_sums(values: &[f64], sums: &mut [f64]) {
    sums[0] = 0.0;
    for (bit, value) in values.iter().enumerate() {
        let (without, with) = sums.split_at_mut(1 << bit);
        for (without, with) in without.iter().zip(with) {
            *with = without + value;
        }
    }
}

/// Extends a table for `used` rows by the rows whose subset sums are `worth`.
#[inline(always)]
pub(crate) fn extend_table(table: &mut ByteTable, used: usize, worth: &[f64]) {
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
