//! Outcome of `learn` as one JSON object, which is also the model that `predict` reads.

use crate::json::{Document, InstancePart, Number, stop_word};
use fewest::StopReason;
use fewest::learn::{
    CalibrationPart, CrossValidation, Evaluation, Examples, Method, MissingAnswer, Model, Notice, PathPoint,
    Pruned, Pruning, Question, Significance, Smoothing,
};
use fewest::measure::{Joint, entropy_bits};
use serde::Serialize;
use serde::ser::SerializeMap;
use std::io::{self, Write};

/// Learned tree, with all that is reported about it.
#[derive(Clone, Copy, Debug)]
pub struct Learned<'a> {
    /// Tree, with the names of its columns and classes.
    pub model: &'a Model,
    /// Rows that the tree was learned from.
    pub examples: &'a Examples,
    /// Columns, rows and cells that were left out, with the reasons.
    pub notices: &'a [Notice],
    /// Method of pruning.
    pub pruning: &'a Pruning,
    /// Pruned tree, and the strengths that were tried.
    pub pruned: &'a Pruned,
    /// Significance of the question at each node.
    pub tests: &'a [Option<Significance>],
    /// Smoothing from counts to probabilities.
    pub smoothing: Smoothing,
    /// Evaluation on the rows that the tree was learned from.
    pub training: &'a Evaluation,
    /// Evaluation by cross-validation on these rows.
    pub cross_validation: Option<&'a CrossValidation>,
    /// Evaluation on rows that were held out.
    pub held_out: Option<&'a Evaluation>,
    /// Whether learning was completed, or stopped on request.
    pub stop: StopReason,
}

impl Learned<'_> {
    /// Size of the problem, in the terms that all commands share.
    pub fn instance(&self) -> InstancePart {
        let root = &self.model.tree.nodes[0];
        InstancePart {
            objects: self.examples.len(),
            rows: self.examples.len(),
            tests: self.examples.fields().len(),
            groups: self.model.classes.len(),
            identify: "groups".to_owned(),
            confirm: false,
            conditional: 0,
            entropy_bits: Number(entropy_bits(root.classes.iter().copied(), root.weight())),
        }
    }
}

/// Method and result of pruning.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PruningPart {
    /// Word of the method: `chi2`, `reduced-error`, `cost-complexity` or `none`.
    pub method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<Number>,
    leaves_before: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    path: Vec<PointPart>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct PointPart {
    parameter: Number,
    leaves: usize,
    error: Number,
    standard_error: Number,
    log_loss: Number,
}

impl From<&PathPoint> for PointPart {
    fn from(point: &PathPoint) -> Self {
        Self {
            parameter: Number(point.parameter),
            leaves: point.leaves,
            error: Number(point.error),
            standard_error: Number(point.standard_error),
            log_loss: Number(point.log_loss),
        }
    }
}

impl PruningPart {
    /// Converts `pruning` and its result.
    pub fn new(pruning: &Pruning, pruned: &Pruned) -> Self {
        let method = match pruning {
            Pruning::None => "none",
            Pruning::ChiSquared { .. } => "chi2",
            Pruning::ReducedError => "reduced-error",
            Pruning::CostComplexity { .. } => "cost-complexity",
        };
        Self {
            method,
            parameter: pruned.parameter.map(Number),
            leaves_before: pruned.leaves_before,
            path: pruned.path.iter().map(PointPart::from).collect(),
        }
    }
}

#[derive(Serialize)]
struct EvaluationPart {
    weight: Number,
    accuracy: Number,
    interval: [Number; 2],
    errors: Number,
    log_loss: Number,
    mean_log_loss: Number,
    cost: Number,
    confusion: Vec<Vec<Number>>,
    calibration: Vec<CalibrationTwin>,
    calibration_error: Number,
}

#[derive(Serialize)]
struct CalibrationTwin {
    weight: Number,
    promised: Number,
    correct: Number,
}

