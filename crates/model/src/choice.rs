//! Options that a user can set: messages name a [`Choice`], and each front end spells it in its own way.

/// Option for reading a table or for learning from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Choice {
    /// The column that names the objects.
    Object,
    /// The column of groups.
    Group,
    /// The level of nested groups.
    GroupRank,
    /// The column of priors.
    Prior,
    /// Whether the file has one row per test.
    Transpose,
    /// Columns to leave out.
    Ignore,
    /// The only columns to take as tests.
    Tests,
    /// Costs of tests.
    Costs,
    /// Tests that share a set-up.
    Bundles,
    /// Whether groups or objects are to be identified.
    Identify,
    /// The meaning of a missing cell.
    Missing,
    /// The mark between several answers in a cell.
    Several,
    /// The meaning of a column of numbers.
    Numeric,
    /// The words for a missing cell.
    GapWords,
    /// Whether texts are taken as they stand.
    Verbatim,
    /// The distance within which measured values are not told apart for certain.
    Tolerance,
    /// The treatment of objects that no test tells apart.
    Inseparable,
    /// Whether each object must be confirmed by the test of its name.
    Confirm,
    /// Tools that are not at hand: tests that need one are left out.
    Without,
    /// The column to predict.
    Target,
    /// Weights of classes.
    ClassWeights,
}

impl Choice {
    /// Name of the option, the same in the library, in JSON, over HTTP and in Python.
    ///
    /// ```
    /// assert_eq!(fewest_model::Choice::ClassWeights.name(), "class_weights");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Group => "group",
            Self::GroupRank => "group_rank",
            Self::Prior => "prior",
            Self::Transpose => "transpose",
            Self::Ignore => "ignore",
            Self::Tests => "tests",
            Self::Costs => "costs",
            Self::Bundles => "bundles",
            Self::Identify => "identify",
            Self::Missing => "missing",
            Self::Several => "several",
            Self::Numeric => "numeric",
            Self::GapWords => "na",
            Self::Verbatim => "verbatim",
            Self::Tolerance => "tolerance",
            Self::Inseparable => "inseparable",
            Self::Confirm => "confirm",
            Self::Without => "without",
            Self::Target => "target",
            Self::ClassWeights => "class_weights",
        }
    }
}

/// Spelling of an option and its value in a front end; the value is empty if only the option is meant.
pub type Spell = fn(Choice, &str) -> String;

/// Spells an option in the library's own way: `missing`, `missing = answer`.
///
/// ```
/// use fewest_model::{Choice, spell_plainly};
/// assert_eq!(spell_plainly(Choice::Missing, "answer"), "missing = answer");
/// assert_eq!(spell_plainly(Choice::Group, ""), "group");
/// ```
pub fn spell_plainly(choice: Choice, value: &str) -> String {
    match value {
        "" => choice.name().to_owned(),
        value => format!("{} = {value}", choice.name()),
    }
}
