//! Block of characters: its format, labels and matrix.

use super::super::super::{Problem, ReadOptions};
use super::super::matrix::refuse_large;
use super::scanner::{Scanner, Token};
use super::{State, is_end};
use crate::loss::{Loss, Losses};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Symbols of states where a file names none.
const USUAL_SYMBOLS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// Symbols of nucleotides, and what others stand for.
const DNA: (&str, &[(char, &str)]) = (
    "ACGT",
    &[
        ('U', "T"),
        ('R', "AG"),
        ('Y', "CT"),
        ('M', "AC"),
        ('K', "GT"),
        ('S', "CG"),
        ('W', "AT"),
        ('H', "ACT"),
        ('B', "CGT"),
        ('V', "ACG"),
        ('D', "AGT"),
        ('N', "ACGT"),
        ('X', "ACGT"),
    ],
);
/// Symbols of amino acids.
const PROTEIN: &str = "ACDEFGHIKLMNPQRSTVWY*";

/// Block of characters.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) characters: usize,
    /// Taxa with the states of each character.
    pub(super) rows: Vec<(String, Vec<Vec<State>>)>,
    /// Labels of characters.
    pub(super) labels: Vec<String>,
    /// Labels of the states of a character.
    pub(super) states: BTreeMap<usize, Vec<String>>,
    pub(super) symbols: Vec<char>,
    pub(super) eliminated: BTreeSet<usize>,
    format: Format,
}

#[derive(Clone, Debug)]
struct Format {
    missing: char,
    gap: Option<char>,
    equal: Option<char>,
    equates: HashMap<char, Vec<char>>,
    respects_case: bool,
    is_interleaved: bool,
    is_continuous: bool,
    has_labels: bool,
    is_transposed: bool,
}

impl Default for Format {
    fn default() -> Self {
        Self {
            missing: '?',
            gap: None,
            equal: None,
            equates: HashMap::new(),
            respects_case: false,
            is_interleaved: false,
            is_continuous: false,
            has_labels: true,
            is_transposed: false,
        }
    }
}

impl Block {
    /// Reads a block up to its end.
    pub(super) fn read(
        scanner: &mut Scanner<'_>,
        taxa: &[String],
        options: &ReadOptions,
        losses: &mut Losses,
    ) -> Result<Self, Problem> {
        let mut block = Self { symbols: USUAL_SYMBOLS.chars().collect(), ..Self::default() };
        let mut own_taxa = taxa.to_vec();
        while let Some(command) = scanner.next_command()? {
            match command.to_ascii_lowercase().as_str() {
                "dimensions" => block.dimensions(scanner)?,
                "format" => block.read_format(scanner)?,
                "charlabels" => {
                    while let Some(token) = scanner.token()? {
                        if let Token::Word(label) = token {
                            block.labels.push(label);
                        }
                    }
                }
                "taxlabels" => {
                    own_taxa.clear();
                    while let Some(Token::Word(label)) = scanner.token()? {
                        own_taxa.push(label);
                    }
                }
                "charstatelabels" => block.read_state_labels(scanner, true)?,
                "statelabels" => block.read_state_labels(scanner, false)?,
                "eliminate" => block.read_eliminated(scanner)?,
                "matrix" => {
                    refuse_large(own_taxa.len(), block.characters, options)?;
                    block.read_matrix(scanner, &own_taxa, options)?;
                }
                end if is_end(end) => {
                    scanner.skip_command()?;
                    break;
                }
                other => {
                    scanner.skip_command()?;
                    losses.add(Loss::Part, usize::from(!["title", "link", "options"].contains(&other)));
                }
            }
        }
        Ok(block)
    }

    fn dimensions(&mut self, scanner: &mut Scanner<'_>) -> Result<(), Problem> {
        let mut last = String::new();
        while let Some(token) = scanner.token()? {
            if let Token::Word(word) = token {
                if last.eq_ignore_ascii_case("nchar") {
                    self.characters = word.parse().map_err(|_| scanner.broken("NCHAR is no number"))?;
                }
                last = word;
            }
        }
        Ok(())
    }

