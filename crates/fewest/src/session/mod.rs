//! A questioning in progress: what to ask next, what the answers mean, and why.
//!
//! A [`Session`] is an instance, a plan, rules and a list of answers. Nothing else is state: everything it says is
//! computed from these, so that any answer can be changed or withdrawn and the later ones stay, and so that a session
//! can be rebuilt anywhere from its answers alone. It has no prompts, no timers and no storage.
//!
//! ```
//! use fewest::session::{Plan, Reply, Rules, Session, Step, words};
//! use fewest::{Instance, Reading, Table};
//!
//! let table = Table::from_rows(&[
//!     &["object", "barks", "legs"],
//!     &["dog", "yes", "4"],
//!     &["cat", "no", "4"],
//!     &["hen", "no", "2"],
//! ]);
//! let (instance, _) = Instance::new(table, &Reading::default())?;
//! let mut session = Session::new(&instance, Plan::default(), Rules::default())?;
//! let Step::Ask(test) = session.step() else { panic!("three objects are possible") };
//! assert_eq!(instance.test(test).name, "barks");
//! let (test, reply) = words::parse(&instance, "barks=no")?;
//! session.give(test, reply)?;
//! session.volunteer(instance.find_test("legs").unwrap(), Reply::is(fewest::AnswerId(1)))?;
//! assert!(matches!(session.step(), Step::Done(_)));
//! assert_eq!(session.candidates().len(), 1); // the hen
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choose;
mod contradiction;
mod explain;
mod follow;
mod information;
mod outlook;
mod posterior;
mod reply;
mod rules;
pub mod simulate;
mod why;
pub mod words;

pub use contradiction::{Contradiction, Doubt};
pub use explain::{Difference, Explanation, Said};
pub use reply::{Given, Reply};
pub use rules::{Errors, Plan, Rule, Rules, SessionError, USUAL_CERTAINTY, Until};
pub use why::{Basis, Choice, Remaining, Split, Why};

use choose::Scored;
use fewest_model::{GroupId, Instance, ObjectId, TestId};
use posterior::Posterior;

/// A questioning in progress.
#[derive(Clone, Debug)]
pub struct Session<'a> {
    instance: &'a Instance,
    plan: Plan<'a>,
    rules: Rules,
    answers: Vec<Given>,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Ask this test.
    Ask(TestId),
    /// Ask no more.
    Done(Reason),
}

/// Why a session is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Nothing else is possible.
    Identified,
    /// The likeliest is likely enough.
    Certain,
    /// As many are left as were wanted.
    FewLeft,
    /// No question that would help is within the cost limit.
    TooDear,
    /// No question that may be asked tells anything more.
    NothingToAsk,
    /// No object fits the answers.
    Contradiction,
}

impl Reason {
    /// One word for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identified => "identified",
            Self::Certain => "certain",
            Self::FewLeft => "few-left",
            Self::TooDear => "too-dear",
            Self::NothingToAsk => "nothing-to-ask",
            Self::Contradiction => "contradiction",
        }
    }
}

/// An object that may be the one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The object.
    pub object: ObjectId,
    /// How likely it is.
    pub probability: f64,
    /// How many answers would be wrong if it were the one.
    pub mismatches: u32,
}

/// A group that may be the one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupShare {
    /// The group.
    pub group: GroupId,
    /// How likely it is.
    pub probability: f64,
    /// How many of its objects are possible.
    pub objects: usize,
}

/// What a session says at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// What to do next.
    pub step: Step,
    /// The best questions, that of the step first; none where the session is over.
    pub ranking: Vec<Choice>,
    /// As [`Session::candidates`].
    pub candidates: Vec<Candidate>,
    /// As [`Session::groups`].
    pub groups: Vec<GroupShare>,
    /// As [`Session::cost`].
    pub cost: f64,
}

impl<'a> Session<'a> {
    /// A session without answers.
    ///
    /// # Errors
    /// When the rules do not fit the instance.
    pub fn new(instance: &'a Instance, plan: Plan<'a>, rules: Rules) -> Result<Self, SessionError> {
        rules.check(instance)?;
        Ok(Self { instance, plan, rules, answers: Vec::new() })
    }

