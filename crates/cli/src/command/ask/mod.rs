//! `fewest ask`: a session in the terminal, or by pipe.

mod log;
mod options;
mod plan;
mod render;
mod repl;
mod result;
mod without_table;

pub(crate) use plan::{Planned, rules};
#[cfg(feature = "mcp")]
pub(crate) use result::state;

use super::{bytes_of, is_strategy, read_strategy, short};
use crate::args::{AskArgs, UntilArg};
use crate::endings::refuse_other_kinds;
use crate::failure::Failure;
use crate::kinds::{Kind, TRANSCRIPTS};
use crate::load::{Loaded, as_before, load};
use crate::print::Printer;
use crate::spell::saved_by;
use fewest::session::{Plan, Session, parse};
use fewest_formats::SavedSession;
use log::Log;
use options::Completed;
use repl::Repl;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &AskArgs, printer: &Printer) -> Result<(), Failure> {
    let resumed = args.resume.as_deref().map(|path| Resumed::read(path, printer)).transpose()?;
    let saved = resumed.as_ref().map_or(&[][..], |resumed| &resumed.session.options);
    let Completed { args, words } = options::completed(saved)?;
    ask(&args, &words, resumed.as_ref(), printer)
}

/// Session that is continued.
struct Resumed {
    /// Name of its file.
    name: String,
    /// Whether the file is a session, which is written again, and no log.
    is_own_file: bool,
    session: SavedSession,
}

impl Resumed {
    fn read(path: &Path, printer: &Printer) -> Result<Self, Failure> {
        let (name, bytes) = bytes_of(path, printer)?;
        let session = SavedSession::read(&bytes)
            .map_err(|error| Failure::wrong(format!("{name}: {}", error.words(saved_by))))?;
        Ok(Self { name, is_own_file: !SavedSession::is_log(&bytes), session })
    }
}

/// Asks, with `words` as the options that a saved session keeps.
fn ask(
    args: &AskArgs,
    words: &[String],
    resumed: Option<&Resumed>,
    printer: &Printer,
) -> Result<(), Failure> {
    for path in [Some(args.source.as_path()), args.table.as_deref()].into_iter().flatten() {
        if path == Path::new("-") {
            return Err(Failure::wrong(
                "the table cannot be standard input: answers come from there; name a file",
            ));
        }
    }
    // A session may continue in the file that it was read from; that file is checked when it is read.
    for (option, path, _) in outputs(args) {
        printer.writes(option, path)?;
    }
    let strategy = match is_strategy(&args.source) {
        true => Some(read_strategy(&args.source, printer)?),
        false => None,
    };
    let (loaded, strategy) = match (&strategy, &args.table) {
        (None, None) => (load(&args.source, &reading(args), printer)?, None),
        (None, Some(_)) => {
            return Err(Failure::wrong(format!(
                "{} is a table itself; --table goes with a saved strategy",
                args.source.display()
            )));
        }
        (Some(strategy), Some(table)) => {
            let reading = as_before(&reading(args), &strategy.reading)?;
            (load(table, &reading, printer)?, Some(strategy))
        }
        (Some(strategy), None) => {
            refuse_endings(args)?;
            return without_table::run(args, strategy, printer);
        }
    };
    refuse_endings(args)?;
    let session = Beginning { loaded: &loaded, strategy, words, resumed };
    with_table(args, &session, printer)
}

/// Files that the session will be written to, each with its option and its kinds; not the file that it goes on in.
fn outputs(args: &AskArgs) -> impl Iterator<Item = (&'static str, &Path, &'static [Kind])> {
    let named = [("--log", &args.log, TRANSCRIPTS), ("--save", &args.save, &[Kind::Json][..])];
    named.into_iter().filter_map(|(option, path, kinds)| {
        let path = path.as_deref().filter(|path| !is_resumed(args, path))?;
        Some((option, path, kinds))
    })
}

/// Refuses a session in the name of a picture or table. Only after the files are read: that an input would be
/// overwritten is the graver mistake, and named first.
fn refuse_endings(args: &AskArgs) -> Result<(), Failure> {
    outputs(args).try_for_each(|(option, path, kinds)| refuse_other_kinds(option, path, kinds))
}

/// Beginning of a session: the table, and what is known before the first question.
struct Beginning<'a> {
    loaded: &'a Loaded,
    strategy: Option<&'a fewest_formats::Strategy>,
    words: &'a [String],
    resumed: Option<&'a Resumed>,
}

