//! Computation of the next question and its reasons from a table, options and answers, without side effects.
//!
//! A session is its answers; everything here is computed from them, by the same library as in the command line.

mod context;
mod explanation;
mod state;

pub(crate) use context::SessionContext;
pub(crate) use explanation::{
    CandidateDifference, Explanation, Held, Rationale, explanation, find_candidate, rationale,
};
pub(crate) use state::{Alternative, PossibleAnswer, Situation, situation};

use crate::error::Problem;
use crate::json::JsonNumber;
use crate::word::UntilWord;
use fewest::session::{Errors, Given, GreedyRule, Plan, Reply, Session, SessionRules, parse};
use fewest::{AnswerId, Instance, Lambda, TestId, Tree};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Answer to a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answer {
    /// Name of the test.
    pub(crate) test: String,
    /// The answer, or several answers of which one is true; left out or null for "I don't know".
    #[serde(default)]
    pub(crate) value: Option<AnswerValue>,
    /// Whether the answer was known without a question, and so cost nothing.
    #[serde(default)]
    pub(crate) volunteered: bool,
}

/// One answer, or several of which one is true.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum AnswerValue {
    /// One answer.
    One(String),
    /// Several answers, of which one is true.
    Several(Vec<String>),
}

impl AnswerValue {
    /// Answers as a list.
    pub(crate) fn texts(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Several(texts) => texts,
        }
    }
}

/// Rules by which questions are chosen and a session ends; each may be left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AskingOptions {
    /// Id of a strategy to follow, as long as the answers lead through its tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) strategy: Option<String>,
    /// Greedy rule where there is no strategy, or where the answers left it; `ggbs` if this is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) algorithm: Option<String>,
    /// Parameter λ of rules for exponential cost, from 1 to `inf`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lambda: Option<JsonNumber>,
    /// Ignore costs: do not divide scores by the test's cost.
    pub(crate) cost_blind: bool,
    /// Probability that an answer is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, exclusive_maximum = 1)]
    pub(crate) error_rate: Option<f64>,
    /// Probability that an answer is wrong, for tests where it differs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) error_rates: BTreeMap<String, f64>,
    /// Most answers that may be wrong, instead of error rates.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub(crate) max_errors: Option<u32>,
    /// Goal of the session.
    pub(crate) until: UntilWord,
    /// Stop when the likeliest group or object has at least this probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(exclusive_minimum = 0, maximum = 1)]
    pub(crate) certainty: Option<f64>,
    /// Stop when at most this many groups or objects are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub(crate) left: Option<u32>,
    /// Most that all questions together may cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub(crate) max_cost: Option<f64>,
    /// Tests that cannot be asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) without: Vec<String>,
    /// Tests to ask before all others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) first: Vec<String>,
}

/// Returns the library's session, with all answers.
pub(crate) fn session<'a>(
    instance: &'a Instance,
    tree: Option<&'a Tree>,
    options: &AskingOptions,
    answers: &[Answer],
) -> Result<Session<'a>, Problem> {
    let plan = Plan { tree, rule: options.rule()? };
    let mut session = Session::new(instance, plan, options.rules(instance)?).map_err(Problem::unfit)?;
    for answer in answers {
        session.take(given(instance, answer)?).map_err(Problem::unfit)?;
    }
    Ok(session)
}

/// Converts an answer to the numbers of the table.
pub(crate) fn given(instance: &Instance, answer: &Answer) -> Result<Given, Problem> {
    let test = test(instance, &answer.test)?;
    let one = |text: &String| answer_of(instance, test, text);
    let reply = match &answer.value {
        None => Reply::Unknown,
        Some(AnswerValue::One(text)) => Reply::is(one(text)?),
        Some(AnswerValue::Several(texts)) => {
            Reply::one_of(texts.iter().map(one).collect::<Result<Vec<_>, _>>()?)
        }
    };
    if matches!(&reply, Reply::OneOf(answers) if answers.is_empty()) {
        return Err(Problem::unfit("`value`: a list of answers needs at least one; leave it out for none"));
    }
    Ok(Given { test, reply, volunteered: answer.volunteered })
}

