//! The options that a user can set, by idea: messages name a [`Choice`], and each front end spells it its own way.

/// An option about how a table is read or learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Choice {
    /// The column that names the objects.
    Object,
    /// The column of groups.
    Group,
    /// The column of priors.
    Prior,
    /// Columns to leave out.
    Ignore,
    /// The only columns to take as tests.
    Tests,
    /// Costs of tests.
    Costs,
    /// Whether groups or objects are to be identified.
    Identify,
    /// The meaning of a missing cell.
    Missing,
    /// The mark between several answers in a cell.
    Several,
    /// The meaning of a column of numbers.
    Numeric,
    /// The treatment of objects that no test tells apart.
    Inseparable,
    /// Whether each object must be confirmed by the test of its name.
    Confirm,
    /// The column to predict.
    Target,
    /// Weights of classes.
    ClassWeights,
}

impl Choice {
    /// Its word, the same in the library, in JSON, over HTTP and in Python.
    ///
    /// ```
    /// assert_eq!(fewest_model::Choice::ClassWeights.name(), "class_weights");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Group => "group",
            Self::Prior => "prior",
            Self::Ignore => "ignore",
            Self::Tests => "tests",
            Self::Costs => "costs",
            Self::Identify => "identify",
            Self::Missing => "missing",
            Self::Several => "several",
            Self::Numeric => "numeric",
            Self::Inseparable => "inseparable",
            Self::Confirm => "confirm",
            Self::Target => "target",
            Self::ClassWeights => "class_weights",
        }
    }
}

/// How a front end writes an option and its value; the value is empty where only the option is meant.
pub type Spell = fn(Choice, &str) -> String;

/// The library's own spelling: `missing`, `missing = answer`.
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
