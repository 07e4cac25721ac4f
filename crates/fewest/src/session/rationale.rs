//! Rationale of a question: its cost and gain, how it splits the possible objects, and the alternatives.

use super::information::{Classes, Scratch, information};
use super::posterior::likelihood;
use super::{Session, Snapshot, Step};
use fewest_model::{AnswerId, TestId};

/// Question that could be asked, with its cost and gain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The test.
    pub test: TestId,
    /// Cost of the test.
    pub cost: f64,
    /// Set-up that is part of the cost, if the test is in a bundle that is not open.
    pub setup: Option<f64>,
    /// Score of the test by the rule, per cost unless the rule is blind to costs; comparable within one ranking only.
    pub score: f64,
    /// Mutual information of the answer and the object or group to be found, in bits.
    pub gain_bits: f64,
    /// Expected number of possible groups, or objects, that the answer rules out.
    pub ruled_out: f64,
    /// Expected cost from this question on, itself included, if known.
    pub remaining: Option<f64>,
}

/// Part of the possible objects that would be left after one answer to a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The answer.
    pub answer: AnswerId,
    /// Probability of the answer.
    pub probability: f64,
    /// Number of possible objects that may give the answer.
    pub objects: usize,
    /// Number of possible groups, or of objects if these are to be found, that may give the answer.
    pub classes: usize,
}

/// Reason for the choice of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The tree asks the question here.
    Tree,
    /// The rules name the question as one to ask first.
    First,
    /// The question confirms the only object left.
    Confirmation,
    /// The question is the best by the rule.
    Rule,
}

/// Expected cost of the rest of a session, the next question included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Remaining {
    /// The cost.
    pub cost: f64,
    /// Plan that is followed to the end: the tree, or the rule.
    pub basis: Basis,
}

/// Rationale of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// Question with its gain.
    pub choice: Choice,
    /// Reason for its choice.
    pub basis: Basis,
    /// Expected cost of the rest, if known.
    pub remaining: Option<Remaining>,
    /// Parts left after each answer, in order of answers.
    pub splits: Vec<Split>,
    /// Alternative questions that could be asked, the best first.
    pub alternatives: Vec<Choice>,
}

impl Session<'_> {
    /// Returns the best `most` questions; see [`Snapshot::ranking`].
    pub fn ranking(&self, most: usize) -> Vec<Choice> {
        self.snapshot().ranking(most)
    }

    /// Returns the rationale of the next question; see [`Snapshot::why`].
    pub fn why(&self, most: usize) -> Option<Why> {
        self.snapshot().why(most)
    }

    /// Returns the parts left after each answer to `test`; see [`Snapshot::splits`].
    pub fn splits(&self, test: TestId) -> Vec<Split> {
        self.snapshot().splits(test)
    }
}

impl Snapshot<'_, '_> {
    /// Returns the best `most` questions, at least one, that of [`step`](Self::step) first; none if the session is
    /// over.
    pub fn ranking(&self, most: usize) -> Vec<Choice> {
        match self.step() {
            Step::Ask(test) => self.ranked(test, most),
            Step::Done(_) => Vec::new(),
        }
    }

    /// Returns the rationale of the next question, with the `most` best alternatives; `None` if the session is over.
    pub fn why(&self, most: usize) -> Option<Why> {
        let Step::Ask(test) = self.step() else { return None };
        let (basis, below) = self.basis(test);
        let mut ranked = self.ranked(test, most + 1);
        let cost_to_go = self.session.cost_to_go(&self.posterior);
        for choice in &mut ranked {
            choice.remaining = cost_to_go.as_ref().map(|costs| costs.after(choice.test));
        }
        let mut choice = ranked.remove(0);
        let remaining = match below {
            Some(cost) => Some(Remaining { cost, basis: Basis::Tree }),
            None => choice.remaining.map(|cost| Remaining { cost, basis: Basis::Rule }),
        };
        choice.remaining = remaining.map(|remaining| remaining.cost);
        Some(Why { choice, basis, remaining, splits: self.splits(test), alternatives: ranked })
    }

    /// Cost of asking `test` now: with its set-up if that is not paid, and the mean over the answers if it depends on
    /// them.
    pub fn cost_of(&self, test: TestId) -> f64 {
        self.session.cost_now(test, &self.session.open_bundles(), &self.posterior).mean
    }

    /// Reason for the choice of `test`, with the expected cost of the rest if it is known from that.
    fn basis(&self, test: TestId) -> (Basis, Option<f64>) {
        let (session, posterior) = (self.session, &self.posterior);
        if let Some((tree, node)) = session.follow(posterior)
            && tree.node(node).test() == Some(test)
        {
            let below =
                if session.rules.may_err() { None } else { session.cost_below(tree, node, posterior) };
            return (Basis::Tree, below);
        }
        if posterior.live.len() == 1 {
            let open = session.open_bundles();
            (Basis::Confirmation, Some(session.cost_now(test, &open, posterior).mean))
        } else if session.rules.first.contains(&test) {
            (Basis::First, None)
        } else {
            (Basis::Rule, None)
        }
    }

    /// Returns the parts left after each answer to `test`, in order of answers; impossible answers are left out.
    pub fn splits(&self, test: TestId) -> Vec<Split> {
        let posterior = &self.posterior;
        let (column, rate) = (self.session.instance.test(test), self.session.choice_rate(test));
        let split = |answer: AnswerId| {
            let allows = |at: &usize| column.allows(posterior.live[*at], answer);
            let part =
                |at: usize| posterior.weights[at] * likelihood(column, posterior.live[at], answer, rate);
            Split {
                answer,
                probability: (0..posterior.live.len()).map(part).sum::<f64>() / posterior.total,
                objects: (0..posterior.live.len()).filter(allows).count(),
                classes: posterior.classes.iter().filter(|run| (*run).clone().any(|at| allows(&at))).count(),
            }
        };
        let all = (0..column.arity()).map(AnswerId::at).map(split);
        all.filter(|split| split.objects > 0 || split.probability > 0.0).collect()
    }

    /// Ranks the best questions, with `first` at the head whatever its score.
    fn ranked(&self, first: TestId, most: usize) -> Vec<Choice> {
        let (session, posterior) = (self.session, &self.posterior);
        let mut scores = self.scores().to_vec();
        if !scores.iter().any(|(test, _)| *test == first) {
            // A test that only confirms tells nothing.
            scores.push((first, 0.0));
        }
        scores.sort_by(|left, right| {
            let is_later = |test: TestId| test != first;
            let by_score = right.1.total_cmp(&left.1);
            is_later(left.0).cmp(&is_later(right.0)).then(by_score).then(left.0.cmp(&right.0))
        });
        scores.truncate(most.max(1));
        let choice = session.for_choice(posterior.clone());
        let (classes, mut scratch) = (Classes::of(&choice), Scratch::default());
        let open = session.open_bundles();
        let described = scores.into_iter().map(|(test, score)| {
            let column = session.instance.test(test);
            let gain = information(column, &choice, &classes, session.choice_rate(test), &mut scratch);
            let left: f64 =
                self.splits(test).iter().map(|split| split.probability * split.classes as f64).sum();
            Choice {
                test,
                cost: session.cost_now(test, &open, posterior).mean,
                setup: session.setup_now(test, &open),
                score,
                gain_bits: gain.unwrap_or(0.0),
                ruled_out: (posterior.classes.len() as f64 - left).max(0.0),
                remaining: None,
            }
        });
        described.collect()
    }
}
