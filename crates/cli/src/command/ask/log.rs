//! Append-only transcript of a session: each line is on disk before the next question is asked.

use crate::failure::Failure;
use fewest::session::Session;
use fewest_formats::json::text;
use fewest_formats::{AnswerPart, SavedSession};
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Open transcript.
pub(super) struct Log {
    file: File,
    path: PathBuf,
    source: String,
    options: Vec<String>,
    markdown: bool,
}

/// JSON line: an event, and all answers after it.
#[derive(Serialize)]
struct Line<'a> {
    version: u32,
    event: &'a str,
    source: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    options: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
    answers: Vec<AnswerPart>,
}

impl Log {
    /// Opens `path` for appending.
    pub(super) fn open(path: &Path, source: &str, options: &[String]) -> Result<Self, Failure> {
        let markdown = path
            .extension()
            .is_some_and(|ending| ["md", "markdown"].iter().any(|known| ending.eq_ignore_ascii_case(known)));
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.map_err(|error| Failure::writing(&path.display().to_string(), &error))?;
        let (path, source) = (path.to_owned(), source.to_owned());
        Ok(Self { file, path, source, options: options.to_vec(), markdown })
    }

    /// Appends an event about `test`, with `words` for readers.
    pub(super) fn add(
        &mut self,
        event: &str,
        test: Option<&str>,
        words: &str,
        session: &Session<'_>,
    ) -> Result<(), Failure> {
        let line = if self.markdown {
            match event {
                "begin" => format!("\n# {words}\n\n"),
                "ask" => format!("**{words}**\n"),
                "end" => format!("\n{words}\n"),
                _ => format!("- {words}\n"),
            }
        } else {
            let SavedSession { version, answers, .. } = SavedSession::new(session, &self.source);
            let (source, options) = (self.source.as_str(), &self.options[..]);
            let line = Line { version, event, source, options, test, text: words, answers };
            text(&line).map_err(|error| self.failure(&error))? + "\n"
        };
        // In one call, so that a crash can leave at most the last line incomplete.
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &std::io::Error) -> Failure {
        Failure::writing(&self.path.display().to_string(), error)
    }
}
