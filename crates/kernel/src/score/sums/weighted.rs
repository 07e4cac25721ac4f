//! Sums if objects differ in weight: shares of the node's weight.

use super::{NodeSums, Scratch, clear, for_runs};
use crate::count::count_columns;
use crate::lane::{Lane, ONES, zip};
use crate::math::{add_information, add_powers, add_powers_of_rests, information};
use crate::rows::NodeView;
use crate::score::terms::{Term, TermTables};
use crate::sum::{PendingTables, Precision, Tables, add_each, add_shares, add_values, subset_sums, sum};

/// Most objects of a group that usually have fewer split patterns than there are tests.
const MAX_PATTERN_OBJECTS: usize = 6;

impl NodeSums {
    pub(super) fn count_weighted(&mut self, part: &NodeView<'_>, terms: &TermTables, padded: usize) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let (scale, shares) = (1.0 / self.mass, &mut scratch.values);
        shares.clear();
        shares.extend(part.weights.iter().map(|weight| weight * scale));
        if !terms.needed.cells.is_steep() {
            shares.iter_mut().for_each(|share| *share = self.precision.round(*share));
        }
        self.total = sum(shares);
        clear(&mut self.second_weights, padded);
        count_columns(part.rows, part.stride, &mut self.second_counts);
        if terms.needed.cells == Term::Nothing {
            add_shares(
                part.rows,
                part.stride,
                shares,
                self.precision,
                &mut scratch.tables,
                &mut self.second_weights,
            );
        } else {
            self.weigh_runs(part, terms, padded, &mut scratch);
            self.weigh_singles(part.stride, terms, padded, &mut scratch);
        }
        if terms.needed.rows == Term::Information {
            add_information(&self.second_weights, self.total, &mut self.rows);
        }
        self.scratch = scratch;
    }

    /// Adds the terms of all groups except those of one object, which are collected.
    fn weigh_runs(&mut self, part: &NodeView<'_>, terms: &TermTables, padded: usize, scratch: &mut Scratch) {
        let Scratch { values, single_rows, single_values, counts, sums, tables, minorities, .. } = scratch;
        let (cells, stride, precision, shares) =
            (terms.needed.cells, part.stride, self.precision, &values[..]);
        single_rows.clear();
        single_values.clear();
        minorities.begin(stride);
        let width = if cells.is_steep() { 2 * padded } else { padded };
        let mut known = for_runs(part, width, |rows, range, sums| {
            weigh(rows, stride, &shares[range], precision, &mut Tables::default(), sums.split_at_mut(padded));
        });
        let mut start = 0;
        for (at, run) in part.runs.iter().enumerate() {
            let end = start + run.len as usize;
            let (rows, shares) = (&part.rows[start * stride..end * stride], &shares[start..end]);
            start = end;
            let is_few = cells == Term::Information && shares.len() <= MAX_PATTERN_OBJECTS;
            if is_few || run.len == 1 && cells != Term::Present {
                single_rows.extend_from_slice(rows);
                single_values.extend_from_slice(shares);
                // An object alone in its group adds no information.
                if run.len > 1 {
                    self.add_few(rows, shares, minorities);
                }
                continue;
            }
            if let Some(known) = known.get_mut(at) {
                std::mem::swap(sums, known);
            } else {
                clear(sums, width);
                weigh(rows, stride, shares, precision, tables, sums.split_at_mut(padded));
            }
            let (seconds, firsts) = sums.split_at(padded);
            add_each(seconds, &mut self.second_weights);
            let whole = sum(shares);
            if matches!(cells, Term::Present | Term::Rivals) {
                clear(counts, padded);
                count_columns(rows, stride, counts);
                self.add_counted_cells(counts, seconds, run.len, whole, terms);
            } else {
                self.add_weighed_cells(seconds, firsts, whole, terms);
            }
        }
        minorities.add_to(&mut self.cells[0]);
    }

