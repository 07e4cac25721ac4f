//! Premises of characters: expressions such as `state:a || (state:b && !state:c)`.

use super::super::matrix::{join_premises, premise};
use super::Characters;
use std::collections::{BTreeMap, BTreeSet};

/// Deepest nesting of brackets that is read.
const MOST_DEPTH: usize = 50;

/// States that are allowed, for each character that has to be answered.
type Allowed = BTreeMap<usize, BTreeSet<usize>>;

/// The premise as a row `@if` holds it; `None`: a table cannot say this.
pub(super) fn read(text: &str, characters: &Characters<'_>) -> Option<String> {
    if text.trim().is_empty() {
        return Some(String::new());
    }
    let mut parser = Parser { rest: text, characters, depth: 0 };
    let allowed = parser.any()?;
    if !parser.rest.trim().is_empty() {
        return None;
    }
    let mut joined = String::new();
    for (character, states) in allowed {
        let character = &characters.list[character];
        let names: Vec<&str> = states.iter().map(|state| character.states[*state].1.as_str()).collect();
        join_premises(&mut joined, &premise(&character.name, &names)?);
    }
    Some(joined)
}

struct Parser<'a> {
    rest: &'a str,
    characters: &'a Characters<'a>,
    depth: usize,
}

impl Parser<'_> {
    fn takes(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// `a || b`: one of them; both have to be about one character.
    fn any(&mut self) -> Option<Allowed> {
        let mut allowed = self.all()?;
        while self.takes("||") {
            let other = self.all()?;
            let same = allowed.len() == 1 && other.len() == 1 && allowed.keys().eq(other.keys());
            if !same {
                return None;
            }
            for (character, states) in other {
                allowed.entry(character).or_default().extend(states);
            }
        }
        Some(allowed)
    }

    /// `a && b`: both of them.
    fn all(&mut self) -> Option<Allowed> {
        let mut allowed = self.one()?;
        while self.takes("&&") {
            for (character, states) in self.one()? {
                match allowed.get_mut(&character) {
                    Some(known) => known.retain(|state| states.contains(state)),
                    None => _ = allowed.insert(character, states),
                }
            }
        }
        allowed.values().all(|states| !states.is_empty()).then_some(allowed)
    }

    /// A state, its opposite, or an expression in brackets.
    fn one(&mut self) -> Option<Allowed> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return None;
        }
        let found = self.deeper();
        self.depth -= 1;
        found
    }

    fn deeper(&mut self) -> Option<Allowed> {
        if self.takes("!") {
            let mut allowed = self.one()?;
            if allowed.len() != 1 {
                return None;
            }
            for (character, states) in &mut allowed {
                let all = 0..self.characters.list[*character].states.len();
                *states = all.filter(|state| !states.contains(state)).collect();
            }
            return Some(allowed).filter(|allowed| allowed.values().all(|states| !states.is_empty()));
        }
        if self.takes("(") {
            let inner = self.any()?;
            return self.takes(")").then_some(inner);
        }
        self.rest = self.rest.trim_start();
        let is_end = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '_' || letter == ':');
        let length = self.rest.find(is_end).unwrap_or(self.rest.len());
        let (id, rest) = self.rest.split_at(length);
        self.rest = rest;
        let (character, state) = self.characters.by_state.get(id)?;
        Some(Allowed::from([(*character, BTreeSet::from([*state]))]))
    }
}
