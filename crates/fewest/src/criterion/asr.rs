//! Adaptive submodular ranking: prefers the test that sends the most probability away from the largest part, and that
//! rules out the largest share of each object's rivals. [NavidiKambadurNagarajan2020, Alg. 1], with the pairs that an
//! object still shares with other groups as the function to be covered.

use super::{Criterion, Entry};
use fewest_kernel::{NodeSums, SumsNeeded, Term};
use fewest_model::{Columns, Contingency};

/// Criterion `w(A \ B) + Σ_i w_i (1 − (n(C(i)) − n(C(i)_k)) / (n(A) − n(A_k)))`, with `B` the part with the most
/// objects, `C(i)` the part of object `i`, `k` its group: expected probability of leaving the largest part plus
/// expected share of rivals ruled out.
pub struct Asr;

impl Criterion for Asr {
    fn columns(&self) -> Columns {
        Columns::Groups
    }

    fn benefit(&self, node: &Contingency) -> f64 {
        // The first of the largest parts: `max_by_key` would return the last.
        let largest = node.rows().reduce(|best, row| if row.count() > best.count() { row } else { best });
        let leaves = largest.map_or(0.0, |largest| {
            node.rows().filter(|row| row.answer() != largest.answer()).map(|row| row.share()).sum()
        });
        let ruled_out = node.rows().map(|row| {
            let of_group = row.cells().iter().map(|cell| {
                let rivals = f64::from(node.count() - node.groups()[cell.group as usize].count);
                let left = f64::from(row.count() - cell.count);
                if rivals > 0.0 { cell.weight / node.total() * (1.0 - left / rivals) } else { 0.0 }
            });
            of_group.sum::<f64>()
        });
        leaves + ruled_out.sum::<f64>()
    }

    fn sums_needed(&self) -> Option<SumsNeeded> {
        Some(SumsNeeded::new(Term::Rivals, Term::Nothing))
    }

    fn estimate(&self, node: &NodeSums, benefits: &mut [f64]) -> f64 {
        for (test, benefit) in benefits.iter_mut().enumerate() {
            let counts = [node.count - node.second_counts[test], node.second_counts[test]];
            let weight = node.second_weights[test];
            let leaves = if counts[1] > counts[0] { node.total - weight } else { weight };
            // Over the groups: w (1 − (n(C) − n) / rivals) = w + w n / rivals − n(C) w / rivals
            let ruled_out =
                |row: usize| node.cells[row][test] - f64::from(counts[row]) * node.rivals[row][test];
            *benefit = (leaves + node.total + ruled_out(0) + ruled_out(1)) / node.total;
        }
        f64::from(node.count)
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "asr",
    summary: "adaptive submodular ranking: leave the largest part, rule out each object's rivals",
    paper: "NavidiKambadurNagarajan2020",
    guarantee: "expected cost within a factor O(log M) of the best, for any costs",
    uses_lambda: false,
    is_information: false,
    needs_groups: false,
    make: |_| Box::new(Asr),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::tests::{benefits, instance};

    #[test]
    fn an_even_split_by_hand() {
        // Four objects, each its own group. `even`: half leaves the first part, each loses 2 of 3 rivals: 1/2 + 2/3.
        // `one`: a quarter leaves and loses all rivals; the others lose 1 of 3: 1/4 + 1/4 + 3/4 · 1/3.
        let scores = benefits(&instance("o,even,one,id\na,0,0,1\nb,0,0,2\nc,1,0,3\nd,1,1,4"), &Asr);
        assert!((scores[0] - 7.0 / 6.0).abs() < 1e-15);
        assert!((scores[1] - 0.75).abs() < 1e-15);
    }
}
