//! Arguments of `fewest show`.

use super::drawing::DrawingArgs;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The strategy, as `build --output` saved it; `-` is standard input. `-o FILE.svg` (.png, .pdf, .dot, .html, .md)
    /// draws it, `-o FILE.csv` has a row for each leaf: path, groups, objects, weight, questions, cost
    pub(crate) strategy: PathBuf,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
}
