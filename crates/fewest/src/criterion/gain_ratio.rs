//! Gain ratio: information about the group per bit of answer, to correct the preference of information gain for tests
//! with many answers. [Quinlan1986]. Without groups every test scores 1, so it means "the first test" there.

use super::{ANSWERS, CLAMP, Criterion, Entry, INFORMATION, estimate_information};
use crate::measure::{entropy_bits, mutual_information_bits};
use fewest_kernel::{NodeSums, SumsNeeded};
use fewest_model::{Columns, Contingency, Identify};

/// Criterion `I / h`: mutual information of answer and group over the entropy of the answer.
pub struct GainRatio;

impl Criterion for GainRatio {
    fn columns(&self) -> Columns {
        Columns::Groups
    }

    fn benefit(&self, node: &Contingency) -> f64 {
        let information = mutual_information_bits(node);
        let entropy = entropy_bits(node.rows().map(|row| row.weight()), node.total());
        if information < CLAMP || entropy < CLAMP { 0.0 } else { information / entropy }
    }

    fn sums_needed(&self) -> Option<SumsNeeded> {
        Some(INFORMATION)
    }

    fn estimate(&self, node: &NodeSums, benefits: &mut [f64]) -> f64 {
        estimate_information(node, benefits);
        // The smaller the entropy of an answer, the fewer digits its ratio has.
        let mut least = 1.0f64;
        for ((benefit, rows), second) in benefits.iter_mut().zip(&node.rows).zip(&node.second_counts) {
            let entropy = (node.whole - rows) / node.total;
            *benefit = if entropy < 1e-6 { f64::NAN } else { *benefit / entropy };
            if entropy >= 1e-6 && *second > 0 && *second < node.count {
                least = least.min(entropy);
            }
        }
        2.0 / least
    }
}

/// [`GainRatio`] if every object is its own group: the answer's entropy is all information about the object, `I = h`.
///
/// The ratio is set to 1 rather than computed: a computed ratio is 1 only up to rounding, and then the first test
/// would not always win.
struct GainRatioOfObjects;

impl Criterion for GainRatioOfObjects {
    fn columns(&self) -> Columns {
        Columns::Whole
    }

    fn benefit(&self, node: &Contingency) -> f64 {
        let entropy = entropy_bits(node.rows().map(|row| row.weight()), node.total());
        if entropy < CLAMP { 0.0 } else { 1.0 }
    }

    fn sums_needed(&self) -> Option<SumsNeeded> {
        Some(ANSWERS)
    }

    fn estimate(&self, node: &NodeSums, benefits: &mut [f64]) -> f64 {
        for (benefit, rows) in benefits.iter_mut().zip(&node.rows) {
            let entropy = (node.whole - rows) / node.total;
            *benefit = if entropy < 1e-9 { f64::NAN } else { 1.0 };
        }
        1.0
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "gain-ratio",
    summary: "information about the group per bit of answer",
    paper: "Quinlan1986",
    guarantee: "none known",
    uses_lambda: false,
    is_information: false,
    needs_groups: true,
    make: |settings| match settings.identify {
        Identify::Groups => Box::new(GainRatio),
        Identify::Objects => Box::new(GainRatioOfObjects),
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::tests::{benefits, instance};

    #[test]
    fn issue_21_item_22_equal_ratios_stay_equal_under_a_wide_prior() {
        // The last columns carry the information of the first, with other words and with answers and rows in another
        // order: the same ratio on paper. Priors from 1 to 10^9 leave few digits to sums that cancel.
        let rows =
            ["a,x,1,0,1,2", "b,y,1000000000,1,0,1", "c,x,999999999,1,0,1", "d,y,3,0,1,2", "e,z,70000,2,2,0"];
        for turn in 0..rows.len() {
            let mut rows = rows;
            rows.rotate_left(turn);
            let text = format!("o,group,prior,t,u,v\n{}", rows.join("\n"));
            let scores = benefits(&instance(&text), &GainRatio);
            let best = scores.iter().copied().fold(0.0, f64::max);
            assert!(best > 0.0 && scores.iter().all(|score| *score >= best * (1.0 - 1e-9)), "{scores:?}");
        }
    }

    #[test]
    fn many_answers_are_no_merit() {
        let scores = benefits(&instance("o,group,id,sex\na,x,1,m\nb,x,2,m\nc,y,3,f\nd,y,4,f"), &GainRatio);
        assert_eq!(scores, [0.5, 1.0]);
    }
}
