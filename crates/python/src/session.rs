//! Sessions: questions one by one. A session is a table, a plan, rules and answers; each call makes the library's
//! session anew from these, so that nothing borrows from the interpreter.

use crate::error::Fault;
use crate::goal::lambda;
use crate::strategy::Strategy;
use crate::table::{Contents, Table, json};
use fewest::session::{
    Errors, Given, GreedyRule, Plan, Reply, Session as Asking, SessionRules, Snapshot, Step, Until, parse,
};
use fewest::{Instance, TestId, Tree};
use fewest_formats::json::Number;
use fewest_formats::{AnswerPart, SavedSession};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Rules as Python gives them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RuleOptions {
    /// Most wrong answers.
    errors: Option<u32>,
    /// Probability of a wrong answer.
    noise: Option<f64>,
    /// Probability of a wrong answer by test.
    noise_of: BTreeMap<String, f64>,
    until: String,
    certainty: Option<f64>,
    left: usize,
    max_cost: Option<f64>,
    without: Vec<String>,
    first: Vec<String>,
    again: bool,
    rule: Option<String>,
    #[pyo3(item("lam"))]
    lambda: f64,
    cost_blind: bool,
}

impl RuleOptions {
    pub(crate) fn rules(&self, instance: &Instance) -> PyResult<SessionRules> {
        let tests =
            |names: &[String]| names.iter().map(|name| test(instance, name)).collect::<Result<_, _>>();
        let errors = match (self.errors, self.noise, self.noise_of.is_empty()) {
            (Some(most), None, true) => Errors::AtMost(most),
            (Some(_), ..) => {
                return Err(PyValueError::new_err("give errors= or noise=, not both"));
            }
            (None, None, true) => Errors::None,
            (None, Some(rate), true) => Errors::Rate(rate),
            (None, rate, false) => {
                let mut rates = vec![rate.unwrap_or(0.0); instance.test_count()];
                for (name, rate) in &self.noise_of {
                    rates[test(instance, name)?.index()] = *rate;
                }
                Errors::Rates(rates)
            }
        };
        let until = match self.until.as_str() {
            "identified" | "group" => Until::Identified,
            "object" => Until::Object,
            other => {
                return Err(PyValueError::new_err(format!(
                    "until: there is no `{other}`; choose identified or object"
                )));
            }
        };
        Ok(SessionRules {
            errors,
            until,
            certainty: self.certainty,
            stop_at: self.left,
            max_cost: self.max_cost,
            without: tests(&self.without)?,
            first: tests(&self.first)?,
            repeat_tests: self.again,
        })
    }

    pub(crate) fn rule(&self) -> PyResult<GreedyRule> {
        let rule = match &self.rule {
            None => GreedyRule::default(),
            Some(name) => GreedyRule::named(name).ok_or_else(|| {
                let message = format!("there is no rule `{name}` for sessions; see `fewest.algorithms()`");
                Fault::Name { message, nearest: None }
            })?,
        };
        Ok(GreedyRule { lambda: lambda(self.lambda)?, cost_blind: self.cost_blind, ..rule })
    }
}

fn test(instance: &Instance, name: &str) -> Result<TestId, Fault> {
    parse::find_test(instance, name).map_err(Fault::from)
}

/// Questions about one unknown object.
#[pyclass(frozen, module = "fewest._fewest")]
pub(crate) struct Session {
    contents: Arc<Contents>,
    tree: Option<Arc<Tree>>,
    rule: GreedyRule,
    rules: SessionRules,
    answers: Mutex<Vec<Given>>,
}

/// A possible object: names, groups, probability, answers that would be wrong.
type Possible = (Vec<String>, Vec<String>, f64, u32);

/// A question: test, text, cost, answers.
type Question = (String, String, f64, Vec<String>);

#[derive(Serialize)]
struct ChoicePart<'a> {
    test: &'a str,
    cost: Number,
    gain_bits: Number,
    ruled_out: Number,
    score: Number,
    expected_cost_left: Option<Number>,
}

