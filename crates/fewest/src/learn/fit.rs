//! Growth of a tree: the best question at every node, until nothing is gained.

use super::grid::{Prepared, prepare};
use super::search::{Candidate, Here, Search};
use super::{
    DEEPEST, Examples, FieldName, FitOptions, LearnedNode, LearnedTree, MISSING, MissingAnswer, Model, Split,
    Values,
};
use crate::limit::Limit;

/// Columns of numbers and words, prepared for growing trees from any of their rows.
pub struct Grower<'a> {
    examples: &'a Examples,
    options: &'a FitOptions,
    prepared: Vec<Prepared>,
    limit: Limit,
}

/// Node that waits for its question.
struct Waiting {
    node: usize,
    start: usize,
    end: usize,
    depth: usize,
    /// Counts of its rows, if those of its parent were worth keeping.
    counts: Option<Vec<f64>>,
    /// Columns asked for above the node.
    asked: Vec<usize>,
}

/// Grows a model from all rows of `examples`, without pruning.
///
/// ```
/// use fewest::learn::{Examples, Field, FitOptions, Preparation, Target, fit};
/// let fields = vec![Field::numbers("x", vec![1.0, 2.0, 3.0, 4.0]), Field::words("y", &["a", "a", "b", "b"])];
/// let (examples, _) = Examples::new(fields, &Target::parse("y", &["x", "y"])?, &Preparation::default())?;
/// let model = fit(&examples, "y", &FitOptions::default());
/// assert_eq!((model.tree.leaves(), model.tree.errors()), (2, 0.0)); // x > 2.5
/// # Ok::<(), fewest::learn::ExamplesError>(())
/// ```
pub fn fit(examples: &Examples, target: &str, options: &FitOptions) -> Model {
    let tree = Grower::new(examples, options).grow(&examples.rows());
    model(examples, target, options, tree)
}

/// Makes a model of `tree`, with the names of `examples`.
pub fn model(examples: &Examples, target: &str, options: &FitOptions, tree: LearnedTree) -> Model {
    let name = |field: &super::Field| FieldName {
        name: field.name.clone(),
        words: match &field.values {
            Values::Numbers(_) => None,
            Values::Words { labels, .. } => Some(labels.clone()),
        },
    };
    Model {
        target: target.to_owned(),
        classes: examples.classes().to_vec(),
        fields: examples.fields().iter().map(name).collect(),
        tree,
        missing: options.missing,
    }
}

impl<'a> Grower<'a> {
    /// Prepares the columns of `examples`.
    pub fn new(examples: &'a Examples, options: &'a FitOptions) -> Self {
        Self { examples, options, prepared: prepare(examples, options.bins), limit: Limit::none() }
    }

    /// Returns a grower with a limit: nodes without a question by then are leaves.
    pub fn within(self, limit: &Limit) -> Self {
        Self { limit: limit.clone(), ..self }
    }

    /// Grows a tree from `rows`: a leaf if the rows are of one class or no question gains anything, otherwise the
    /// best question and a node for each of its answers. \[Quinlan1986\]
    ///
    /// Time: for each level of the tree, one pass over the cells of the rows (sorted columns: one sort of them).
    pub fn grow(&self, rows: &[u32]) -> LearnedTree {
        let mut rows = rows.to_vec();
        let mut search = Search::new(self.examples, &self.prepared, self.options);
        let mut nodes = vec![LearnedNode { classes: self.examples.class_weights(&rows), split: None }];
        let all = Waiting { node: 0, start: 0, end: rows.len(), depth: 0, counts: None, asked: Vec::new() };
        let mut waiting = vec![all];
        let mut spare = Vec::new();
        while let Some(mut here) = waiting.pop() {
            if !self.is_worth_asking(&nodes[here.node], here.depth) || self.limit.is_reached() {
                continue;
            }
            let counts = here.counts.take().unwrap_or_else(|| {
                let mut counts = std::mem::take(&mut spare);
                search.count(&rows[here.start..here.end], &mut counts);
                counts
            });
            let view = Here {
                rows: &rows[here.start..here.end],
                classes: &nodes[here.node].classes,
                counts: &counts,
            };
            let Some(candidate) = search.best(&view, |field| self.cost(field, &here.asked)) else {
                spare = counts;
                continue;
            };
            let Candidate { question, tried, words, .. } = candidate;
            let parts = self.divide(&question, &mut rows, here.start, here.end);
            let first = nodes.len();
            let mut answers = Vec::with_capacity(parts.len());
            for (at, &(answer, start, end)) in parts.iter().enumerate() {
                let classes = self.examples.class_weights(&rows[start..end]);
                nodes.push(LearnedNode { classes, split: None });
                answers.push((answer, first + at));
            }
            let mut asked = here.asked;
            if !asked.contains(&question.field()) {
                asked.push(question.field());
            }
            let mut shared = self.share_out(&search, counts, &rows, &parts, &mut spare);
            for (at, &(_, start, end)) in parts.iter().enumerate().rev() {
                let counts = shared.as_mut().and_then(|shared| shared[at].take());
                let node = first + at;
                waiting.push(Waiting {
                    node,
                    start,
                    end,
                    depth: here.depth + 1,
                    counts,
                    asked: asked.clone(),
                });
            }
            nodes[here.node].split = Some(Split { question, answers, tried, words });
        }
        LearnedTree { nodes }
    }

