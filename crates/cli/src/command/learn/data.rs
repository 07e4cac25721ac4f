//! Reads the rows to learn from, and says what was left out of them.

use crate::args::{DataArgs, LearnArgs, LearnMissingArg};
use crate::failure::Failure;
use crate::load::names;
use crate::print::Printer;
use crate::spell::flag;
use fewest::learn::{Examples, Notice, Preparation, Target};
use fewest_formats::read::{Source, read_costs, read_data};
use fewest_formats::text::count;
use std::path::Path;

/// Reads the data as labelled examples; also returns the name of the target and notices about left-out columns.
pub(super) fn load(
    args: &LearnArgs,
    source: Source<'_>,
    printer: &Printer,
) -> Result<(Examples, String, Vec<Notice>), Failure> {
    let reading = &args.reading;
    let wrong =
        |error: fewest::learn::ExamplesError| Failure::wrong(format!("{source}: {}", error.words(flag)));
    // The column to predict is never the names of the rows, whatever it is called.
    let is_target = |name: &&str| args.target.as_deref().is_none_or(|target| target.trim() != *name);
    let object = Some(reading.object.as_deref().unwrap_or("object")).filter(is_target).unwrap_or_default();
    let data = read_data(source, object, &[]).map_err(|error| Failure::wrong(error.words(flag)))?;
    let header: Vec<&str> = data.header.iter().map(String::as_str).collect();
    let target = match &args.target {
        Some(target) => Target::parse(target, &header).map_err(wrong)?,
        None if header.contains(&"group") => Target { column: "group".to_owned(), test: None },
        None => {
            return Err(Failure::wrong(format!(
                "{source}: what is to be predicted? name a column with --target, such as --target '{}'",
                header.last().copied().unwrap_or("class"),
            )));
        }
    };
    let name = args.target.clone().unwrap_or_else(|| target.column.clone());
    let mut costs = data.costs;
    if let Some(path) = &reading.costs {
        let listed = plain_costs(path, printer)?;
        costs.retain(|(name, _)| listed.iter().all(|(other, _)| other != name));
        costs.extend(listed);
    }
    // The column of names is not part of the data any more.
    let known = |name: &String| name != object;
    if reading.object.as_ref().is_some_and(|object| !data.header.contains(object)) {
        let name = object.to_owned();
        let known = format!("the columns are `{}`", header.join("`, `"));
        return Err(wrong(fewest::learn::ExamplesError::NoSuchColumn {
            option: fewest::Choice::Object,
            name,
            known,
        }));
    }
    let tests = reading.tests.as_deref().map(|text| names(text, printer)).transpose()?;
    let preparation = Preparation {
        object: None,
        prior: reading.prior.clone(),
        ignore: reading.ignore.iter().filter(|name| known(name)).cloned().collect(),
        tests,
        costs,
        class_weights: args.growth.class_weights.clone().unwrap_or_default(),
        refuse_missing: reading.missing == LearnMissingArg::Error,
    };
    let (examples, notices) = Examples::new(data.fields, &target, &preparation).map_err(wrong)?;
    Ok((examples, name.trim().to_owned(), notices))
}

/// Costs of a file that gives one for each test.
fn plain_costs(path: &Path, printer: &Printer) -> Result<Vec<(String, f64)>, Failure> {
    let source = printer.source(path)?;
    let listed = read_costs(source).map_err(Failure::wrong)?;
    match listed.depends_on_path() {
        false => Ok(listed.costs),
        true => Err(Failure::wrong(format!(
            "{source}: `fewest learn` knows one cost for each test; leave out the columns `answer`, `bundle` and `setup`"
        ))),
    }
}

/// Refuses data of which every column is left out.
pub(super) fn refuse_no_columns(examples: &Examples, source: Source<'_>) -> Result<(), Failure> {
    match examples.fields().is_empty() {
        false => Ok(()),
        true => Err(Failure::wrong(format!(
            "{source}: no column is left to ask for; see the columns that --ignore, --tests or the warnings leave out"
        ))),
    }
}

pub(super) fn words(notice: &Notice, reading: &DataArgs) -> String {
    match notice {
        Notice::Constant { column } => format!("column `{column}` has one value only and is left out"),
        Notice::AllMissing { column } => format!("column `{column}` has no values and is left out"),
        Notice::Identifier { column, values } => {
            format!("column `{column}` seems to name the rows ({values} different values) and is left out")
        }
        Notice::ManyWords { column, values } => format!(
            "column `{column}` has {values} different words, more than {}, and is left out; join rare words to keep it",
            fewest::learn::MAX_WORDS
        ),
        Notice::NoClass { rows } => format!("{} without a class left out", count(*rows, "row")),
        Notice::MissingCells { cells, columns } => {
            let meaning = match reading.missing {
                LearnMissingArg::Likelier => "go where most rows go",
                _ => "are an answer of their own, `?`",
            };
            format!(
                "{} in {} {meaning}; see --missing",
                count(*cells, "missing cell"),
                count(*columns, "column")
            )
        }
    }
}
