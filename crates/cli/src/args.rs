//! What can be typed: one place for every option and its help.

mod ask;
mod serve;

pub(crate) use ask::{AskArgs, SessionArgs, SimulateArgs, UntilArg};
pub(crate) use serve::ServeArgs;
#[cfg(feature = "serve")]
pub(crate) use serve::{LimitArgs, TokenArgs};

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use fewest::learn::{Bins, ClassWeights, Smoothing, Strength};
use fewest::{Algorithm, Cap, Lambda, Numeric, OPTIMAL, algorithms, find_algorithm};
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::time::Duration;

const HELP: &str = "\
{about}

Examples:
  fewest build animals.csv                        the best order of questions, with its bound
  fewest build animals.csv --output plan.json     … and save it
  fewest build faults.csv --costs costs.csv --objective worst
  fewest ask animals.csv                          ask the questions here, one by one
  fewest compare animals.csv                      every algorithm side by side
  fewest inspect animals.csv                      what each test says, what cannot be told apart
  fewest check animals.csv plan.json              verify a saved strategy
  fewest learn cars.csv --target 'mpg > 19'       a small tree that predicts, with its statistics

A table has one row per object and one column per test; the first column names the objects,
a column `group` says what to identify, a column `prior` how likely each object is.

{usage-heading} {usage}

Commands:
{subcommands}

Options:
{options}";

/// Ask the fewest, cheapest questions: build the best order of questions from a table, and say how good it is.
#[derive(Debug, Parser)]
#[command(name = "fewest", version, help_template = HELP, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the best strategy, with its costs, lower bound and gap
    Build(BuildArgs),
    /// Run every algorithm and show them side by side
    Compare(CompareArgs),
    /// Show the trade-off between expected and worst cost: a Pareto front of strategies
    Front(FrontArgs),
    /// Verify a saved strategy and the proof of its bound, by code that shares nothing with the algorithms
    Check(CheckArgs),
    /// Show what the data can and cannot do: information, useless tests, inseparable objects
    Inspect(InspectArgs),
    /// Show every lower bound by name, for the three objectives
    Bounds(BoundsArgs),
    /// Ask the questions in the terminal, from a table or a saved strategy
    Ask(Box<AskArgs>),
    /// Play every object against a strategy, with errors and don't-knows: accuracy and cost
    Simulate(Box<SimulateArgs>),
    /// Draw a saved strategy
    Show(ShowArgs),
    /// Learn a tree that predicts a column: information gain, χ² pruning
    Learn(Box<LearnArgs>),
    /// Predict classes and probabilities for new rows
    Predict(PredictArgs),
    /// Show Huffman, Shannon, Fano and arithmetic codes of a distribution
    Code(CodeArgs),
    /// List the algorithms, with one line and the paper each
    Algorithms,
    /// Make a table: random models, families whose optimum is known, puzzles
    Generate(GenerateArgs),
    /// Reproduce the papers' figures and examples, and studies beyond them, as tables, plots and pages
    Reproduce(ReproduceArgs),
    /// Open the web app, and give programs the same over HTTP
    Serve(Box<ServeArgs>),
    /// Write a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual page, or all of them into a folder
    Man {
        /// Write one page per command into this folder
        #[arg(long, value_name = "DIR")]
        folder: Option<PathBuf>,
    },
}

/// Options that every command takes.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Print JSON for programs
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Write to this file, whole or not at all (`build`: the strategy)
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// No warnings and no progress
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// When to use colour [default: auto]
    #[arg(long, global = true, value_name = "WHEN", hide_possible_values = true)]
    pub(crate) color: Option<Color>,
    /// How many threads to use; the result does not depend on it
    #[arg(long, global = true, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroU16>,
    /// Seed of everything random
    #[arg(long, global = true, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// How a table is read.
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

