//! Generalised binary search as if all objects left were equally likely: good in the worst case, and where the prior
//! is not to be trusted. [BellalaBhavnaniScott2010, section on experiments].

use super::{Criterion, Entry, Gbs};
use fewest_kernel::{NodeSums, SumsNeeded};
use fewest_model::{Columns, Contingency, Weighing};

/// [`Gbs`] with weight 1 for every object.
pub struct GbsUniform;

impl Criterion for GbsUniform {
    fn columns(&self) -> Columns {
        Gbs.columns()
    }

    fn weighing(&self) -> Weighing {
        Weighing::Uniform
    }

    fn benefit(&self, node: &Contingency) -> f64 {
        Gbs.benefit(node)
    }

    fn sums_needed(&self) -> Option<SumsNeeded> {
        Gbs.sums_needed()
    }

    fn estimate(&self, node: &NodeSums, benefits: &mut [f64]) -> f64 {
        Gbs.estimate(node, benefits)
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "gbs-uniform",
    summary: "gbs that takes all objects for equally likely",
    paper: "BellalaBhavnaniScott2010",
    guarantee: "as gbs, for equally likely objects: worst cost within a factor O(log M) at unit cost",
    uses_lambda: false,
    is_information: false,
    needs_groups: false,
    make: |_| Box::new(GbsUniform),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::tests::{benefits, instance};

    #[test]
    fn the_prior_does_not_matter() {
        let scores = benefits(
            &instance("o,prior,even,one,id\na,9,0,0,1\nb,0,0,0,2\nc,1,1,0,3\nd,7,1,1,4"),
            &GbsUniform,
        );
        assert_eq!(scores[0], 1.0);
        assert!((scores[1] - 0.8112781245).abs() < 1e-10);
    }
}
