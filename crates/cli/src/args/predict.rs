//! Arguments of `fewest predict`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct PredictArgs {
    /// The model, as `learn --output` saved it
    pub(crate) model: PathBuf,
    /// The rows: CSV, TSV or Parquet with the columns of the model; `-` is standard input
    pub(crate) data: PathBuf,
}
