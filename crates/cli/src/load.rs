//! Tables: from options and files to an instance.

use crate::args::{IdentifyArg, InseparableArg, MissingArg, TableArgs};
use crate::failure::Failure;
use crate::print::Printer;
use crate::spell::flag;
use fewest::{Identify, Inseparable, Instance, MissingCells, Numeric, Reading, Warning};
use fewest_formats::json::ReadingPart;
use fewest_formats::read::{ReadOptions, read_costs, read_names, read_table};
use fewest_formats::wording;
use std::path::Path;

/// Instance of a table, with the options that read it.
pub(crate) struct Loaded {
    pub(crate) instance: Instance,
    pub(crate) reading: ReadingPart,
    /// Whether the table has a column of groups.
    pub(crate) has_groups: bool,
    /// Name of the table in messages.
    pub(crate) name: String,
}

/// Reads `table` as the options say.
pub(crate) fn load(table: &Path, args: &TableArgs, printer: &Printer) -> Result<Loaded, Failure> {
    load_as(table, args, |reading| reading, |text| printer.warn(text), printer)
}

/// As [`load`], without warnings.
pub(crate) fn load_quietly(table: &Path, args: &TableArgs, printer: &Printer) -> Result<Loaded, Failure> {
    load_as(table, args, |reading| reading, |_| (), printer)
}

/// Reads `table` with every row in its own group, for figures about the rows as they are.
pub(crate) fn load_rows(table: &Path, args: &TableArgs, printer: &Printer) -> Result<Loaded, Failure> {
    let keep = |reading: Reading| match reading.inseparable {
        Inseparable::Join => Reading { inseparable: Inseparable::Keep, ..reading },
        Inseparable::Refuse | Inseparable::Keep => reading,
    };
    load_as(table, args, keep, |text| printer.warn(text), printer)
}

fn load_as(
    table: &Path,
    args: &TableArgs,
    adapt: impl FnOnce(Reading) -> Reading,
    warn: impl Fn(&str),
    printer: &Printer,
) -> Result<Loaded, Failure> {
    let source = printer.source(table)?;
    let reading = adapt(reading(args, printer)?);
    let options = ReadOptions { object: args.object.clone(), ..ReadOptions::default() };
    let (read, warnings) = read_table(source, &options).map_err(|error| Failure::wrong(error.words(flag)))?;
    warnings.iter().for_each(|warning| warn(&warning.to_string()));
    let has_groups = read.column(reading.group.column().unwrap_or("group")).is_some();
    let (instance, warnings) = Instance::new(read, &reading)
        .map_err(|error| Failure::wrong(format!("{source}: {}", error.words(flag))))?;
    for warning in &warnings {
        let more = match warning {
            Warning::Inseparable { .. } => "; `fewest inspect` lists them",
            Warning::ManyNumbers { .. } => "",
        };
        warn(&format!("{source}: {}{more}", wording::warning(warning, flag)));
    }
    let reading = ReadingPart::new(args.object.as_deref(), &reading, &instance);
    Ok(Loaded { instance, reading, has_groups, name: source.to_string() })
}

/// Refuses `what` for tables in which objects may give several answers.
pub(crate) fn refuse_several(loaded: &Loaded, what: &str, instead: &str) -> Result<(), Failure> {
    match loaded.instance.has_several() {
        false => Ok(()),
        true => Err(Failure::wrong(format!(
            "{}: {what} needs one answer in every cell, but some cells are unknown or list several answers; {instead}",
            loaded.name
        ))),
    }
}

/// Options of the call, completed by those of a saved strategy.
pub(crate) fn as_before(args: &TableArgs, saved: &ReadingPart) -> Result<TableArgs, Failure> {
    let mut args = args.clone();
    let unknown = |option: &str, text: &str| {
        Failure::wrong(format!("the strategy says {option} `{text}`, which this program does not know"))
    };
    args.object = args.object.or_else(|| saved.object.clone());
    args.group = args.group.or_else(|| saved.group.clone());
    args.prior = args.prior.or_else(|| saved.prior.clone());
    if args.ignore.is_empty() {
        args.ignore.clone_from(&saved.ignore);
    }
    args.saved_tests.clone_from(&saved.tests);
    args.identify = match (args.identify, saved.identify.as_deref()) {
        (None, Some("groups")) => Some(IdentifyArg::Groups),
        (None, Some("objects")) => Some(IdentifyArg::Objects),
        (None, Some(other)) => return Err(unknown("--identify", other)),
        (given, _) => given,
    };
    args.confirm |= saved.confirm;
    args.several = args.several.or_else(|| saved.several.clone().filter(|mark| !mark.is_empty()));
    args.missing = match (args.missing, saved.missing.as_deref()) {
        (None, Some("answer")) => Some(MissingArg::Answer),
        (None, Some("any")) => Some(MissingArg::Any),
        (None, Some(other)) => return Err(unknown("--missing", other)),
        (given, _) => given,
    };
    if let (None, Some(text)) = (args.numeric, saved.numeric.as_deref()) {
        let bins = text.strip_prefix("bins:").and_then(|bins| bins.parse().ok()).map(Numeric::Bins);
        let numeric = if text == "thresholds" { Some(Numeric::Thresholds) } else { bins };
        args.numeric = Some(numeric.ok_or_else(|| unknown("--numeric", text))?);
    }
    Ok(args)
}

fn reading(args: &TableArgs, printer: &Printer) -> Result<Reading, Failure> {
    Ok(Reading {
        group: args.group.clone().into(),
        prior: args.prior.clone().into(),
        ignore: args.ignore.clone(),
        tests: match &args.tests {
            Some(text) => Some(names(text, printer)?),
            None => args.saved_tests.clone(),
        },
        costs: match &args.costs {
            Some(path) => read_costs(printer.source(path)?).map_err(Failure::wrong)?,
            None => Vec::new(),
        },
        identify: args.identify.map(|identify| match identify {
            IdentifyArg::Groups => Identify::Groups,
            IdentifyArg::Objects => Identify::Objects,
        }),
        missing: match args.missing {
            Some(MissingArg::Answer) => MissingCells::Answer,
            Some(MissingArg::Any) => MissingCells::Any,
            Some(MissingArg::Error) | None => MissingCells::Error,
        },
        several: args.several.clone(),
        numeric: args.numeric.unwrap_or_default(),
        inseparable: match args.inseparable {
            Some(InseparableArg::Refuse) => Inseparable::Refuse,
            _ => Inseparable::Join,
        },
        confirm: args.confirm,
    })
}

/// Names from the file `text` where it exists, else the names in `text` itself, separated by commas.
pub(crate) fn names(text: &str, printer: &Printer) -> Result<Vec<String>, Failure> {
    let path = Path::new(text);
    if path.is_file() || text == "-" {
        return read_names(printer.source(path)?).map_err(Failure::wrong);
    }
    let names: Vec<String> =
        text.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
    if names.is_empty() {
        return Err(Failure::wrong(
            "--tests names no test; give names by comma, or a file with one name a line",
        ));
    }
    Ok(names)
}
