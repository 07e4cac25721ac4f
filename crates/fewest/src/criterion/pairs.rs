//! Worst-case pairs: prefer the test whose worst answer leaves the fewest pairs of objects in different groups.
//! Set-cover greedy for the worst cost; folklore, as in [CicaleseLaberSaettler2014, section 3].

use super::{Criterion, Entry, SQUARES, estimate_pairs, pairs_between};
use fewest_kernel::{NodeSums, SumsNeeded};
use fewest_model::{Columns, Contingency, Weighing};

/// Criterion `P(A) − max_C P(C)`, ignoring the prior.
pub struct Pairs;

impl Criterion for Pairs {
    fn columns(&self) -> Columns {
        Columns::Groups
    }

    fn weighing(&self) -> Weighing {
        Weighing::Uniform
    }

    fn benefit(&self, node: &Contingency) -> f64 {
        let left = node.rows().map(|row| pairs_between(row.cells().iter().map(|cell| cell.count)));
        pairs_between(node.groups().iter().map(|cell| cell.count)) - left.fold(0.0, f64::max)
    }

    fn sums_needed(&self) -> Option<SumsNeeded> {
        Some(SQUARES)
    }

    fn estimate(&self, node: &NodeSums, benefits: &mut [f64]) -> f64 {
        let before = (node.total * node.total - node.group_cells) / 2.0;
        for (test, benefit) in benefits.iter_mut().enumerate() {
            let [first, second] = estimate_pairs(node, test);
            *benefit = before - first.max(second);
        }
        node.total * node.total
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "pairs",
    summary: "the fewest pairs of different groups left at worst",
    paper: "CicaleseLaberSaettler2014",
    guarantee: "worst cost within a factor O(log M) of the best, for any costs",
    uses_lambda: false,
    is_information: false,
    needs_groups: false,
    make: |_| Box::new(Pairs),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::tests::{benefits, instance};

    #[test]
    fn the_worst_answer_counts() {
        // Groups of 2 and 2: 4 pairs. `within` leaves 1 pair each way, `corner` leaves 2 at worst, `between` none.
        let table = "o,group,within,corner,between\na,x,0,0,0\nb,x,1,0,0\nc,y,0,0,1\nd,y,1,1,1";
        assert_eq!(benefits(&instance(table), &Pairs), [3.0, 2.0, 4.0]);
    }
}
