//! What descriptions say of characters.

use super::super::matrix::{list, range};
use super::super::xml::Element;
use super::{Character, Characters};
use crate::loss::{Loss, Losses};
use std::collections::BTreeSet;

/// What a description says of one character.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Unknown,
    /// The description says that nothing is known, whatever rules say.
    StatedUnknown,
    Inapplicable,
    States(BTreeSet<usize>),
    Numbers(f64, f64),
}

impl Value {
    /// Text of the cell.
    pub(super) fn text(&self, character: &Character<'_>) -> String {
        match self {
            Self::Unknown | Self::StatedUnknown => "?".to_owned(),
            Self::Inapplicable => "-".to_owned(),
            Self::Numbers(low, high) => range(*low, *high),
            Self::States(states) => {
                let names: Vec<&str> =
                    states.iter().map(|state| character.states[*state].1.as_str()).collect();
                list(&names)
            }
        }
    }

    /// Takes what another element says of the same character.
    fn merge(&mut self, other: Self) {
        match (&mut *self, other) {
            (Self::States(states), Self::States(more)) => states.extend(more),
            (Self::Numbers(low, high), Self::Numbers(from, to)) => {
                (*low, *high) = (low.min(from), high.max(to))
            }
            (Self::Unknown | Self::StatedUnknown | Self::Inapplicable, other) if other != Self::Unknown => {
                *self = other
            }
            _ => {}
        }
    }
}

/// Values of a description, by character. One character may be described by several elements.
pub(super) fn read(description: Element<'_>, characters: &Characters<'_>, losses: &mut Losses) -> Vec<Value> {
    let mut values = vec![Value::Unknown; characters.list.len()];
    for element in description.below(&["SummaryData"]).into_iter().flat_map(Element::elements) {
        let at = characters.by_id.get(element.attribute("ref")).copied();
        losses.add(Loss::Comment, element.all("Note").count());
        let value = match (element.name(), at) {
            ("Categorical", Some(at)) => categorical(element, at, characters, losses),
            ("Quantitative", Some(_)) => quantitative(element, losses),
            ("Categorical" | "Quantitative", None) => {
                losses.add(Loss::Reference, 1);
                continue;
            }
            // Texts are counted once, as characters.
            _ => continue,
        };
        if let Some(at) = at {
            values[at].merge(value);
        }
    }
    losses.add(Loss::Part, description.all("SampleData").count());
    values
}

/// What a status says; `None`: nothing about the value.
fn status(element: Element<'_>) -> Option<Value> {
    element.all("Status").find_map(|status| match status.attribute("code") {
        "NotApplicable" | "Inapplicable" => Some(Value::Inapplicable),
        "DataUnavailable" => Some(Value::StatedUnknown),
        code if code.starts_with("Data") || code.starts_with("Not") || code.contains("Unknown") => {
            Some(Value::Unknown)
        }
        _ => None,
    })
}

fn categorical(element: Element<'_>, at: usize, characters: &Characters<'_>, losses: &mut Losses) -> Value {
    let mut states = BTreeSet::new();
    for state in element.all("State") {
        losses.add(Loss::Modifier, state.all("Modifier").count());
        losses.add(Loss::Comment, state.all("Note").count());
        match characters.by_state.get(state.attribute("ref")) {
            Some((character, number)) if *character == at => _ = states.insert(*number),
            _ => losses.add(Loss::Reference, 1),
        }
    }
    losses.add(Loss::Modifier, element.all("Modifier").count());
    match status(element) {
        Some(value) if states.is_empty() => value,
        _ if states.is_empty() => Value::Unknown,
        _ => Value::States(states),
    }
}

fn quantitative(element: Element<'_>, losses: &mut Losses) -> Value {
    losses.add(Loss::Modifier, element.all("Modifier").count());
    let number = |names: &[&str]| {
        let found = element.all("Measure").find(|measure| names.contains(&measure.attribute("type")));
        let text = found?.attribute("value").replace(',', ".");
        text.parse::<f64>().ok().filter(|number| number.is_finite())
    };
    let usual = number(&["UMethLower"]).zip(number(&["UMethUpper"]));
    let all = number(&["Min", "ObserverEstLower"]).zip(number(&["Max", "ObserverEstUpper"]));
    let middle = number(&["Mean", "Median", "Mode", "Central", "Single", "CentralValue"]);
    losses.add(Loss::Extreme, 2 * usize::from(usual.is_some() && all.is_some()));
    let one = number(&["Min"]).or_else(|| number(&["Max"]));
    match usual.or(all).or(middle.or(one).map(|middle| (middle, middle))) {
        Some((low, high)) => Value::Numbers(low.min(high), low.max(high)),
        None => {
            losses.add(Loss::Value, usize::from(element.all("Measure").next().is_some()));
            status(element).unwrap_or(Value::Unknown)
        }
    }
}
