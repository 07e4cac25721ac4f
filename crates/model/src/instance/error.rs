//! Errors of tables that cannot be read as a problem.

use crate::{Choice, Spell, spell_plainly};
use std::fmt;

/// Error of a table that cannot be read as a problem: where it is, and what to do about it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InstanceError {
    /// The table has a header but no objects.
    NoObjects,
    /// The table has several objects but no column to ask about.
    NoTests,
    /// An option names a column that does not exist.
    NoSuchColumn {
        /// Option that names the column.
        option: Choice,
        /// Name given to the option.
        name: String,
        /// Hint with the columns that exist.
        known: String,
    },
    /// An option names a column that has another role.
    NoTest {
        /// Option that names the column.
        option: Choice,
        /// Name given to the option.
        name: String,
        /// Words for the content of the column, such as "the groups".
        role: &'static str,
        /// Hint with the columns that exist.
        known: String,
    },
    /// One column is given two roles.
    TwoRoles {
        /// The column.
        name: String,
        /// First role.
        first: &'static str,
        /// Second role.
        second: &'static str,
    },
    /// A program gave two objects the same name.
    SameObject {
        /// Name of both objects.
        name: String,
    },
    /// A program gave a test a cost that is not above 0.
    TestCost {
        /// The test.
        test: String,
        /// The cost.
        cost: f64,
    },
    /// A program gave a column with another number of values than there are objects.
    Length {
        /// The column.
        name: String,
        /// Number of values of the column.
        found: usize,
        /// Number of objects.
        expected: usize,
    },
    /// Two tests made from columns of numbers have the same name.
    SameTest {
        /// Name of both tests.
        name: String,
        /// Position of the second column in the file, counted from 1.
        position: usize,
    },
    /// Groups are to be identified, but the table has no column of groups.
    NoGroups,
    /// An object has no group.
    EmptyGroup {
        /// The row.
        row: usize,
        /// The column.
        column: String,
        /// The object.
        object: String,
    },
    /// A prior is not a finite number of at least 0.
    Prior {
        /// The row.
        row: usize,
        /// The column.
        column: String,
        /// The object.
        object: String,
        /// Text of the cell; empty if the cell is empty.
        text: String,
    },
    /// All priors are zero.
    NoWeight {
        /// The column.
        column: String,
    },
    /// A cost is not a finite number above 0.
    Cost {
        /// The row.
        row: usize,
        /// The test.
        test: String,
        /// Text of the cell.
        text: String,
    },
    /// A set-up is not a finite number of at least 0.
    Setup {
        /// The row.
        row: usize,
        /// The test.
        test: String,
        /// Text of the cell.
        text: String,
    },
    /// A test has a set-up but no bundle.
    SetupAlone {
        /// The row.
        row: usize,
        /// The test.
        test: String,
    },
    /// Two tests of a bundle come with different set-ups.
    TwoSetups {
        /// The bundle.
        bundle: String,
        /// First test and its set-up.
        first: (String, f64),
        /// Second test and its set-up.
        second: (String, f64),
    },
    /// A test is in two bundles.
    TwoBundles {
        /// The test.
        test: String,
        /// First bundle.
        first: String,
        /// Second bundle.
        second: String,
    },
    /// A bundle has no set-up.
    NoSetup {
        /// The bundle.
        bundle: String,
        /// First test of the bundle.
        test: String,
    },
    /// A test costs nothing, and has no set-up.
    FreeTest {
        /// The test.
        test: String,
    },
    /// A test would cost more where its bundle is open than where it is not.
    LaterCost {
        /// The test.
        test: String,
        /// Cost with the set-up.
        cost: f64,
        /// Cost without it.
        later: f64,
    },
    /// The cost without the set-up is given, but not the cost with it.
    NoFullCost {
        /// The test.
        test: String,
    },
    /// A cost is given for an answer that no object gives.
    NoAnswer {
        /// The test.
        test: String,
        /// The answer.
        answer: String,
        /// Hint with the nearest answer.
        hint: String,
    },
    /// The sum of the costs is too large for a float.
    HugeCosts {
        /// Test with the largest cost.
        test: String,
        /// Cost of that test.
        cost: f64,
    },
    /// Cells are missing, and the reading does not allow that.
    MissingCells {
        /// Number of missing cells.
        count: usize,
        /// Row of the first missing cell.
        row: usize,
        /// Column of the first missing cell.
        column: String,
        /// Object of the first missing cell.
        object: String,
    },
    /// A cell that lists answers has an empty part.
    EmptyPart {
        /// The row.
        row: usize,
        /// The column.
        column: String,
        /// The object.
        object: String,
        /// Text of the cell.
        text: String,
    },
    /// A cell lists an answer twice.
    RepeatedPart {
        /// The row.
        row: usize,
        /// The column.
        column: String,
        /// The object.
        object: String,
        /// Text of the cell.
        text: String,
        /// Answer that is listed twice.
        part: String,
    },
    /// Confirmation is asked for, but cells leave answers open.
    ConfirmSeveral,
    /// Confirmation is asked for, but costs depend on the path.
    ConfirmPrices,
    /// Confirmation is asked for, but groups are to be identified; only objects can be confirmed.
    ConfirmGroups,
    /// An object has no test of its name.
    NoConfirmation {
        /// The object.
        object: String,
    },
    /// A test does not confirm the object it is named after.
    SharedConfirmation {
        /// Name of the object and of the test.
        object: String,
        /// First other object with the same answer.
        other: String,
        /// Answer that both objects give.
        answer: String,
    },
    /// Some objects are told apart by no test, and the reading refuses that.
    Inseparable {
        /// Number of sets of such objects.
        sets: usize,
        /// Names of the objects in the first set.
        first: Vec<String>,
    },
}

