//! Why a table cannot be understood.

use crate::{Choice, Spell, spell_plainly};
use std::fmt;

/// Why a table cannot be understood, where, and what to do about it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InstanceError {
    /// The table has a header but no objects.
    NoObjects,
    /// An option names a column that is not there.
    NoSuchColumn {
        /// The option.
        option: Choice,
        /// The name given.
        name: String,
        /// What there is instead.
        known: String,
    },
    /// An option names a column that has another role.
    NoTest {
        /// The option.
        option: Choice,
        /// The name given.
        name: String,
        /// What the column holds.
        role: &'static str,
        /// What there is instead.
        known: String,
    },
    /// One column is given two roles.
    TwoRoles {
        /// The column.
        name: String,
        /// The one role.
        first: &'static str,
        /// The other role.
        second: &'static str,
    },
    /// Two objects of one name, given by a program.
    SameObject {
        /// The name.
        name: String,
    },
    /// A cost, given by a program, that is not above 0.
    TestCost {
        /// The test.
        test: String,
        /// The cost.
        cost: f64,
    },
    /// A column, given by a program, with another number of values than there are objects.
    Length {
        /// The column.
        name: String,
        /// How many values it has.
        found: usize,
        /// How many objects there are.
        expected: usize,
    },
    /// Two tests of one name, made from columns of numbers.
    SameTest {
        /// The name.
        name: String,
        /// Where the second column stands.
        position: usize,
    },
    /// Groups are asked for and there are none.
    NoGroups,
    /// An object without a group.
    EmptyGroup {
        /// The row.
        row: usize,
        /// The column.
        column: String,
        /// The object.
        object: String,
    },
    /// A prior that is no weight.
    Prior {
        /// The row.
        row: usize,
        /// The column.
        column: String,
        /// The object.
        object: String,
        /// What stands there; nothing where the cell is empty.
        text: String,
    },
    /// All priors are zero.
    NoWeight {
        /// The column.
        column: String,
    },
    /// A cost that is none.
    Cost {
        /// The row.
        row: usize,
        /// The test.
        test: String,
        /// What stands there.
        text: String,
    },
    /// Costs whose sum is no number any more.
    HugeCosts {
        /// The dearest test.
        test: String,
        /// Its cost.
        cost: f64,
    },
    /// Cells that say nothing.
    MissingCells {
        /// How many.
        count: usize,
        /// The row of the first.
        row: usize,
        /// The column of the first.
        column: String,
        /// The object of the first.
        object: String,
    },
    /// A cell that lists nothing where an answer should be.
    EmptyPart {
        /// The row.
        row: usize,
        /// The column.
        column: String,
        /// The object.
        object: String,
        /// The cell.
        text: String,
    },
    /// A cell that lists an answer twice.
    RepeatedPart {
        /// The row.
        row: usize,
        /// The column.
        column: String,
        /// The object.
        object: String,
        /// The cell.
        text: String,
        /// The answer.
        part: String,
    },
    /// Objects are to be confirmed although cells leave answers open.
    ConfirmSeveral,
    /// Groups are to be found, and only objects can be confirmed.
    ConfirmGroups,
    /// An object without a test of its name.
    NoConfirmation {
        /// The object.
        object: String,
    },
    /// A test that does not confirm the object it is named after.
    SharedConfirmation {
        /// The object, and the test.
        object: String,
        /// The first other object with the same answer.
        other: String,
        /// The answer.
        answer: String,
    },
    /// Objects that no test tells apart.
    Inseparable {
        /// How many such sets there are.
        sets: usize,
        /// The names in the first.
        first: Vec<String>,
    },
}

impl InstanceError {
    /// The message, with options spelled by `spell`.
    pub fn words(&self, spell: Spell) -> String {
        match self {
            Self::NoObjects => {
                "no objects: the table has a header and nothing below it; add a row for each object"
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
            Self::NoGroups => format!(
                "no groups to identify: the table has no column `group`; name one with {}, or use {}",
                spell(Choice::Group, ""),
                spell(Choice::Identify, "objects"),
            ),
            Self::EmptyGroup { row, column, object } => format!(
                "row {row}, column `{column}`: object `{object}` has no group; fill the cell, or use {}",
                spell(Choice::Identify, "objects"),
            ),
            Self::Prior { .. } | Self::NoWeight { .. } | Self::Cost { .. } | Self::HugeCosts { .. } => {
                self.words_on_numbers()
            }
            Self::MissingCells { .. } | Self::EmptyPart { .. } | Self::RepeatedPart { .. } => {
                self.words_on_cells(spell)
            }
            Self::ConfirmSeveral
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

/// `a`, `b` and `c`; long lists end in a number.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if names.len() > SHOWN {
        shown.push(format!("{} more", names.len() - SHOWN));
    }
    let last = shown.pop().unwrap_or_default();
    if shown.is_empty() { last } else { format!("{} and {last}", shown.join(", ")) }
}
