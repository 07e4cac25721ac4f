//! Contingency table from counts made elsewhere, such as the posterior weights of a session.

use super::{Cell, Contingency, RowData};
use crate::AnswerId;

impl Contingency {
    /// Fills the table with given counts: all candidates by group, and `cells` by answer and then by group, as
    /// positions in `groups`. Weights are probabilities; `moment` returns the sum of the moments of an answer's
    /// candidates.
    ///
    /// The counts of the answers may sum to more than the number of candidates, because a candidate may give several.
    pub fn take(
        &mut self,
        groups: impl IntoIterator<Item = Cell>,
        cells: impl IntoIterator<Item = (AnswerId, Cell)>,
        moment: impl Fn(AnswerId) -> f64,
    ) {
        self.groups.clear();
        self.groups.extend(groups);
        self.count = self.groups.iter().map(|cell| cell.count).sum();
        self.total = self.groups.iter().map(|cell| cell.weight).sum();
        (self.uniform, self.prior_scale) = (false, 1.0);
        self.rows.clear();
        self.cells.clear();
        for (answer, cell) in cells {
            let at = self.cells.len() as u32;
            if self.rows.last().is_none_or(|row| row.answer != answer.0) {
                let moment = moment(answer);
                self.rows.push(RowData { answer: answer.0, count: 0, weight: 0.0, moment, cells: at..at });
            }
            if let Some(row) = self.rows.last_mut() {
                row.count += cell.count;
                row.weight += cell.weight;
                row.cells.end = at + 1;
            }
            self.cells.push(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_add_up_to_rows() {
        let cell = |group, count, weight| Cell { group, count, weight };
        let mut table = Contingency::default();
        let cells = [(1, cell(0, 1, 0.25)), (1, cell(1, 2, 0.25)), (4, cell(1, 1, 0.5))];
        table.take(
            [cell(0, 1, 0.25), cell(1, 3, 0.75)],
            cells.map(|(answer, cell)| (AnswerId(answer), cell)),
            |answer| f64::from(answer.0),
        );
        let rows: Vec<_> =
            table.rows().map(|row| (row.answer().0, row.count(), row.share(), row.moment())).collect();
        assert_eq!(rows, [(1, 3, 0.5, 1.0), (4, 1, 0.5, 4.0)]);
        assert_eq!(table.rows().next().map(|row| row.cells().len()), Some(2));
        assert_eq!((table.count(), table.total()), (4, 1.0));
    }
}
