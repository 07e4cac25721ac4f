//! Lines that several threads may read: complete, and without quotes.

use memchr::{memchr, memrchr};

/// Complete lines of `text`; empty if there is a quote among them.
pub(super) fn plain_lines(text: &[u8]) -> &[u8] {
    let end = memrchr(b'\n', text).map_or(0, |at| at + 1);
    let lines = &text[..end];
    if memchr(b'"', lines).is_some() { &[] } else { lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_have_ended_are_plain() {
        assert_eq!(plain_lines(b"a,b\nc,d\ne"), b"a,b\nc,d\n");
        assert_eq!(plain_lines(b"a,b"), b"");
        assert_eq!(plain_lines(b"a,b\nc,\"d\"\n"), b"");
    }
}
