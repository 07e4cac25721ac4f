//! Group generalised binary search: prefer the test whose answer says most about the group, whatever it says about
//! the objects inside one. [BellalaBhavnaniScott2010, Alg. 2]; the paper prints `+` before the within-group term of
//! the score where its derivation has `−`: benefit `h − g`, the mutual information of answer and group.

use super::{Criterion, Entry, Gbs, INFORMATION, estimate_information};
use crate::measure::mutual_information_bits;
use fewest_kernel::{NodeSums, SumsNeeded};
use fewest_model::{Columns, Contingency, Identify};

/// Mutual information of answer and group.
pub struct GroupGbs;

impl Criterion for GroupGbs {
    fn columns(&self) -> Columns {
        Columns::Groups
    }

    fn benefit(&self, node: &Contingency) -> f64 {
        mutual_information_bits(node)
    }

    fn sums_needed(&self) -> Option<SumsNeeded> {
        Some(SumsNeeded { only_difference: true, ..INFORMATION })
    }

    fn estimate(&self, node: &NodeSums, benefits: &mut [f64]) -> f64 {
        estimate_information(node, benefits);
        1.0
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "ggbs",
    summary: "group gbs: the answer that says most about the group",
    paper: "BellalaBhavnaniScott2010",
    guarantee: "expected cost exceeds the entropy bound by exactly the losses that a report shows",
    uses_lambda: false,
    is_information: true,
    needs_groups: false,
    // With every object its own group nothing is uncertain within a group, and the answer's entropy is all.
    make: |settings| match settings.identify {
        Identify::Groups => Box::new(GroupGbs),
        Identify::Objects => Box::new(Gbs),
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::tests::{benefits, instance};

    #[test]
    fn a_test_within_groups_says_nothing() {
        let scores =
            benefits(&instance("o,group,within,between\na,x,0,0\nb,x,1,0\nc,y,0,1\nd,y,1,1"), &GroupGbs);
        assert_eq!(scores, [0.0, 1.0]);
    }
}
