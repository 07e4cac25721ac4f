//! Printed keys: a strategy as numbered couplets, as floras and manuals print them.

mod couplets;
mod html;
mod latex;
#[cfg(test)]
mod reread;
mod text;

pub(crate) use html::write as write_html;
pub(crate) use latex::write as write_latex;
pub(crate) use text::write as write_text;

use crate::escape::comment;
use crate::format::Export;
use couplets::Key;

/// How a printed key looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyOptions {
    /// How leads are arranged.
    pub style: KeyStyle,
    /// How the leads of a couplet after the first are marked.
    pub marks: Marks,
    /// Which lead of a couplet comes first.
    pub order: KeyOrder,
    /// Whether every couplet has two leads: a question with more answers takes several couplets in a row.
    pub is_dichotomous: bool,
    /// Whether the facts about the strategy stand below the key.
    pub has_footer: bool,
    /// Columns of a key as text.
    pub width: usize,
}

impl Default for KeyOptions {
    fn default() -> Self {
        Self {
            style: KeyStyle::Bracketed,
            marks: Marks::Dash,
            order: KeyOrder::Fewest,
            is_dichotomous: false,
            has_footer: true,
            width: 80,
        }
    }
}

/// How leads are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyStyle {
    /// The leads of a couplet stand together, and name the couplet to go on with.
    Bracketed,
    /// What follows from a lead stands below it, indented.
    Indented,
}

/// How the leads of a couplet are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// `1.` and `–`.
    Dash,
    /// `1a.` and `1b.`.
    Letters,
    /// `1.` and `1′.`.
    Prime,
}

/// Which lead of a couplet comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyOrder {
    /// The one with the fewest objects behind it.
    Fewest,
    /// The answers in natural order.
    Answers,
    /// The likeliest.
    Likeliest,
}

/// Sentence that tells a reader of a dichotomous key about couplets in a row.
const IN_A_ROW: &str = "Couplets in a row about the same character are one question with several answers.";

/// Lines below a key.
fn footer(export: &Export<'_>, key: &Key) -> Vec<String> {
    if !export.key.has_footer {
        return Vec::new();
    }
    let mut lines: Vec<String> = export.facts.iter().map(|fact| one_line(fact)).collect();
    if key.has_couplets_in_a_row {
        lines.push(IN_A_ROW.to_owned());
    }
    lines
}

/// Title of a key.
fn title(export: &Export<'_>) -> String {
    format!("Key: {}", one_line(export.name))
}

/// `text` in one line, with single blanks. Dots that stand alone would be taken for those before a number or a name.
fn one_line(text: &str) -> String {
    let is_dots = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte == b'.');
    let words: Vec<&str> =
        text.split_whitespace().map(|word| if is_dots(word) { "…" } else { word }).collect();
    words.join(" ")
}

/// What a lead ends in: the names, joined as a sentence would.
fn joined(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| shown_name(name)).collect();
    names.join(" or ")
}

/// A name as a key shows it. A name of digits alone would be taken for the number of a couplet.
fn shown_name(name: &str) -> String {
    let name = one_line(name);
    match !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("“{name}”"),
        false => name,
    }
}

/// Label of lead `lead` of couplet `number`, which has `leads` leads.
fn label(options: &KeyOptions, number: usize, back: Option<usize>, lead: usize, leads: usize) -> String {
    let back = match (options.style, back) {
        (KeyStyle::Bracketed, Some(back)) if lead == 0 => format!("({back})"),
        _ => String::new(),
    };
    match (options.marks, options.style) {
        (Marks::Letters, _) => format!("{number}{}{back}.", letters(lead)),
        (Marks::Prime, _) => format!("{number}{}{back}.", "′".repeat(lead)),
        // Three leads have a mark each by custom; with more of them, all look alike.
        (Marks::Dash, KeyStyle::Bracketed) if lead == 2 && leads == 3 => "=".to_owned(),
        (Marks::Dash, KeyStyle::Bracketed) if lead > 0 => "–".to_owned(),
        (Marks::Dash, _) => format!("{number}{back}."),
    }
}

/// The letter of a lead: a to z, then aa, ab and so on.
fn letters(lead: usize) -> String {
    let letter = |at: usize| char::from(b'a' + u8::try_from(at % 26).unwrap_or(0));
    match lead / 26 {
        0 => letter(lead).to_string(),
        more => letters(more - 1) + &letter(lead).to_string(),
    }
}

/// First lines of a file as comments, each after `mark`.
fn comments(export: &Export<'_>, mark: &str) -> String {
    format!("{mark} {}: made by fewest.\n", comment(export.name))
}
