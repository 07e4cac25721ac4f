//! Byte tables that are being filled, before one pass over all columns.

use super::byte_tables::{AT_ONCE, ByteTable};
use super::{add_tables, extend_table};
use crate::lane::{Lane, ZEROS};

/// Rows of bits with their tables, collected until there are enough for one pass over all columns.
#[derive(Debug, Default)]
pub(crate) struct PendingTables {
    stride: usize,
    rows: Vec<Lane>,
    /// Lookup tables; entries of patterns that do not occur are unspecified.
    tables: Vec<ByteTable>,
    /// Number of rows of each table in use.
    used: Vec<usize>,
}

impl PendingTables {
    /// Clears the tables, for rows of `stride` lanes.
    pub(crate) fn begin(&mut self, stride: usize) {
        self.stride = stride;
        self.rows.clear();
        self.used.clear();
        self.tables.resize(AT_ONCE, [0.0; 256]);
    }

    /// Returns space for `bits` rows, at most eight, which hold in binary which entry of `worth` each column gets;
    /// `worth` ends at the largest entry in use. If the space is full, the pending tables are added to `sums` first.
    pub(crate) fn push_or_add(&mut self, bits: usize, worth: &[f64], sums: &mut [f64]) -> &mut [Lane] {
        let is_room = |used: &usize| used + bits <= 8;
        let table = self.used.iter().position(is_room).unwrap_or_else(|| {
            if self.used.len() == AT_ONCE {
                self.add_to(sums);
            }
            self.rows.resize(self.rows.len() + 8 * self.stride, ZEROS);
            self.tables[self.used.len()][0] = 0.0;
            self.used.push(0);
            self.used.len() - 1
        });
        let used = self.used[table];
        extend_table(&mut self.tables[table], used, worth);
        self.used[table] += bits;
        let start = (table * 8 + used) * self.stride;
        &mut self.rows[start..start + bits * self.stride]
    }

    /// Adds the pending tables to the sum of every column, and clears them.
    pub(crate) fn add_to(&mut self, sums: &mut [f64]) {
        add_tables(&self.rows, self.stride, &self.tables[..self.used.len()], sums);
        self.begin(self.stride);
    }
}
