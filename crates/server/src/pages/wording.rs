//! Numbers, names and bars as pages show them.

use crate::service::questions::AnswerValue;
use crate::service::tables::InstanceSize;
use fewest::Test;
use fewest_formats::answers::shown;
use fewest_formats::text::count;

/// A number with at most `digits` after the point.
pub(super) fn number(value: f64, digits: usize) -> String {
    if value.is_infinite() {
        return "∞".to_owned();
    }
    trim(format!("{value:.digits$}"))
}

/// Lower bound, rounded down: the shown number is still a bound.
pub(super) fn at_least(value: f64, digits: u8) -> String {
    let scale = 10_f64.powi(i32::from(digits));
    // A bound of 2.35 that is stored as 2.3499999999999996 is 2.35.
    number((value * scale * (1.0 + 1e-12)).floor() / scale, digits.into())
}

fn trim(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Number of questions or cost: `2.08 questions`, or `a cost of 4.6` where tests differ in cost.
pub(super) fn amount(value: f64, unit_costs: bool) -> String {
    match (number(value, 2), unit_costs) {
        (value, true) if value == "1" => "1 question".to_owned(),
        (value, true) => format!("{value} questions"),
        (value, false) => format!("a cost of {value}"),
    }
}

/// Amount of information: `1.25 bits`.
pub(super) fn bits(value: f64) -> String {
    match number(value, 2) {
        value if value == "1" => "1 bit".to_owned(),
        value => format!("{value} bits"),
    }
}

/// Size of a problem: `101 objects (59 different), 16 tests, 7 groups`.
pub(super) fn size(size: &InstanceSize) -> String {
    let different =
        if size.objects < size.rows { format!(" ({} different)", size.objects) } else { String::new() };
    let groups =
        if size.identify == "groups" { format!(", {}", count(size.groups, "group")) } else { String::new() };
    format!("{}{different}, {}{groups}", count(size.rows, "object"), count(size.tests, "test"))
}

/// List of names; only the first few of many.
pub(super) fn names(names: &[String]) -> String {
    const MOST: usize = 6;
    if names.len() <= MOST {
        return names.join(" or ");
    }
    format!("{} or {} more", names[..MOST].join(", "), names.len() - MOST)
}

/// Answers of a test in words.
pub(super) fn answers(test: &Test, answers: &[String]) -> String {
    answers.iter().map(|answer| shown(test, answer)).collect::<Vec<_>>().join(" or ")
}

/// Answer to a test in words.
pub(super) fn said(test: &Test, value: Option<&AnswerValue>) -> String {
    match value {
        None => "don’t know".to_owned(),
        Some(AnswerValue::Number(number)) => number.to_string(),
        Some(value) => answers(test, value.texts()),
    }
}

/// Words of a search, in lower case.
pub(super) fn words(find: &str) -> Vec<String> {
    find.split_whitespace().take(20).map(str::to_lowercase).collect()
}

/// Whether all `words` occur in `texts`.
pub(super) fn has_words(words: &[String], texts: &[&str]) -> bool {
    let texts: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    words.iter().all(|word| texts.iter().any(|text| text.contains(word)))
}

/// Bar whose length is a share of the whole, from 0 to 1: markup that holds nothing but a number. Screen readers skip
/// it, since the number stands beside it.
pub(super) fn bar(share: f64) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 1.0 };
    // A share above 0 is always visible.
    let width = number(if share > 0.0 { (share * 100.0).max(0.8) } else { 0.0 }, 1);
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\" focusable=\"false\">\
         <rect class=\"track\" width=\"100\" height=\"8\"/><rect class=\"fill\" width=\"{width}\" height=\"8\"/></svg>"
    )
}

/// Time of RFC 3339 without its seconds.
pub(super) fn moment(rfc3339: &str) -> String {
    rfc3339.get(..16).unwrap_or(rfc3339).replace('T', " ")
}

/// Path with a query.
pub(super) fn link(path: &str, pairs: &[(&str, &str)]) -> String {
    match serde_urlencoded::to_string(pairs) {
        Ok(query) if !query.is_empty() => format!("{path}?{query}"),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_bounds_never_rounded_up() {
        assert_eq!(number(2.0, 2), "2");
        assert_eq!(number(10.0, 0), "10");
        assert_eq!(number(2.0792, 2), "2.08");
        assert_eq!(number(f64::INFINITY, 2), "∞");
        assert_eq!(at_least(2.0799, 2), "2.07");
        assert_eq!(at_least(2.349_999_999_999_999_6, 2), "2.35");
        assert_eq!(amount(1.0, true), "1 question");
        assert_eq!(amount(4.6, false), "a cost of 4.6");
        assert_eq!((bits(1.0), bits(0.5)), ("1 bit".to_owned(), "0.5 bits".to_owned()));
    }

    #[test]
    fn bars_stay_within_their_track() {
        assert!(bar(2.0).contains("class=\"fill\" width=\"100\""));
        assert!(bar(f64::NAN).contains("class=\"fill\" width=\"100\""));
        assert!(bar(0.0).contains("class=\"fill\" width=\"0\""));
        assert!(bar(0.25).contains("class=\"fill\" width=\"25\""));
        assert!(bar(1e-9).contains("class=\"fill\" width=\"0.8\""), "what is there is seen");
    }

    #[test]
    fn links_escape_what_people_write() {
        assert_eq!(link("/a", &[]), "/a");
        assert_eq!(link("/a", &[("t", "is it \"&\" or #?")]), "/a?t=is+it+%22%26%22+or+%23%3F");
    }
}