/// What is wanted of a strategy.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Goal")]
pub(crate) struct GoalArgs {
    /// What to minimise
    #[arg(long, value_name = "COST", default_value = "expected")]
    pub(crate) objective: ObjectiveArg,
    /// How strongly exponential cost punishes long paths: from 1 (as expected) to `inf` (as worst)
    #[arg(long, value_name = "X", default_value = "2", value_parser = lambda)]
    pub(crate) lambda: Lambda,
    /// Take scores as they are, not divided by the test's cost
    #[arg(long)]
    pub(crate) cost_blind: bool,
    /// How long to search, such as 30s, 500ms or 2m; there is always a strategy
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    pub(crate) time: Duration,
    /// How much the search may remember, such as 500MB or 4GB; what does not fit is found again
    #[arg(long, value_name = "SIZE", default_value = "1GB", value_parser = bytes)]
    pub(crate) memory: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ObjectiveArg {
    /// The cost on average
    Expected,
    /// The cost at worst
    Worst,
    /// A mean that punishes long paths
    Exponential,
}

#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// The table: CSV, TSV or Parquet; `-` is standard input
    pub(crate) table: PathBuf,
    /// `auto` tries them all and keeps the best tree; `fewest algorithms` lists them
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = algorithm, help_heading = "Goal")]
    pub(crate) algorithm: Choice,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    /// Only strategies whose worst cost is at most this; `best`: as low as it can be, then the objective
    #[arg(long, value_name = "X|best", value_parser = cap, allow_negative_numbers = true, help_heading = "Goal")]
    pub(crate) max_worst: Option<Cap>,
    /// Write the proof of the bound to this file; `check` verifies it
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Also tell where the strategy loses against the bound, question by question, and what a wrong prior costs
    #[arg(long)]
    pub(crate) report: bool,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The table: CSV, TSV or Parquet; `-` is standard input
    pub(crate) table: PathBuf,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}

#[derive(Debug, Args)]
pub(crate) struct FrontArgs {
    /// The table: CSV, TSV or Parquet; `-` is standard input. `--output FILE.svg` (or .png) draws a plot
    pub(crate) table: PathBuf,
    /// How long to search, such as 30s, 500ms or 2m; there is always a strategy
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    pub(crate) time: Duration,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The table: CSV, TSV or Parquet; `-` is standard input
    pub(crate) table: PathBuf,
    /// The strategy or certificate, as `build --output` or `build --certificate` saved it; the table is read as it
    /// was then unless options say otherwise, and where that is not the plain reading, this is told first
    pub(crate) strategy: PathBuf,
    /// Take the proof of the lower bound from this file
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Look at the tree and its costs only; what the file says of bound, gap and optimum is then named as not proved
    #[arg(long, conflicts_with = "certificate")]
    pub(crate) tree_only: bool,
    /// Read the table as the options here say, whatever the file says
    #[arg(long)]
    pub(crate) own_reading: bool,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// The table: CSV, TSV or Parquet; `-` is standard input. `--output FILE.svg` (or .png) draws bars
    pub(crate) table: PathBuf,
    /// What every column says of this one, or of a question such as 'mpg > 19': joint and conditional entropies,
    /// information, χ²; rows need no names
    #[arg(long, value_name = "COLUMN", help_heading = "Toolbox")]
    pub(crate) target: Option<String>,
    /// Cut columns of numbers into this many ranges, with --target
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(2..=1000), help_heading = "Toolbox")]
    pub(crate) ranges: u16,
    /// The divergence between the distributions of two columns, in bits
    #[arg(long, value_name = "A,B", conflicts_with_all = ["target", "against"], help_heading = "Toolbox")]
    pub(crate) divergence: Option<String>,
    /// The divergence of every column's distribution from the one in this file, in bits
    #[arg(long, value_name = "FILE", conflicts_with = "target", help_heading = "Toolbox")]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}

