//! Bounds that need no claim: by the best tests that are conceivable. Specification section 4.

use super::measure::Measure;
use super::parts::{Part, Parts, bits, phi};
use super::problem::Problem;
use std::collections::BTreeSet;

/// Relative amount by which a bound is lowered for rounding.
const ROUNDING: f64 = 1e-12;
/// Amount by which a logarithm is lowered for rounding: near λ = 1 costs are small differences of logarithms.
const LOG_ROUNDING: f64 = 1e-14;
/// Part of a step that is ignored as rounding before a bound is raised to the next step.
const STEP_ROUNDING: f64 = 1e-9;

/// Limits of the tests that split a set. They hold for every part of the set too: a test that splits a part splits
/// the set, into no fewer answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// Bits per unit of cost: `max log₂(answers) / cost`.
    pub(crate) rate: f64,
    /// Least cost of a test.
    pub(crate) cheapest: f64,
    /// Most answers of a test, at least 2.
    pub(crate) radix: u64,
    /// Largest number of answers that lead to further questions: all but the one that confirms an object of the set.
    pub(crate) leads: u64,
    /// Two tests of different cost, if there are any.
    pub(crate) uneven: Option<(usize, usize)>,
}

impl Reach {
    /// Limits of the splitting tests; `None` if no test splits.
    pub(crate) fn of(parts: &Parts, problem: &Problem) -> Option<Self> {
        let first = parts.splits.first()?.test;
        let nothing = Self { rate: 0.0, cheapest: f64::INFINITY, radix: 2, leads: 1, uneven: None };
        let confirming = confirming(parts, problem);
        Some(parts.splits.iter().fold(nothing, |reach, split| {
            let (cost, answers) = (problem.tests[split.test].cost, parts.of(split).len());
            let differs = cost != problem.tests[first].cost;
            Self {
                rate: reach.rate.max((answers as f64).log2() / cost),
                cheapest: reach.cheapest.min(cost),
                radix: reach.radix.max(answers as u64),
                leads: reach.leads.max((answers - usize::from(confirming.contains(&split.test))) as u64),
                uneven: reach.uneven.or(differs.then_some((first, split.test))),
            }
        }))
    }
}

/// Tests that confirm an object of the set.
fn confirming(parts: &Parts, problem: &Problem) -> BTreeSet<usize> {
    bits(&parts.set).filter_map(|kind| problem.kinds[kind].confirming).collect()
}

/// Obvious bounds of sets with at least two groups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Obvious {
    /// Common divisors of the values of trees, for the expected and for the worst cost.
    steps: (Option<f64>, Option<f64>),
    /// Whether every object must be confirmed by a test of its own.
    confirm: bool,
    largest_log: f64,
    /// `α = s/(s + log₂ λ)`, with the rate `s` of the whole instance.
    pub(crate) alpha: f64,
}

impl Obvious {
    pub(crate) fn new(problem: &Problem, measure: Measure) -> Self {
        let products = problem.weight_step.zip(problem.cost_step).map(|(weight, cost)| weight * cost);
        let alpha = match measure {
            Measure::Exponential { growth, .. } => {
                let rate = rate(problem);
                if rate > 0.0 { rate / (rate + growth / std::f64::consts::LN_2) } else { 1.0 }
            }
            Measure::Expected | Measure::Worst => 1.0,
        };
        let confirm = problem.confirm;
        Self { steps: (products, problem.cost_step), confirm, largest_log: problem.largest_log, alpha }
    }

    /// Lower bound on the value of every tree for `part`.
    pub(crate) fn value(&self, measure: Measure, part: &Part, reach: &Reach) -> f64 {
        match measure {
            Measure::Expected => self.expected(part, reach),
            Measure::Worst => self.worst(part, reach),
            Measure::Exponential { growth, .. } => self.exponential(part, reach, growth),
        }
    }

    /// Bounds the expected cost in three ways. Some question is asked of every object. By entropy, `w H(groups) =
    /// φ(w) − Σ φ(w_k)` bits are gained at the rate. If the objects are alike, no tree of such nodes has a smaller
    /// sum of depths. An object that must be confirmed ends at a question of its own, and at most `leads^d` questions
    /// come after `d` others.
    fn expected(&self, part: &Part, reach: &Reach) -> f64 {
        let bits = phi(part.mass) - part.terms - self.noise(part);
        let entropy = self.round_expected(bits / reach.rate);
        let once = reach.cheapest * part.mass;
        let depths = || match self.confirm {
            true => ends(part.kinds.into(), reach.leads).0,
            false => depths(part.kinds.into(), reach.radix),
        };
        let depths = part.plain().map_or(0.0, |weight| depths() * reach.cheapest * weight);
        entropy.max(once).max(depths)
    }

    /// Bounds the worst cost: a tree has at least as many leaves as groups, so some path has `⌈log_radix #groups⌉`
    /// questions, and `log₂ #groups` bits at the rate.
    pub(crate) fn worst(&self, part: &Part, reach: &Reach) -> f64 {
        let questions = match self.confirm {
            true => ends(part.groups.into(), reach.leads).1,
            false => log_ceil(part.groups.into(), reach.radix),
        };
        let bits = self.round_worst(f64::from(part.groups).log2() / reach.rate);
        (reach.cheapest * f64::from(questions)).max(bits)
    }

    /// Bounds the exponential cost by Rényi's entropy, `ln N = ln(Σ w_k^α)/α`; and some question is asked of every
    /// object.
    fn exponential(&self, part: &Part, reach: &Reach, growth: f64) -> f64 {
        if part.mass == 0.0 {
            return f64::NEG_INFINITY;
        }
        let noise = (f64::from(part.kinds) + 8.0) * f64::EPSILON;
        let renyi = (part.terms.ln() - noise) / self.alpha;
        let bound = renyi.max(part.mass.ln() + growth * reach.cheapest);
        bound - LOG_ROUNDING * (1.0 + bound.abs())
    }

