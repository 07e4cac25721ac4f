//! Items of DELTA: names, and attributes such as `11<when present>,3/4`.

use super::directives::is_after_blank;
use super::markup::end_of_text;
use crate::loss::{Loss, Losses};
use std::collections::BTreeMap;

/// Item of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Item {
    /// Name as it stands, with comments and marks.
    pub(super) name: String,
    /// Whether it is a variant, which inherits from the item before it.
    pub(super) is_variant: bool,
    /// Values without comments, by number of the character; empty: only a comment.
    pub(super) values: BTreeMap<usize, String>,
}

/// Items of a text such as `# name/ 1,2 3,4-5`.
pub(super) fn read(text: &str, count: usize, losses: &mut Losses) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for text in parts(text) {
        let (is_variant, text) = match text.strip_prefix('+') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let Some(end) = end_of_text(text) else {
            losses.add(Loss::Value, 1);
            continue;
        };
        let mut item = Item { name: text[..end].to_owned(), is_variant, ..Item::default() };
        if let Some(main) = items.iter().rev().find(|main| !main.is_variant).filter(|_| is_variant) {
            item.values.clone_from(&main.values);
        }
        for attribute in attributes(&text[end + 1..]) {
            let (plain, comments) = without_comments(attribute);
            let (number, value) = plain.split_once(',').unwrap_or((&plain, ""));
            match number.trim().parse::<usize>().ok().filter(|number| (1..=count).contains(number)) {
                Some(number) => {
                    losses.add(Loss::Comment, comments);
                    item.values.insert(number, value.trim_matches(',').to_owned());
                }
                None => losses.add(Loss::Value, usize::from(!plain.is_empty())),
            }
        }
        items.push(item);
    }
    items
}

/// Texts of the items, each after its `#`.
fn parts(text: &str) -> Vec<&str> {
    let mut starts = Vec::new();
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '#' if depth == 0 && is_after_blank(text, at) => starts.push(at),
            // A comment that is never closed must not swallow all items after it.
            '\n' if depth > 0 && is_item(&text[at + 1..]) => depth = 0,
            _ => {}
        }
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(from, to)| &text[from + 1..to]).collect()
}

/// Whether a line begins like that of an item.
fn is_item(rest: &str) -> bool {
    rest.starts_with("# ") || rest.starts_with("#+ ")
}

/// Attributes: words outside of comments.
fn attributes(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0_usize, None);
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if letter.is_whitespace() && depth == 0 => {
                if let Some(from) = start.take() {
                    found.push(&text[from..at]);
                }
                continue;
            }
            _ => {}
        }
        start.get_or_insert(at);
    }
    found.extend(start.map(|from| &text[from..]));
    found
}

/// The text without comments, and their number.
fn without_comments(text: &str) -> (String, usize) {
    let (mut plain, mut depth, mut count) = (String::new(), 0_usize, 0);
    for letter in text.chars() {
        match letter {
            '<' => {
                count += usize::from(depth == 0);
                depth += 1;
            }
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 && !letter.is_whitespace() => plain.push(letter),
            _ => {}
        }
    }
    (plain, count)
}

/// Range of numbers in a value such as `(1-)2-5(-7)`: the usual part, and how many extremes are left out.
pub(super) fn number_range(text: &str) -> Option<(f64, f64, usize)> {
    let mut usual = String::new();
    let (mut depth, mut extremes) = (0_usize, 0);
    for letter in text.chars() {
        match letter {
            '(' => {
                depth += 1;
                extremes += 1;
            }
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => usual.push(letter),
            _ => {}
        }
    }
    let numbers = split_numbers(usual.trim_matches('~'))?;
    let low = numbers.iter().copied().reduce(f64::min)?;
    let high = numbers.iter().copied().reduce(f64::max)?;
    Some((low, high, extremes))
}

/// Numbers between hyphens; a hyphen before a number is its sign if no number comes before it.
fn split_numbers(text: &str) -> Option<Vec<f64>> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let sign = usize::from(rest.starts_with('-'));
        let length = rest[sign..].find('-').map_or(rest.len(), |at| at + sign);
        found.push(rest[..length].parse().ok().filter(|number: &f64| number.is_finite())?);
        rest = rest.get(length + 1..).unwrap_or_default();
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_wrap_and_hold_comments() {
        let mut losses = Losses::default();
        let text = "# \\i{}Poa\\i0{} <L./ #2>/\n1<a, b> 2<x>,3<y z>/4\n3,- 99,1\n#+ var/ 3,1";
        let items = read(text, 5, &mut losses);
        assert_eq!(items.len(), 2);
        let values: Vec<(usize, &str)> =
            items[0].values.iter().map(|(at, text)| (*at, text.as_str())).collect();
        assert_eq!(values, [(1, ""), (2, "3/4"), (3, "-")]);
        assert_eq!(
            (items[1].is_variant, items[1].values[&2].as_str(), items[1].values[&3].as_str()),
            (true, "3/4", "1")
        );
        assert_eq!(losses.words(), "3 comments, 1 value that cannot be understood");
    }

    #[test]
    fn extremes_are_left_out() {
        for (text, expected) in [
            ("(200-)500-3500", Some((500.0, 3500.0, 1))),
            ("(1-)2-5(-7)", Some((2.0, 5.0, 2))),
            ("2.5", Some((2.5, 2.5, 0))),
            ("1-2-5", Some((1.0, 5.0, 0))),
            ("-5--3", Some((-5.0, -3.0, 0))),
            ("(3)", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(number_range(text), expected, "{text}");
        }
    }
}