impl InstanceError {
    /// Returns the message, with options spelled by `spell`.
    pub fn words(&self, spell: Spell) -> String {
        match self {
            Self::NoObjects => {
                "no objects: the table has a header and nothing below it; add a row for each object"
                    .to_owned()
            }
            Self::NoTests => {
                "no test: the table has no column to ask about; add one with an answer for each object"
                    .to_owned()
            }
            Self::NoSuchColumn { option, name, known } => {
                format!("{} `{name}`: there is no such column; {known}", spell(*option, ""))
            }
            Self::NoTest { option, name, role, known } => {
                format!(
                    "{} `{name}`: that column holds {role}, so it is no test; {known}",
                    spell(*option, "")
                )
            }
            Self::TwoRoles { name, first, second } => {
                format!("column `{name}` cannot hold both {first} and {second}; give each its own column")
            }
            Self::SameObject { name } => format!("two objects are called `{name}`; rename one of them"),
            Self::TestCost { test, cost } => {
                format!("the cost of `{test}` is {cost}; a cost is a number > 0, such as 1 or 2.5")
            }
            Self::Length { name, found, expected } => {
                format!("column `{name}` has {found} values for {expected} objects; give one for each")
            }
            Self::SameTest { name, position } => {
                format!("column {position}: two tests would be called `{name}`; rename one of the columns")
            }
            Self::NoGroups | Self::EmptyGroup { .. } => self.words_on_groups(spell),
            Self::Prior { .. } | Self::NoWeight { .. } | Self::Cost { .. } | Self::HugeCosts { .. } => {
                self.words_on_numbers()
            }
            Self::MissingCells { .. } | Self::EmptyPart { .. } | Self::RepeatedPart { .. } => {
                self.words_on_cells(spell)
            }
            Self::ConfirmSeveral
            | Self::ConfirmPrices
            | Self::ConfirmGroups
            | Self::NoConfirmation { .. }
            | Self::SharedConfirmation { .. } => self.words_on_confirming(spell),
            Self::Inseparable { sets, first } => {
                let others =
                    if *sets > 1 { format!(" (and {} more such sets)", sets - 1) } else { String::new() };
                format!(
                    "no test tells {} apart{others}; add a test that does, or use {} to keep such objects together",
                    list(first),
                    spell(Choice::Inseparable, "join"),
                )
            }
            _ => self.words_on_prices(spell),
        }
    }

    fn words_on_groups(&self, spell: Spell) -> String {
        let objects = spell(Choice::Identify, "objects");
        match self {
            Self::NoGroups => format!(
                "no groups to identify: the table has no column `group`; name one with {}, or use {objects}",
                spell(Choice::Group, ""),
            ),
            Self::EmptyGroup { row, column, object } => format!(
                "row {row}, column `{column}`: object `{object}` has no group; fill the cell, or use {objects}"
            ),
            _ => String::new(),
        }
    }

    fn words_on_numbers(&self) -> String {
        match self {
            Self::Prior { row, column, object, text } => {
                let prior = if text.is_empty() { "no prior".to_owned() } else { format!("prior `{text}`") };
                format!(
                    "row {row}, column `{column}`: object `{object}` has {prior}; a prior is a number ≥ 0, such as 3 or 0.25"
                )
            }
            Self::NoWeight { column } => {
                format!("column `{column}`: all priors are 0; give at least one object a weight above 0")
            }
            Self::Cost { row, test, text } => format!(
                "row {row}, column `{test}`: the cost is `{text}`; a cost is a number > 0, such as 1 or 2.5"
            ),
            Self::HugeCosts { test, cost } => format!(
                "the costs add up to more than a computer can hold, with {cost} for `{test}` alone; give them in a larger unit"
            ),
            _ => String::new(),
        }
    }

