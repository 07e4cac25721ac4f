//! Arguments of `fewest mcp`.

use super::goal::GoalArgs;
use super::table::TableArgs;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[cfg_attr(
    not(feature = "mcp"),
    expect(dead_code, reason = "a build without the feature refuses the command")
)]
pub(crate) struct McpArgs {
    /// The table, or a strategy that `build --output` saved; the strategy needs --table
    pub(crate) source: PathBuf,
    /// The table of a saved strategy
    #[arg(long, value_name = "TABLE")]
    pub(crate) table: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}
