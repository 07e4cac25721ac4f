//! Arguments of `fewest learn`.

use super::drawing::DrawingArgs;
use super::parse::named;
use clap::{Args, ValueEnum};
use fewest::learn::{Bins, Categories, ClassWeights, Correction, Order, Score, Smoothing, Strength};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct LearnArgs {
    /// The data: CSV, TSV or Parquet, one row per example; `-` is standard input. `-o model.json` saves the model,
    /// `-o tree.svg` (.png, .pdf, .dot, .html) draws the tree, `-o leaves.csv` has a row for each leaf
    pub(crate) data: PathBuf,
    /// What to predict: a column, or a question such as 'mpg > 19' [default: `group`, if there is one]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) target: Option<String>,
    #[command(flatten)]
    pub(crate) growth: GrowthArgs,
    #[command(flatten)]
    pub(crate) pruning: PruningArgs,
    #[command(flatten)]
    pub(crate) validation: ValidationArgs,
    #[command(flatten)]
    pub(crate) reading: DataArgs,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
}

/// Pictures saved beside the output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Pictures, as .svg, .png or .pdf")]
pub(crate) struct PictureArgs {
    /// Draw the tree, with its classes as bars
    #[arg(long, value_name = "FILE")]
    pub(crate) tree_plot: Option<PathBuf>,
    /// Draw leaves against held-out errors, if cross-validation chose the pruning
    #[arg(long, value_name = "FILE")]
    pub(crate) path_plot: Option<PathBuf>,
    /// Draw the table of answers and classes of a question
    #[arg(long, value_name = "FILE")]
    pub(crate) table_plot: Option<PathBuf>,
    /// The question of --table-plot, by the answers that lead there, such as sunny/high [default: the first]
    #[arg(long, value_name = "A/B/…", requires = "table_plot")]
    pub(crate) node: Option<String>,
}

/// Options of growing a tree.
#[derive(Debug, Args)]
#[command(next_help_heading = "Growing")]
pub(crate) struct GrowthArgs {
    /// How questions are scored
    #[arg(long, value_name = "HOW", default_value = "information", value_parser = named::<Score>())]
    pub(crate) score: Score,
    /// How columns of words are asked
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = named::<Categories>())]
    pub(crate) categories: Categories,
    /// How cuts of numbers are searched: every cut (exact), N ranges with the best cut refined, or by the size of the data (auto)
    #[arg(long, value_name = "auto|exact|N", default_value = "auto", value_parser = bins)]
    pub(crate) bins: Bins,
    /// Ask at most this many questions in a row
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<usize>,
    /// At least this many rows (or weight) behind every answer
    #[arg(long, value_name = "N", default_value = "1", value_parser = weight)]
    pub(crate) min_leaf: f64,
    /// Weight of each class: `balanced`, or a list such as yes=5,no=1
    #[arg(long, value_name = "HOW", value_parser = class_weights)]
    pub(crate) class_weights: Option<ClassWeights>,
    /// Do not divide scores by the cost of the column
    #[arg(long)]
    pub(crate) cost_blind: bool,
}

/// Options of pruning a tree.
#[derive(Debug, Args)]
#[command(next_help_heading = "Pruning")]
pub(crate) struct PruningArgs {
    /// How the tree is pruned
    #[arg(long, value_name = "HOW", default_value = "chi2")]
    pub(crate) prune: PruneArg,
    /// Cut questions whose p-value is above this; by cross-validation: `cv` (the smallest tree about as good as the
    /// best), `best` (the fewest errors)
    #[arg(long, value_name = "P|cv|best", default_value = "0.05", value_parser = alpha)]
    pub(crate) alpha: Strength,
    /// Errors that a leaf must save, for cost-complexity pruning; `cv` and `best` as for --alpha
    #[arg(long, value_name = "X|cv|best", default_value = "cv", value_parser = price)]
    pub(crate) price: Strength,
    /// The order in which questions are cut
    #[arg(long, value_name = "ORDER", default_value = "bottom-up", value_parser = named::<Order>())]
    pub(crate) order: Order,
    /// Correction of p-values for the number of questions tried
    #[arg(long, value_name = "HOW", default_value = "none", value_parser = named::<Correction>())]
    pub(crate) correct: Correction,
    /// The p-value if expected counts are small
    #[arg(long, value_name = "HOW", default_value = "exact")]
    pub(crate) small_counts: SmallCountsArg,
}