impl From<&Evaluation> for EvaluationPart {
    fn from(evaluation: &Evaluation) -> Self {
        let (low, high) = evaluation.accuracy_interval();
        let twin = |part: &CalibrationPart| CalibrationTwin {
            weight: Number(part.weight),
            promised: Number(part.promised),
            correct: Number(part.correct),
        };
        Self {
            weight: Number(evaluation.weight),
            accuracy: Number(evaluation.accuracy()),
            interval: [Number(low), Number(high)],
            errors: Number(evaluation.errors()),
            log_loss: Number(evaluation.log_loss),
            mean_log_loss: Number(evaluation.mean_log_loss()),
            cost: Number(evaluation.mean_cost()),
            confusion: evaluation
                .confusion
                .iter()
                .map(|line| line.iter().map(|x| Number(*x)).collect())
                .collect(),
            calibration: evaluation.calibration.iter().map(twin).collect(),
            calibration_error: Number(evaluation.calibration_error()),
        }
    }
}

#[derive(Serialize)]
struct CrossValidationPart {
    folds: usize,
    standard_error: Number,
    accuracies: Vec<Number>,
    leaves: Vec<usize>,
    #[serde(flatten)]
    evaluation: EvaluationPart,
}

impl From<&CrossValidation> for CrossValidationPart {
    fn from(found: &CrossValidation) -> Self {
        Self {
            folds: found.accuracies.len(),
            standard_error: Number(found.standard_error()),
            accuracies: found.accuracies.iter().map(|accuracy| Number(*accuracy)).collect(),
            leaves: found.leaves.clone(),
            evaluation: EvaluationPart::from(&found.evaluation),
        }
    }
}

#[derive(Serialize)]
struct NoticePart<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<&'a str>,
    why: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<usize>,
}

fn notice_part(notice: &Notice) -> NoticePart<'_> {
    let part = |column, why, values| NoticePart { column, why, values };
    match notice {
        Notice::Constant { column } => part(Some(column.as_str()), "constant", None),
        Notice::AllMissing { column } => part(Some(column.as_str()), "all missing", None),
        Notice::Identifier { column, values } => part(Some(column.as_str()), "identifier", Some(*values)),
        Notice::ManyWords { column, values } => part(Some(column.as_str()), "many words", Some(*values)),
        Notice::NoClass { rows } => part(None, "rows without class", Some(*rows)),
        Notice::MissingCells { cells, .. } => part(None, "missing cells", Some(*cells)),
    }
}

/// Word for a smoothing.
pub fn smoothing_word(smoothing: Smoothing) -> String {
    match smoothing {
        Smoothing::None => "none".to_owned(),
        Smoothing::Laplace => "laplace".to_owned(),
        Smoothing::Prior(rows) => format!("prior:{rows}"),
    }
}

/// Writes the outcome of `learn`.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_learned(out: impl Write, learned: &Learned<'_>) -> io::Result<()> {
    let model = learned.model;
    let alpha = match learned.pruning {
        Pruning::ChiSquared { .. } => learned.pruned.parameter.map(Number),
        _ => None,
    };
    let missing = match model.missing {
        MissingAnswer::Own => "answer",
        MissingAnswer::Likelier => "likelier",
    };
    let mut document = Document::begin(out)?;
    document.field("instance", &learned.instance())?;
    document.field("target", &model.target)?;
    document.field("rows", &learned.examples.len())?;
    document.field("classes", &model.classes)?;
    document.field("leaves", &model.tree.leaves())?;
    document.field("depth", &model.tree.depth())?;
    document.field("log_loss", &Number(model.tree.log_loss()))?;
    document.field("errors", &Number(model.tree.errors()))?;
    document.field("alpha", &alpha)?;
    document.field("stop", stop_word(learned.stop))?;
    document.field("pruning", &PruningPart::new(learned.pruning, learned.pruned))?;
    document.field("missing", missing)?;
    document.field("smoothing", &smoothing_word(learned.smoothing))?;
    document.list("left_out", learned.notices.iter().map(notice_part))?;
    document.field("training", &EvaluationPart::from(learned.training))?;
    if let Some(found) = learned.cross_validation {
        document.field("cross_validation", &CrossValidationPart::from(found))?;
    }
    if let Some(found) = learned.held_out {
        document.field("held_out", &EvaluationPart::from(found))?;
    }
    document.list("columns", model.fields.iter().map(column_part))?;
    document.raw("tree", |out| write_tree(out, learned))?;
    document.end()
}

#[derive(Serialize)]
struct ColumnPart<'a> {
    name: &'a str,
    kind: &'static str,
    /// Words of the column in the examples; any other word is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<Vec<&'a str>>,
}

