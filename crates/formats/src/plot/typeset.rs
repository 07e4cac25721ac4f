//! Powers and indices in the words of a chart: `10^6`, `j^-0.5`, `e^(σ z)` and `β_w` are raised and lowered.
//!
//! Only for words that this program writes itself: in names of the user's, `^` and `_` are letters like others.

use super::{escape, push, short};

/// Height of a part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Height {
    Line,
    Raised,
    Lowered,
}

/// Parts of a text with their heights.
fn parts(text: &str) -> Vec<(Height, &str)> {
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(found) = text[at..].find(['^', '_']) {
        let mark = at + found;
        let height = if text[mark..].starts_with('^') { Height::Raised } else { Height::Lowered };
        let (inner, rest) = raised(&text[mark + 1..]);
        if inner.is_empty() {
            at = mark + 1;
            continue;
        }
        if mark > from {
            parts.push((Height::Line, &text[from..mark]));
        }
        parts.push((height, inner));
        from = text.len() - rest.len();
        at = from;
    }
    if from < text.len() {
        parts.push((Height::Line, &text[from..]));
    }
    parts
}

/// What a mark raises or lowers: a part in brackets, a number with its sign, or letters; and what follows.
fn raised(text: &str) -> (&str, &str) {
    if let Some((inner, rest)) = text.strip_prefix('(').and_then(|inside| inside.split_once(')')) {
        return (inner, rest);
    }
    let sign =
        if text.starts_with(['-', '−', '+']) { text.chars().next().map_or(0, char::len_utf8) } else { 0 };
    let mut end = sign;
    for (at, letter) in text[sign..].char_indices() {
        let after = &text[sign + at + letter.len_utf8()..];
        let is_point = letter == '.' && after.starts_with(|next: char| next.is_ascii_digit());
        if !letter.is_alphanumeric() && !is_point {
            break;
        }
        end = sign + at + letter.len_utf8();
    }
    if end == sign { ("", text) } else { text.split_at(end) }
}

/// Text as XML, with raised and lowered parts in smaller letters.
fn tspans(text: &str) -> String {
    let mut xml = String::new();
    let mut shift = 0.0;
    for (height, part) in parts(text) {
        let (place, size) = match height {
            Height::Line => (0.0, ""),
            Height::Raised => (-0.4, " font-size=\"75%\""),
            Height::Lowered => (0.25, " font-size=\"75%\""),
        };
        // Shifts are relative to the part before, in units of its line.
        let by = (place - shift) * 11.0;
        match (by == 0.0, size.is_empty()) {
            (true, true) => xml += &escape(part),
            _ => xml += &format!("<tspan dy=\"{}\"{size}>{}</tspan>", short(by), escape(part)),
        }
        shift = place;
    }
    xml
}

/// Draws typeset text.
pub(crate) fn typeset(svg: &mut String, x: f64, y: f64, class: &str, anchor: &str, words: &str) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let (x, y) = (short(x), short(y));
    push(
        svg,
        &format!("  <text{class} x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>", tspans(words)),
    );
}

/// Draws typeset text upwards, its middle at a place.
pub(crate) fn typeset_upwards(svg: &mut String, x: f64, y: f64, class: &str, words: &str) {
    let (x, y) = (short(x), short(y));
    push(
        svg,
        &format!(
            "  <text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" transform=\"rotate(-90 {x} {y})\">{}</text>",
            tspans(words)
        ),
    );
}

/// Text in one line of plain letters, with raised digits where there are such letters.
pub(crate) fn flat(text: &str) -> String {
    let raise = |letter: char| {
        let at = "0123456789-−+".chars().position(|other| other == letter)?;
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁺".chars().nth(at)
    };
    let part = |(height, part): (Height, &str)| match height {
        Height::Line => part.to_owned(),
        Height::Lowered => format!("_{part}"),
        Height::Raised => match part.chars().map(raise).collect::<Option<String>>() {
            Some(small) => small,
            None if part.chars().any(char::is_whitespace) => format!("^({part})"),
            None => format!("^{part}"),
        },
    };
    parts(text).into_iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_raised_and_indices_lowered() {
        let raised = |text| (Height::Raised, text);
        let line = |text| (Height::Line, text);
        assert_eq!(parts("prior j^-0.5."), [line("prior j"), raised("-0.5"), line(".")]);
        assert_eq!(parts("c p_i e^(σ z)"), [line("c p"), (Height::Lowered, "i"), line(" e"), raised("σ z")]);
        assert_eq!(parts("a ^ b_"), [line("a ^ b_")]);
        assert_eq!(parts(""), []);
    }

    #[test]
    fn what_follows_a_power_stands_on_the_line_again() {
        let xml = tspans("10^6 < x");
        assert_eq!(xml, "10<tspan dy=\"-4.4\" font-size=\"75%\">6</tspan><tspan dy=\"4.4\"> &lt; x</tspan>");
        assert_eq!(tspans("a & b"), "a &amp; b");
    }

    #[test]
    fn plain_letters_keep_every_sign() {
        assert_eq!(flat("λ = 10^6, β_w, j^-2, j^-0.5, e^(σ z)"), "λ = 10⁶, β_w, j⁻², j^-0.5, e^(σ z)");
    }
}
