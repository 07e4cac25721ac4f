//! Messages about a table, worded once for every front end; each passes its own spelling of the options.

use crate::named::GapBranch;
use fewest_model::{Choice, MissingCells, Named, Numeric, Respelled, Spell, Warning};

/// Kind of file that a front end saves, and reads again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A strategy with its tree.
    Strategy,
    /// The proof of a strategy's bound.
    Certificate,
    /// The answers of a session.
    Session,
    /// A learned tree.
    Model,
}

/// A front end's words for where a file of some kind comes from, such as "save one with …".
pub type SavedBy = fn(FileKind) -> &'static str;

/// Names that a message lists before it counts the rest.
const LISTED: usize = 5;

/// Sentence for `warning`, with options spelled by `spell`.
pub fn warning(warning: &Warning, spell: Spell) -> String {
    match warning {
        Warning::Inseparable { sets, first } => {
            let sets = super::text::count(*sets, "set");
            let names = list(first.iter().map(|name| format!("`{name}`")));
            format!("{sets} of objects cannot be told apart by the tests; the first is {names}")
        }
        Warning::Gaps { count, cells, columns, words, read_as } => {
            gaps(*count, *cells, columns, words, *read_as, spell)
        }
        Warning::PriorGaps { column, count, median } => {
            let objects = super::text::count(*count, "object");
            let have = if *count == 1 { "has" } else { "have" };
            let without = spell(Choice::Prior, "none");
            format!(
                "{objects} {have} no number in `{column}` and got the median of the others, {median}; {without} weighs all objects alike"
            )
        }
        Warning::Measured { columns, numeric, tests, example } => {
            measured(columns, *numeric, *tests, example, spell)
        }
        Warning::Respelled(merged) => {
            let one = |one: &Respelled| {
                let others = list(one.others.iter().map(|text| format!("`{text}`")));
                format!("{others} as `{}` in `{}`", one.kept, one.column)
            };
            let merged = list(merged.iter().map(one));
            let apart = spell(Choice::Verbatim, "");
            format!(
                "answers that differ only in case or number form are one answer: {merged}; {apart} keeps them apart"
            )
        }
        Warning::Lists { columns } => {
            let names = list(columns.iter().map(|name| format!("`{name}`")));
            let (is, whole) = (spell(Choice::Several, "'|'"), spell(Choice::Verbatim, ""));
            format!(
                "cells such as `a|b` in {names} list the answers that an object may give ({is}); {whole} takes each cell as one answer"
            )
        }
        Warning::Premises { tests, cells, ignored, blanks } => premises(*tests, *cells, *ignored, *blanks),
        Warning::NameLike { columns } => {
            let names = list(columns.iter().map(|name| format!("`{name}`")));
            let ignore = spell(Choice::Ignore, &columns[0]);
            format!(
                "every object has a text of its own in {names}; if that is a name and no test, leave it out: {ignore}"
            )
        }
        Warning::ManyNumbers { columns } => {
            let names = list(columns.iter().map(|(name, values)| format!("`{name}` ({values} values)")));
            let (cuts, ranges) = (spell(Choice::Numeric, "thresholds"), spell(Choice::Numeric, "bins:4"));
            format!(
                "every number is an answer of its own in {names}; {cuts} asks `column > x` instead, {ranges} makes ranges"
            )
        }
    }
}

/// Says where tests may not be asked, and which cells speak against a premise.
fn premises(tests: usize, cells: usize, ignored: usize, blanks: usize) -> String {
    let count = super::text::count;
    let are = |number: usize| if number == 1 { "is" } else { "are" };
    if tests == 0 {
        return format!(
            "{} {} `-`: the test does not apply to the object, and is not asked while that object is possible",
            count(cells, "cell"),
            are(cells),
        );
    }
    let mut text = format!(
        "{} {} asked only where the premise holds, which leaves out {}",
        count(tests, "test"),
        are(tests),
        count(cells, "cell"),
    );
    if ignored > 0 {
        let have = if ignored == 1 { "has" } else { "have" };
        text += &format!("; {} of these {have} an answer, which is not used", count(ignored, "cell"));
    }
    if blanks > 0 {
        text += &format!(
            "; {} {} `-` although no premise excludes the object: the test is not asked while that object is possible",
            count(blanks, "cell"),
            are(blanks),
        );
    }
    text
}

/// Says how many cells hold no value, and how they were read.
fn gaps(
    count: usize,
    cells: usize,
    columns: &[(String, usize)],
    words: &[String],
    read_as: MissingCells,
    spell: Spell,
) -> String {
    let columns = list(columns.iter().map(|(name, count)| format!("`{name}` {count}")));
    let words = match words {
        [] => String::new(),
        words => format!(" ({} counts as no value)", list(words.iter().map(|word| format!("`{word}`")))),
    };
    let (own, other) = match read_as {
        MissingCells::Any => ("not recorded: the object may give any answer", "answer"),
        _ => ("an answer of its own, `not recorded`, as if the absence were a fact", "any"),
    };
    let (is, change) = (spell(Choice::Missing, read_as.name()), spell(Choice::Missing, other));
    let instead = match other {
        "any" => "lets the object give any answer",
        _ => "makes it an answer of its own",
    };
    let hold = if count == 1 { "holds" } else { "hold" };
    format!(
        "{count} of {cells} cells {hold} no value: {columns}{words}; read as {own} ({is}); {change} {instead}"
    )
}

/// Probability of a branch on "not recorded" above which [`gap_branches`] warns.
pub const GAP_BRANCH: f64 = 0.1;

/// Warns of a tree that decides much by what the table lacks; `None` if it does not.
pub fn gap_branches(branches: &[GapBranch<'_>], spell: Spell) -> Option<String> {
    let names = list(
        branches.iter().map(|branch| format!("`{}` {}", branch.test, super::text::percent(branch.weight))),
    );
    (!branches.is_empty()).then(|| {
        format!(
            "the strategy follows the answer `not recorded` with these probabilities: {names}. What is not in the table \
             may be seen on the object; {} asks as if such objects may give any answer",
            spell(Choice::Missing, "any")
        )
    })
}

/// Says which columns became cuts or ranges.
fn measured(columns: &[String], numeric: Numeric, tests: usize, example: &str, spell: Spell) -> String {
    let names = list(columns.iter().map(|name| format!("`{name}`")));
    let (once, exact) = (spell(Choice::Numeric, "measure"), spell(Choice::Numeric, "exact"));
    match numeric {
        Numeric::Auto | Numeric::Thresholds => {
            let tests = super::text::count(tests, "yes/no question");
            format!(
                "measured numbers in {names} became {tests} such as `{example}`; {once} asks each column once, \
                 {exact} makes every number an answer"
            )
        }
        Numeric::Measure | Numeric::Bins(_) | Numeric::Exact => {
            format!(
                "measured numbers in {names} are asked once, with ranges as answers; {exact} makes every number an answer"
            )
        }
    }
}

/// First few of `names`, separated by commas, and the number of the others.
fn list(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(LISTED);
    let shown = names.take(LISTED).collect::<Vec<_>>().join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}
