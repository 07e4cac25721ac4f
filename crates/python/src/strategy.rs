//! Strategies: built here or read from a file, with or without their table.

use crate::error::Fault;
use crate::goal::GoalOptions;
use crate::run::{Ended, RunOptions, ended, run};
use crate::spell::python;
use crate::table::{Contents, Table, json};
use fewest::robustness::robustness;
use fewest::session::parse::{did_you_mean, nearest};
use fewest::{Goal, Outcome, Tree, build_watched};
use fewest_formats::json::{BoundPart, CostPart, InstancePart, Number, ObjectivePart, ShiftPart, stop_word};
use fewest_formats::text::{Depth, Layout, draw};
use fewest_formats::wording::FileKind;
use fewest_formats::{NamedNode, NamedTree, Strategy as Saved, write_outcome};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// An order of questions, with what is known of its quality.
#[pyclass(frozen, module = "fewest._fewest")]
pub(crate) struct Strategy {
    source: Source,
    named: OnceLock<NamedTree>,
    tree: OnceLock<Arc<Tree>>,
}

enum Source {
    /// Built here.
    Built(Box<Built>),
    /// Read from a file, perhaps joined with its table.
    Saved { saved: Box<Saved>, bytes: Vec<u8>, contents: Option<Arc<Contents>> },
}

struct Built {
    contents: Arc<Contents>,
    goal: Goal,
    outcome: Outcome,
}

/// A node: test, question, cost, probability, answers with their children, groups and objects.
type NodeTuple = (Option<String>, Option<String>, f64, f64, Vec<(String, usize)>, Vec<String>, Vec<String>);

/// End of a path: groups, objects, probability, the question that has no answer, what was asked, and its cost.
type Reached = (Vec<String>, Vec<String>, f64, Option<String>, Vec<(String, String)>, f64);

impl Strategy {
    /// Strategy that `build` found.
    pub(crate) fn built(contents: Arc<Contents>, goal: Goal, outcome: Outcome) -> Self {
        let source = Source::Built(Box::new(Built { contents, goal, outcome }));
        Self { source, named: OnceLock::new(), tree: OnceLock::new() }
    }

    /// The table, if it is known.
    pub(crate) fn contents(&self) -> Option<&Arc<Contents>> {
        match &self.source {
            Source::Built(built) => Some(&built.contents),
            Source::Saved { contents, .. } => contents.as_ref(),
        }
    }

    /// The tree in numbers of its table.
    pub(crate) fn tree(&self) -> Option<&Arc<Tree>> {
        match &self.source {
            Source::Built(built) => Some(self.tree.get_or_init(|| Arc::new(built.outcome.tree.clone()))),
            Source::Saved { .. } => self.tree.get(),
        }
    }

    fn named(&self) -> &NamedTree {
        match &self.source {
            Source::Saved { saved, .. } => &saved.tree,
            Source::Built(built) => {
                self.named.get_or_init(|| NamedTree::new(&built.outcome.tree, &built.contents.instance))
            }
        }
    }

    fn written(&self, as_file: bool) -> Result<Vec<u8>, Fault> {
        match &self.source {
            Source::Saved { bytes, .. } => Ok(bytes.clone()),
            Source::Built(built) => {
                let Built { contents, goal, outcome } = &**built;
                let reading = as_file.then_some(&contents.reading);
                let mut bytes = Vec::new();
                write_outcome(&mut bytes, &contents.instance, goal, outcome, self.named(), reading, None)
                    .map_err(|error| Fault::Other(error.to_string()))?;
                Ok(bytes)
            }
        }
    }
}

/// How to save a file of a kind, in Python.
fn saved_by(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Strategy => "save one with `strategy.save(path)`",
        FileKind::Certificate => "build with `proof=True` and save with `strategy.save(path)`",
        FileKind::Session => "save one with `session.save(path)`",
        FileKind::Model => "save one with `model.save(path)`",
    }
}

#[pymethods]
impl Strategy {
    /// Read a saved strategy.
    #[staticmethod]
    fn of_bytes(py: Python<'_>, data: PyBackedBytes) -> PyResult<Self> {
        let saved = py.detach(|| Saved::read(&data)).map_err(|error| Fault::table(error.words(saved_by)))?;
        let source = Source::Saved { saved: Box::new(saved), bytes: data.to_vec(), contents: None };
        Ok(Self { source, named: OnceLock::new(), tree: OnceLock::new() })
    }

