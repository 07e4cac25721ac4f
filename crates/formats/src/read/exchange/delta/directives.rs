//! Directives of DELTA files, and the lists of numbers in them.

use super::super::super::Problem;
use super::super::super::error::short;
use super::FORMAT;

/// Directive with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Directive {
    pub(super) name: String,
    pub(super) text: String,
}

/// Directives that a text of several words begins with, the longer ones first.
const NAMES: [&str; 26] = [
    "TRANSLATE INTO KEY FORMAT",
    "CHARACTER RELIABILITIES",
    "NUMBER OF CHARACTERS",
    "DEPENDENT CHARACTERS",
    "APPLICABLE CHARACTERS",
    "INAPPLICABLE CHARACTERS",
    "INCLUDE CHARACTERS",
    "EXCLUDE CHARACTERS",
    "CHARACTER WEIGHTS",
    "NUMBERS OF STATES",
    "CHARACTER IMAGES",
    "CHARACTER NOTES",
    "ITEM DESCRIPTIONS",
    "CHARACTER TYPES",
    "ITEM ABUNDANCES",
    "IMPLICIT VALUES",
    "CHARACTER LIST",
    "TRANSLATE INTO",
    "ITEM HEADINGS",
    "TAXON IMAGES",
    "EXCLUDE ITEMS",
    "KEY STATES",
    "INPUT FILE",
    "HEADING",
    "COMMENT",
    "SHOW",
];

/// Directives of a file, in order. One begins at a star at the beginning of a line.
pub(super) fn of_text(text: &str) -> Vec<Directive> {
    let mut found: Vec<Directive> = Vec::new();
    for line in text.lines() {
        match begins(line) {
            Some((name, rest)) => found.push(Directive { name, text: rest.to_owned() }),
            None => {
                if let Some(last) = found.last_mut() {
                    last.text.push('\n');
                    last.text.push_str(line);
                }
            }
        }
    }
    found
}

/// Name of the directive that a line begins, and the rest of the line.
fn begins(line: &str) -> Option<(String, &str)> {
    let rest = line.trim_start().strip_prefix('*')?.trim_start();
    let upper = rest.to_ascii_uppercase();
    let known = NAMES.iter().find(|name| {
        upper
            .strip_prefix(**name)
            .is_some_and(|after| after.is_empty() || after.starts_with(char::is_whitespace))
    });
    if let Some(name) = known {
        return Some(((*name).to_owned(), &rest[name.len()..]));
    }
    // Directives are written in capitals: anything else is a text that begins with a star.
    let word = rest.split_whitespace().next()?;
    let is_name = word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-');
    is_name.then(|| (word.to_owned(), &rest[word.len()..]))
}

/// Numbers such as `3 5-7`; those above `most` are left out.
pub(super) fn numbers(text: &str, most: usize) -> Vec<usize> {
    text.split_whitespace().flat_map(|word| range(word, most)).collect()
}

/// Numbers of one range such as `5-7` or `5`.
pub(super) fn range(word: &str, most: usize) -> std::ops::Range<usize> {
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    match (first.parse::<usize>(), last.parse::<usize>()) {
        (Ok(first), Ok(last)) if first >= 1 && first <= last => first..last.min(most) + 1,
        _ => 0..0,
    }
}

/// Pairs such as `1,TE 5-7,OM`: each number with its text.
pub(super) fn pairs(text: &str, most: usize) -> Vec<(usize, &str)> {
    let words = text.split_whitespace().filter_map(|word| word.split_once(','));
    words.flat_map(|(numbers, value)| range(numbers, most).map(move |number| (number, value))).collect()
}

/// Entries such as `#3. text`: the number and the text up to the next entry.
pub(super) fn entries(text: &str) -> Vec<(usize, &str)> {
    let mut starts: Vec<(usize, usize, usize)> = Vec::new();
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '#' if depth == 0 && is_after_blank(text, at) => {
                let rest = &text[at + 1..];
                let length = rest.find('.').unwrap_or(0);
                let numbers = rest[..length].trim();
                let first = numbers.split('-').next().unwrap_or_default().trim();
                if let Ok(number) = first.parse() {
                    starts.push((at, at + 1 + length + 1, number));
                }
            }
            _ => {}
        }
    }
    let ends = starts.iter().skip(1).map(|(at, ..)| *at).chain([text.len()]);
    starts.iter().zip(ends).map(|((_, from, number), to)| (*number, &text[*from..to.max(*from)])).collect()
}

/// Whether the letter at `at` begins a line or follows a blank.
pub(super) fn is_after_blank(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_none_or(char::is_whitespace)
}

/// Number of characters, if a directive states it.
pub(super) fn count(text: &str) -> Result<usize, Problem> {
    let word = text.split_whitespace().next().unwrap_or_default();
    let count = word.parse().ok().filter(|count| (1..=1_000_000).contains(count));
    count.ok_or_else(|| super::super::broken(FORMAT, format!("NUMBER OF CHARACTERS is `{}`", short(word))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_at_the_beginning_of_a_line_begins_a_directive() {
        let text = "*SHOW ~ x\n*COMMENT KEY STATES 1\n2\n*NO DATA\n a * b\n *key states 1,2/3\n";
        let names: Vec<String> = of_text(text).into_iter().map(|directive| directive.name).collect();
        assert_eq!(names, ["SHOW", "COMMENT", "KEY STATES"], "NO is too short a word");
        assert_eq!(of_text(text)[2].text.trim(), "1,2/3");
    }

    #[test]
    fn numbers_and_pairs_have_ranges() {
        assert_eq!(numbers("1 3-5 9-8 x 7-99", 10), [1, 3, 4, 5, 7, 8, 9, 10]);
        assert_eq!(pairs("1,TE 3-4,OM 5", 10), [(1, "TE"), (3, "OM"), (4, "OM")]);
        assert_eq!(entries("#1. a <#2. b>\n#3. c/d"), [(1, " a <#2. b>\n"), (3, " c/d")]);
    }
}
