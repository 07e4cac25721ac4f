//! Options for reading a table: roles of columns, meaning of special cells; and the warnings that may result.

use crate::Named;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Name of the answer that stands for a gap, where a gap is an answer of its own.
pub const NOT_RECORDED: &str = "not recorded";

/// Ranges that a column of measured numbers may be cut into.
const BINS: std::ops::RangeInclusive<u32> = 2..=1000;

/// Target of the identification: the object, or only its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identify {
    /// Find the group of the unknown object.
    Groups,
    /// Find the unknown object itself.
    Objects,
}

impl Named for Identify {
    const VALUES: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Groups, "groups", "The group of the unknown object"),
        (Self::Objects, "objects", "The unknown object itself"),
    ];
}

/// Roles of the columns and treatment of special cells; the defaults suit a table in the documented format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Column of groups; by default the one called `group`. A path such as `family/genus/species` names columns of nested
    /// groups.
    pub group: Role,
    /// Level of a path of groups that is to be identified, such as `genus`; `None`: the last.
    pub group_rank: Option<String>,
    /// Column of priors; by default the one called `prior`.
    pub prior: Role,
    /// Columns to leave out.
    pub ignore: Vec<String>,
    /// The only columns to take as tests; `None`: all columns without another role.
    pub tests: Option<Vec<String>>,
    /// Costs by name of test; they replace those of the `@cost` row.
    pub costs: Vec<(String, f64)>,
    /// Costs by name of test and answer; they replace the cost of the test for that answer.
    pub answer_costs: Vec<AnswerCost>,
    /// Tests that share a set-up with others; they replace those of the `@bundle` row.
    pub bundles: Vec<InBundle>,
    /// Premises by name of test, as text such as `wings=yes & colour=red|blue`; they replace those of the `@if` row.
    pub premises: Vec<(String, String)>,
    /// Tools by name of test, each separated by `;`; they replace those of the `@needs` row.
    pub needs: Vec<(String, String)>,
    /// Tools that are not at hand: tests that need one of them are left out.
    pub without: Vec<String>,
    /// Target of the identification; `None`: groups if the table has a column of them, else objects.
    pub identify: Option<Identify>,
    /// Meaning of an empty cell or `?`.
    pub missing: MissingCells,
    /// Words for a gap, in any case; `None`: `NA`, `n/a`, `nan`, `null` and `unknown`. An empty cell and `?` are
    /// always gaps.
    pub gap_words: Option<Vec<String>>,
    /// Whether texts are taken as they stand: only an empty cell and `?` are gaps, and answers that differ in case or
    /// number form are different answers.
    pub verbatim: bool,
    /// Distances within which measured values are not told apart for certain, by column; `None` stands for every
    /// column without its own.
    pub tolerance: Vec<(Option<String>, Tolerance)>,
    /// Separator between the answers in a cell that lists several, such as `|`; `None`: `|`, if parts of
    /// such cells stand alone in others and the reading is not verbatim.
    pub several: Option<String>,
    /// Meaning of a column of measured numbers.
    pub numeric: Numeric,
    /// Treatment of objects that no test tells apart.
    pub inseparable: Inseparable,
    /// Whether an object counts as identified only once the test with its name was asked, as in games.
    pub confirm: bool,
}

impl Reading {
    /// Reading that takes every text as it stands: no gaps, no merged spellings, every number an answer.
    pub fn plain() -> Self {
        Self { missing: MissingCells::Error, numeric: Numeric::Exact, verbatim: true, ..Self::default() }
    }
}

/// Cost of a test for those who give one of its answers.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerCost {
    /// Name of the test.
    pub test: String,
    /// Text of the answer.
    pub answer: String,
    /// Cost, above 0; 0 as well for a test in a bundle.
    pub cost: f64,
}

/// A test in a bundle: the first test of the bundle on a path pays the set-up, later ones only their own cost.
#[derive(Clone, Debug, PartialEq)]
pub struct InBundle {
    /// Name of the test.
    pub test: String,
    /// Name of the bundle.
    pub bundle: String,
    /// What is known of the set-up.
    pub price: BundlePrice,
}

