//! Cells of a DELTA data set: values, implicit values, and what is inapplicable by a rule.

use super::characters::{Character, Type};
use super::items::{Item, number_range};
use crate::loss::{Loss, Losses};
use crate::read::exchange::matrix::{list, range};
use std::collections::BTreeSet;

/// What an item says of a character.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Unknown,
    Inapplicable,
    Any,
    States(BTreeSet<usize>),
    /// Numbers that may occur, one by one or as ranges.
    Numbers(Vec<(f64, f64)>),
}

/// Cells of each item, by character.
pub(super) fn table(characters: &[Character], items: &[Item], losses: &mut Losses) -> Vec<Vec<String>> {
    items.iter().map(|item| row(characters, item, losses)).collect()
}

fn row(characters: &[Character], item: &Item, losses: &mut Losses) -> Vec<String> {
    let mut values: Vec<Value> = characters
        .iter()
        .enumerate()
        .map(|(at, character)| {
            let said = item.values.get(&(at + 1)).map(String::as_str).filter(|text| !text.is_empty());
            match (said, character.implicit) {
                (Some(text), _) => value(character, text, losses),
                (None, Some(state)) if (1..=character.states.len()).contains(&state) => {
                    Value::States(BTreeSet::from([state]))
                }
                (None, _) => Value::Unknown,
            }
        })
        .collect();
    let is_said = |at: usize| item.values.get(&(at + 1)).is_some_and(|text| !text.is_empty());
    make_inapplicable(characters, &mut values, is_said);
    values.iter().zip(characters).map(|(value, character)| cell(character, value, losses)).collect()
}

/// Makes what rules exclude inapplicable, unless the item says something of it. A rule that is inapplicable itself
/// carries on. Each round decides at least one character, so there are as many rounds as characters at most.
fn make_inapplicable(characters: &[Character], values: &mut [Value], is_said: impl Fn(usize) -> bool) {
    let dependent: Vec<usize> =
        (0..characters.len()).filter(|at| !characters[*at].inapplicable.is_empty()).collect();
    for _ in 0..=dependent.len() {
        let mut changed = false;
        for &at in &dependent {
            if is_said(at) || values[at] == Value::Inapplicable {
                continue;
            }
            let is_out = characters[at].inapplicable.iter().any(|(controlling, excluded)| {
                match &values[controlling - 1] {
                    Value::States(states) => !states.is_empty() && states.is_subset(excluded),
                    other => *other == Value::Inapplicable,
                }
            });
            if is_out {
                values[at] = Value::Inapplicable;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
}

fn value(character: &Character, text: &str, losses: &mut Losses) -> Value {
    match text {
        "U" | "u" => return Value::Unknown,
        "V" | "v" => return Value::Any,
        "-" => return Value::Inapplicable,
        _ => {}
    }
    match character.kind {
        Type::Text => Value::Unknown,
        Type::Number => numbers(text, losses),
        Type::States | Type::Ordered => states(character, text, losses),
    }
}

fn states(character: &Character, text: &str, losses: &mut Losses) -> Value {
    losses.add(Loss::Together, usize::from(text.contains('&')));
    let all = character.states.len();
    let mut found = BTreeSet::new();
    for part in text.split(['/', '&']) {
        match part.trim_matches(['(', ')']) {
            "V" | "v" => return Value::Any,
            // Inapplicable or one of the states: the states are kept.
            "-" | "U" | "u" | "" => losses.add(Loss::Value, 1),
            part => match ends(part, all) {
                Some((first, last)) => found.extend(first..=last),
                None => losses.add(Loss::Value, 1),
            },
        }
    }
    if found.is_empty() { Value::Unknown } else { Value::States(found) }
}

/// First and last state of a part such as `2` or `1-3`, also written `3-1`.
fn ends(part: &str, all: usize) -> Option<(usize, usize)> {
    let (first, last) = part.split_once('-').unwrap_or((part, part));
    let number = |text: &str| text.parse::<usize>().ok().filter(|state| (1..=all).contains(state));
    let (first, last) = number(first).zip(number(last))?;
    Some((first.min(last), first.max(last)))
}

fn numbers(text: &str, losses: &mut Losses) -> Value {
    losses.add(Loss::Together, usize::from(text.contains('&')));
    let mut found = Vec::new();
    for part in text.split(['/', '&']) {
        match number_range(part) {
            Some((low, high, extremes)) => {
                losses.add(Loss::Extreme, extremes);
                found.push((low, high));
            }
            None => losses.add(Loss::Value, 1),
        }
    }
    if found.is_empty() { Value::Unknown } else { Value::Numbers(found) }
}

fn cell(character: &Character, value: &Value, losses: &mut Losses) -> String {
    match value {
        Value::Unknown => "?".to_owned(),
        Value::Inapplicable => "-".to_owned(),
        Value::Any => "*".to_owned(),
        Value::States(states) => {
            let names = answers_of(character, states);
            list(&names.iter().map(String::as_str).collect::<Vec<_>>())
        }
        Value::Numbers(numbers) if !character.ranges.is_empty() => {
            grouped_numbers(character, numbers, losses)
        }
        Value::Numbers(numbers) => number_cell(numbers, losses),
    }
}

/// Numbers as one cell: single numbers are a list, ranges become the range that holds them all.
fn number_cell(numbers: &[(f64, f64)], losses: &mut Losses) -> String {
    if numbers.iter().all(|(low, high)| low == high) {
        let mut texts: Vec<String> = Vec::new();
        for text in numbers.iter().map(|(low, _)| low.to_string()) {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        return list(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    }
    losses.add(Loss::RangeGap, usize::from(numbers.len() > 1));
    let low = numbers.iter().map(|(low, _)| *low).fold(f64::INFINITY, f64::min);
    let high = numbers.iter().map(|(_, high)| *high).fold(f64::NEG_INFINITY, f64::max);
    range(low, high)
}

/// Names of the ranges that numbers may lie in. A number at the end of one range and the beginning of the next lies in
/// the next.
fn grouped_numbers(character: &Character, numbers: &[(f64, f64)], losses: &mut Losses) -> String {
    let groups = &character.ranges;
    let is_shared = |end: f64| groups.iter().any(|(_, low, high)| *low == end && *high > end);
    let holds = |(low, high): (f64, f64), (from, to): (f64, f64)| {
        low <= to && high >= from && !(low == to && from < to && is_shared(to))
    };
    let names: Vec<&str> = groups
        .iter()
        .filter(|(_, from, to)| numbers.iter().any(|number| holds(*number, (*from, *to))))
        .map(|(name, ..)| name.as_str())
        .collect();
    losses.add(Loss::Value, usize::from(names.is_empty()));
    list(&names)
}

/// Answers for these states: their names, or those of their groups.
fn answers_of(character: &Character, states: &BTreeSet<usize>) -> Vec<String> {
    if character.groups.is_empty() {
        return states.iter().map(|state| character.states[state - 1].clone()).collect();
    }
    let groups = character.groups.iter().filter(|(_, group)| !group.is_disjoint(states));
    groups.map(|(name, _)| name.clone()).collect()
}

/// Answers that are left without these states.
pub(super) fn answers_without(character: &Character, excluded: &BTreeSet<usize>) -> Vec<String> {
    let left: BTreeSet<usize> =
        (1..=character.states.len()).filter(|state| !excluded.contains(state)).collect();
    answers_of(character, &left)
}
