//! Arguments of `fewest check`.

use super::table::TableArgs;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The table: CSV, TSV or Parquet; `-` is standard input
    pub(crate) table: PathBuf,
    /// The strategy or certificate, as `build --output` or `build --certificate` saved it; the table is read as it
    /// was then, unless options here differ; a reading that is not the default is reported first
    pub(crate) strategy: PathBuf,
    /// Take the proof of the lower bound from this file
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Check the tree and its costs only; the bound, gap and optimum in the file are then reported as not proved
    #[arg(long, conflicts_with = "certificate")]
    pub(crate) tree_only: bool,
    /// Read the table as these options say, and ignore the reading in the file
    #[arg(long)]
    pub(crate) own_reading: bool,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}
