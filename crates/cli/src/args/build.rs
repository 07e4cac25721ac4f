//! Arguments of `fewest build`.

use super::drawing::DrawingArgs;
use super::goal::{AlgorithmArg, GoalArgs, algorithm};
use super::table::TableArgs;
use clap::Args;
use fewest::Cap;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// The table: CSV, TSV or Parquet; `-` is standard input. `-o plan.json` saves the strategy, `-o FILE.svg` (.png,
    /// .pdf, .dot, .html, .md) draws it, `-o FILE.csv` has a row for each leaf
    pub(crate) table: PathBuf,
    /// `auto` tries them all and keeps the best tree; `fewest algorithms` lists them
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = algorithm, help_heading = "Goal")]
    pub(crate) algorithm: AlgorithmArg,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    /// Only strategies whose worst cost is at most this; `best`: as low as it can be, then the objective
    #[arg(long, value_name = "X|best", value_parser = cap, allow_negative_numbers = true, help_heading = "Goal")]
    pub(crate) max_worst: Option<Cap>,
    /// Write the proof of the bound to this file; `check` verifies it
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Also print how much each question loses against the bound, and what a wrong prior costs
    #[arg(long)]
    pub(crate) report: bool,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}

/// Parses a cap on the worst cost: a number, or `best` for the least possible.
fn cap(text: &str) -> Result<Cap, String> {
    match text.trim().parse::<f64>() {
        _ if text.trim() == "best" => Ok(Cap::Least),
        Ok(cap) if cap >= 0.0 => Ok(Cap::At(cap)),
        _ => Err("expected a cost of at least 0, or `best`".to_owned()),
    }
}
