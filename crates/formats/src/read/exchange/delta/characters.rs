//! Characters of DELTA: types, states, dependencies, and how the key groups their states.

use super::directives::{Directive, entries, numbers, pairs, range};
use super::markup::{Marked, end_of_text, marked, short_names};
use crate::read::exchange::matrix::{answer_names, test_names};
use std::collections::{BTreeMap, BTreeSet};

/// Type of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// States without an order.
    States,
    /// States with an order.
    Ordered,
    /// Numbers.
    Number,
    /// Words.
    Text,
}

/// Character, counted from 1 in the file.
#[derive(Clone, Debug)]
pub(super) struct Character {
    pub(super) name: String,
    pub(super) kind: Type,
    pub(super) feature: Marked,
    pub(super) unit: String,
    pub(super) states: Vec<String>,
    pub(super) state_texts: Vec<Marked>,
    pub(super) implicit: Option<usize>,
    pub(super) cost: Option<f64>,
    pub(super) is_excluded: bool,
    /// Characters with the states that make this one inapplicable.
    pub(super) inapplicable: BTreeMap<usize, BTreeSet<usize>>,
    /// Groups of states for keys, each with its name.
    pub(super) groups: Vec<(String, BTreeSet<usize>)>,
    /// Ranges of numbers for keys, each with its name.
    pub(super) ranges: Vec<(String, f64, f64)>,
    pub(super) notes: String,
    pub(super) pictures: Vec<String>,
}

/// Base of costs by reliability.
const RELIABILITY_BASE: f64 = 1.4;

/// Reads all characters from the directives.
pub(super) fn read(directives: &[Directive], count: usize, object_column: &str) -> Vec<Character> {
    let texts = |name: &'static str| {
        directives
            .iter()
            .filter(move |directive| directive.name == name)
            .map(|directive| directive.text.as_str())
    };
    let mut kinds = vec![Type::States; count + 1];
    for (number, kind) in texts("CHARACTER TYPES").flat_map(|text| pairs(text, count)) {
        kinds[number] = match kind.to_ascii_uppercase().as_str() {
            "OM" | "CM" => Type::Ordered,
            "IN" | "RN" => Type::Number,
            "TE" => Type::Text,
            _ => Type::States,
        };
    }
    let mut counts = vec![None; count + 1];
    for (number, states) in texts("NUMBERS OF STATES").flat_map(|text| pairs(text, count)) {
        counts[number] = states.parse::<usize>().ok().filter(|states| *states <= 10_000);
    }
    let mut list = vec![(Marked::default(), Vec::new()); count + 1];
    for (number, text) in texts("CHARACTER LIST").flat_map(entries).filter(|(number, _)| *number <= count) {
        list[number] = feature_and_states(text);
    }
    let features: Vec<Marked> = list.iter().skip(1).map(|(feature, _)| feature.clone()).collect();
    let names = test_names(short_names(&features).into_iter(), object_column);
    let mut characters: Vec<Character> = names
        .into_iter()
        .zip(list.into_iter().skip(1))
        .enumerate()
        .map(|(at, (name, (feature, states)))| {
            character(name, feature, states, kinds[at + 1], counts[at + 1])
        })
        .collect();
    complete(directives, &mut characters);
    characters
}

fn character(
    name: String,
    feature: Marked,
    texts: Vec<(usize, Marked)>,
    kind: Type,
    count: Option<usize>,
) -> Character {
    let mut unit = String::new();
    let mut state_texts: Vec<Marked> = Vec::new();
    match kind {
        Type::Number => unit = texts.first().map_or_else(String::new, |(_, text)| text.plain.clone()),
        Type::Text => {}
        Type::States | Type::Ordered => {
            let last = texts.iter().map(|(number, _)| *number).max().unwrap_or(0);
            state_texts = vec![Marked::default(); count.unwrap_or(2).max(last)];
            texts
                .into_iter()
                .filter(|(number, _)| *number >= 1)
                .for_each(|(number, text)| state_texts[number - 1] = text);
        }
    }
    let states = answer_names(short_names(&state_texts).into_iter());
    Character {
        name,
        kind,
        feature,
        unit,
        states,
        state_texts,
        implicit: None,
        cost: None,
        is_excluded: false,
        inapplicable: BTreeMap::new(),
        groups: Vec::new(),
        ranges: Vec::new(),
        notes: String::new(),
        pictures: Vec::new(),
    }
}

/// Feature of an entry such as `culms <whether woody>/ 1. woody/ 2. not/`, and its states by number; a unit has number 0.
fn feature_and_states(text: &str) -> (Marked, Vec<(usize, Marked)>) {
    /// Most states of a character.
    const MOST_STATES: usize = 10_000;
    let end = end_of_text(text).unwrap_or(text.len());
    let feature = marked(&text[..end]);
    let mut rest = text.get(end + 1..).unwrap_or_default();
    let mut states = Vec::new();
    while let Some(end) = end_of_text(rest) {
        let state = rest[..end].trim();
        let (number, words) = match state.split_once('.') {
            Some((number, words))
                if number.trim().parse::<usize>().is_ok_and(|number| number <= MOST_STATES) =>
            {
                (number.trim().parse().unwrap_or(0), words)
            }
            _ => (0, state),
        };
        states.push((number, marked(words)));
        rest = &rest[end + 1..];
    }
    (feature, states)
}

