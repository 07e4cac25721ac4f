//! Least budget whose bounded greedy choice covers enough pairs.

use super::pair_counts::PairCounts;
use super::stars::{Star, Stars};
use super::{ALPHA, REL, least_share, slack};
use fewest_model::TestId;
use rayon::prelude::*;

/// Relative rounding error of a sum of masses, from above.
const ROUNDING: f64 = 1e-10;

/// Gain of a test that is maximised.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gain {
    /// Number of pairs that would be covered.
    Pairs,
    /// Mass that would leave the path.
    Mass,
}

/// Test with its gain per cost when it was last computed. The fewer objects are left, the less a test gains, so until
/// it is computed again this is an upper bound: lazy greedy evaluation [Minoux1978].
#[derive(Clone, Copy)]
struct LazyGain {
    ratio: f64,
    test: TestId,
    cost: f64,
    /// Number of tests taken when the gain was computed.
    taken: usize,
}

/// Tests taken one after another, and the objects left on the path.
pub(super) struct Greedy<'a> {
    stars: &'a Stars<'a>,
    rest: PairCounts,
    /// Tests that may gain pairs or mass, in order; filled on first use.
    waiting: [Option<Vec<LazyGain>>; 2],
    /// Pairs `P` of the objects left.
    pub(super) rest_pairs: f64,
    /// Tests taken, in order.
    pub(super) taken: Vec<TestId>,
}

impl<'a> Greedy<'a> {
    pub(super) fn new(stars: &'a Stars<'a>) -> Self {
        let (rest, rest_pairs) = (stars.pair_counts.clone(), stars.pairs);
        Self { stars, rest, waiting: [None, None], rest_pairs, taken: Vec::new() }
    }

    /// Finds the test of an allowed cost with the largest gain per cost, the lowest among equals; `None` if no test
    /// gains anything. A cost that was not allowed must not be allowed later.
    pub(super) fn best(&mut self, allowed: impl Fn(f64) -> bool, gain: Gain) -> Option<TestId> {
        let known = self.waiting[gain as usize].take();
        let mut waiting = known.unwrap_or_else(|| self.all_gains(&allowed, gain));
        let mut most = 0.0;
        waiting.retain(|lazy| {
            let may_gain = lazy.ratio > 0.0 && allowed(lazy.cost);
            most = f64::max(most, if may_gain { lazy.ratio } else { 0.0 });
            may_gain
        });
        // The test with the largest old gain is updated first: it still gains more than most others did.
        let first = waiting.iter().position(|lazy| lazy.ratio == most);
        let (now, mut best) = (self.taken.len(), 0.0);
        for at in first.into_iter().chain(0..waiting.len()) {
            let lazy = &mut waiting[at];
            // Masses are sums, so a new gain may be rounded up a little.
            if lazy.taken < now && lazy.ratio * (1.0 + ROUNDING) >= best * (1.0 - REL) {
                (lazy.ratio, lazy.taken) = (self.gain(lazy.test, gain) / lazy.cost, now);
            }
            if lazy.taken == now {
                best = f64::max(best, lazy.ratio);
            }
        }
        let is_best = |lazy: &&LazyGain| lazy.ratio > 0.0 && lazy.ratio >= best * (1.0 - REL);
        let found = waiting.iter().find(is_best).map(|lazy| lazy.test);
        self.waiting[gain as usize] = Some(waiting);
        found
    }

    /// Gains of all tests from the whole set.
    fn all_gains(&self, allowed: impl Fn(f64) -> bool, gain: Gain) -> Vec<LazyGain> {
        let with_cost = |star: &Star| {
            let cost = self.stars.instance.cost(star.test);
            // The cover of the whole set is known already.
            allowed(cost).then(|| LazyGain { ratio: star.cover / cost, test: star.test, cost, taken: 0 })
        };
        let mut waiting: Vec<LazyGain> = self.stars.stars.iter().filter_map(with_cost).collect();
        if gain == Gain::Mass {
            let shared = waiting.par_iter_mut().with_min_len(least_share(self.stars.weights.len()));
            shared.for_each(|lazy| {
                lazy.ratio = self.gain(lazy.test, gain) / lazy.cost;
                lazy.taken = self.taken.len();
            });
        }
        waiting
    }

    fn gain(&self, test: TestId, gain: Gain) -> f64 {
        let plane = self.stars.plane(test);
        match gain {
            Gain::Pairs => self.rest_pairs - self.rest.split_pairs(plane)[1],
            Gain::Mass => self.rest.weigh(plane, u64::MAX, &self.stars.weights),
        }
    }

    /// Takes `test`: only the objects with its star answer stay. Returns its cost.
    pub(super) fn take(&mut self, test: TestId) -> f64 {
        self.rest = self.rest.keep(self.stars.plane(test));
        self.rest_pairs = self.rest.pairs();
        self.taken.push(test);
        self.stars.instance.cost(test)
    }
}

/// One step of the greedy order over the tests up to some cost.
struct Step {
    /// Cost of all tests up to this step.
    sum: f64,
    /// Pairs that the tests up to this step cover together.
    covered: f64,
    /// Pairs that the test of this step covers alone.
    alone: f64,
}

