//! Rules of a session: errors in answers, when it is over, which tests may be asked; and the plan that
//! chooses questions.

use crate::criterion::{self, Criterion, Entry, Settings};
use fewest_model::{Instance, Lambda, Named, TestId, Tree};
use thiserror::Error;

/// Probability at which a session with error rates stops if its rules name none. With errors, more than one object
/// always stays possible, so the value must be below 1.
pub const USUAL_CERTAINTY: f64 = 0.95;

/// Errors that answers may have.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Errors {
    /// No errors.
    #[default]
    None,
    /// Each answer is wrong with this probability, below 1.
    Rate(f64),
    /// Each answer is wrong with the probability of its test.
    Rates(Vec<f64>),
    /// At most this many answers of the session are wrong.
    AtMost(u32),
}

/// Target of a session: the group or the object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Until {
    /// The group, if the instance has groups to identify; otherwise the object.
    #[default]
    Identified,
    /// The object itself.
    Object,
}

impl Named for Until {
    const VALUES: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Identified, "identified", "The group where there are groups, else the object"),
        (Self::Object, "object", "The object itself"),
    ];
}

/// Rules of a session; the default asks until the object or group is identified, with no errors and no
/// limits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionRules {
    /// Errors that answers may have.
    pub errors: Errors,
    /// Target of the session.
    pub until: Until,
    /// Probability of the likeliest class at which the session stops. `None`: when nothing else is possible, or, with
    /// error rates, at [`USUAL_CERTAINTY`].
    pub certainty: Option<f64>,
    /// Number of groups, or objects, left at which the session stops; 0 means 1.
    pub stop_at: usize,
    /// Limit on the cost of all questions together.
    pub max_cost: Option<f64>,
    /// Tests that may not be asked; volunteered answers to them count.
    pub without: Vec<TestId>,
    /// Tests to ask before all others, in this order, if they tell something.
    pub first: Vec<TestId>,
    /// Whether a test may be asked repeatedly, with independent errors.
    pub repeat_tests: bool,
}

/// Error of rules or replies that do not fit the instance.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SessionError {
    /// A number out of its range.
    #[error("{what} is {value}; it must be {expected}")]
    Number {
        /// The name of the number.
        what: &'static str,
        /// The number.
        value: f64,
        /// Range that the number must be in.
        expected: &'static str,
    },
    /// The number of error rates differs from the number of tests.
    #[error("{found} error rates for {expected} tests; give one for each")]
    Rates {
        /// Number of rates.
        found: usize,
        /// Number of tests.
        expected: usize,
    },
    /// The instance has no such test.
    #[error("there is no test number {}; there are {count}", .test.0 + 1)]
    NoTest {
        /// The test.
        test: TestId,
        /// Number of tests.
        count: usize,
    },
    /// The test has no such answer, or the reply has none at all.
    #[error("test `{test}` has no such answer; it has {arity}")]
    NoAnswer {
        /// The test's name.
        test: String,
        /// Number of answers of the test.
        arity: usize,
    },
    /// The session has no answer with this number.
    #[error("nothing was said of that; there are {count} answers")]
    NotGiven {
        /// Number of answers so far.
        count: usize,
    },
}

impl SessionRules {
    /// Checks that numbers are in range and tests exist in `instance`.
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

    /// Returns the error rate of `test`; 0 if errors are counted instead.
    pub fn rate(&self, test: TestId) -> f64 {
        match &self.errors {
            Errors::None | Errors::AtMost(_) => 0.0,
            Errors::Rate(rate) => *rate,
            Errors::Rates(rates) => rates[test.index()],
        }
    }

    /// Returns whether an answer may be wrong.
    pub fn may_err(&self) -> bool {
        match &self.errors {
            Errors::None => false,
            Errors::Rate(rate) => *rate > 0.0,
            Errors::Rates(rates) => rates.iter().any(|rate| *rate > 0.0),
            Errors::AtMost(most) => *most > 0,
        }
    }

    /// Returns the probability of the likeliest class at which the session stops.
    pub fn certainty(&self) -> f64 {
        let counted = matches!(self.errors, Errors::AtMost(_));
        let usual = if self.may_err() && !counted { USUAL_CERTAINTY } else { 1.0 };
        self.certainty.unwrap_or(usual)
    }
}

/// Greedy rule by which a session chooses questions: a criterion with its settings.
#[derive(Clone, Copy, Debug)]
pub struct GreedyRule {
    /// The criterion.
    pub criterion: &'static Entry,
    /// Base λ of criteria that aim at exponential cost.
    pub lambda: Lambda,
    /// Whether scores are not divided by the cost of the test.
    pub cost_blind: bool,
}

impl GreedyRule {
    /// Returns the rule of the criterion called `name`, per cost.
    pub fn named(name: &str) -> Option<Self> {
        criterion::find(name).map(|criterion| Self { criterion, lambda: Lambda::TWO, cost_blind: false })
    }

    /// Makes the criterion for `instance`.
    pub(super) fn make(&self, instance: &Instance) -> Box<dyn Criterion> {
        (self.criterion.make)(Settings { lambda: self.lambda, identify: instance.identify() })
    }
}

impl Default for GreedyRule {
    /// Returns mutual information with the group, per cost: it needs no tuning and stays correct if answers may be
    /// wrong.
    fn default() -> Self {
        Self { criterion: &criterion::DEFAULT, lambda: Lambda::TWO, cost_blind: false }
    }
}

/// Plan by which questions are chosen: a tree as long as the answers follow it, and otherwise a rule.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan<'a> {
    /// Decision tree for the instance.
    pub tree: Option<&'a Tree>,
    /// Rule if there is no tree, or if answers have left it.
    pub rule: GreedyRule,
}

impl<'a> Plan<'a> {
    /// Creates a plan that follows `tree`, and the default rule if answers leave it.
    pub fn tree(tree: &'a Tree) -> Self {
        Self { tree: Some(tree), rule: GreedyRule::default() }
    }

    /// Creates a plan that follows `rule` throughout.
    pub fn rule(rule: GreedyRule) -> Self {
        Self { tree: None, rule }
    }
}
