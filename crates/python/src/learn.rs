//! Learned trees: grown from columns, read from files, and used for predictions.

use crate::error::Fault;
use crate::frame::{Frame, numbers};
use crate::options::choice;
use crate::run::run_to_end;
use arrow_array::types::{Float64Type, Int32Type, UInt32Type};
use fewest::StopReason;
use fewest::learn::{
    Bins, Categories, Correction, DEEPEST, Evaluation, Examples, Field, FitOptions, Grower, LearnedTree,
    MISSING, MissingAnswer, Order, Pruning, Smoothing, Strength, Testing, Validation, Value, Values,
    grow_and_prune, model, significances,
};
use fewest_formats::learned::{Learned, SavedModel, draw_learned, sketch, write_learned};
use fewest_formats::picture::{Limits, tree_svg};
use fewest_formats::read::{ReadOptions, read_table_from_batches};
use fewest_formats::text::{Depth, Layout};
use fewest_formats::write::write_csv;
use fewest_model::{Labels, Role};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList};
use rayon::prelude::*;
use std::sync::Arc;

/// How a tree is grown and pruned.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct LearnOptions {
    /// Largest p-value; none: no pruning.
    alpha: Option<f64>,
    categories: String,
    /// Whether a missing cell follows the likelier branch.
    likelier: bool,
    max_depth: Option<usize>,
    min_leaf: f64,
    smoothing: Option<f64>,
    laplace: bool,
    /// Number of ranges; 0: every cut; none: by the size of the data.
    bins: Option<u16>,
    seed: u64,
}

/// A tree that predicts.
#[pyclass(frozen, module = "fewest._fewest")]
pub(crate) struct Model {
    saved: Arc<SavedModel>,
    bytes: Vec<u8>,
}

/// Node: field, question, answers with children, class weights.
type NodeTuple = (Option<usize>, Option<String>, Vec<(String, usize)>, Vec<f64>);

impl LearnOptions {
    fn fit(&self) -> PyResult<FitOptions> {
        Ok(FitOptions {
            categories: choice::<Categories>("categories", &self.categories)?,
            missing: if self.likelier { MissingAnswer::Likelier } else { MissingAnswer::Own },
            max_depth: self.max_depth.unwrap_or(DEEPEST).min(DEEPEST),
            min_leaf: self.min_leaf,
            bins: match self.bins {
                None => Bins::Auto,
                Some(0) => Bins::Exact,
                Some(ranges @ 2..=255) => Bins::Ranges(ranges),
                Some(_) => {
                    return Err(PyValueError::new_err(
                        "bins: choose auto, exact or a whole number from 2 to 255",
                    ));
                }
            },
            ..FitOptions::default()
        })
    }

    fn testing(&self) -> Testing {
        Testing { always_chi_squared: false, correction: Correction::None, seed: self.seed }
    }

    fn pruning(&self) -> Pruning {
        match self.alpha {
            None => Pruning::None,
            Some(alpha) => Pruning::ChiSquared {
                alpha: Strength::At(alpha),
                order: Order::BottomUp,
                testing: self.testing(),
            },
        }
    }

    fn smoothing(&self) -> Smoothing {
        match (self.laplace, self.smoothing) {
            (true, _) => Smoothing::Laplace,
            (false, Some(rows)) => Smoothing::Prior(rows),
            (false, None) => Smoothing::None,
        }
    }
}

