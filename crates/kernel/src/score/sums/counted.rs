//! Sums if every object weighs 1: counts.

use super::{NodeSums, clear, for_runs};
use crate::count::{GroupCounts, MAX_MINORITY_ROWS, count_columns, minority_bits, minority_counts};
use crate::lane::bit_of;
use crate::rows::{GroupRun, NodeView};
use crate::score::prefilter;
use crate::score::terms::{SHORT, Term, TermTables};
use crate::sum::Precision;

/// Most objects that stay in the cache for a second pass.
const SMALL_NODE: usize = 4096;

impl NodeSums {
    pub(super) fn count_uniform(&mut self, part: &NodeView<'_>, terms: &TermTables, padded: usize) {
        match (part.counts, terms.needed.cells) {
            (Some(counts), _) => self.add_counted_groups(counts, part.runs, terms),
            (None, Term::Nothing) => count_columns(part.rows, part.stride, &mut self.second_counts),
            (None, Term::Information) if part.len() <= SMALL_NODE => {
                self.count_minorities(part, terms, padded)
            }
            _ => self.count_runs(part, terms, padded),
        }
        self.second_weights.clear();
        if !self.cells[1].is_empty() {
            self.second_weights.extend(self.second_counts.iter().map(|count| f64::from(*count)));
        }
        match (terms.both_rows.get(self.count as usize), terms.rows.get(..=self.count as usize)) {
            (Some(both), _) => {
                for (sum, second) in self.rows.iter_mut().zip(&self.second_counts) {
                    *sum = both[*second as usize % SHORT];
                }
            }
            (None, Some(rows)) => {
                for (sum, second) in self.rows.iter_mut().zip(&self.second_counts) {
                    *sum = rows[*second as usize] + rows[(self.count - second) as usize];
                }
            }
            (None, None) => {
                for (sum, second) in self.rows.iter_mut().zip(&self.second_counts) {
                    *sum = terms.row(*second) + terms.row(self.count - second);
                }
            }
        }
    }

    /// Finds the columns of the tests that may have the largest [difference](super::SumsNeeded::only_difference), in
    /// a small node of equal weights; `None` if they cannot be found without summing all tests.
    pub fn prefilter(&mut self, part: &NodeView<'_>, terms: &TermTables) -> Option<&[u32]> {
        let prefilter_state = &mut self.scratch.prefilter_state;
        let is_one_sum = part.weights.is_empty() && terms.needed.is_one_sum(part.len() as u32);
        let is_prefiltered =
            is_one_sum && part.counts.is_none() && prefilter(part, &terms.cells, prefilter_state);
        is_prefiltered.then_some(&prefilter_state.left)
    }

    /// Sums up the tests that [`prefilter`](Self::prefilter) left of `part`, and no others.
    pub fn sum_prefiltered(&mut self, part: &NodeView<'_>, terms: &TermTables) {
        self.begin(Precision::Fine, part, terms, 0);
        self.whole = terms.row(self.count);
        self.group_cells = part.runs.iter().map(|run| terms.cell(run.len)).sum();
        self.chosen.extend_from_slice(&self.scratch.prefilter_state.left);
        self.cells[0].extend(self.chosen.iter().map(|test| {
            let rows = part.rows.chunks_exact(part.stride);
            let mut answers = rows.map(|row| u32::from(bit_of(row, *test as usize)));
            let (mut cells, mut all) = (0.0, 0);
            for run in part.runs {
                let seconds: u32 = answers.by_ref().take(run.len as usize).sum();
                cells += terms.cell(seconds) + terms.cell(run.len - seconds);
                all += seconds;
            }
            cells - terms.row(all) - terms.row(self.count - all)
        }));
    }

