//! A strategy as a Rust module without dependencies.

use super::{header, literals, names, numbers, tables};
use crate::escape::{Quotes, literal};
use crate::export::{Export, ExportError};
use crate::flat::Flat;
use std::io::Write;

const TYPES: &str = r#"
/// A test with its question and its answers.
pub struct Test {
    pub name: &'static str,
    pub question: &'static str,
    pub answers: &'static [&'static str],
}

/// What to do after some answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Ask the test with this number in [`TESTS`].
    Ask(usize),
    /// The answers identify these names.
    Result(&'static [&'static str]),
    /// The answer to the test with this number leads nowhere.
    Unknown(usize),
}
"#;

const WALK: &str = r#"
/// What to do next; `answer` gives the answer to a test by its name, or `None`.
pub fn next<'a>(answer: impl Fn(&str) -> Option<&'a str>) -> Next {
    let mut node = 0;
    loop {
        let Ok(test) = usize::try_from(TEST[node]) else {
            return Next::Result(RESULTS[RESULT[node] as usize]);
        };
        let Some(given) = answer(TESTS[test].name) else { return Next::Ask(test) };
        let mut edges = FIRST[node] as usize..FIRST[node + 1] as usize;
        match edges.find(|edge| TESTS[test].answers[ANSWER[*edge] as usize] == given) {
            Some(edge) => node = CHILD[edge] as usize,
            None => return Next::Unknown(test),
        }
    }
}
"#;

const SELF_TEST: &str = r#"
#[cfg(test)]
mod tests {
    use super::*;

    /// Walks to every leaf, question by question, and tries an unknown answer at each step.
    #[test]
    fn every_leaf_is_reached() {
        let mut rest = PATHS;
        while let [steps, after @ ..] = rest {
            let (path, after) = after.split_at(2 * *steps as usize);
            let mut answers: Vec<(&str, &str)> = Vec::new();
            let walk = |answers: &[(&str, &'static str)]| {
                next(|name| answers.iter().find(|(test, _)| *test == name).map(|(_, answer)| *answer))
            };
            for step in path.chunks(2) {
                let (test, answer) = (step[0] as usize, step[1] as usize);
                assert_eq!(walk(&answers), Next::Ask(test));
                answers.push((TESTS[test].name, "\u{1} no such answer"));
                assert_eq!(walk(&answers), Next::Unknown(test));
                answers.pop();
                answers.push((TESTS[test].name, TESTS[test].answers[answer]));
            }
            assert_eq!(walk(&answers), Next::Result(RESULTS[after[0] as usize]));
            rest = &after[1..];
        }
    }
"#;

pub(crate) fn write(out: &mut dyn Write, export: &Export<'_>) -> Result<(), ExportError> {
    let flat = Flat::of(export.tree);
    write!(out, "{}", header(export, "//"))?;
    out.write_all(TYPES.as_bytes())?;
    writeln!(out, "\n/// All tests.\npub static TESTS: &[Test] = &[")?;
    for test in &flat.tests {
        let question = test.words();
        let answers = literals(test.answers.iter().copied(), Quotes::Rust);
        let (name, question) = (literal(test.name, Quotes::Rust), literal(question, Quotes::Rust));
        writeln!(out, "    Test {{ name: {name}, question: {question}, answers: &[{answers}] }},")?;
    }
    writeln!(out, "];\n\n/// Names that a leaf identifies; several where the tests cannot tell them apart.")?;
    writeln!(out, "pub static RESULTS: &[&[&str]] = &[")?;
    for result in &flat.results {
        writeln!(out, "    &[{}],", names(result, Quotes::Rust))?;
    }
    writeln!(out, "];\n")?;
    for (name, about, all) in tables(&flat) {
        writeln!(out, "/// {about}\nstatic {name}: &[i32] = &[\n{}\n];", numbers(&all, "    "))?;
    }
    out.write_all(WALK.as_bytes())?;
    if export.with_self_test {
        out.write_all(SELF_TEST.as_bytes())?;
        let paths = flat.path_numbers();
        writeln!(
            out,
            "\n    /// The number of steps to each leaf, test and answer of each step, and the result."
        )?;
        writeln!(out, "    static PATHS: &[i32] = &[\n{}\n    ];\n}}", numbers(&paths, "        "))?;
    }
    Ok(())
}
