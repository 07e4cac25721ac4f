//! Spelling of options over HTTP.

use fewest::Choice;

/// Option as in a query: `missing=answer`, or only `missing` where there is no value.
pub(crate) fn parameter(choice: Choice, value: &str) -> String {
    let name = choice.name();
    if value.is_empty() { name.to_owned() } else { format!("{name}={value}") }
}