/// Adds what directives other than the list say of characters.
fn complete(directives: &[Directive], characters: &mut [Character]) {
    let count = characters.len();
    for Directive { name, text } in directives {
        match name.as_str() {
            "IMPLICIT VALUES" => {
                for (number, value) in pairs(text, count) {
                    let first = value.split(':').next().unwrap_or_default();
                    characters[number - 1].implicit = first.parse().ok();
                }
            }
            "DEPENDENT CHARACTERS" | "INAPPLICABLE CHARACTERS" => dependencies(text, characters, false),
            "APPLICABLE CHARACTERS" => dependencies(text, characters, true),
            "CHARACTER RELIABILITIES" => {
                for (number, value) in pairs(text, count) {
                    let reliability =
                        value.parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0);
                    let character = &mut characters[number - 1];
                    character.is_excluded |= reliability == Some(0.0);
                    character.cost = reliability.map(|value| {
                        let cost = RELIABILITY_BASE.powf(5.0 - value.min(10.0));
                        (cost * 1e4).round() / 1e4
                    });
                }
            }
            "EXCLUDE CHARACTERS" => {
                numbers(text, count).into_iter().for_each(|number| characters[number - 1].is_excluded = true);
            }
            "INCLUDE CHARACTERS" => {
                let included = numbers(text, count);
                for (at, character) in characters.iter_mut().enumerate() {
                    character.is_excluded |= !included.contains(&(at + 1));
                }
            }
            "KEY STATES" => key_states(text, characters),
            "CHARACTER NOTES" => {
                for (number, text) in
                    entries(text).into_iter().filter(|(number, _)| (1..=count).contains(number))
                {
                    characters[number - 1].notes = marked(text).full;
                }
            }
            "CHARACTER IMAGES" => {
                for (number, text) in
                    entries(text).into_iter().filter(|(number, _)| (1..=count).contains(number))
                {
                    characters[number - 1].pictures = pictures(text);
                }
            }
            _ => {}
        }
    }
}

/// Names of files in a text such as `a.gif <@feature …> b.gif`.
pub(super) fn pictures(text: &str) -> Vec<String> {
    marked(text).plain.split_whitespace().map(str::to_owned).collect()
}

/// Rules such as `78,2/3:80:82-84`: with these states, those characters are inapplicable, or only then applicable.
fn dependencies(text: &str, characters: &mut [Character], is_applicable: bool) {
    let count = characters.len();
    for word in text.split_whitespace() {
        let Some((head, list)) = word.split_once(':') else { continue };
        let Some((controlling, states)) = head.split_once(',') else { continue };
        let Some(controlling) =
            controlling.parse::<usize>().ok().filter(|number| (1..=count).contains(number))
        else {
            continue;
        };
        let all = characters[controlling - 1].states.len();
        let named: BTreeSet<usize> = states.split('/').flat_map(|states| range(states, all)).collect();
        let states: BTreeSet<usize> = match is_applicable {
            true => (1..=all).filter(|state| !named.contains(state)).collect(),
            false => named,
        };
        for dependent in list.split(':').flat_map(|numbers| range(numbers, count)) {
            if dependent != controlling {
                characters[dependent - 1].inapplicable.entry(controlling).or_default().extend(&states);
            }
        }
    }
}

/// Groups such as `8,1-3/4-6/7` of states, or `2,~2/2-5/5~` of numbers.
fn key_states(text: &str, characters: &mut [Character]) {
    let count = characters.len();
    let words: Vec<(usize, String)> =
        pairs(text, count).into_iter().map(|(at, text)| (at, text.to_owned())).collect();
    for (number, text) in words {
        let character = &mut characters[number - 1];
        if character.kind == Type::Number {
            character.ranges = text.split('/').filter_map(key_range).collect();
            continue;
        }
        let all = character.states.len();
        let group = |text: &str| {
            let states: BTreeSet<usize> = text.split('&').flat_map(|states| range(states, all)).collect();
            let names: Vec<&str> = states.iter().map(|state| character.states[state - 1].as_str()).collect();
            (names.join(" / "), states)
        };
        let groups: Vec<(String, BTreeSet<usize>)> =
            text.split('/').map(group).filter(|(_, states)| !states.is_empty()).collect();
        // Groups of one state each are the states themselves.
        if groups.iter().any(|(_, states)| states.len() > 1) {
            let names = answer_names(groups.iter().map(|(name, _)| name.as_str()));
            character.groups =
                names.into_iter().zip(groups).map(|(name, (_, states))| (name, states)).collect();
        }
    }
}

/// Range such as `~2`, `2-5`, `7` or `5~`, with its name.
fn key_range(text: &str) -> Option<(String, f64, f64)> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    if let Some(high) = text.strip_prefix('~') {
        return Some((format!("up to {high}"), f64::NEG_INFINITY, number(high)?));
    }
    if let Some(low) = text.strip_suffix('~') {
        return Some((format!("{low} or more"), number(low)?, f64::INFINITY));
    }
    match text.split_once('-') {
        Some((low, high)) => Some((format!("{low} to {high}"), number(low)?, number(high)?)),
        None => number(text).map(|one| (text.to_owned(), one, one)),
    }
}
