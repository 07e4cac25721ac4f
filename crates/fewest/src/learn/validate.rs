//! Cross-validation: trees made without some rows predict these rows, and the strength of pruning is chosen by the
//! errors.

use super::prune::reduce_errors;
use super::{
    Evaluation, Examples, FitOptions, Grower, LearnedTree, Levels, Order, Significance, Smoothing, Testing,
    p_value_levels, price_levels, significances,
};
use crate::limit::Limit;
use crate::random::{RandomStream, Stream};

/// Strength of pruning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strength {
    /// Strength given by this parameter.
    At(f64),
    /// By cross-validation: the smallest tree that is about as good as the best.
    Simplest,
    /// By cross-validation: the tree with the fewest errors.
    Best,
}

/// Method of pruning.
#[derive(Clone, Debug, PartialEq)]
pub enum Pruning {
    /// No pruning.
    None,
    /// Cuts questions whose p-value is above α.
    ChiSquared {
        /// Significance level α.
        alpha: Strength,
        /// Order in which nodes are cut.
        order: Order,
        /// Options for p-values.
        testing: Testing,
    },
    /// Cuts by the errors of held-out rows.
    ReducedError,
    /// Cuts by the price of a leaf.
    CostComplexity {
        /// Price of a leaf.
        price: Strength,
    },
}

impl Default for Pruning {
    fn default() -> Self {
        Self::ChiSquared { alpha: Strength::At(0.05), order: Order::default(), testing: Testing::default() }
    }
}

/// Options for the division of rows and for probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Validation {
    /// Number of parts of the rows; each is predicted by a tree made from the others.
    pub folds: usize,
    /// Seed of the division.
    pub seed: u64,
    /// Conversion of counts to probabilities.
    pub smoothing: Smoothing,
}

impl Default for Validation {
    fn default() -> Self {
        Self { folds: 10, seed: 0, smoothing: Smoothing::default() }
    }
}

/// Predictions of trees pruned at one strength, for rows that they were made without.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint {
    /// α, or the price of a leaf.
    pub parameter: f64,
    /// Number of leaves of the tree made from all rows.
    pub leaves: usize,
    /// Share of rows predicted wrongly.
    pub error: f64,
    /// Standard error of that share.
    pub standard_error: f64,
    /// Mean log loss of a row, in nats.
    pub log_loss: f64,
}

/// Pruned tree, with the strength of pruning.
#[derive(Clone, Debug, PartialEq)]
pub struct Pruned {
    /// The tree.
    pub tree: LearnedTree,
    /// Number of leaves before pruning.
    pub leaves_before: usize,
    /// α, or the price of a leaf, if there is one.
    pub parameter: Option<f64>,
    /// Strengths tried by cross-validation, from the largest tree to the smallest.
    pub path: Vec<PathPoint>,
    /// Index of the chosen strength in [`path`](Self::path).
    pub chosen: Option<usize>,
}

/// α values that cross-validation tries, falling ever faster.
const ALPHAS: [f64; 12] = [1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 1e-3, 1e-4, 1e-6, 1e-9, 1e-15];
/// Most prices that cross-validation tries.
const PRICES: usize = 40;
/// Inverse of the share of rows that reduced-error pruning holds out: one in three.
const HELD_OUT: usize = 3;

/// Fold of each of `rows`: the rows of every class are assigned in turn, in an order that the seed shuffles.
pub fn stratified_folds(examples: &Examples, rows: &[u32], folds: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    RandomStream::new(seed, Stream::Folds).shuffle(&mut order);
    order.sort_by_key(|at| examples.class(rows[*at] as usize));
    let mut fold_of = vec![0; rows.len()];
    order.iter().enumerate().for_each(|(number, at)| fold_of[*at] = number % folds);
    fold_of
}

/// Divides `rows` into those to learn from and a `share` of held-out ones, with the same share of every class.
pub fn stratified_holdout(examples: &Examples, rows: &[u32], share: f64, seed: u64) -> (Vec<u32>, Vec<u32>) {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    RandomStream::new(seed, Stream::Folds).shuffle(&mut order);
    order.sort_by_key(|at| examples.class(rows[*at] as usize));
    let mut is_out = vec![false; rows.len()];
    for (number, at) in order.into_iter().enumerate() {
        // One in every 1 / share.
        is_out[at] = ((number + 1) as f64 * share).floor() > (number as f64 * share).floor();
    }
    let (out, rest): (Vec<_>, Vec<_>) = rows.iter().zip(is_out).partition(|(_, is_out)| *is_out);
    let rows = |pairs: Vec<(&u32, bool)>| pairs.into_iter().map(|(row, _)| *row).collect();
    (rows(rest), rows(out))
}

