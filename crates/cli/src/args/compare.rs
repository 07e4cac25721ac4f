//! Arguments of `fewest compare`.

use super::goal::GoalArgs;
use super::table::TableArgs;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The table: CSV, TSV or Parquet; `-` is standard input
    pub(crate) table: PathBuf,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}
