//! Arguments of `fewest convert`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// The table: CSV, TSV, XLSX, XLS, ODS, Parquet, Arrow, DELTA (the folder), Clavis, SDD or NEXUS, whatever its
    /// name; `-` is standard input
    pub(crate) input: PathBuf,
    /// The file to write; its ending decides: .csv, .tsv, .xlsx, .json (Clavis), .xml (SDD), .nex (NEXUS). Texts go to
    /// `NAME.tests.csv`, `NAME.answers.csv` and `NAME.objects.csv` beside a CSV
    pub(crate) out: PathBuf,
    /// The column that names the objects [default: the first]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) object: Option<String>,
    /// Exchange rows and columns: the file has one row per test
    #[arg(long)]
    pub(crate) transpose: bool,
    /// Write nothing, and exit with 1, if something would be lost
    #[arg(long)]
    pub(crate) strict: bool,
    /// When the data were last changed, as 2024-01-31 [default: the date of the file]
    #[arg(long, value_name = "DATE")]
    pub(crate) date: Option<String>,
}
