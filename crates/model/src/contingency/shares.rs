//! Counting if objects may give several answers: an object counts for each of its answers, and its weight is divided
//! among them.

use super::{Columns, Contingency, RowData, Weighing, count::NO_ROW};
use crate::{Instance, Shares, TestId};

impl Contingency {
    /// Counts the answers of `shares` to `test`. `moment` maps a probability to a moment: it is summed over the
    /// objects, and over the answers of each object with its probability there.
    ///
    /// If the shares have no weight at all, objects weigh 1 each, as under [`Weighing::Uniform`].
    pub fn count_shares(
        &mut self,
        instance: &Instance,
        test: TestId,
        shares: &Shares,
        (columns, weighing): (Columns, Weighing),
        moment: &dyn Fn(f64) -> Option<f64>,
    ) {
        let uniform = weighing == Weighing::Uniform || shares.weight() <= 0.0;
        self.uniform = false;
        self.count = shares.objects().len() as u32;
        self.total = if uniform { f64::from(self.count) } else { shares.weight() };
        self.prior_scale = 1.0 / if uniform { self.total } else { instance.total_weight() };
        self.set_groups(shares.runs());
        if uniform {
            self.groups.iter_mut().for_each(|cell| cell.weight = f64::from(cell.count));
        }
        let Self { rows, cells, scratch, prior_scale, .. } = self;
        rows.clear();
        cells.clear();
        scratch.by_group.clear();
        scratch.open.clear();
        let test = instance.test(test);
        let mut moments = 0.0;
        for (group, run) in (0u32..).zip(shares.runs()) {
            scratch.open.iter_mut().for_each(|cell| *cell = NO_ROW);
            let members = shares.objects()[run.indices()].iter().zip(&shares.weights()[run.indices()]);
            for (&object, &weight) in members {
                let whole = if uniform { 1.0 } else { weight };
                let possible = test.possible(object);
                let weight = whole / possible.len() as f64;
                let part = moment(weight * *prior_scale);
                moments += part.and_then(|_| moment(whole * *prior_scale)).unwrap_or(0.0);
                for answer in possible.iter().map(|answer| answer.0) {
                    let row = scratch.row(answer, rows);
                    rows[row].count += 1;
                    rows[row].weight += weight;
                    rows[row].moment += part.unwrap_or(0.0);
                    if columns == Columns::Groups {
                        let cell = scratch.cell(row, answer, group);
                        cell.count += 1;
                        cell.weight += weight;
                    }
                }
            }
        }
        self.moment = Some(moments);
        self.close_rows();
    }

    /// Sorts rows and cells by answer.
    pub(super) fn close_rows(&mut self) {
        let Self { rows, cells, scratch, .. } = self;
        rows.iter().for_each(|row: &RowData| scratch.row_of[row.answer as usize] = NO_ROW);
        rows.sort_unstable_by_key(|row| row.answer);
        // The sort is stable, so each answer keeps its groups in order.
        scratch.by_group.sort_by_key(|(answer, _)| *answer);
        cells.extend(scratch.by_group.iter().map(|(_, cell)| *cell));
        let mut start = 0;
        for row in rows {
            let mine =
                scratch.by_group[start..].iter().take_while(|(answer, _)| *answer == row.answer).count();
            row.cells = start as u32..(start + mine) as u32;
            start += mine;
        }
    }
}
