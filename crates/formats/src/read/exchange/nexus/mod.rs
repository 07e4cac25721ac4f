//! NEXUS: blocks of taxa and characters, as programs for phylogeny write them.

mod matrix;
mod scanner;

use super::super::{Problem, ReadOptions};
use super::Found;
use super::matrix::{Matrix, Object, Test, answer_names, list, refuse_large, test_names};
use crate::loss::{Loss, Losses};
use matrix::Block;
use scanner::{Scanner, Token};

/// Reads the text of a NEXUS file.
pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Found, Problem> {
    let mut scanner = Scanner::new(text);
    scanner.word()?;
    let mut taxa: Vec<String> = Vec::new();
    let mut losses = Losses::default();
    let mut found: Option<Block> = None;
    while let Some(command) = scanner.next_command()? {
        if !command.eq_ignore_ascii_case("begin") {
            scanner.skip_command()?;
            continue;
        }
        let block = scanner.word()?.unwrap_or_default().to_ascii_lowercase();
        scanner.skip_command()?;
        match block.as_str() {
            "taxa" => read_taxa(&mut scanner, &mut taxa)?,
            "data" | "characters" => {
                let block = Block::read(&mut scanner, &taxa, options, &mut losses)?;
                match &found {
                    Some(first) if !first.is_worse_than(&block) => losses.add(Loss::Part, 1),
                    previous => {
                        losses.add(Loss::Part, usize::from(previous.is_some()));
                        found = Some(block);
                    }
                }
            }
            _ => {
                losses.add(if block == "trees" || block == "notes" { Loss::Part } else { Loss::Weight }, 1);
                skip_block(&mut scanner)?;
            }
        }
    }
    let block =
        found.ok_or_else(|| super::broken(FORMAT, "it has no block DATA or CHARACTERS with a matrix"))?;
    table(block, losses, options)
}

const FORMAT: &str = "NEXUS";

/// Passes a block; a line `END;` ends it, even if quotes before it do not match.
fn skip_block(scanner: &mut Scanner<'_>) -> Result<(), Problem> {
    if scanner.skip_to_end_line() {
        return Ok(());
    }
    while let Some(command) = scanner.next_command()? {
        scanner.skip_command()?;
        if is_end(&command) {
            break;
        }
    }
    Ok(())
}

fn is_end(command: &str) -> bool {
    command.eq_ignore_ascii_case("end") || command.eq_ignore_ascii_case("endblock")
}

fn read_taxa(scanner: &mut Scanner<'_>, taxa: &mut Vec<String>) -> Result<(), Problem> {
    while let Some(command) = scanner.next_command()? {
        if command.eq_ignore_ascii_case("taxlabels") {
            while let Some(Token::Word(label)) = scanner.token()? {
                taxa.push(label);
            }
        } else {
            scanner.skip_command()?;
            if is_end(&command) {
                break;
            }
        }
    }
    Ok(())
}

fn table(block: Block, losses: Losses, options: &ReadOptions) -> Result<Found, Problem> {
    refuse_large(block.rows.len(), block.characters, options)?;
    let mut matrix =
        Matrix { format: FORMAT, object_column: "taxon".to_owned(), losses, ..Matrix::default() };
    matrix.objects =
        block.rows.iter().map(|(name, _)| Object { name: name.clone(), ..Object::default() }).collect();
    matrix.name_objects();
    let labels = (0..block.characters).map(|at| block.labels.get(at).map_or("", String::as_str));
    let names = test_names(labels, &matrix.object_column);
    for (at, name) in names.into_iter().enumerate() {
        if block.eliminated.contains(&at) {
            matrix.losses.add(Loss::Excluded, 1);
            continue;
        }
        let mut test = Test { name, ..Test::default() };
        let answers = block.answers(at);
        for (_, states) in &block.rows {
            test.cells.push(&cell(states.get(at).map_or(&[], Vec::as_slice), &answers));
        }
        matrix.tests.push(test);
    }
    matrix.finish(options)
}

/// Text of a cell with these states; states are symbols, and `answers` names some of them.
fn cell(states: &[State], answers: &[(char, String)]) -> String {
    match states {
        [] => "?".to_owned(),
        [State::Inapplicable] => "-".to_owned(),
        states => {
            let text = |state: &State| match state {
                State::Symbol(symbol) => {
                    let named = answers.iter().find(|(other, _)| other == symbol);
                    named.map_or_else(|| symbol.to_string(), |(_, name)| name.clone())
                }
                State::Number(number) => number.clone(),
                State::Inapplicable => String::new(),
            };
            let mut texts: Vec<String> = Vec::new();
            for text in states.iter().map(text).filter(|text| !text.is_empty()) {
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            list(&texts.iter().map(String::as_str).collect::<Vec<_>>())
        }
    }
}

/// State in a cell of the matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Symbol(char),
    Number(String),
    Inapplicable,
}

impl Block {
    /// Whether this block has fewer cells that say something.
    fn is_worse_than(&self, other: &Self) -> bool {
        self.characters * self.rows.len() < other.characters * other.rows.len()
    }

    /// Symbols of a character with the names of their states.
    fn answers(&self, character: usize) -> Vec<(char, String)> {
        let labels = self.states.get(&character).map_or(&[][..], Vec::as_slice);
        let names = answer_names(labels.iter().map(String::as_str));
        let is_given = |at: usize| !labels[at].trim().is_empty() && labels[at].trim() != "_";
        let symbols = self.symbols.iter().copied().zip(names).enumerate();
        symbols.filter(|(at, _)| is_given(*at)).map(|(_, named)| named).collect()
    }
}

#[cfg(test)]
mod tests;
