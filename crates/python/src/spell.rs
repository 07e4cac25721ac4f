//! Options as Python spells them, for messages.

use fewest::Choice;

/// Spelling of an option in Python: `missing="answer"`.
pub(crate) fn python(choice: Choice, value: &str) -> String {
    let name = choice.name();
    match (choice, value) {
        (_, "") => name.to_owned(),
        (Choice::Transpose | Choice::Verbatim | Choice::Confirm, _) => format!("{name}=True"),
        (_, value) => format!("{name}=\"{}\"", value.trim_matches('\'')),
    }
}
