//! Generalised binary search: prefer the test whose answer is least certain. [BellalaBhavnaniScott2010, Alg. 1],
//! there as the most even split of two answers; the entropy of the answer has the same order and serves many answers.

use super::{ANSWERS, Criterion, Entry};
use crate::measure::entropy_bits;
use fewest_kernel::{NodeSums, SumsNeeded};
use fewest_model::{Columns, Contingency};

/// Entropy of the answer, `H(w(C))`.
pub struct Gbs;

impl Criterion for Gbs {
    fn columns(&self) -> Columns {
        Columns::Whole
    }

    fn benefit(&self, node: &Contingency) -> f64 {
        entropy_bits(node.rows().map(|row| row.weight()), node.total())
    }

    fn sums_needed(&self) -> Option<SumsNeeded> {
        Some(ANSWERS)
    }

    fn estimate(&self, node: &NodeSums, benefits: &mut [f64]) -> f64 {
        for (benefit, rows) in benefits.iter_mut().zip(&node.rows) {
            *benefit = (node.whole - rows) / node.total;
        }
        1.0
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "gbs",
    summary: "generalised binary search: the answer that is least certain",
    paper: "BellalaBhavnaniScott2010",
    guarantee: "expected cost within a factor O(log 1/p_min) of the best for objects at unit cost",
    uses_lambda: false,
    is_information: false,
    needs_groups: false,
    make: |_| Box::new(Gbs),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::tests::{benefits, instance};

    #[test]
    fn even_split_scores_highest() {
        let scores = benefits(&instance("o,even,one\na,0,0\nb,0,0\nc,1,0\nd,1,1"), &Gbs);
        assert_eq!(scores[0], 1.0);
        assert!((scores[1] - 0.8112781245).abs() < 1e-10);
    }
}
