//! Texts of DELTA: comments in angle brackets, and marks for typesetting.

use super::super::matrix::clean;

/// A text and the comments in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Marked {
    /// The text without comments.
    pub(super) plain: String,
    /// The text with its comments in parentheses, or a comment alone as it is.
    pub(super) full: String,
    /// The comments alone.
    pub(super) comments: Vec<String>,
}

/// Takes a text apart; comments within comments, such as `<<implicit>>`, are for editors and are dropped.
pub(super) fn marked(text: &str) -> Marked {
    let text = without_marks(text);
    let (mut plain, mut full, mut comment) = (String::new(), String::new(), String::new());
    let mut comments = Vec::new();
    let mut depth = 0_usize;
    for letter in text.chars() {
        match letter {
            '<' => depth += 1,
            '>' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    let said = clean(&comment);
                    comment.clear();
                    if !said.is_empty() {
                        full.push_str(&format!(" ({said}) "));
                        comments.push(said);
                    }
                }
            }
            _ if depth == 1 => comment.push(letter),
            _ if depth > 1 => {}
            _ => {
                plain.push(letter);
                full.push(letter);
            }
        }
    }
    let plain = tidy(&plain);
    let full = match (plain.as_str(), comments.as_slice()) {
        ("", [one]) => one.clone(),
        _ => tidy(&full),
    };
    Marked { plain, full, comments }
}

/// One line without blanks before signs that end a phrase.
fn tidy(text: &str) -> String {
    let text = clean(text);
    let text = text.replace(" ,", ",").replace(" ;", ";");
    text.trim_matches(|letter: char| letter == ',' || letter == ';' || letter.is_whitespace()).to_owned()
}

/// The text without marks such as `\i{}`; dashes, quotes and letters by number are kept.
fn without_marks(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let length = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        if word.is_empty() {
            // `\-`, `\~`, `\'e9` and the like.
            match after
                .strip_prefix('\'')
                .and_then(|hex| hex.get(..2))
                .and_then(|hex| u8::from_str_radix(hex, 16).ok())
            {
                Some(byte) => {
                    plain.push(char::from(byte));
                    rest = &after[3..];
                }
                None => rest = after.strip_prefix(['-', '_', '~', '\\']).unwrap_or(after),
            }
            continue;
        }
        let digits = after.trim_start_matches('-');
        let count = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
        let number = &digits[..count];
        rest = &after[after.len() - digits.len() + count..];
        if word == "u" {
            plain.extend(number.parse().ok().and_then(char::from_u32));
            rest = rest.strip_prefix('?').unwrap_or(rest);
        } else {
            plain.push_str(sign(word));
        }
        rest = rest.strip_prefix("{}").or_else(|| rest.strip_prefix(' ')).unwrap_or(rest);
    }
    plain.push_str(rest);
    plain
}

/// Text of a mark that stands for a sign.
fn sign(word: &str) -> &'static str {
    match word {
        "endash" => "–",
        "emdash" => "—",
        "lquote" => "‘",
        "rquote" => "’",
        "ldblquote" => "“",
        "rdblquote" => "”",
        "par" | "tab" | "line" | "page" => " ",
        "bullet" => "•",
        _ => "",
    }
}

/// Length of the text up to a stroke that ends it: one outside of comments, before a blank or the end.
pub(super) fn end_of_text(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '/' if depth == 0 && text[at + 1..].chars().next().is_none_or(char::is_whitespace) => {
                return Some(at);
            }
            _ => {}
        }
    }
    None
}

/// Names from texts: without comments where that tells them apart, else with them.
pub(super) fn short_names(texts: &[Marked]) -> Vec<&str> {
    let is_enough = |text: &Marked| {
        !text.plain.is_empty()
            && texts.iter().filter(|other| other.plain.eq_ignore_ascii_case(&text.plain)).count() == 1
    };
    // Comparing all pairs of a long list takes too long; then every name is a full one.
    const MANY: usize = 5_000;
    let is_long = texts.len() > MANY;
    texts
        .iter()
        .map(|text| if !is_long && is_enough(text) { text.plain.as_str() } else { text.full.as_str() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_marks_leave_the_text() {
        let text = marked(r"\i{}Poa\i0{} <L. <<editor>> 1753>, lawns \endash{} wet\u8217?s");
        assert_eq!(text.plain, "Poa, lawns – wet’s");
        assert_eq!(text.comments, ["L. 1753"]);
        assert_eq!(text.full, "Poa (L. 1753), lawns – wet’s");
        assert_eq!(marked("<only this>").full, "only this");
        assert_eq!(marked("open <never closed").plain, "open");
        for text in [r"\", r"\'", r"\'z", r"\u", r"\i", ">", "<", "\\u99999999999"] {
            marked(text);
        }
    }

    #[test]
    fn a_stroke_before_a_blank_ends_a_text() {
        assert_eq!(end_of_text("a/b <c/ d>/ e"), Some(10));
        assert_eq!(end_of_text("a/b"), None);
    }
}
