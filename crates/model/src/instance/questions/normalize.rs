//! Texts of a column that mean the same: words for a gap, and one answer in several spellings.

use crate::number::parse;
use crate::{Codes, Column, Labels, Missing, ObjectId, Reading, Respelled};
use hashbrown::HashMap;

/// Words for a gap, in lower case, unless the reading lists others.
pub(crate) const GAP_WORDS: [&str; 5] = ["na", "n/a", "nan", "null", "unknown"];

/// Changes that were made to the texts of a column.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Words that count as gaps.
    pub(super) gap_words: Vec<String>,
    /// Answers that were written in several ways.
    pub(super) respelled: Vec<Respelled>,
}

/// Returns the column with words for a gap counted as missing, and answers that differ only in case or number form
/// merged. Nothing changes if the reading is verbatim.
pub(super) fn normalize(column: Column, reading: &Reading) -> (Column, Changes) {
    if reading.verbatim {
        return (column, Changes::default());
    }
    let gap = column.missing.map(|missing| missing.code);
    let mut changes = Changes::default();
    let mut target: Vec<u32> = (0..column.labels.len() as u32).collect();
    let mut gaps: Vec<u32> = gap.into_iter().collect();
    // Most columns hold texts that have only one spelling; their keys need not be made.
    let may_double = !column.labels.iter().all(has_one_spelling);
    let mut by_key: HashMap<String, u32> = HashMap::new();
    let mut doubles: Vec<(u32, u32)> = Vec::new();
    for (code, text) in (0u32..).zip(column.labels.iter()) {
        if Some(code) == gap {
            continue;
        }
        if is_gap(text, reading) {
            changes.gap_words.push(text.to_owned());
            gaps.push(code);
            continue;
        }
        if !may_double {
            continue;
        }
        match by_key.entry(key(text)) {
            hashbrown::hash_map::Entry::Occupied(first) => doubles.push((*first.get(), code)),
            hashbrown::hash_map::Entry::Vacant(place) => {
                place.insert(code);
            }
        }
    }
    if changes.gap_words.is_empty() && doubles.is_empty() {
        return (column, changes);
    }
    if let Some(&first) = gaps.first() {
        gaps.iter().for_each(|gap| target[*gap as usize] = first);
    }
    merge_spellings(&column, &doubles, &mut target, &mut changes.respelled);
    (relabel(&column, &target, gaps.first().copied()), changes)
}

/// Whether `text` stands for a gap.
pub(crate) fn is_gap(text: &str, reading: &Reading) -> bool {
    match &reading.gap_words {
        None => text.len() <= 7 && GAP_WORDS.iter().any(|word| text.eq_ignore_ascii_case(word)),
        Some(words) => words.iter().any(|word| word.to_lowercase() == text.to_lowercase()),
    }
}

/// Whether no other text that passes this test has the same key: lower-case letters and digits, or a whole number.
fn has_one_spelling(text: &str) -> bool {
    let is_number = text.as_bytes().first().is_some_and(u8::is_ascii_digit);
    text.bytes().all(|byte| byte.is_ascii_digit() || (!is_number && byte.is_ascii_lowercase()))
}

/// Key that texts share if they are one answer: lower case, inner blanks as one, numbers by their value.
fn key(text: &str) -> String {
    match parse(text) {
        // Zero has two signs.
        Some(number) => (number + 0.0).to_string(),
        None => text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase(),
    }
}

/// Maps each spelling of an answer to the most frequent one, the first among equally frequent ones.
fn merge_spellings(
    column: &Column,
    doubles: &[(u32, u32)],
    target: &mut [u32],
    respelled: &mut Vec<Respelled>,
) {
    if doubles.is_empty() {
        return;
    }
    let mut counts = vec![0usize; target.len()];
    column.codes.iter().for_each(|code| counts[code as usize] += 1);
    let mut spellings: Vec<Vec<u32>> = Vec::new();
    let mut place: HashMap<u32, usize> = HashMap::new();
    for &(first, other) in doubles {
        let at = *place.entry(first).or_insert_with(|| {
            spellings.push(vec![first]);
            spellings.len() - 1
        });
        spellings[at].push(other);
    }
    for codes in spellings {
        let kept = codes.iter().copied().rev().max_by_key(|code| counts[*code as usize]).unwrap_or(codes[0]);
        codes.iter().for_each(|code| target[*code as usize] = kept);
        let text = |code: u32| column.labels.get(code as usize).to_owned();
        respelled.push(Respelled {
            column: column.name.clone(),
            kept: text(kept),
            others: codes.into_iter().filter(|code| *code != kept).map(text).collect(),
        });
    }
}