    /// Rounding error of `φ(w) − Σ φ(w_k)`: the terms may be much larger than their difference.
    pub(crate) fn noise(&self, part: &Part) -> f64 {
        (2.0 * f64::from(part.kinds) + 8.0) * f64::EPSILON * 2.0 * part.mass * self.largest_log
    }

    /// Raises a bound on the expected cost to the least value that a tree can have.
    pub(crate) fn round_expected(&self, bound: f64) -> f64 {
        round_to_step(bound, self.steps.0)
    }

    /// Raises a bound on the worst cost to the least value that a tree can have.
    fn round_worst(&self, bound: f64) -> f64 {
        round_to_step(bound, self.steps.1)
    }
}

/// Next multiple of `step`, up to rounding; without steps, the bound lowered by the rounding error.
fn round_to_step(bound: f64, step: Option<f64>) -> f64 {
    match step {
        None => bound - ROUNDING * bound.abs(),
        Some(step) => {
            let count = bound / step;
            (count - ROUNDING * count.abs() - STEP_ROUNDING).ceil() * step
        }
    }
}

/// Rate of the whole instance; 0 if no test splits it.
fn rate(problem: &Problem) -> f64 {
    let rate = |test: &super::problem::Test| {
        let mut codes = test.codes.clone();
        codes.sort_unstable();
        codes.dedup();
        (codes.len().max(1) as f64).log2() / test.cost
    };
    problem.tests.iter().map(rate).fold(0.0, f64::max)
}

/// Least sum of depths, and least greatest depth, at which `objects` objects end at one question each, with at most
/// `leads` times as many questions on a level as on the one before it.
fn ends(objects: u64, leads: u64) -> (f64, u32) {
    let (mut left, mut level, mut depth, mut sum) = (objects, 1u64, 0u32, 0.0);
    while left > 0 {
        depth += 1;
        let ended = left.min(level);
        sum += f64::from(depth) * ended as f64;
        left -= ended;
        level = level.saturating_mul(leads);
    }
    (sum, depth)
}

/// Computes `⌈log_radix count⌉` in whole numbers.
pub(crate) fn log_ceil(count: u64, radix: u64) -> u32 {
    let (mut reached, mut questions) = (1u64, 0);
    while reached < count {
        reached = reached.saturating_mul(radix);
        questions += 1;
    }
    questions
}

/// Least sum of depths of `leaves` leaves in a tree with at most `radix` children per node: all leaves are on one
/// level as far as they fit there, then as few nodes as possible are opened to the next. (Huffman's code for equal
/// weights.)
pub(crate) fn depths(leaves: u64, radix: u64) -> f64 {
    if leaves <= 1 {
        return 0.0;
    }
    let (mut level, mut depth) = (1u64, 0u64);
    while level.saturating_mul(radix) <= leaves {
        level = level.saturating_mul(radix);
        depth += 1;
    }
    let more = leaves - level;
    let opened = more.div_ceil(radix - 1);
    (leaves * depth + more + opened) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_those_of_the_flattest_trees() {
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 8, 9].map(|leaves| depths(leaves, 2)),
            [0., 0., 2., 5., 8., 12., 24., 29.]
        );
        assert_eq!([2, 3, 4, 5, 9, 10].map(|leaves| depths(leaves, 3)), [2., 3., 6., 8., 18., 22.]);
    }

    #[test]
    fn no_way_to_share_out_leaves_has_smaller_depths() {
        const MOST: usize = 40;
        for radix in 2..6usize {
            // Least sum for a number of leaves below a number of children; one child is a tree of its own.
            let mut least = vec![vec![f64::INFINITY; MOST]; radix + 1];
            for leaves in 1..MOST {
                for children in 2..=radix {
                    let share = |first: usize| least[1][first] + least[children - 1][leaves - first];
                    least[children][leaves] = (1..leaves).map(share).fold(f64::INFINITY, f64::min);
                }
                let below = (2..=radix).map(|children| least[children][leaves]).fold(f64::INFINITY, f64::min);
                least[1][leaves] = if leaves == 1 { 0.0 } else { leaves as f64 + below };
                assert_eq!(
                    least[1][leaves],
                    depths(leaves as u64, radix as u64),
                    "{leaves} leaves, {radix} children"
                );
            }
        }
    }

    #[test]
    fn one_object_ends_at_each_question() {
        // One object ends at the first question, two at the second, the other two at the third; with one lead, one at
        // each.
        assert_eq!([ends(5, 2), ends(4, 1), ends(1, 7)], [(11.0, 3), (10.0, 4), (1.0, 1)]);
    }

    #[test]
    fn logarithms_are_rounded_up_exactly() {
        assert_eq!([1, 2, 3, 4, 5, 8, 9].map(|count| log_ceil(count, 2)), [0, 1, 2, 2, 3, 3, 4]);
        assert_eq!([243, 244].map(|count| log_ceil(count, 3)), [5, 6]);
        assert_eq!(log_ceil(u64::MAX, 2), 64);
    }

    #[test]
    fn noise_does_not_lift_a_bound_and_the_next_step_does() {
        assert_eq!(round_to_step(3.0 + 1e-10, Some(1.0)), 3.0);
        assert_eq!(round_to_step(3.0 + 1e-6, Some(1.0)), 4.0);
        assert_eq!(round_to_step(7.0, Some(5.0)), 10.0);
        assert!(round_to_step(3.0, None) < 3.0);
    }
}
