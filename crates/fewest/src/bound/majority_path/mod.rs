//! Bound on the expected cost by the majority path, with the cost of the objects that leave it.
//!
//! Fix for each test one answer, here that of most mass. A tree has a path that takes the fixed answer at every
//! question, and every object leaves it once, at the first question to which it gives another answer, or stays to its
//! end. [`prices`] limits how many can have left after k questions, and [`path`] bounds the cost of leaving no
//! faster. Each question costs at least as much as the cheapest. Specification section 11.8 has the path; the entropy
//! of the objects that leave is our addition.

pub(crate) mod growth;
pub(crate) mod nested;
pub(crate) mod path;
pub(crate) mod prices;

use super::{BoundInput, Entry, ObjectiveKind};
use fewest_model::compensated_sum;
use prices::{LeavingObjects, PRICE_ONE, prices};

pub(super) const ENTRY: Entry = Entry {
    name: "peel",
    kind: ObjectiveKind::Expected,
    reason: "an object that keeps giving the usual answers pays for every question of that path, few questions get few objects off it, and those that left must be told apart as well",
    paper: "CicaleseLaberSaettler2014",
    is_quick: false,
    value: |input, _| majority_path(input),
};

/// Most candidates × tests for which the path is examined.
const MAX_CELLS: usize = 20_000_000;
/// Frank–Wolfe steps for each price vector.
const PRICE_STEPS: usize = 60;
/// Number of price vectors.
const PRICE_VECTORS: usize = 13;

fn majority_path(input: &BoundInput<'_>) -> f64 {
    let cells = input.candidates.len().saturating_mul(input.splits().len());
    if input.candidates.is_pure() || cells > MAX_CELLS || input.limit.is_reached() {
        return 0.0;
    }
    let leaving = leaving(input);
    let departed =
        departed(&leaving, &prices(&leaving, PRICE_STEPS, PRICE_VECTORS, || input.limit.is_reached()));
    let radix = input.radix;
    let least = path::by_entropy(&departed, 1.0, leaving.largest_group, radix);
    let groups = input.weights.iter().map(|weight| weight / input.total);
    let terms = compensated_sum(groups.filter(|share| *share > 0.0).map(|share| share * share.log2()));
    ((least - terms) / (radix as f64).log2() * (1.0 - 1e-12)).max(0.0) * input.cheapest
}

/// Limit of the mass that can have left after each number of questions, by the best prices; slightly raised for
/// rounding.
pub(crate) fn departed(leaving: &LeavingObjects, prices: &[Vec<u8>]) -> Vec<f64> {
    let total: f64 = leaving.weights.iter().sum();
    let ones = vec![PRICE_ONE; leaving.weights.len()];
    let mut departed = vec![total; leaving.tests.len()];
    for prices in prices.iter().chain([&ones]) {
        let price =
            |object: usize| leaving.weights[object] * f64::from(prices[object]) / f64::from(PRICE_ONE);
        let mut gains: Vec<f64> = leaving
            .tests
            .iter()
            .map(|test| test.iter().map(|object| price(*object as usize)).sum())
            .collect();
        gains.sort_unstable_by(|left, right| right.total_cmp(left));
        let mut sum: f64 = (0..prices.len()).map(|object| leaving.weights[object] - price(object)).sum();
        for (departed, gain) in departed.iter_mut().zip(&gains) {
            sum += gain;
            *departed = departed.min(sum + 1e-9 * total);
        }
    }
    departed
}

/// Objects that leave at each test, by shares of the mass.
fn leaving(input: &BoundInput<'_>) -> LeavingObjects {
    let objects = input.candidates.objects();
    let weights: Vec<f64> = objects.iter().map(|object| input.share(*object)).collect();
    let tests = input.splits().iter().map(|split| {
        let test = input.instance.test(split.test);
        let mut masses = vec![0.0; test.arity()];
        for (object, weight) in objects.iter().zip(&weights) {
            masses[test.answer(*object).index()] += weight;
        }
        let most = masses.iter().copied().fold(0.0, f64::max) * (1.0 - 1e-9);
        let fixed_answers = masses.iter().position(|mass| *mass >= most);
        let leaves = |at: &u32| Some(test.answer(objects[*at as usize]).index()) != fixed_answers;
        (0..objects.len() as u32).filter(leaves).collect()
    });
    let largest_group = input.weights.iter().copied().fold(0.0, f64::max) / input.total;
    LeavingObjects { tests: tests.collect(), largest_group: largest_group + 1e-9, weights }
}
