//! Command-line arguments: every option with its help, one file per command.

mod ask;
mod bounds;
mod build;
mod check;
mod code;
mod compare;
mod convert;
mod drawing;
mod export;
mod front;
mod generate;
mod goal;
mod inspect;
mod learn;
mod mcp;
mod parse;
mod predict;
mod reproduce;
mod serve;
mod session;
mod show;
mod simulate;
mod table;

pub(crate) use ask::AskArgs;
pub(crate) use bounds::BoundsArgs;
pub(crate) use build::BuildArgs;
pub(crate) use check::CheckArgs;
pub(crate) use code::{CodeArgs, Probabilities};
pub(crate) use compare::CompareArgs;
pub(crate) use convert::ConvertArgs;
pub(crate) use drawing::DrawingArgs;
pub(crate) use export::{ExportArgs, PrintedKeyArgs};
pub(crate) use front::FrontArgs;
pub(crate) use generate::{GenerateArgs, Kind, PriorArgs};
pub(crate) use goal::{AlgorithmArg, GoalArgs};
pub(crate) use inspect::InspectArgs;
pub(crate) use learn::{
    DataArgs, GrowthArgs, LearnArgs, LearnMissingArg, PruneArg, PruningArgs, SmallCountsArg,
};
pub(crate) use mcp::McpArgs;
pub(crate) use predict::PredictArgs;
pub(crate) use reproduce::{FigureArg, ReproduceArgs};
pub(crate) use serve::ServeArgs;
#[cfg(feature = "serve")]
pub(crate) use serve::{LimitArgs, TokenArgs};
pub(crate) use session::{SessionArgs, UntilArg};
pub(crate) use show::ShowArgs;
pub(crate) use simulate::SimulateArgs;
pub(crate) use table::TableArgs;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use parse::threads;
use std::num::NonZeroU16;
use std::path::PathBuf;

const HELP: &str = "\
{about}

Examples:
  fewest animals.csv                              the best order of questions, with its bound
  fewest build animals.csv -o plan.json           … and save it
  fewest show plan.json -o tree.svg               … and draw it: .svg, .png, .pdf, .html
  fewest build faults.csv --costs costs.csv --objective worst
  fewest ask animals.csv                          ask the questions here, one by one
  fewest compare animals.csv                      every algorithm side by side
  fewest inspect animals.csv                      the information of each test, and problems of the table
  fewest check animals.csv plan.json              verify a saved strategy
  fewest convert key.xlsx key.csv                 a table in another format, and what it cannot hold
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
#[command(name = "fewest", version, help_template = HELP, max_term_width = 100)]
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
    /// Play every object against a strategy, with errors and unknown answers: accuracy and cost
    Simulate(Box<SimulateArgs>),
    /// Draw a saved strategy
    Show(ShowArgs),
    /// Write a strategy for other programs: code in eight languages, decision tables, forms, models
    Export(Box<ExportArgs>),
    /// Print a numbered identification key, as floras and manuals do
    Key(Box<PrintedKeyArgs>),
    /// Learn a tree that predicts a column: information gain, χ² pruning
    Learn(Box<LearnArgs>),
    /// Predict classes and probabilities for new rows
    Predict(PredictArgs),
    /// Show Huffman, Shannon, Fano and arithmetic codes of a distribution
    Code(CodeArgs),
    /// List the algorithms, with one line and the paper each
    Algorithms,
    /// Write a table in another format: workbooks, CSV, and the formats of biologists
    Convert(ConvertArgs),
    /// Make a table: random models, families whose optimum is known, puzzles
    Generate(GenerateArgs),
    /// Reproduce the papers' figures and examples, and studies beyond them, as tables, plots and pages
    Reproduce(ReproduceArgs),
    /// Open the web app, and give programs the same over HTTP
    Serve(Box<ServeArgs>),
    /// Give an assistant the questions as tools: the Model Context Protocol, on standard input and output
    Mcp(Box<McpArgs>),
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
    /// Write to this file, never half-written; its ending decides what: .json, .svg, .png, .pdf, .dot, .html, .md, .csv, .txt
    #[arg(long, short, global = true, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// No warnings and no progress
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// When to use colour [default: auto]
    #[arg(long, global = true, value_name = "WHEN", hide_possible_values = true)]
    pub(crate) color: Option<Color>,
    /// Number of threads; the result does not depend on it
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
