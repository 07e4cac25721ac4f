//! Small tables beside a table, with its texts.

use crate::texts::{Text, Texts, Words};
use std::collections::BTreeSet;

/// A small table: what it is about, and its rows, the header first.
pub type Side = (&'static str, Vec<Vec<String>>);

/// Tables of tests, answers and objects; those that would be empty are left out.
pub fn side_tables(texts: &Texts) -> Vec<Side> {
    let tests = texts.tests.iter().map(|(name, text)| (vec![name.clone()], text));
    let objects = texts.objects.iter().map(|(name, text)| (vec![name.clone()], text));
    let answers = texts.answers.iter().flat_map(|(test, texts)| {
        texts.iter().map(move |(answer, text)| (vec![test.clone(), answer.clone()], text))
    });
    let sides = [
        ("tests", rows(&["test"], tests.collect())),
        ("answers", rows(&["test", "answer"], answers.collect())),
        ("objects", rows(&["object"], objects.collect())),
    ];
    sides.into_iter().filter(|(_, rows)| rows.len() > 1 && rows[0].len() > 1).collect()
}

fn rows(keys: &[&str], texts: Vec<(Vec<String>, &Text)>) -> Vec<Vec<String>> {
    type Of = fn(&Text) -> &Words;
    /// Cell of a column.
    type Show = Box<dyn Fn(&Text) -> String>;
    let words: [(&str, Of); 3] =
        [("label", |text| &text.label), ("question", |text| &text.question), ("help", |text| &text.help)];
    let mut columns: Vec<(String, Show)> = Vec::new();
    for (name, of) in words {
        let languages: BTreeSet<String> = texts
            .iter()
            .flat_map(|(_, text)| of(text).iter().map(|(language, _)| language.to_owned()))
            .collect();
        for language in languages {
            let header = if language.is_empty() { name.to_owned() } else { format!("{name}@{language}") };
            let cell = move |text: &Text| {
                let found = of(text).iter().find(|(other, _)| *other == language);
                found.map_or_else(String::new, |(_, text)| text.to_owned())
            };
            columns.push((header, Box::new(cell)));
        }
    }
    if texts.iter().any(|(_, text)| !text.image.is_empty()) {
        columns.push(("image".to_owned(), Box::new(|text| text.image.clone())));
    }
    if texts.iter().any(|(_, text)| !text.link.is_empty()) {
        columns.push(("link".to_owned(), Box::new(|text| text.link.clone())));
    }
    let header = keys.iter().map(|key| (*key).to_owned()).chain(columns.iter().map(|(name, _)| name.clone()));
    let body = texts.into_iter().map(|(keys, text)| {
        keys.into_iter().chain(columns.iter().map(|(_, cell)| cell(text))).collect::<Vec<String>>()
    });
    std::iter::once(header.collect()).chain(body).collect()
}
