//! Quoting for messages.

/// At most 40 letters of `text`: a message quotes, it does not repeat a file.
pub(super) fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    if text.chars().count() <= SHOWN {
        text.to_owned()
    } else {
        text.chars().take(SHOWN).chain(['…']).collect()
    }
}
