//! Answers as people read them: in natural order, 0 and 1 as no and yes, a missing value in words.

use fewest_model::{AnswerId, Test};
use std::cmp::Ordering;

pub use fewest_model::NOT_RECORDED;

/// Text of the answer that stands for a missing value in a table that is read verbatim.
const GAP: &str = "?";

/// Whether `answer` says that no value was recorded.
pub fn is_gap(answer: &str) -> bool {
    answer == GAP || answer == NOT_RECORDED
}

/// Returns `answer` as people read it: "not recorded" for a missing value, no and yes for 0 and 1 where the test has
/// no other answers.
pub fn shown<'a>(test: &'a Test, answer: &'a str) -> &'a str {
    match answer {
        GAP => NOT_RECORDED,
        "0" if is_zero_or_one(test) => "no",
        "1" if is_zero_or_one(test) => "yes",
        _ => answer,
    }
}

/// Whether all answers of a test are 0 or 1, except for missing values.
fn is_zero_or_one(test: &Test) -> bool {
    // At most three answers are looked at: a test may have a million.
    test.arity() <= 3 && test.answers.iter().all(|answer| matches!(answer, "0" | "1" | GAP | NOT_RECORDED))
}

/// Returns the answers of a test in natural order: yes before no, ranges and numbers by size, other texts by their
/// letters and the numbers in them; a missing value last.
pub fn natural_order(test: &Test) -> Vec<AnswerId> {
    let mut order: Vec<AnswerId> = (0..test.arity()).map(AnswerId::at).collect();
    let size = |answer: &AnswerId| {
        let measure = test.measure.as_ref()?;
        measure.answers.iter().position(|of_range| of_range == answer)
    };
    order.sort_by(|left, right| {
        let (one, other) = (test.answer_text(*left), test.answer_text(*right));
        let gap = is_gap(one).cmp(&is_gap(other));
        let by_size = || match (size(left), size(right)) {
            (Some(left), Some(right)) => left.cmp(&right),
            (left, right) => left.is_none().cmp(&right.is_none()),
        };
        gap.then_with(|| yes_first(shown(test, one), shown(test, other)))
            .then_with(by_size)
            .then_with(|| natural(one, other))
    });
    order
}

/// Order of words for yes and no: yes, no, everything else.
pub(crate) fn yes_first(one: &str, other: &str) -> Ordering {
    let rank = |text: &str| match text.to_lowercase().as_str() {
        "yes" | "true" | "y" => 0,
        "no" | "false" | "n" => 1,
        _ => 2,
    };
    rank(one).cmp(&rank(other))
}

/// Whether an answer is a range of a measured column.
pub(crate) fn is_range(answer: &str) -> bool {
    answer.starts_with(['<', '>', '≤', '≥']) || answer.contains('–')
}

/// Order of two texts as people expect it: numbers by size and before words, `a2` before `a10`, no difference of case.
pub fn natural(one: &str, other: &str) -> Ordering {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| !number.is_nan());
    match (number(one), number(other)) {
        (Some(left), Some(right)) => left.total_cmp(&right).then_with(|| one.cmp(other)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => by_parts(one, other).then_with(|| one.cmp(other)),
    }
}

/// Compares two texts part by part, where a row of digits is one part.
fn by_parts(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one.chars().peekable(), other.chars().peekable());
    loop {
        match (left.peek().copied(), right.peek().copied()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(a), Some(b)) if a.is_ascii_digit() && b.is_ascii_digit() => {
                let (a, b) = (digits(&mut left), digits(&mut right));
                match a.len().cmp(&b.len()).then_with(|| a.cmp(&b)) {
                    Ordering::Equal => {}
                    order => return order,
                }
            }
            (Some(a), Some(b)) => {
                match a.to_lowercase().cmp(b.to_lowercase()) {
                    Ordering::Equal => {}
                    order => return order,
                }
                left.next();
                right.next();
            }
        }
    }
}

/// Takes a row of digits, without zeros at its beginning.
fn digits(text: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let mut row = String::new();
    while let Some(digit) = text.next_if(char::is_ascii_digit) {
        if !(row.is_empty() && digit == '0') {
            row.push(digit);
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use fewest_model::{Instance, MissingCells, Numeric, Reading, Table};
    use proptest::prelude::*;

    fn order_of(cells: &[&str], reading: &Reading) -> Vec<String> {
        let names: Vec<String> = (0..cells.len()).map(|at| format!("o{at}")).collect();
        let rows: Vec<[&str; 2]> =
            names.iter().zip(cells).map(|(name, cell)| [name.as_str(), *cell]).collect();
        let mut all: Vec<&[&str]> = vec![&["o", "t"]];
        all.extend(rows.iter().map(|row| &row[..]));
        let (instance, _) = Instance::new(Table::from_rows(&all), reading).unwrap();
        let test = instance.test(instance.test_ids().next().unwrap());
        natural_order(test).iter().map(|answer| shown(test, test.answer_text(*answer)).to_owned()).collect()
    }

    #[test]
    fn answers_are_in_natural_order_and_missing_values_last() {
        let plain = Reading { missing: MissingCells::Answer, ..Reading::plain() };
        assert_eq!(order_of(&["10", "?", "9", "1"], &plain), ["1", "9", "10", NOT_RECORDED]);
        assert_eq!(order_of(&["no", "yes", ""], &plain), ["yes", "no", NOT_RECORDED]);
        assert_eq!(order_of(&["red", "Blue", "7"], &plain), ["7", "Blue", "red"]);
        assert_eq!(order_of(&["type 10", "type 9"], &plain), ["type 9", "type 10"]);
    }

    #[test]
    fn zero_and_one_are_no_and_yes_where_there_is_nothing_else() {
        let plain = Reading { missing: MissingCells::Answer, ..Reading::plain() };
        assert_eq!(order_of(&["0", "1"], &plain), ["yes", "no"]);
        assert_eq!(order_of(&["0", "1", "?"], &plain), ["yes", "no", NOT_RECORDED]);
        assert_eq!(order_of(&["0", "1", "2"], &plain), ["0", "1", "2"]);
    }

    #[test]
    fn ranges_are_ordered_by_size() {
        let measure = Reading { numeric: Numeric::Measure, ..Reading::default() };
        let cells = ["10.5", "0.5", "2.5", "9.5"];
        let found = order_of(&cells, &measure);
        let first = |text: &String| {
            text.split(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty()).map(str::to_owned)
        };
        let numbers: Vec<f64> = found.iter().skip(1).filter_map(|text| first(text)?.parse().ok()).collect();
        assert!(numbers.is_sorted() && found.len() == 4, "{found:?}");
    }

    proptest! {
        #[test]
        fn the_natural_order_is_an_order(mut texts in prop::collection::vec("[a-cA-C0-9 .]{0,4}", 3)) {
            // Sorting panics or differs where comparisons contradict each other.
            texts.sort_by(|left, right| natural(left, right));
            for pair in texts.windows(2) {
                prop_assert!(natural(&pair[0], &pair[1]).is_le());
            }
            prop_assert!(natural(&texts[0], &texts[2]).is_le());
            prop_assert_eq!(natural(&texts[0], &texts[1]).reverse(), natural(&texts[1], &texts[0]));
        }
    }
}