/// Returns the column with each label replaced by its target; `gap` is the target of all gaps.
fn relabel(column: &Column, target: &[u32], gap: Option<u32>) -> Column {
    let mut labels = Labels::default();
    let mut number: Vec<Option<u32>> = vec![None; target.len()];
    // New labels keep the order of first appearance.
    for &kept in target {
        number[kept as usize].get_or_insert_with(|| {
            let text = if Some(kept) == gap { "?" } else { column.labels.get(kept as usize) };
            labels.push(text) as u32
        });
    }
    let of_code: Vec<u32> = target.iter().filter_map(|kept| number[*kept as usize]).collect();
    let codes: Codes = column.codes.iter().map(|code| of_code[code as usize]).collect();
    let missing = gap.and_then(|gap| number[gap as usize]).map(|code| {
        let mut places = codes.iter().enumerate().filter(|(_, other)| *other == code).map(|(at, _)| at);
        let first = ObjectId::at(places.next().unwrap_or(0));
        Missing { code, count: 1 + places.count(), first }
    });
    Column { name: column.name.clone(), position: column.position, labels, codes, missing }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Table;

    fn column(cells: &[&str]) -> Column {
        let rows: Vec<[&str; 2]> = cells.iter().map(|cell| ["x", *cell]).collect();
        let mut table: Vec<&[&str]> = vec![&["object", "h"]];
        table.extend(rows.iter().map(|row| &row[..]));
        Table::from_rows(&table).columns.remove(0)
    }

    fn texts(column: &Column) -> Vec<&str> {
        column.codes.iter().map(|code| column.labels.get(code as usize)).collect()
    }

    #[test]
    fn words_for_a_gap_are_missing_cells() {
        let (found, changes) =
            normalize(column(&["NA", "yes", "", "Unknown", "-", "n/a", "none"]), &Reading::default());
        assert_eq!(texts(&found), ["?", "yes", "?", "?", "-", "?", "none"]);
        assert_eq!(found.missing.map(|missing| (missing.count, missing.first)), Some((4, ObjectId(0))));
        assert_eq!(changes.gap_words, ["NA", "Unknown", "n/a"]);
    }

    #[test]
    fn other_words_may_stand_for_a_gap() {
        let reading =
            Reading { gap_words: Some(vec!["-".to_owned(), "Missing".to_owned()]), ..Reading::default() };
        let (found, _) = normalize(column(&["NA", "-", "missing"]), &reading);
        assert_eq!(texts(&found), ["NA", "?", "?"]);
    }

    #[test]
    fn the_most_frequent_spelling_is_kept() {
        let (found, changes) = normalize(
            column(&["Yes", "yes", "no", "YES", "yes", "1", "1.0", "01", "two  words", "Two words"]),
            &Reading::default(),
        );
        assert_eq!(
            texts(&found),
            ["yes", "yes", "no", "yes", "yes", "1", "1", "01", "two  words", "two  words"]
        );
        assert_eq!(
            changes.respelled[0],
            Respelled { column: "h".into(), kept: "yes".into(), others: vec!["Yes".into(), "YES".into()] }
        );
        assert_eq!(changes.respelled.len(), 3);
    }

    #[test]
    fn a_verbatim_reading_changes_nothing() {
        let reading = Reading { verbatim: true, ..Reading::default() };
        let (found, changes) = normalize(column(&["Yes", "yes", "NA", ""]), &reading);
        assert_eq!(texts(&found), ["Yes", "yes", "NA", "?"]);
        assert!(changes.gap_words.is_empty() && changes.respelled.is_empty());
    }
}
