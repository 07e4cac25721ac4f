//! Options of sessions, whether `fewest ask` asks or `fewest simulate` plays.

use super::parse::{lambda, named};
use clap::Args;
use fewest::{Lambda, ObjectiveKind};

/// Rules of a session.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Session")]
pub(crate) struct SessionArgs {
    /// Tests to ask first, by comma
    #[arg(long, value_name = "A,B")]
    pub(crate) first: Option<String>,
    /// Stop when this is known: `object`, `group`, or a probability such as 95%
    #[arg(long, value_name = "WHAT", value_parser = until)]
    pub(crate) until: Option<UntilArg>,
    /// Stop when K or fewer candidates remain
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = left)]
    pub(crate) left: usize,
    /// Greatest cost of all questions together
    #[arg(long, value_name = "X", value_parser = cost)]
    pub(crate) max_cost: Option<f64>,
    /// Assume that at most K answers are wrong
    #[arg(long, value_name = "K", conflicts_with = "noise")]
    pub(crate) errors: Option<u32>,
    /// The share of answers that are wrong, such as 0.1, and of single tests, such as 0.1,fever=0.3
    #[arg(long, value_name = "E[,TEST=E]")]
    pub(crate) noise: Option<String>,
    /// Allow a test to be asked again; its errors are independent of each other
    #[arg(long)]
    pub(crate) again: bool,
    /// The cost that the strategy minimises
    #[arg(long, value_name = "COST", default_value = "expected", value_parser = named::<ObjectiveKind>())]
    pub(crate) objective: ObjectiveKind,
    /// How strongly exponential cost punishes long paths: from 1 (expected cost) to `inf` (worst cost)
    #[arg(long, value_name = "X", default_value = "2", value_parser = lambda)]
    pub(crate) lambda: Lambda,
    /// Do not divide scores by the test's cost
    #[arg(long)]
    pub(crate) cost_blind: bool,
}

/// Condition that ends a session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum UntilArg {
    Object,
    Group,
    Sure(f64),
}

fn until(text: &str) -> Result<UntilArg, String> {
    let percent = text.trim_end_matches('%').trim();
    match (text, percent.parse::<f64>()) {
        ("object", _) => Ok(UntilArg::Object),
        ("group", _) => Ok(UntilArg::Group),
        (_, Ok(number)) => {
            let sure = if text.ends_with('%') { number / 100.0 } else { number };
            let fits = sure > 0.0 && sure <= 1.0;
            if fits {
                Ok(UntilArg::Sure(sure))
            } else {
                Err("how sure is more than 0 and at most 100%".to_owned())
            }
        }
        _ => Err("say `object`, `group`, or how sure to be, such as 95%".to_owned()),
    }
}

fn left(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|left| *left >= 1).ok_or_else(|| "expected a whole number from 1 on".to_owned())
}

fn cost(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|cost: &f64| *cost >= 0.0).ok_or_else(|| "this is no cost from 0 on".to_owned())
}
