//! Arguments of `fewest export` and `fewest key`.

use super::drawing::DrawingArgs;
use super::goal::GoalArgs;
use super::table::TableArgs;
use crate::kinds::kinds_of_tree;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use fewest_export::{FORMATS, KeyOptions, KeyOrder, KeyStyle, Marks};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// A strategy, as `build --output` saved it, or a table, for which the best strategy is built first
    #[arg(required_unless_present = "list")]
    pub(crate) source: Option<PathBuf>,
    /// The format; by default the ending of `-o FILE` decides
    #[arg(long, value_name = "FORMAT", value_parser = formats(), hide_possible_values = true)]
    pub(crate) to: Option<String>,
    /// List all formats
    #[arg(long)]
    pub(crate) list: bool,
    /// Add a test to generated code: it walks to every leaf
    #[arg(long)]
    pub(crate) self_test: bool,
    #[command(flatten)]
    pub(crate) key: KeyArgs,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PrintedKeyArgs {
    /// A table, for which the best strategy is built first, or a strategy, as `build --output` saved it. `-o FILE.html`
    /// or `-o FILE.tex` writes the key as a page or for LaTeX
    pub(crate) source: PathBuf,
    #[command(flatten)]
    pub(crate) key: KeyArgs,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    #[command(flatten)]
    pub(crate) reading: TableArgs,
}

/// Options of a printed key.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Printed key")]
pub(crate) struct KeyArgs {
    /// Leads of a couplet together, or what follows from a lead below it
    #[arg(long, value_name = "STYLE", default_value = "bracketed")]
    pub(crate) style: StyleArg,
    /// Marks of leads: `1.` and `–`, `1a.` and `1b.`, or `1.` and `1′.`
    #[arg(long, value_name = "MARKS", default_value = "dash")]
    pub(crate) marks: MarksArg,
    /// Lead that comes first: the one with the fewest objects, answers in their order, or the likeliest
    #[arg(long, value_name = "ORDER", default_value = "fewest")]
    pub(crate) order: OrderArg,
    /// Two leads in every couplet; a question with more answers takes several couplets in a row
    #[arg(long)]
    pub(crate) dichotomous: bool,
    /// Columns of a key as text
    #[arg(long, value_name = "N", default_value = "80")]
    pub(crate) width: usize,
    /// Leave out what stands below the key: size, cost and proof
    #[arg(long)]
    pub(crate) no_footer: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum StyleArg {
    Bracketed,
    Indented,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MarksArg {
    Dash,
    Letters,
    Prime,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum OrderArg {
    Fewest,
    Answers,
    Likeliest,
}

impl KeyArgs {
    /// The same as options of the library.
    pub(crate) fn options(&self) -> KeyOptions {
        KeyOptions {
            style: match self.style {
                StyleArg::Bracketed => KeyStyle::Bracketed,
                StyleArg::Indented => KeyStyle::Indented,
            },
            marks: match self.marks {
                MarksArg::Dash => Marks::Dash,
                MarksArg::Letters => Marks::Letters,
                MarksArg::Prime => Marks::Prime,
            },
            order: match self.order {
                OrderArg::Fewest => KeyOrder::Fewest,
                OrderArg::Answers => KeyOrder::Answers,
                OrderArg::Likeliest => KeyOrder::Likeliest,
            },
            is_dichotomous: self.dichotomous,
            has_footer: !self.no_footer,
            width: self.width,
        }
    }
}

/// Names of all formats; a mistyped name is answered by the nearest one.
fn formats() -> PossibleValuesParser {
    let drawn = kinds_of_tree().into_iter().map(|(name, _)| name);
    PossibleValuesParser::new(FORMATS.iter().map(|format| format.name).chain(drawn))
}
