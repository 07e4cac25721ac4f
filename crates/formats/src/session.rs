//! A session in names, as files and logs hold it; it can be continued with the same table.

use crate::json::VERSION;
use crate::wording::{FileKind, SavedBy};
use fewest::Instance;
use fewest::session::{Given, Reply, Session, SessionError, parse};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use thiserror::Error;

/// An answer, with the names of the test and of the answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerPart {
    /// Name of the test.
    pub test: String,
    /// Answers that were meant: one, or several of which one is true; none: "I don't know".
    pub answers: Vec<String>,
    /// Whether the answer was volunteered, without a question; left out of the file if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub volunteered: bool,
}

impl AnswerPart {
    /// Converts `given` to the names of `instance`.
    pub fn new(given: &Given, instance: &Instance) -> Self {
        let test = instance.test(given.test);
        let name = |answer: &fewest::AnswerId| test.answers.get(answer.index()).to_owned();
        Self {
            test: test.name.clone(),
            answers: given.reply.answers().iter().map(name).collect(),
            volunteered: given.volunteered,
        }
    }

    /// Converts back to the numbers of `instance`. Names must be exactly those of the table.
    ///
    /// # Errors
    /// When the table has no such test or answer.
    pub fn to_given(&self, instance: &Instance) -> Result<Given, parse::ParseError> {
        let missing = || {
            let error = parse::find_test(instance, &self.test).err();
            error.unwrap_or_else(|| parse::ParseError::NoTest { name: self.test.clone(), nearest: None })
        };
        let test = instance.find_test(&self.test).ok_or_else(missing)?;
        let labels = &instance.test(test).answers;
        let answer = |text: &String| {
            labels.find(text).map(fewest::AnswerId::at).ok_or_else(|| parse::ParseError::NoAnswer {
                test: self.test.clone(),
                answer: text.clone(),
                nearest: parse::nearest(labels.iter(), text).map(str::to_owned),
                answers: labels.iter().map(str::to_owned).collect(),
            })
        };
        let answers = self.answers.iter().map(answer).collect::<Result<Vec<_>, _>>()?;
        let reply = if answers.is_empty() { Reply::Unknown } else { Reply::one_of(answers) };
        Ok(Given { test, reply, volunteered: self.volunteered })
    }
}

/// A session as it stands in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSession {
    /// Version of the document.
    pub version: u32,
    /// Name of the table: its path, or `standard input`.
    pub source: String,
    /// Options of the command line with which the session was begun, so that it can be continued without them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Answers, in the order in which they were given.
    pub answers: Vec<AnswerPart>,
}

/// Reason why a file holds no session, or none for this table.
#[derive(Debug, Error)]
pub enum SavedSessionError {
    /// Text that is not the JSON of a session.
    #[error("line {0}: not a session: {1}")]
    Json(usize, serde_json::Error),
    /// A version that this program does not know.
    #[error("the session has version {0}, this program reads version {VERSION}; use a newer fewest")]
    Version(u32),
    /// A test or an answer that the table does not have.
    #[error("its answers do not fit the table: {0}")]
    Names(#[from] parse::ParseError),
    /// An answer that the session refuses.
    #[error("its answers do not fit the table: {0}")]
    Session(#[from] SessionError),
}

impl SavedSessionError {
    /// Returns the message, with the front end's words for where such a file comes from.
    pub fn words(&self, saved_by: SavedBy) -> String {
        match self {
            Self::Json(..) => format!("{self}; {}", saved_by(FileKind::Session)),
            _ => self.to_string(),
        }
    }
}

impl SavedSession {
    /// Saves `session`, which was asked about the table called `source`.
    pub fn new(session: &Session<'_>, source: &str) -> Self {
        let instance = session.instance();
        let answers = session.answers().iter().map(|given| AnswerPart::new(given, instance)).collect();
        Self { version: VERSION, source: source.to_owned(), options: Vec::new(), answers }
    }

    /// Adds the options with which the session was begun.
    #[must_use]
    pub fn with_options(self, options: Vec<String>) -> Self {
        Self { options, ..self }
    }

    /// Reads a session. From a log, reads the last complete line that holds a state.
    ///
    /// # Errors
    /// When the text is no session.
    pub fn read(json: &[u8]) -> Result<Self, SavedSessionError> {
        let read = match serde_json::from_slice::<Self>(json) {
            Ok(session) => session,
            Err(error) => {
                Self::last_of_log(json).ok_or_else(|| SavedSessionError::Json(error.line(), error))?
            }
        };
        if read.version == VERSION { Ok(read) } else { Err(SavedSessionError::Version(read.version)) }
    }

    /// Whether the text is a log, with a line for each event, and not a saved session.
    pub fn is_log(json: &[u8]) -> bool {
        #[derive(Deserialize)]
        struct Line {
            #[serde(rename = "event")]
            _event: String,
        }
        let mut lines = json.split(|byte| *byte == b'\n');
        lines.next().is_some_and(|line| serde_json::from_slice::<Line>(line).is_ok())
    }

    fn last_of_log(json: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Line {
            version: u32,
            source: String,
            #[serde(default)]
            options: Vec<String>,
            answers: Vec<AnswerPart>,
        }
        let lines = json.split(|byte| *byte == b'\n').rev();
        let line = lines.filter_map(|line| serde_json::from_slice::<Line>(line).ok()).next()?;
        Some(Self {
            version: line.version,
            source: line.source,
            options: line.options,
            answers: line.answers,
        })
    }

    /// Gives all answers to `session`, in order.
    ///
    /// # Errors
    /// When they do not fit its table.
    pub fn replay(&self, session: &mut Session<'_>) -> Result<(), SavedSessionError> {
        for answer in &self.answers {
            session.take(answer.to_given(session.instance())?)?;
        }
        Ok(())
    }

    /// Writes the session as indented JSON.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut out, self)?;
        out.write_all(b"\n")
    }
}