/// Least `B` for which the bounded greedy choice covers at least `α P(S)`.
///
/// The coverage is not monotone in `B`, so bisection does not apply. Between two costs of tests the choice changes
/// only where a prefix of the greedy order fits, so these are the only budgets to try.
///
/// Where premises forbid some tests, the others may cover less than that; then the budget is enough for all of them.
pub(super) fn budget(stars: &Stars<'_>) -> f64 {
    // A test that covers nothing changes no choice, so its cost need not be tried as a budget.
    let mut costs: Vec<f64> = stars.stars.iter().map(|star| stars.instance.cost(star.test)).collect();
    costs.sort_by(f64::total_cmp);
    costs.dedup();
    let nexts = costs.iter().copied().skip(1).chain([f64::INFINITY]);
    let found = costs.iter().zip(nexts).find_map(|(cost, next)| budget_between(stars, *cost, next));
    let all = || costs_of_all(stars);
    assert!(
        found.is_some() || stars.instance.has_premises(),
        "all tests together cover all pairs of a separable set"
    );
    found.unwrap_or_else(all)
}

/// Cost of all tests that split the set.
fn costs_of_all(stars: &Stars<'_>) -> f64 {
    stars.stars.iter().map(|star| stars.instance.cost(star.test)).sum()
}

/// Least budget from `cost` to below `next` that covers enough; these allow the tests that cost at most `cost`.
fn budget_between(stars: &Stars<'_>, cost: f64, next: f64) -> Option<f64> {
    let wanted = ALPHA * stars.pairs;
    let mut greedy = Greedy::new(stars);
    let mut order: Vec<Step> = Vec::new();
    let mut budget = cost;
    loop {
        // A prefix never covers less than a shorter one, so most budgets need only a few steps of the order.
        while order.last().is_none_or(|step| fits(step, budget)) {
            if order.last().is_some_and(|step| step.covered >= wanted) {
                return Some(budget);
            }
            let Some(test) = greedy.best(|other| other <= cost, Gain::Pairs) else { break };
            let sum = order.last().map_or(0.0, |step| step.sum) + greedy.take(test);
            order.push(Step {
                sum,
                covered: stars.pairs - greedy.rest_pairs,
                alone: stars.star_of(test).cover,
            });
        }
        if coverage(&order, budget) >= wanted {
            return Some(budget);
        }
        let tried = order.partition_point(|step| step.sum <= budget);
        budget = order.get(tried).map(|step| step.sum).filter(|sum| *sum < next)?;
    }
}

fn fits(step: &Step, budget: f64) -> bool {
    step.sum <= budget + slack(budget)
}

/// Coverage of the bounded greedy choice: the prefix that fits, or the first test beyond it alone, if that covers
/// more.
fn coverage(order: &[Step], budget: f64) -> f64 {
    let fitting = order.partition_point(|step| fits(step, budget));
    let before = fitting.checked_sub(1).map_or(0.0, |last| order[last].covered);
    order.get(fitting).map_or(before, |first| before.max(first.alone))
}

#[cfg(test)]
mod tests {
    use super::super::stars::tests::{instances, slow_pairs};
    use super::*;
    use fewest_kernel::BitTiles;
    use fewest_model::{Candidates, ObjectId};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// Lazy evaluation finds the same test as computing every gain.
        #[test]
        fn the_best_test_gains_the_most(instance in instances(), gains in prop::collection::vec(any::<bool>(), 6)) {
            let set = Candidates::all(&instance);
            let stars = Stars::new(&instance, &BitTiles::new(&instance), &set);
            let mut greedy = Greedy::new(&stars);
            let mut rest: Vec<ObjectId> = set.objects().to_vec();
            for gain in gains.into_iter().map(|pairs| if pairs { Gain::Pairs } else { Gain::Mass }) {
                prop_assert_eq!(greedy.rest_pairs, slow_pairs(&instance, &rest));
                let stays = |test: TestId, object: &ObjectId| instance.answer(*object, test) == stars.star_of(test).answer;
                let slow_gain = |test: TestId| {
                    let (stay, leave): (Vec<ObjectId>, Vec<ObjectId>) = rest.iter().partition(|object| stays(test, object));
                    match gain {
                        Gain::Pairs => slow_pairs(&instance, &rest) - slow_pairs(&instance, &stay),
                        Gain::Mass => leave.iter().map(|object| instance.weight(*object)).sum(),
                    }
                };
                // Names would separate all objects at once.
                let is_allowed = |cost: f64| cost < 100.0;
                let splitting = stars.stars.iter().map(|star| star.test).filter(|test| is_allowed(instance.cost(*test)));
                let ratios: Vec<(TestId, f64)> =
                    splitting.map(|test| (test, slow_gain(test) / instance.cost(test))).collect();
                let most = ratios.iter().map(|(_, ratio)| *ratio).fold(0.0, f64::max);
                let wanted = ratios.iter().find(|(_, ratio)| *ratio > 0.0 && *ratio >= most * (1.0 - REL));
                let found = greedy.best(is_allowed, gain);
                prop_assert_eq!(found, wanted.map(|(test, _)| *test));
                let Some(test) = found else { break };
                prop_assert_eq!(greedy.take(test), instance.cost(test));
                rest.retain(|object| stays(test, object));
            }
        }
    }
}
