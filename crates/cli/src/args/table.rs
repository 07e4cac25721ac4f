//! Options of reading a table.

use super::parse::{named, tolerance};
use clap::Args;
use fewest::{Identify, Inseparable, MissingCells, Numeric, Tolerance};
use fewest_formats::read::CostList;
use std::path::PathBuf;

/// Premises and tools by test.
pub(crate) type SavedRules = [Vec<(String, String)>; 2];

/// Options of reading a table.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Table")]
pub(crate) struct TableArgs {
    /// The column that names the objects [default: the first]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) object: Option<String>,
    /// Exchange rows and columns: the file has one row per test
    #[arg(long)]
    pub(crate) transpose: bool,
    /// The column of groups, or `none` [default: `group`, if there is one]; nested groups as a path of columns, such as
    /// family/genus/species
    #[arg(long, value_name = "COLUMN")]
    pub(crate) group: Option<String>,
    /// The level of nested groups to identify, such as `genus` with --group family/genus/species [default: the last]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) group_rank: Option<String>,
    /// The column of priors, weights ≥ 0, or `none` [default: `prior`, if there is one]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) prior: Option<String>,
    /// Leave out a column (may be repeated)
    #[arg(long, value_name = "COLUMN")]
    pub(crate) ignore: Vec<String>,
    /// Use only these tests: names by comma, or a file with one name a line
    #[arg(long, value_name = "FILE|A,B,C")]
    pub(crate) tests: Option<String>,
    /// Tools that are not at hand, by comma: tests that need one (row `@needs`) are left out; in a session also single
    /// tests
    #[arg(long, value_name = "A,B")]
    pub(crate) without: Option<String>,
    /// The tests to which a saved strategy was restricted
    #[arg(skip)]
    pub(crate) saved_tests: Option<Vec<String>>,
    /// Costs of tests: CSV with the header `test,cost`; a test not listed costs 1. A column `answer` makes the cost
    /// depend on the answer; columns `bundle` and `setup`: tests of a bundle share a set-up, paid once on a path. Columns
    /// `if` and `needs`: premises and tools, as in the rows `@if` and `@needs`
    #[arg(long, value_name = "FILE")]
    pub(crate) costs: Option<PathBuf>,
    /// Tests that share a set-up: CSV with the header `test,bundle,setup`, or with the cost after another test of the
    /// bundle instead, `test,bundle,cost_if_not_first_in_bundle`
    #[arg(long, value_name = "FILE")]
    pub(crate) bundles: Option<PathBuf>,
    /// The costs of a saved strategy, if some depend on the path
    #[arg(skip)]
    pub(crate) saved_costs: Option<CostList>,
    /// The premises and tools of a saved strategy that stood beside its table
    #[arg(skip)]
    pub(crate) saved_rules: SavedRules,
    /// What to identify [default: groups if the table has them, else objects]
    #[arg(long, value_name = "WHAT", value_parser = named::<Identify>())]
    pub(crate) identify: Option<Identify>,
    /// What an empty cell, `?` or a word such as NA means [default: auto]
    #[arg(long, value_name = "MEANING", value_parser = named::<MissingCells>())]
    pub(crate) missing: Option<MissingCells>,
    /// Words for a missing cell, by comma [default: NA,n/a,nan,null,unknown]
    #[arg(long, value_name = "WORDS")]
    pub(crate) na: Option<String>,
    /// Take texts literally: do not merge `Yes` and `yes` or `1` and `1.0`, and read NA as an answer
    #[arg(long)]
    pub(crate) verbatim: bool,
    /// Values closer than this may be confused: 0.2, 5% or COLUMN=0.2 (may be repeated)
    #[arg(long, value_name = "X", value_parser = tolerance)]
    pub(crate) tolerance: Vec<(Option<String>, Tolerance)>,
    /// How to ask columns of measured numbers: auto, exact, thresholds, measure or bins:N [default: auto]
    #[arg(long, value_name = "HOW")]
    pub(crate) numeric: Option<Numeric>,
    /// What to do with objects that no test tells apart [default: join]
    #[arg(long, value_name = "HOW", value_parser = named::<Inseparable>())]
    pub(crate) inseparable: Option<Inseparable>,
    /// Cells such as `red|white` list several possible answers, with this mark between them
    #[arg(long, value_name = "MARK", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) several: Option<String>,
    /// As in games: an object counts as identified only once the test with its name was asked
    #[arg(long)]
    pub(crate) confirm: bool,
}
