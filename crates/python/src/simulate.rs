//! Sessions in which objects of the table answer.

use crate::run::{Ended, RunOptions, ended, run};
use crate::session::RuleOptions;
use crate::strategy::Strategy;
use crate::table::{Table, json};
use fewest::Limit;
use fewest::session::simulate::{Match, PlaySummary};
use fewest::session::{Errors, Plan, SessionRules};
use fewest_formats::json::{InstancePart, Number};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;
use std::sync::Arc;

/// How sessions are played.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct PlayOptions {
    runs: Option<usize>,
    seed: u64,
    unknown: f64,
    votes: u32,
    unaware: bool,
}

#[derive(Serialize)]
struct SpentPart {
    mean: Number,
    p50: Number,
    p90: Number,
    p99: Number,
    max: Number,
}

/// Sessions in which objects of the table answer, as JSON.
#[pyfunction]
pub(crate) fn simulate(
    py: Python<'_>,
    table: &Table,
    strategy: Option<&Strategy>,
    rules: RuleOptions,
    play: PlayOptions,
    options: RunOptions,
) -> PyResult<Ended<String>> {
    /// Sessions where chance plays a part.
    const USUAL_RUNS: usize = 1000;
    let contents = Arc::clone(&table.contents);
    let tree = strategy.and_then(|strategy| strategy.tree().cloned());
    let (rule, aware) = (rules.rule()?, rules.rules(&contents.instance)?);
    if !(0.0..1.0).contains(&play.unknown) || play.votes == 0 {
        return Err(PyValueError::new_err("unknown is a share from 0 to less than 1, and votes at least 1"));
    }
    let (noise, most_errors) = match aware.errors {
        Errors::None | Errors::AtMost(0) => (0.0, None),
        Errors::Rate(rate) => (rate, None),
        Errors::AtMost(most) => (0.1, Some(most)),
        Errors::Rates(_) => {
            return Err(PyValueError::new_err("noise: one rate for all tests, such as 0.1, can be played"));
        }
    };
    let finished = run(py, &options, move |context| {
        let instance = &contents.instance;
        let own = if play.unaware { SessionRules { errors: Errors::None, ..aware.clone() } } else { aware };
        let game = Match {
            noise,
            most_errors,
            unknown: play.unknown,
            votes: play.votes,
            limit: Limit::none().with_interrupt(Arc::clone(&context.flag)),
            ..Match::new(instance, Plan { tree: tree.as_deref(), rule }, own)
        };
        let exact = game.is_certain() && play.runs.is_none() && play.votes == 1;
        let plays = match exact {
            true => game.play_all(),
            false => game.play_some(play.runs.unwrap_or(USUAL_RUNS), play.seed),
        }?;
        let tally = PlaySummary::of(&plays);
        let [p50, p90, p99] = tally.quantiles.map(Number);
        let spent = SpentPart { mean: Number(tally.mean), p50, p90, p99, max: Number(tally.max) };
        json(|document| {
            document.field("instance", &InstancePart::new(instance))?;
            document.field("exact", &(exact && !game.limit.is_reached()))?;
            document.field("runs", &plays.len())?;
            document.field("accuracy", &Number(tally.accuracy))?;
            document.field("questions", &Number(tally.questions))?;
            document.field("cost", &spent)
        })
    })?;
    let (text, error) = ended(py, finished);
    Ok((text?, error))
}