fn column_part(field: &fewest::learn::FieldName) -> ColumnPart<'_> {
    let words = field.words.as_ref().map(|labels| labels.iter().collect());
    ColumnPart { name: &field.name, kind: if field.words.is_some() { "words" } else { "numbers" }, words }
}

/// Writes the tree without recursion, from a stack of the steps still to do.
fn write_tree(out: &mut impl Write, learned: &Learned<'_>) -> io::Result<()> {
    enum Step {
        Node(usize),
        Branch(String),
        Close,
    }
    let tree = &learned.model.tree;
    let mut waiting = vec![Step::Node(0)];
    while let Some(step) = waiting.pop() {
        match step {
            Step::Close => out.write_all(b"}}")?,
            Step::Branch(text) => out.write_all(text.as_bytes())?,
            Step::Node(at) => {
                let head = serde_json::to_string(&Head { learned, at })?;
                let Some(split) = &tree.nodes[at].split else {
                    out.write_all(head.as_bytes())?;
                    continue;
                };
                write!(out, "{},\"answers\":{{", head.strip_suffix('}').unwrap_or(&head))?;
                waiting.push(Step::Close);
                let labels = learned.model.fields[split.question.field()].words.as_ref();
                for (number, &(answer, child)) in split.answers.iter().enumerate().rev() {
                    let comma = if number > 0 { "," } else { "" };
                    let answer = serde_json::to_string(split.question.answer_text(answer, labels))?;
                    waiting.push(Step::Node(child));
                    waiting.push(Step::Branch(format!("{comma}{answer}:")));
                }
            }
        }
    }
    Ok(())
}

/// Fields of a node, without its answers.
struct Head<'a> {
    learned: &'a Learned<'a>,
    at: usize,
}

impl Serialize for Head<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Learned { model, examples, tests, .. } = self.learned;
        let node = &model.tree.nodes[self.at];
        let total = model.tree.nodes[0].weight();
        let mut map = serializer.serialize_map(None)?;
        if let Some(split) = &node.split {
            let field = &model.fields[split.question.field()];
            let labels = field.words.as_ref();
            map.serialize_entry("ask", &split.question.text(&field.name, labels))?;
            map.serialize_entry("column", &field.name)?;
            let label = |word: &u32| labels.map_or("", |labels| labels.get(*word as usize));
            match &split.question {
                Question::Above { cut, .. } => map.serialize_entry("cut", &Number(*cut))?,
                Question::Is { word, .. } => map.serialize_entry("word", label(word))?,
                Question::Among { words, .. } => {
                    map.serialize_entry("words", &words.iter().map(label).collect::<Vec<_>>())?;
                }
                Question::Which { .. } => (),
            }
            map.serialize_entry("cost", &Number(examples.cost(split.question.field())))?;
        }
        map.serialize_entry("weight", &Number(node.weight() / total))?;
        map.serialize_entry("class", &model.classes[node.class()])?;
        map.serialize_entry("classes", &Classes(&model.classes, &node.classes))?;
        if let Some(test) = tests.get(self.at).copied().flatten() {
            let joint = Joint::of(&model.tree.table(self.at));
            map.serialize_entry("information_bits", &Number(joint.information_bits))?;
            map.serialize_entry("likelihood_gain", &Number(joint.likelihood_gain()))?;
            map.serialize_entry("chi2", &Number(test.chi_squared.statistic))?;
            map.serialize_entry("dof", &test.chi_squared.degrees_of_freedom)?;
            map.serialize_entry("p_value", &Number(test.p_value))?;
            map.serialize_entry("p_value_by", method_word(test.method))?;
            if test.has_small_counts {
                map.serialize_entry("small_counts", &true)?;
            }
        }
        map.end()
    }
}

fn method_word(method: Method) -> &'static str {
    match method {
        Method::ChiSquared => "chi2",
        Method::Exact => "exact",
        Method::Permutation => "permutation",
        Method::Subset => "subset",
    }
}

/// Weights by name of class.
struct Classes<'a>(&'a [String], &'a [f64]);

impl Serialize for Classes<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().zip(self.1).map(|(name, weight)| (name, Number(*weight))))
    }
}
