//! Spelling of options on the command line, and of the commands that save files.

use fewest::Choice;
use fewest_formats::wording::FileKind;

/// Option as it is typed: `--missing answer`, or `--missing` without a value.
pub(crate) fn flag(choice: Choice, value: &str) -> String {
    let name = choice.name().replace('_', "-");
    if value.is_empty() { format!("--{name}") } else { format!("--{name} {value}") }
}

/// Advice how to save a file of this kind.
pub(crate) fn saved_by(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Strategy => "save one with `fewest build TABLE --output FILE`",
        FileKind::Certificate => "save one with `fewest build TABLE --certificate FILE`",
        FileKind::Session => "`q` in `fewest ask` saves one, and --log FILE.jsonl keeps one",
        FileKind::Model => "save one with `fewest learn DATA --target COLUMN --output FILE`",
    }
}
