//! Greedy trees if objects may give several answers: an object follows each of its answers, with its weight divided
//! among them (specification section 12).
//!
//! Such trees may be huge: an unknown cell sends its object into every branch. So nodes are unfolded in order of
//! their error, the probability that the likeliest group is not the right one. A tree that is complete before the
//! limit does not depend on that order; one that is not is complete where it matters most.

use crate::Limit;
use crate::criterion::CLAMP;
use crate::criterion::Criterion;
use crate::measure::mutual_information_bits;
use crate::policy::REL;
use crate::price::NodePrices;
use fewest_model::{
    AnswerId, Columns, Contingency, Instance, Node, NodeId, ObjectId, OpenBundles, Pricing, Shares, Test,
    TestId, Tree, Weighing,
};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Least number of answers to look at for which a node is worth several threads.
const MIN_SHARED: usize = 1 << 15;

/// Test that was asked, with the answer that was given.
type Asked = (TestId, AnswerId);

/// Leaves that a tree leaves open because it would have been too large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unfinished {
    /// Number of leaves at which more could be asked.
    pub leaves: usize,
    /// Probability of ending in one of these leaves.
    pub weight: f64,
    /// Probability of ending in one of these leaves with another group than the likeliest there.
    pub error: f64,
}

/// Tree, with the leaves that it leaves open.
#[derive(Clone, Debug)]
pub struct Grown {
    /// The tree.
    pub tree: Tree,
    /// Leaves left open; `None` if every leaf is one by the rule.
    pub unfinished: Option<Unfinished>,
    /// Whether the number of leaves ended the growth, and not the time.
    pub by_leaves: bool,
}

/// Policy that chooses the next test by a criterion.
pub struct SharesGreedy<'a> {
    instance: &'a Instance,
    criterion: &'a dyn Criterion,
    cost_blind: bool,
}

impl<'a> SharesGreedy<'a> {
    /// Makes a policy that follows `criterion`.
    pub fn new(instance: &'a Instance, criterion: &'a dyn Criterion, cost_blind: bool) -> Self {
        Self { instance, criterion, cost_blind }
    }

    /// Returns the test to ask next, if `shares` are not settled after the tests `asked`: of the highest scores the
    /// lowest test.
    pub fn next(&self, shares: &Shares, asked: &[Asked]) -> Option<TestId> {
        let scores = self.scores(shares, asked);
        let best = scores.iter().copied().flatten().max_by(f64::total_cmp)?;
        let is_best = |score: &Option<f64>| score.is_some_and(|score| score >= best * (1.0 - REL));
        scores.iter().position(is_best).map(TestId::at)
    }

    /// Whether `shares` make a leaf after the tests `asked`: they belong to one group, or no other test tells
    /// anything.
    pub fn is_settled(&self, shares: &Shares, asked: &[Asked]) -> bool {
        let mut table = Contingency::default();
        let mut tests = self.instance.test_ids().filter(|test| self.is_open(*test, shares, asked));
        shares.is_pure() || !tests.any(|test| tells(self.instance, test, shares, &mut table))
    }

    /// Whether `test` was not asked yet and may be asked here.
    fn is_open(&self, test: TestId, shares: &Shares, asked: &[Asked]) -> bool {
        !asked.iter().any(|(other, _)| *other == test)
            && self.instance.may_ask_after(test, shares.objects(), asked)
    }

