//! λ-GBS: greedy for the exponential cost, by what a test leaves of Rényi's entropy over objects.
//! [BellalaBhavnaniScott2010, Alg. 3]: minimising `Σ_C w(C) D_α(C)` there is maximising the benefit here, which stays
//! finite for any λ. λ = 1 is gbs; at λ = ∞ only the number of objects left at worst counts.

use super::{Criterion, Entry, Gbs};
use crate::measure::Order;
use fewest_model::{Columns, Contingency, Lambda, log_mean_exp};

/// `H_α(A) − LME_λ(w(C); H_α(C))` over objects, with `α = 1/(1 + log₂ λ)`.
pub struct LambdaGbs {
    lambda: Lambda,
    order: Order,
}

impl LambdaGbs {
    /// For an exponential cost of base λ.
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
        // Equal weights have the logarithm of their number for entropy, in every order.
        let bits = |count: u32, moment: f64, mass: f64| {
            if node.is_uniform() { f64::from(count).log2() } else { self.order.bits(moment, mass) }
        };
        let scale = node.prior_scale();
        let moment: f64 = node.rows().map(|row| row.moment()).sum();
        let before = bits(node.count(), moment, node.total() * scale);
        let rows = node.rows().filter(|row| row.weight() > 0.0);
        let after = rows.map(|row| (row.share(), bits(row.count(), row.moment(), row.weight() * scale)));
        before - log_mean_exp(self.lambda, after)
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "lambda-gbs",
    summary: "gbs for exponential cost: punishes long paths the more the larger λ is",
    paper: "BellalaBhavnaniScott2010",
    guarantee: "exponential cost exceeds the entropy bound by exactly the losses that --report shows",
    uses_lambda: true,
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
