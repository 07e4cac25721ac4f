//! What is said of a test.

use fewest_model::{AnswerId, TestId};

/// What was replied to a question.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reply {
    /// One of these answers, in order and each once; mostly a single one.
    OneOf(Vec<AnswerId>),
    /// "I don't know": says nothing, but is not asked again.
    Unknown,
}

impl Reply {
    /// A plain answer.
    pub fn is(answer: AnswerId) -> Self {
        Self::OneOf(vec![answer])
    }

    /// Any of several answers.
    pub fn one_of(answers: impl IntoIterator<Item = AnswerId>) -> Self {
        let mut answers: Vec<AnswerId> = answers.into_iter().collect();
        answers.sort_unstable();
        answers.dedup();
        Self::OneOf(answers)
    }

    /// The answers that it may mean; none if it says nothing.
    pub fn answers(&self) -> &[AnswerId] {
        match self {
            Self::OneOf(answers) => answers,
            Self::Unknown => &[],
        }
    }

    /// The answer, where it is a single one.
    pub fn single(&self) -> Option<AnswerId> {
        match self.answers() {
            [answer] => Some(*answer),
            _ => None,
        }
    }
}

/// A reply that was given.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Given {
    /// The test.
    pub test: TestId,
    /// What was said of it.
    pub reply: Reply,
    /// Whether it was known without asking, and so cost nothing.
    pub volunteered: bool,
}
