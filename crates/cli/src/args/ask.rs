//! Arguments of `fewest ask`.

use super::goal::{AlgorithmArg, algorithm};
use super::parse::duration;
use super::session::SessionArgs;
use super::table::TableArgs;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// The table (CSV, TSV or Parquet), or a strategy that `build --output` saved
    pub(crate) source: PathBuf,
    /// The table of a saved strategy: then it can go on where answers leave the strategy
    #[arg(long, value_name = "TABLE")]
    pub(crate) table: Option<PathBuf>,
    /// A fact that is already known, such as fever=yes, fever=? or color='red|white' (may be repeated)
    #[arg(long, value_name = "TEST=ANSWER", help_heading = "Session")]
    pub(crate) given: Vec<String>,
    /// Continue a saved session, or a log (.jsonl)
    #[arg(long, value_name = "FILE", help_heading = "Session")]
    pub(crate) resume: Option<PathBuf>,
    /// The file to which `q` saves [default: the file that was resumed, or TABLE.session.json]
    #[arg(long, value_name = "FILE", help_heading = "Session")]
    pub(crate) save: Option<PathBuf>,
    /// Append a transcript to this file, line by line: Markdown (.md), else JSON lines
    #[arg(long, value_name = "FILE", help_heading = "Session")]
    pub(crate) log: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    /// `auto` looks for the best strategy and follows it; a greedy algorithm chooses question by question
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = algorithm, help_heading = "Session")]
    pub(crate) algorithm: AlgorithmArg,
    /// Time to search for a strategy before the first question, such as 1s or 500ms
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration, help_heading = "Session")]
    pub(crate) time: Duration,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}