/// Options of evaluating a tree.
#[derive(Debug, Args)]
#[command(next_help_heading = "Judging")]
pub(crate) struct ValidationArgs {
    /// Parts for cross-validation, 0 for none [default: 10 where that is quick]
    #[arg(long, value_name = "N", value_parser = folds)]
    pub(crate) folds: Option<usize>,
    /// Judge on rows that were held out: a share such as 0.3, or a file
    #[arg(long, value_name = "SHARE|FILE")]
    pub(crate) holdout: Option<String>,
    /// How counts become probabilities: laplace, none or prior:M
    #[arg(long, value_name = "HOW", default_value = "laplace", value_parser = smoothing)]
    pub(crate) smoothing: Smoothing,
}

/// Options of reading labelled data.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct DataArgs {
    /// The column that names the rows; it is never asked [default: `object`, if there is one]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) object: Option<String>,
    /// The column of weights ≥ 0 [default: `prior`, if there is one]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) prior: Option<String>,
    /// Leave out a column (may be repeated)
    #[arg(long, value_name = "COLUMN")]
    pub(crate) ignore: Vec<String>,
    /// Ask only for these columns: names by comma, or a file with one name a line
    #[arg(long, value_name = "FILE|A,B,C")]
    pub(crate) tests: Option<String>,
    /// Costs of asking: CSV with the header `test,cost`; a column not listed costs 1
    #[arg(long, value_name = "FILE")]
    pub(crate) costs: Option<PathBuf>,
    /// What an empty cell or `?` means
    #[arg(long, value_name = "MEANING", default_value = "answer")]
    pub(crate) missing: LearnMissingArg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LearnMissingArg {
    /// Refuse the data, and say how many cells are empty and where
    Error,
    /// An answer of its own
    Answer,
    /// Follows the branch of most rows
    Likelier,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PruneArg {
    /// Cut questions that may be chance
    Chi2,
    /// Cut by the errors on a third of the rows, which is held out
    ReducedError,
    /// Cut by the errors that each leaf saves
    CostComplexity,
    /// Cut nothing
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SmallCountsArg {
    /// From Fisher's exact test, or from random tables
    Exact,
    /// From the χ² distribution, as for large counts
    Chi2,
}

fn bins(text: &str) -> Result<Bins, String> {
    match text {
        "auto" => Ok(Bins::Auto),
        "exact" => Ok(Bins::Exact),
        number => number
            .parse()
            .ok()
            .filter(|bins: &u16| (2..=255).contains(bins))
            .map(Bins::Ranges)
            .ok_or_else(|| "choose auto, exact or a whole number from 2 to 255".to_owned()),
    }
}

fn weight(text: &str) -> Result<f64, String> {
    let weight = text.parse().ok().filter(|weight: &f64| weight.is_finite() && *weight > 0.0);
    weight.ok_or_else(|| "expected a number > 0".to_owned())
}

fn class_weights(text: &str) -> Result<ClassWeights, String> {
    if text == "balanced" {
        return Ok(ClassWeights::Balanced);
    }
    let one = |part: &str| {
        let (class, weight) = part.rsplit_once('=')?;
        Some((class.trim().to_owned(), weight.trim().parse().ok()?))
    };
    let listed: Option<Vec<(String, f64)>> = text.split(',').map(one).collect();
    listed.map(ClassWeights::Listed).ok_or_else(|| "choose balanced, or such as yes=5,no=1".to_owned())
}

/// Parses a number that `is_fine`, or `cv` or `best`, by which cross-validation finds one.
fn strength(text: &str, is_fine: impl Fn(&f64) -> bool, expected: &str) -> Result<Strength, String> {
    match text {
        "cv" => Ok(Strength::Simplest),
        "best" => Ok(Strength::Best),
        _ => {
            let number = text.parse().ok().filter(is_fine).map(Strength::At);
            number.ok_or_else(|| format!("expected {expected}, `cv` or `best`"))
        }
    }
}

fn alpha(text: &str) -> Result<Strength, String> {
    strength(text, |alpha| (0.0..=1.0).contains(alpha), "a probability from 0 to 1")
}

fn price(text: &str) -> Result<Strength, String> {
    strength(text, |price| *price >= 0.0, "a number of errors from 0 on")
}

fn folds(text: &str) -> Result<usize, String> {
    let folds = text.parse().ok().filter(|folds: &usize| *folds == 0 || (2..=1000).contains(folds));
    folds.ok_or_else(|| "expected a whole number from 2 to 1000, or 0 for none".to_owned())
}

fn smoothing(text: &str) -> Result<Smoothing, String> {
    let rows = |text: &str| text.parse().ok().filter(|rows: &f64| rows.is_finite() && *rows > 0.0);
    match text.split_once(':') {
        None if text == "laplace" => Ok(Smoothing::Laplace),
        None if text == "none" => Ok(Smoothing::None),
        Some(("prior", text)) => {
            rows(text).map(Smoothing::Prior).ok_or_else(|| "prior:M takes a number > 0".to_owned())
        }
        _ => Err("choose laplace, none or prior:M, such as prior:2".to_owned()),
    }
}
