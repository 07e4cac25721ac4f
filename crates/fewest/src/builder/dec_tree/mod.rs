//! DecTree: one tree whose expected and worst cost are both within a logarithmic factor of their optimum.
//! [CicaleseLaberSaettler2014, Alg. 1–3], for any costs, any number of answers, objects of prior 0 and groups.
//!
//! A call on a set `S` finds the least budget `B` that buys tests covering a fixed part of the pairs of `S`, and
//! spends it twice along a path: first on probability, then on pairs. Off the path at most half of the pairs are
//! left, at its end less than 8/9 of them, so the depth of the recursion is logarithmic in the pairs. Pairs are
//! counted from class sizes, never listed.
//!
//! Time `O(tests × objects)` for each level of the recursion if costs are equal, otherwise times the number of
//! different costs up to the budget; space for two more copies of the packed table.

mod budget;
mod pair_counts;
mod stars;

use super::Built;
use super::late::{Late, any_split};
use crate::Limit;
use budget::{Gain, Greedy, budget};
use fewest_kernel::BitTiles;
use fewest_model::{Branches, Candidates, Instance, Node, NodeId, TestId, Tree};
use stars::Stars;

/// Constant `α = 1 − e^−χ` with `e^χ = 2 − χ`: the part of the best coverage that a bounded greedy choice keeps
/// [Wolsey1982, section 4]. The paper prints the exponent with the wrong sign.
pub const ALPHA: f64 = 0.357_799_295_940_126_16;

/// Relative difference from the best within which ratios are equal; the lowest test wins.
const REL: f64 = 1e-9;

/// Least number of answers to look at for which tests are worth several threads.
const MIN_SHARED: usize = 1 << 15;

/// Least number of tests for a thread, so that sets of a few objects stay on one.
fn least_share(objects: usize) -> usize {
    MIN_SHARED / objects.max(1) + 1
}

/// Amount by which a sum of costs may exceed `budget` and still be within it: rounding only.
fn slack(budget: f64) -> f64 {
    1e-9 * budget.max(1.0)
}

/// Record of one call: its budget, and the guarantees it kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Number of objects of the call.
    pub objects: usize,
    /// Number `P(S)` of pairs of these objects from different groups.
    pub pairs: f64,
    /// Budget `B`: the least whose tests cover `α P(S)`.
    pub budget: f64,
    /// Tests along the path, in order.
    pub path: Vec<TestId>,
    /// Cost spent by the first phase, at most `B`.
    pub spent_on_probability: f64,
    /// Cost spent by the second phase; both together at most `3 B`.
    pub spent_on_pairs: f64,
    /// Pairs that the path covers, at least `α² P(S)`.
    pub covered: f64,
    /// Pairs left at the end of the path, less than `8/9 P(S)`.
    pub left: f64,
    /// Largest number of pairs in any branch off the path, at most `P(S)/2`.
    pub off_path: f64,
}

/// Builds the tree, with a record of each call; `None` if the limit is reached.
pub fn dec_tree(instance: &Instance, limit: &Limit) -> Option<Built> {
    dec_tree_in_time(instance, limit, Late::GiveUp).map(|(built, _)| built)
}

/// Runs [`dec_tree`] with a choice of what to do when the limit is reached; also returns the number of questions that
/// were then asked without comparing tests.
pub(crate) fn dec_tree_in_time(instance: &Instance, limit: &Limit, late: Late) -> Option<(Built, usize)> {
    // On a thread of the pool itself, sharing small work costs nothing.
    rayon::scope(|_| build(instance, limit, late))
}

fn build(instance: &Instance, limit: &Limit, late: Late) -> Option<(Built, usize)> {
    let mut unranked = 0;
    let mut run = Run {
        instance,
        tiles: BitTiles::new(instance),
        nodes: vec![None],
        waiting: vec![(Candidates::all(instance), NodeId(0))],
        calls: Vec::new(),
    };
    while let Some((set, node)) = run.waiting.pop() {
        if set.is_pure() {
            run.nodes[node.index()] = Some(Node::leaf(set.objects()));
        } else if !limit.is_reached() {
            run.call(set, node);
        } else if late == Late::Finish {
            let test =
                any_split(instance, &set).expect("objects of different groups are told apart by some test");
            unranked += 1;
            run.ask(test, set, node);
        } else {
            return None;
        }
    }
    let nodes = run.nodes.into_iter().map(|node| node.expect("every place was filled")).collect();
    let tree = Tree::new(nodes).expect("children are placed after their parents");
    Some(((tree.confirmed(instance), run.calls), unranked))
}

