//! The command line's spelling of options.

use fewest::Choice;

/// `--missing answer`; only `--missing` where there is no value.
pub(crate) fn flag(choice: Choice, value: &str) -> String {
    let name = choice.name().replace('_', "-");
    if value.is_empty() { format!("--{name}") } else { format!("--{name} {value}") }
}