#[derive(Serialize)]
struct SplitPart<'a> {
    answer: &'a str,
    probability: Number,
    objects: usize,
    groups: usize,
}

#[derive(Serialize)]
struct SaidPart<'a> {
    test: &'a str,
    answers: Vec<&'a str>,
    expected: Vec<&'a str>,
    likelihood: Number,
}

impl Session {
    fn given(&self) -> MutexGuard<'_, Vec<Given>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn session_of(&self, answers: &[Given]) -> Result<Asking<'_>, Fault> {
        let plan = Plan { tree: self.tree.as_deref(), rule: self.rule };
        let mut session = Asking::new(&self.contents.instance, plan, self.rules.clone())?;
        answers.iter().try_for_each(|given| session.take(given.clone()))?;
        Ok(session)
    }

    /// Calls `look` with the session as it is now.
    fn look<T>(&self, look: impl FnOnce(&Asking<'_>) -> Result<T, Fault>) -> PyResult<T> {
        let answers = self.given().clone();
        Ok(look(&self.session_of(&answers)?)?)
    }

    /// Changes the answers, unless that is refused.
    fn change_by(&self, change: impl FnOnce(&mut Asking<'_>) -> Result<(), Fault>) -> PyResult<()> {
        let mut answers = self.given();
        let mut session = self.session_of(&answers)?;
        change(&mut session)?;
        let changed = session.answers().to_vec();
        *answers = changed;
        Ok(())
    }

    /// Replies to `name`, which may be a measured column: then all its tests are answered.
    fn replies(&self, name: &str, answer: Option<&str>) -> Result<Vec<(TestId, Reply)>, Fault> {
        let instance = &self.contents.instance;
        let Some(answer) = answer else { return Ok(vec![(test(instance, name)?, Reply::Unknown)]) };
        let column = match instance.find_test(name) {
            Some(test) => instance.test(test).measure.as_ref().map(|measure| measure.column.as_str()),
            None => Some(name),
        };
        if let Some(column) = column
            && instance.find_test(name).is_none_or(|test| instance.test(test).find_answer(answer).is_none())
            && let Some(facts) = parse::measured_facts(instance, column, answer)
        {
            return Ok(facts);
        }
        let test = test(instance, name)?;
        Ok(vec![(test, parse::parse_reply(instance, test, answer)?)])
    }
}

fn answers_of<'i>(instance: &'i Instance, test: TestId, answers: &[fewest::AnswerId]) -> Vec<&'i str> {
    let test = instance.test(test);
    answers.iter().map(|answer| test.answers.get(answer.index())).collect()
}

fn choice_part<'i>(instance: &'i Instance, choice: &fewest::session::Choice) -> ChoicePart<'i> {
    ChoicePart {
        test: &instance.test(choice.test).name,
        cost: Number(choice.cost),
        gain_bits: Number(choice.gain_bits),
        ruled_out: Number(choice.ruled_out),
        score: Number(choice.score),
        expected_cost_left: choice.remaining.map(Number),
    }
}

fn text_of(instance: &Instance, test: TestId) -> String {
    let test = instance.test(test);
    test.question.clone().unwrap_or_else(|| format!("{}?", test.name))
}

fn question(snapshot: &Snapshot<'_, '_>) -> Option<Question> {
    let Step::Ask(test) = snapshot.step() else { return None };
    let instance = snapshot.session().instance();
    let splits = snapshot.splits(test);
    let answers: Vec<fewest::AnswerId> = splits.into_iter().map(|split| split.answer).collect();
    let answers = answers_of(instance, test, &answers).into_iter().map(str::to_owned).collect();
    Some((instance.test(test).name.clone(), text_of(instance, test), snapshot.cost_of(test), answers))
}

