//! Best combinations that begin like one tree and end like another.
//!
//! CombineTrees switches where a given cost is reached. Here every path of `d` may switch anywhere: the best values
//! below a node, for every limit on the worst case there, follow from those of its children. So the trees found in
//! this way are at least as good as those of CombineTrees at every switching cost.

use super::combine::{ROUNDING, child, next_question, stitch};
use crate::Limit;
use fewest_model::{Candidates, Instance, Node, NodeId, Tree};

/// Cost still to be paid below a node: the expected part in units times the node's share of the prior.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rest {
    expected: f64,
    worst: f64,
}

/// Trees that follow `d` and then, on every path from the best point on, `f` restricted: one for each worst cost that
/// lowers the expected cost, by rising worst cost. `None` if the limit is reached first.
///
/// Both trees must be strategies for `instance`. Time: `f` is followed once from every node of `d`.
pub fn cuts(instance: &Instance, d: &Tree, f: &Tree, limit: &Limit) -> Option<Vec<Tree>> {
    wanted_cuts(instance, d, f, limit, |_, _| true)
}

/// Selects the trees of [`cuts`] whose expected and worst cost are `wanted`; the others are never written out.
pub(super) fn wanted_cuts(
    instance: &Instance,
    d: &Tree,
    f: &Tree,
    limit: &Limit,
    wanted: impl Fn(f64, f64) -> bool,
) -> Option<Vec<Tree>> {
    let cuts = Cuts::find(instance, d, f, limit)?;
    let mut trees = Vec::new();
    let scale = instance.costs().scale();
    let best = cuts.best[d.root().index()].iter();
    for rest in best.filter(|rest| wanted(rest.expected / scale, rest.worst / scale)) {
        if limit.is_reached() {
            return None;
        }
        trees.push(stitch(instance, d, f, |node, spent| cuts.switches(node, rest.worst - spent)));
    }
    Some(trees)
}

/// Best values below every node of `d`.
struct Cuts<'a> {
    instance: &'a Instance,
    d: &'a Tree,
    /// Cost of ending like `f`.
    endings: Vec<Rest>,
    /// Best values below each node, by rising worst cost; no value is better than another in both costs.
    best: Vec<Vec<Rest>>,
    /// Share of each node in the prior.
    shares: Vec<f64>,
    /// Rounding error of a sum of costs on a path.
    slack: f64,
}

impl<'a> Cuts<'a> {
    fn find(instance: &'a Instance, d: &'a Tree, f: &Tree, limit: &Limit) -> Option<Self> {
        let endings = endings(instance, d, f, limit)?;
        let share = |objects: &[_]| objects.iter().map(|object| instance.prior(*object)).sum::<f64>();
        let nothing = vec![Rest { expected: 0.0, worst: 0.0 }];
        let best = vec![nothing; d.nodes().len()];
        let spent = d.down(0.0, |spent, test| spent + instance.costs().units()[test.index()]);
        let longest = spent.into_iter().fold(endings[d.root().index()].worst, f64::max);
        let mut cuts = Self { instance, d, endings, best, shares: d.up(share), slack: longest * ROUNDING };
        // Children stand after their parents, so going backwards finds their values first.
        for at in (0..d.nodes().len()).rev() {
            if limit.is_reached() {
                return None;
            }
            if let Node::Ask { .. } = &d.nodes()[at] {
                cuts.best[at] = cuts.best_at(NodeId::at(at));
            }
        }
        Some(cuts)
    }

