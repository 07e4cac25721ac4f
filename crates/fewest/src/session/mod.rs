//! Sessions: questions asked one by one, with the posterior of the answers, the next question and the reasons
//! for it.
//!
//! A [`Session`] is an instance, a plan, rules and a list of answers. Nothing else is state: everything else is
//! computed from these, so that any answer can be changed or withdrawn and the later ones stay, and so that a session
//! can be rebuilt anywhere from its answers alone. It has no prompts, no timers and no storage.
//!
//! ```
//! use fewest::session::{Plan, Reply, SessionRules, Session, Step, parse};
//! use fewest::{Instance, Reading, Table};
//!
//! let table = Table::from_rows(&[
//!     &["object", "barks", "legs"],
//!     &["dog", "yes", "4"],
//!     &["cat", "no", "4"],
//!     &["hen", "no", "2"],
//! ]);
//! let (instance, _) = Instance::new(table, &Reading::default())?;
//! let mut session = Session::new(&instance, Plan::default(), SessionRules::default())?;
//! let Step::Ask(test) = session.step() else { panic!("three objects are possible") };
//! assert_eq!(instance.test(test).name, "barks");
//! let (test, reply) = parse::parse_fact(&instance, "barks=no")?;
//! session.give(test, reply)?;
//! session.volunteer(instance.find_test("legs").unwrap(), Reply::is(fewest::AnswerId(1)))?;
//! assert!(matches!(session.step(), Step::Done(_)));
//! assert_eq!(session.candidates().len(), 1); // the hen
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod applicable;
mod bill;
mod choose;
mod contradiction;
mod cost_to_go;
mod explanation;
mod follow;
mod information;
mod nearest;
pub mod parse;
mod posterior;
mod rationale;
mod reply;
mod rules;
pub mod simulate;
mod snapshot;

pub use contradiction::{Contradiction, Doubt};
pub use explanation::{CheckedAnswer, Difference, Explanation};
pub use nearest::Fit;
pub use posterior::posteriors_computed;
pub use rationale::{Basis, Choice, Remaining, Split, Why};
pub use reply::{Given, Reply};
pub use rules::{Errors, GreedyRule, Plan, SessionError, SessionRules, USUAL_CERTAINTY, Until};
pub use snapshot::{Candidate, GroupShare, Reason, Snapshot, Step};

use fewest_model::{Instance, TestId};

/// Questions about one unknown object, in progress: the instance, the plan, the rules and the answers so far.
#[derive(Clone, Debug)]
pub struct Session<'a> {
    instance: &'a Instance,
    plan: Plan<'a>,
    rules: SessionRules,
    answers: Vec<Given>,
}

impl<'a> Session<'a> {
    /// Creates a session without answers.
    ///
    /// # Errors
    /// When the rules do not fit the instance.
    pub fn new(instance: &'a Instance, plan: Plan<'a>, rules: SessionRules) -> Result<Self, SessionError> {
        rules.check(instance)?;
        Ok(Self { instance, plan, rules, answers: Vec::new() })
    }

    /// Returns the instance that is asked about.
    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    /// Returns the plan that chooses the questions.
    pub fn plan(&self) -> Plan<'a> {
        self.plan
    }

    /// Returns the rules.
    pub fn rules(&self) -> &SessionRules {
        &self.rules
    }

    /// Returns all answers, in the order in which their tests were first answered.
    pub fn answers(&self) -> &[Given] {
        &self.answers
    }

    /// Adds the reply to a question. An earlier reply to the same test is replaced in its place, unless tests
    /// may be repeated.
    ///
    /// # Errors
    /// When there is no such test or answer.
    pub fn give(&mut self, test: TestId, reply: Reply) -> Result<(), SessionError> {
        self.take(Given { test, reply, volunteered: false })
    }

    /// Adds a fact that is known without asking, at no cost; otherwise like [`give`](Self::give).
    ///
    /// # Errors
    /// When there is no such test or answer.
    pub fn volunteer(&mut self, test: TestId, reply: Reply) -> Result<(), SessionError> {
        self.take(Given { test, reply, volunteered: true })
    }

    /// Adds an answer that was saved elsewhere.
    ///
    /// # Errors
    /// When there is no such test or answer.
    pub fn take(&mut self, given: Given) -> Result<(), SessionError> {
        self.check(given.test, &given.reply)?;
        match self
            .answers
            .iter()
            .position(|earlier| earlier.test == given.test)
            .filter(|_| !self.rules.repeat_tests)
        {
            // Whether the answer was volunteered stays the same: changing an answer and back changes nothing.
            Some(at) => self.answers[at].reply = given.reply,
            None => self.answers.push(given),
        }
        Ok(())
    }

    /// Replaces the answer numbered `at`, from 0; the others stay.
    ///
    /// # Errors
    /// When there is no such answer.
    pub fn change(&mut self, at: usize, reply: Reply) -> Result<(), SessionError> {
        let count = self.answers.len();
        let test = self.answers.get(at).ok_or(SessionError::NotGiven { count })?.test;
        self.check(test, &reply)?;
        self.answers[at].reply = reply;
        Ok(())
    }

    /// Removes the answer numbered `at`, from 0; the others stay.
    ///
    /// # Errors
    /// When there is no such answer.
    pub fn remove(&mut self, at: usize) -> Result<Given, SessionError> {
        let count = self.answers.len();
        if at < count { Ok(self.answers.remove(at)) } else { Err(SessionError::NotGiven { count }) }
    }

    /// Removes the last answer to `test`.
    ///
    /// # Errors
    /// When the test has no answer.
    pub fn withdraw(&mut self, test: TestId) -> Result<Given, SessionError> {
        let at = self.answers.iter().rposition(|given| given.test == test);
        self.remove(at.unwrap_or(self.answers.len()))
    }

    /// Returns a copy of the session with another answer to `test`.
    ///
    /// # Errors
    /// When there is no such test or answer.
    pub fn what_if(&self, test: TestId, reply: Reply) -> Result<Self, SessionError> {
        let mut other = self.clone();
        match other.answers.iter().rposition(|given| given.test == test) {
            Some(at) => other.change(at, reply)?,
            None => other.give(test, reply)?,
        }
        Ok(other)
    }

    /// Checks that the test exists and has these answers.
    fn check(&self, test: TestId, reply: &Reply) -> Result<(), SessionError> {
        if test.index() >= self.instance.test_count() {
            return Err(SessionError::NoTest { test, count: self.instance.test_count() });
        }
        let (name, arity) = (&self.instance.test(test).name, self.instance.test(test).arity());
        match reply {
            Reply::Unknown => Ok(()),
            Reply::OneOf(answers)
                if !answers.is_empty()
                    && answers.iter().all(|answer| answer.index() < arity)
                    && answers.is_sorted_by(|left, right| left < right) =>
            {
                Ok(())
            }
            Reply::OneOf(_) => Err(SessionError::NoAnswer { test: name.clone(), arity }),
        }
    }

    /// Returns the cost of the questions asked so far. Volunteered facts are free; a question answered by "I don't
    /// know" is not.
    pub fn cost(&self) -> f64 {
        self.spent() / self.instance.costs().scale()
    }

    /// Tests that were asked, in order of tests, so that sums over them do not depend on the order of
    /// answers.
    fn asked(&self) -> Vec<TestId> {
        let asked = self.answers.iter().filter(|given| !given.volunteered);
        let mut asked: Vec<TestId> = asked.map(|given| given.test).collect();
        asked.sort_unstable();
        asked
    }
}