    /// What is asked about.
    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    /// What chooses the questions.
    pub fn plan(&self) -> Plan<'a> {
        self.plan
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// All that was said, in the order in which it was said first.
    pub fn answers(&self) -> &[Given] {
        &self.answers
    }

    /// Takes the reply to a question. A reply given before to the same test is changed in its place, unless tests may be
    /// asked again.
    ///
    /// # Errors
    /// When there is no such test or answer.
    pub fn give(&mut self, test: TestId, reply: Reply) -> Result<(), SessionError> {
        self.take(Given { test, reply, volunteered: false })
    }

    /// Takes what is known without asking: as [`give`](Self::give), at no cost.
    ///
    /// # Errors
    /// When there is no such test or answer.
    pub fn volunteer(&mut self, test: TestId, reply: Reply) -> Result<(), SessionError> {
        self.take(Given { test, reply, volunteered: true })
    }

    /// Takes what was said elsewhere, such as a saved answer.
    ///
    /// # Errors
    /// When there is no such test or answer.
    pub fn take(&mut self, given: Given) -> Result<(), SessionError> {
        self.refuse(given.test, &given.reply)?;
        match self.answers.iter().position(|earlier| earlier.test == given.test).filter(|_| !self.rules.again)
        {
            // How it became known stays: changing an answer and back changes nothing.
            Some(at) => self.answers[at].reply = given.reply,
            None => self.answers.push(given),
        }
        Ok(())
    }

    /// Changes the answer numbered `at`, from 0; the others stay.
    ///
    /// # Errors
    /// When there is no such answer.
    pub fn change(&mut self, at: usize, reply: Reply) -> Result<(), SessionError> {
        let count = self.answers.len();
        let test = self.answers.get(at).ok_or(SessionError::NotGiven { count })?.test;
        self.refuse(test, &reply)?;
        self.answers[at].reply = reply;
        Ok(())
    }

    /// Takes the answer numbered `at` back, from 0; the others stay.
    ///
    /// # Errors
    /// When there is no such answer.
    pub fn remove(&mut self, at: usize) -> Result<Given, SessionError> {
        let count = self.answers.len();
        if at < count { Ok(self.answers.remove(at)) } else { Err(SessionError::NotGiven { count }) }
    }

    /// Takes back what was said last of `test`.
    ///
    /// # Errors
    /// When nothing was said of it.
    pub fn withdraw(&mut self, test: TestId) -> Result<Given, SessionError> {
        let at = self.answers.iter().rposition(|given| given.test == test);
        self.remove(at.unwrap_or(self.answers.len()))
    }

    /// The same session with another answer to `test`: what would be if it were different.
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

