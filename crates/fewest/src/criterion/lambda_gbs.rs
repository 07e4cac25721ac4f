//! λ-GBS: greedy for the exponential cost, by the Rényi entropy over objects that a test leaves.
//! [BellalaBhavnaniScott2010, Alg. 3]: minimising `Σ_C w(C) D_α(C)` there is maximising the benefit here, which stays
//! finite for any λ. λ = 1 is gbs; at λ = ∞ only the number of objects left at worst counts.

use super::{Criterion, Entry, Gbs};
use crate::measure::Order;
use fewest_kernel::{NodeSums, SumsNeeded, Term, add_powers, add_powers_of_rests, log2_each};
use fewest_model::{Columns, Contingency, Lambda, log_mean_exp};
use std::f64::consts::LN_2;

/// Criterion `H_α(A) − LME_λ(w(C); H_α(C))` over objects, with `α = 1/(1 + log₂ λ)`.
pub struct LambdaGbs {
    lambda: Lambda,
    order: Order,
}

impl LambdaGbs {
    /// Makes the criterion for an exponential cost of base λ.
    pub fn new(lambda: Lambda) -> Self {
        Self { lambda, order: Order::new(lambda, 1.0) }
    }
}

impl Criterion for LambdaGbs {
    fn columns(&self) -> Columns {
        Columns::Whole
    }

    fn moment(&self, p: f64) -> Option<f64> {
        (self.lambda.value() > 1.0 && self.lambda.value() < f64::INFINITY).then(|| self.order.moment(p))
    }

    fn benefit(&self, node: &Contingency) -> f64 {
        if self.lambda.value() == 1.0 {
            return Gbs.benefit(node);
        }
        if self.lambda == Lambda::INFINITY {
            let most = node.rows().map(|row| row.count()).max().unwrap_or(0);
            return (f64::from(node.count()) / f64::from(most)).log2();
        }
        // The entropy of equal weights is the logarithm of their number, in every order α.
        let bits = |count: u32, moment: f64, mass: f64| {
            if node.is_uniform() { f64::from(count).log2() } else { self.order.bits(moment, mass) }
        };
        let scale = node.prior_scale();
        let before = bits(node.count(), node.moment(), node.total() * scale);
        let rows = node.rows().filter(|row| row.weight() > 0.0);
        let after = rows.map(|row| (row.share(), bits(row.count(), row.moment(), row.weight() * scale)));
        before - log_mean_exp(self.lambda, after)
    }

    fn sums_needed(&self) -> Option<SumsNeeded> {
        if self.lambda.value() == 1.0 {
            return Gbs.sums_needed();
        }
        if self.lambda == Lambda::INFINITY {
            return Some(SumsNeeded::new(Term::Nothing, Term::Nothing));
        }
        let rows = Term::Power(1.0 / self.order.alpha());
        is_stable(self.order).then_some(SumsNeeded::new(Term::Nothing, rows))
    }

    fn estimate(&self, node: &NodeSums, benefits: &mut [f64]) -> f64 {
        if self.lambda.value() == 1.0 {
            return Gbs.estimate(node, benefits);
        }
        if self.lambda == Lambda::INFINITY {
            let most = node.second_counts.iter().map(|second| f64::from((*second).max(node.count - second)));
            estimate_rest(Lambda::TWO, f64::from(node.count), most, benefits);
            return 1.0;
        }
        if node.uniform {
            estimate_rest(self.lambda, node.whole, node.rows.iter().copied(), benefits);
        } else {
            // As fractions of the whole, powers keep their digits however small the weight of the node is.
            let scale = 1.0 / self.order.power_sum(node.moments, node.mass);
            let sums = node.second_moments.iter().zip(&node.second_weights);
            let part =
                |(moment, share): (&f64, &f64)| self.order.power_sum(*moment, node.mass * share) * scale;
            let parts: Vec<f64> = sums.map(part).collect();
            let (mut rest, exponent) = (vec![0.0; parts.len()], 1.0 / self.order.alpha());
            add_powers(&parts, exponent, &mut rest);
            add_powers_of_rests(1.0, &parts, exponent, &mut rest);
            estimate_rest(self.lambda, 1.0, rest.into_iter(), benefits);
        }
        16.0 / (self.order.complement() * self.order.alpha())
    }
}

/// Whether sums of powers keep their digits: not next to λ = 1, where they are nearly 1, nor where powers overflow.
pub(super) fn is_stable(order: Order) -> bool {
    order.complement() > 1e-3 && order.alpha() > 0.05
}

/// Estimates `log_λ before − log_λ Σ_C m(C)^(1/α)` for each test, where `m` is the sum of `p^α`: the same as
/// [`benefit`](Criterion::benefit), because `w(C) λ^H_α(C) = m(C)^(1/α)`.
pub(super) fn estimate_rest(
    lambda: Lambda,
    before: f64,
    rest: impl Iterator<Item = f64>,
    benefits: &mut [f64],
) {
    for (benefit, rest) in benefits.iter_mut().zip(rest) {
        *benefit = before / rest;
    }
    log2_each(benefits);
    let bits = LN_2 / lambda.ln();
    benefits.iter_mut().for_each(|benefit| *benefit *= bits);
}

pub(super) const ENTRY: Entry = Entry {
    name: "lambda-gbs",
    summary: "gbs for exponential cost: punishes long paths the more the larger λ is",
    paper: "BellalaBhavnaniScott2010",
    guarantee: "exponential cost exceeds the entropy bound by exactly the losses that a report shows",
    uses_lambda: true,
    is_information: false,
    needs_groups: false,
    make: |settings| Box::new(LambdaGbs::new(settings.lambda)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::tests::{benefits, instance};

    #[test]
    fn at_infinity_only_the_largest_part_counts() {
        let scores = benefits(
            &instance("o,prior,t,u\na,9,0,0\nb,1,0,1\nc,1,0,2\nd,0,1,3"),
            &LambdaGbs::new(Lambda::INFINITY),
        );
        assert!((scores[0] - (4f64 / 3.0).log2()).abs() < 1e-15);
        assert_eq!(scores[1], 2.0);
    }
}