#[derive(Debug, Args)]
pub(crate) struct LearnArgs {
    /// The data: CSV, TSV or Parquet, one row per example; `-` is standard input. `--output FILE` saves the model,
    /// `--output FILE.svg` (or .png) draws the tree
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

/// What is drawn beside the output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Pictures, as .svg or .png")]
pub(crate) struct PictureArgs {
    /// Draw the tree, with its classes as bars
    #[arg(long, value_name = "FILE")]
    pub(crate) tree_plot: Option<PathBuf>,
    /// Draw leaves against held-out errors, where cross-validation chose the pruning
    #[arg(long, value_name = "FILE")]
    pub(crate) path_plot: Option<PathBuf>,
    /// Draw the table of answers and classes of a question
    #[arg(long, value_name = "FILE")]
    pub(crate) table_plot: Option<PathBuf>,
    /// The question of --table-plot, by the answers that lead there, such as sunny/high [default: the first]
    #[arg(long, value_name = "A/B/…", requires = "table_plot")]
    pub(crate) node: Option<String>,
}

/// How a tree is grown.
#[derive(Debug, Args)]
#[command(next_help_heading = "Growing")]
pub(crate) struct GrowthArgs {
    /// What a good question is
    #[arg(long, value_name = "HOW", default_value = "information")]
    pub(crate) score: ScoreArg,
    /// How words are asked for
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub(crate) categories: CategoriesArg,
    /// How numbers are searched: every cut (exact), N ranges with the best cut refined, or what suits the size (auto)
    #[arg(long, value_name = "auto|exact|N", default_value = "auto", value_parser = bins)]
    pub(crate) bins: Bins,
    /// Ask at most this many questions in a row
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<usize>,
    /// At least this many rows (or weight) behind every answer
    #[arg(long, value_name = "N", default_value = "1", value_parser = weight)]
    pub(crate) min_leaf: f64,
    /// What each class counts: `balanced`, or such as yes=5,no=1
    #[arg(long, value_name = "HOW", value_parser = class_weights)]
    pub(crate) class_weights: Option<ClassWeights>,
    /// Take scores as they are, not divided by what asking for the column costs
    #[arg(long)]
    pub(crate) cost_blind: bool,
}

/// How a tree is cut back.
#[derive(Debug, Args)]
#[command(next_help_heading = "Pruning")]
pub(crate) struct PruningArgs {
    /// How the tree is cut back
    #[arg(long, value_name = "HOW", default_value = "chi2")]
    pub(crate) prune: PruneArg,
    /// Cut questions whose p-value is above this; by cross-validation: `cv` (the smallest tree about as good as the
    /// best), `best` (the fewest errors)
    #[arg(long, value_name = "P|cv|best", default_value = "0.05", value_parser = alpha)]
    pub(crate) alpha: Strength,
    /// Errors that a leaf must save, for cost-complexity pruning; `cv` and `best` as for --alpha
    #[arg(long, value_name = "X|cv|best", default_value = "cv", value_parser = price)]
    pub(crate) price: Strength,
    /// In which order questions are cut
    #[arg(long, value_name = "ORDER", default_value = "bottom-up")]
    pub(crate) order: OrderArg,
    /// What is done about many questions having been tried
    #[arg(long, value_name = "HOW", default_value = "none")]
    pub(crate) correct: CorrectArg,
    /// The p-value where expected counts are small
    #[arg(long, value_name = "HOW", default_value = "exact")]
    pub(crate) small_counts: SmallCountsArg,
}

/// How a tree is judged.
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

/// How labelled data are read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct DataArgs {
    /// The column that names the rows; it is never asked for [default: `object`, if there is one]
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
pub(crate) enum ScoreArg {
    /// Bits that the answer says of the class
    Information,
    /// The same divided by the entropy of the answer
    GainRatio,
    /// The fall of the chance that two rows differ
    Gini,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CategoriesArg {
    /// Many ways for columns with up to 16 words and 50,000 rows, subsets for others
    Auto,
    /// One answer for each word
    Many,
    /// Is it this word?
    One,
    /// Is it one of these words?
    Subsets,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LearnMissingArg {
    /// A mistake: say how many and where
    Error,
    /// An answer of its own
    Answer,
    /// Goes where most rows go
    Likelier,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PruneArg {
    /// Where a question may be chance
    Chi2,
    /// By the errors of a third of the rows, which is held out
    ReducedError,
    /// By the errors that a leaf saves
    CostComplexity,
    /// Not at all
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderArg {
    /// Children first: what leads to a good question stays
    BottomUp,
    /// Wherever the p-value is too large
    TopDown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CorrectArg {
    /// Nothing
    None,
    /// Multiply with the number of questions tried at the node
    Bonferroni,
    /// The same, and Holm's method over all questions of the tree
    Holm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SmallCountsArg {
    /// By Fisher's exact test, or from random tables
    Exact,
    /// From the χ² distribution as elsewhere
    Chi2,
}

#[derive(Debug, Args)]
pub(crate) struct CodeArgs {
    /// The table whose prior is coded: CSV, TSV or Parquet; `-` is standard input
    #[arg(required_unless_present = "probs", conflicts_with = "probs")]
    pub(crate) table: Option<PathBuf>,
    /// Code this distribution: weights ≥ 0 by comma
    #[arg(long, value_name = "P,P,…", value_parser = probabilities)]
    pub(crate) probs: Option<Probabilities>,
    /// Code the distribution of this column instead of the prior
    #[arg(long, value_name = "COLUMN", conflicts_with = "probs")]
    pub(crate) column: Option<String>,
    /// The column of priors, weights ≥ 0 [default: `prior`, if there is one]
    #[arg(long, value_name = "COLUMN", conflicts_with = "probs")]
    pub(crate) prior: Option<String>,
    /// The column that names the objects [default: the first]
    #[arg(long, value_name = "COLUMN", conflicts_with = "probs")]
    pub(crate) object: Option<String>,
    /// Letters of the code, from 2 to 36
    #[arg(long, value_name = "R", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=36))]
    pub(crate) radix: u8,
    /// Also the code that is best for exponential cost: from 1 (as expected) to `inf` (as worst)
    #[arg(long, value_name = "X", value_parser = lambda)]
    pub(crate) lambda: Option<Lambda>,
    /// Code this message: symbols by comma
    #[arg(long, value_name = "S,S,…")]
    pub(crate) message: Option<String>,
    /// Send random messages of up to this many symbols
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    pub(crate) longest: u32,
}

/// Weights as they were typed.
#[derive(Clone, Debug)]
pub(crate) struct Probabilities(pub(crate) Vec<f64>);

#[derive(Debug, Args)]
pub(crate) struct PredictArgs {
    /// The model, as `learn --output` saved it
    pub(crate) model: PathBuf,
    /// The rows: CSV, TSV or Parquet with the columns of the model; `-` is standard input
    pub(crate) data: PathBuf,
}

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

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The strategy, as `build --output` saved it; `-` is standard input
    pub(crate) strategy: PathBuf,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ReproduceArgs {
    /// Which figure, example or study
    pub(crate) what: FigureArg,
    /// Data sets for each cell
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) datasets: u32,
    /// The folder to write to; finished cells are kept there in `cells.jsonl` and not run again
    #[arg(long, value_name = "DIR", default_value = "reproduced")]
    pub(crate) out: PathBuf,
    /// Tables for `real`: files, or folders of them (may be repeated) [default: those in `examples`]
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(crate) tables: Vec<PathBuf>,
    /// How long `real` searches for each optimum, such as 30s, 500ms or 2m
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = duration)]
    pub(crate) time: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FigureArg {
    /// How strong tests are in the random model
    Figure5,
    /// Questions to name the group, for 49 kinds of tests
    Figure6,
    /// Exponential cost against λ
    Figure7,
    /// The small examples of both papers
    Toy,
    /// DecTree: its example, and its ratios against its guarantee
    Dfep,
    /// Every algorithm on real tables
    Real,
    /// What a wrong prior costs
    Prior,
    /// All of these, and one report
    All,
}

/// How much of a tree is drawn.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct DrawingArgs {
    /// Draw at most this many questions in a row [default: what fits about a page]
    #[arg(long, value_name = "N", conflicts_with = "full")]
    pub(crate) depth: Option<usize>,
    /// Draw the whole tree
    #[arg(long)]
    pub(crate) full: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    #[command(subcommand)]
    pub(crate) kind: Kind,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Kind {
    /// The random model of the group study: answers follow the group, objects stray from it
    Beta {
        /// Objects
        #[arg(long, value_name = "M", default_value_t = 400)]
        objects: u32,
        /// Tests
        #[arg(long, value_name = "N", default_value_t = 200)]
        tests: u32,
        /// Groups; 0: every object is its own
        #[arg(long, value_name = "K", default_value_t = 15)]
        groups: u32,
        /// How freely objects stray from their group: the larger, the more
        #[arg(long, value_name = "B", default_value_t = 1.0)]
        beta_w: f64,
        /// How freely groups stray from each other: the larger, the more
        #[arg(long, value_name = "B", default_value_t = 1.0)]
        beta_b: f64,
        /// Draw γ_w from this range instead of 0.5 to 1
        #[arg(long, value_name = "LOW,HIGH", value_parser = range)]
        gamma_w: Option<(f64, f64)>,
        /// Zipf's exponent of the prior; 0: all objects weigh the same
        #[arg(long, value_name = "D", default_value_t = 0.0)]
        delta: f64,
    },
    /// Independent random answers
    Random {
        /// Objects
        #[arg(long, value_name = "M", default_value_t = 100)]
        objects: u32,
        /// Tests
        #[arg(long, value_name = "N", default_value_t = 40)]
        tests: u32,
        /// Answers per test
        #[arg(long, value_name = "R", default_value_t = 2)]
        answers: u32,
        /// With two answers: the probability of answer 1
        #[arg(long, value_name = "P")]
        density: Option<f64>,
        /// Groups; 0: every object is its own
        #[arg(long, value_name = "K", default_value_t = 0)]
        groups: u32,
        /// Give each test a random whole cost from 1 to this
        #[arg(long, value_name = "C", default_value_t = 1)]
        costs: u32,
        /// Zipf's exponent of the prior; 0: all objects weigh the same
        #[arg(long, value_name = "D", default_value_t = 0.0)]
        delta: f64,
    },
    /// Objects on a line and tests `x > j`: the optimum is the alphabetic tree
    Thresholds {
        /// Objects
        #[arg(long, visible_alias = "n", value_name = "M", default_value_t = 16)]
        objects: u32,
        #[command(flatten)]
        prior: PriorArgs,
    },
    /// Elements and sets of them, and an object in no set: to prove it is to find a set cover
    SetCover {
        /// Elements
        #[arg(long, value_name = "N", default_value_t = 30)]
        elements: u32,
        /// Sets
        #[arg(long, value_name = "M", default_value_t = 20)]
        sets: u32,
        /// The probability that an element is in a set
        #[arg(long, value_name = "P", default_value_t = 0.2)]
        density: f64,
        /// The prior of the object in no set, such as 0.99 [default: all objects weigh the same]
        #[arg(long, value_name = "P")]
        extra: Option<f64>,
        /// Give each set a random whole cost from 1 to this
        #[arg(long, value_name = "C", default_value_t = 1)]
        costs: u32,
    },
    /// Priors 1/2, 1/4, 1/8, …: the best on average is the worst at worst
    Dyadic {
        /// Objects
        #[arg(long, value_name = "M", default_value_t = 16)]
        objects: u32,
    },
    /// Every split of the objects in two: the optimum is Huffman's code
    Subsets {
        /// Objects, at most 16
        #[arg(long, visible_alias = "n", value_name = "M", default_value_t = 8)]
        objects: u32,
        #[command(flatten)]
        prior: PriorArgs,
    },
    /// One test for each object, with random weights and costs: the optimum is an order by prior/cost
    Singletons {
        /// Objects
        #[arg(long, visible_alias = "n", value_name = "M", default_value_t = 10)]
        objects: u32,
        /// What the objects weigh, by comma, as many as there are objects [default: random from 1 to 100]
        #[arg(long, value_name = "W,W,…", value_delimiter = ',')]
        weights: Option<Vec<f64>>,
        /// What their tests cost, by comma, as many as there are objects [default: random from 1 to 10]
        #[arg(long, value_name = "C,C,…", value_delimiter = ',')]
        costs: Option<Vec<f64>>,
    },
    /// All orders of n items and all comparisons of two: to identify is to sort
    Sorting {
        /// Items, from 2 to 8
        #[arg(long, value_name = "N", default_value_t = 6)]
        n: u32,
    },
    /// All codes as objects and as guesses; read the table with `--confirm` to play until the code is guessed
    Mastermind {
        /// Places of a code
        #[arg(long, value_name = "N", default_value_t = 4)]
        pegs: u32,
        /// Colors for each place; at most 10000 codes in all
        #[arg(long, value_name = "N", default_value_t = 6)]
        colors: u32,
    },
    /// One heavy or light coin among n, and every weighing on a balance
    Coins {
        /// Coins, from 3 to 12; every coin more has almost three times as many weighings
        #[arg(long, value_name = "N", default_value_t = 8)]
        n: u32,
        /// All coins may be genuine
        #[arg(long)]
        genuine: bool,
    },
}

/// What objects weigh.
#[derive(Debug, Args)]
pub(crate) struct PriorArgs {
    /// Zipf's exponent of the prior; 0: all objects weigh the same
    #[arg(long, value_name = "D", default_value_t = 0.0)]
    pub(crate) delta: f64,
    /// What the objects weigh, by comma, as many as there are objects
    #[arg(long, value_name = "W,W,…", value_delimiter = ',', conflicts_with = "delta")]
    pub(crate) weights: Option<Vec<f64>>,
}

/// An algorithm's name, or all of them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice {
    Auto,
    Only(Algorithm),
}

fn algorithm(text: &str) -> Result<Choice, String> {
    if text == "auto" {
        return Ok(Choice::Auto);
    }
    let names = || {
        algorithms().iter().chain([&OPTIMAL]).map(|algorithm| algorithm.name).collect::<Vec<_>>().join(", ")
    };
    find_algorithm(text)
        .map(Choice::Only)
        .ok_or_else(|| format!("no such algorithm here; choose auto, {}", names()))
}

fn lambda(text: &str) -> Result<Lambda, String> {
    let value = text.trim().parse().map_err(|_| "λ is a number from 1 to `inf`".to_owned())?;
    Lambda::new(value).map_err(|error| error.to_string())
}

fn threads(text: &str) -> Result<NonZeroU16, String> {
    text.parse().map_err(|_| "choose a whole number from 1 on".to_owned())
}

fn numeric(text: &str) -> Result<Numeric, String> {
    let bins =
        |text: &str| text.parse().ok().filter(|bins: &u32| (2..=1000).contains(bins)).map(Numeric::Bins);
    match text.split_once(':') {
        None if text == "exact" => Ok(Numeric::Exact),
        None if text == "thresholds" => Ok(Numeric::Thresholds),
        Some(("bins", count)) => {
            bins(count).ok_or_else(|| "bins:N takes a whole number from 2 to 1000".to_owned())
        }
        _ => Err("choose exact, thresholds or bins:N, such as bins:4".to_owned()),
    }
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

fn probabilities(text: &str) -> Result<Probabilities, String> {
    let weight =
        |part: &str| part.trim().parse().ok().filter(|weight: &f64| weight.is_finite() && *weight >= 0.0);
    let weights: Option<Vec<f64>> = text.split(',').map(weight).collect();
    match weights {
        Some(weights) if weights.iter().any(|weight| *weight > 0.0) => Ok(Probabilities(weights)),
        _ => {
            Err("expected weights ≥ 0 by comma, at least one of them above 0, such as 0.5,0.3,0.2".to_owned())
        }
    }
}

/// A number that `is_fine`, or how cross-validation finds one.
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

/// A size such as `500MB`: a number and a unit of bytes, in thousands or, with an `i`, in 1024s.
fn bytes(text: &str) -> Result<usize, String> {
    let trimmed = text.trim();
    let (number, unit) = trimmed.split_at(trimmed.find(|c: char| c.is_alphabetic()).unwrap_or(trimmed.len()));
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "kib" => 1024.0,
        "m" | "mb" => 1e6,
        "mib" => 1024.0 * 1024.0,
        "g" | "gb" => 1e9,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err("expected a size such as 500MB or 4GB".to_owned()),
    };
    match number.trim().parse::<f64>() {
        Ok(number) if number * factor >= 1.0 && number * factor < 1e15 => Ok((number * factor) as usize),
        _ => Err("expected a size such as 500MB or 4GB".to_owned()),
    }
}

/// A cap on the worst cost.
fn cap(text: &str) -> Result<Cap, String> {
    match text.trim().parse::<f64>() {
        _ if text.trim() == "best" => Ok(Cap::Least),
        Ok(cap) if cap >= 0.0 => Ok(Cap::At(cap)),
        _ => Err("expected a cost of at least 0, or `best`".to_owned()),
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let unit = match &text[digits..] {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let seconds = text[..digits].parse().unwrap_or(f64::NAN) * unit;
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| "a time is a number and a unit, such as 30s, 500ms, 2m or 1h".to_owned())
}

fn range(text: &str) -> Result<(f64, f64), String> {
    let parts = text
        .split_once(',')
        .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
    parts.ok_or_else(|| "a range is two numbers, such as 0.5,0.8".to_owned())
}
