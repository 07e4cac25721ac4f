//! Arguments of `fewest front`.

use super::parse::duration;
use super::table::TableArgs;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct FrontArgs {
    /// The table: CSV, TSV or Parquet; `-` is standard input. `-o FILE.svg` (.png, .pdf) draws a plot
    pub(crate) table: PathBuf,
    /// Time for the search, such as 30s, 500ms or 2m; a strategy is always found
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    pub(crate) time: Duration,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}
