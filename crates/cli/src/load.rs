//! Loading of tables: from options and files to an instance.

use crate::args::TableArgs;
use crate::failure::Failure;
use crate::print::Printer;
use crate::spell::flag;
use fewest::{Identify, Inseparable, Instance, InstanceError, MissingCells, Named, Reading, Role, Warning};
use fewest_formats::json::{ReadingPart, parse_tolerance};
use fewest_formats::read::{
    CostList, ReadOptions, ReadTable, read_bundles, read_costs, read_names, read_with_texts,
};
use fewest_formats::{Texts, wording};
use std::path::Path;

/// Instance of a table, with the options that read it.
pub(crate) struct Loaded {
    pub(crate) instance: Instance,
    pub(crate) reading: ReadingPart,
    /// Texts that are shown in place of names.
    pub(crate) texts: Texts,
    /// Whether the table has a column of groups.
    pub(crate) has_groups: bool,
    /// Name of the table in messages.
    pub(crate) name: String,
}

/// Reads `table` with these options.
pub(crate) fn load(table: &Path, args: &TableArgs, printer: &Printer) -> Result<Loaded, Failure> {
    load_as(table, args, |reading| reading, |is_note, text| printer.say(is_note, text), printer)
}

/// Reads `table` like [`load`], without warnings.
pub(crate) fn load_quietly(table: &Path, args: &TableArgs, printer: &Printer) -> Result<Loaded, Failure> {
    load_as(table, args, |reading| reading, |_, _| (), printer)
}

/// Reads `table` with every row in its own group, for figures about the rows as they are.
pub(crate) fn load_rows(table: &Path, args: &TableArgs, printer: &Printer) -> Result<Loaded, Failure> {
    let keep = |reading: Reading| match reading.inseparable {
        Inseparable::Join => Reading { inseparable: Inseparable::Keep, ..reading },
        Inseparable::Refuse | Inseparable::Keep => reading,
    };
    load_as(table, args, keep, |is_note, text| printer.say(is_note, text), printer)
}

fn load_as(
    table: &Path,
    args: &TableArgs,
    adapt: impl FnOnce(Reading) -> Reading,
    say: impl Fn(bool, &str),
    printer: &Printer,
) -> Result<Loaded, Failure> {
    let source = printer.source(table)?;
    let mut reading = adapt(reading(args, printer)?);
    let options = ReadOptions {
        object: args.object.clone(),
        group: reading.group.clone(),
        lenient: !args.verbatim,
        transpose: args.transpose,
        ..ReadOptions::default()
    };
    let mut read = read_with_texts(source, &options).map_err(|error| Failure::wrong(error.words(flag)))?;
    read.show_questions();
    read.suit(&mut reading);
    let ReadTable { table: read, texts, warnings, .. } = read;
    warnings.iter().for_each(|warning| say(warning.is_note(), &warning.words(flag)));
    let has_groups = match &reading.group {
        Role::None => false,
        role => {
            let name = role.column().unwrap_or("group");
            read.column(name).is_some() || name.contains('/')
        }
    };
    let wrong = |error: InstanceError| Failure::wrong(format!("{source}: {}", error.words(flag)));
    let (instance, warnings) = Instance::new(read, &reading).map_err(wrong)?;
    // Figures about the rows as they are need no questions.
    if !args.verbatim && reading.inseparable != Inseparable::Keep {
        instance.refuse_no_tests().map_err(wrong)?;
    }
    for warning in &warnings {
        let more = match warning {
            Warning::Inseparable { .. } => "; `fewest inspect` lists them",
            _ => "",
        };
        say(warning.is_note(), &format!("{source}: {}{more}", wording::warning(warning, flag)));
    }
    let reading = ReadingPart::new(&options, &reading, &instance);
    Ok(Loaded { instance, reading, texts, has_groups, name: source.to_string() })
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
    args.transpose |= saved.transpose;
    args.group = args.group.or_else(|| saved.group.clone());
    args.group_rank = args.group_rank.or_else(|| saved.group_rank.clone());
    args.without = args.without.or_else(|| (!saved.without.is_empty()).then(|| saved.without.join(",")));
    args.saved_rules = [&saved.premises, &saved.needs]
        .map(|list| list.iter().map(|(test, text)| (test.clone(), text.clone())).collect());
    args.prior = args.prior.or_else(|| saved.prior.clone());
    if args.ignore.is_empty() {
        args.ignore.clone_from(&saved.ignore);
    }
    args.saved_tests.clone_from(&saved.tests);
    if let (None, Some(text)) = (args.identify, saved.identify.as_deref()) {
        args.identify = Some(Identify::named(text).ok_or_else(|| unknown("--identify", text))?);
    }
    args.saved_costs = saved.path_costs();
    args.confirm |= saved.confirm;
    args.several = args.several.or_else(|| saved.several.clone().filter(|mark| !mark.is_empty()));
    // A file without these was saved when tables were read verbatim.
    if args.missing.is_none() {
        let text = saved.said(saved.missing.as_deref(), "error", "auto");
        args.missing = Some(MissingCells::named(text).ok_or_else(|| unknown("--missing", text))?);
    }
    args.na = args.na.or_else(|| saved.na.as_ref().map(|words| words.join(",")));
    args.verbatim |= saved.is_verbatim();
    if args.tolerance.is_empty() {
        let parse = |text: &String| parse_tolerance(text).ok_or_else(|| unknown("--tolerance", text));
        args.tolerance = saved.tolerance.iter().map(parse).collect::<Result<_, _>>()?;
    }
    if args.numeric.is_none() {
        let text = saved.said(saved.numeric.as_deref(), "exact", "auto");
        args.numeric = Some(text.parse().map_err(|_| unknown("--numeric", text))?);
    }
    Ok(args)
}

