//! Failures of commands: one message each, and the exit code that scripts rely on.

use crate::fold::folded_for_errors;
use fewest_formats::text::one_line;
use std::io::{self, ErrorKind, Write};

/// Reason for which a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong arguments or data: exit code 2.
    Wrong(String),
    /// Negative result, such as a check that refused: exit code 1.
    Refused(String),
    /// Closed pipe: the reader of the output has ended, which is no error (exit code 0).
    Closed,
}

impl Failure {
    /// Failure of wrong arguments or data.
    pub(crate) fn wrong(message: impl ToString) -> Self {
        Self::Wrong(message.to_string())
    }

    /// Failure of writing to `place`, with a way out where the cause is known.
    pub(crate) fn writing(place: &str, error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Self::Closed,
            ErrorKind::NotFound => Self::Wrong(format!(
                "cannot write {place}: there is no such folder; make it, or name another"
            )),
            ErrorKind::IsADirectory => {
                Self::Wrong(format!("cannot write {place}: this is a directory; name a file in it"))
            }
            ErrorKind::PermissionDenied => {
                Self::Wrong(format!("cannot write {place}: permission denied; name another place"))
            }
            _ => Self::Wrong(format!("cannot write {place}: {error}")),
        }
    }

    /// Message without its exit code.
    pub(crate) fn message(self) -> String {
        match self {
            Self::Closed => String::new(),
            Self::Wrong(message) | Self::Refused(message) => message,
        }
    }

    /// Prints the message to standard error and returns the exit code.
    pub(crate) fn report(self) -> u8 {
        let (message, code) = match self {
            Self::Closed => return 0,
            Self::Wrong(message) => (message, 2),
            Self::Refused(message) => (message, 1),
        };
        // Standard error may be closed; the exit code still shows the failure.
        let text = format!("\x1b[1;31merror:\x1b[0m {}\n", in_short(&message));
        let _ = write!(anstream::stderr(), "{}", folded_for_errors(&text));
        code
    }
}

/// Prints the message of the argument parser: help and version to standard output, mistakes to standard error.
pub(crate) fn usage(error: &clap::Error) -> u8 {
    match error.print() {
        _ if error.use_stderr() => 2,
        Ok(()) => 0,
        Err(error) => Failure::writing("standard output", &error).report(),
    }
}

/// Text on one line, control characters replaced: names from files may hold them, and they must not reach a terminal.
pub(crate) fn printable(text: &str) -> String {
    one_line(text, usize::MAX)
}

/// Message on one line, with quoted names cut to 80 letters: a cell may hold a million.
pub(crate) fn in_short(message: &str) -> String {
    const QUOTED: usize = 80;
    let parts = message.split('`').enumerate();
    let parts = parts.map(|(at, part)| if at % 2 == 1 { one_line(part, QUOTED) } else { printable(part) });
    parts.collect::<Vec<_>>().join("`")
}
