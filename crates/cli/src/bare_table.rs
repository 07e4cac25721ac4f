//! A command line without a command: `fewest table.csv` means `fewest build table.csv`.

use crate::args::Cli;
use clap::CommandFactory;
use std::ffi::OsString;
use std::path::Path;

/// Inserts `build` before the first argument if that argument is a table and not a command.
///
/// A table is `-`, or a name of a file that exists or looks like a path: a mistyped command stays what it is, so that
/// the parser suggests the right one.
pub(crate) fn with_command(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_some_and(is_table) {
        arguments.insert(1, "build".into());
    }
    arguments
}

fn is_table(argument: &OsString) -> bool {
    let Some(text) = argument.to_str() else { return Path::new(argument).is_file() };
    if text == "-" {
        return true;
    }
    let is_command = || Cli::command().get_subcommands().any(|command| command.get_name() == text);
    let is_path = || text.contains(['.', '/', '\\']) || Path::new(text).is_file();
    !text.starts_with('-') && text != "help" && is_path() && !is_command()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(line: &str) -> String {
        let arguments = line.split(' ').map(OsString::from).collect();
        let words = with_command(arguments).into_iter().map(|word| word.into_string().unwrap());
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_table_alone_is_built() {
        assert_eq!(completed("fewest zoo.csv --json"), "fewest build zoo.csv --json");
        assert_eq!(completed("fewest data/zoo"), "fewest build data/zoo");
        assert_eq!(completed("fewest -"), "fewest build -");
    }

    #[test]
    fn commands_and_options_stay_as_they_are() {
        for line in [
            "fewest",
            "fewest build zoo.csv",
            "fewest bild",
            "fewest help build",
            "fewest --help",
            "fewest -V",
        ] {
            assert_eq!(completed(line), line);
        }
    }
}
