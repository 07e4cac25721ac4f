//! The bound on the expected cost by the path of usual answers, with what those who leave it still cost.
//!
//! Fix for each test one answer, here that of most mass. A tree has a path that takes the fixed answer at every question,
//! and everybody leaves it once, at the first question that he answers otherwise, or stays to its end. [`prices`] limits
//! how many can have left after so many questions, and [`path`] says what leaving no faster costs. Each question costs
//! as much as the cheapest at least. SPEC section 9a has the path; that those who leave have an entropy, too, is ours.

pub(crate) mod again;
pub(crate) mod path;
pub(crate) mod prices;

use super::{Aim, Entry, Outlook};
use fewest_model::compensated_sum;
use prices::{Leaving, WHOLE, prices};

pub(super) const ENTRY: Entry = Entry {
    name: "peel",
    aim: Aim::Expected,
    reason: "whoever keeps giving the usual answers pays for every question of that path, few questions get few off it, and those who left must be told apart as well",
    paper: "CicaleseLaberSaettler2014",
    is_quick: false,
    value: |outlook, _| peel(outlook),
};

/// Up to so many candidates × tests the path is looked at.
const MOST_CELLS: usize = 20_000_000;
/// So many steps for each price vector.
const STEPS: usize = 60;
/// So many price vectors.
const VECTORS: usize = 13;

fn peel(outlook: &Outlook<'_>) -> f64 {
    let cells = outlook.candidates.len().saturating_mul(outlook.splits().len());
    if outlook.candidates.is_pure() || cells > MOST_CELLS || outlook.limit.is_reached() {
        return 0.0;
    }
    let leaving = leaving(outlook);
    let off = off(&leaving, &prices(&leaving, STEPS, VECTORS, || outlook.limit.is_reached()));
    let radix = outlook.radix;
    let least = path::by_entropy(&off, 1.0, leaving.top, radix);
    let groups = outlook.weights.iter().map(|weight| weight / outlook.total);
    let terms = compensated_sum(groups.filter(|share| *share > 0.0).map(|share| share * share.log2()));
    ((least - terms) / (radix as f64).log2() * (1.0 - 1e-12)).max(0.0) * outlook.cheapest
}

/// What can have left after each number of questions, by the best prices; a little more, for rounding.
pub(crate) fn off(leaving: &Leaving, prices: &[Vec<u8>]) -> Vec<f64> {
    let total: f64 = leaving.weights.iter().sum();
    let ones = vec![WHOLE; leaving.weights.len()];
    let mut off = vec![total; leaving.tests.len()];
    for prices in prices.iter().chain([&ones]) {
        let price = |object: usize| leaving.weights[object] * f64::from(prices[object]) / f64::from(WHOLE);
        let mut gains: Vec<f64> = leaving
            .tests
            .iter()
            .map(|test| test.iter().map(|object| price(*object as usize)).sum())
            .collect();
        gains.sort_unstable_by(|left, right| right.total_cmp(left));
        let mut sum: f64 = (0..prices.len()).map(|object| leaving.weights[object] - price(object)).sum();
        for (off, gain) in off.iter_mut().zip(&gains) {
            sum += gain;
            *off = off.min(sum + 1e-9 * total);
        }
    }
    off
}

/// Who leaves where, by shares of the mass.
fn leaving(outlook: &Outlook<'_>) -> Leaving {
    let objects = outlook.candidates.objects();
    let weights: Vec<f64> = objects.iter().map(|object| outlook.share(*object)).collect();
    let tests = outlook.splits().iter().map(|split| {
        let test = outlook.instance.test(split.test);
        let mut masses = vec![0.0; test.arity()];
        for (object, weight) in objects.iter().zip(&weights) {
            masses[test.answer(*object).index()] += weight;
        }
        let most = masses.iter().copied().fold(0.0, f64::max) * (1.0 - 1e-9);
        let usual = masses.iter().position(|mass| *mass >= most);
        let leaves = |at: &u32| Some(test.answer(objects[*at as usize]).index()) != usual;
        (0..objects.len() as u32).filter(leaves).collect()
    });
    let top = outlook.weights.iter().copied().fold(0.0, f64::max) / outlook.total;
    Leaving { tests: tests.collect(), top: top + 1e-9, weights }
}
