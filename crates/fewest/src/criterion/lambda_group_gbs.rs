//! λ-GGBS: greedy for the exponential cost of naming the group, by the Rényi entropy over groups that a test leaves.
//! [BellalaBhavnaniScott2010, Alg. 4]. λ = 1 is ggbs; at λ = ∞ only the number of groups left at worst counts.

use super::lambda_gbs::{estimate_rest, is_stable};
use super::{Criterion, Entry, GroupGbs, LambdaGbs};
use crate::measure::{Order, renyi_bits};
use fewest_kernel::{NodeSums, SumsNeeded, Term, add_powers};
use fewest_model::{Columns, Contingency, Identify, Lambda, log_mean_exp};

/// Criterion `H_α(A) − LME_λ(w(C); H_α(C))` over groups, with `α = 1/(1 + log₂ λ)`.
pub struct LambdaGroupGbs {
    lambda: Lambda,
    order: Order,
}

impl LambdaGroupGbs {
    /// Makes the criterion for an exponential cost of base λ.
    pub fn new(lambda: Lambda) -> Self {
        Self { lambda, order: Order::new(lambda, 1.0) }
    }
}

impl Criterion for LambdaGroupGbs {
    fn columns(&self) -> Columns {
        Columns::Groups
    }

    fn benefit(&self, node: &Contingency) -> f64 {
        if self.lambda.value() == 1.0 {
            return GroupGbs.benefit(node);
        }
        if self.lambda == Lambda::INFINITY {
            let most = node.rows().map(|row| row.cells().len()).max().unwrap_or(0);
            return (node.groups().len() as f64 / most as f64).log2();
        }
        let before = renyi_bits(node.groups().iter().map(|cell| cell.weight), node.total(), self.order);
        let rows = node.rows().filter(|row| row.weight() > 0.0);
        let after = rows.map(|row| {
            (row.share(), renyi_bits(row.cells().iter().map(|cell| cell.weight), row.weight(), self.order))
        });
        before - log_mean_exp(self.lambda, after)
    }

    fn sums_needed(&self) -> Option<SumsNeeded> {
        if self.lambda.value() == 1.0 {
            return GroupGbs.sums_needed();
        }
        if self.lambda == Lambda::INFINITY {
            return Some(SumsNeeded::new(Term::Present, Term::Nothing));
        }
        let cells = Term::Power(self.order.alpha());
        is_stable(self.order).then_some(SumsNeeded::new(cells, Term::Nothing))
    }

    fn estimate(&self, node: &NodeSums, benefits: &mut [f64]) -> f64 {
        if self.lambda.value() == 1.0 {
            return GroupGbs.estimate(node, benefits);
        }
        if self.lambda == Lambda::INFINITY {
            let [first, second] = &node.cells;
            let most = first.iter().zip(second).map(|(first, second)| first.max(*second));
            estimate_rest(Lambda::TWO, node.groups as f64, most, benefits);
            return 1.0;
        }
        let exponent = 1.0 / self.order.alpha();
        let mut rest = vec![0.0; benefits.len()];
        node.cells.iter().for_each(|cells| add_powers(cells, exponent, &mut rest));
        let before = Term::Power(exponent).of(node.group_cells);
        estimate_rest(self.lambda, before, rest.into_iter(), benefits);
        16.0 / (self.order.complement() * self.order.alpha())
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "lambda-ggbs",
    summary: "group gbs for exponential cost",
    paper: "BellalaBhavnaniScott2010",
    guarantee: "exponential cost exceeds the entropy bound by exactly the losses that a report shows",
    uses_lambda: true,
    is_information: false,
    needs_groups: false,
    make: |settings| match settings.identify {
        Identify::Groups => Box::new(LambdaGroupGbs::new(settings.lambda)),
        Identify::Objects => Box::new(LambdaGbs::new(settings.lambda)),
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::tests::{benefits, instance};

    #[test]
    fn a_test_within_groups_is_worth_nothing() {
        let instance = instance("o,group,within,between\na,x,0,0\nb,x,1,0\nc,y,0,1\nd,y,1,1");
        for lambda in [1.0, 1.5, 2.0, 1e9, f64::INFINITY] {
            let scores = benefits(&instance, &LambdaGroupGbs::new(Lambda::new(lambda).unwrap()));
            assert!(scores[0].abs() < 1e-12 && (scores[1] - 1.0).abs() < 1e-12, "λ = {lambda}: {scores:?}");
        }
    }
}