/// Columns as fields: numbers, or codes of words.
fn fields(columns: &Bound<'_, PyList>) -> PyResult<Vec<Field>> {
    let mut fields = Vec::with_capacity(columns.len());
    for column in columns {
        let (name, kind, data, words) =
            column.extract::<(String, String, Bound<'_, PyAny>, Option<Vec<String>>)>()?;
        let values = match kind.as_str() {
            "f8" => Values::Numbers(numbers::<Float64Type, 8>(&data, f64::from_ne_bytes)?.values().to_vec()),
            "codes" => {
                let words = words.ok_or_else(|| PyTypeError::new_err("codes need their words"))?;
                let codes = numbers::<Int32Type, 4>(&data, i32::from_ne_bytes)?;
                let code = |code: &i32| {
                    u32::try_from(*code).ok().filter(|code| (*code as usize) < words.len()).unwrap_or(MISSING)
                };
                let codes = codes.values().iter().map(code).collect();
                let labels: Labels = words.iter().map(String::as_str).collect();
                Values::Words { labels, codes }
            }
            other => return Err(PyTypeError::new_err(format!("no kind of column is called `{other}`"))),
        };
        fields.push(Field { name, values, stray: None });
    }
    Ok(fields)
}

/// Grow a tree from columns, the class of each row and its weight.
#[pyfunction]
#[pyo3(signature = (columns, classes, target, weights, costs, options))]
#[expect(clippy::needless_pass_by_value, reason = "arguments of Python come by value")]
pub(crate) fn fit(
    py: Python<'_>,
    columns: &Bound<'_, PyList>,
    classes: Vec<String>,
    target: &Bound<'_, PyAny>,
    weights: Option<&Bound<'_, PyAny>>,
    costs: Option<Vec<f64>>,
    options: LearnOptions,
) -> PyResult<Model> {
    let fields = fields(columns)?;
    let target = numbers::<UInt32Type, 4>(target, u32::from_ne_bytes)?.values().to_vec();
    let weights =
        weights.map(|weights| numbers::<Float64Type, 8>(weights, f64::from_ne_bytes)).transpose()?;
    let weights = weights.map(|weights| weights.values().to_vec());
    if fields.iter().any(|field| field.len() != target.len())
        || weights.as_ref().is_some_and(|weights| weights.len() != target.len())
        || costs.as_ref().is_some_and(|costs| costs.len() != fields.len())
        || target.iter().any(|class| *class as usize >= classes.len())
    {
        return Err(PyValueError::new_err("columns, classes, weights and costs differ in length"));
    }
    let examples = Examples::from_parts(fields, classes, target, weights, costs);
    let examples = examples.map_err(|error| Fault::examples(&error))?;
    let (fit, pruning) = (options.fit()?, options.pruning());
    let (smoothing, testing) = (options.smoothing(), options.testing());
    let bytes = run_to_end(py, move |_| grown(&examples, &fit, &pruning, smoothing, testing))??;
    Ok(Model::of(bytes)?)
}

fn grown(
    examples: &Examples,
    options: &FitOptions,
    pruning: &Pruning,
    smoothing: Smoothing,
    testing: Testing,
) -> Result<Vec<u8>, Fault> {
    let validation = Validation { folds: 10, seed: testing.seed, smoothing };
    let grower = Grower::new(examples, options);
    let mut pruned = grow_and_prune(&grower, examples, &examples.rows(), options, pruning, &validation);
    let tree = std::mem::replace(&mut pruned.tree, LearnedTree { nodes: Vec::new() });
    let model = model(examples, "class", options, tree);
    let tests = significances(&model.tree, testing);
    let training = Evaluation::of_training(&model.tree, examples, smoothing);
    let learned = Learned {
        model: &model,
        examples,
        notices: &[],
        pruning,
        pruned: &pruned,
        tests: &tests,
        smoothing,
        training: &training,
        cross_validation: None,
        held_out: None,
        stop: StopReason::Complete,
    };
    let mut bytes = Vec::new();
    write_learned(&mut bytes, &learned).map_err(|error| Fault::Other(error.to_string()))?;
    Ok(bytes)
}

impl Model {
    fn of(bytes: Vec<u8>) -> Result<Self, Fault> {
        let read = SavedModel::read(&bytes);
        let saved =
            read.map_err(|error| Fault::table(error.words(|_| "save one with `model.save(path)`")))?;
        Ok(Self { saved: Arc::new(saved), bytes })
    }
}

#[pymethods]
impl Model {
    /// Read a saved model.
    #[staticmethod]
    fn of_bytes(data: PyBackedBytes) -> PyResult<Self> {
        Ok(Self::of(data.to_vec())?)
    }

    /// The model as the file that `fewest predict` reads.
    fn to_json<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Self>().getattr("of_bytes")?, (self.to_json(py),)))
    }

    /// Names of the classes.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.saved.model.classes.clone()
    }

    /// Names of the columns, and the words of those that hold words.
    #[getter]
    fn fields(&self) -> Vec<(String, Option<Vec<String>>)> {
        let words = |labels: &Labels| labels.iter().map(str::to_owned).collect();
        self.saved
            .model
            .fields
            .iter()
            .map(|field| (field.name.clone(), field.words.as_ref().map(words)))
            .collect()
    }

    /// Nodes, parents before children.
    #[getter]
    fn nodes(&self) -> Vec<NodeTuple> {
        let model = &self.saved.model;
        let one = |node: &fewest::learn::LearnedNode| match &node.split {
            None => (None, None, Vec::new(), node.classes.clone()),
            Some(split) => {
                let field = &model.fields[split.question.field()];
                let labels = field.words.as_ref();
                let text = |answer: u32| split.question.answer_text(answer, labels).to_owned();
                let answers = split.answers.iter().map(|(answer, child)| (text(*answer), *child)).collect();
                let question = split.question.text(&field.name, labels);
                (Some(split.question.field()), Some(question), answers, node.classes.clone())
            }
        };
        model.tree.nodes.iter().map(one).collect()
    }

    /// Probability of each class at each node.
    #[getter]
    fn probabilities(&self) -> Vec<Vec<f64>> {
        let nodes = &self.saved.model.tree.nodes;
        nodes.iter().map(|node| self.saved.smoothing.probabilities(node, &nodes[0].classes)).collect()
    }

    /// Number of the node at which each row ends, as bytes of 64-bit numbers, and the cost of asking.
    fn apply<'py>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyList>,
        rows: usize,
        costs: Vec<f64>,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let fields = fields(columns)?;
        let known = self.saved.model.fields.len();
        if fields.len() != known || costs.len() != known || fields.iter().any(|field| field.len() != rows) {
            return Err(PyValueError::new_err("the columns are not those of the model"));
        }
        // Words in the model's own numbers.
        let own: Vec<Option<Vec<Value>>> =
            fields.iter().zip(&self.saved.model.fields).map(|(field, own)| values(field, own)).collect();
        let saved = Arc::clone(&self.saved);
        let (nodes, paid) = run_to_end(py, move |_| {
            let model = &saved.model;
            let ends: Vec<(usize, f64)> = (0..rows)
                .into_par_iter()
                .map_init(Vec::new, |asked: &mut Vec<usize>, row| {
                    asked.clear();
                    let node = model.tree.route(model.missing, |field| {
                        if !asked.contains(&field) {
                            asked.push(field);
                        }
                        value(&fields[field], own[field].as_deref(), row)
                    });
                    (node, asked.iter().map(|field| costs[*field]).sum())
                })
                .collect();
            let nodes: Vec<u8> = ends.iter().flat_map(|(node, _)| (*node as i64).to_ne_bytes()).collect();
            let paid: Vec<u8> = ends.iter().flat_map(|(_, paid)| f64::to_ne_bytes(*paid)).collect();
            (nodes, paid)
        })?;
        Ok((PyBytes::new(py, &nodes), PyBytes::new(py, &paid)))
    }

    /// The tree as lines of text.
    fn text(&self, width: usize, lines: Option<usize>, seed: u64) -> String {
        let testing = Testing { always_chi_squared: false, correction: Correction::None, seed };
        let tests = significances(&self.saved.model.tree, testing);
        let layout = Layout { width, depth: lines.map_or(Depth::Full, Depth::Lines) };
        draw_learned(&self.saved.model, &tests, layout)
    }

    /// The tree as a picture; as much as can be read, or all of it.
    fn svg(&self, title: &str, whole: bool) -> String {
        let limits = if whole { Limits::NONE } else { Limits { rows: 60, depth: 12, answers: 30 } };
        tree_svg(&sketch(title, &self.saved.model), limits).svg
    }
}