    /// Counts minorities, if only the sum over both answers is needed and the node is small enough for a second pass.
    /// The term of a run depends only on its minority count, which takes fewer bits than a count; and so does the row
    /// term of the node.
    fn count_minorities(&mut self, part: &NodeView<'_>, terms: &TermTables, padded: usize) {
        let (mut minorities, mut counts) =
            (std::mem::take(&mut self.scratch.minorities), std::mem::take(&mut self.scratch.counts));
        let mut worth = std::mem::take(&mut self.scratch.values);
        minorities.begin(part.stride);
        if terms.needed.is_one_sum(self.count) {
            let worth = terms.row_minorities(part.len(), &mut worth);
            let planes = minorities.push_or_add(minority_bits(part.len()), worth, &mut self.cells[0]);
            minority_counts(part.rows, part.stride, planes);
        } else {
            count_columns(part.rows, part.stride, &mut self.second_counts);
        }
        let mut start = 0;
        for run in part.runs {
            let len = run.len as usize;
            let rows = &part.rows[start..start + len * part.stride];
            start += rows.len();
            // An object alone in its group adds no information.
            if len == 1 {
                continue;
            }
            if len > MAX_MINORITY_ROWS {
                clear(&mut counts, padded);
                count_columns(rows, part.stride, &mut counts);
                self.add_cells(&counts, run.len, terms);
                continue;
            }
            self.group_cells += terms.cells[len];
            let worth = terms.minorities(len, &mut worth);
            let planes = minorities.push_or_add(minority_bits(len), worth, &mut self.cells[0]);
            minority_counts(rows, part.stride, planes);
        }
        minorities.add_to(&mut self.cells[0]);
        (self.scratch.minorities, self.scratch.counts, self.scratch.values) = (minorities, counts, worth);
    }

    /// Adds the terms of all groups from known counts.
    fn add_counted_groups(&mut self, counts: &GroupCounts, runs: &[GroupRun], terms: &TermTables) {
        for (at, run) in runs.iter().enumerate() {
            add_counts(&mut self.second_counts, counts.group(at));
            self.add_cells(counts.group(at), run.len, terms);
        }
    }

    fn count_runs(&mut self, part: &NodeView<'_>, terms: &TermTables, padded: usize) {
        let mut singles = std::mem::take(&mut self.scratch.single_rows);
        let mut counts = std::mem::take(&mut self.scratch.counts);
        singles.clear();
        let mut known = for_runs(part, padded, |rows, _, counts| count_columns(rows, part.stride, counts));
        let mut start = 0;
        for (at, run) in part.runs.iter().enumerate() {
            let end = start + run.len as usize * part.stride;
            let rows = &part.rows[start..end];
            start = end;
            if run.len == 1 {
                singles.extend_from_slice(rows);
                continue;
            }
            if let Some(known) = known.get_mut(at) {
                std::mem::swap(&mut counts, known);
            } else {
                clear(&mut counts, padded);
                count_columns(rows, part.stride, &mut counts);
            }
            add_counts(&mut self.second_counts, &counts);
            self.add_cells(&counts, run.len, terms);
        }
        let alone = (singles.len() / part.stride) as u32;
        if alone > 0 {
            clear(&mut counts, padded);
            count_columns(&singles, part.stride, &mut counts);
            add_counts(&mut self.second_counts, &counts);
            self.add_singles(&counts, alone, terms);
        }
        (self.scratch.single_rows, self.scratch.counts) = (singles, counts);
    }

    /// Adds the terms of `alone` groups of one object each; `counts` holds the number of second answers.
    fn add_singles(&mut self, counts: &[u32], alone: u32, terms: &TermTables) {
        if terms.needed.cells == Term::Rivals {
            let parts = counts.iter().map(|count| (f64::from(alone - count), f64::from(*count)));
            return self.add_single_rivals(parts);
        }
        let one = terms.cell(1);
        self.group_cells += one * f64::from(alone);
        if one == 0.0 {
            return;
        }
        let [first, second] = &mut self.cells;
        for ((first, second), count) in first.iter_mut().zip(second).zip(counts) {
            *first += one * f64::from(alone - count);
            *second += one * f64::from(*count);
        }
    }
}

fn add_counts(sums: &mut [u32], counts: &[u32]) {
    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}
