//! How a session is to go: what may be wrong, when it is over, what may be asked.

use crate::criterion::{self, Criterion, Entry, Settings};
use fewest_model::{Instance, Lambda, TestId, Tree};
use thiserror::Error;

/// How sure is sure enough where answers may be wrong.
pub const USUAL_CERTAINTY: f64 = 0.95;

/// What may be wrong with answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Errors {
    /// Nothing.
    #[default]
    None,
    /// Each answer with this probability, below 1.
    Rate(f64),
    /// Each answer with the probability of its test.
    Rates(Vec<f64>),
    /// At most so many answers in all.
    AtMost(u32),
}

/// What has to be found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Until {
    /// What the instance identifies: the group where there are groups.
    #[default]
    Identified,
    /// The object itself.
    Object,
}

/// The rules of a session; all of them may be left as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// What may be wrong with answers.
    pub errors: Errors,
    /// What has to be found.
    pub until: Until,
    /// The session is over when what is likeliest has at least this probability. `None`: when nothing else is possible, or,
    /// with error rates, at [`USUAL_CERTAINTY`].
    pub certainty: Option<f64>,
    /// The session is over when so many are left; 0 means 1.
    pub left: usize,
    /// What all questions together may cost.
    pub max_cost: Option<f64>,
    /// Tests that may not be asked; what is known of them anyway counts.
    pub without: Vec<TestId>,
    /// Tests to ask before all others, in this order, as far as they tell something.
    pub first: Vec<TestId>,
    /// Whether a test may be asked again, its errors being independent of those before.
    pub again: bool,
}

/// Why rules or replies were refused.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SessionError {
    /// A rate that is no probability below 1, or a certainty that is none above 0.
    #[error("{what} is {value}; it must be {expected}")]
    Number {
        /// What it is.
        what: &'static str,
        /// What it was.
        value: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// Rates for another number of tests.
    #[error("{found} error rates for {expected} tests; give one for each")]
    Rates {
        /// How many there are.
        found: usize,
        /// How many tests there are.
        expected: usize,
    },
    /// A test that there is not.
    #[error("there is no test number {}; there are {count}", .test.0 + 1)]
    NoTest {
        /// The test.
        test: TestId,
        /// How many there are.
        count: usize,
    },
    /// An answer that the test does not have, or none at all.
    #[error("test `{test}` has no such answer; it has {arity}")]
    NoAnswer {
        /// The test's name.
        test: String,
        /// How many answers it has.
        arity: usize,
    },
    /// Something that was not said.
    #[error("nothing was said of that; there are {count} answers")]
    NotGiven {
        /// How many answers there are.
        count: usize,
    },
}

impl Rules {
    /// Whether they make sense for `instance`.
    pub(super) fn check(&self, instance: &Instance) -> Result<(), SessionError> {
        let rates = match &self.errors {
            Errors::None | Errors::AtMost(_) => &[][..],
            Errors::Rate(rate) => std::slice::from_ref(rate),
            Errors::Rates(rates) if rates.len() != instance.test_count() => {
                return Err(SessionError::Rates { found: rates.len(), expected: instance.test_count() });
            }
            Errors::Rates(rates) => rates,
        };
        let number = |what, value, expected| SessionError::Number { what, value, expected };
        if let Some(&rate) = rates.iter().find(|rate| !(0.0..1.0).contains(*rate)) {
            return Err(number("the error rate", rate, "at least 0 and below 1"));
        }
        if let Some(sure) = self.certainty.filter(|sure| !(*sure > 0.0 && *sure <= 1.0)) {
            return Err(number("the certainty", sure, "above 0 and at most 1"));
        }
        if let Some(cost) = self.max_cost.filter(|cost| cost.is_nan() || *cost < 0.0) {
            return Err(number("the cost limit", cost, "at least 0"));
        }
        let count = instance.test_count();
        match self.without.iter().chain(&self.first).find(|test| test.index() >= count) {
            Some(&test) => Err(SessionError::NoTest { test, count }),
            None => Ok(()),
        }
    }

    /// How likely an answer to `test` is wrong; 0 where errors are counted instead.
    pub fn rate(&self, test: TestId) -> f64 {
        match &self.errors {
            Errors::None | Errors::AtMost(_) => 0.0,
            Errors::Rate(rate) => *rate,
            Errors::Rates(rates) => rates[test.index()],
        }
    }

    /// Whether an answer may be wrong.
    pub fn may_err(&self) -> bool {
        match &self.errors {
            Errors::None => false,
            Errors::Rate(rate) => *rate > 0.0,
            Errors::Rates(rates) => rates.iter().any(|rate| *rate > 0.0),
            Errors::AtMost(most) => *most > 0,
        }
    }

    /// How sure is sure enough.
    pub fn certainty(&self) -> f64 {
        let counted = matches!(self.errors, Errors::AtMost(_));
        let usual = if self.may_err() && !counted { USUAL_CERTAINTY } else { 1.0 };
        self.certainty.unwrap_or(usual)
    }
}

/// A greedy rule: the criterion, and how it is set.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The criterion.
    pub criterion: &'static Entry,
    /// For the criteria that aim at exponential cost.
    pub lambda: Lambda,
    /// Whether scores are taken as they are instead of per unit of cost.
    pub cost_blind: bool,
}

impl Rule {
    /// The rule of the criterion called `name`, by cost.
    pub fn named(name: &str) -> Option<Self> {
        criterion::find(name).map(|criterion| Self { criterion, lambda: Lambda::TWO, cost_blind: false })
    }

    pub(super) fn make(&self, instance: &Instance) -> Box<dyn Criterion> {
        (self.criterion.make)(Settings { lambda: self.lambda, identify: instance.identify() })
    }
}

impl Default for Rule {
    /// What says most about the group for its cost: it needs no tuning and stays right where answers may be wrong.
    fn default() -> Self {
        Self { criterion: &criterion::DEFAULT, lambda: Lambda::TWO, cost_blind: false }
    }
}

/// What chooses the questions: a tree as long as answers follow it, and a rule elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan<'a> {
    /// A strategy for the instance.
    pub tree: Option<&'a Tree>,
    /// What decides where there is no tree, or where answers left it.
    pub rule: Rule,
}

impl<'a> Plan<'a> {
    /// Follow `tree`, and the usual rule where answers leave it.
    pub fn tree(tree: &'a Tree) -> Self {
        Self { tree: Some(tree), rule: Rule::default() }
    }

    /// Follow `rule` throughout.
    pub fn rule(rule: Rule) -> Self {
        Self { tree: None, rule }
    }
}
