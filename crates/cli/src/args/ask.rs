//! The options of sessions, asked or played.

use super::{Choice, ObjectiveArg, TableArgs, algorithm, duration, lambda};
use clap::Args;
use fewest::Lambda;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// The table (CSV, TSV or Parquet), or a strategy that `build --output` saved
    pub(crate) source: PathBuf,
    /// The table of a saved strategy: then it can go on where answers leave the strategy
    #[arg(long, value_name = "TABLE")]
    pub(crate) table: Option<PathBuf>,
    /// Something that is known already, such as fever=yes, fever=? or color='red|white' (may be repeated)
    #[arg(long, value_name = "TEST=ANSWER", help_heading = "Session")]
    pub(crate) given: Vec<String>,
    /// Go on from a saved session, or from a log (.jsonl)
    #[arg(long, value_name = "FILE", help_heading = "Session")]
    pub(crate) resume: Option<PathBuf>,
    /// Where `q` saves [default: the file that was resumed, or TABLE.session.json]
    #[arg(long, value_name = "FILE", help_heading = "Session")]
    pub(crate) save: Option<PathBuf>,
    /// Append a transcript to this file, line by line: Markdown (.md), else JSON lines
    #[arg(long, value_name = "FILE", help_heading = "Session")]
    pub(crate) log: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    /// `auto` looks for the best strategy and follows it; a greedy algorithm chooses question by question
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = algorithm, help_heading = "Session")]
    pub(crate) algorithm: Choice,
    /// How long to look for a strategy before the first question, such as 1s or 500ms
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration, help_heading = "Session")]
    pub(crate) time: Duration,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}

/// The rules of sessions.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Session")]
pub(crate) struct SessionArgs {
    /// Tests that are not available now, by comma
    #[arg(long, value_name = "A,B")]
    pub(crate) without: Option<String>,
    /// Tests to ask first, by comma
    #[arg(long, value_name = "A,B")]
    pub(crate) first: Option<String>,
    /// When it is over: `object`, `group`, or how sure to be, such as 95%
    #[arg(long, value_name = "WHAT", value_parser = until)]
    pub(crate) until: Option<UntilArg>,
    /// It is over when so many are left
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = left)]
    pub(crate) left: usize,
    /// What all questions together may cost
    #[arg(long, value_name = "X", value_parser = cost)]
    pub(crate) max_cost: Option<f64>,
    /// At most so many answers are wrong
    #[arg(long, value_name = "K", conflicts_with = "noise")]
    pub(crate) errors: Option<u32>,
    /// The share of answers that are wrong, such as 0.1, and of single tests, such as 0.1,fever=0.3
    #[arg(long, value_name = "E[,TEST=E]")]
    pub(crate) noise: Option<String>,
    /// A test may be asked again: its errors are independent of each other
    #[arg(long)]
    pub(crate) again: bool,
    /// What a strategy is to minimise
    #[arg(long, value_name = "COST", default_value = "expected")]
    pub(crate) objective: ObjectiveArg,
    /// How strongly exponential cost punishes long paths: from 1 to `inf`
    #[arg(long, value_name = "X", default_value = "2", value_parser = lambda)]
    pub(crate) lambda: Lambda,
    /// Take scores as they are, not divided by the test's cost
    #[arg(long)]
    pub(crate) cost_blind: bool,
}

/// When a session is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum UntilArg {
    Object,
    Group,
    Sure(f64),
}

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// The table: CSV, TSV or Parquet; `-` is standard input. `--output FILE.svg` (or .png) draws the costs
    pub(crate) table: PathBuf,
    /// Play this saved strategy
    #[arg(long, value_name = "FILE")]
    pub(crate) strategy: Option<PathBuf>,
    /// Play these, by comma [default: auto]; `fewest algorithms` lists them
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = algorithm)]
    pub(crate) algorithm: Vec<Choice>,
    /// How many sessions to play [default: every object once where nothing is left to chance, else 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub(crate) runs: Option<u32>,
    /// The share of questions that nobody can answer
    #[arg(long, value_name = "U", default_value_t = 0.0, value_parser = share)]
    pub(crate) unknown: f64,
    /// Sessions take every answer for right, whatever --noise or --errors says
    #[arg(long)]
    pub(crate) unaware: bool,
    /// Ask every question so many times and take the most frequent answer
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=99))]
    pub(crate) votes: u32,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    /// How long to look for each strategy, such as 1s or 500ms
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    pub(crate) time: Duration,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
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
    text.parse().ok().filter(|left| *left >= 1).ok_or_else(|| "this is no number from 1 on".to_owned())
}

fn cost(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|cost: &f64| *cost >= 0.0).ok_or_else(|| "this is no cost from 0 on".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| (0.0..1.0).contains(share));
    share.ok_or_else(|| "this is no share from 0 to less than 1".to_owned())
}
