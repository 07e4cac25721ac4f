//! Source code of a strategy: tables and one loop, so that no language's limit on nesting matters.
//!
//! Every language has the same two calls: what to ask next, given the answers so far, and what the answers identify.
//! An answer that the strategy does not know is reported, never taken for another one.

mod c;
mod go;
mod java;
mod python;
mod rust;
mod script;
mod sql;

pub(crate) use c::write as c;
pub(crate) use go::write as go;
pub(crate) use java::write as java;
pub(crate) use python::write as python;
pub(crate) use rust::write as rust;
pub(crate) use script::{write_javascript as javascript, write_typescript as typescript};
pub(crate) use sql::{write as sql, write_case as sql_case};

use crate::escape::{Quotes, comment, literal};
use crate::flat::Flat;
use crate::format::Export;
use std::fmt::Write;

/// Columns of a line of numbers.
const LINE: usize = 100;

/// First lines of a file: what it is, and where it is from. `mark` begins a comment.
fn header(export: &Export<'_>, mark: &str) -> String {
    let mut text = format!("{mark} {}: made by fewest; do not edit.\n", comment(export.name));
    for fact in export.facts {
        text += &format!("{mark} {}\n", comment(fact));
    }
    text
}

/// Numbers with a comma after each, several lines of them, each line indented; nothing for no numbers.
fn numbers(all: &[i64], indent: &str) -> String {
    let mut text = String::from(if all.is_empty() { "" } else { indent });
    let mut column = indent.len();
    for (at, number) in all.iter().enumerate() {
        let before = text.len();
        // Writing to a text cannot fail.
        let _ = write!(text, "{number}, ");
        column += text.len() - before;
        if column > LINE && at + 1 < all.len() {
            text.truncate(text.trim_end().len());
            text.push('\n');
            text += indent;
            column = indent.len();
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// Texts as literals with commas between, in one line.
fn literals<'a>(texts: impl IntoIterator<Item = &'a str>, quotes: Quotes) -> String {
    texts.into_iter().map(|text| literal(text, quotes)).collect::<Vec<_>>().join(", ")
}

/// Names of a result as literals with commas between.
fn names(names: &[String], quotes: Quotes) -> String {
    literals(names.iter().map(String::as_str), quotes)
}

/// The number tables that every language has, each with its name in the words of the language and what it holds.
fn tables(flat: &Flat<'_>) -> [(&'static str, &'static str, Vec<i64>); 5] {
    [
        ("TEST", "Test that each node asks, -1 at a leaf.", flat.node_tests()),
        ("FIRST", "First edge of each node; at the end, the number of all edges.", flat.node_firsts()),
        ("RESULT", "Result of each leaf, -1 at a node that asks.", flat.node_results()),
        ("ANSWER", "Answer of each edge: its position among the answers of the test.", flat.edge_answers()),
        ("CHILD", "Node that each edge leads to.", flat.edge_children()),
    ]
}
