//! Bound on the expected cost by the least separation cost. [CicaleseLaberSaettler2014, Theorem 1].
//!
//! Fix for each test one answer; `σ_t` are the candidates that give another. The tree's path of fixed answers asks
//! `t_1 … t_q`, and every object still on it at `t_j` pays for `t_j`: `E ≥ Σ_j c(t_j) p(S \ ⋃_{i<j} σ_{t_i})`, the
//! separation cost of the path, whichever answers were fixed. We bound that from below for all paths at once. While
//! `t_j` is being paid for, `C` has been spent with `C_{j−1} ≤ C < C_j`, where `C_j` is the cost of the first `j`
//! tests. The tests already asked cost `C_{j−1} ≤ C`, so they have removed at most `F(C) = max { Σ_t x_t p(σ_t) : 0 ≤
//! x_t ≤ 1, Σ_t x_t c_t ≤ C }`, the fractional knapsack, and nothing if `C` is below the cheapest cost. The path ends
//! pure, so it costs at least the cover bound for the same fixed answers:
//!
//! `E ≥ ∫₀^cover max(0, 1 − F(C)) dC`.
//!
//! If all costs are multiples of a step, so is `C_{j−1}`, and `F` may be taken at the step below `C`.

use super::input::BoundInput;
use super::input::Cover;
use super::{Entry, ObjectiveKind};

pub(super) const ENTRY: Entry = Entry {
    name: "separation",
    kind: ObjectiveKind::Expected,
    reason: "an object that gives the usual answers pays for every question of that path, and no choice of questions gets many objects off it early",
    paper: "CicaleseLaberSaettler2014",
    is_quick: false,
    value: |input, _| input.covers().iter().map(|cover| separation(input, cover)).fold(0.0, f64::max),
};

/// Most steps that are added up one by one.
const MAX_STEPS: f64 = 10_000.0;

fn separation(input: &BoundInput<'_>, cover: &Cover) -> f64 {
    let costs = input.splits().iter().map(|split| split.cost);
    let mut items: Vec<Item> =
        costs.zip(&cover.removed).map(|(cost, removed)| Item { cost, removed: *removed }).collect();
    // First the test that removes the most mass per cost; products instead of quotients would overflow sooner.
    items.sort_by(|left, right| (right.removed / right.cost).total_cmp(&(left.removed / left.cost)));
    match input.steps().size().filter(|step| cover.cost / step <= MAX_STEPS) {
        Some(step) => by_steps(&items, step, (cover.cost / step).round() as usize, input.cheapest),
        None => by_area(&items, cover.cost, input.cheapest),
    }
}

/// A test as an item of the knapsack.
struct Item {
    cost: f64,
    removed: f64,
}

/// Sum `Σ step · max(0, 1 − F(k step))` over `k` from 0 to `count − 1`.
fn by_steps(items: &[Item], step: f64, count: usize, cheapest: f64) -> f64 {
    let (mut at, mut spent, mut removed, mut sum) = (0, 0.0, 0.0, 0.0);
    for number in 0..count {
        let budget = number as f64 * step;
        // All items that fit whole, then a part of the next one.
        while at < items.len() && spent + items[at].cost <= budget * (1.0 + 1e-12) {
            spent += items[at].cost;
            removed += items[at].removed;
            at += 1;
        }
        let part = items.get(at).map_or(0.0, |item| item.removed * ((budget - spent) / item.cost).max(0.0));
        let left = if budget < cheapest * (1.0 - 1e-12) { 1.0 } else { 1.0 - removed - part };
        if left <= 0.0 {
            break;
        }
        sum += step * left;
    }
    sum
}

/// Integral `∫ max(0, 1 − F(C)) dC` from 0 to `end`, with `F = 0` below the cheapest cost.
fn by_area(items: &[Item], end: f64, cheapest: f64) -> f64 {
    let mut area = end.min(cheapest);
    let (mut spent, mut left) = (0.0, 1.0);
    for item in items {
        // Along this item, the rest falls linearly; the part below the cheapest cost is counted already.
        let (from, to) = (f64::max(spent, cheapest), f64::min(spent + item.cost, end));
        let slope = item.removed / item.cost;
        let zero = if slope > 0.0 { spent + left / slope } else { f64::INFINITY };
        let to = to.min(zero);
        if from < to {
            let height = |cost: f64| (left - slope * (cost - spent)).max(0.0);
            area += (to - from) * (height(from) + height(to)) / 2.0;
        }
        spent += item.cost;
        left -= item.removed;
        if left <= 0.0 || spent >= end {
            return area;
        }
    }
    // All tests together cost no less than the path, so nothing lies beyond them.
    area
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::testing::{instance, value};

    #[test]
    fn one_test_for_each_object_takes_them_off_one_by_one() {
        // All objects pay for the first question, 4 of 5 for the second, and so on for 4 questions.
        let text = "object a b c d e\n a 1 0 0 0 0\n b 0 1 0 0 0\n c 0 0 1 0 0\n d 0 0 0 1 0\n e 0 0 0 0 1";
        assert!((value(&instance(text, &[]), ENTRY) - (5.0 + 4.0 + 3.0 + 2.0) / 5.0).abs() < 1e-12);
    }

    #[test]
    fn the_likely_objects_are_taken_off_first() {
        let text = "object prior a b c\n a 5 1 0 0\n b 3 0 1 0\n c 2 0 0 1";
        assert!((value(&instance(text, &[]), ENTRY) - (1.0 + 0.5)).abs() < 1e-12);
    }

    #[test]
    fn the_area_is_what_the_steps_add_up_to_when_they_are_fine() {
        let items = [Item { cost: 1.0, removed: 0.5 }, Item { cost: 2.0, removed: 0.4 }];
        // Up to 1: 1 (the cheapest); from 1 to 3 from 0.5 down to 0.1.
        assert!((by_area(&items, 3.0, 1.0) - 1.6).abs() < 1e-12);
        assert!((by_area(&items, 2.0, 1.0) - 1.4).abs() < 1e-12);
        let fine = by_steps(&items, 1e-3, 3000, 1.0);
        assert!((fine - 1.6).abs() < 1e-3, "{fine}");
        // The rest reaches 0 halfway through the second: 0.5 · 1 / 2.
        let items = [Item { cost: 1.0, removed: 0.5 }, Item { cost: 2.0, removed: 1.0 }];
        assert!((by_area(&items, 3.0, 1.0) - 1.25).abs() < 1e-12);
    }
}
