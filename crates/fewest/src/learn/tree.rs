//! A tree of questions with the classes of every node.

use super::{Answer, MissingAnswer, Question, Value};
use fewest_model::Labels;

/// What was learned: a tree, and the names that it speaks of.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// What is predicted, such as `play` or `mpg > 19`.
    pub target: String,
    /// The names of the classes.
    pub classes: Vec<String>,
    /// The columns that may be asked for.
    pub fields: Vec<FieldName>,
    /// The tree.
    pub tree: LearnedTree,
    /// Where rows go whose cell is missing.
    pub missing: MissingAnswer,
}

/// The name of a column and the words that were met in it.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldName {
    /// The header.
    pub name: String,
    /// The words; `None`: a column of numbers.
    pub words: Option<Labels>,
}

/// The nodes in one list, parents before children, the root first.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedTree {
    /// The nodes.
    pub nodes: Vec<LearnedNode>,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedNode {
    /// What the rows here weigh, by class.
    pub classes: Vec<f64>,
    /// The question asked here; `None`: a leaf.
    pub split: Option<Split>,
}

/// A question and where its answers lead.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// The question.
    pub question: Question,
    /// Each answer with the place of its node, by rising number, the missing last.
    pub answers: Vec<(u32, usize)>,
    /// How many questions were tried before this one was chosen.
    pub tried: usize,
    /// How many words the set was chosen from, for questions about a set of words; else 0.
    pub words: usize,
}

impl LearnedNode {
    /// What all rows here weigh.
    pub fn weight(&self) -> f64 {
        self.classes.iter().sum()
    }

    /// The most frequent class, the first on ties.
    pub fn class(&self) -> usize {
        let heavier =
            |best: usize, class: usize| if self.classes[class] > self.classes[best] { class } else { best };
        (0..self.classes.len()).fold(0, heavier)
    }

    /// The weight of the rows of other classes than the most frequent.
    pub fn errors(&self) -> f64 {
        self.weight() - self.classes[self.class()]
    }

    /// `−Σ c ln(c / n)`: the log loss of the rows here if this is a leaf, in nats.
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

    /// The places of the nodes that are still part of the tree, parents first; pruning leaves others behind until
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

    /// How many leaves there are.
    pub fn leaves(&self) -> usize {
        self.reachable().into_iter().filter(|at| self.is_leaf(*at)).count()
    }

    /// The most questions in a row.
    pub fn depth(&self) -> usize {
        let mut depths = vec![0; self.nodes.len()];
        for at in self.reachable() {
            if let Some(split) = &self.nodes[at].split {
                split.answers.iter().for_each(|(_, child)| depths[*child] = depths[at] + 1);
            }
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// The log loss of the rows it was made from, in nats, with leaf frequencies as probabilities.
    pub fn log_loss(&self) -> f64 {
        let leaves = self.reachable().into_iter().filter(|at| self.is_leaf(*at));
        fewest_model::compensated_sum(leaves.map(|at| self.nodes[at].log_loss()))
    }

    /// The weight of the rows it was made from that its leaves get wrong.
    pub fn errors(&self) -> f64 {
        let leaves = self.reachable().into_iter().filter(|at| self.is_leaf(*at));
        fewest_model::compensated_sum(leaves.map(|at| self.nodes[at].errors()))
    }

    /// Without the nodes that pruning left behind.
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

    /// The node at which a row ends whose cells `value` gives: a leaf, or the node whose question it answers in a way
    /// that was not met there.
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

    /// The table of a node's question: a line for each answer, a column for each class.
    pub fn table(&self, at: usize) -> Vec<Vec<f64>> {
        let answers = self.nodes[at].split.iter().flat_map(|split| &split.answers);
        answers.map(|(_, child)| self.nodes[*child].classes.clone()).collect()
    }
}

impl Split {
    /// Where a row with this cell goes on.
    #[inline]
    pub(super) fn step(&self, nodes: &[LearnedNode], missing: MissingAnswer, value: Value) -> Option<usize> {
        match (self.question.answer(value), missing) {
            (Answer::Known(answer), _) => self.child(answer),
            (Answer::Missing, MissingAnswer::Own) => self.child(super::MISSING),
            (Answer::Missing, MissingAnswer::Likelier) => Some(self.likelier(nodes)),
            (Answer::Unheard, _) => None,
        }
    }

    /// The node behind `answer`.
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

    /// The heaviest node behind an answer, the first on ties.
    pub fn likelier(&self, nodes: &[LearnedNode]) -> usize {
        let heavier = |best: usize, child: usize| {
            if nodes[child].weight() > nodes[best].weight() { child } else { best }
        };
        let children = self.answers.iter().map(|(_, child)| *child);
        children.reduce(heavier).expect("a question has answers")
    }
}
