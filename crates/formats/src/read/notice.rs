//! Remarks about a file that was read nevertheless.

use crate::loss::Losses;
use fewest_model::{Choice, Spell, spell_plainly};
use std::fmt;

/// Remark about a file that was read nevertheless, with the name of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadWarning {
    /// The file.
    pub file: String,
    /// The remark.
    pub notice: Notice,
}

impl ReadWarning {
    /// Returns the sentence, with options spelled by `spell`.
    pub fn words(&self, spell: Spell) -> String {
        format!("{}: {}", self.file, self.notice.words(spell))
    }

    /// Whether this only says how the file was read, with nothing to worry about.
    pub fn is_note(&self) -> bool {
        !matches!(self.notice, Notice::Windows1252 | Notice::LooksTransposed | Notice::Lost(_))
    }
}

impl fmt::Display for ReadWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(spell_plainly))
    }
}

/// Way in which a file differs from a plain table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The bytes are not UTF-8, and every one of them has a meaning in Windows-1252.
    Windows1252,
    /// Lines above the header that are no part of the table.
    Titles {
        /// Number of these lines.
        lines: usize,
        /// Row of the header.
        header: usize,
    },
    /// Columns without a name.
    Unnamed {
        /// The names that they got.
        names: Vec<String>,
    },
    /// A first column that only counts the rows.
    Counter {
        /// Column that names the objects instead.
        object: String,
    },
    /// Rows of one name that form a group.
    NamesAsGroups {
        /// Column of the names.
        column: String,
        /// Number of rows.
        rows: usize,
        /// Number of different names.
        names: usize,
    },
    /// Names that came more than once and got a number each.
    NumberedNames {
        /// Column of the names.
        column: String,
        /// The first of these names.
        first: String,
    },
    /// A first column with few different texts, which is a test.
    NoNames {
        /// The column.
        column: String,
    },
    /// A table with one line for each answer.
    Long {
        /// Number of objects.
        objects: usize,
        /// Number of tests.
        tests: usize,
        /// Meaning of the cells.
        cells: LongCells,
    },
    /// A file in an exchange format.
    Exchange {
        /// Name of the format.
        format: &'static str,
        /// Number of objects.
        objects: usize,
        /// Number of tests.
        tests: usize,
    },
    /// Tests that say nothing of any object, and are left out.
    NothingKnown {
        /// Their names.
        tests: Vec<String>,
    },
    /// What the file says and the table does not hold.
    Lost(Losses),
    /// Cells of a workbook that were merged; each of them got the text.
    Merged {
        /// Number of merged areas.
        areas: usize,
    },
    /// Sheet of a workbook that holds the table.
    Sheet {
        /// Name of the sheet.
        name: String,
    },
    /// Files or sheets beside the table whose texts were read as well.
    Beside {
        /// Their names.
        names: Vec<String>,
    },
    /// A table in which rows look like tests and columns like objects.
    LooksTransposed,
}

/// Meaning of the cells of a table with one line for each answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LongCells {
    /// A column holds the answers; an answer that is not listed is missing.
    Answers,
    /// A test that is listed for an object is answered yes, all others no.
    Listed,
    /// As `Listed`, and a column of shares is not used.
    Shares {
        /// The column.
        column: String,
    },
}

impl Notice {
    fn words(&self, spell: Spell) -> String {
        match self {
            Self::Windows1252 => {
                "not UTF-8, so it is read as Windows-1252; save it as UTF-8 if letters look wrong".to_owned()
            }
            Self::Titles { lines, header } => {
                let lines = crate::text::count(*lines, "line");
                format!("{lines} above the table skipped; the header is row {header}")
            }
            Self::Unnamed { names } => format!("columns without a name are called {}", quoted(names)),
            Self::Counter { object } => {
                format!("the first column only counts the rows, so `{object}` names the objects")
            }
            Self::NamesAsGroups { column, rows, names } => format!(
                "`{column}` has {} in {rows} rows: rows of one name form a group, and the group is \
                 identified; {} chooses another column of groups, {} keeps the rows apart",
                crate::text::count(*names, "different name"),
                spell(Choice::Group, "COLUMN"),
                spell(Choice::Identify, "objects")
            ),
            Self::NumberedNames { column, first } => {
                format!("`{first}` and other names come more than once in `{column}` and got numbers")
            }
            Self::NoNames { column } => format!(
                "`{column}` has few different texts, so it is a test and the rows are named by number; {} names another column",
                spell(Choice::Object, "COLUMN")
            ),
            Self::Long { objects, tests, cells } => {
                let meaning = cells.words();
                format!(
                    "one line for each answer: {} and {} were found, {meaning}",
                    crate::text::count(*objects, "object"),
                    crate::text::count(*tests, "test"),
                )
            }
            Self::Exchange { format, objects, tests } => format!(
                "read as {format}: {} and {}",
                crate::text::count(*objects, "object"),
                crate::text::count(*tests, "test"),
            ),
            Self::NothingKnown { tests } => format!(
                "nothing is known of any object about {}, so {} left out",
                match tests.as_slice() {
                    [test] => format!("`{}`", super::error::short(test)),
                    tests => format!("{} tests", tests.len()),
                },
                if tests.len() == 1 { "it is" } else { "they are" }
            ),
            Self::Lost(losses) => format!("not kept: {}", losses.words()),
            Self::Merged { areas } => {
                format!("{} read as if each cell held the text", crate::text::count(*areas, "merged area"))
            }
            Self::Sheet { name } => format!("the table is the sheet `{}`", super::error::short(name)),
            Self::Beside { names } => format!("texts are taken from {}", quoted(names)),
            Self::LooksTransposed => format!(
                "each row holds texts of one kind and each column mixes them, as if rows were the tests; {} exchanges rows and columns",
                spell(Choice::Transpose, "")
            ),
        }
    }
}

impl LongCells {
    fn words(&self) -> String {
        match self {
            Self::Answers => "an answer that is not listed is missing".to_owned(),
            Self::Listed => "a test that is listed is answered yes, others no".to_owned(),
            Self::Shares { column } => format!(
                "a test that is listed is answered yes, others no; the numbers in `{column}` are not used"
            ),
        }
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