    fn is_worth_asking(&self, node: &LearnedNode, depth: usize) -> bool {
        let is_pure = node.classes.iter().filter(|count| **count > 0.0).count() < 2;
        !is_pure
            && depth < self.options.max_depth.min(DEEPEST)
            && node.weight() >= 2.0 * self.options.min_leaf
    }

    /// Cost of asking for `field` if the columns `asked` are known: a known column costs as much as the cheapest one.
    fn cost(&self, field: usize, asked: &[usize]) -> f64 {
        match (self.options.cost_blind, asked.contains(&field)) {
            (true, _) => 1.0,
            (false, false) => self.examples.cost(field),
            (false, true) => {
                (0..self.prepared.len()).map(|field| self.examples.cost(field)).fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// Sorts the rows from `start` to `end` by answer, stably, and returns each answer with its range.
    fn divide(
        &self,
        question: &super::Question,
        rows: &mut [u32],
        start: usize,
        end: usize,
    ) -> Vec<(u32, usize, usize)> {
        let field = &self.examples.fields()[question.field()];
        let answer = |row: u32| match question.answer(field.value(row as usize)) {
            super::Answer::Known(answer) => answer,
            super::Answer::Missing | super::Answer::Unheard => MISSING,
        };
        let mut answered: Vec<(u32, u32)> = rows[start..end].iter().map(|&row| (answer(row), row)).collect();
        if self.options.missing == MissingAnswer::Likelier {
            let likelier = self.likelier(&answered);
            answered
                .iter_mut()
                .filter(|(answer, _)| *answer == MISSING)
                .for_each(|(answer, _)| *answer = likelier);
        }
        let mut sizes: std::collections::BTreeMap<u32, usize> = std::collections::BTreeMap::new();
        answered.iter().for_each(|(answer, _)| *sizes.entry(*answer).or_default() += 1);
        let mut parts = Vec::with_capacity(sizes.len());
        let mut from = start;
        for (answer, size) in sizes {
            parts.push((answer, from, from + size));
            from += size;
        }
        let mut next: Vec<usize> = parts.iter().map(|(_, start, _)| *start).collect();
        for (answer, row) in answered {
            let at = parts.partition_point(|(other, _, _)| *other < answer);
            rows[next[at]] = row;
            next[at] += 1;
        }
        parts
    }

    /// Answer of most weight, the first on ties.
    fn likelier(&self, answered: &[(u32, u32)]) -> u32 {
        let mut weights = std::collections::BTreeMap::new();
        for (answer, row) in answered.iter().filter(|(answer, _)| *answer != MISSING) {
            *weights.entry(*answer).or_insert(0.0) += self.examples.weight(*row as usize);
        }
        let heavier = |best: (u32, f64), other: (u32, f64)| if other.1 > best.1 { other } else { best };
        weights.into_iter().reduce(heavier).map_or(super::NO, |(answer, _)| answer)
    }

    /// Counts of all parts: those of the largest are the whole minus the others.
    ///
    /// Only if that saves work: a part with fewer rows than lines to subtract is counted faster.
    fn share_out(
        &self,
        search: &Search<'_>,
        mut whole: Vec<f64>,
        rows: &[u32],
        parts: &[(u32, usize, usize)],
        spare: &mut Vec<f64>,
    ) -> Option<Vec<Option<Vec<f64>>>> {
        let largest = (0..parts.len()).max_by_key(|at| parts[*at].2 - parts[*at].1)?;
        let (_, start, end) = parts[largest];
        let cells = (end - start) * self.prepared.len();
        // Differences of weights that are not whole numbers leave rounding residue.
        let is_exact = self.examples.counts_cases();
        if whole.is_empty() || cells < whole.len() * parts.len() || parts.len() > 8 || !is_exact {
            *spare = whole;
            return None;
        }
        let mut shared: Vec<Option<Vec<f64>>> = Vec::with_capacity(parts.len());
        for (at, &(_, start, end)) in parts.iter().enumerate() {
            shared.push((at != largest).then(|| {
                let mut counts = Vec::new();
                search.count(&rows[start..end], &mut counts);
                whole.iter_mut().zip(&counts).for_each(|(all, part)| *all -= part);
                counts
            }));
        }
        shared[largest] = Some(whole);
        Some(shared)
    }
}
