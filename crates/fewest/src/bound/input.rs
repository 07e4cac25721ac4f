//! Input of all bounds: a node, and the limits of the tests there.

use super::coarse::coarse_weights;
use super::steps::Steps;
use crate::limit::Limit;
use fewest_model::{Candidates, Instance, ObjectId, TestId, compensated_sum};
use std::borrow::Cow;
use std::sync::OnceLock;

/// Groups to be told apart at a node, and the limits of the tests there.
///
/// A bound from this input is on the node's own cost: the mass of the candidates counts as 1, and the cost spent
/// above does not count. If all candidates have prior 0, each counts 1, as in the greedy builders.
#[derive(Clone, Debug)]
pub struct BoundInput<'a> {
    /// The whole problem.
    pub instance: &'a Instance,
    /// Objects that are still possible, at least one.
    pub candidates: Cow<'a, Candidates>,
    /// Weight of each group that is still possible, zero weights included; of each coarse group if objects may give
    /// several answers.
    pub weights: Vec<f64>,
    /// Sum of the weights.
    pub total: f64,
    /// Rate `s`: the most bits per unit of cost, `max log₂(arity) / cost` over the tests that split.
    pub rate: f64,
    /// Cost of the cheapest test that splits.
    pub cheapest: f64,
    /// Most answers of a test, at least 2.
    pub radix: usize,
    /// Limit of the computation. A bound that is not finished by then returns the value proved so far, or 0.
    pub(super) limit: Limit,
    // Computed on first use: only some bounds need these, and share them.
    splits: OnceLock<Vec<Split>>,
    pub(super) covers: OnceLock<Vec<Cover>>,
    pub(super) per_object_bounds: OnceLock<Option<Vec<f64>>>,
}

/// Test that tells some candidates apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The test.
    pub test: TestId,
    /// Cost of the test.
    pub cost: f64,
    /// Number of answers that occur among the candidates, at least 2.
    pub arity: usize,
}

/// Path of fixed answers, for one choice of them.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    /// Part of the mass that gives another answer than the fixed one, for each test that splits.
    pub(super) removed: Vec<f64>,
    /// Lower bound on the cost of the path.
    pub(super) cost: f64,
}

/// Limits of the tests looked at so far.
#[derive(Clone, Copy, PartialEq)]
struct Reach {
    rate: f64,
    cheapest: f64,
    radix: usize,
}

impl Reach {
    const NONE: Self = Self { rate: 0.0, cheapest: f64::INFINITY, radix: 0 };

    fn and(self, split: &Split) -> Self {
        Self {
            rate: self.rate.max((split.arity as f64).log2() / split.cost),
            cheapest: self.cheapest.min(split.cost),
            radix: self.radix.max(split.arity),
        }
    }

    /// Replaces the limits if no test splits the node: the bounds are then 0 for any values.
    fn or_plain(self) -> Self {
        if self == Self::NONE { Self { rate: 1.0, cheapest: 1.0, radix: 2 } } else { self }
    }
}

impl<'a> BoundInput<'a> {
    /// Makes the input of the root, before anything is asked.
    pub fn of(instance: &'a Instance) -> Self {
        let arity = |test: TestId| instance.test(test).arity();
        let useful = instance.test_ids().filter(|test| arity(*test) >= 2);
        let split = |test| Split { test, cost: instance.cost(test), arity: arity(test) };
        let input =
            Self::with_splits(instance, Cow::Owned(Candidates::all(instance)), useful.map(split).collect());
        if !instance.has_several() {
            return input;
        }
        // Coarse groups, which can be told apart for certain.
        let weights = coarse_weights(instance);
        Self { total: compensated_sum(weights.iter().copied()), weights, ..input }
    }

    /// Returns the input for bounds that must be found within `limit`.
    pub fn within(self, limit: Limit) -> Self {
        Self { limit, ..self }
    }

    /// Makes the input of a node where `candidates` are left.
    pub fn at(instance: &'a Instance, candidates: &'a Candidates) -> Self {
        let splits = instance.test_ids().filter_map(|test| split(instance, candidates, test));
        Self::with_splits(instance, Cow::Borrowed(candidates), splits.collect())
    }

    /// Makes the input for `candidates`, the part of those here with one answer to the split at position `asked`.
    /// Tests are looked at only until the limits of this node are reached again, usually after the first few.
    ///
    /// Tests next to the one that was asked come first: after `length > 5` no threshold below 5 splits the longer
    /// ones, and finding that out would take a look at all of them.
    pub(super) fn below<'b>(&'b self, candidates: &'b Candidates, asked: usize) -> BoundInput<'b> {
        let most = Reach { rate: self.rate, cheapest: self.cheapest, radix: self.radix };
        let mut reach = Reach::NONE;
        for above in outward(self.splits(), asked) {
            if let Some(split) = split(self.instance, candidates, above.test) {
                reach = reach.and(&split);
                if reach == most {
                    break;
                }
            }
        }
        BoundInput::with_reach(self.instance, Cow::Borrowed(candidates), reach).within(self.limit.clone())
    }

