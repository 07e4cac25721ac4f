//! Messages about a table, worded once for every front end; each passes its own spelling of the options.

use fewest_model::{Choice, Spell, Warning};

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

/// The sentence for `warning`, with options spelled by `spell`.
pub fn warning(warning: &Warning, spell: Spell) -> String {
    match warning {
        Warning::Inseparable { sets, first } => {
            let sets = super::text::count(*sets, "set");
            let names = list(first.iter().map(|name| format!("`{name}`")));
            format!("{sets} of objects that no test tells apart stay together, the first {names}")
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

/// The first few of `names` by comma, and how many more there are.
fn list(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(LISTED);
    let shown = names.take(LISTED).collect::<Vec<_>>().join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}
