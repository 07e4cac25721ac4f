//! Temporary folder, and the real program run in it.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Path of the program under test.
pub(crate) const FEWEST: &str = env!("CARGO_BIN_EXE_fewest");

/// Folder that is deleted at the end of the test.
pub(crate) struct Folder(TempDir);

/// Result of a run.
#[derive(Debug)]
pub(crate) struct Run {
    /// Exit code; `None`: killed.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Creates a folder that holds these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Names of all files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Command to run the program here with these arguments, independent of the environment.
    pub(crate) fn command<A: AsRef<str>>(&self, args: &[A]) -> Command {
        let mut command = program(self.0.path());
        command.args(args.iter().map(AsRef::as_ref));
        command
    }

    pub(crate) fn run<A: AsRef<str>>(&self, args: &[A]) -> Run {
        Run::of(&mut self.command(args))
    }

    /// Runs a line of arguments that hold no spaces.
    pub(crate) fn call(&self, line: &str) -> Run {
        self.run(&line.split(' ').collect::<Vec<_>>())
    }

    /// Runs a line of arguments with `input` on standard input.
    pub(crate) fn call_with(&self, line: &str, input: &[u8]) -> Run {
        let args: Vec<&str> = line.split(' ').collect();
        let mut command = self.command(&args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The input fits the pipe; a program that does not read all of it is not a failure of the test.
        let _ = child.stdin.take().unwrap().write_all(input);
        Run::from(child.wait_with_output().unwrap())
    }

    /// Standard output of a line of arguments, which must succeed.
    pub(crate) fn out(&self, line: &str) -> String {
        self.call(line).ok(line).out
    }

    /// JSON that a line of arguments prints.
    pub(crate) fn json(&self, line: &str) -> Value {
        let out = self.call(&format!("{line} --json")).ok(line).out;
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{line}: {error}: {out}"))
    }
}

/// Command to run the program in `folder`, independent of the environment's settings for colour.
pub(crate) fn program(folder: &Path) -> Command {
    let mut command = Command::new(FEWEST);
    quiet_surroundings(&mut command);
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// Removes the environment variables that change the output.
pub(crate) fn quiet_surroundings(command: &mut Command) {
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "COLORTERM", "TERM", "CI"] {
        command.env_remove(name);
    }
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        Self::from(command.output().unwrap())
    }

    pub(crate) fn from(output: std::process::Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }

    /// Checks that the run succeeded without an error message.
    pub(crate) fn ok(self, line: &str) -> Self {
        assert_eq!(self.code, Some(0), "{line}: {}", self.err);
        assert!(!self.err.contains("error"), "{line}: {}", self.err);
        self
    }

    /// Warnings on standard error.
    pub(crate) fn warnings(&self) -> Vec<&str> {
        self.err.lines().filter(|line| line.starts_with("warning: ")).collect()
    }

    /// Fault of a refusal; `None` if it is correct: exit code `code`, no output, and after warnings one line that
    /// begins with `error: ` and holds each of `says`.
    pub(crate) fn refusal(&self, code: i32, says: &[&str]) -> Option<String> {
        let mut lines = self.err.lines().skip_while(|line| line.starts_with("warning: "));
        let message = lines.next().unwrap_or_default();
        let missing = says.iter().find(|part| !message.contains(*part));
        let fault = match () {
            () if self.err.contains("panicked") => "it panicked".to_owned(),
            () if self.code != Some(code) => format!("exit code {:?} where {code} was due", self.code),
            () if !self.out.is_empty() => "there is output".to_owned(),
            () if !message.starts_with("error: ") => "there is no message".to_owned(),
            () if lines.next().is_some() => "there is more than one message".to_owned(),
            () if message.len() > 1000 => "the message goes on and on".to_owned(),
            () => match missing {
                Some(part) => format!("the message does not say {part:?}"),
                None => return None,
            },
        };
        Some(format!("{fault}: {}", self.err.chars().take(2000).collect::<String>()))
    }
}

/// Fails with all faults, if there are any.
pub(crate) fn report(faults: &[String]) {
    assert!(faults.is_empty(), "{} went wrong:\n{}", faults.len(), faults.join("\n"));
}
