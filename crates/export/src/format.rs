//! The catalogue of formats.

use crate::key::KeyOptions;
use crate::{code, forms, key, mermaid};
use fewest_formats::NamedTree;
use std::io::{self, Write};
use std::path::Path;
use thiserror::Error;

/// What is exported: a strategy, and what a format says about it.
#[derive(Clone, Debug)]
pub struct Export<'a> {
    /// Name of the strategy, such as the name of its table.
    pub name: &'a str,
    /// The tree of questions.
    pub tree: &'a NamedTree,
    /// Lines for people: the size of the table, the cost, how good it is.
    pub facts: &'a [String],
    /// Whether generated code has a test of itself that walks to every leaf.
    pub with_self_test: bool,
    /// How a printed key looks.
    pub key: KeyOptions,
}

/// Reason why a strategy cannot be written in a format.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The output cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// The format cannot hold a strategy without questions.
    #[error("{format} cannot hold a strategy that asks nothing")]
    NothingAsked {
        /// Name of the format.
        format: &'static str,
    },
    /// The format has a limit that the strategy exceeds.
    #[error(
        "{format} cannot hold {found} {what}: its limit is {limit}; {instead} holds a strategy of any size"
    )]
    TooLarge {
        /// Name of the format.
        format: &'static str,
        /// What there is too much of.
        what: &'static str,
        /// How many of it the strategy has.
        found: usize,
        /// How many of it the format can hold.
        limit: usize,
        /// Name of a format without the limit.
        instead: &'static str,
    },
}

/// A format that a strategy can be written in.
#[derive(Debug)]
pub struct Format {
    /// Name, as `--to` takes it.
    pub name: &'static str,
    /// Ending of its files, without the dot.
    pub ending: &'static str,
    /// What it is good for, in one line.
    pub about: &'static str,
    /// Whether the whole tree can be read back from it.
    pub is_lossless: bool,
    /// Writes an export.
    pub write: fn(&mut dyn Write, &Export<'_>) -> Result<(), ExportError>,
}

/// All formats. A new one is one file and one line here.
#[rustfmt::skip]
pub static FORMATS: &[Format] = &[
    Format { name: "key", ending: "txt", about: "printed key as text", is_lossless: true, write: key::write_text },
    Format { name: "key-html", ending: "html", about: "printed key as a page to print or to paste into a document", is_lossless: true, write: key::write_html },
    Format { name: "key-latex", ending: "tex", about: "printed key for LaTeX, a `longtable`", is_lossless: true, write: key::write_latex },
    Format { name: "python", ending: "py", about: "Python module", is_lossless: true, write: code::python },
    Format { name: "javascript", ending: "mjs", about: "JavaScript module", is_lossless: true, write: code::javascript },
    Format { name: "typescript", ending: "ts", about: "TypeScript module", is_lossless: true, write: code::typescript },
    Format { name: "c", ending: "c", about: "C99 without memory management", is_lossless: true, write: code::c },
    Format { name: "rust", ending: "rs", about: "Rust module without dependencies", is_lossless: true, write: code::rust },
    Format { name: "java", ending: "java", about: "Java class", is_lossless: true, write: code::java },
    Format { name: "go", ending: "go", about: "Go package", is_lossless: true, write: code::go },
    Format { name: "sql", ending: "sql", about: "tables and a view for any SQL database", is_lossless: true, write: code::sql },
    Format { name: "sql-case", ending: "case.sql", about: "one SQL expression for small strategies", is_lossless: true, write: code::sql_case },
    Format { name: "mermaid", ending: "mmd", about: "diagram for Markdown pages", is_lossless: false, write: mermaid::write },
    Format { name: "dmn", ending: "dmn", about: "decision table (DMN 1.3)", is_lossless: true, write: forms::dmn },
    Format { name: "fhir", ending: "fhir.json", about: "FHIR R4 questionnaire", is_lossless: true, write: forms::fhir },
    Format { name: "onnx", ending: "onnx", about: "model for runtimes of machine learning (ONNX)", is_lossless: true, write: forms::onnx },
    Format { name: "pmml", ending: "pmml", about: "tree model (PMML 4.4)", is_lossless: true, write: forms::pmml },
];

/// The format of this name.
pub fn format_of_name(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// The format whose files end as `path` does; the longest ending that fits.
pub fn format_of_ending(path: &Path) -> Option<&'static Format> {
    let name = path.file_name()?.to_str()?.to_lowercase();
    let fits = |format: &&Format| {
        let stem = name.strip_suffix(format.ending).and_then(|rest| rest.strip_suffix('.'));
        stem.is_some_and(|stem| !stem.is_empty())
    };
    FORMATS.iter().filter(fits).max_by_key(|format| format.ending.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_its_own_name_and_ending() {
        for (at, format) in FORMATS.iter().enumerate() {
            for other in &FORMATS[at + 1..] {
                assert!(format.name != other.name && format.ending != other.ending, "{}", format.name);
            }
            assert!(std::ptr::eq(format_of_name(format.name).unwrap(), format));
            let file = format!("Some.Plan.{}", format.ending.to_uppercase());
            assert_eq!(format_of_ending(Path::new(&file)).unwrap().name, format.name);
        }
        assert!(format_of_name("basic").is_none());
        assert!(format_of_ending(Path::new("sql")).is_none());
        assert!(format_of_ending(Path::new("plan.basic")).is_none());
    }
}