    /// The same strategy joined with its table; every name, cost and weight is compared.
    fn with_table(&self, table: &Table) -> PyResult<Self> {
        let contents = Arc::clone(&table.contents);
        let tree = self.named().to_tree(&contents.instance);
        let tree =
            tree.map_err(|error| Fault::table(format!("{}: {}", contents.name, error.words(python))))?;
        let bytes = self.written(true)?;
        let saved = Saved::read(&bytes).map_err(|error| Fault::table(error.words(saved_by)))?;
        let source = Source::Saved { saved: Box::new(saved), bytes, contents: Some(contents) };
        Ok(Self { source, named: OnceLock::new(), tree: Arc::new(tree).into() })
    }

    /// Whether the table is known.
    #[getter]
    fn has_table(&self) -> bool {
        self.contents().is_some()
    }

    /// The table, if it is known.
    #[getter]
    fn table(&self) -> Option<Table> {
        self.contents().map(|contents| Table { contents: Arc::clone(contents) })
    }

    /// Costs, bound, and how the strategy was found, as JSON.
    #[getter]
    fn facts(&self) -> PyResult<String> {
        // The names of a large tree take longer than the tree, and may not be wanted.
        let (nodes, leaves) = match &self.source {
            Source::Built(built) => (built.outcome.tree.nodes().len(), built.outcome.tree.leaf_count()),
            Source::Saved { saved, .. } => {
                let is_leaf = |node: &&NamedNode| matches!(node, NamedNode::Leaf { .. });
                (saved.tree.nodes.len(), saved.tree.nodes.iter().filter(is_leaf).count())
            }
        };
        Ok(json(|document| {
            match &self.source {
                Source::Saved { saved, .. } => {
                    document.field("instance", &saved.instance)?;
                    document.field("objective", &saved.objective)?;
                    document.field("algorithm", &saved.algorithm)?;
                    document.field("cost", &saved.cost)?;
                    document.field("lower_bound", &saved.lower_bound)?;
                    document.field("gap", &saved.gap)?;
                    document.field("optimal", &saved.optimal)?;
                    document.field("stop", &saved.stop)?;
                }
                Source::Built(built) => {
                    let Built { contents, goal, outcome } = &**built;
                    document.field("instance", &InstancePart::new(&contents.instance))?;
                    document.field("objective", &ObjectivePart::from(goal.objective))?;
                    document.field("algorithm", outcome.origin.name())?;
                    document.field("cost", &CostPart::from(outcome.costs))?;
                    document.field("lower_bound", &BoundPart::from(outcome.bound))?;
                    document.field("gap", &Number(outcome.gap))?;
                    document.field("optimal", &outcome.optimal)?;
                    document.field("stop", stop_word(outcome.stop))?;
                    document.field("elapsed", &outcome.elapsed.as_secs_f64())?;
                    document.field("unranked", &outcome.unranked)?;
                    document.field("is_finished", &outcome.unfinished.is_none())?;
                    document.field("is_within_cap", &(outcome.costs.worst <= outcome.cap * (1.0 + 1e-12)))?;
                }
            }
            document.field("leaves", &leaves)?;
            document.field("questions", &(nodes - leaves))
        })?)
    }

    /// The strategy as JSON: like the file of `fewest build --output`, or like `fewest build --json`.
    fn to_json<'py>(&self, py: Python<'py>, as_file: bool) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.written(as_file))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The tree as lines of text; as deep as fits `lines`, or whole.
    fn text(&self, width: usize, lines: Option<usize>) -> String {
        draw(self.named(), Layout { width, depth: lines.map_or(Depth::Full, Depth::Lines) })
    }

    /// The nodes, parents before children.
    #[getter]
    fn nodes(&self) -> Vec<NodeTuple> {
        let one = |node: &NamedNode| match node.clone() {
            NamedNode::Ask { test, question, cost, weight, answers } => {
                (Some(test), question, cost, weight, answers, Vec::new(), Vec::new())
            }
            NamedNode::Leaf { groups, objects, weight } => {
                (None, None, 0.0, weight, Vec::new(), groups, objects)
            }
        };
        self.named().nodes.iter().map(one).collect()
    }

    /// Follow answers through the tree, as far as they go.
    fn follow(&self, answers: BTreeMap<String, Option<String>>) -> PyResult<Reached> {
        let nodes = &self.named().nodes;
        let (mut at, mut asked, mut paid) = (0, Vec::new(), 0.0);
        loop {
            match &nodes[at] {
                NamedNode::Leaf { groups, objects, weight } => {
                    return Ok((groups.clone(), objects.clone(), *weight, None, asked, paid));
                }
                NamedNode::Ask { test, cost, weight, answers: branches, .. } => {
                    let Some(Some(answer)) = answers.get(test) else {
                        let (groups, objects) = below(nodes, at);
                        return Ok((groups, objects, *weight, Some(test.clone()), asked, paid));
                    };
                    let (text, child) = branch(test, branches, answer)?;
                    asked.push((test.clone(), text));
                    paid += cost;
                    at = child;
                }
            }
        }
    }

    /// Upper bounds on the expected cost under other priors, as JSON.
    fn robustness(&self) -> PyResult<String> {
        let (Some(contents), Some(tree)) = (self.contents(), self.tree()) else {
            return Err(
                Fault::table("the strategy has no table; join it with `strategy.with_table(table)`").into()
            );
        };
        let shifts = robustness(tree, &contents.instance);
        Ok(json(|document| document.list("robustness", shifts.into_iter().map(ShiftPart::from)))?)
    }
}

