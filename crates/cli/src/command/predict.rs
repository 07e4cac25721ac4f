//! `fewest predict`: classes and probabilities for new rows, one after the other.

use super::bytes_of;
use super::learn::warn_of_absent;
use crate::args::PredictArgs;
use crate::failure::Failure;
use crate::print::Printer;
use crate::spell::flag;
use crate::spell::saved_by;
use crate::wording;
use fewest::learn::Evaluation;
use fewest_formats::json::{Number, VERSION, text};
use fewest_formats::learned::{Prediction, Predictor, SavedModel};
use fewest_formats::read::{ReadError, Rows};
use fewest_formats::write::quoted;
use serde::Serialize;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn run(args: &PredictArgs, printer: &Printer) -> Result<(), Failure> {
    if args.model == Path::new("-") && args.data == Path::new("-") {
        return Err(Failure::wrong(
            "the model and the rows cannot both be standard input; name a file for one",
        ));
    }
    let (name, bytes) = bytes_of(&args.model, printer)?;
    let saved = SavedModel::read(&bytes)
        .map_err(|error| Failure::wrong(format!("{name}: {}", error.words(saved_by))))?;
    let source = printer.source(&args.data)?;
    let mut rows = Rows::open(source).map_err(Failure::wrong)?;
    let wrong =
        |error: fewest::learn::ExamplesError| Failure::wrong(format!("{source}: {}", error.words(flag)));
    let (mut predictor, outline) = Predictor::new(&saved, rows.header()).map_err(wrong)?;
    warn_of_absent(&source.to_string(), &outline.absent, printer);
    let mut evaluation = Evaluation::new(saved.model.classes.len());
    // A mistake in the data is reported as such, not as a failed write.
    let broken: RefCell<Option<ReadError>> = RefCell::new(None);
    let json = printer.wants_json();
    let written = printer.bytes_to_output(|out| {
        let mut writer = Writer::begin(out, &saved, rows.header(), json)?;
        loop {
            match rows.next() {
                Ok(None) => return writer.end(),
                Ok(Some((row, cells))) => {
                    let truth = predictor.truth(&cells);
                    let Prediction { node, probabilities, .. } = predictor.predict(&cells);
                    if let Some(truth) = truth {
                        evaluation.add_one(truth, node.class(), probabilities, 1.0, 0.0);
                    }
                    writer.row(row, &cells, node.class(), probabilities)?;
                }
                Err(error) => {
                    broken.replace(Some(error));
                    return Err(io::Error::other("the data are broken"));
                }
            }
        }
    });
    if let Some(error) = broken.into_inner() {
        return Err(Failure::wrong(error));
    }
    written?;
    if evaluation.weight > 0.0 {
        let (low, high) = evaluation.accuracy_interval();
        printer.note(&format!(
            "{} of {} rows predicted as `{}` says: {} % ({:.1}–{:.1} %), log loss {}",
            evaluation.correct,
            evaluation.weight,
            saved.model.target,
            wording::number(evaluation.accuracy() * 100.0, 1),
            low * 100.0,
            high * 100.0,
            wording::number(evaluation.mean_log_loss(), 4),
        ));
    }
    Ok(())
}

/// Writer of predictions, row by row.
struct Writer<'a, W: Write> {
    out: W,
    classes: &'a [String],
    object: Option<usize>,
    json: bool,
    first: bool,
}

#[derive(Serialize)]
struct RowPart<'a> {
    row: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<&'a str>,
    class: &'a str,
    probabilities: BTreeMap<&'a str, Number>,
}

impl<'a, W: Write> Writer<'a, W> {
    fn begin(mut out: W, saved: &'a SavedModel, header: &[String], json: bool) -> io::Result<Self> {
        let classes = &saved.model.classes;
        let object = header.iter().position(|name| name == "object");
        if json {
            let (target, names) = (text(&saved.model.target)?, text(classes)?);
            write!(
                out,
                "{{\n  \"version\": {VERSION},\n  \"target\": {target},\n  \"classes\": {names},\n  \"rows\": ["
            )?;
        } else {
            let name = if object.is_some() { "object" } else { "row" };
            let columns: Vec<String> =
                classes.iter().map(|class| quoted(&format!("p({class})")).into_owned()).collect();
            writeln!(out, "{name},class,{}", columns.join(","))?;
        }
        Ok(Self { out, classes, object, json, first: true })
    }

    fn row(&mut self, row: usize, cells: &[&str], class: usize, probabilities: &[f64]) -> io::Result<()> {
        let object = self.object.map(|at| cells[at]);
        if self.json {
            let named = self.classes.iter().map(String::as_str).zip(probabilities.iter().map(|p| Number(*p)));
            let part = RowPart { row, object, class: &self.classes[class], probabilities: named.collect() };
            let separator = if std::mem::take(&mut self.first) { "\n    " } else { ",\n    " };
            return write!(self.out, "{separator}{}", text(&part)?);
        }
        match object {
            Some(name) => write!(self.out, "{}", quoted(name))?,
            None => write!(self.out, "{row}")?,
        }
        write!(self.out, ",{}", quoted(&self.classes[class]))?;
        probabilities.iter().try_for_each(|p| write!(self.out, ",{p}"))?;
        writeln!(self.out)
    }

    fn end(&mut self) -> io::Result<()> {
        if self.json {
            self.out.write_all(b"]\n}\n")?;
        }
        self.out.flush()
    }
}