fn reading(args: &TableArgs, printer: &Printer) -> Result<Reading, Failure> {
    let mut reading = Reading {
        group: args.group.clone().into(),
        prior: args.prior.clone().into(),
        ignore: args.ignore.clone(),
        tests: match &args.tests {
            Some(text) => Some(names(text, printer)?),
            None => args.saved_tests.clone(),
        },
        costs: Vec::new(),
        answer_costs: Vec::new(),
        bundles: Vec::new(),
        premises: Vec::new(),
        needs: Vec::new(),
        without: args.without.iter().flat_map(|list| listed(list)).collect(),
        group_rank: args.group_rank.clone(),
        identify: args.identify,
        missing: args.missing.unwrap_or_default(),
        gap_words: args
            .na
            .as_ref()
            .map(|words| words.split(',').map(|word| word.trim().to_owned()).collect()),
        verbatim: args.verbatim,
        tolerance: args.tolerance.clone(),
        several: args.several.clone(),
        numeric: args.numeric.unwrap_or_default(),
        inseparable: args.inseparable.unwrap_or_default(),
        confirm: args.confirm,
    };
    costs(args, printer)?.add_to(&mut reading);
    Ok(reading)
}

/// Costs of the call, or those of the saved strategy if the call gives none.
fn costs(args: &TableArgs, printer: &Printer) -> Result<CostList, Failure> {
    let mut list = match &args.costs {
        Some(path) => read_costs(printer.source(path)?).map_err(Failure::wrong)?,
        None => CostList::default(),
    };
    if let Some(path) = &args.bundles {
        let CostList { bundles, .. } = read_bundles(printer.source(path)?).map_err(Failure::wrong)?;
        list.bundles.extend(bundles);
    }
    let is_saved = args.costs.is_none() && args.bundles.is_none();
    let mut list = args.saved_costs.clone().filter(|_| is_saved).unwrap_or(list);
    if args.costs.is_none() {
        [list.premises, list.needs] = args.saved_rules.clone();
    }
    Ok(list)
}

/// Names in a list with commas.
pub(crate) fn listed(list: &str) -> impl Iterator<Item = String> {
    list.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// Names from the file `text` where it exists, else the names in `text` itself, separated by commas.
pub(crate) fn names(text: &str, printer: &Printer) -> Result<Vec<String>, Failure> {
    let path = Path::new(text);
    if path.is_file() || text == "-" {
        return read_names(printer.source(path)?).map_err(Failure::wrong);
    }
    let names: Vec<String> = listed(text).collect();
    if names.is_empty() {
        return Err(Failure::wrong(
            "--tests names no test; give names by comma, or a file with one name a line",
        ));
    }
    Ok(names)
}