/// Branch for an answer: by its exact text, else except for case, else as another word for yes or no.
fn branch(test: &str, branches: &[(String, usize)], answer: &str) -> Result<(String, usize), Fault> {
    let wanted = answer.trim();
    let find = |fits: &dyn Fn(&str) -> bool| branches.iter().find(|(text, _)| fits(text)).cloned();
    let lower = wanted.to_lowercase();
    let found = find(&|text| text == wanted)
        .or_else(|| find(&|text| text.to_lowercase() == lower))
        .or_else(|| find(&|text| same_number(text, wanted)))
        .or_else(|| truth(wanted).and_then(|meant| find(&|text| truth(text) == Some(meant))));
    found.ok_or_else(|| {
        let texts: Vec<&str> = branches.iter().map(|(text, _)| text.as_str()).collect();
        let nearest = nearest(texts.iter().copied(), wanted).map(str::to_owned);
        let meant = did_you_mean(nearest.as_deref());
        let known = texts.iter().take(12).map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ");
        Fault::Name {
            message: format!("test `{test}` has no answer `{wanted}` here{meant}; it has {known}"),
            nearest,
        }
    })
}

fn same_number(left: &str, right: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    number(left).is_some_and(|left| number(right) == Some(left))
}

/// Meaning of a word for yes or no.
fn truth(word: &str) -> Option<bool> {
    match word.to_lowercase().as_str() {
        "yes" | "y" | "true" | "1" => Some(true),
        "no" | "n" | "false" | "0" => Some(false),
        _ => None,
    }
}

/// Groups and objects of all leaves below a node, in order of first appearance.
fn below(nodes: &[NamedNode], root: usize) -> (Vec<String>, Vec<String>) {
    let (mut groups, mut objects): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut seen = std::collections::BTreeSet::new();
    let mut open = vec![root];
    while let Some(at) = open.pop() {
        if let NamedNode::Leaf { groups: own, objects: those, .. } = &nodes[at] {
            groups.extend(own.iter().filter(|name| seen.insert((0, (*name).clone()))).cloned());
            objects.extend(those.iter().filter(|name| seen.insert((1, (*name).clone()))).cloned());
        }
        let children: Vec<usize> = nodes[at].children().collect();
        open.extend(children.into_iter().rev());
    }
    (groups, objects)
}

/// Build the best strategy; also returns the exception that ended it early.
#[pyfunction]
pub(crate) fn build(
    py: Python<'_>,
    table: &Table,
    goal: GoalOptions,
    options: RunOptions,
) -> PyResult<Ended<Strategy>> {
    let limit = goal.limit()?;
    let goal = goal.goal()?;
    let contents = Arc::clone(&table.contents);
    let several = contents.instance.has_several();
    if let Some(algorithm) = goal.algorithm.filter(|algorithm| several && !algorithm.takes_several()) {
        return Err(Fault::table(format!(
            "{}: algorithm=\"{}\" needs one answer in every cell, but some cells are unknown or list several answers; \
             name a greedy one such as ggbs, or leave it out",
            contents.name, algorithm.name
        ))
        .into());
    }
    let finished = run(py, &options, move |context| {
        let limit = limit(context);
        let outcome = build_watched(&contents.instance, &goal, &limit, |progress| context.tell(progress));
        Strategy::built(contents, goal, outcome)
    })?;
    Ok(ended(py, finished))
}