/// Rows inside and outside of a fold.
fn parts(rows: &[u32], fold_of: &[usize], fold: usize) -> (Vec<u32>, Vec<u32>) {
    let (out, rest): (Vec<_>, Vec<_>) = rows.iter().zip(fold_of).partition(|(_, of)| **of == fold);
    let rows = |pairs: Vec<(&u32, &usize)>| pairs.into_iter().map(|(row, _)| *row).collect();
    (rows(rest), rows(out))
}

/// Grows a tree from `rows` and prunes it.
pub fn grow_and_prune(
    grower: &Grower<'_>,
    examples: &Examples,
    rows: &[u32],
    options: &FitOptions,
    pruning: &Pruning,
    validation: &Validation,
) -> Pruned {
    let whole = |tree: LearnedTree| Pruned {
        leaves_before: tree.leaves(),
        tree,
        parameter: None,
        path: Vec::new(),
        chosen: None,
    };
    match pruning {
        Pruning::None => whole(grower.grow(rows)),
        Pruning::ReducedError => {
            let fold_of = stratified_folds(examples, rows, HELD_OUT, validation.seed);
            let (rest, held_out) = parts(rows, &fold_of, 0);
            let tree = grower.grow(&rest);
            let reduced = reduce_errors(&tree, examples, &held_out, options.missing);
            Pruned { leaves_before: tree.leaves(), ..whole(refilled(reduced, examples, rows, options)) }
        }
        Pruning::ChiSquared { alpha: strength, .. } | Pruning::CostComplexity { price: strength } => {
            let tree = grower.grow(rows);
            let levels = levels(&tree, pruning);
            let choose: fn(&[PathPoint]) -> usize = match strength {
                Strength::At(parameter) => {
                    let pruned = levels.pruned(&tree, *parameter);
                    return Pruned {
                        leaves_before: tree.leaves(),
                        parameter: Some(*parameter),
                        ..whole(pruned)
                    };
                }
                Strength::Simplest => one_standard_error,
                Strength::Best => fewest_errors,
            };
            let parameters = parameters(&levels, &tree);
            let path =
                path(grower, examples, rows, options, pruning, validation, &parameters, (&levels, &tree));
            let chosen = choose(&path);
            let pruned = levels.pruned(&tree, path[chosen].parameter);
            Pruned {
                leaves_before: tree.leaves(),
                parameter: Some(path[chosen].parameter),
                chosen: Some(chosen),
                path,
                ..whole(pruned)
            }
        }
    }
}

/// Returns the tree with the class weights of all `rows` instead of those that it was made from.
fn refilled(mut tree: LearnedTree, examples: &Examples, rows: &[u32], options: &FitOptions) -> LearnedTree {
    let old: Vec<Vec<f64>> = tree.nodes.iter().map(|node| node.classes.clone()).collect();
    let mut classes = vec![vec![0.0; examples.classes().len()]; tree.nodes.len()];
    for &row in rows {
        let (row, mut at) = (row as usize, 0);
        loop {
            classes[at][examples.class(row)] += examples.weight(row);
            let split = tree.nodes[at].split.as_ref();
            let value = |split: &super::Split| examples.fields()[split.question.field()].value(row);
            match split.and_then(|split| split.step(&tree.nodes, options.missing, value(split))) {
                Some(child) => at = child,
                None => break,
            }
        }
    }
    for ((node, new), old) in tree.nodes.iter_mut().zip(classes).zip(old) {
        node.classes = if new.iter().sum::<f64>() > 0.0 { new } else { old };
    }
    tree
}

fn levels(tree: &LearnedTree, pruning: &Pruning) -> Levels {
    match pruning {
        Pruning::ChiSquared { order, testing, .. } => {
            let tests: Vec<Option<Significance>> = significances(tree, *testing);
            p_value_levels(tree, &tests, *order)
        }
        Pruning::None | Pruning::ReducedError | Pruning::CostComplexity { .. } => price_levels(tree),
    }
}

/// Strengths to try, from the largest tree to the smallest.
fn parameters(levels: &Levels, tree: &LearnedTree) -> Vec<f64> {
    let Levels::Prices(levels) = levels else { return ALPHAS.to_vec() };
    let inner = (0..tree.nodes.len()).filter(|at| !tree.is_leaf(*at));
    let mut prices: Vec<f64> = inner.map(|at| levels[at]).collect();
    prices.push(0.0);
    prices.sort_by(f64::total_cmp);
    prices.dedup();
    // A price between two neighbouring levels stands for both. [Breiman1984, section 3.4]
    let between = |at: usize| match prices.get(at + 1) {
        Some(next) => (prices[at] * next).sqrt(),
        None => prices[at] * 2.0 + 1.0,
    };
    let steps = prices.len().min(PRICES);
    (0..steps)
        .map(|step| between(if steps < 2 { 0 } else { step * (prices.len() - 1) / (steps - 1) }))
        .collect()
}

