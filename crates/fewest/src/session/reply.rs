//! Replies to questions.

use fewest_model::{AnswerId, TestId};

/// Reply to a question.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reply {
    /// One of these answers is true; in order, each once, mostly a single one.
    OneOf(Vec<AnswerId>),
    /// "I don't know": rules nothing out, and the test is not asked again.
    Unknown,
}

impl Reply {
    /// Creates the reply that is one plain answer.
    pub fn is(answer: AnswerId) -> Self {
        Self::OneOf(vec![answer])
    }

    /// Creates the reply that one of several answers is true.
    pub fn one_of(answers: impl IntoIterator<Item = AnswerId>) -> Self {
        let mut answers: Vec<AnswerId> = answers.into_iter().collect();
        answers.sort_unstable();
        answers.dedup();
        Self::OneOf(answers)
    }

    /// Returns the answers that the reply may mean; none for "I don't know".
    pub fn answers(&self) -> &[AnswerId] {
        match self {
            Self::OneOf(answers) => answers,
            Self::Unknown => &[],
        }
    }

    /// Returns the answer, if it is a single one.
    pub fn single(&self) -> Option<AnswerId> {
        match self.answers() {
            [answer] => Some(*answer),
            _ => None,
        }
    }
}

/// Answer of a session: a test with the reply to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Given {
    /// The test.
    pub test: TestId,
    /// The reply.
    pub reply: Reply,
    /// Whether the answer was known without asking, and so cost nothing.
    pub volunteered: bool,
}
