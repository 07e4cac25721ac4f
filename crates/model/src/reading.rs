//! The choices a user makes about how a table is to be understood, and what there is to say about it afterwards.

/// What is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identify {
    /// The group of the unknown object.
    Groups,
    /// The unknown object itself.
    Objects,
}

/// What each column means and how odd cells are treated; the defaults suit a table by the book.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The column of groups; usually the one called `group`.
    pub group: Role,
    /// The column of priors; usually the one called `prior`.
    pub prior: Role,
    /// Columns to leave out.
    pub ignore: Vec<String>,
    /// The only columns to take as tests; `None`: all that are left.
    pub tests: Option<Vec<String>>,
    /// Costs by test, beside the `@cost` row and stronger than it.
    pub costs: Vec<(String, f64)>,
    /// What is to be found; `None`: groups where there are some, else objects.
    pub identify: Option<Identify>,
    /// What an empty cell means.
    pub missing: MissingCells,
    /// What stands between the answers in a cell that lists several, such as `|`; `None`: no cell does.
    pub several: Option<String>,
    /// What a column of measured numbers means.
    pub numeric: Numeric,
    /// What to do with objects that no test tells apart.
    pub inseparable: Inseparable,
    /// Whether an object counts as identified only once the test with its name was asked, as in games.
    pub confirm: bool,
}

/// The column that plays a role.
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
    /// The column that was named for the role.
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Column(name) => Some(name),
            Self::Usual | Self::None => None,
        }
    }
}

impl From<Option<String>> for Role {
    /// A name, or the usual column.
    fn from(name: Option<String>) -> Self {
        name.map_or(Self::Usual, Self::Column)
    }
}

/// What an empty cell or `?` means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingCells {
    /// A mistake in the table.
    #[default]
    Error,
    /// An answer of its own, shown as `?`.
    Answer,
    /// Any answer of the test, each as likely as the others.
    Any,
}

/// What a column of measured numbers means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numeric {
    /// Every value is an answer.
    #[default]
    Exact,
    /// One yes/no test `column > x` for every cut between neighbouring values.
    Thresholds,
    /// One test with this many ranges, each of about as many objects.
    Bins(u32),
}

/// What to do with objects that no test tells apart although they differ in what is to be identified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inseparable {
    /// Keep them together, as one object in a group of its own.
    #[default]
    Join,
    /// Refuse the table.
    Refuse,
    /// Leave every row in its own group: for figures about the rows as they are. No strategy tells such objects apart,
    /// so nothing can be built from the instance.
    Keep,
}

/// Something a user should know about a table that is fine all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// Objects that differ in what is to be identified share all answers; the sets are in the instance.
    Inseparable {
        /// How many sets there are.
        sets: usize,
        /// The names in the first set.
        first: Vec<String>,
    },
    /// A column of numbers with many values is taken value by value.
    ManyNumbers {
        /// The columns and how many values each has.
        columns: Vec<(String, usize)>,
    },
}
