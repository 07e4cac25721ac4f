//! Condition of a test, in numbers.

use crate::{AnswerId, TestId};

/// Condition of a test: it may be asked only where every possible object gives one of `answers` to `test`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// Test that must have one of the answers.
    pub test: TestId,
    /// These answers, in order.
    pub answers: Vec<AnswerId>,
}