fn with_table(args: &AskArgs, beginning: &Beginning<'_>, printer: &Printer) -> Result<(), Failure> {
    let Beginning { loaded, strategy, words, resumed } = *beginning;
    let instance = &loaded.instance;
    let rules = rules(&args.session, args.reading.without.as_deref(), instance)?;
    let planned = match strategy {
        Some(strategy) => Planned::saved(strategy, instance, &args.source, &args.session)?,
        None => Planned::new(args.algorithm, args.time, &args.session, &rules, instance),
    };
    let plan = Plan { tree: planned.tree.as_ref(), rule: planned.rule };
    let mut session = Session::new(instance, plan, rules).map_err(Failure::wrong)?;
    let own_file = resumed.is_some_and(|resumed| resumed.is_own_file);
    if let Some(Resumed { name, session: saved, .. }) = resumed {
        refuse_mixing(args, own_file)?;
        let replayed = saved.replay(&mut session);
        replayed.map_err(|error| Failure::wrong(format!("{name}: {}", error.words(saved_by))))?;
    }
    for fact in &args.given {
        let facts = parse::parse_facts(instance, fact)
            .map_err(|error| Failure::wrong(format!("--given: {error}")))?;
        for (test, reply) in facts {
            session.volunteer(test, reply).map_err(|error| Failure::wrong(format!("--given: {error}")))?;
        }
    }
    let log = args.log.as_deref().map(|path| Log::open(path, &loaded.name, words)).transpose()?;
    let interactive = io::stdin().is_terminal();
    let mut repl = Repl::new(session, &loaded.texts, log, printer, interactive);
    repl.begin(&short(&loaded.name), &planned.words)?;
    let ended = run_loop(&mut repl)?;
    repl.end()?;
    let wants_file = args.save.is_some() || args.resume.is_some();
    if (ended == Ended::Quit && repl.has_answers()) || (wants_file && ended == Ended::Input) {
        let path = place(args, own_file);
        let saved = SavedSession::new(&repl.session, &loaded.name).with_options(words.to_vec());
        match is_resumed(args, &path) {
            true => printer.replace(&path, |out| saved.write(out))?,
            false => printer.save(&path, |out| saved.write(out))?,
        }
        repl.say(&format!(
            "Saved {0}. Next: fewest ask {1} --resume {0}\n",
            path.display(),
            args.source.display()
        ))?;
    }
    result::report(&repl.session, loaded, printer)?;
    if ended == Ended::Input && !interactive && !repl.is_identified() {
        return Err(Failure::Refused("the answers ended before anything was identified".to_owned()));
    }
    Ok(())
}

/// Cause of the end of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    Quit,
    Input,
}

/// Asks and handles lines until `q` or the end of the input.
fn run_loop(repl: &mut Repl<'_>) -> Result<Ended, Failure> {
    let mut lines = io::stdin().lock();
    repl.ask()?;
    loop {
        let mut line = Vec::new();
        let read = lines.read_until(b'\n', &mut line);
        match read.map_err(|error| Failure::wrong(format!("standard input: {error}")))? {
            0 => {
                let quits = repl.is_interactive();
                repl.say(if quits { "\n" } else { "" })?;
                return Ok(if quits { Ended::Quit } else { Ended::Input });
            }
            _ => {
                if repl.handle_line(String::from_utf8_lossy(&line).trim())? {
                    return Ok(Ended::Quit);
                }
                repl.ask()?;
            }
        }
    }
}

/// Options of reading the table: `--until group` identifies groups.
fn reading(args: &AskArgs) -> crate::args::TableArgs {
    let mut reading = args.reading.clone();
    if reading.identify.is_none() && args.session.until == Some(UntilArg::Group) {
        reading.identify = Some(fewest::Identify::Groups);
    }
    // A test that is not at hand may still be answered, so it stays in the table.
    reading.without = None;
    reading
}

/// Whether `path` is the file that the session comes from.
fn is_resumed(args: &AskArgs, path: &Path) -> bool {
    args.resume.as_deref().is_some_and(|resumed| same_file::is_same_file(resumed, path).unwrap_or(false))
}

/// Refuses to save a session over a log or a log over a session; each may continue in its own file.
fn refuse_mixing(args: &AskArgs, own_file: bool) -> Result<(), Failure> {
    let (option, path, what) = match own_file {
        true => ("--log", &args.log, "saved session"),
        false => ("--save", &args.save, "log"),
    };
    match path.as_deref().filter(|path| is_resumed(args, path)) {
        Some(path) => Err(Failure::wrong(format!(
            "{option} {} would overwrite the {what} that is read; name another",
            path.display()
        ))),
        None => Ok(()),
    }
}

/// Path to save to: `--save`, the resumed session's own file, or the first free default name.
fn place(args: &AskArgs, own_file: bool) -> PathBuf {
    if let Some(path) = args.save.as_ref().or(args.resume.as_ref().filter(|_| own_file)) {
        return path.clone();
    }
    let stem = args
        .source
        .file_stem()
        .map_or_else(|| "session".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let name = |number: u32| match number {
        1 => PathBuf::from(format!("{stem}.session.json")),
        _ => PathBuf::from(format!("{stem}-{number}.session.json")),
    };
    (1..).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(1))
}