    fn refuse(&self, test: TestId, reply: &Reply) -> Result<(), SessionError> {
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

    /// What was asked so far has cost. Facts that were known are free; a question that nobody could answer is not.
    pub fn cost(&self) -> f64 {
        let units = self.asked().into_iter().map(|test| self.instance.costs().units()[test.index()]);
        units.fold(0.0, |sum, unit| sum + unit) / self.instance.costs().scale()
    }

    /// The tests that were asked, in order of tests, so that sums over them do not depend on when.
    fn asked(&self) -> Vec<TestId> {
        let asked = self.answers.iter().filter(|given| !given.volunteered);
        let mut asked: Vec<TestId> = asked.map(|given| given.test).collect();
        asked.sort_unstable();
        asked
    }

    /// What to do next.
    pub fn step(&self) -> Step {
        self.decide(&self.posterior()).0
    }

    /// All that a screen shows at once, with the `most` best questions: what the single methods give, for less.
    pub fn state(&self, most: usize) -> State {
        let believed = self.posterior();
        let (step, scores) = self.decide(&believed);
        let ranking = match step {
            Step::Ask(test) => self.ranked(&believed, scores, test, most),
            Step::Done(_) => Vec::new(),
        };
        State {
            step,
            ranking,
            candidates: self.candidates_of(&believed),
            groups: self.groups_of(&believed),
            cost: self.cost(),
        }
    }

    /// What to do next, with the scores of tests where they had to be known for it.
    fn decide(&self, believed: &Posterior) -> (Step, Option<Vec<Scored>>) {
        if let Some(end) = self.end(believed) {
            return (end, None);
        }
        let of_tree = self.follow(believed).and_then(|(tree, node)| tree.node(node).test());
        if let Some(test) = of_tree.filter(|_| self.rules.first.is_empty()) {
            return (Step::Ask(test), None);
        }
        let scores = self.scores(believed);
        let tells = |test: &&TestId| {
            scores.iter().any(|(other, score)| other == *test && *score > 0.0)
                && !self.answers.iter().any(|given| given.test == **test)
        };
        let first = self.rules.first.iter().find(tells).copied();
        let step = match first.or(of_tree).or_else(|| self.best(&scores, believed)) {
            Some(test) => Step::Ask(test),
            None => Step::Done(self.why_nothing(believed)),
        };
        (step, Some(scores))
    }

    /// The end, where it is reached; or the question that confirms the last object.
    fn end(&self, believed: &Posterior) -> Option<Step> {
        if believed.live.is_empty() {
            return Some(Step::Done(Reason::Contradiction));
        }
        if let [object] = believed.live[..]
            && let Some(test) = self.instance.confirming(object)
            && self.is_free(test)
        {
            let step = if self.is_affordable(test) { Step::Ask(test) } else { Step::Done(Reason::TooDear) };
            return Some(step);
        }
        let left = self.rules.left.max(1);
        if believed.classes.len() <= left {
            let reason = if believed.classes.len() == 1 { Reason::Identified } else { Reason::FewLeft };
            return Some(Step::Done(reason));
        }
        let certainty = self.rules.certainty();
        let enough = certainty < 1.0 && believed.share_of_best(left) >= certainty;
        enough.then_some(Step::Done(if left == 1 { Reason::Certain } else { Reason::FewLeft }))
    }

    /// Why no question is left: the cost limit, if there would be one without it.
    fn why_nothing(&self, believed: &Posterior) -> Reason {
        if self.rules.max_cost.is_none() {
            return Reason::NothingToAsk;
        }
        let mut free = self.clone();
        free.rules.max_cost = None;
        let helps = free.best(&free.scores(believed), believed).is_some();
        if helps { Reason::TooDear } else { Reason::NothingToAsk }
    }

    /// The objects that are possible, the likeliest first, equally likely ones by row. Where errors are counted, those
    /// that contradict fewer answers come first.
    pub fn candidates(&self) -> Vec<Candidate> {
        self.candidates_of(&self.posterior())
    }

    fn candidates_of(&self, believed: &Posterior) -> Vec<Candidate> {
        let all = believed.live.iter().zip(&believed.weights).zip(&believed.mismatches);
        let mut all: Vec<Candidate> = all
            .map(|((object, weight), mismatches)| Candidate {
                object: *object,
                probability: weight / believed.total,
                mismatches: *mismatches,
            })
            .collect();
        let counted = matches!(self.rules.errors, Errors::AtMost(_));
        all.sort_by(|left, right| {
            let fewer =
                if counted { left.mismatches.cmp(&right.mismatches) } else { std::cmp::Ordering::Equal };
            let likelier = right.probability.total_cmp(&left.probability);
            fewer.then(likelier).then(left.object.cmp(&right.object))
        });
        all
    }

    /// The groups that are possible, the likeliest first, equally likely ones by first row.
    pub fn groups(&self) -> Vec<GroupShare> {
        self.groups_of(&self.posterior())
    }

    fn groups_of(&self, believed: &Posterior) -> Vec<GroupShare> {
        let mut objects: Vec<(GroupId, f64)> = believed
            .live
            .iter()
            .zip(&believed.weights)
            .map(|(object, weight)| (self.instance.group_of(*object), *weight))
            .collect();
        objects.sort_by_key(|(group, _)| *group);
        let parts = objects.chunk_by(|left, right| left.0 == right.0);
        let mut groups: Vec<GroupShare> = parts
            .map(|part| GroupShare {
                group: part[0].0,
                probability: part.iter().map(|(_, weight)| weight).sum::<f64>() / believed.total,
                objects: part.len(),
            })
            .collect();
        groups.sort_by(|left, right| {
            right.probability.total_cmp(&left.probability).then(left.group.cmp(&right.group))
        });
        groups
    }
}
