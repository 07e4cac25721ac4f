//! Plan and rules of a session, from the options.

use crate::args::{AlgorithmArg, SessionArgs, UntilArg};
use crate::failure::Failure;
use crate::load::listed;
use crate::spell::flag;
use crate::wording;
use fewest::session::{Errors, GreedyRule, SessionRules, Until, parse};
use fewest::{Goal, Instance, Limit, Method, TestId, Tree, build};
use fewest_formats::Strategy;
use std::path::Path;
use std::time::Duration;

/// Source of the questions: a strategy tree or a greedy rule.
pub(crate) struct Planned {
    /// Name in tables and messages.
    pub(crate) name: String,
    pub(crate) tree: Option<Tree>,
    pub(crate) rule: GreedyRule,
    /// Description in one sentence.
    pub(crate) words: String,
}

impl Planned {
    /// Builds the best tree within the time; where answers may be wrong or a greedy algorithm is named, a greedy rule.
    pub(crate) fn new(
        choice: AlgorithmArg,
        time: Duration,
        args: &SessionArgs,
        rules: &SessionRules,
        instance: &Instance,
    ) -> Self {
        let mut rule =
            GreedyRule { lambda: args.lambda, cost_blind: args.cost_blind, ..GreedyRule::default() };
        let algorithm = choice.only();
        if let Some((algorithm, named)) = algorithm.and_then(|a| Some((a, GreedyRule::named(a.name)?)))
            && matches!(algorithm.method, Method::Criterion(_))
        {
            rule.criterion = named.criterion;
            let words = format!("Questions are chosen by {}.", algorithm.name);
            return Self { name: algorithm.name.to_owned(), tree: None, rule, words };
        }
        let apart = rules.until == Until::Object && instance.identify() == fewest::Identify::Groups;
        if algorithm.is_none() && (rules.may_err() || apart) {
            let words = match rules.may_err() {
                true => {
                    "Answers may be wrong: questions are chosen one by one, by what they tell.".to_owned()
                }
                false => "Questions are chosen one by one, by what they tell.".to_owned(),
            };
            return Self { name: rule.criterion.name.to_owned(), tree: None, rule, words };
        }
        let goal = Goal::default()
            .with_objective(args.objective.with(args.lambda))
            .with_lambda(args.lambda)
            .with_cost_blind(args.cost_blind)
            .with_algorithm(algorithm);
        let outcome = build(instance, &goal, &Limit::time(time));
        let words = format!("The plan: {}.", wording::verdict(instance, &goal, &outcome));
        let name = algorithm.map_or("auto", |algorithm| algorithm.name).to_owned();
        Self { name, tree: Some(outcome.tree), rule, words }
    }

    /// Plan of a saved strategy.
    pub(crate) fn saved(
        strategy: &Strategy,
        instance: &Instance,
        path: &Path,
        args: &SessionArgs,
    ) -> Result<Self, Failure> {
        let tree = strategy.tree.to_tree(instance);
        let tree =
            tree.map_err(|error| Failure::wrong(format!("{}: {}", path.display(), error.words(flag))))?;
        let costs = fewest::Costs::of(&tree, instance, args.lambda);
        let words = format!(
            "The plan of {}: cost {} on average, {} at worst.",
            super::short(&path.display().to_string()),
            wording::number(costs.expected, 2),
            wording::number(costs.worst, 2)
        );
        let rule = GreedyRule { lambda: args.lambda, cost_blind: args.cost_blind, ..GreedyRule::default() };
        Ok(Self { name: super::short(&path.display().to_string()), tree: Some(tree), rule, words })
    }
}

/// Session rules from the options.
///
/// `without` names tests and tools.
pub(crate) fn rules(
    args: &SessionArgs,
    without: Option<&str>,
    instance: &Instance,
) -> Result<SessionRules, Failure> {
    let names = |option: &str, list: &Option<String>| match list {
        Some(list) => {
            named_tests(instance, list).map_err(|error| Failure::wrong(format!("{option}: {error}")))
        }
        None => Ok(Vec::new()),
    };
    let errors = match (&args.noise, args.errors) {
        (Some(text), _) => noise(text, instance)?,
        (None, Some(most)) => Errors::AtMost(most),
        (None, None) => Errors::None,
    };
    Ok(SessionRules {
        errors,
        until: if args.until == Some(UntilArg::Object) { Until::Object } else { Until::Identified },
        certainty: match args.until {
            Some(UntilArg::Sure(sure)) => Some(sure),
            _ => None,
        },
        stop_at: args.left,
        max_cost: args.max_cost,
        without: unavailable(instance, without.unwrap_or_default())
            .map_err(|error| Failure::wrong(format!("--without: {error}")))?,
        first: names("--first", &args.first)?,
        repeat_tests: args.again,
    })
}

/// Tests that cannot be asked without these tests and tools; a single name may hold commas itself.
fn unavailable(instance: &Instance, list: &str) -> Result<Vec<TestId>, parse::ParseError> {
    if let Some(test) = instance.find_test(list.trim()) {
        return Ok(vec![test]);
    }
    let found = listed(list).map(|name| parse::find_tests_of(instance, &name));
    Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
}

/// Parses names of tests, separated by commas; a single name may hold commas itself.
fn named_tests(instance: &Instance, list: &str) -> Result<Vec<TestId>, parse::ParseError> {
    if let Some(test) = instance.find_test(list.trim()) {
        return Ok(vec![test]);
    }
    let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(|name| parse::find_test(instance, name)).collect()
}

/// Parses `--noise`: `0.1`, or with rates of single tests `0.1,fever=0.3`.
fn noise(text: &str, instance: &Instance) -> Result<Errors, Failure> {
    let wrong = |what: String| Failure::wrong(format!("--noise: {what}"));
    let rate = |text: &str| {
        let rate = text.trim().parse().ok().filter(|rate: &f64| (0.0..1.0).contains(rate));
        rate.ok_or_else(|| wrong(format!("`{}` is no share from 0 to less than 1", text.trim())))
    };
    let (mut usual, mut own) = (0.0, Vec::new());
    for part in text.split(',').filter(|part| !part.trim().is_empty()) {
        match part.rsplit_once('=') {
            None => usual = rate(part)?,
            Some((name, text)) => {
                let test = parse::find_test(instance, name).map_err(|error| wrong(error.to_string()))?;
                own.push((test, rate(text)?));
            }
        }
    }
    if own.is_empty() {
        return Ok(Errors::Rate(usual));
    }
    let mut rates = vec![usual; instance.test_count()];
    own.into_iter().for_each(|(test, rate)| rates[test.index()] = rate);
    Ok(Errors::Rates(rates))
}