    fn read_format(&mut self, scanner: &mut Scanner<'_>) -> Result<(), Problem> {
        while let Some(word) = scanner.word()? {
            let name = word.to_ascii_lowercase();
            scanner.skip_blanks()?;
            let mut value = String::new();
            if scanner.peek() == Some('=') {
                scanner.bump();
                value = format_value(scanner)?;
            }
            let is_yes = !value.eq_ignore_ascii_case("no");
            match name.as_str() {
                "datatype" => self.set_data_type(&value, scanner)?,
                "missing" => self.format.missing = value.chars().next().unwrap_or('?'),
                "gap" => self.format.gap = value.chars().next(),
                "matchchar" => self.format.equal = value.chars().next(),
                "symbols" => self.symbols = symbols(&value),
                "equate" => self.set_equates(&value),
                "respectcase" => self.format.respects_case = is_yes,
                "interleave" => self.format.is_interleaved = is_yes,
                "transpose" => self.format.is_transposed = is_yes,
                "nolabels" => self.format.has_labels = false,
                "labels" => self.format.has_labels = is_yes,
                _ => {}
            }
        }
        scanner.skip_command()?;
        match self.format.is_transposed {
            true => Err(scanner.broken("the matrix is transposed; write it with one row per taxon")),
            false => Ok(()),
        }
    }

    fn set_data_type(&mut self, name: &str, scanner: &Scanner<'_>) -> Result<(), Problem> {
        match name.to_ascii_lowercase().as_str() {
            "dna" | "rna" | "nucleotide" => {
                self.symbols = DNA.0.chars().collect();
                self.format.equates = DNA.1.iter().map(|(from, to)| (*from, to.chars().collect())).collect();
            }
            "protein" => {
                self.symbols = PROTEIN.chars().collect();
                self.format.equates = HashMap::from([
                    ('B', vec!['D', 'N']),
                    ('Z', vec!['E', 'Q']),
                    ('X', PROTEIN.chars().filter(|symbol| *symbol != '*').collect()),
                ]);
            }
            "continuous" => self.format.is_continuous = true,
            "distance" | "frequency" => {
                return Err(scanner.broken("this kind of data has no states to ask for"));
            }
            _ => {}
        }
        Ok(())
    }

    fn set_equates(&mut self, value: &str) {
        let mut letters = value.chars().filter(|letter| !letter.is_whitespace()).peekable();
        while let Some(from) = letters.next() {
            if letters.next() != Some('=') {
                return;
            }
            let to = match letters.next() {
                Some('(' | '{') => letters.by_ref().take_while(|letter| !")}".contains(*letter)).collect(),
                Some(one) => vec![one],
                None => return,
            };
            self.format.equates.insert(from, to);
        }
    }

    /// `1 name / state state, 2 …` or, without names, `1 state state, 2 …`.
    fn read_state_labels(&mut self, scanner: &mut Scanner<'_>, has_names: bool) -> Result<(), Problem> {
        let mut number: Option<usize> = None;
        let mut is_name = has_names;
        while let Some(token) = scanner.token()? {
            match (token, number) {
                (Token::Sign(','), _) => (number, is_name) = (None, has_names),
                (Token::Sign('/'), _) => is_name = false,
                (Token::Sign(_), _) => {}
                (Token::Word(word), None) => {
                    let read = word.parse().ok().filter(|number| (1..=10_000_000).contains(number));
                    number =
                        Some(read.ok_or_else(|| scanner.broken("the number of a character is missing"))?);
                }
                (Token::Word(name), Some(number)) if is_name => {
                    // A label far beyond the characters of the block is a mistake that must not take memory.
                    if number <= self.characters.max(self.labels.len() + 1) {
                        self.labels.resize(self.labels.len().max(number), String::new());
                        self.labels[number - 1] = name;
                    }
                    is_name = false;
                }
                (Token::Word(state), Some(number)) => self.states.entry(number - 1).or_default().push(state),
            }
        }
        Ok(())
    }

