//! Options of a session that its file keeps, so that `--resume` needs none of them again.

use crate::args::{AskArgs, Cli, Command};
use crate::failure::Failure;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, Parser};
use std::ffi::OsString;

/// Arguments that belong to one call and not to the session.
const OF_THE_CALL: [&str; 11] =
    ["source", "table", "given", "resume", "save", "log", "json", "output", "quiet", "color", "threads"];

/// An option by its name, and its words on the command line.
struct Given {
    id: String,
    words: Vec<String>,
}

/// Options of a session that `matches` holds because the command line has them.
fn given(matches: &ArgMatches) -> Vec<Given> {
    let command = Cli::command();
    let Some(ask) = command.find_subcommand("ask") else { return Vec::new() };
    let is_kept = |id: &str| !OF_THE_CALL.contains(&id);
    let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let words = |arg: &clap::Arg| {
        let (id, long) = (arg.get_id().as_str(), arg.get_long()?);
        if !is_kept(id) || !is_given(id) {
            return None;
        }
        let option = format!("--{long}");
        let words = match arg.get_action().takes_values() {
            false => vec![option],
            true => {
                let values = matches.get_raw(id).into_iter().flatten();
                values.flat_map(|value| [option.clone(), value.to_string_lossy().into_owned()]).collect()
            }
        };
        Some(Given { id: id.to_owned(), words })
    };
    ask.get_arguments().chain(command.get_arguments()).filter_map(words).collect()
}

/// Arguments of a session, and those of them that its file keeps.
pub(super) struct Completed {
    pub(super) args: AskArgs,
    pub(super) words: Vec<String>,
}

/// Completes the arguments of this call by the saved options that it does not give.
pub(super) fn completed(saved: &[String]) -> Result<Completed, Failure> {
    let unusable = |error: clap::Error| {
        let text = error.to_string();
        let reason = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        Failure::wrong(format!(
            "the options in the saved session cannot be used: {reason}; give the right ones in this call"
        ))
    };
    let of_ask = |words: &[OsString]| {
        let matches = Cli::command().try_get_matches_from(words).map_err(unusable)?;
        Ok::<_, Failure>(matches.subcommand_matches("ask").map(given).unwrap_or_default())
    };
    let call: Vec<OsString> = std::env::args_os().collect();
    let now = of_ask(&call)?;
    let placeholder = ["fewest", "ask", "-"].map(OsString::from);
    let before: Vec<OsString> = placeholder.into_iter().chain(saved.iter().map(OsString::from)).collect();
    let missing =
        of_ask(&before)?.into_iter().filter(|before| !now.iter().any(|given| given.id == before.id));
    let missing: Vec<String> = missing.flat_map(|given| given.words).collect();
    let all = call.into_iter().chain(missing.iter().map(OsString::from));
    let Command::Ask(args) = Cli::try_parse_from(all).map_err(unusable)?.command else {
        return Err(Failure::wrong("a session is continued by `fewest ask`"));
    };
    Ok(Completed {
        args: *args,
        words: missing.into_iter().chain(now.into_iter().flat_map(|given| given.words)).collect(),
    })
}
