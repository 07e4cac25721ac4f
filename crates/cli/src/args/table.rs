//! Options of reading a table.

use super::parse::numeric;
use clap::{Args, ValueEnum};
use fewest::Numeric;
use std::path::PathBuf;

/// Options of reading a table.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Table")]
pub(crate) struct TableArgs {
    /// The column that names the objects [default: the first]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) object: Option<String>,
    /// The column of groups [default: `group`, if there is one]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) group: Option<String>,
    /// The column of priors, weights ≥ 0 [default: `prior`, if there is one]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) prior: Option<String>,
    /// Leave out a column (may be repeated)
    #[arg(long, value_name = "COLUMN")]
    pub(crate) ignore: Vec<String>,
    /// Use only these tests: names by comma, or a file with one name a line
    #[arg(long, value_name = "FILE|A,B,C")]
    pub(crate) tests: Option<String>,
    /// The tests that a saved strategy was restricted to
    #[arg(skip)]
    pub(crate) saved_tests: Option<Vec<String>>,
    /// Costs of tests: CSV with the header `test,cost`; a test not listed costs 1
    #[arg(long, value_name = "FILE")]
    pub(crate) costs: Option<PathBuf>,
    /// What to find [default: groups where there are some, else objects]
    #[arg(long, value_name = "WHAT")]
    pub(crate) identify: Option<IdentifyArg>,
    /// What an empty cell or `?` means [default: error]
    #[arg(long, value_name = "MEANING")]
    pub(crate) missing: Option<MissingArg>,
    /// What a column of measured numbers means: exact, thresholds or bins:N [default: exact]
    #[arg(long, value_name = "HOW", value_parser = numeric)]
    pub(crate) numeric: Option<Numeric>,
    /// What to do with objects that no test tells apart [default: join]
    #[arg(long, value_name = "HOW")]
    pub(crate) inseparable: Option<InseparableArg>,
    /// Cells such as `red|white` list several possible answers, with this mark between them
    #[arg(long, value_name = "MARK", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) several: Option<String>,
    /// As in games: an object counts as identified only once the test with its name was asked
    #[arg(long)]
    pub(crate) confirm: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum IdentifyArg {
    /// The group of the unknown object
    Groups,
    /// The unknown object itself
    Objects,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MissingArg {
    /// A mistake: say how many and where
    Error,
    /// An answer of its own
    Answer,
    /// Any answer of that test, each as likely as the others
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InseparableArg {
    /// Keep them together in one leaf
    Join,
    /// Refuse the table
    Refuse,
}
