//! Lines folded at words, so that they fit the page; escape sequences have no width.

use std::io::{IsTerminal, stderr};
use unicode_width::UnicodeWidthStr;

/// Width of a text on the screen.
pub(crate) fn shown_width(text: &str) -> usize {
    anstream::adapter::strip_str(text).to_string().width()
}

/// Folds each line of `text` that is wider than `width`; the lines that continue it are indented by two more columns.
pub(crate) fn fold(text: &str, width: usize) -> String {
    let mut folded = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        if shown_width(body) <= width {
            folded.push_str(line);
            continue;
        }
        let indent = body.len() - body.trim_start_matches(' ').len();
        let lines = words(&body[indent..], width.saturating_sub(indent + 2).max(NARROWEST));
        for (at, part) in lines.iter().enumerate() {
            let more = if at == 0 { 0 } else { 2 };
            let newline = if at + 1 == lines.len() { end } else { "\n" };
            folded.extend([&" ".repeat(indent + more), part.as_str(), newline]);
        }
    }
    folded
}

/// The narrowest column of text.
const NARROWEST: usize = 12;

/// Splits `text` at blanks into lines of at most `width`; a longer word stays whole.
pub(crate) fn words(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let wide = shown_width(word);
        if used > 0 && used + 1 + wide > width {
            lines.push(String::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
        }
        used += wide;
    }
    lines
}

/// Message folded to the terminal, if standard error is one; other programs get one line for each message.
pub(crate) fn folded_for_errors(text: &str) -> String {
    let terminal = terminal_size::terminal_size_of(stderr()).filter(|_| stderr().is_terminal());
    terminal.map_or_else(|| text.to_owned(), |(width, _)| fold(text, usize::from(width.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded_at_words() {
        // Lines that continue have twelve columns beside their indentation, and the first has no more.
        assert_eq!(
            fold("  one two three four five\nsix\n", 16),
            "  one two\n    three four\n    five\nsix\n"
        );
        assert_eq!(fold("short\n", 16), "short\n");
    }

    #[test]
    fn escape_sequences_have_no_width() {
        assert_eq!(fold("\x1b[1mone two three\x1b[0m", 13), "\x1b[1mone two three\x1b[0m");
        assert_eq!(words("\x1b[1mone two\x1b[0m three", 7), ["\x1b[1mone two\x1b[0m", "three"]);
    }

    #[test]
    fn a_long_word_stays_whole() {
        assert_eq!(words("a abcdefghij b", 5), ["a", "abcdefghij", "b"]);
    }
}
