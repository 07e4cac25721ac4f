//! Tables: what is known of the objects, and the questions that can be put to it at once.

use crate::error::Fault;
use crate::frame::Frame;
use crate::goal::{GoalOptions, lambda, limit, seconds};
use crate::options::TableOptions;
use crate::run::{Ended, RunOptions, ended, run, run_to_end};
use crate::spell::python;
use fewest::bound::{self, ObjectiveKind};
use fewest::front::front;
use fewest::inspect::{entropies, inspect};
use fewest::session::parse;
use fewest::{Inseparable, Instance, Lambda, MEMORY, Named, Reading, Warning, compare};
use fewest_formats::json::{
    BoundsPart, Document, InstancePart, Number, ReadingPart, RowPart, TestPart, stop_word,
};
use fewest_formats::plot::{Bar, FrontPlot, PlotBound, PlotPoint, bars_svg, front_svg};
use fewest_formats::read::{
    ReadOptions, ReadWarning, Source, read_table, read_table_from, read_table_from_batches,
};
use fewest_formats::wording;
use fewest_formats::write::write_csv;
use fewest_model::Table as Cells;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList};
use serde::Serialize;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;

/// What a table holds; shared by all that is made from it.
pub(crate) struct Contents {
    pub(crate) instance: Instance,
    pub(crate) reading: ReadingPart,
    pub(crate) name: String,
    /// What was read, to be written again.
    cells: Cells,
    options: Reading,
    warnings: Vec<(bool, String)>,
}

/// A table of objects and what each test would say of them.
#[pyclass(frozen, module = "fewest._fewest")]
pub(crate) struct Table {
    pub(crate) contents: Arc<Contents>,
}

type Read = Result<(Cells, Vec<ReadWarning>), Fault>;

/// Reads and checks a table away from the interpreter's lock.
fn load(
    py: Python<'_>,
    options: &TableOptions,
    name: &str,
    read: impl FnOnce(&ReadOptions) -> Read + Send + 'static,
) -> PyResult<Table> {
    let (readable, reading) = (options.read_options(), options.reading()?);
    let (verbatim, questions, name) = (options.is_verbatim(), options.questions.clone(), name.to_owned());
    let made = run_to_end(py, move |_| {
        let (mut cells, notes) = read(&readable)?;
        ask(&mut cells, &questions, &name)?;
        contents(cells, notes, &readable, reading, verbatim, name)
    })?;
    Ok(Table { contents: Arc::new(made?) })
}

fn contents(
    cells: Cells,
    notes: Vec<ReadWarning>,
    readable: &ReadOptions,
    reading: Reading,
    verbatim: bool,
    name: String,
) -> Result<Contents, Fault> {
    let mut warnings: Vec<(bool, String)> =
        notes.iter().map(|note| (note.is_note(), note.words(python))).collect();
    let wrong = |error| Fault::instance(&error, &name);
    let (instance, found) = Instance::new(cells.clone(), &reading).map_err(wrong)?;
    if !verbatim {
        instance.refuse_no_tests().map_err(wrong)?;
    }
    warnings.extend(found.iter().map(|warning| {
        let more = match warning {
            Warning::Inseparable { .. } => "; `inspect()` lists them",
            _ => "",
        };
        (warning.is_note(), format!("{name}: {}{more}", wording::warning(warning, python)))
    }));
    let part = ReadingPart::new(readable, &reading, &instance);
    Ok(Contents { instance, reading: part, name, cells, options: reading, warnings })
}

/// Gives tests the texts of their questions.
fn ask(cells: &mut Cells, questions: &[(String, String)], name: &str) -> Result<(), Fault> {
    if questions.is_empty() {
        return Ok(());
    }
    let row = match cells.about.iter().position(|about| about.what == "question") {
        Some(row) => row,
        None => {
            let cells_of_row = vec![String::new(); cells.columns.len()];
            let about = fewest_model::About { what: "question".to_owned(), row: 1, cells: cells_of_row };
            cells.about.push(about);
            cells.about.len() - 1
        }
    };
    for (test, text) in questions {
        let at = cells.columns.iter().position(|column| column.name == *test).ok_or_else(|| {
            let names = cells.columns.iter().map(|column| column.name.as_str());
            let nearest = parse::nearest(names, test).map(str::to_owned);
            let meant = parse::did_you_mean(nearest.as_deref());
            Fault::Name { message: format!("{name}: questions: there is no column `{test}`{meant}"), nearest }
        })?;
        text.trim().clone_into(&mut cells.about[row].cells[at]);
    }
    Ok(())
}

