//! Rules of applicability in the trees of characters.

use super::super::matrix::{join_premises, premise};
use super::super::xml::Element;
use super::Characters;
use super::cells::Value;
use crate::loss::{Loss, Losses};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// For each character: other characters, with the states of them that make it inapplicable.
pub(super) type Rules = BTreeMap<usize, BTreeMap<usize, BTreeSet<usize>>>;

/// Most steps from a node to the root of its tree.
const MOST_STEPS: usize = 100;

/// Reads the rules of all trees. A rule of a node holds for all characters below it.
pub(super) fn read(set: Element<'_>, characters: &Characters<'_>, losses: &mut Losses) -> Rules {
    let mut rules = Rules::new();
    for tree in set.below(&["CharacterTrees", "CharacterTree"]) {
        let nodes = tree.below(&["Nodes"]).into_iter().flat_map(Element::elements).collect::<Vec<_>>();
        let by_id: HashMap<&str, Element<'_>> = nodes
            .iter()
            .filter(|node| node.name() == "Node")
            .map(|node| (node.attribute("id"), *node))
            .collect();
        for node in nodes.iter().filter(|node| node.name() == "CharNode") {
            let reference = node.first("Character").map_or("", |character| character.attribute("ref"));
            let Some(dependent) = characters.by_id.get(reference) else { continue };
            let mut here = Some(*node);
            for _ in 0..MOST_STEPS {
                let Some(node) = here else { break };
                add(node, *dependent, characters, &mut rules, losses);
                here = node.first("Parent").and_then(|parent| by_id.get(parent.attribute("ref"))).copied();
            }
        }
    }
    rules
}

/// Adds the rules that stand at one node.
fn add(
    node: Element<'_>,
    dependent: usize,
    characters: &Characters<'_>,
    rules: &mut Rules,
    losses: &mut Losses,
) {
    for rule in node.all("DependencyRules").flat_map(Element::elements) {
        let mut named: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for state in rule.all("State") {
            match characters.by_state.get(state.attribute("ref")) {
                Some((character, number)) if *character != dependent => {
                    named.entry(*character).or_default().insert(*number);
                }
                _ => losses.add(Loss::Reference, 1),
            }
        }
        // Applicable with a state of one or of another character is more than a table can say.
        let is_positive = rule.name() != "InapplicableIf";
        if is_positive && named.len() > 1 {
            losses.add(Loss::Rule, 1);
            continue;
        }
        for (controlling, states) in named {
            let all = 0..characters.list[controlling].states.len();
            let excluded = all.filter(|state| states.contains(state) != is_positive);
            rules.entry(dependent).or_default().entry(controlling).or_default().extend(excluded);
        }
    }
}

/// Makes what the rules exclude inapplicable, unless the description says something of it. Each round decides at
/// least one character.
pub(super) fn make_inapplicable(rules: &Rules, row: &mut [Value]) {
    for _ in 0..=rules.len() {
        let mut changed = false;
        for (dependent, reasons) in rules {
            let is_out = reasons.iter().any(|(controlling, excluded)| match &row[*controlling] {
                Value::States(states) => !states.is_empty() && states.is_subset(excluded),
                other => *other == Value::Inapplicable,
            });
            if is_out && row[*dependent] == Value::Unknown {
                row[*dependent] = Value::Inapplicable;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
}

/// The rules of a character, as a row `@if` holds them.
pub(super) fn premise_of(
    rules: &Rules,
    at: usize,
    characters: &Characters<'_>,
    losses: &mut Losses,
) -> String {
    let mut joined = String::new();
    for (controlling, excluded) in rules.get(&at).into_iter().flatten() {
        let controlling = &characters.list[*controlling];
        let states = controlling.states.iter().enumerate().filter(|(state, _)| !excluded.contains(state));
        let names: Vec<&str> = states.map(|(_, (_, name))| name.as_str()).collect();
        match premise(&controlling.name, &names) {
            Some(premise) => join_premises(&mut joined, &premise),
            None => losses.add(Loss::Rule, 1),
        }
    }
    joined
}
