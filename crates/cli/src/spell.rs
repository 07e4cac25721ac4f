//! The command line's spelling of options.

use fewest::Choice;

/// Option as it is typed: `--missing answer`, or `--missing` without a value.
pub(crate) fn flag(choice: Choice, value: &str) -> String {
    let name = choice.name().replace('_', "-");
    if value.is_empty() { format!("--{name}") } else { format!("--{name} {value}") }
}