fn answer_of(instance: &Instance, test: TestId, text: &str) -> Result<AnswerId, Problem> {
    let column = instance.test(test);
    let found = column.answers.iter().position(|answer| answer == text).map(AnswerId::at);
    found.ok_or_else(|| {
        let meant = parse::did_you_mean(parse::nearest(column.answers.iter(), text));
        Problem::unfit(format!("test `{}` has no answer `{}`{meant}", column.name, cut(text)))
    })
}

/// Finds the test with this name.
pub(crate) fn test(instance: &Instance, name: &str) -> Result<TestId, Problem> {
    instance.find_test(name).ok_or_else(|| {
        let names = instance.test_ids().map(|test| instance.test(test).name.as_str());
        let meant = parse::did_you_mean(parse::nearest(names, name));
        Problem::unfit(format!("there is no test `{}`{meant}", cut(name)))
    })
}

/// Beginning of a text, as much as a message needs.
pub(crate) fn cut(text: &str) -> String {
    text.chars().take(80).collect()
}

impl AskingOptions {
    fn rule(&self) -> Result<GreedyRule, Problem> {
        let mut rule = match self.algorithm.as_deref() {
            None => GreedyRule::default(),
            Some(name) => GreedyRule::named(name).ok_or_else(|| {
                Problem::unfit(format!(
                    "`algorithm`: there is no rule `{}` for sessions; build a strategy and name it instead, or leave this out",
                    cut(name)
                ))
            })?,
        };
        if let Some(lambda) = self.lambda {
            rule.lambda =
                Lambda::new(lambda.value()).map_err(|error| Problem::unfit(format!("`lambda`: {error}")))?;
        }
        rule.cost_blind = self.cost_blind;
        Ok(rule)
    }

    fn rules(&self, instance: &Instance) -> Result<SessionRules, Problem> {
        let tests =
            |names: &[String]| names.iter().map(|name| test(instance, name)).collect::<Result<Vec<_>, _>>();
        Ok(SessionRules {
            errors: self.errors(instance)?,
            until: self.until.0,
            certainty: self.certainty,
            stop_at: self.left.map_or(0, |left| left as usize),
            max_cost: self.max_cost,
            without: tests(&self.without)?,
            first: tests(&self.first)?,
            repeat_tests: false,
        })
    }

    fn errors(&self, instance: &Instance) -> Result<Errors, Problem> {
        let by_rate = self.error_rate.is_some() || !self.error_rates.is_empty();
        if by_rate && self.max_errors.is_some() {
            return Err(Problem::unfit("give error rates or `max_errors`, not both"));
        }
        if let Some(most) = self.max_errors {
            return Ok(Errors::AtMost(most));
        }
        let rate = self.error_rate.unwrap_or(0.0);
        if self.error_rates.is_empty() {
            return Ok(if by_rate { Errors::Rate(rate) } else { Errors::None });
        }
        let mut rates = vec![rate; instance.test_count()];
        for (name, rate) in &self.error_rates {
            rates[test(instance, name)?.index()] = *rate;
        }
        Ok(Errors::Rates(rates))
    }
}

/// Converts an answer from numbers to names.
pub(crate) fn answer_in_words(instance: &Instance, given: &Given) -> Answer {
    let column = instance.test(given.test);
    let text = |answer: &AnswerId| column.answers.get(answer.index()).to_owned();
    let value = match &given.reply {
        Reply::Unknown => None,
        Reply::OneOf(answers) => Some(match &answers[..] {
            [answer] => AnswerValue::One(text(answer)),
            several => AnswerValue::Several(several.iter().map(text).collect()),
        }),
    };
    Answer { test: column.name.clone(), value, volunteered: given.volunteered }
}