/// Evaluates every strength over all folds.
#[expect(clippy::too_many_arguments, reason = "what is grown, from what, how, and how it is judged")]
fn path(
    grower: &Grower<'_>,
    examples: &Examples,
    rows: &[u32],
    options: &FitOptions,
    pruning: &Pruning,
    validation: &Validation,
    parameters: &[f64],
    whole: (&Levels, &LearnedTree),
) -> Vec<PathPoint> {
    let fold_of = stratified_folds(examples, rows, validation.folds, validation.seed);
    let mut wrong = vec![0.0; parameters.len()];
    let mut log_loss = vec![0.0; parameters.len()];
    let mut weight = 0.0;
    for fold in 0..validation.folds {
        let (rest, out) = parts(rows, &fold_of, fold);
        let tree = grower.grow(&rest);
        let levels = levels(&tree, pruning);
        let trees: Vec<LearnedTree> =
            parameters.iter().map(|parameter| levels.pruned(&tree, *parameter)).collect();
        for (at, tree) in trees.iter().enumerate() {
            let mut evaluation = Evaluation::new(examples.classes().len());
            evaluation.add(tree, examples, &out, options.missing, validation.smoothing);
            wrong[at] += evaluation.errors();
            log_loss[at] += evaluation.log_loss;
            weight += if at == 0 { evaluation.weight } else { 0.0 };
        }
    }
    let leaves = |parameter: f64| whole.0.pruned(whole.1, parameter).leaves();
    let point = |(at, &parameter): (usize, &f64)| {
        let error = wrong[at] / weight;
        let standard_error = (error * (1.0 - error) / weight).sqrt();
        PathPoint {
            parameter,
            leaves: leaves(parameter),
            error,
            standard_error,
            log_loss: log_loss[at] / weight,
        }
    };
    parameters.iter().enumerate().map(point).collect()
}

/// Index of the tree with the fewest errors; of equal ones the smallest.
pub fn fewest_errors(path: &[PathPoint]) -> usize {
    let lower = |best: usize, at: usize| if path[at].error <= path[best].error { at } else { best };
    (0..path.len()).fold(0, lower)
}

/// Index of the smallest tree whose error is at most one standard error above the least. [Breiman1984, section 3.4]
pub fn one_standard_error(path: &[PathPoint]) -> usize {
    let best = fewest_errors(path);
    let limit = path[best].error + path[best].standard_error;
    (0..path.len()).rev().find(|at| path[*at].error <= limit).unwrap_or(best)
}

/// Predictions of all rows, each by a tree made without it.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossValidation {
    /// All predictions together.
    pub evaluation: Evaluation,
    /// The accuracy of each fold.
    pub accuracies: Vec<f64>,
    /// Number of leaves of each fold's tree.
    pub leaves: Vec<usize>,
}

impl CrossValidation {
    /// Standard error of the mean accuracy over the folds.
    pub fn standard_error(&self) -> f64 {
        let count = self.accuracies.len() as f64;
        let mean = self.accuracies.iter().sum::<f64>() / count;
        let squares: f64 = self.accuracies.iter().map(|accuracy| (accuracy - mean).powi(2)).sum();
        (squares / (count - 1.0).max(1.0) / count).sqrt()
    }
}

/// Predicts every row by a tree that was grown and pruned without its fold.
pub fn cross_validate(
    examples: &Examples,
    options: &FitOptions,
    pruning: &Pruning,
    validation: &Validation,
) -> CrossValidation {
    let found = cross_validate_within(examples, options, pruning, validation, &Limit::none());
    found.expect("there is no limit")
}

/// Runs [`cross_validate`] within a limit; `None` if it is reached first, because folds without predictions tell
/// nothing.
pub fn cross_validate_within(
    examples: &Examples,
    options: &FitOptions,
    pruning: &Pruning,
    validation: &Validation,
    limit: &Limit,
) -> Option<CrossValidation> {
    let grower = Grower::new(examples, options).within(limit);
    let rows = examples.rows();
    let folds = validation.folds.clamp(2, rows.len().max(2));
    let fold_of = stratified_folds(examples, &rows, folds, validation.seed);
    let classes = examples.classes().len();
    let mut all = Evaluation::new(classes);
    let (mut accuracies, mut leaves) = (Vec::new(), Vec::new());
    for fold in 0..folds {
        let (rest, out) = parts(&rows, &fold_of, fold);
        if rest.is_empty() || out.is_empty() {
            continue;
        }
        let tree = grow_and_prune(&grower, examples, &rest, options, pruning, validation).tree;
        if limit.is_reached() {
            return None;
        }
        let mut here = Evaluation::new(classes);
        here.add(&tree, examples, &out, options.missing, validation.smoothing);
        accuracies.push(here.accuracy());
        leaves.push(tree.leaves());
        all.add(&tree, examples, &out, options.missing, validation.smoothing);
    }
    Some(CrossValidation { evaluation: all, accuracies, leaves })
}
