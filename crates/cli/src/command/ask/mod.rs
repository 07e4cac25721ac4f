//! `fewest ask`: a session in the terminal, or by pipe.

mod alone;
mod log;
mod plan;
mod result;
mod show;
mod talk;

pub(crate) use plan::{Planned, rules};

use super::{bytes_of, read_strategy, short};
use crate::args::{AskArgs, IdentifyArg, UntilArg};
use crate::failure::Failure;
use crate::load::{Loaded, as_before, load};
use crate::print::Printer;
use fewest::session::{Plan, Session, words};
use fewest_formats::SavedSession;
use log::Log;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use talk::Talk;

pub(crate) fn run(args: &AskArgs, printer: &Printer) -> Result<(), Failure> {
    for path in [Some(args.source.as_path()), args.table.as_deref()].into_iter().flatten() {
        if path == Path::new("-") {
            return Err(Failure::wrong(
                "the table cannot be standard input: answers come from there; name a file",
            ));
        }
    }
    for path in [args.log.as_deref(), args.save.as_deref()].into_iter().flatten() {
        refuse_overwriting(args, path)?;
    }
    let strategy = match is_strategy(&args.source) {
        true => Some(read_strategy(&args.source)?),
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
        (Some(strategy), None) => return alone::run(args, strategy, printer),
    };
    with_table(args, &loaded, strategy, printer)
}

fn with_table(
    args: &AskArgs,
    loaded: &Loaded,
    strategy: Option<&fewest_formats::Strategy>,
    printer: &Printer,
) -> Result<(), Failure> {
    let instance = &loaded.instance;
    let rules = rules(&args.session, instance)?;
    let planned = match strategy {
        Some(strategy) => Planned::saved(strategy, instance, &args.source, &args.session)?,
        None => Planned::new(args.algorithm, args.time, &args.session, &rules, instance),
    };
    let plan = Plan { tree: planned.tree.as_ref(), rule: planned.rule };
    let mut session = Session::new(instance, plan, rules).map_err(Failure::wrong)?;
    if let Some(path) = &args.resume {
        let (name, bytes) = bytes_of(path)?;
        let saved = SavedSession::read(&bytes);
        let replayed = saved.and_then(|saved| saved.replay(&mut session));
        replayed.map_err(|error| Failure::wrong(format!("{name}: {error}")))?;
    }
    for fact in &args.given {
        let (test, reply) =
            words::parse(instance, fact).map_err(|error| Failure::wrong(format!("--given: {error}")))?;
        session.volunteer(test, reply).map_err(|error| Failure::wrong(format!("--given: {error}")))?;
    }
    let log = args.log.as_deref().map(|path| Log::open(path, &loaded.name)).transpose()?;
    let interactive = io::stdin().is_terminal();
    let mut talk = Talk::new(session, log, printer, interactive);
    talk.begin(&short(&loaded.name), &planned.words)?;
    let ended = hold(&mut talk)?;
    talk.end()?;
    let wants_file = args.save.is_some() || args.resume.is_some();
    if (ended == Ended::Quit && talk.has_answers()) || (wants_file && ended == Ended::Input) {
        let path = place(args);
        let saved = SavedSession::new(&talk.session, &loaded.name);
        crate::print::save(&path, |out| saved.write(out))?;
        talk.say(&format!(
            "Saved {0}. Next: fewest ask {1} --resume {0}\n",
            path.display(),
            args.source.display()
        ))?;
    }
    result::report(&talk.session, loaded, printer)?;
    if ended == Ended::Input && !interactive && !talk.is_identified() {
        return Err(Failure::Refused("the answers ended before anything was identified".to_owned()));
    }
    Ok(())
}

/// Why the talk is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    Quit,
    Input,
}

/// Asks and listens until somebody quits or the input ends.
fn hold(talk: &mut Talk<'_>) -> Result<Ended, Failure> {
    let mut lines = io::stdin().lock();
    talk.ask()?;
    loop {
        let mut line = Vec::new();
        let read = lines.read_until(b'\n', &mut line);
        match read.map_err(|error| Failure::wrong(format!("standard input: {error}")))? {
            0 => {
                let quits = talk.is_interactive();
                talk.say(if quits { "\n" } else { "" })?;
                return Ok(if quits { Ended::Quit } else { Ended::Input });
            }
            _ => {
                if talk.hear(String::from_utf8_lossy(&line).trim())? {
                    return Ok(Ended::Quit);
                }
                talk.ask()?;
            }
        }
    }
}

/// How the table is read: what is to be found also decides what is identified.
fn reading(args: &AskArgs) -> crate::args::TableArgs {
    let mut reading = args.reading.clone();
    if reading.identify.is_none() && args.session.until == Some(UntilArg::Group) {
        reading.identify = Some(IdentifyArg::Groups);
    }
    reading
}

/// Whether a file is the JSON of a strategy and not a table.
fn is_strategy(path: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; 64];
    let read = std::fs::File::open(path).and_then(|mut file| file.read(&mut head)).unwrap_or(0);
    head[..read].trim_ascii_start().starts_with(b"{")
}

fn refuse_overwriting(args: &AskArgs, path: &Path) -> Result<(), Failure> {
    let same = |other: &Path| matches!((other.canonicalize(), path.canonicalize()), (Ok(a), Ok(b)) if a == b);
    match [Some(args.source.as_path()), args.table.as_deref()].into_iter().flatten().any(same) {
        true => Err(Failure::wrong(format!("{} is read; name another file to write", path.display()))),
        false => Ok(()),
    }
}

/// Where to save: as told, where it came from, or the first free name beside the caller.
fn place(args: &AskArgs) -> PathBuf {
    if let Some(path) = args.save.as_ref().or(args.resume.as_ref()) {
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