fn why(snapshot: &Snapshot<'_, '_>, most: usize) -> Result<Option<String>, Fault> {
    let instance = snapshot.session().instance();
    let Some(why) = snapshot.why(most) else { return Ok(None) };
    let test = instance.test(why.choice.test);
    let basis = match why.basis {
        fewest::session::Basis::Tree => "tree",
        fewest::session::Basis::First => "first",
        fewest::session::Basis::Confirmation => "confirmation",
        fewest::session::Basis::Rule => "rule",
    };
    let split = |split: &fewest::session::Split| SplitPart {
        answer: test.answers.get(split.answer.index()),
        probability: Number(split.probability),
        objects: split.objects,
        groups: split.classes,
    };
    json(|document| {
        document.field("choice", &choice_part(instance, &why.choice))?;
        document.field("basis", basis)?;
        document.list("splits", why.splits.iter().map(split))?;
        document.list("alternatives", why.alternatives.iter().map(|choice| choice_part(instance, choice)))
    })
    .map(Some)
}

#[pymethods]
impl Session {
    #[new]
    fn new(table: &Table, strategy: Option<&Strategy>, rules: RuleOptions) -> PyResult<Self> {
        let contents = Arc::clone(&table.contents);
        let tree = strategy.and_then(|strategy| strategy.tree().cloned());
        let session = Self {
            rule: rules.rule()?,
            rules: rules.rules(&contents.instance)?,
            contents,
            tree,
            answers: Mutex::default(),
        };
        session.session_of(&[])?;
        Ok(session)
    }

    /// The question to ask next: test, text, cost, answers; none if the session is over.
    #[getter]
    fn question(&self) -> PyResult<Option<Question>> {
        self.look(|session| Ok(question(&session.snapshot())))
    }

