//! A key as text: wrapped leads, dots, and numbers or names at the right margin.

use super::couplets::{Key, Lead, To};
use super::{KeyOptions, KeyStyle, footer, joined, label, shown_name, title};
use crate::format::{Export, ExportError};
use std::io::Write;
use unicode_width::UnicodeWidthStr;

/// Fewest columns of a key: narrower lines hold no words.
const NARROWEST: usize = 40;

pub(crate) fn write(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    let key = Key::of(export.tree, &export.key);
    let options = KeyOptions { width: export.key.width.max(NARROWEST), ..export.key };
    writeln!(out, "{}\n", title(export))?;
    if key.couplets.is_empty() {
        writeln!(out, "Nothing is to be asked: {}", joined(&key.only))?;
    }
    match options.style {
        KeyStyle::Bracketed => bracketed(out, &key, &options)?,
        KeyStyle::Indented => indented(out, &key, &options)?,
    }
    let index = key.index();
    if !index.is_empty() {
        writeln!(out, "\nNames that stand in several places, with their couplets")?;
        for (name, places) in index {
            let places: Vec<String> = places.iter().map(|at| (at + 1).to_string()).collect();
            let line = wrapped(&format!("{}: {}", shown_name(name), places.join(", ")), options.width - 4);
            writeln!(out, "  {}", line.join("\n    "))?;
        }
    }
    let footer = footer(export, &key);
    if !footer.is_empty() {
        writeln!(out)?;
    }
    for line in footer {
        writeln!(out, "{}", wrapped(&line, options.width).join("\n"))?;
    }
    Ok(())
}

fn bracketed(out: &mut dyn Write, key: &Key, options: &KeyOptions) -> Result<(), ExportError> {
    let labels: Vec<Vec<String>> = (0..key.couplets.len()).map(|at| labels(key, options, at)).collect();
    let margin = labels.iter().flatten().map(|label| label.width()).max().unwrap_or(0) + 2;
    for (couplet, labels) in key.couplets.iter().zip(&labels) {
        for (lead, label) in couplet.leads.iter().zip(labels) {
            let prefix = format!("{label}{}", " ".repeat(margin - label.width()));
            out.write_all(lines_of(lead, &prefix, options.width).as_bytes())?;
        }
    }
    Ok(())
}

/// Labels of the leads of a couplet.
fn labels(key: &Key, options: &KeyOptions, at: usize) -> Vec<String> {
    let couplet = &key.couplets[at];
    let back = couplet.parent.map(|parent| parent + 1);
    let leads = couplet.leads.len();
    (0..leads).map(|lead| label(options, at + 1, back, lead, leads)).collect()
}

fn indented(out: &mut dyn Write, key: &Key, options: &KeyOptions) -> Result<(), ExportError> {
    let mut waiting: Vec<(usize, usize)> = if key.couplets.is_empty() { Vec::new() } else { vec![(0, 0)] };
    while let Some((at, from)) = waiting.pop() {
        let couplet = &key.couplets[at];
        let labels = labels(key, options, at);
        // Deep keys go on at the middle of the page; their numbers tell which leads belong together.
        let indent = " ".repeat((2 * couplet.depth).min(options.width / 2));
        for (place, (lead, label)) in couplet.leads.iter().zip(&labels).enumerate().skip(from) {
            let prefix = format!("{indent}{label} ");
            if let To::Couplet(next) = lead.to {
                let hanging = format!("\n{}", " ".repeat(prefix.width()));
                let room = options.width.saturating_sub(prefix.width()).max(NARROWEST / 2);
                writeln!(out, "{prefix}{}", wrapped(&lead.text, room).join(&hanging))?;
                waiting.push((at, place + 1));
                waiting.push((next, 0));
                break;
            }
            out.write_all(lines_of(lead, &prefix, options.width).as_bytes())?;
        }
    }
    Ok(())
}

/// Lines of a lead: its words after `prefix`, dots, and the number or the names at the right margin.
fn lines_of(lead: &Lead, prefix: &str, width: usize) -> String {
    let end = match &lead.to {
        To::Couplet(next) => (next + 1).to_string(),
        To::Names(names) => joined(names),
    };
    let margin = " ".repeat(prefix.width());
    let room = width.saturating_sub(prefix.width()).max(NARROWEST / 2);
    let mut lines = wrapped(&lead.text, room);
    let ends = wrapped(&end, room - 6);
    let first_end = ends.first().cloned().unwrap_or_default();
    let last = lines.pop().unwrap_or_default();
    // Two dots at least, and a blank on both sides of them.
    let dots = room.saturating_sub(last.width() + first_end.width() + 2);
    if dots >= 2 {
        lines.push(format!("{last} {} {first_end}", ".".repeat(dots)));
    } else {
        lines.push(last);
        let dots = room.saturating_sub(first_end.width() + 1).max(2);
        lines.push(format!("{} {first_end}", ".".repeat(dots)));
    }
    lines.extend(ends.into_iter().skip(1).map(|end| {
        let before = " ".repeat(room.saturating_sub(end.width()));
        before + &end
    }));
    prefix.to_owned() + &lines.join(&format!("\n{margin}")) + "\n"
}

/// Words in lines of at most `width` columns; a longer word has a line of its own.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}