    /// Score of every test that tells something at the node; `None` for the others, and for all if the node is
    /// settled.
    pub fn scores(&self, shares: &Shares, asked: &[Asked]) -> Vec<Option<f64>> {
        if shares.is_pure() {
            return vec![None; self.instance.test_count()];
        }
        let mut scores = self.each(shares, asked, |test, table| {
            let view = (self.criterion.columns(), self.criterion.weighing());
            // The table of the leaf rule is the one that most criteria need.
            if view != RULE || self.criterion.moment(0.5).is_some() {
                let moment = |p: f64| self.criterion.moment(p);
                table.count_shares(self.instance, test, shares, view, &moment);
            }
            let benefit = self.criterion.benefit(table);
            if benefit < CLAMP { 0.0 } else { benefit }
        });
        if !scores.iter().flatten().any(|score| *score > 0.0) {
            scores = self.each(shares, asked, |test, table| {
                let view = (Columns::Groups, Weighing::Uniform);
                table.count_shares(self.instance, test, shares, view, &|_| None);
                separated_pairs(table)
            });
        }
        if !self.cost_blind {
            self.divide_by_costs(&mut scores, shares, asked);
        }
        scores
    }

    /// Divides each benefit by the cost of the test after the tests `asked`.
    fn divide_by_costs(&self, scores: &mut [Option<f64>], shares: &Shares, asked: &[Asked]) {
        let bundles =
            |pricing: &Pricing| asked.iter().filter_map(|(test, _)| pricing.bundle_of(*test)).collect();
        let open: OpenBundles = self.instance.pricing().map(bundles).unwrap_or_default();
        let prices = NodePrices::new(self.instance, &open);
        let members = shares.objects().iter().copied().zip(shares.weights().iter().copied());
        for (test, score) in self.instance.test_ids().zip(scores) {
            *score = score.map(|benefit| match &prices {
                None => benefit / self.instance.cost(test),
                Some(prices) => prices.of(test, members.clone()).per_cost(benefit),
            });
        }
    }

    /// Applies `score` to each test that tells something; its argument is the table of the leaf rule.
    fn each(
        &self,
        shares: &Shares,
        asked: &[Asked],
        score: impl Fn(TestId, &mut Contingency) -> f64 + Sync,
    ) -> Vec<Option<f64>> {
        let of = |table: &mut Contingency, test: usize| {
            let test = TestId::at(test);
            (self.is_open(test, shares, asked) && tells(self.instance, test, shares, table))
                .then(|| score(test, table))
        };
        let tests = 0..self.instance.test_count();
        if tests.len() > 1 && tests.len() * shares.objects().len() >= MIN_SHARED {
            tests.into_par_iter().map_init(Contingency::default, of).collect()
        } else {
            let mut table = Contingency::default();
            tests.map(|test| of(&mut table, test)).collect()
        }
    }
}

/// Columns and weights of the table that the leaf rule needs.
const RULE: (Columns, Weighing) = (Columns::Groups, Weighing::Prior);

/// Whether `test` tells something about the groups of `shares`: some answer changes their probabilities, or two
/// objects of different groups have no answer in common. The table is counted by group.
fn tells(instance: &Instance, test: TestId, shares: &Shares, table: &mut Contingency) -> bool {
    if instance.test(test).arity() < 2 {
        return false;
    }
    table.count_shares(instance, test, shares, RULE, &|_| None);
    table.splits() && (mutual_information_bits(table) >= CLAMP || parts_groups(instance.test(test), shares))
}

/// Whether two objects of different groups have no answer to `test` in common. Then the test separates them for
/// certain, even if the probabilities of the groups do not show it.
fn parts_groups(test: &Test, shares: &Shares) -> bool {
    let mut seen: Vec<(u32, u32, ObjectId)> = Vec::new();
    for (group, run) in (0u32..).zip(shares.runs()) {
        for &object in &shares.objects()[run.indices()] {
            seen.push((test.cells().get(object.index()), group, object));
        }
    }
    seen.sort_unstable();
    // One object represents all of its group that have the same answers.
    seen.dedup_by_key(|(cell, group, _)| (*cell, *group));
    let apart = |left: ObjectId, right: ObjectId| {
        !test.possible(left).iter().any(|answer| test.allows(right, *answer))
    };
    seen.iter().enumerate().any(|(at, (cell, group, object))| {
        seen[at + 1..].iter().any(|(other_cell, other_group, other)| {
            cell != other_cell && group != other_group && apart(*object, *other)
        })
    })
}

