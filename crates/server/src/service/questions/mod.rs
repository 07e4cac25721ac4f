//! Computation of the next question and its reasons from a table, options and answers, without side effects.
//!
//! A session is its answers; everything here is computed from them, by the same library as in the command line.

mod answers;
mod context;
mod explanation;
mod state;

pub(crate) use answers::{Answer, AnswerValue, answer_in_words, given, tests_about};
pub(crate) use context::SessionContext;
pub(crate) use explanation::{
    CandidateDifference, Explanation, Held, Rationale, explanation, find_candidate, rationale,
};
pub(crate) use state::{Alternative, PossibleAnswer, Situation, situation};

use crate::error::Problem;
use crate::json::JsonNumber;
use crate::word::UntilWord;
use fewest::session::{Errors, GreedyRule, Plan, Session, SessionRules, parse};
use fewest::{Instance, Lambda, TestId, Tree};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

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
    /// Tests that cannot be asked, and tools that are not at hand.
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
        for given in given(instance, answer)? {
            session.take(given).map_err(Problem::unfit)?;
        }
    }
    Ok(session)
}

/// Finds the test with this name.
pub(crate) fn test(instance: &Instance, name: &str) -> Result<TestId, Problem> {
    instance.find_test(name).ok_or_else(|| {
        let names = instance.test_ids().map(|test| instance.test(test).name.as_str());
        let meant = parse::did_you_mean(parse::nearest(names, name));
        Problem::unfit(format!("there is no test `{}`{meant}", cut(name)))
    })
}

/// Tests that cannot be asked without these tests and tools.
fn unavailable(instance: &Instance, names: &[String]) -> Result<Vec<TestId>, Problem> {
    let find = |name: &String| match (instance.find_test(name), parse::tests_that_need(instance, name)) {
        (None, tests) if !tests.is_empty() => Ok(tests),
        _ => test(instance, name).map(|test| vec![test]),
    };
    Ok(names.iter().map(find).collect::<Result<Vec<_>, _>>()?.concat())
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
            without: unavailable(instance, &self.without)?,
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
