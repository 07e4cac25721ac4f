//! A key for LaTeX: a `longtable`, which every distribution has.

use super::couplets::{Key, To};
use super::html::order;
use super::{KeyStyle, comments, footer, joined, label, shown_name, title};
use crate::format::{Export, ExportError};
use std::io::Write;

const PREAMBLE: &str = r"\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{longtable}
\usepackage{textcomp}
\begin{document}
";

pub(crate) fn write(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    let key = Key::of(export.tree, &export.key);
    let is_indented = export.key.style == KeyStyle::Indented;
    write!(out, "{}{PREAMBLE}", comments(export, "%"))?;
    writeln!(out, "\\section*{{{}}}", escaped(&title(export)))?;
    if key.couplets.is_empty() {
        writeln!(out, "Nothing is to be asked: {}", escaped(&joined(&key.only)))?;
    } else {
        writeln!(out, "\\begin{{longtable}}{{@{{}}l@{{\\quad}}p{{0.84\\textwidth}}@{{}}}}")?;
        for (at, lead) in order(&key, is_indented) {
            let couplet = &key.couplets[at];
            let parent = couplet.parent.filter(|_| !is_indented).map(|parent| parent + 1);
            let label = escaped(&label(&export.key, at + 1, parent, lead, couplet.leads.len()));
            let indent = match is_indented {
                true => format!("\\hspace*{{{}em}}", couplet.depth.min(20)),
                false => String::new(),
            };
            let lead = &couplet.leads[lead];
            let to = match &lead.to {
                To::Names(names) => format!(" \\dotfill\\ {}", escaped(&joined(names))),
                // What follows stands below.
                To::Couplet(_) if is_indented => String::new(),
                To::Couplet(next) => format!(" \\dotfill\\ \\textbf{{{}}}", next + 1),
            };
            writeln!(out, "{indent}{label} & {}{to} \\\\", escaped(&lead.text))?;
        }
        writeln!(out, "\\end{{longtable}}")?;
    }
    let index = key.index();
    if !index.is_empty() {
        writeln!(out, "\\subsection*{{Names that stand in several places}}\n\\begin{{itemize}}")?;
        for (name, places) in index {
            let places: Vec<String> = places.iter().map(|at| (at + 1).to_string()).collect();
            writeln!(out, "\\item {}: {}", escaped(&shown_name(name)), places.join(", "))?;
        }
        writeln!(out, "\\end{{itemize}}")?;
    }
    for line in footer(export, &key) {
        writeln!(out, "\n\\noindent{{\\small {}}}", escaped(&line))?;
    }
    writeln!(out, "\\end{{document}}")?;
    Ok(())
}

/// `text` without anything that is a command of LaTeX.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => safe += "\\textbackslash{}",
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
                safe.push('\\');
                safe.push(letter);
            }
            '~' => safe += "\\textasciitilde{}",
            '^' => safe += "\\textasciicircum{}",
            '"' => safe += "\\textquotedbl{}",
            // Ligatures of the font: `--` would become a dash.
            '-' => safe += "-{}",
            '<' => safe += "\\textless{}",
            '>' => safe += "\\textgreater{}",
            '≤' => safe += "$\\le$",
            '≥' => safe += "$\\ge$",
            '≡' => safe += "$\\equiv$",
            '′' => safe += "$'$",
            'λ' => safe += "$\\lambda$",
            '–' => safe += "\\textendash{}",
            '“' => safe += "\\textquotedblleft{}",
            '”' => safe += "\\textquotedblright{}",
            // At the beginning of a cell a bracket would be an option of `\\`.
            '[' | ']' => safe += &format!("{{{letter}}}"),
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}