    /// Why the session is over; none if it is not.
    #[getter]
    fn reason(&self) -> PyResult<Option<&'static str>> {
        self.look(|session| match session.step() {
            Step::Ask(_) => Ok(None),
            Step::Done(reason) => Ok(Some(reason.name())),
        })
    }

    /// Cost of the questions so far.
    #[getter]
    fn cost(&self) -> PyResult<f64> {
        self.look(|session| Ok(session.cost()))
    }

    /// Possible objects: names, groups, probability, answers that would be wrong.
    #[getter]
    fn candidates(&self) -> PyResult<Vec<Possible>> {
        self.look(|session| {
            let instance = session.instance();
            let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
            let one = |found: fewest::session::Candidate| {
                let names = instance.object_names(found.object).map(str::to_owned).collect();
                let groups = owned(instance.group_names(instance.group_of(found.object)));
                (names, groups, found.probability, found.mismatches)
            };
            Ok(session.candidates().into_iter().map(one).collect())
        })
    }

    /// Possible groups: names, probability, number of possible objects.
    #[getter]
    fn groups(&self) -> PyResult<Vec<(Vec<String>, f64, usize)>> {
        self.look(|session| {
            let names = |share: &fewest::session::GroupShare| {
                session.instance().group_names(share.group).into_iter().map(str::to_owned).collect()
            };
            let one = |share: fewest::session::GroupShare| (names(&share), share.probability, share.objects);
            Ok(session.groups().into_iter().map(one).collect())
        })
    }

    /// Answers so far: test, answers (none: not known), whether it was volunteered.
    #[getter]
    fn answers(&self) -> Vec<(String, Vec<String>, bool)> {
        let instance = &self.contents.instance;
        let one = |given: &Given| {
            let part = AnswerPart::new(given, instance);
            (part.test, part.answers, part.volunteered)
        };
        self.given().iter().map(one).collect()
    }

    /// Why the question is asked, with at most `most` others, as JSON.
    fn why(&self, most: usize) -> PyResult<Option<String>> {
        self.look(|session| why(&session.snapshot(), most))
    }

    /// Answer the question, or another test.
    #[pyo3(signature = (answer, name=None))]
    fn answer(&self, answer: Option<&str>, name: Option<&str>) -> PyResult<()> {
        let name = match name {
            Some(name) => name.to_owned(),
            None => match self.look(|session| Ok(session.step()))? {
                Step::Ask(test) => self.contents.instance.test(test).name.clone(),
                Step::Done(reason) => {
                    let message = format!("the session is over ({}): there is no question", reason.name());
                    return Err(Fault::Session(message).into());
                }
            },
        };
        let replies = self.replies(&name, answer)?;
        let asked = self.contents.instance.find_test(&name);
        self.change_by(|session| {
            for (at, (test, reply)) in replies.into_iter().enumerate() {
                // Of the tests of a measured column one is asked; the others follow from it.
                let is_asked = asked.map_or(at == 0, |asked| asked == test);
                session.take(Given { test, reply, volunteered: !is_asked })?;
            }
            Ok(())
        })
    }

    /// Tell a fact that was not asked for, at no cost.
    fn tell(&self, name: &str, answer: Option<&str>) -> PyResult<()> {
        let replies = self.replies(name, answer)?;
        self.change_by(|session| {
            for (test, reply) in replies {
                session.volunteer(test, reply)?;
            }
            Ok(())
        })
    }

    /// Replace the answer numbered `at`.
    fn change(&self, at: usize, answer: Option<&str>) -> PyResult<()> {
        let instance = &self.contents.instance;
        let test = self.given().get(at).map(|given| given.test);
        let reply = match (test, answer) {
            (Some(test), Some(answer)) => parse::parse_reply(instance, test, answer).map_err(Fault::from)?,
            _ => Reply::Unknown,
        };
        self.change_by(|session| Ok(session.change(at, reply)?))
    }

    /// Remove the answer numbered `at`.
    fn remove(&self, at: usize) -> PyResult<()> {
        self.change_by(|session| {
            session.remove(at)?;
            Ok(())
        })
    }

    /// A copy that goes on by itself.
    fn copy(&self) -> Self {
        Self {
            contents: Arc::clone(&self.contents),
            tree: self.tree.clone(),
            rule: self.rule,
            rules: self.rules.clone(),
            answers: Mutex::new(self.given().clone()),
        }
    }

    /// Answers for and against an object, as JSON.
    fn explain(&self, object: &str) -> PyResult<String> {
        self.look(|session| {
            let instance = session.instance();
            let object = parse::find_object(instance, object)?;
            let found = session.explain(object);
            let said = |said: &fewest::session::CheckedAnswer| SaidPart {
                test: &instance.test(said.test).name,
                answers: answers_of(instance, said.test, said.reply.answers()),
                expected: answers_of(instance, said.test, &said.expected),
                likelihood: Number(said.likelihood),
            };
            json(|document| {
                document.field("object", &instance.object_names(object).collect::<Vec<_>>())?;
                document.field("prior", &Number(found.prior))?;
                document.field("probability", &Number(found.probability))?;
                document.list("agree", found.agree.iter().map(said))?;
                document.list("disagree", found.disagree.iter().map(said))
            })
        })
    }

    /// Tests whose answers contradict each other; none if they do not.
    #[getter]
    fn contradiction(&self) -> PyResult<Option<Vec<String>>> {
        self.look(|session| {
            let name = |at: &usize| session.instance().test(session.answers()[*at].test).name.clone();
            let has_answers = session.answers().iter().any(|given| !given.reply.answers().is_empty());
            let found = if has_answers { session.contradiction() } else { None };
            Ok(found.map(|found| found.answers.iter().map(name).collect()))
        })
    }

    /// The session as the file that `fewest ask --resume` reads.
    fn to_json<'py>(&self, py: Python<'py>, source: &str) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.look(|session| {
            let mut bytes = Vec::new();
            let written = SavedSession::new(session, source).write(&mut bytes);
            written.map_err(|error| Fault::Other(error.to_string()))?;
            Ok(bytes)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Take all answers of a saved session.
    fn replay(&self, data: &[u8]) -> PyResult<()> {
        let saved = SavedSession::read(data).map_err(|error| Fault::Session(error.to_string()))?;
        self.change_by(|session| saved.replay(session).map_err(|error| Fault::Session(error.to_string())))
    }
}