    /// Numbers of characters, and ranges such as `3-5`.
    fn read_eliminated(&mut self, scanner: &mut Scanner<'_>) -> Result<(), Problem> {
        while let Some(token) = scanner.token()? {
            if let Token::Word(word) = token {
                let (first, last) = word.split_once('-').unwrap_or((&word, &word));
                if let (Ok(first), Ok(last)) = (first.trim().parse::<usize>(), last.trim().parse::<usize>()) {
                    self.eliminated.extend((first.max(1) - 1)..last.min(self.characters));
                }
            }
        }
        Ok(())
    }

    fn read_matrix(
        &mut self,
        scanner: &mut Scanner<'_>,
        taxa: &[String],
        options: &ReadOptions,
    ) -> Result<(), Problem> {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut turn = 0;
        loop {
            scanner.skip_blanks()?;
            match scanner.peek() {
                None => return Err(scanner.broken("the file ends within the matrix")),
                Some(';') => {
                    scanner.bump();
                    break;
                }
                Some(_) => {}
            }
            let name = match self.format.has_labels {
                true => scanner.word()?.unwrap_or_default(),
                false => {
                    turn += 1;
                    let count = if self.format.is_interleaved { taxa.len().max(1) } else { usize::MAX };
                    let at = (turn - 1) % count;
                    taxa.get(at).cloned().unwrap_or_else(|| format!("taxon {}", at + 1))
                }
            };
            let row = match places.get(&name) {
                Some(row) if self.format.is_interleaved => *row,
                _ => {
                    places.insert(name.clone(), self.rows.len());
                    self.rows.push((name, Vec::new()));
                    refuse_large(self.rows.len(), self.characters, options)?;
                    self.rows.len() - 1
                }
            };
            self.read_row(scanner, row)?;
        }
        self.complete(scanner)
    }

    /// States of one taxon: as many as there are characters, or those up to the end of the line.
    fn read_row(&mut self, scanner: &mut Scanner<'_>, row: usize) -> Result<(), Problem> {
        loop {
            let is_full = self.rows[row].1.len() >= self.characters && self.characters > 0;
            if is_full && !self.format.is_interleaved {
                return Ok(());
            }
            let ended = scanner.skip_blanks()?;
            if scanner.peek().is_none_or(|letter| letter == ';') {
                return Ok(());
            }
            if ended && self.format.is_interleaved && !self.rows[row].1.is_empty() {
                return Ok(());
            }
            let at = self.rows[row].1.len();
            if at >= self.characters {
                return Err(scanner.broken(&format!("more states than the {} characters", self.characters)));
            }
            let states = match self.format.is_continuous {
                true => number(scanner)?,
                false => self.states_at(scanner, at)?,
            };
            self.rows[row].1.push(states);
        }
    }

    /// States of one cell.
    fn states_at(&self, scanner: &mut Scanner<'_>, at: usize) -> Result<Vec<State>, Problem> {
        let close = match scanner.peek() {
            Some('(') => ')',
            Some('{') => '}',
            _ => {
                let symbol = scanner.bump().unwrap_or('?');
                return Ok(self.meaning(symbol, at));
            }
        };
        scanner.bump();
        let mut symbols: Vec<char> = Vec::new();
        let mut is_range = false;
        loop {
            scanner.skip_blanks()?;
            match scanner.bump() {
                None | Some(';') => return Err(scanner.broken("a list of states is never closed")),
                Some(letter) if letter == close => break,
                Some(',') => {}
                Some('~') => is_range = true,
                Some(symbol) if is_range => {
                    symbols.extend(self.between(symbols.last().copied(), symbol));
                    is_range = false;
                }
                Some(symbol) => symbols.push(symbol),
            }
        }
        let mut states: Vec<State> = Vec::new();
        for state in symbols.into_iter().flat_map(|symbol| self.meaning(symbol, at)) {
            if !states.contains(&state) {
                states.push(state);
            }
        }
        // Inapplicable or one of the states: the states are kept.
        if states.len() > 1 {
            states.retain(|state| *state != State::Inapplicable);
        }
        Ok(states)
    }

