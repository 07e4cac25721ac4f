//! Tree of questions with the class weights of every node.

use super::{Answer, MissingAnswer, Question, Value};
use fewest_model::Labels;

/// Learned model: a tree, and the names of its columns and classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Target that is predicted, such as `play` or `mpg > 19`.
    pub target: String,
    /// The names of the classes.
    pub classes: Vec<String>,
    /// The columns that may be asked for.
    pub fields: Vec<FieldName>,
    /// The tree.
    pub tree: LearnedTree,
    /// Treatment of rows whose cell is missing.
    pub missing: MissingAnswer,
}

/// Name of a column and the words that occurred in it.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldName {
    /// The header.
    pub name: String,
    /// Words of the column; `None`: a column of numbers.
    pub words: Option<Labels>,
}

/// Nodes in one list, parents before children, the root first.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedTree {
    /// The nodes.
    pub nodes: Vec<LearnedNode>,
}

/// Node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedNode {
    /// Weight of the rows at the node, by class.
    pub classes: Vec<f64>,
    /// Question asked here; `None`: a leaf.
    pub split: Option<Split>,
}

/// Question and the children for its answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// The question.
    pub question: Question,
    /// Answers with the positions of their nodes, by rising number, missing cells last.
    pub answers: Vec<(u32, usize)>,
    /// Number of questions from which this one was chosen.
    pub tried: usize,
    /// Number of words that the set was chosen from, for questions about a set of words; otherwise 0.
    pub words: usize,
}

impl LearnedNode {
    /// Weight of all rows at the node.
    pub fn weight(&self) -> f64 {
        self.classes.iter().sum()
    }

    /// The most frequent class, the first on ties.
    pub fn class(&self) -> usize {
        let heavier =
            |best: usize, class: usize| if self.classes[class] > self.classes[best] { class } else { best };
        (0..self.classes.len()).fold(0, heavier)
    }

    /// Weight of the rows of other classes than the most frequent.
    pub fn errors(&self) -> f64 {
        self.weight() - self.classes[self.class()]
    }

    /// Log loss `−Σ c ln(c / n)` of the rows if this is a leaf, in nats.
    pub fn log_loss(&self) -> f64 {
        let total = self.weight();
        self.classes.iter().filter(|count| **count > 0.0).map(|count| -count * (count / total).ln()).sum()
    }
}

impl LearnedTree {
    /// Whether the node at `at` is a leaf.
    pub fn is_leaf(&self, at: usize) -> bool {
        self.nodes[at].split.is_none()
    }

    /// Positions of the nodes that are still part of the tree, parents first; pruning leaves others behind until
    /// [`compact`](Self::compact).
    pub fn reachable(&self) -> Vec<usize> {
        let mut order = vec![0];
        let mut next = 0;
        while next < order.len() {
            if let Some(split) = &self.nodes[order[next]].split {
                order.extend(split.answers.iter().map(|(_, child)| *child));
            }
            next += 1;
        }
        order
    }

    /// Number of leaves.
    pub fn leaves(&self) -> usize {
        self.reachable().into_iter().filter(|at| self.is_leaf(*at)).count()
    }

    /// Largest number of questions on a path.
    pub fn depth(&self) -> usize {
        let mut depths = vec![0; self.nodes.len()];
        for at in self.reachable() {
            if let Some(split) = &self.nodes[at].split {
                split.answers.iter().for_each(|(_, child)| depths[*child] = depths[at] + 1);
            }
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// Log loss of the training rows, in nats, with leaf frequencies as probabilities.
    pub fn log_loss(&self) -> f64 {
        let leaves = self.reachable().into_iter().filter(|at| self.is_leaf(*at));
        fewest_model::compensated_sum(leaves.map(|at| self.nodes[at].log_loss()))
    }

    /// Weight of the training rows that the leaves predict wrongly.
    pub fn errors(&self) -> f64 {
        let leaves = self.reachable().into_iter().filter(|at| self.is_leaf(*at));
        fewest_model::compensated_sum(leaves.map(|at| self.nodes[at].errors()))
    }

    /// Removes the nodes that pruning left behind.
    #[must_use]
    pub fn compact(mut self) -> Self {
        let order = self.reachable();
        let mut place = vec![0; self.nodes.len()];
        order.iter().enumerate().for_each(|(new, old)| place[*old] = new);
        let take = |old: usize| {
            let node = &mut self.nodes[old];
            let mut split = node.split.take();
            let answers = split.iter_mut().flat_map(|split| &mut split.answers);
            answers.for_each(|(_, child)| *child = place[*child]);
            LearnedNode { classes: std::mem::take(&mut node.classes), split }
        };
        Self { nodes: order.into_iter().map(take).collect() }
    }

    /// Finds the node at which a row ends; `value` returns its cells. This is a leaf, or the node to whose question
    /// the row has an answer that did not occur there.
    #[inline]
    pub fn route(&self, missing: MissingAnswer, mut value: impl FnMut(usize) -> Value) -> usize {
        let mut at = 0;
        while let Some(split) = &self.nodes[at].split {
            match split.step(&self.nodes, missing, value(split.question.field())) {
                Some(child) => at = child,
                None => break,
            }
        }
        at
    }

    /// Table of a node's question: a line for each answer, a column for each class.
    pub fn table(&self, at: usize) -> Vec<Vec<f64>> {
        let answers = self.nodes[at].split.iter().flat_map(|split| &split.answers);
        answers.map(|(_, child)| self.nodes[*child].classes.clone()).collect()
    }
}

impl Split {
    /// Child for a row with this cell.
    #[inline]
    pub(super) fn step(&self, nodes: &[LearnedNode], missing: MissingAnswer, value: Value) -> Option<usize> {
        match (self.question.answer(value), missing) {
            (Answer::Known(answer), _) => self.child(answer),
            (Answer::Missing, MissingAnswer::Own) => self.child(super::MISSING),
            (Answer::Missing, MissingAnswer::Likelier) => Some(self.likelier(nodes)),
            (Answer::Unheard, _) => None,
        }
    }

    /// Child for `answer`.
    #[inline]
    pub fn child(&self, answer: u32) -> Option<usize> {
        match self.answers.as_slice() {
            [(no, below), (yes, above), ..]
                if *no == super::NO && *yes == super::YES && answer <= super::YES =>
            {
                Some(if answer == super::YES { *above } else { *below })
            }
            answers => {
                answers.binary_search_by_key(&answer, |(answer, _)| *answer).ok().map(|at| answers[at].1)
            }
        }
    }

    /// Child of most weight, the first on ties.
    pub fn likelier(&self, nodes: &[LearnedNode]) -> usize {
        let heavier = |best: usize, child: usize| {
            if nodes[child].weight() > nodes[best].weight() { child } else { best }
        };
        let children = self.answers.iter().map(|(_, child)| *child);
        children.reduce(heavier).expect("a question has answers")
    }
}
