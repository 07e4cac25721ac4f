//! How things end when they do not end well: one message, and an exit code that scripts can rely on.

use fewest_formats::text::one_line;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The call or the data is wrong: exit 2.
    Wrong(String),
    /// An honest no, such as a check that refused: exit 1.
    Refused(String),
    /// Nobody reads what we write any more: no error of anybody's.
    Closed,
}

impl Failure {
    /// The call or the data is wrong.
    pub(crate) fn wrong(message: impl ToString) -> Self {
        Self::Wrong(message.to_string())
    }

    /// Writing to `place` failed.
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

    /// What it says.
    pub(crate) fn message(self) -> String {
        match self {
            Self::Closed => String::new(),
            Self::Wrong(message) | Self::Refused(message) => message,
        }
    }

    /// Says it and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let (message, code) = match self {
            Self::Closed => return ExitCode::SUCCESS,
            Self::Wrong(message) => (message, 2),
            Self::Refused(message) => (message, 1),
        };
        // A message that nobody can read is no reason to panic.
        let _ = writeln!(anstream::stderr(), "\x1b[1;31merror:\x1b[0m {}", in_short(&message));
        ExitCode::from(code)
    }
}

/// Help and version go to standard output, mistakes in the call to standard error.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    match error.print() {
        _ if error.use_stderr() => ExitCode::from(2),
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => Failure::writing("standard output", &error).report(),
    }
}

/// One line of text: names from files may hold line ends and control characters, a terminal should not act on them.
pub(crate) fn printable(text: &str) -> String {
    one_line(text, usize::MAX)
}

/// A message on one line, with the names that it quotes cut: it points at a place, it does not repeat the file.
pub(crate) fn in_short(message: &str) -> String {
    const QUOTED: usize = 80;
    let parts = message.split('`').enumerate();
    let parts = parts.map(|(at, part)| if at % 2 == 1 { one_line(part, QUOTED) } else { printable(part) });
    parts.collect::<Vec<_>>().join("`")
}