/// Share of pairs from different groups that have different answers, `1 − |A ∩ B| / (|A| |B|)` for each. It decides
/// if a criterion sees no difference between tests. The table must weigh all objects alike.
fn separated_pairs(node: &Contingency) -> f64 {
    let pairs = |cells: &[fewest_model::Cell]| {
        let (mut pairs, mut before) = (0.0, 0.0);
        for cell in cells {
            pairs += cell.weight * before;
            before += cell.weight;
        }
        pairs
    };
    let all: f64 = pairs(node.groups());
    let left: f64 = node.rows().map(|row| pairs(row.cells())).sum();
    if all > 0.0 { ((all - left) / all).max(0.0) } else { 0.0 }
}

/// Node that may need another question.
struct Open {
    /// Weight of the objects outside the likeliest group of the node.
    error: f64,
    place: usize,
    shares: Shares,
    asked: Vec<Asked>,
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.error.total_cmp(&other.error).then(other.place.cmp(&self.place))
    }
}

/// Grows the tree that `greedy` leads to, with at most about `most_leaves` leaves.
pub fn grow_shares(greedy: &SharesGreedy<'_>, limit: &Limit, most_leaves: usize) -> Grown {
    let instance = greedy.instance;
    let mut nodes = Vec::new();
    let mut leaves = 1;
    let mut open = BinaryHeap::new();
    plant(&mut nodes, &mut open, Shares::all(instance), Vec::new());
    let mut by_leaves = false;
    while let Some(Open { place, shares, asked, .. }) = open.peek() {
        by_leaves = leaves >= most_leaves;
        if by_leaves || limit.is_reached() {
            break;
        }
        let Some(test) = greedy.next(shares, asked) else {
            nodes[*place] = Node::leaf(shares.objects());
            open.pop();
            continue;
        };
        let Some(Open { place, shares, asked, .. }) = open.pop() else { break };
        let parts = shares.split(instance, test);
        leaves += parts.len() - 1;
        let places = (nodes.len()..).map(NodeId::at);
        nodes[place] =
            Node::Ask { test, answers: parts.iter().map(|(answer, _)| *answer).zip(places).collect() };
        for (answer, part) in parts {
            let asked = [&asked[..], &[(test, answer)]].concat();
            plant(&mut nodes, &mut open, part, asked);
        }
    }
    let unfinished = close(greedy, &mut nodes, open.into_vec());
    let tree = Tree::new(nodes).expect("children are placed after their parents");
    Grown { tree, unfinished, by_leaves }
}

/// Adds a node, which is a leaf if only one group is left.
fn plant(nodes: &mut Vec<Node>, open: &mut BinaryHeap<Open>, shares: Shares, asked: Vec<Asked>) {
    let place = nodes.len();
    nodes.push(Node::leaf(shares.objects()));
    if !shares.is_pure() {
        let likeliest = shares.runs().iter().map(|run| run.weight).fold(0.0, f64::max);
        open.push(Open { error: (shares.weight() - likeliest).max(0.0), place, shares, asked });
    }
}

/// Turns open nodes into leaves, and sums over those at which more could have been asked.
fn close(greedy: &SharesGreedy<'_>, nodes: &mut [Node], mut open: Vec<Open>) -> Option<Unfinished> {
    open.sort_unstable_by_key(|open| open.place);
    let total = greedy.instance.total_weight();
    let cut: Vec<&Open> =
        open.par_iter().filter(|open| !greedy.is_settled(&open.shares, &open.asked)).collect();
    for open in &open {
        nodes[open.place] = Node::leaf(open.shares.objects());
    }
    let share = |of: fn(&Open) -> f64| fewest_model::compensated_sum(cut.iter().map(|open| of(open))) / total;
    (!cut.is_empty()).then(|| Unfinished {
        leaves: cut.len(),
        weight: share(|open| open.shares.weight()),
        error: share(|open| open.error),
    })
}
