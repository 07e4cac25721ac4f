//! The least budget whose bounded greedy choice covers enough pairs.

use super::stars::{Stars, pairs};
use super::tally::Tally;
use super::{ALPHA, REL, least_share, slack};
use crate::criterion::pairs_between;
use fewest_model::{Candidates, ObjectId, Run, TestId};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A sum of masses is rounded by less than this part of it.
const ROUNDING: f64 = 1e-10;

/// What a test would take from the objects that are left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gain {
    /// Pairs that would be covered.
    Pairs,
    /// Mass that would leave the path.
    Mass,
}

/// A test with what it gained per cost when it was last looked at. The fewer objects are left, the less it gains, so until
/// it is looked at again this is the most it can: most tests need no second look [Minoux1978].
#[derive(Clone, Copy)]
struct Looked {
    ratio: f64,
    test: TestId,
    /// How many tests had been taken then.
    taken: usize,
}

impl Ord for Looked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.ratio.total_cmp(&other.ratio).then(other.test.cmp(&self.test))
    }
}

impl PartialOrd for Looked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Looked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Looked {}

/// Tests taken one after another, and the objects left on the path.
pub(super) struct Greedy<'a> {
    stars: &'a Stars<'a>,
    rest: Candidates,
    tally: Tally,
    /// The tests that may gain pairs or mass, once they were asked for.
    waiting: [Option<BinaryHeap<Looked>>; 2],
    /// `P` of what is left.
    pub(super) rest_pairs: f64,
    /// The tests taken, in order.
    pub(super) taken: Vec<TestId>,
}

impl<'a> Greedy<'a> {
    pub(super) fn new(stars: &'a Stars<'a>, set: Candidates) -> Self {
        let (rest_pairs, tally) = (pairs(&set), Tally::new(&set));
        Self { stars, rest_pairs, tally, waiting: [None, None], rest: set, taken: Vec::new() }
    }

    /// The test of an allowed cost with the largest gain per cost, the lowest among equals; none without a gain. A cost
    /// that was not allowed must not be allowed later.
    pub(super) fn best(&mut self, allowed: impl Fn(f64) -> bool, gain: Gain) -> Option<TestId> {
        let known = self.waiting[gain as usize].take();
        let mut waiting = known.unwrap_or_else(|| self.look_at_all(&allowed, gain));
        let (now, mut best, mut looked) = (self.taken.len(), 0.0, Vec::new());
        // Masses are sums that may be rounded up once more.
        let may_win = |next: &Looked, best: f64| next.ratio * (1.0 + ROUNDING) >= best * (1.0 - REL);
        while let Some(next) = waiting.peek().copied().filter(|next| next.ratio > 0.0 && may_win(next, best))
        {
            waiting.pop();
            let cost = self.stars.instance.cost(next.test);
            if !allowed(cost) {
                continue;
            }
            let is_new = next.taken == now;
            let ratio = if is_new { next.ratio } else { self.gain(next.test, gain) / cost };
            best = f64::max(best, ratio);
            looked.push(Looked { ratio, taken: now, ..next });
        }
        let is_best = |looked: &&Looked| looked.ratio > 0.0 && looked.ratio >= best * (1.0 - REL);
        let found = looked.iter().filter(is_best).map(|looked| looked.test).min();
        waiting.extend(looked);
        self.waiting[gain as usize] = Some(waiting);
        found
    }

    /// What all tests that gain anything from the whole set gain.
    fn look_at_all(&self, allowed: impl Fn(f64) -> bool, gain: Gain) -> BinaryHeap<Looked> {
        let Stars { instance, .. } = self.stars;
        let useful = instance.test_ids().filter(|test| self.stars.cover(*test) > 0.0);
        let tests: Vec<TestId> = useful.filter(|test| allowed(instance.cost(*test))).collect();
        let look = |test: TestId| match gain {
            // That much is known of the whole set.
            Gain::Pairs => Looked { ratio: self.stars.cover(test) / instance.cost(test), test, taken: 0 },
            Gain::Mass => {
                Looked { ratio: self.gain(test, gain) / instance.cost(test), test, taken: self.taken.len() }
            }
        };
        let shared = tests.into_par_iter().with_min_len(least_share(self.rest.len()));
        shared.map(look).collect::<Vec<_>>().into()
    }