struct Run<'a> {
    instance: &'a Instance,
    tiles: BitTiles,
    nodes: Vec<Option<Node>>,
    /// Sets that wait for their call, with the node where their subtree goes.
    waiting: Vec<(Candidates, NodeId)>,
    calls: Vec<Call>,
}

impl Run<'_> {
    fn call(&mut self, set: Candidates, node: NodeId) {
        let stars = Stars::new(self.instance, &self.tiles, &set);
        let budget = budget(&stars);
        let mut greedy = Greedy::new(&stars);
        let spent_on_probability = probability_phase(&mut greedy, budget);
        let spent_on_pairs = pairs_phase(&mut greedy, budget);
        let (path, left) = (greedy.taken, greedy.rest_pairs);
        let call = Call {
            objects: set.len(),
            pairs: stars.pairs,
            budget,
            spent_on_probability,
            spent_on_pairs,
            covered: stars.pairs - left,
            left,
            off_path: 0.0,
            path: path.clone(),
        };
        self.calls.push(call);
        let at = self.calls.len() - 1;
        self.calls[at].off_path = self.lay(&stars, &path, set, node);
    }

    /// Asks one test at `node`; its parts are queued for calls of their own.
    fn ask(&mut self, test: TestId, set: Candidates, node: NodeId) {
        let parts = set.split(self.instance, test);
        let children = (self.nodes.len()..).map(NodeId::at);
        let answers: Branches = parts.iter().map(|(answer, _)| *answer).zip(children.clone()).collect();
        self.nodes.resize(self.nodes.len() + parts.len(), None);
        self.waiting.extend(parts.into_iter().map(|(_, part)| part).zip(children));
        self.nodes[node.index()] = Some(Node::Ask { test, answers });
    }

    /// Builds the path from `node` on: classes off the path are queued for calls of their own, and so are the objects
    /// left at the end.
    ///
    /// A test to which all candidates have the same answer is left out; that is the paper's trimming, done at once.
    fn lay(&mut self, stars: &Stars<'_>, path: &[TestId], set: Candidates, node: NodeId) -> f64 {
        let (mut rest, mut place, mut off_path) = (Some(set), node, 0.0f64);
        for &test in path {
            let Some(here) = rest.take() else { break };
            let mut parts = here.split(self.instance, test);
            let star = parts.iter().position(|(answer, _)| *answer == stars.star_of(test).answer);
            if parts.len() == 1 {
                match star {
                    Some(_) => rest = parts.pop().map(|(_, part)| part),
                    None => self.waiting.extend(parts.pop().map(|(_, part)| (part, place))),
                }
                continue;
            }
            let answers: Branches = parts
                .iter()
                .enumerate()
                .map(|(number, (answer, _))| (*answer, NodeId::at(self.nodes.len() + number)))
                .collect();
            self.nodes.resize(self.nodes.len() + parts.len(), None);
            for (number, (_, part)) in parts.into_iter().enumerate() {
                if Some(number) == star {
                    rest = Some(part);
                } else {
                    off_path = off_path.max(stars::pairs(&part));
                    self.waiting.push((part, answers[number].1));
                }
            }
            let next = star.map(|star| answers[star].1);
            self.nodes[place.index()] = Some(Node::Ask { test, answers });
            place = next.unwrap_or(place);
        }
        self.waiting.extend(rest.map(|rest| (rest, place)));
        off_path
    }
}

/// Spends up to `budget` on the tests that separate the most probability per cost.
fn probability_phase(greedy: &mut Greedy<'_>, budget: f64) -> f64 {
    let mut spent = 0.0;
    while greedy.rest_pairs > 0.0 {
        let affordable = |cost: f64| cost <= budget - spent + slack(budget);
        let Some(test) = greedy.best(affordable, Gain::Mass) else { break };
        spent += greedy.take(test);
    }
    spent
}

/// Spends until the budget is exceeded once more, on the tests that separate the most pairs per cost.
fn pairs_phase(greedy: &mut Greedy<'_>, budget: f64) -> f64 {
    let mut spent = 0.0;
    while greedy.rest_pairs > 0.0 && spent <= budget + slack(budget) {
        let Some(test) = greedy.best(|cost| cost <= budget + slack(budget), Gain::Pairs) else { break };
        spent += greedy.take(test);
    }
    spent
}
