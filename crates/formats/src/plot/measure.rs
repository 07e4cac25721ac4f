//! Widths of text before it is drawn, and text wrapped to a width: no label is cut, and none overlaps another.
//!
//! Pictures are shown in the reader's own font, so a width is an estimate: that of a wide font. In narrower fonts
//! there is more space around the text.

use unicode_width::UnicodeWidthChar;

/// Width of a letter in em: about that of DejaVu Sans, the widest of the usual fonts of screens.
fn em(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '\'' | '|' | ' ' | '.' | ',' | ':' | ';' | '!' | 'I' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '\\' | '-' => 0.42,
        'm' | 'M' | 'W' | '%' | '@' => 0.98,
        'w' | '+' | '=' | '<' | '>' | '…' | '→' | '–' => 0.85,
        'a'..='z' | '0'..='9' | '"' | '?' | '*' | '_' => 0.64,
        'A'..='Z' => 0.74,
        other => match other.width() {
            None | Some(0) => 0.0,
            Some(1) => 0.76,
            Some(_) => 1.35,
        },
    }
}

/// About the most that `text` measures in letters of `size`.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    size * text.chars().map(em).sum::<f64>()
}

/// Letters of a word that are joined in one cluster: marks and joiners belong to the letter before.
fn clusters(word: &str) -> Vec<&str> {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    let mut is_joined = false;
    for (at, letter) in word.char_indices() {
        let end = at + letter.len_utf8();
        let joins = letter == '\u{200d}' || (letter.width() == Some(0) && !letter.is_control());
        match parts.last_mut() {
            Some(last) if joins || is_joined => last.1 = end,
            _ => parts.push((at, end)),
        }
        is_joined = letter == '\u{200d}';
    }
    parts.into_iter().map(|(from, to)| &word[from..to]).collect()
}

/// Wraps `text` to lines of at most `room`, at spaces where possible; at least one line, and nothing is lost.
pub(crate) fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0.0;
    let start = |lines: &mut Vec<String>, used: &mut f64| {
        lines.push(String::new());
        *used = 0.0;
    };
    for word in text.split_inclusive([' ', '\n']) {
        let bare = width(word.trim_end(), size);
        if used > 0.0 && used + bare > room {
            start(&mut lines, &mut used);
        }
        for part in clusters(word) {
            let long = width(part, size);
            if used > 0.0 && used + long > room && !part.trim().is_empty() {
                start(&mut lines, &mut used);
            }
            lines.last_mut().expect("there is a line").push_str(if part == "\n" { " " } else { part });
            used += long;
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_and_nothing_is_wider_than_the_room() {
        let text = "Does the animal have four legs or more? supercalifragilistic 日本語日本語日本語 e\u{301}e\u{301}";
        let lines = wrap(text, 12.0, 90.0);
        assert!(lines.len() > 4 && lines.iter().all(|line| width(line, 12.0) <= 90.0), "{lines:?}");
        let joined: String = lines.concat().split_whitespace().collect();
        assert_eq!(joined, text.split_whitespace().collect::<String>());
        assert_eq!(wrap("", 12.0, 90.0), [""]);
        // A letter and its accent stay together.
        assert!(lines.iter().all(|line| !line.starts_with('\u{301}')));
    }
}