#[derive(Serialize)]
struct Bits {
    objects: Number,
    groups: Number,
}

#[derive(Serialize)]
struct BoundLine {
    name: &'static str,
    objective: &'static str,
    value: Number,
    reason: &'static str,
}

#[derive(Serialize)]
struct PointLine {
    expected: Number,
    worst: Number,
    by: &'static str,
    bound: Number,
    proved: bool,
}

/// JSON of a document whose writing cannot fail.
pub(crate) fn json(
    fill: impl FnOnce(&mut Document<&mut Vec<u8>>) -> std::io::Result<()>,
) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    let mut document = Document::begin(&mut bytes).map_err(|error| Fault::Other(error.to_string()))?;
    fill(&mut document).and_then(|()| document.end()).map_err(|error| Fault::Other(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| Fault::Other(error.to_string()))
}

#[pymethods]
impl Table {
    /// Read a file.
    #[staticmethod]
    fn of_path(py: Python<'_>, path: PathBuf, name: String, options: TableOptions) -> PyResult<Self> {
        load(py, &options, &name, move |readable| {
            let shown = path.display().to_string();
            read_table(Source::Path(&path), readable).map_err(|error| Fault::reading(&error, Some(&shown)))
        })
    }

    /// Read the bytes of a file.
    #[staticmethod]
    fn of_bytes(py: Python<'_>, data: PyBackedBytes, name: String, options: TableOptions) -> PyResult<Self> {
        let shown = name.clone();
        load(py, &options, &name, move |readable| {
            read_table_from(&data[..], &shown, readable).map_err(|error| Fault::reading(&error, None))
        })
    }

    /// Read an object with `__arrow_c_stream__`.
    #[staticmethod]
    fn of_arrow(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        name: String,
        options: TableOptions,
    ) -> PyResult<Self> {
        of_frame(py, Frame::of_arrow(data)?, name, &options)
    }

    /// Read columns: name, kind, data and, for categories, their names.
    #[staticmethod]
    fn of_columns(
        py: Python<'_>,
        columns: &Bound<'_, PyList>,
        name: String,
        options: TableOptions,
    ) -> PyResult<Self> {
        of_frame(py, Frame::of_columns(columns)?, name, &options)
    }

    /// Name of the table in messages.
    #[getter]
    fn name(&self) -> &str {
        &self.contents.name
    }

    /// Remarks about the table: whether it only says how the table was read, and the words.
    #[getter]
    fn warnings(&self) -> Vec<(bool, String)> {
        self.contents.warnings.clone()
    }

    /// Sizes of the table, and what is identified.
    #[getter]
    fn size(&self) -> PyResult<String> {
        let part = InstancePart::new(&self.contents.instance);
        fewest_formats::json::text(&part).map_err(|error| Fault::Other(error.to_string()).into())
    }

    /// Options with which the table was read, as a saved strategy holds them.
    #[getter]
    fn reading(&self) -> PyResult<String> {
        let part = &self.contents.reading;
        fewest_formats::json::text(part).map_err(|error| Fault::Other(error.to_string()).into())
    }

    /// Names of the objects, in the order of the table.
    #[getter]
    fn objects(&self) -> Vec<&str> {
        self.contents.cells.objects.iter().collect()
    }

    /// Names of the tests.
    #[getter]
    fn tests(&self) -> Vec<&str> {
        let instance = &self.contents.instance;
        instance.test_ids().map(|test| instance.test(test).name.as_str()).collect()
    }

    /// Names of the groups with their probabilities; several names where no test tells groups apart.
    #[getter]
    fn groups(&self) -> Vec<(Vec<&str>, f64)> {
        let instance = &self.contents.instance;
        let priors = instance.group_priors();
        let names = |at: usize| instance.group_names(fewest::GroupId::at(at));
        priors.into_iter().enumerate().map(|(at, prior)| (names(at), prior)).collect()
    }

    /// Objects that differ in some answer, with their probabilities.
    #[getter]
    fn priors(&self) -> Vec<(Vec<&str>, f64)> {
        let instance = &self.contents.instance;
        instance
            .objects()
            .map(|object| (instance.object_names(object).collect(), instance.prior(object)))
            .collect()
    }

    /// Cost of each test that is asked first.
    #[getter]
    fn costs(&self) -> Vec<f64> {
        let instance = &self.contents.instance;
        instance.test_ids().map(|test| instance.first_cost(test)).collect()
    }

