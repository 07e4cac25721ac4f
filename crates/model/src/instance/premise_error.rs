//! Errors of premises.

use std::fmt;

/// Premise that cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub struct PremiseError {
    /// Row of the table that holds the premise, if a row does.
    pub row: Option<usize>,
    /// Test that the premise belongs to.
    pub test: String,
    /// What is wrong.
    pub problem: PremiseProblem,
}

/// What is wrong with a premise.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PremiseProblem {
    /// It is not of the form `test=answer`.
    Form {
        /// The text.
        text: String,
    },
    /// It names a test that does not exist.
    NoTest {
        /// Name of the test.
        name: String,
        /// Hint with the nearest test.
        hint: String,
    },
    /// It names an answer that no object gives.
    NoAnswer {
        /// Name of the test.
        name: String,
        /// The answer.
        answer: String,
        /// Hint with the nearest answer.
        hint: String,
    },
    /// It needs, over other premises, the test that it belongs to.
    Cycle {
        /// Tests on the way round, without the first.
        others: Vec<String>,
    },
}

impl fmt::Display for PremiseError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let test = &self.test;
        if let Some(row) = self.row {
            write!(out, "row {row}, ")?;
        }
        match &self.problem {
            PremiseProblem::Form { text } => write!(
                out,
                "premise of `{test}`: `{text}` is no premise; write `test=answer`, several answers as `test=a|b`, several \
                 premises as `test=a & other=b`"
            ),
            PremiseProblem::NoTest { name, hint } => {
                let hint = if hint.is_empty() { "; name a column that is a test" } else { hint };
                write!(out, "premise of `{test}`: there is no test `{name}`{hint}")
            }
            PremiseProblem::NoAnswer { name, answer, hint } => {
                let hint = if hint.is_empty() { "; name an answer that occurs" } else { hint };
                write!(out, "premise of `{test}`: no object answers `{answer}` to `{name}`{hint}")
            }
            PremiseProblem::Cycle { others } if others.is_empty() => {
                write!(out, "premise of `{test}`: it needs its own answer; take that premise away")
            }
            PremiseProblem::Cycle { others } => write!(
                out,
                "premise of `{test}`: it needs an answer to `{}`, which needs one to `{test}`; take one of these premises \
                 away",
                others.join("`, which needs one to `"),
            ),
        }
    }
}
