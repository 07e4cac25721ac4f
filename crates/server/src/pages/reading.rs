//! How a table was read, in plain words, each with buttons that change it; and the form with all choices. The
//! contents are kept: a change makes another table of them.

use crate::error::Problem;
use crate::options::TableOptions;
use crate::service::tables;
use crate::state::App;
use crate::tables::LoadedTable;
use fewest::{MissingCells, Numeric, Respelled, Warning};
use fewest_formats::read::{LongCells, Notice};
use fewest_formats::text::count;
use std::collections::BTreeSet;

/// Names in a sentence, before the rest is counted.
const NAMED: usize = 5;
/// Columns with a box of their own.
const COLUMNS: usize = 100;

/// Sentence about how the table was read, with buttons to change it.
pub(super) struct NoticeLine {
    pub(super) text: String,
    pub(super) choices: Vec<Choice>,
}

/// Button that changes how the table is read.
pub(super) struct Choice {
    pub(super) label: String,
    pub(super) fields: Vec<(&'static str, String)>,
    /// Whether the table is read this way now.
    pub(super) is_current: bool,
}

/// Form with all choices about reading a table.
pub(super) struct ReadingForm {
    pub(super) missing: &'static str,
    pub(super) numeric: String,
    pub(super) identify: &'static str,
    pub(super) object: String,
    pub(super) group: String,
    pub(super) prior: String,
    pub(super) transpose: bool,
    pub(super) verbatim: bool,
    pub(super) columns: Vec<ColumnBox>,
    /// Number of columns without a box.
    pub(super) unlisted: usize,
}

/// Column that can be left out.
pub(super) struct ColumnBox {
    pub(super) name: String,
    pub(super) is_ignored: bool,
}

/// Options with which a table was read.
pub(super) async fn options_of(app: &App, id: &str) -> Result<TableOptions, Problem> {
    tables::options_of(&tables::find(app, id).await?)
}

/// All choices, as they stand.
pub(super) fn form(table: &LoadedTable, options: &TableOptions) -> ReadingForm {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let reading = options.reading().unwrap_or_default();
    let (mut columns, unlisted) = columns(table, options);
    columns.sort_by_key(|column| !column.is_ignored);
    ReadingForm {
        missing: match reading.missing {
            MissingCells::Auto => "",
            MissingCells::Any => "any",
            MissingCells::Answer => "answer",
            MissingCells::Error => "error",
        },
        numeric: match reading.numeric {
            Numeric::Auto => String::new(),
            other => other.to_string(),
        },
        identify: if reading.identify == Some(fewest::Identify::Objects) { "objects" } else { "" },
        object: text(&options.object),
        group: text(&options.group),
        prior: text(&options.prior),
        transpose: options.transpose,
        verbatim: reading.verbatim,
        columns,
        unlisted,
    }
}

/// Columns that are tests, or that were left out, and the number of those that are not listed.
fn columns(table: &LoadedTable, options: &TableOptions) -> (Vec<ColumnBox>, usize) {
    let instance = &table.instance;
    let mut seen = BTreeSet::new();
    let column_of = |test| {
        let test = instance.test(test);
        test.measure.as_ref().map_or(test.name.as_str(), |measure| measure.column.as_str())
    };
    let ignored = options.ignore.iter().map(|name| (name.as_str(), true));
    let tests = instance.test_ids().map(|test| (column_of(test), false));
    let all: Vec<(&str, bool)> = ignored.chain(tests).filter(|(name, _)| seen.insert(*name)).collect();
    let listed = all.iter().take(COLUMNS.max(options.ignore.len()));
    let boxes: Vec<ColumnBox> = listed
        .map(|(name, is_ignored)| ColumnBox { name: (*name).to_owned(), is_ignored: *is_ignored })
        .collect();
    let unlisted = all.len() - boxes.len();
    (boxes, unlisted)
}

/// Sentences about how a table was read.
pub(super) fn notices(table: &LoadedTable, options: &TableOptions) -> Vec<NoticeLine> {
    let of_file = table.notices.iter().map(|warning| of_file(&warning.notice));
    let of_instance = table.remarks.iter().filter_map(|remark| of_instance(remark, options));
    of_file.chain(of_instance).chain(chosen(table, options)).collect()
}

/// Sentences about what was chosen, each with the way back: the reader has no remarks about these.
fn chosen(table: &LoadedTable, options: &TableOptions) -> Vec<NoticeLine> {
    let reading = options.reading().unwrap_or_default();
    let mut lines = Vec::new();
    if let MissingCells::Any | MissingCells::Answer = reading.missing {
        lines.push(line(meaning(reading.missing), ways_to_read_gaps(reading.missing)));
    }
    let is_told =
        table.remarks.iter().any(|one| matches!(one, Warning::Measured { .. } | Warning::ManyNumbers { .. }));
    let numbers = match reading.numeric {
        Numeric::Auto => None,
        Numeric::Exact => Some("Every number is an answer."),
        Numeric::Thresholds => Some("Numbers became yes/no questions such as “more than 5?”."),
        Numeric::Measure | Numeric::Bins(_) => {
            Some("Columns of numbers are asked once, with ranges as answers.")
        }
    };
    let numeric = Some(reading.numeric).filter(|numeric| *numeric != Numeric::Exact);
    lines.extend(numbers.filter(|_| !is_told).map(|text| line(text, ways_to_ask(numeric))));
    if reading.verbatim && options.verbatim.is_some() {
        let back = choice("Join answers that differ only in spelling", &[("verbatim", "")]);
        lines.push(line("Every text is taken as it stands.", vec![back]));
    }
    if options.transpose {
        let back = choice("Turn them back", &[("transpose", "")]);
        lines.push(line("Rows and columns were turned.", vec![back]));
    }
    if !options.ignore.is_empty() {
        let again = options.ignore.iter().take(NAMED).map(|column| use_again(column, options)).collect();
        lines.push(line(format!("Columns that are left out: {}.", quoted(&options.ignore)), again));
    }
    lines
}

fn use_again(column: &str, options: &TableOptions) -> Choice {
    let others = options.ignore.iter().filter(|name| *name != column);
    let mut fields = vec![("ignore", String::new())];
    fields.extend(others.map(|name| ("ignore", name.clone())));
    Choice { label: format!("Use “{column}” again"), fields, is_current: false }
}

fn choice(label: impl Into<String>, fields: &[(&'static str, &str)]) -> Choice {
    let fields = fields.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    Choice { label: label.into(), fields, is_current: false }
}

fn line(text: impl Into<String>, choices: Vec<Choice>) -> NoticeLine {
    NoticeLine { text: text.into(), choices }
}

/// Sentence about the form of the file.
fn of_file(notice: &Notice) -> NoticeLine {
    let as_it_stands = || vec![choice("Take every text as it stands", &[("verbatim", "true")])];
    match notice {
        Notice::Windows1252 => line(
            "The file is not UTF-8. It is read as Windows-1252. If letters look wrong, save the file as UTF-8 and open it again.",
            Vec::new(),
        ),
        Notice::Titles { lines, header } => line(
            format!(
                "The table begins below {}. The names of the columns are in row {header}.",
                count(*lines, "other line")
            ),
            Vec::new(),
        ),
        Notice::Unnamed { names } => {
            line(format!("Some columns have no name. They are called {}.", quoted(names)), Vec::new())
        }
        Notice::Counter { object } => line(
            format!("The first column only counts the rows. The column “{object}” names the objects."),
            Vec::new(),
        ),
        Notice::NamesAsGroups { column, rows, names } => line(
            format!(
                "The column “{column}” has {names} different names in {rows} rows. Rows with the same name form a group, and the group is to be found."
            ),
            vec![choice("Find the single row instead", &[("identify", "objects")])],
        ),
        Notice::NumberedNames { column, first } => line(
            format!(
                "“{first}” and other names come more than once in the column “{column}”. A number was added to them."
            ),
            Vec::new(),
        ),
        Notice::NoNames { column } => line(
            format!(
                "The column “{column}” has few different texts. It is read as a test, and each row is named by its number."
            ),
            Vec::new(),
        ),
        Notice::Long { objects, tests, cells } => line(
            format!(
                "The file has one line for each answer. It has {} and {}. {}",
                count(*objects, "object"),
                count(*tests, "test"),
                long_cells(cells)
            ),
            as_it_stands(),
        ),
        Notice::Exchange { .. }
        | Notice::NothingKnown { .. }
        | Notice::Lost(_)
        | Notice::Merged { .. }
        | Notice::Sheet { .. }
        | Notice::Beside { .. } => of_other_formats(notice),
        Notice::LooksTransposed => line(
            "Each row holds texts of one kind, and each column mixes them. Perhaps the rows are the tests.",
            vec![choice("Turn rows and columns", &[("transpose", "true")])],
        ),
    }
}

/// Lines about files of other programs.
fn of_other_formats(notice: &Notice) -> NoticeLine {
    match notice {
        Notice::Exchange { format, objects, tests } => line(
            format!(
                "The file is read as {format}. It has {} and {}.",
                count(*objects, "object"),
                count(*tests, "test")
            ),
            Vec::new(),
        ),
        Notice::NothingKnown { tests } => {
            line(format!("Nothing is known of any object about {}: left out.", quoted(tests)), Vec::new())
        }
        Notice::Lost(losses) => line(format!("The table does not keep: {}.", losses.words()), Vec::new()),
        Notice::Merged { areas } => line(
            format!(
                "The sheet has {}. Each cell of an area is read as if it held the text.",
                count(*areas, "merged area")
            ),
            Vec::new(),
        ),
        Notice::Sheet { name } => {
            line(format!("The table is the sheet “{name}” of the workbook."), Vec::new())
        }
        Notice::Beside { names } => line(format!("Texts are taken from {}.", quoted(names)), Vec::new()),
        _ => line(String::new(), Vec::new()),
    }
}

fn long_cells(cells: &LongCells) -> String {
    match cells {
        LongCells::Answers => "An answer that is not listed counts as an empty cell.".to_owned(),
        LongCells::Listed => {
            "A test that is listed is answered yes. A test that is not listed is answered no.".to_owned()
        }
        LongCells::Shares { column } => format!(
            "A test that is listed is answered yes. A test that is not listed is answered no. The numbers in “{column}” are not used."
        ),
    }
}

/// Sentence about the cells; `None` where the page says it elsewhere.
fn of_instance(remark: &Warning, options: &TableOptions) -> Option<NoticeLine> {
    Some(match remark {
        Warning::Inseparable { .. } => return None,
        Warning::Gaps { count, cells, columns, words, read_as } => {
            gaps((*count, *cells), columns, words, *read_as)
        }
        Warning::PriorGaps { column, count: objects, median } => line(
            format!(
                "{} without a number in “{column}” got the median of the others, {median}.",
                count(*objects, "object")
            ),
            vec![choice("Weigh all objects alike", &[("prior", "none")])],
        ),
        Warning::Measured { columns, numeric, tests, example } => {
            measured(columns, *numeric, *tests, example)
        }
        Warning::Respelled(merged) => {
            let one = |one: &Respelled| {
                format!("{} count as “{}” in “{}”", quoted(&one.others), one.kept, one.column)
            };
            let merged: Vec<String> = merged.iter().map(one).collect();
            line(
                format!(
                    "Some answers differ only in upper and lower case, in spaces or in the form of a number: {}.",
                    first_few(&merged)
                ),
                vec![choice("Keep them apart", &[("verbatim", "true")])],
            )
        }
        Warning::Lists { columns } => line(
            format!("Cells such as “a|b” in {} list the answers that an object may give.", quoted(columns)),
            vec![choice("Take each cell as one answer", &[("verbatim", "true")])],
        ),
        Warning::Premises { .. } => {
            line(format!("{}.", fewest_formats::wording::warning(remark, fewest::spell_plainly)), Vec::new())
        }
        Warning::NameLike { columns } => line(
            format!(
                "Each object has a text of its own in {}. This looks like a name and not like a test.",
                quoted(columns)
            ),
            columns.iter().take(NAMED).map(|column| leave_out(column, options)).collect(),
        ),
        Warning::ManyNumbers { columns } => {
            let names: Vec<String> =
                columns.iter().map(|(name, values)| format!("“{name}” ({values} numbers)")).collect();
            line(format!("Every number is an answer in {}.", first_few(&names)), ways_to_ask(None))
        }
    })
}

fn gaps(
    (gaps, cells): (usize, usize),
    columns: &[(String, usize)],
    words: &[String],
    read_as: MissingCells,
) -> NoticeLine {
    let columns: Vec<String> = columns.iter().map(|(name, gaps)| format!("“{name}” {gaps}")).collect();
    let words = match words {
        [] => String::new(),
        words => format!(" {} counts as empty, too.", quoted(words)),
    };
    let meaning = meaning(read_as);
    let are = if gaps == 1 { "is" } else { "are" };
    line(
        format!(
            "{gaps} of {cells} cells {are} empty: {}.{words} {meaning} What does an empty cell mean?",
            first_few(&columns)
        ),
        ways_to_read_gaps(read_as),
    )
}

fn meaning(read_as: MissingCells) -> &'static str {
    match read_as {
        MissingCells::Any => "Now an empty cell may be anything: every answer is possible.",
        _ => "Now an empty cell is a fact of its own, called “not recorded”.",
    }
}

fn ways_to_read_gaps(read_as: MissingCells) -> Vec<Choice> {
    let is_any = read_as == MissingCells::Any;
    let any = choice("It may be anything", &[("missing", "any")]);
    let answer = choice("It is a fact of its own", &[("missing", "answer")]);
    vec![Choice { is_current: is_any, ..any }, Choice { is_current: !is_any, ..answer }]
}

fn measured(columns: &[String], numeric: Numeric, tests: usize, example: &str) -> NoticeLine {
    let columns = quoted(columns);
    let text = match numeric {
        Numeric::Auto | Numeric::Thresholds => format!(
            "Measured numbers in {columns} became {} such as “{example}?”. A number answers all questions about its column at once.",
            count(tests, "yes/no question")
        ),
        Numeric::Measure | Numeric::Bins(_) | Numeric::Exact => {
            format!("Measured numbers in {columns} are asked once, with ranges as answers.")
        }
    };
    line(text, ways_to_ask(Some(numeric)))
}

/// Ways to ask about measured numbers.
fn ways_to_ask(current: Option<Numeric>) -> Vec<Choice> {
    let way = |label: &str, value: &'static str, is_current| Choice {
        is_current,
        ..choice(label, &[("numeric", value)])
    };
    vec![
        way("Ask “more than …?”", "thresholds", matches!(current, Some(Numeric::Auto | Numeric::Thresholds))),
        way("Ask once, with ranges", "measure", current == Some(Numeric::Measure)),
        way("Every number is an answer", "exact", current.is_none()),
    ]
}

fn leave_out(column: &str, options: &TableOptions) -> Choice {
    let mut fields: Vec<(&'static str, String)> =
        options.ignore.iter().map(|name| ("ignore", name.clone())).collect();
    fields.push(("ignore", column.to_owned()));
    Choice { label: format!("Leave out “{column}”"), fields, is_current: false }
}

fn quoted(names: &[String]) -> String {
    first_few(&names.iter().map(|name| format!("“{name}”")).collect::<Vec<_>>())
}

fn first_few(names: &[String]) -> String {
    match names.len().checked_sub(NAMED) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..NAMED].join(", ")),
    }
}
