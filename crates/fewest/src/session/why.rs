//! Why this question: what it costs and tells, how it splits what is possible, and what others would do instead.

use super::choose::Scored;
use super::information::{Classes, Scratch, information};
use super::posterior::{Posterior, likelihood};
use super::{Session, Step};
use fewest_model::{AnswerId, TestId};

/// A question that could be asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The test.
    pub test: TestId,
    /// What it costs.
    pub cost: f64,
    /// The score of the rule, per cost unless it is blind to that; comparable within one ranking only.
    pub score: f64,
    /// What its answer tells about what is to be found, in bits.
    pub gain_bits: f64,
    /// How many of the groups, or objects, that are possible its answer rules out on average.
    pub ruled_out: f64,
    /// What everything from this question on would cost on average, itself included, where that is known.
    pub remaining: Option<f64>,
}

/// One answer's part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The answer.
    pub answer: AnswerId,
    /// How likely it is.
    pub probability: f64,
    /// How many objects that are possible may give it.
    pub objects: usize,
    /// How many groups, or objects, that have to be told apart may give it.
    pub classes: usize,
}

/// What a question rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// It is the tree's.
    Tree,
    /// It was to be asked first.
    First,
    /// It confirms the only object left.
    Confirmation,
    /// It is the best by the rule.
    Rule,
}

/// What is still to be paid on average, itself included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Remaining {
    /// The cost.
    pub cost: f64,
    /// Of what: following the tree, or the rule to the end.
    pub basis: Basis,
}

/// Why a question is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// The question, with what it tells.
    pub choice: Choice,
    /// What it rests on.
    pub basis: Basis,
    /// What is still to be paid on average, where that is known.
    pub remaining: Option<Remaining>,
    /// What each answer would leave, in order of answers.
    pub splits: Vec<Split>,
    /// What else could be asked, the best first.
    pub alternatives: Vec<Choice>,
}

impl Session<'_> {
    /// The best `most` questions, that of [`step`](Self::step) first.
    pub fn ranking(&self, most: usize) -> Vec<Choice> {
        self.state(most).ranking
    }

    /// Why the next question is asked, beside the `most` best others; nothing where the session is over.
    pub fn why(&self, most: usize) -> Option<Why> {
        let believed = self.posterior();
        let (Step::Ask(test), scores) = self.decide(&believed) else { return None };
        let (basis, below) = self.basis(&believed, test);
        let mut ranked = self.ranked(&believed, scores, test, most + 1);
        let outlook = self.outlook(&believed);
        for choice in &mut ranked {
            choice.remaining = outlook.as_ref().map(|outlook| outlook.after(choice.test));
        }
        let mut choice = ranked.remove(0);
        let remaining = match below {
            Some(cost) => Some(Remaining { cost, basis: Basis::Tree }),
            None => choice.remaining.map(|cost| Remaining { cost, basis: Basis::Rule }),
        };
        choice.remaining = remaining.map(|remaining| remaining.cost);
        Some(Why { choice, basis, remaining, splits: self.splits_of(test, &believed), alternatives: ranked })
    }

    fn basis(&self, believed: &Posterior, test: TestId) -> (Basis, Option<f64>) {
        if let Some((tree, node)) = self.follow(believed)
            && tree.node(node).test() == Some(test)
        {
            let below = if self.rules.may_err() { None } else { self.cost_below(tree, node, believed) };
            return (Basis::Tree, below);
        }
        if believed.live.len() == 1 {
            (Basis::Confirmation, Some(self.instance.cost(test)))
        } else if self.rules.first.contains(&test) {
            (Basis::First, None)
        } else {
            (Basis::Rule, None)
        }
    }

    /// What each answer to `test` would leave, in order of answers; those that nobody would give are left out.
    pub fn splits(&self, test: TestId) -> Vec<Split> {
        self.splits_of(test, &self.posterior())
    }

    fn splits_of(&self, test: TestId, believed: &Posterior) -> Vec<Split> {
        let (column, rate) = (self.instance.test(test), self.choice_rate(test));
        let split = |answer: AnswerId| {
            let allows = |at: &usize| column.allows(believed.live[*at], answer);
            let part = |at: usize| believed.weights[at] * likelihood(column, believed.live[at], answer, rate);
            Split {
                answer,
                probability: (0..believed.live.len()).map(part).sum::<f64>() / believed.total,
                objects: (0..believed.live.len()).filter(allows).count(),
                classes: believed.classes.iter().filter(|run| (*run).clone().any(|at| allows(&at))).count(),
            }
        };
        let all = (0..column.arity()).map(AnswerId::at).map(split);
        all.filter(|split| split.objects > 0 || split.probability > 0.0).collect()
    }

    /// The best questions, `first` at the head whatever its score.
    pub(super) fn ranked(
        &self,
        believed: &Posterior,
        scores: Option<Vec<Scored>>,
        first: TestId,
        most: usize,
    ) -> Vec<Choice> {
        let mut scores = scores.unwrap_or_else(|| self.scores(believed));
        if !scores.iter().any(|(test, _)| *test == first) {
            // One that confirms tells nothing.
            scores.push((first, 0.0));
        }
        scores.sort_by(|left, right| {
            let is_first = |test: TestId| test != first;
            let by_score = right.1.total_cmp(&left.1);
            is_first(left.0).cmp(&is_first(right.0)).then(by_score).then(left.0.cmp(&right.0))
        });
        scores.truncate(most.max(1));
        let choice = self.for_choice(believed.clone());
        let (classes, mut room) = (Classes::of(&choice), Scratch::default());
        let described = scores.into_iter().map(|(test, score)| {
            let column = self.instance.test(test);
            let gain = information(column, &choice, &classes, self.choice_rate(test), &mut room);
            let left: f64 = self
                .splits_of(test, believed)
                .iter()
                .map(|split| split.probability * split.classes as f64)
                .sum();
            Choice {
                test,
                cost: self.instance.cost(test),
                score,
                gain_bits: gain.unwrap_or(0.0),
                ruled_out: (believed.classes.len() as f64 - left).max(0.0),
                remaining: None,
            }
        });
        described.collect()
    }
}
