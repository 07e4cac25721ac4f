//! The spelling of options over HTTP.

use fewest::Choice;

/// `missing=answer`, as in a query; only `missing` where there is no value.
pub(crate) fn parameter(choice: Choice, value: &str) -> String {
    let name = choice.name();
    if value.is_empty() { name.to_owned() } else { format!("{name}={value}") }
}
