//! Node of the plan's tree that the answers have reached.

use super::posterior::Posterior;
use super::{Given, Session};
use fewest_model::{AnswerId, Node, NodeId, ObjectId, TestId, Tree};

impl<'a> Session<'a> {
    /// Finds the node of the tree whose question is next, if there is a tree and the answers follow it.
    ///
    /// Questions to which all possible objects give the same answer are skipped: facts that were known
    /// beforehand may have answered them.
    pub(super) fn follow(&self, posterior: &Posterior) -> Option<(&'a Tree, NodeId)> {
        let tree = self.plan.tree?;
        let mut at = tree.root();
        loop {
            let Node::Ask { test, answers } = tree.node(at) else { return None };
            let answer = match self.answers_to(*test).as_slice() {
                [given] => given.reply.single()?,
                [] => match self.foregone(*test, posterior) {
                    Some(answer) => answer,
                    None => {
                        let usable = self.is_free(*test)
                            && self.is_affordable(*test)
                            && self.is_applicable(*test, posterior);
                        return usable.then_some((tree, at));
                    }
                },
                _ => return None,
            };
            at = child(answers, answer)?;
        }
    }

    /// All answers to `test`; more than one if tests may be repeated.
    fn answers_to(&self, test: TestId) -> Vec<&Given> {
        self.answers.iter().filter(|given| given.test == test).collect()
    }

    /// Answer that all possible objects give, if answers cannot be wrong.
    fn foregone(&self, test: TestId, posterior: &Posterior) -> Option<AnswerId> {
        let column = self.instance.test(test);
        let answer = column.answer(*posterior.live.first()?);
        let gives = |object: &ObjectId| {
            column.choices(*object) == 1 && column.answer(*object) == answer && column.applies_to(*object)
        };
        (!self.rules.may_err() && posterior.live.iter().all(gives)).then_some(answer)
    }

    /// Expected cost of the tree from `node` on for the possible objects; `None` if one of them leaves the tree or
    /// may give several answers.
    pub(super) fn cost_below(&self, tree: &Tree, node: NodeId, posterior: &Posterior) -> Option<f64> {
        let mut sum = 0.0;
        let paid = self.open_bundles();
        for (object, weight) in posterior.live.iter().zip(&posterior.weights) {
            let (mut at, mut cost, mut open) = (node, 0.0, paid.clone());
            while let Node::Ask { test, answers } = tree.node(at) {
                let column = self.instance.test(*test);
                if column.choices(*object) != 1 {
                    return None;
                }
                let is_said = self.answers.iter().any(|given| given.test == *test);
                cost += match self.instance.pricing() {
                    _ if is_said => 0.0,
                    None => self.instance.costs().units()[test.index()],
                    Some(pricing) => {
                        let step = pricing.step(*test, column.answer(*object), &open);
                        open = pricing.after(*test, &open);
                        step
                    }
                };
                at = child(answers, column.answer(*object))?;
            }
            sum += weight * cost;
        }
        Some(sum / posterior.total / self.instance.costs().scale())
    }
}

/// Child for `answer`, if the node has one.
fn child(answers: &[(AnswerId, NodeId)], answer: AnswerId) -> Option<NodeId> {
    answers.iter().find(|(label, _)| *label == answer).map(|(_, child)| *child)
}
