//! Arguments of `fewest reproduce`.

use super::parse::duration;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct ReproduceArgs {
    /// The figure, example or study
    pub(crate) what: FigureArg,
    /// Data sets for each cell
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) datasets: u32,
    /// The folder to write to; finished cells are kept there in `cells.jsonl` and not run again
    #[arg(long, value_name = "DIR", default_value = "reproduced")]
    pub(crate) out: PathBuf,
    /// Tables for `real`: files, or folders of them (may be repeated) [default: those in `examples`]
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(crate) tables: Vec<PathBuf>,
    /// Time for each optimum of `real`, such as 30s, 500ms or 2m
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = duration)]
    pub(crate) time: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FigureArg {
    /// How strong tests are in the random model
    Figure5,
    /// Questions to name the group, for 49 kinds of tests
    Figure6,
    /// Exponential cost against λ
    Figure7,
    /// The small examples of both papers
    Toy,
    /// DecTree: its example, and its ratios against its guarantee
    Dfep,
    /// Every algorithm on real tables
    Real,
    /// The cost of a wrong prior
    Prior,
    /// All of these, and one report
    All,
}