    /// Answers of each test, with the text of its question.
    #[getter]
    fn answers(&self) -> Vec<(&str, Option<&str>, Vec<&str>)> {
        let instance = &self.contents.instance;
        let one = |test| {
            let test = instance.test(test);
            (test.name.as_str(), test.question.as_deref(), test.answers.iter().collect())
        };
        instance.test_ids().map(one).collect()
    }

    /// The table as CSV, as it was read.
    fn to_csv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = Vec::new();
        write_csv(&mut bytes, &self.contents.cells).map_err(|error| Fault::Other(error.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Name of the column of objects.
    #[getter]
    fn object_column(&self) -> &str {
        &self.contents.cells.object_column
    }

    /// Number that is the same for tables with the same contents and reading.
    #[getter]
    fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let cells = &self.contents.cells;
        cells.objects.iter().for_each(|name| name.hash(&mut hasher));
        for column in &cells.columns {
            column.name.hash(&mut hasher);
            column.labels.iter().for_each(|label| label.hash(&mut hasher));
            column.codes.iter().for_each(|code| code.hash(&mut hasher));
        }
        cells.about.iter().for_each(|about| about.cells.hash(&mut hasher));
        // The same contents may be read by the name of their first column, or because it is the first.
        let reading = ReadingPart { object: None, transpose: false, ..self.contents.reading.clone() };
        cells.object_column.hash(&mut hasher);
        fewest_formats::json::text(&reading).unwrap_or_default().hash(&mut hasher);
        hasher.finish()
    }

    /// Bytes that the table takes, about.
    #[getter]
    fn size_in_bytes(&self) -> usize {
        let cells = &self.contents.cells;
        let bits = |column: &fewest_model::Column| column.codes.width() as usize * cells.objects.len() / 8;
        cells.objects.text_len() + cells.columns.iter().map(|column| bits(column) * 2).sum::<usize>()
    }

    /// Every bound, as JSON.
    fn bounds(&self, py: Python<'_>, lam: f64, options: RunOptions) -> PyResult<Ended<String>> {
        let lambda = lambda(lam)?;
        let contents = Arc::clone(&self.contents);
        let finished = run(py, &options, move |context| {
            let instance = &contents.instance;
            let bounds = bound::all_within(instance, lambda, &limit(None, MEMORY, context));
            json(|document| {
                document.field("instance", &InstancePart::new(instance))?;
                document.field("lambda", &Number(lambda.value()))?;
                let (objects, groups) = entropies(instance);
                document.field("entropy_bits", &Bits { objects: Number(objects), groups: Number(groups) })?;
                document.list("bounds", bounds.iter().map(|bound| bound_line(bound, instance)))?;
                document.field("best", &BoundsPart::new(&bounds))
            })
        })?;
        let (text, error) = ended(py, finished);
        Ok((text?, error))
    }

    /// Every algorithm, as JSON, and a picture.
    fn compare(
        &self,
        py: Python<'_>,
        goal: GoalOptions,
        options: RunOptions,
    ) -> PyResult<Ended<(String, String)>> {
        let limit = goal.limit()?;
        let goal = goal.goal()?;
        let contents = Arc::clone(&self.contents);
        let finished = run(py, &options, move |context| {
            let instance = &contents.instance;
            let limit = limit(context);
            let (mut trials, outcome) = compare(instance, &goal, &limit, |progress| context.tell(progress));
            trials.extend(outcome.searched());
            let least = bound::best(&outcome.bounds, goal.objective.kind()).value;
            let cost = |trial: &fewest::Trial| trial.costs.get(goal.objective);
            let mut finished: Vec<_> = trials.iter().filter(|trial| trial.unfinished.is_none()).collect();
            finished.sort_by(|left, right| cost(left).total_cmp(&cost(right)));
            let mut bars = vec![Bar { name: "no strategy below", value: least }];
            bars.extend(finished.iter().map(|trial| Bar { name: trial.origin.name(), value: cost(trial) }));
            let title =
                format!("{}: {} cost of every algorithm", contents.name, goal.objective.kind().name());
            let picture = bars_svg(&title, "", &bars);
            let text = json(|document| {
                document.field("instance", &InstancePart::new(instance))?;
                document.field("bounds", &BoundsPart::new(&outcome.bounds))?;
                document.list("rows", trials.iter().map(RowPart::from))
            });
            text.map(|text| (text, picture))
        })?;
        let (value, error) = ended(py, finished);
        Ok((value?, error))
    }

    /// Expected against worst cost, as JSON, and a picture.
    fn front(
        &self,
        py: Python<'_>,
        time: Option<f64>,
        options: RunOptions,
    ) -> PyResult<Ended<(String, String)>> {
        if self.contents.instance.has_several() {
            return Err(Fault::table(format!(
                "{}: the front needs one answer in every cell, but some cells are unknown or list several answers; \
                 use missing=\"answer\", or build with each objective",
                self.contents.name
            ))
            .into());
        }
        let time = time.map(seconds).transpose()?;
        let contents = Arc::clone(&self.contents);
        let finished = run(py, &options, move |context| {
            let instance = &contents.instance;
            let limit = limit(time, MEMORY, context);
            let found = front(instance, &limit);
            let mut bounds = bound::all_within(instance, Lambda::TWO, &limit);
            bounds.extend(&found.bounds);
            let points: Vec<PlotPoint<'_>> = found
                .points
                .iter()
                .map(|point| PlotPoint {
                    expected: point.costs.expected,
                    worst: point.costs.worst,
                    by: point.by,
                })
                .collect();
            let best = |kind| {
                let bound = bound::best(&bounds, kind);
                PlotBound { value: bound.value, by: bound.name }
            };
            let picture = front_svg(&FrontPlot {
                title: &contents.name,
                points: &points,
                expected: best(ObjectiveKind::Expected),
                worst: best(ObjectiveKind::Worst),
            });
            let text = json(|document| {
                document.field("instance", &InstancePart::new(instance))?;
                document.list("points", found.points.iter().map(point_line))?;
                document.field("best_bounds", &BoundsPart::new(&bounds))?;
                document.field("stop", stop_word(found.stop))
            });
            text.map(|text| (text, picture))
        })?;
        let (value, error) = ended(py, finished);
        Ok((value?, error))
    }

    /// What each test says, as JSON, and a picture.
    fn inspect(&self, py: Python<'_>) -> PyResult<(String, String)> {
        let contents = Arc::clone(&self.contents);
        let found = run_to_end(py, move |_| inspected(&contents))?;
        Ok(found?)
    }
}

fn of_frame(py: Python<'_>, frame: Frame, name: String, options: &TableOptions) -> PyResult<Table> {
    let shown = name.clone();
    load(py, options, &name, move |readable| {
        let Frame { header, batches } = frame;
        let read = read_table_from_batches(header, batches, &shown, readable);
        read.map_err(|error| Fault::reading(&error, None))
    })
}

/// Statistics of the rows as they are, each in its own group.
fn inspected(contents: &Contents) -> Result<(String, String), Fault> {
    let reading = match contents.options.inseparable {
        Inseparable::Join => Reading { inseparable: Inseparable::Keep, ..contents.options.clone() },
        Inseparable::Refuse | Inseparable::Keep => contents.options.clone(),
    };
    let wrong = |error| Fault::instance(&error, &contents.name);
    let (rows, _) = Instance::new(contents.cells.clone(), &reading).map_err(wrong)?;
    let inspection = inspect(&rows);
    let name = |test: &fewest::TestId| rows.test(*test).name.as_str();
    let mut ranked: Vec<_> = inspection.tests.iter().collect();
    ranked.sort_by(|left, right| {
        right.information_bits.total_cmp(&left.information_bits).then(left.test.cmp(&right.test))
    });
    let bars: Vec<Bar<'_>> = ranked
        .iter()
        .map(|report| Bar { name: name(&report.test), value: report.information_bits })
        .collect();
    let picture = bars_svg(&format!("{}: information in each test", contents.name), "bits", &bars);
    let text = json(|document| {
        document.field("instance", &InstancePart::new(&rows))?;
        let (objects, groups) = entropies(&rows);
        document.field("entropy_bits", &Bits { objects: Number(objects), groups: Number(groups) })?;
        document.list("tests", inspection.tests.iter().map(|report| TestPart::new(report, &rows)))?;
        document.list("inseparable", rows.inseparable())?;
        document.list("useless", inspection.useless.iter().map(name))?;
        let sets = inspection.redundant.iter().map(|set| set.iter().map(name).collect::<Vec<_>>());
        document.list("redundant", sets)
    })?;
    Ok((text, picture))
}

fn bound_line(bound: &bound::Bound, instance: &Instance) -> BoundLine {
    let entry = bound::entries(instance).find(|entry| entry.name == bound.name);
    BoundLine {
        name: bound.name,
        objective: bound.kind.name(),
        value: Number(bound.value),
        reason: entry.map_or("", |entry| entry.reason),
    }
}

fn point_line(point: &fewest::front::Point) -> PointLine {
    PointLine {
        expected: Number(point.costs.expected),
        worst: Number(point.costs.worst),
        by: point.by,
        bound: Number(point.bound),
        proved: point.proved,
    }
}
