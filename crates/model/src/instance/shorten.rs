//! Shortening of quotations in messages.

/// Returns at most 40 characters of `text`, so that a message stays short.
pub(super) fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    if text.chars().count() <= SHOWN {
        text.to_owned()
    } else {
        text.chars().take(SHOWN).chain(['…']).collect()
    }
}