/// Set-up of a bundle, as it was given beside one of its tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BundlePrice {
    /// Set-up, at least 0; the cost of the test is its own cost without it.
    Setup(f64),
    /// Set-up given beside another test of the bundle; the cost of the test is its own cost without it.
    Elsewhere,
    /// Cost of the test where the bundle is open already: the cost of the test includes the set-up.
    Later(f64),
}

/// Choice of the column for a role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// The column with the role's own name, if there is one.
    #[default]
    Usual,
    /// The column of this name.
    Column(String),
    /// No column: one with the role's own name is a test like any other.
    None,
}

impl Role {
    /// Name of the column that was chosen for the role, if one was.
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Column(name) => Some(name),
            Self::Usual | Self::None => None,
        }
    }
}

impl From<Option<String>> for Role {
    /// Converts what a user wrote: the name of a column, `none` for no column, or nothing for the usual one.
    fn from(name: Option<String>) -> Self {
        match name {
            None => Self::Usual,
            Some(name) if name == "none" => Self::None,
            Some(name) => Self::Column(name),
        }
    }
}

/// Meaning of an empty cell or `?`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingCells {
    /// `Any` or `Answer`, whichever suits the table: `Any` if objects are identified, `Answer` if rows are cases
    /// of a few groups.
    #[default]
    Auto,
    /// An error in the table.
    Error,
    /// An answer of its own, shown as `?`.
    Answer,
    /// Any answer of the test, each as likely as the others.
    Any,
}

impl Named for MissingCells {
    const VALUES: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Auto, "auto", "The sensible one of `any` and `answer` for this table; it is said which"),
        (Self::Error, "error", "A mistake: say how many and where"),
        (Self::Answer, "answer", "An answer of its own: that nothing was recorded is a fact"),
        (Self::Any, "any", "Not recorded: the object may give any answer of that test, each as likely"),
    ];
}

/// Distance within which measured values are not told apart for certain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// The same for every value.
    Absolute(f64),
    /// This share of the value.
    Relative(f64),
}

impl Tolerance {
    /// Distance for one value.
    pub fn radius(self, value: f64) -> f64 {
        match self {
            Self::Absolute(distance) => distance,
            Self::Relative(share) => share * value.abs(),
        }
    }
}

/// Meaning of a column of measured numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numeric {
    /// `Thresholds` for columns of numbers that are not whole or of more than 12 numbers, `Exact` for others.
    #[default]
    Auto,
    /// Every value is an answer of its own.
    Exact,
    /// One yes/no test `column > x` for every useful cut between neighbouring values.
    Thresholds,
    /// One test whose answers are the ranges between useful cuts: the column is asked and paid once.
    Measure,
    /// One test with at most this many ranges, each holding about the same number of objects.
    Bins(u32),
}

/// Text that is no way to read a column of measured numbers.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("choose auto, exact, thresholds, measure or bins:N, such as bins:4, with N from {} to {}", BINS.start(), BINS.end())]
pub struct NumericError;

impl FromStr for Numeric {
    type Err = NumericError;

    fn from_str(text: &str) -> Result<Self, NumericError> {
        match text.split_once(':') {
            None if text == "auto" => Some(Self::Auto),
            None if text == "exact" => Some(Self::Exact),
            None if text == "thresholds" => Some(Self::Thresholds),
            None if text == "measure" => Some(Self::Measure),
            Some(("bins", count)) => count.parse().ok().filter(|bins| BINS.contains(bins)).map(Self::Bins),
            _ => None,
        }
        .ok_or(NumericError)
    }
}

impl fmt::Display for Numeric {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => out.write_str("auto"),
            Self::Exact => out.write_str("exact"),
            Self::Thresholds => out.write_str("thresholds"),
            Self::Measure => out.write_str("measure"),
            Self::Bins(bins) => write!(out, "bins:{bins}"),
        }
    }
}

