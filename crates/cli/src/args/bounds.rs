//! Arguments of `fewest bounds`.

use super::parse::lambda;
use super::table::TableArgs;
use clap::Args;
use fewest::Lambda;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct BoundsArgs {
    /// The table: CSV, TSV or Parquet; `-` is standard input
    pub(crate) table: PathBuf,
    /// The λ of exponential cost, from 1 to `inf`
    #[arg(long, value_name = "X", default_value = "2", value_parser = lambda)]
    pub(crate) lambda: Lambda,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}