    fn words_on_prices(&self, spell: Spell) -> String {
        match self {
            Self::Setup { row, test, text } => format!(
                "row {row}, column `{test}`: the set-up is `{text}`; a set-up is a number ≥ 0, such as 0 or 2.5"
            ),
            Self::SetupAlone { row, test } => format!(
                "row {row}, column `{test}`: there is a set-up but no bundle; name the bundle in the row `@bundle`"
            ),
            Self::TwoSetups { bundle, first, second } => format!(
                "bundle `{bundle}` has the set-up {} by test `{}` and {} by test `{}`; the tests of a bundle share one set-up",
                first.1, first.0, second.1, second.0
            ),
            Self::TwoBundles { test, first, second } => {
                format!(
                    "test `{test}` is in the bundles `{first}` and `{second}`; a test has one bundle at most"
                )
            }
            Self::NoSetup { bundle, test } => {
                format!("bundle `{bundle}` has no set-up; give one beside a test of it, such as `{test}`")
            }
            Self::FreeTest { test } => format!(
                "the cost of `{test}` is 0; a cost is a number > 0, or 0 for a test of a bundle whose set-up is above 0"
            ),
            Self::LaterCost { test, cost, later } => format!(
                "test `{test}` costs {cost}, but {later} after another test of its bundle; it cannot cost more then"
            ),
            Self::NoFullCost { test } => format!(
                "{} gives the cost of `{test}` after another test of its bundle, but not its cost as the first one; give \
                 that with {}",
                spell(Choice::Bundles, ""),
                spell(Choice::Costs, ""),
            ),
            Self::NoAnswer { test, answer, hint } => {
                let hint = if hint.is_empty() { "; correct the answer, or leave it out" } else { hint };
                format!("a cost is given for answer `{answer}` to `{test}`, which no object gives{hint}")
            }
            _ => String::new(),
        }
    }

    fn words_on_cells(&self, spell: Spell) -> String {
        match self {
            Self::MissingCells { count, row, column, object } => {
                let (cells, them) = if *count == 1 { ("cell is", "it") } else { ("cells are", "them") };
                format!(
                    "{count} {cells} empty or `?`, the first in row {row}, column `{column}` (object `{object}`); fill \
                     {them}, or use {} (missing is an answer of its own) or {} (the object may give any answer of that test)",
                    spell(Choice::Missing, "answer"),
                    spell(Choice::Missing, "any"),
                )
            }
            Self::EmptyPart { row, column, object, text } => format!(
                "row {row}, column `{column}`: object `{object}` has `{text}`, which lists an answer that is empty or `?`; \
                 list each answer by its name, leave the whole cell empty where nothing is known, or give {} another mark",
                spell(Choice::Several, ""),
            ),
            Self::RepeatedPart { row, column, object, text, part } => format!(
                "row {row}, column `{column}`: object `{object}` has `{text}`, which lists `{part}` twice; list each \
                 answer once, or give {} another mark",
                spell(Choice::Several, ""),
            ),
            _ => String::new(),
        }
    }

    fn words_on_confirming(&self, spell: Spell) -> String {
        let confirm = spell(Choice::Confirm, "");
        match self {
            Self::ConfirmSeveral => format!(
                "{confirm} needs one answer in every cell, but some cells are unknown or list several; leave out \
                 {confirm}, or fill these cells"
            ),
            Self::ConfirmPrices => format!(
                "{confirm} needs one cost for each test, but some costs depend on the answer or on a bundle; leave out \
                 {confirm}, or these costs"
            ),
            Self::ConfirmGroups => format!(
                "{confirm} is for finding objects, but groups are to be found here; add {}",
                spell(Choice::Identify, "objects"),
            ),
            Self::NoConfirmation { object } => format!(
                "{confirm}: object `{object}` has no test of its name; add a column `{object}` in which only its own \
                 answer is different, or leave out {confirm}"
            ),
            Self::SharedConfirmation { object, other, answer } => format!(
                "{confirm}: test `{object}` cannot confirm object `{object}`, because `{other}` answers `{answer}` as \
                 well; only `{object}` may give that answer"
            ),
            _ => String::new(),
        }
    }
}

impl fmt::Display for InstanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(spell_plainly))
    }
}

impl std::error::Error for InstanceError {}

/// Writes a list as `a`, `b` and `c`; a long list ends in the number of the names left out.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if names.len() > SHOWN {
        shown.push(format!("{} more", names.len() - SHOWN));
    }
    let last = shown.pop().unwrap_or_default();
    if shown.is_empty() { last } else { format!("{} and {last}", shown.join(", ")) }
}