    /// Symbols after `first` up to `last`.
    fn between(&self, first: Option<char>, last: char) -> Vec<char> {
        let place = |symbol: char| self.symbols.iter().position(|other| *other == symbol);
        match (first.and_then(place), place(last)) {
            (Some(from), Some(to)) if from < to => self.symbols[from + 1..=to].to_vec(),
            _ => vec![last],
        }
    }

    /// States that a symbol stands for; none: unknown.
    fn meaning(&self, symbol: char, at: usize) -> Vec<State> {
        let format = &self.format;
        if symbol == format.missing {
            return Vec::new();
        }
        if Some(symbol) == format.gap {
            return vec![State::Inapplicable];
        }
        if Some(symbol) == format.equal {
            return self.rows.first().and_then(|(_, states)| states.get(at)).cloned().unwrap_or_default();
        }
        let is_symbol = |letter: char| self.symbols.contains(&letter);
        let upper = symbol.to_ascii_uppercase();
        let equate = format.equates.get(&symbol).or_else(|| format.equates.get(&upper));
        if let Some(symbols) = equate.filter(|_| !is_symbol(symbol)) {
            return symbols.iter().map(|symbol| State::Symbol(*symbol)).collect();
        }
        match symbol {
            '-' if !is_symbol('-') => vec![State::Inapplicable],
            _ if !is_symbol(symbol) && !format.respects_case && is_symbol(upper) => {
                vec![State::Symbol(upper)]
            }
            _ => vec![State::Symbol(symbol)],
        }
    }

    /// Checks that every taxon has all of its states.
    fn complete(&mut self, scanner: &Scanner<'_>) -> Result<(), Problem> {
        if let Some((name, states)) = self.rows.iter().find(|(_, states)| states.len() != self.characters) {
            let name = super::super::super::error::short(name);
            return Err(scanner.broken(&format!(
                "taxon `{name}` has {} states where there are {} characters",
                states.len(),
                self.characters
            )));
        }
        Ok(())
    }
}

/// Value after `=` in a format: a word, a sign, or a text in quotes.
fn format_value(scanner: &mut Scanner<'_>) -> Result<String, Problem> {
    scanner.skip_blanks()?;
    match scanner.peek() {
        Some('"' | '\'') => Ok(scanner.word()?.unwrap_or_default()),
        // A sign such as `-` may stand before another command without a blank.
        Some(letter) if !letter.is_alphanumeric() && letter != ';' => {
            scanner.bump();
            Ok(letter.to_string())
        }
        _ => Ok(scanner.word()?.unwrap_or_default()),
    }
}

/// Symbols in a list such as `0 1 2` or `0~5`.
fn symbols(value: &str) -> Vec<char> {
    let usual: Vec<char> = USUAL_SYMBOLS.chars().collect();
    let mut symbols: Vec<char> = Vec::new();
    let mut is_range = false;
    for letter in value.chars().filter(|letter| !letter.is_whitespace()) {
        if letter == '~' {
            is_range = true;
        } else if is_range {
            let place = |symbol: char| usual.iter().position(|other| *other == symbol);
            match (symbols.last().copied().and_then(place), place(letter)) {
                (Some(from), Some(to)) if from < to => symbols.extend(&usual[from + 1..=to]),
                _ => symbols.push(letter),
            }
            is_range = false;
        } else {
            symbols.push(letter);
        }
    }
    symbols
}

/// Number of a continuous character, or several in parentheses.
fn number(scanner: &mut Scanner<'_>) -> Result<Vec<State>, Problem> {
    let mut states = Vec::new();
    let mut is_list = false;
    loop {
        match scanner.token()? {
            Some(Token::Sign('(' | '{')) => is_list = true,
            Some(Token::Sign(')' | '}')) | None => return Ok(states),
            Some(Token::Sign(_)) => {}
            Some(Token::Word(word)) => {
                match word.parse::<f64>() {
                    Ok(number) if number.is_finite() => states.push(State::Number(number.to_string())),
                    _ if word == "-" => states.push(State::Inapplicable),
                    _ => {}
                }
                if !is_list {
                    return Ok(states);
                }
            }
        }
    }
}