    fn gain(&self, test: TestId, gain: Gain) -> f64 {
        let (instance, star) = (self.stars.instance, self.stars.star(test));
        let column = instance.test(test);
        let stays = |object: &ObjectId| column.answer(*object) == star;
        let objects = self.rest.objects();
        match gain {
            Gain::Pairs => {
                if let Some(left) = self.tally.pairs(instance, test) {
                    return self.rest_pairs - left[star.index()];
                }
                let left =
                    |run: &Run| objects[run.indices()].iter().map(|object| u32::from(stays(object))).sum();
                self.rest_pairs - pairs_between(self.rest.runs().iter().map(left))
            }
            Gain::Mass => {
                if let Some(mass) = self.tally.mass(instance, test, star) {
                    return mass;
                }
                let mass = |object: &ObjectId| if stays(object) { 0.0 } else { instance.weight(*object) };
                objects.iter().map(mass).fold(0.0, |sum, mass| sum + mass)
            }
        }
    }

    /// Takes `test`: only who gives its star answer stays. Gives its cost.
    pub(super) fn take(&mut self, test: TestId) -> f64 {
        let instance = self.stars.instance;
        let star = self.stars.star(test);
        self.rest = self.rest.keep(instance, |object| instance.answer(object, test) == star);
        self.rest_pairs = pairs(&self.rest);
        self.tally = Tally::new(&self.rest);
        self.taken.push(test);
        instance.cost(test)
    }
}

/// One step of the greedy order over the tests up to some cost.
struct Step {
    /// Cost of all tests up to here.
    sum: f64,
    /// Pairs that they cover together.
    covered: f64,
    /// Pairs that this one covers alone.
    alone: f64,
}

/// The least `B` for which the bounded greedy choice covers at least `α P(S)`.
///
/// The coverage is not monotone in `B`, so nothing is bisected: between two costs of tests the choice changes only
/// where a prefix of the greedy order fits, and these are all the budgets there are to try.
pub(super) fn budget(stars: &Stars<'_>, set: &Candidates) -> f64 {
    let wanted = ALPHA * stars.pairs;
    let instance = stars.instance;
    // A test that covers nothing changes no choice, so its cost is no budget to try.
    let useful = instance.test_ids().filter(|test| stars.cover(*test) > 0.0);
    let mut costs: Vec<f64> = useful.map(|test| instance.cost(test)).collect();
    costs.sort_by(f64::total_cmp);
    costs.dedup();
    for (at, &cost) in costs.iter().enumerate() {
        let next = costs.get(at + 1).copied().unwrap_or(f64::INFINITY);
        let order = order(stars, set, cost, next);
        let prefixes = order.iter().map(|step| step.sum).filter(|sum| *sum > cost && *sum < next);
        if let Some(budget) =
            std::iter::once(cost).chain(prefixes).find(|budget| coverage(&order, *budget) >= wanted)
        {
            return budget;
        }
    }
    unreachable!("all tests together cover all pairs of a separable set")
}

/// The greedy order over the tests that cost at most `cost`, until nothing is gained or its sum passes `enough`.
fn order(stars: &Stars<'_>, set: &Candidates, cost: f64, enough: f64) -> Vec<Step> {
    let mut greedy = Greedy::new(stars, set.clone());
    let mut steps: Vec<Step> = Vec::new();
    let mut sum = 0.0;
    while sum <= enough + slack(enough) {
        let Some(test) = greedy.best(|other| other <= cost, Gain::Pairs) else { break };
        sum += greedy.take(test);
        steps.push(Step { sum, covered: stars.pairs - greedy.rest_pairs, alone: stars.cover(test) });
    }
    steps
}

/// What the bounded greedy choice covers: all that fits, or the first that does not, alone, if that covers more.
fn coverage(order: &[Step], budget: f64) -> f64 {
    let fitting = order.iter().take_while(|step| step.sum <= budget + slack(budget)).count();
    let before = fitting.checked_sub(1).map_or(0.0, |last| order[last].covered);
    order.get(fitting).map_or(before, |first| before.max(first.alone))
}
