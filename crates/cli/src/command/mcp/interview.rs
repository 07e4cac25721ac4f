//! The session behind the tools: the answers so far, and what follows from them.

use crate::command::ask::state;
use crate::load::Loaded;
use crate::wording;
use fewest::session::{Given, Reply};
use fewest::session::{GreedyRule, Plan, Session, SessionRules, Step, Why, parse};
use fewest::{Costs, Lambda, TestId, Tree};
use serde_json::{Value, json};

/// Alternatives that are told with the reason of a question.
const ALTERNATIVES: usize = 5;

/// What is known about the strategy.
pub(super) struct About {
    pub(super) words: String,
    pub(super) objective: String,
    pub(super) costs: Costs,
    pub(super) bound: f64,
    pub(super) is_best: bool,
}

/// A table, a strategy, and the answers so far.
pub(super) struct Interview {
    loaded: Loaded,
    tree: Tree,
    lambda: Lambda,
    about: About,
    answers: Vec<Given>,
}

impl Interview {
    pub(super) fn new(loaded: Loaded, tree: Tree, lambda: Lambda, about: About) -> Self {
        Self { loaded, tree, lambda, about, answers: Vec::new() }
    }

    /// The session after the answers so far.
    fn session(&self) -> Result<Session<'_>, String> {
        let rule = GreedyRule { lambda: self.lambda, ..GreedyRule::default() };
        let plan = Plan { tree: Some(&self.tree), rule };
        let session = Session::new(&self.loaded.instance, plan, SessionRules::default());
        let mut session = session.map_err(|error| error.to_string())?;
        for given in &self.answers {
            session.take(given.clone()).map_err(|error| error.to_string())?;
        }
        Ok(session)
    }

    /// The state, as `fewest ask --json` prints it.
    pub(super) fn state(&self) -> Result<Value, String> {
        let session = self.session()?;
        let mut bytes = Vec::new();
        state(&mut bytes, &session, &self.loaded).map_err(|error| error.to_string())?;
        serde_json::from_slice(&bytes).map_err(|error| error.to_string())
    }

    /// Takes an answer to `test`, or to the question that is asked now; an answer that was given before is changed.
    pub(super) fn answer(&mut self, test: Option<&str>, answer: &str) -> Result<Value, String> {
        let instance = &self.loaded.instance;
        let test = match test {
            Some(name) => parse::find_test(instance, name).map_err(|error| error.to_string())?,
            None => self.asked()?.ok_or("nothing is asked now; name the test that the answer is for")?,
        };
        let reply = parse::parse_reply(instance, test, answer).map_err(|error| error.to_string())?;
        let mut session = self.session()?;
        let known = session.answers().iter().position(|given| given.test == test);
        let done = match known {
            Some(at) => session.change(at, reply),
            None => give(&mut session, test, reply),
        };
        done.map_err(|error| error.to_string())?;
        self.answers = session.answers().to_vec();
        self.state()
    }

    /// Takes back the answer to `test`, or the last answer.
    pub(super) fn take_back(&mut self, test: Option<&str>) -> Result<Value, String> {
        let at = match test {
            Some(name) => {
                let test =
                    parse::find_test(&self.loaded.instance, name).map_err(|error| error.to_string())?;
                self.answers.iter().position(|given| given.test == test)
            }
            None => self.answers.len().checked_sub(1),
        };
        self.answers.remove(at.ok_or("there is no such answer to take back")?);
        self.state()
    }

    /// Begins again without answers.
    pub(super) fn restart(&mut self) -> Result<Value, String> {
        self.answers.clear();
        self.state()
    }

    fn asked(&self) -> Result<Option<TestId>, String> {
        Ok(match self.session()?.step() {
            Step::Ask(test) => Some(test),
            Step::Done(_) => None,
        })
    }

    /// Why this question is asked now.
    pub(super) fn why(&self) -> Result<Value, String> {
        let session = self.session()?;
        let Some(Why { choice, remaining, splits, alternatives, .. }) = session.why(ALTERNATIVES) else {
            return Err("nothing is asked now".to_owned());
        };
        let instance = session.instance();
        let column = instance.test(choice.test);
        let splits: Vec<Value> = splits
            .iter()
            .map(|split| {
                json!({
                    "answer": column.answer_text(split.answer),
                    "probability": split.probability,
                    "objects": split.objects,
                    "groups": split.classes,
                })
            })
            .collect();
        let others: Vec<Value> = alternatives
            .iter()
            .map(|other| json!({"test": instance.test(other.test).name, "cost": other.cost, "gain_bits": other.gain_bits, "remaining": other.remaining}))
            .collect();
        Ok(json!({
            "test": column.name,
            "cost": choice.cost,
            "gain_bits": choice.gain_bits,
            "ruled_out": choice.ruled_out,
            "remaining": remaining.map(|remaining| remaining.cost),
            "answers": splits,
            "alternatives": others,
        }))
    }

    /// How good the strategy is, with its proof in words.
    pub(super) fn bound(&self) -> Value {
        let About { words, objective, costs, bound, is_best } = &self.about;
        json!({
            "words": words,
            "objective": objective,
            "expected": costs.expected,
            "worst": costs.worst,
            "lower_bound": bound,
            "optimal": is_best,
            "table": wording::size(&fewest_formats::json::InstancePart::new(&self.loaded.instance)),
        })
    }
}

/// Takes an answer to the question that is asked, or one that was told without being asked.
fn give(session: &mut Session<'_>, test: TestId, reply: Reply) -> Result<(), fewest::session::SessionError> {
    match session.step() {
        Step::Ask(asked) if asked == test => session.give(test, reply),
        _ => session.volunteer(test, reply),
    }
}