/// Value of each word of `field` in the numbers of the model's column; none for numbers.
fn values(field: &Field, own: &fewest::learn::FieldName) -> Option<Vec<Value>> {
    match (&field.values, &own.words) {
        (Values::Words { labels, .. }, Some(words)) => {
            let value = |word: &str| words.find(word).map_or(Value::Unknown, |at| Value::Word(at as u32));
            Some(labels.iter().map(value).collect())
        }
        (Values::Words { labels, .. }, None) => {
            let value = |word: &str| word.trim().parse().map_or(Value::Unknown, Value::Number);
            Some(labels.iter().map(value).collect())
        }
        (Values::Numbers(_), _) => None,
    }
}

fn value(field: &Field, own: Option<&[Value]>, row: usize) -> Value {
    match (field.value(row), own) {
        (Value::Word(code), Some(own)) => own.get(code as usize).copied().unwrap_or(Value::Unknown),
        (value, _) => value,
    }
}

/// Rows of a frame as CSV, with a first column `number` that counts them.
fn csv(frame: Frame, number: &str) -> Result<Vec<u8>, Fault> {
    let Frame { header, batches } = frame;
    let numbered = std::iter::once(number.to_owned()).chain(header).collect();
    let mut rows = 0;
    let with_numbers = batches.map(move |batch| {
        let batch = batch?;
        let first = rows + 1;
        rows += batch.num_rows() as u64;
        let numbers = arrow_array::UInt64Array::from_iter_values(first..=rows);
        let columns: Vec<(String, arrow_array::ArrayRef)> =
            std::iter::once(Arc::new(numbers) as arrow_array::ArrayRef)
                .chain(batch.columns().iter().cloned())
                .enumerate()
                .map(|(at, column)| (at.to_string(), column))
                .collect();
        arrow_array::RecordBatch::try_from_iter(columns).map_err(|error| error.to_string())
    });
    let options = ReadOptions { group: Role::None, ..ReadOptions::default() };
    let (table, _) = read_table_from_batches(numbered, with_numbers, "data", &options)
        .map_err(|error| Fault::reading(&error, None))?;
    let mut bytes = Vec::new();
    write_csv(&mut bytes, &table).map_err(|error| Fault::Other(error.to_string()))?;
    Ok(bytes)
}

/// Rows of an object with `__arrow_c_stream__` as CSV.
#[pyfunction]
pub(crate) fn csv_of_arrow<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    number: String,
) -> PyResult<Bound<'py, PyBytes>> {
    let frame = Frame::of_arrow(data)?;
    let bytes = run_to_end(py, move |_| csv(frame, &number))??;
    Ok(PyBytes::new(py, &bytes))
}

/// Columns as CSV.
#[pyfunction]
pub(crate) fn csv_of_columns<'py>(
    py: Python<'py>,
    columns: &Bound<'py, PyList>,
    number: String,
) -> PyResult<Bound<'py, PyBytes>> {
    let frame = Frame::of_columns(columns)?;
    let bytes = run_to_end(py, move |_| csv(frame, &number))??;
    Ok(PyBytes::new(py, &bytes))
}
