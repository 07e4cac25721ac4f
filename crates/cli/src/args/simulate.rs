//! Arguments of `fewest simulate`.

use super::goal::{AlgorithmArg, algorithm};
use super::parse::duration;
use super::session::SessionArgs;
use super::table::TableArgs;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// The table: CSV, TSV or Parquet; `-` is standard input. `-o FILE.svg` (.png, .pdf) draws the costs
    pub(crate) table: PathBuf,
    /// Play this saved strategy
    #[arg(long, value_name = "FILE")]
    pub(crate) strategy: Option<PathBuf>,
    /// Play these, by comma [default: auto]; `fewest algorithms` lists them
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = algorithm)]
    pub(crate) algorithm: Vec<AlgorithmArg>,
    /// Number of sessions [default: every object once if nothing is random, else 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub(crate) runs: Option<u32>,
    /// The share of questions that are answered with "don't know"
    #[arg(long, value_name = "U", default_value_t = 0.0, value_parser = share)]
    pub(crate) unknown: f64,
    /// Sessions trust every answer, also with --noise or --errors
    #[arg(long)]
    pub(crate) unaware: bool,
    /// Ask every question N times and take the most frequent answer
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=99))]
    pub(crate) votes: u32,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    /// Time to search for each strategy, such as 1s or 500ms
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    pub(crate) time: Duration,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| (0.0..1.0).contains(share));
    share.ok_or_else(|| "this is no share from 0 to less than 1".to_owned())
}
