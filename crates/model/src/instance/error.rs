//! Why a table cannot be understood.

use thiserror::Error;

/// Why a table cannot be understood, where, and what to do about it.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum InstanceError {
    /// The table has a header but no objects.
    #[error("no objects: the table has a header and nothing below it; add a row for each object")]
    NoObjects,
    /// An option names a column that is not there.
    #[error("{option} `{name}`: there is no such column; {known}")]
    NoSuchColumn {
        /// The option.
        option: &'static str,
        /// The name given.
        name: String,
        /// What there is instead.
        known: String,
    },
    /// An option names a column that has another role.
    #[error("{option} `{name}`: that column holds {role}, so it is no test; {known}")]
    NoTest {
        /// The option.
        option: &'static str,
        /// The name given.
        name: String,
        /// What the column holds.
        role: &'static str,
        /// What there is instead.
        known: String,
    },
    /// One column is given two roles.
    #[error("column `{name}` cannot hold both {first} and {second}; give each its own column")]
    TwoRoles {
        /// The column.
        name: String,
        /// The one role.
        first: &'static str,
        /// The other role.
        second: &'static str,
    },
    /// Two tests of one name, made from columns of numbers.
    #[error("column {position}: two tests would be called `{name}`; rename one of the columns")]
    SameTest {
        /// The name.
        name: String,
        /// Where the second column stands.
        position: usize,
    },
    /// Groups are asked for and there are none.
    #[error(
        "no groups to identify: the table has no column `group`; name one with --group, or use --identify objects"
    )]
    NoGroups,
    /// An object without a group.
    #[error(
        "row {row}, column `{column}`: object `{object}` has no group; fill the cell, or use --identify objects"
    )]
    EmptyGroup {
        /// The row.
        row: usize,
        /// The column.
        column: String,
        /// The object.
        object: String,
    },
    /// A prior that is no weight.
    #[error(
        "row {row}, column `{column}`: object `{object}` has {prior}; a prior is a number ≥ 0, such as 3 or 0.25",
        prior = if text.is_empty() { "no prior".to_owned() } else { format!("prior `{text}`") },
    )]
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
    #[error("column `{column}`: all priors are 0; give at least one object a weight above 0")]
    NoWeight {
        /// The column.
        column: String,
    },
    /// A cost that is none.
    #[error("row {row}, column `{test}`: the cost is `{text}`; a cost is a number > 0, such as 1 or 2.5")]
    Cost {
        /// The row.
        row: usize,
        /// The test.
        test: String,
        /// What stands there.
        text: String,
    },
    /// Costs whose sum is no number any more.
    #[error(
        "the costs add up to more than a computer can hold, with {cost} for `{test}` alone; give them in a larger unit"
    )]
    HugeCosts {
        /// The dearest test.
        test: String,
        /// Its cost.
        cost: f64,
    },
    /// Cells that say nothing.
    #[error(
        "{count} {cells} empty or `?`, the first in row {row}, column `{column}` (object `{object}`); fill {them}, or use \
         --missing answer (missing is an answer of its own) or --missing any (the object may give any answer of that test)",
        cells = if *count == 1 { "cell is" } else { "cells are" }, them = if *count == 1 { "it" } else { "them" },
    )]
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
    #[error(
        "row {row}, column `{column}`: object `{object}` has `{text}`, which lists an answer that is empty or `?`; list each \
         answer by its name, leave the whole cell empty where nothing is known, or give --several another mark"
    )]
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
    #[error(
        "row {row}, column `{column}`: object `{object}` has `{text}`, which lists `{part}` twice; list each answer once, or \
         give --several another mark"
    )]
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
    #[error(
        "--confirm needs one answer in every cell, but some cells are unknown or list several; leave out --confirm, or fill \
         these cells"
    )]
    ConfirmSeveral,
    /// Groups are to be found, and only objects can be confirmed.
    #[error("--confirm is for finding objects, but groups are to be found here; add --identify objects")]
    ConfirmGroups,
    /// An object without a test of its name.
    #[error(
        "--confirm: object `{object}` has no test of its name; add a column `{object}` in which only its own answer is \
         different, or leave out --confirm"
    )]
    NoConfirmation {
        /// The object.
        object: String,
    },
    /// A test that does not confirm the object it is named after.
    #[error(
        "--confirm: test `{object}` cannot confirm object `{object}`, because `{other}` answers `{answer}` as well; only \
         `{object}` may give that answer"
    )]
    SharedConfirmation {
        /// The object, and the test.
        object: String,
        /// The first other object with the same answer.
        other: String,
        /// The answer.
        answer: String,
    },
    /// Objects that no test tells apart.
    #[error(
        "no test tells {names} apart{others}; add a test that does, or use --inseparable join to keep such objects together",
        names = list(first), others = if *sets > 1 { format!(" (and {} more such sets)", sets - 1) } else { String::new() },
    )]
    Inseparable {
        /// How many such sets there are.
        sets: usize,
        /// The names in the first.
        first: Vec<String>,
    },
}

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