    /// Best values at a node: of ending like `f`, or of asking `d`'s question with the best values for each answer.
    fn best_at(&self, node: NodeId) -> Vec<Rest> {
        let (cost, children) = self.question(node);
        let rooms =
            || children.iter().flat_map(|child| self.best[child.index()].iter().map(|rest| rest.worst));
        let mut rooms: Vec<f64> = rooms().map(|worst| worst + cost).collect();
        rooms.sort_by(f64::total_cmp);
        rooms.dedup();
        let asking = |room| Some(Rest { expected: self.asking(node, room)?, worst: room });
        let mut all: Vec<Rest> = rooms.into_iter().filter_map(asking).collect();
        all.push(self.endings[node.index()]);
        all.sort_by(|left, right| {
            left.worst.total_cmp(&right.worst).then(left.expected.total_cmp(&right.expected))
        });
        let mut best: Vec<Rest> = Vec::new();
        for rest in all {
            match best.last_mut() {
                Some(last) if rest.expected >= last.expected * (1.0 - ROUNDING) => (),
                Some(last) if rest.worst <= last.worst + self.slack => *last = rest,
                _ => best.push(rest),
            }
        }
        best
    }

    /// Least expected rest if `d`'s question is asked and no path may cost more than `room`.
    fn asking(&self, node: NodeId, room: f64) -> Option<f64> {
        let (cost, children) = self.question(node);
        let least = |child: &NodeId| {
            let best = &self.best[child.index()];
            let fitting = best.partition_point(|rest| rest.worst + cost <= room + self.slack);
            Some(best[..fitting].last()?.expected)
        };
        let below: Option<f64> = children.iter().map(least).sum();
        Some(below? + cost * self.shares[node.index()])
    }

    /// Whether to end like `f` at a question of `d`, where no path may cost more than `room`.
    fn switches(&self, node: NodeId, room: f64) -> bool {
        let ending = self.endings[node.index()];
        match self.asking(node, room) {
            None => true,
            Some(asking) => ending.worst <= room + self.slack && ending.expected < asking * (1.0 - ROUNDING),
        }
    }

    fn question(&self, node: NodeId) -> (f64, Vec<NodeId>) {
        let Node::Ask { test, answers } = self.d.node(node) else { unreachable!("leaves ask nothing") };
        (self.instance.costs().units()[test.index()], answers.iter().map(|(_, child)| *child).collect())
    }
}

/// Cost of ending like `f` from every node of `d`.
fn endings(instance: &Instance, d: &Tree, f: &Tree, limit: &Limit) -> Option<Vec<Rest>> {
    let mut endings = vec![Rest { expected: 0.0, worst: 0.0 }; d.nodes().len()];
    let mut waiting = vec![(Candidates::all(instance), d.root())];
    while let Some((candidates, node)) = waiting.pop() {
        let Node::Ask { test, .. } = d.node(node) else { continue };
        if limit.is_reached() {
            return None;
        }
        let parts = candidates.split(instance, *test);
        waiting.extend(parts.into_iter().map(|(answer, part)| (part, child(d, node, answer))));
        endings[node.index()] = ending(instance, f, candidates);
    }
    Some(endings)
}

/// Cost of `f`, restricted to `candidates`.
fn ending(instance: &Instance, f: &Tree, candidates: Candidates) -> Rest {
    let (total, units) = (instance.total_weight(), instance.costs().units());
    let mut rest = Rest { expected: 0.0, worst: 0.0 };
    // A single object here is not confirmed yet, otherwise this would be a leaf.
    let mut waiting = vec![(candidates, f.root(), None, 0.0)];
    while let Some((candidates, mut node, last, spent)) = waiting.pop() {
        let question = next_question(instance, f, &mut node, &candidates);
        let confirmation = || instance.unconfirmed(candidates.objects(), last);
        let Some(cost) = question.or_else(confirmation).map(|test| units[test.index()]) else {
            rest.worst = rest.worst.max(spent);
            continue;
        };
        rest.expected += cost * (candidates.weight() / total);
        let Some(test) = question else {
            rest.worst = rest.worst.max(spent + cost);
            continue;
        };
        let parts = candidates.split(instance, test).into_iter();
        waiting.extend(parts.map(|(answer, part)| (part, child(f, node, answer), Some(test), spent + cost)));
    }
    rest
}