/// Treatment of objects that no test tells apart although they differ in what is to be identified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inseparable {
    /// Join them to one object in a group of its own.
    #[default]
    Join,
    /// Refuse the table.
    Refuse,
    /// Leave every row in its own group, for statistics of the rows as they are. No strategy tells such objects
    /// apart, so no tree can be built from the instance.
    Keep,
}

impl Named for Inseparable {
    const VALUES: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Join, "join", "Keep them together in one leaf"),
        (Self::Refuse, "refuse", "Refuse the table"),
    ];
}

/// Answer that was written in several ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Respelled {
    /// The column.
    pub column: String,
    /// The spelling that is kept: the most frequent one.
    pub kept: String,
    /// The other spellings.
    pub others: Vec<String>,
}

impl Warning {
    /// Whether this only says how the table was read, with nothing to worry about.
    pub fn is_note(&self) -> bool {
        match self {
            Self::Gaps { .. } | Self::Measured { .. } | Self::Respelled(_) | Self::Lists { .. } => true,
            Self::Premises { ignored, blanks, .. } => ignored + blanks == 0,
            _ => false,
        }
    }
}

/// Remark about a valid table that a user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// Some objects share all answers although they differ in what is to be identified; the instance holds the sets.
    Inseparable {
        /// Number of sets of such objects.
        sets: usize,
        /// Names of the objects in the first set.
        first: Vec<String>,
    },
    /// Some cells hold no value.
    Gaps {
        /// Number of such cells.
        count: usize,
        /// Number of all cells of tests.
        cells: usize,
        /// Columns with such cells, each with their number, the most first.
        columns: Vec<(String, usize)>,
        /// Words that were taken for gaps, beside empty cells and `?`.
        words: Vec<String>,
        /// Meaning of a gap in this table: `Answer` or `Any`.
        read_as: MissingCells,
    },
    /// Some objects have no prior and got the median of the others.
    PriorGaps {
        /// Column of the priors.
        column: String,
        /// Number of such objects.
        count: usize,
        /// The median, as it is written in the table.
        median: String,
    },
    /// Columns of measured numbers became cuts or ranges.
    Measured {
        /// Columns, in order.
        columns: Vec<String>,
        /// Reading of these columns.
        numeric: Numeric,
        /// Number of tests that were made from them.
        tests: usize,
        /// Name of the first of these tests.
        example: String,
    },
    /// Answers that were written in several ways are one answer each.
    Respelled(Vec<Respelled>),
    /// Cells such as `red|white` list the answers that an object may give.
    Lists {
        /// Columns with such cells.
        columns: Vec<String>,
    },
    /// Some tests may not be asked of some objects.
    Premises {
        /// Number of tests with a premise.
        tests: usize,
        /// Number of cells without an answer because the test does not apply.
        cells: usize,
        /// Number of cells with an answer that is left out, because a premise of the test does not hold for the object.
        ignored: usize,
        /// Number of cells `-` of objects for which every premise of the test holds.
        blanks: usize,
    },
    /// Columns in which each object has a text of its own, as if they were names.
    NameLike {
        /// The columns.
        columns: Vec<String>,
    },
    /// A column of many different numbers is taken value by value.
    ManyNumbers {
        /// Columns, each with its number of different values.
        columns: Vec<(String, usize)>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_to_read_numbers_are_written_as_they_are_read() {
        let plain = [Numeric::Auto, Numeric::Exact, Numeric::Thresholds, Numeric::Measure];
        for numeric in plain.into_iter().chain([2, 1000].map(Numeric::Bins)) {
            assert_eq!(numeric.to_string().parse(), Ok(numeric));
        }
        for text in ["", "bins", "bins:1", "bins:1001", "bins:x", "thresholds:2", "Exact"] {
            assert_eq!(text.parse::<Numeric>(), Err(NumericError), "{text}");
        }
    }
}
