//! Options of the goal of a build, and the choice of an algorithm.

use super::parse::{bytes, duration, lambda, named};
use clap::Args;
use fewest::{Algorithm, Lambda, OPTIMAL, ObjectiveKind, algorithms, find_algorithm};
use std::time::Duration;

/// Objective and limits of a build.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Goal")]
pub(crate) struct GoalArgs {
    /// What to minimise
    #[arg(long, value_name = "COST", default_value = "expected", value_parser = named::<ObjectiveKind>())]
    pub(crate) objective: ObjectiveKind,
    /// How strongly exponential cost punishes long paths, from 1 (expected cost) to `inf` (worst cost)
    #[arg(long, value_name = "X", default_value = "2", value_parser = lambda)]
    pub(crate) lambda: Lambda,
    /// Do not divide scores by the test's cost
    #[arg(long)]
    pub(crate) cost_blind: bool,
    /// Time for the search, such as 30s, 500ms or 2m; a strategy is always found
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    pub(crate) time: Duration,
    /// Memory for the search, such as 500MB or 4GB; results that do not fit are computed again
    #[arg(long, value_name = "SIZE", default_value = "1GB", value_parser = bytes)]
    pub(crate) memory: usize,
}

/// Algorithm by name, or all of them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AlgorithmArg {
    Auto,
    Only(Algorithm),
}

impl AlgorithmArg {
    /// The one algorithm that was named; `None` for all of them.
    pub(crate) fn only(self) -> Option<Algorithm> {
        match self {
            Self::Auto => None,
            Self::Only(algorithm) => Some(algorithm),
        }
    }
}

/// Parses `auto` or the name of an algorithm in the catalogue.
pub(super) fn algorithm(text: &str) -> Result<AlgorithmArg, String> {
    if text == "auto" {
        return Ok(AlgorithmArg::Auto);
    }
    let names = || {
        algorithms().iter().chain([&OPTIMAL]).map(|algorithm| algorithm.name).collect::<Vec<_>>().join(", ")
    };
    find_algorithm(text)
        .map(AlgorithmArg::Only)
        .ok_or_else(|| format!("no such algorithm here; choose auto, {}", names()))
}
