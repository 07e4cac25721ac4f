//! Arguments of `fewest inspect`.

use super::table::TableArgs;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// The table: CSV, TSV or Parquet; `-` is standard input. `-o FILE.svg` (.png, .pdf) draws bars
    pub(crate) table: PathBuf,
    /// Measure how much each column says about this one, or about a question such as 'mpg > 19': joint and conditional
    /// entropy, information, χ²; rows need no names
    #[arg(long, value_name = "COLUMN", help_heading = "Toolbox")]
    pub(crate) target: Option<String>,
    /// Cut columns of numbers into this many ranges, with --target
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(2..=1000), help_heading = "Toolbox")]
    pub(crate) ranges: u16,
    /// Print the divergence between the distributions of two columns, in bits
    #[arg(long, value_name = "A,B", conflicts_with_all = ["target", "against"], help_heading = "Toolbox")]
    pub(crate) divergence: Option<String>,
    /// Print the divergence of each column's distribution from the one in this file, in bits
    #[arg(long, value_name = "FILE", conflicts_with = "target", help_heading = "Toolbox")]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}
