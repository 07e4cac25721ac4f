//! Tables as NEXUS: a block of taxa and one of characters.

use super::sketch::{Cell, Sketch, Test, count_texts};
use crate::loss::{Loss, Losses};
use crate::texts::Texts;
use fewest_model::Table;
use std::io::{Error, Result, Write};

/// Symbols of states, in order.
const SYMBOLS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Writes a table as NEXUS; returns what was lost.
///
/// # Errors
/// When `out` cannot be written, or a test has more answers than there are symbols.
pub fn write_nexus(out: &mut dyn Write, table: &Table, texts: &Texts, is_list: bool) -> Result<Losses> {
    let mut losses = Losses::default();
    let sketch = Sketch::new(table, is_list, &mut losses);
    losses.add(Loss::Text, count_texts(texts));
    losses.add(Loss::Group, sketch.objects.iter().filter(|object| object.group.is_some()).count());
    losses.add(Loss::Rule, sketch.tests.iter().map(|test| test.premises.len()).sum());
    losses.add(Loss::Text, sketch.tests.iter().filter(|test| !test.question.is_empty()).count());
    losses.add(Loss::About, sketch.tests.iter().filter(|test| !test.needs.is_empty()).count());
    let labels: Vec<Vec<String>> = sketch.tests.iter().map(states).collect();
    if let Some((test, found)) =
        sketch.tests.iter().zip(&labels).find(|(_, found)| found.len() > SYMBOLS.len())
    {
        return Err(Error::other(format!(
            "test `{}` has {} answers, and NEXUS has symbols for {}; leave it out, or write another format",
            test.name,
            found.len(),
            SYMBOLS.len()
        )));
    }
    write!(out, "#NEXUS\n\nBEGIN TAXA;\n  DIMENSIONS NTAX={};\n  TAXLABELS\n", sketch.objects.len())?;
    for object in &sketch.objects {
        writeln!(out, "    {}", quoted(object.name))?;
    }
    write!(out, "  ;\nEND;\n\nBEGIN CHARACTERS;\n  DIMENSIONS NCHAR={};\n", sketch.tests.len())?;
    let most = labels.iter().map(Vec::len).max().unwrap_or(0).max(2);
    let symbols = String::from_utf8_lossy(&SYMBOLS[..most]);
    writeln!(out, "  FORMAT DATATYPE=STANDARD MISSING=? GAP=- SYMBOLS=\"{symbols}\";")?;
    writeln!(out, "  CHARSTATELABELS")?;
    for (at, (test, states)) in sketch.tests.iter().zip(&labels).enumerate() {
        let states: Vec<String> = states.iter().map(|state| quoted(state)).collect();
        let end = if at + 1 == sketch.tests.len() { ";" } else { "," };
        writeln!(out, "    {} {} / {}{end}", at + 1, quoted(test.name), states.join(" "))?;
    }
    writeln!(out, "  MATRIX")?;
    for (row, object) in sketch.objects.iter().enumerate() {
        write!(out, "    {} ", quoted(object.name))?;
        for (test, states) in sketch.tests.iter().zip(&labels) {
            out.write_all(symbol(&test.cells[row], states, &mut losses).as_bytes())?;
        }
        writeln!(out)?;
    }
    writeln!(out, "  ;\nEND;")?;
    Ok(losses)
}

/// Labels of the states of a test; numbers become states.
fn states(test: &Test<'_>) -> Vec<String> {
    if !test.is_number {
        return test.answers.iter().map(|answer| (*answer).to_owned()).collect();
    }
    let mut found: Vec<String> = Vec::new();
    for cell in &test.cells {
        if let Cell::Range(low, high) = cell
            && low == high
            && !found.contains(&low.to_string())
        {
            found.push(low.to_string());
        }
    }
    found
}

fn symbol(cell: &Cell, states: &[String], losses: &mut Losses) -> String {
    let one = |at: usize| char::from(SYMBOLS[at]);
    match cell {
        Cell::Unknown => "?".to_owned(),
        Cell::Inapplicable => "-".to_owned(),
        Cell::Any if states.is_empty() => "?".to_owned(),
        Cell::Any => format!("({})", (0..states.len()).map(one).collect::<String>()),
        Cell::Answers(chosen) if chosen.len() == 1 => one(chosen[0]).to_string(),
        Cell::Answers(chosen) => format!("({})", chosen.iter().map(|at| one(*at)).collect::<String>()),
        Cell::Range(low, _) => match states
            .iter()
            .position(|state| *cell == Cell::Range(*low, *low) && *state == low.to_string())
        {
            Some(at) => one(at).to_string(),
            None => {
                losses.add(Loss::Value, 1);
                "?".to_owned()
            }
        },
    }
}

/// A label in quotes; two quotes stand for one.
fn quoted(label: &str) -> String {
    format!("'{}'", label.replace('\'', "''"))
}
