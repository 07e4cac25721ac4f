//! Sums of a number per row over the rows with a set bit, for every column.

mod byte_tables;
mod pending;
mod precision;
#[cfg(all(target_arch = "x86_64", not(feature = "scalar")))]
mod shuffle_avx2;
#[cfg(test)]
mod tests;

pub(crate) use byte_tables::subset_sums;
pub(crate) use pending::PendingTables;
pub(crate) use precision::Precision;

use crate::dispatch::simd;
use crate::lane::Lane;
use byte_tables::ByteTable;
#[cfg(all(target_arch = "x86_64", not(feature = "scalar")))]
use multiversion::target::match_target;
#[cfg(all(target_arch = "x86_64", not(feature = "scalar")))]
use shuffle_avx2::ShuffleScratch;

/// Scratch space for the lookup tables of sums.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    worth: Vec<ByteTable>,
    #[cfg(all(target_arch = "x86_64", not(feature = "scalar")))]
    digits: ShuffleScratch,
}

simd! {
    /// Adds to `sums` the values of the rows that have each bit set, always in the same order.
    pub(crate) fn add_values(
        rows: &[Lane],
        stride: usize,
        values: &[f64],
        tables: &mut Tables,
        sums: &mut [f64],
    ) {
        byte_tables::add_values(rows, stride, values, &mut tables.worth, sums);
    }
}

/// Most rows for which the byte tables are faster than the shuffle.
#[cfg(all(target_arch = "x86_64", not(feature = "scalar")))]
const MAX_BYTE_TABLE_ROWS: usize = 64;

simd! {
    /// Adds to `sums` the shares of the rows that have each bit set. Shares are parts of one whole,
    /// [rounded](Precision::round).
    pub(crate) fn add_shares(
        rows: &[Lane],
        stride: usize,
        shares: &[f64],
        precision: Precision,
        tables: &mut Tables,
        sums: &mut [f64],
    ) {
        // Without AVX2, shares are added as floats.
        let _ = precision;
        #[cfg(all(target_arch = "x86_64", not(feature = "scalar")))]
        match_target! {
            "x86_64+avx2" => if shares.len() > MAX_BYTE_TABLE_ROWS {
                return shuffle_avx2::add_shares(rows, stride, shares, precision, &mut tables.digits, sums);
            },
            _ => {}
        }
        byte_tables::add_values(rows, stride, shares, &mut tables.worth, sums);
    }
}

simd! {
    /// Adds the table entries that the bits select; see [`byte_tables::add_tables`].
    pub(crate) fn add_tables(rows: &[Lane], stride: usize, tables: &[ByteTable], sums: &mut [f64]) {
        byte_tables::add_tables(rows, stride, tables, sums);
    }
}

simd! {
    /// Extends a table by more rows; see [`byte_tables::extend_table`].
    pub(crate) fn extend_table(table: &mut ByteTable, used: usize, worth: &[f64]) {
        byte_tables::extend_table(table, used, worth);
    }
}

simd! {
    /// Adds every number to the sum of the same index.
    pub(crate) fn add_each(numbers: &[f64], sums: &mut [f64]) {
        sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
    }
}

simd! {
    /// Sum of all numbers, always in the same order: eight partial sums, because each addition waits for the one
    /// before it.
    pub(crate) fn sum(numbers: &[f64]) -> f64 {
        let (eights, rest) = numbers.as_chunks::<8>();
        let mut sums = [0.0; 8];
        for eight in eights {
            sums.iter_mut().zip(eight).for_each(|(sum, number)| *sum += number);
        }
        sums.iter().chain(rest).sum()
    }
}

simd! {
    /// Sets every number to `(sum + more) * scale`.
    pub fn shift_and_scale(sums: &[f64], more: f64, scale: f64, numbers: &mut [f64]) {
        for (number, sum) in numbers.iter_mut().zip(sums) {
            *number = (sum + more) * scale;
        }
    }
}
