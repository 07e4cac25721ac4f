//! CombineTrees: begin like one tree, end like another.

use fewest_model::{AnswerId, Candidates, Instance, Node, NodeId, TestId, Tree};
use std::collections::VecDeque;

/// Relative difference below which sums of costs are equal.
pub(super) const ROUNDING: f64 = 1e-12;

/// Follows `d` until its next question would bring the path's cost above `switch`, then `f` restricted to the objects
/// that are left there [SaettlerLaberCicalese2015, CombineTrees].
///
/// Restricting leaves out questions that split nothing there and stops as soon as the set is pure, so no object ever
/// pays more than `switch` plus its cost in `f`: `W ≤ switch + W(f)`. Let `d` and `f` be optimal for the expected and
/// for the worst cost. Then for every ρ > 0, one of the trees over all switching costs has `W ≤ (1+ρ) OPT_W` and `E ≤
/// OPT_E / (1 − e^−ρ)`. This also holds if objects must be confirmed: `f` asks the test of each object's name, so an
/// object that is left alone pays for that test in `f` as well.
///
/// Both trees must be strategies for `instance`. Time: each object is looked at once for every question on its paths.
pub fn combine(instance: &Instance, d: &Tree, f: &Tree, switch: f64) -> Tree {
    let units = instance.costs().units();
    let most = switch * instance.costs().scale() * (1.0 + ROUNDING);
    if instance.pricing().is_some() {
        // What the whole tree would have spent, for an object that skips questions pays no more.
        let spent = d.spent(instance);
        let is_beyond = |node: NodeId| d.node(node).children().any(|child| spent[child.index()] > most);
        return stitch(instance, d, f, |node, _| is_beyond(node));
    }
    stitch(instance, d, f, |node, spent| match d.node(node) {
        Node::Ask { test, .. } => spent + units[test.index()] > most,
        Node::Leaf { .. } => false,
    })
}

/// Begins like `d` and continues like `f`, restricted, where `switch` is true of a question of `d` and the units of
/// cost spent before it.
pub(super) fn stitch(
    instance: &Instance,
    d: &Tree,
    f: &Tree,
    mut switch: impl FnMut(NodeId, f64) -> bool,
) -> Tree {
    let mut nodes: Vec<Node> = Vec::new();
    let mut waiting = VecDeque::from([(Candidates::all(instance), d, d.root(), true, 0.0)]);
    while let Some((candidates, mut tree, mut node, mut in_d, spent)) = waiting.pop_front() {
        let mut question = next_question(instance, tree, &mut node, &candidates);
        if question.is_some() && in_d && switch(node, spent) {
            (tree, node, in_d) = (f, f.root(), false);
            question = next_question(instance, tree, &mut node, &candidates);
        }
        let Some(test) = question else {
            nodes.push(Node::leaf(candidates.objects()));
            continue;
        };
        let parts = candidates.split(instance, test);
        let first = nodes.len() + 1 + waiting.len();
        let answers = parts.iter().map(|(answer, _)| *answer).zip((first..).map(NodeId::at)).collect();
        nodes.push(Node::Ask { test, answers });
        let spent = spent + instance.costs().units()[test.index()];
        let below = |(answer, part)| (part, tree, child(tree, node, answer), in_d, spent);
        waiting.extend(parts.into_iter().map(below));
    }
    let tree = Tree::new(nodes).expect("children are numbered in the order in which they wait");
    tree.confirmed(instance)
}

/// Continues from `node` to the next question of `tree` that splits `candidates`; `None` if nothing is left to ask.
pub(super) fn next_question(
    instance: &Instance,
    tree: &Tree,
    node: &mut NodeId,
    candidates: &Candidates,
) -> Option<TestId> {
    if candidates.is_pure() {
        return None;
    }
    while let Node::Ask { test, .. } = tree.node(*node) {
        let first = instance.answer(candidates.objects()[0], *test);
        if candidates.objects().iter().any(|object| instance.answer(*object, *test) != first) {
            return Some(*test);
        }
        *node = child(tree, *node, first);
    }
    None
}

/// Child for `answer` of the question at `node`.
pub(super) fn child(tree: &Tree, node: NodeId, answer: AnswerId) -> NodeId {
    let Node::Ask { answers, .. } = tree.node(node) else { unreachable!("only questions have answers") };
    let found = answers.iter().find(|(own, _)| *own == answer);
    found.expect("a strategy knows every answer that occurs").1
}
