//! EC²: prefer the test that cuts the most weight between objects of different groups. [GolovinKrauseRay2010, the EC²
//! objective]; adaptive submodular, so its expected cost is within a logarithmic factor of the best.

use super::{Criterion, Entry, SQUARES, estimate_pairs};
use fewest_kernel::{NodeSums, SumsNeeded};
use fewest_model::{Cell, Columns, Contingency};

/// Criterion `V(A) − Σ_C w(C) V(C)`, where `V` is the weight of the pairs that lie in two groups.
pub struct Ec2;

/// Computes `Σ_{k<l} w_k w_l`, as each weight times those before it: a difference of squares would cancel.
fn straddling(groups: &[Cell], total: f64) -> f64 {
    let (mut pairs, mut before) = (0.0, 0.0);
    for cell in groups {
        let share = cell.weight / total;
        pairs += share * before;
        before += share;
    }
    pairs
}

impl Criterion for Ec2 {
    fn columns(&self) -> Columns {
        Columns::Groups
    }

    fn benefit(&self, node: &Contingency) -> f64 {
        let before = straddling(node.groups(), node.total());
        let after: f64 = node.rows().map(|row| row.share() * straddling(row.cells(), node.total())).sum();
        before - after
    }

    fn sums_needed(&self) -> Option<SumsNeeded> {
        Some(SQUARES)
    }

    fn estimate(&self, node: &NodeSums, benefits: &mut [f64]) -> f64 {
        let total = node.total;
        let before = (total * total - node.group_cells) / 2.0;
        for (test, benefit) in benefits.iter_mut().enumerate() {
            let [first, second] = estimate_pairs(node, test);
            let weight = node.second_weights[test];
            *benefit = (before - ((total - weight) * first + weight * second) / total) / (total * total);
        }
        1.0
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "ec2",
    summary: "edge cutting: the most weight between objects of different groups",
    paper: "GolovinKrauseRay2010",
    guarantee: "expected cost within a factor O(log 1/p_min) of the best (adaptive submodular)",
    uses_lambda: false,
    is_information: false,
    needs_groups: false,
    make: |_| Box::new(Ec2),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::tests::{benefits, instance};

    #[test]
    fn parity_is_cut_by_every_test_alike() {
        // specification section 14, E5: information sees nothing in u and v, edge cutting does.
        let scores = benefits(&instance("o,group,u,v,w\na,e,0,0,0\nb,o,0,1,0\nc,o,1,0,0\nd,e,1,1,1"), &Ec2);
        assert_eq!(scores, [0.1875, 0.1875, 0.15625]);
    }
}