    /// Adds the information of a few objects of one group: computed once for each split pattern.
    fn add_few(&mut self, rows: &[Lane], shares: &[f64], minorities: &mut PendingTables) {
        let (mut seconds, mut worth) = ([0.0; 1 << MAX_PATTERN_OBJECTS], [0.0; 1 << MAX_PATTERN_OBJECTS]);
        let (ways, whole) = (1 << shares.len(), sum(shares));
        subset_sums(shares, &mut seconds);
        add_information(&seconds[..ways], whole, &mut worth);
        self.group_cells += information(whole);
        minorities.push_or_add(shares.len(), &worth[..ways], &mut self.cells[0]).copy_from_slice(rows);
    }

    /// Adds the terms of the collected groups of one object.
    fn weigh_singles(&mut self, stride: usize, terms: &TermTables, padded: usize, scratch: &mut Scratch) {
        let Scratch { single_rows: rows, single_values: values, sums, tables, .. } = scratch;
        if terms.needed.cells == Term::Rivals {
            let all = sum(values);
            clear(sums, padded);
            add_shares(rows, stride, values, self.precision, tables, sums);
            add_each(sums, &mut self.second_weights);
            return self.add_single_rivals(sums.iter().map(|sum| ((all - sum).max(0.0), *sum)));
        }
        if terms.needed.cells.is_steep() {
            add_values(rows, stride, values, tables, &mut self.second_weights);
        } else {
            add_shares(rows, stride, values, self.precision, tables, &mut self.second_weights);
        }
        if let Term::Power(exponent) = terms.needed.cells {
            clear(sums, values.len());
            add_powers(values, exponent, sums);
            std::mem::swap(sums, values);
            let all = sum(values);
            self.group_cells += all;
            clear(sums, padded);
            add_values(rows, stride, values, tables, sums);
            let [first, second] = &mut self.cells;
            for ((first, second), sum) in first.iter_mut().zip(second).zip(&*sums) {
                *first += all - sum;
                *second += sum;
            }
        }
    }

    /// Adds the terms of one group of weight `whole`, from the weights of the second answers and, if they are not the
    /// complement, those of the first.
    fn add_weighed_cells(&mut self, sums: &[f64], rests: &[f64], whole: f64, terms: &TermTables) {
        let term = terms.needed.cells;
        self.group_cells += term.of(whole);
        let [first, second] = &mut self.cells;
        if term == Term::Information {
            return add_information(sums, whole, first);
        }
        if let Term::Power(exponent) = term {
            if rests.is_empty() {
                add_powers_of_rests(whole, sums, exponent, first);
            } else {
                add_powers(rests, exponent, first);
            }
            return add_powers(sums, exponent, second);
        }
        for ((first, second), sum) in first.iter_mut().zip(second).zip(sums) {
            *first += term.of(whole - sum);
            *second += term.of(*sum);
        }
    }

    /// Adds the terms of one group that depend on counts and, for some, on weights.
    fn add_counted_cells(&mut self, counts: &[u32], sums: &[f64], len: u32, whole: f64, terms: &TermTables) {
        if terms.needed.cells == Term::Present {
            return self.add_cells(counts, len, terms);
        }
        let [first, second] = &mut self.cells;
        let share = 1.0 / f64::from(self.count - len);
        for (at, (count, sum)) in counts.iter().zip(sums).enumerate() {
            let rest = (whole - sum).max(0.0);
            first[at] += f64::from(len - count) * rest * share;
            second[at] += f64::from(*count) * sum * share;
            self.rivals[0][at] += rest * share;
            self.rivals[1][at] += sum * share;
        }
    }
}

/// Sums the weights of the objects with the second answers and, if asked for, with the first.
fn weigh(
    rows: &[Lane],
    stride: usize,
    shares: &[f64],
    precision: Precision,
    tables: &mut Tables,
    (seconds, firsts): (&mut [f64], &mut [f64]),
) {
    if firsts.is_empty() {
        return add_shares(rows, stride, shares, precision, tables, seconds);
    }
    add_values(rows, stride, shares, tables, seconds);
    let others: Vec<Lane> = rows.iter().map(|lane| zip(*lane, ONES, |bits, all| bits ^ all)).collect();
    add_values(&others, stride, shares, tables, firsts);
}
