//! From a table, options and answers to what is to be asked next, and why: values in, values out.
//!
//! A session is its answers; everything here is computed anew from them, by the engine that the command line uses.

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
use fewest::session::{Errors, Given, GreedyRule, Plan, Reply, Session, SessionRules, Until, parse};
use fewest::{AnswerId, Instance, Lambda, TestId, Tree};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// An answer to a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answer {
    /// The test.
    pub(crate) test: String,
    /// What was answered; several answers where one of them is true; nothing for "I don't know".
    #[serde(default)]
    pub(crate) value: Option<AnswerValue>,
    /// Whether it was known without asking, and so cost nothing.
    #[serde(default)]
    pub(crate) volunteered: bool,
}

/// One answer, or several of which one is true.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum AnswerValue {
    /// This answer.
    One(String),
    /// One of these answers.
    Several(Vec<String>),
}

impl AnswerValue {
    /// The answers, one or several.
    pub(crate) fn texts(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Several(texts) => texts,
        }
    }
}

/// What has to be found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum UntilWord {
    /// What the table identifies: the group where there are groups.
    #[default]
    Identified,
    /// The object itself.
    Object,
}

/// How questions are chosen and when there are enough of them; all may be left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AskingOptions {
    /// Follow this strategy as long as the answers do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) strategy: Option<String>,
    /// The greedy rule where there is no strategy, or where answers left it; `ggbs` if this is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) algorithm: Option<String>,
    /// The λ of rules that aim at exponential cost, from 1 to `inf`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lambda: Option<JsonNumber>,
    /// Take scores as they are, not divided by the test's cost.
    pub(crate) cost_blind: bool,
    /// How likely an answer is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, exclusive_maximum = 1)]
    pub(crate) error_rate: Option<f64>,
    /// How likely an answer to this test is wrong, where that differs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) error_rates: BTreeMap<String, f64>,
    /// Instead of rates: how many answers may be wrong in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub(crate) max_errors: Option<u32>,
    /// What has to be found.
    pub(crate) until: UntilWord,
    /// Stop when what is likeliest has at least this probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(exclusive_minimum = 0, maximum = 1)]
    pub(crate) certainty: Option<f64>,
    /// Stop when this many are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub(crate) left: Option<u32>,
    /// What all questions together may cost.
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

/// The engine's session, with all that was answered.
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

/// The answer in the numbers of the table.
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
        let meant = parse::nearest(column.answers.iter(), text);
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        Problem::unfit(format!("test `{}` has no answer `{}`{meant}", column.name, cut(text)))
    })
}

/// The test called `name`.
pub(crate) fn test(instance: &Instance, name: &str) -> Result<TestId, Problem> {
    instance.find_test(name).ok_or_else(|| {
        let names = instance.test_ids().map(|test| instance.test(test).name.as_str());
        let meant = parse::nearest(names, name);
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        Problem::unfit(format!("there is no test `{}`{meant}", cut(name)))
    })
}

/// As much of a text as a message needs.
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
            until: match self.until {
                UntilWord::Identified => Until::Identified,
                UntilWord::Object => Until::Object,
            },
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

/// What was said, in words.
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