    fn with_splits(instance: &'a Instance, candidates: Cow<'a, Candidates>, splits: Vec<Split>) -> Self {
        let reach = splits.iter().fold(Reach::NONE, Reach::and);
        Self { splits: OnceLock::from(splits), ..Self::with_reach(instance, candidates, reach) }
    }

    fn with_reach(instance: &'a Instance, candidates: Cow<'a, Candidates>, reach: Reach) -> Self {
        let Reach { rate, cheapest, radix } = reach.or_plain();
        let massless = candidates.weight() == 0.0;
        let runs = candidates.runs().iter();
        let weights: Vec<f64> =
            runs.map(|run| if massless { f64::from(run.count()) } else { run.weight }).collect();
        Self {
            instance,
            candidates,
            // Not the sum over objects, which may round differently: a single group must be the whole, with entropy
            // 0.
            total: compensated_sum(weights.iter().copied()),
            weights,
            rate,
            cheapest,
            radix,
            limit: Limit::none(),
            splits: OnceLock::new(),
            covers: OnceLock::new(),
            per_object_bounds: OnceLock::new(),
        }
    }

    /// Tests that split the candidates, in order.
    pub fn splits(&self) -> &[Split] {
        self.splits.get_or_init(|| {
            let (instance, candidates) = (self.instance, &self.candidates);
            instance.test_ids().filter_map(|test| split(instance, candidates, test)).collect()
        })
    }

    /// Share of `object`, one of the candidates, in their mass.
    pub fn share(&self, object: ObjectId) -> f64 {
        let weight = if self.candidates.weight() == 0.0 { 1.0 } else { self.instance.weight(object) };
        weight / self.total
    }

    /// Possible values of the cost of a path.
    pub(super) fn steps(&self) -> Steps {
        Steps::new(self.instance.costs(), self.splits().iter().map(|split| split.test))
    }
}

/// Iterates over all items except the one at `center`, the nearest to it first.
fn outward<T>(items: &[T], center: usize) -> impl Iterator<Item = &T> {
    let (before, after) = (items[..center].iter().rev(), items.iter().skip(center + 1));
    let longest = before.len().max(after.len());
    let (mut before, mut after) = (before, after);
    (0..longest).flat_map(move |_| [after.next(), before.next()]).flatten()
}

/// Describes how `test` splits `candidates`, if it does.
fn split(instance: &Instance, candidates: &Candidates, test: TestId) -> Option<Split> {
    let arity = arity(instance, candidates, test);
    (arity >= 2).then(|| Split { test, cost: instance.cost(test), arity })
}

/// Number of answers of `test` among `candidates`.
fn arity(instance: &Instance, candidates: &Candidates, test: TestId) -> usize {
    let test = instance.test(test);
    let mut seen = vec![false; test.arity()];
    let mut count = 0;
    for object in candidates.objects() {
        let seen = &mut seen[test.answer(*object).index()];
        if !*seen {
            *seen = true;
            count += 1;
            if count == test.arity() {
                break;
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::testing::instance;

    #[test]
    fn a_node_sees_only_the_tests_that_still_split_it() {
        // After t = 0, the cheap test u splits nothing any more and v has two of its three answers.
        let instance = instance(
            "object prior t u v\n a 1 0 0 0\n b 2 0 0 1\n c 3 1 0 2\n d 4 1 1 2",
            &[("u", 0.5), ("v", 2.0)],
        );
        let root = BoundInput::of(&instance);
        assert_eq!((root.rate, root.cheapest, root.radix), (2.0, 0.5, 3));
        let children = root.candidates.split(&instance, root.splits()[0].test);
        let node = BoundInput::at(&instance, &children[0].1);
        assert_eq!((node.rate, node.cheapest, node.radix, node.total), (0.5, 2.0, 2, 3.0));
        assert_eq!(node.splits().len(), 1);
        let below = root.below(&children[0].1, 0);
        assert_eq!((below.rate, below.cheapest, below.radix), (0.5, 2.0, 2));
        assert_eq!(below.splits(), node.splits());
    }

    #[test]
    fn the_nearest_items_come_first() {
        assert_eq!(outward(&[0, 1, 2, 3, 4], 1).collect::<Vec<_>>(), [&2, &0, &3, &4]);
        assert_eq!(outward(&[0, 1, 2], 2).collect::<Vec<_>>(), [&1, &0]);
        assert_eq!(outward(&[0], 0).count(), 0);
    }

    #[test]
    fn candidates_without_mass_count_for_one_each() {
        let instance = instance("object prior t u\n a 1 0 0\n b 0 1 0\n c 0 1 1", &[]);
        let children = Candidates::all(&instance).split(&instance, TestId(0));
        let node = BoundInput::at(&instance, &children[1].1);
        assert_eq!((node.weights.as_slice(), node.total), (&[1.0, 1.0][..], 2.0));
        assert_eq!(node.share(ObjectId(2)), 0.5);
    }
}
