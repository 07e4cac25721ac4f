//! What the bounds look at.

use fewest_model::{Instance, compensated_sum};

/// What is to be told apart, and the most that tests can do about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// The weight of each group, zero weights included.
    pub weights: Vec<f64>,
    /// Their sum.
    pub total: f64,
    /// `s`: the most bits that a unit of cost can buy, `max log₂(arity) / cost` over the tests that split.
    pub rate: f64,
    /// The cost of the cheapest test that splits.
    pub cheapest: f64,
    /// The most answers that a test has, at least 2.
    pub radix: usize,
}

impl Outlook {
    /// The outlook before anything is asked.
    pub fn of(instance: &Instance) -> Self {
        let useful = || instance.test_ids().filter(|test| instance.test(*test).arity() >= 2);
        let rate = useful().map(|test| (instance.test(test).arity() as f64).log2() / instance.cost(test));
        let cheapest = useful().map(|test| instance.cost(test)).min_by(f64::total_cmp);
        let weights = instance.group_weights();
        Self {
            // Not the sum over objects, which may round otherwise: one group must be the whole, with entropy 0.
            total: compensated_sum(weights.iter().copied()),
            weights,
            rate: rate.max_by(f64::total_cmp).unwrap_or(1.0),
            cheapest: cheapest.unwrap_or(1.0),
            radix: useful().map(|test| instance.test(test).arity()).max().unwrap_or(2),
        }
    }
}
