//! Mutual information of an answer and the class, errors included: `I(answer; class)` in bits under the
//! posterior. Without errors it is the information gain of group gbs [BellalaBhavnaniScott2010, Alg. 2].
//!
//! `W·I = Σ_{k,v} c log c − Σ_v r log r − Σ_k w log w + W log W` with cells `c`, answers `r`, classes `w` and their
//! sum `W`. An object that is a class by itself adds `w Σ_v P log P` to the first minus the third sum, with the same
//! `Σ_v P log P` for all such objects, so no logarithm is needed for each. If objects are to be found, all classes
//! are of this kind.

use super::posterior::{Posterior, likelihood};
use fewest_model::{AnswerId, ObjectId, Test};

/// Buffers that are reused from test to test.
#[derive(Default)]
pub(super) struct Scratch {
    /// Weights of one class by answer.
    cells: Vec<f64>,
    /// Weights of all objects by answer.
    rows: Vec<f64>,
}

fn x_log2_x(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}

/// Sums over the classes that all tests share.
pub(super) struct Classes {
    /// Weight of each class.
    weights: Vec<f64>,
    /// `Σ w log₂ w` over the classes.
    logs: f64,
}

impl Classes {
    pub(super) fn of(posterior: &Posterior) -> Self {
        let weights: Vec<f64> = posterior.class_weights().collect();
        let logs = weights.iter().map(|weight| x_log2_x(*weight)).sum();
        Self { weights, logs }
    }
}

/// Mutual information in bits; `None` if all possible objects have the same answer.
pub(super) fn information(
    test: &Test,
    posterior: &Posterior,
    classes: &Classes,
    rate: f64,
    scratch: &mut Scratch,
) -> Option<f64> {
    if test.arity() < 2 || !splits(test, posterior) {
        return None;
    }
    scratch.rows.clear();
    scratch.rows.resize(test.arity(), 0.0);
    // The first sum minus the third.
    let is_plain = test.is_single()
        && (test.inapplicable.is_none() || posterior.live.iter().all(|object| test.applies_to(*object)));
    let inside = match is_plain {
        true => of_single(test, posterior, classes, rate, scratch),
        false => of_several(test, posterior, rate, scratch) - classes.logs,
    };
    let outside: f64 = scratch.rows.iter().map(|row| x_log2_x(*row)).sum();
    let bits = (inside - outside + x_log2_x(posterior.total)) / posterior.total;
    Some(bits.max(0.0))
}

/// Whether two possible objects may answer differently.
pub(super) fn splits(test: &Test, posterior: &Posterior) -> bool {
    let Some((first, others)) = posterior.live.split_first() else { return false };
    if test.is_single() && test.inapplicable.is_none() {
        let answer = test.answer(*first);
        return others.iter().any(|object| test.answer(*object) != answer);
    }
    let same = |other: &ObjectId| {
        (0..test.arity()).map(AnswerId::at).all(|v| test.allows(*first, v) == test.allows(*other, v))
    };
    !others.iter().all(same)
}

/// First sum minus the third, if every cell has one answer. Fills the rows of `scratch`.
fn of_single(test: &Test, posterior: &Posterior, classes: &Classes, rate: f64, scratch: &mut Scratch) -> f64 {
    let others = (test.arity() - 1) as f64;
    let (right, wrong) = (1.0 - rate, rate / others);
    // Σ_v P log P of an object alone, for any answer.
    let of_one = x_log2_x(right) + others * x_log2_x(wrong);
    if test.arity() == 2 && posterior.classes.len() == posterior.live.len() {
        let second = of_second(test, &posterior.live, &posterior.weights).min(posterior.total);
        let first = posterior.total - second;
        scratch.rows[0] = first * right + second * wrong;
        scratch.rows[1] = second * right + first * wrong;
        return posterior.total * of_one;
    }
    let (mut inside, mut alone) = (0.0, 0.0);
    for (run, whole) in posterior.classes.iter().zip(&classes.weights) {
        let (objects, weights) = (&posterior.live[run.clone()], &posterior.weights[run.clone()]);
        if let ([object], [weight]) = (objects, weights) {
            scratch.rows[test.codes.get(object.index()) as usize] += weight;
            alone += weight;
            continue;
        }
        scratch.cells.clear();
        scratch.cells.resize(test.arity(), 0.0);
        if test.arity() == 2 {
            scratch.cells[1] = of_second(test, objects, weights);
            scratch.cells[0] = (whole - scratch.cells[1]).max(0.0);
        } else {
            for (object, weight) in objects.iter().zip(weights) {
                scratch.cells[test.codes.get(object.index()) as usize] += weight;
            }
        }
        for (row, cell) in scratch.rows.iter_mut().zip(&scratch.cells) {
            *row += cell;
            inside += x_log2_x(cell * right + (whole - cell).max(0.0) * wrong);
        }
        inside -= x_log2_x(*whole);
    }
    let whole: f64 = scratch.rows.iter().sum();
    scratch.rows.iter_mut().for_each(|row| *row = *row * right + (whole - *row).max(0.0) * wrong);
    inside + alone * of_one
}

/// Weight of the objects with the second of two answers. Four partial sums, because each addition to a single sum
/// would wait for the one before.
fn of_second(test: &Test, objects: &[ObjectId], weights: &[f64]) -> f64 {
    let part = |object: &ObjectId, weight: &f64| f64::from(test.codes.get(object.index())) * weight;
    let mut sums = [0.0; 4];
    let (objects, weights) = (objects.chunks_exact(4), weights.chunks_exact(4));
    let rest: f64 = objects.remainder().iter().zip(weights.remainder()).map(|(o, w)| part(o, w)).sum();
    for (objects, weights) in objects.zip(weights) {
        for (sum, (object, weight)) in sums.iter_mut().zip(objects.iter().zip(weights)) {
            *sum += part(object, weight);
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// `Σ c log₂ c` over the cells of classes and answers, with the weight of each answer in `scratch`.
fn of_several(test: &Test, posterior: &Posterior, rate: f64, scratch: &mut Scratch) -> f64 {
    let mut inside = 0.0;
    for run in &posterior.classes {
        scratch.cells.clear();
        scratch.cells.resize(test.arity(), 0.0);
        for (object, weight) in posterior.live[run.clone()].iter().zip(&posterior.weights[run.clone()]) {
            for (answer, cell) in scratch.cells.iter_mut().enumerate() {
                *cell += weight * likelihood(test, *object, AnswerId::at(answer), rate);
            }
        }
        for (row, cell) in scratch.rows.iter_mut().zip(&scratch.cells) {
            *row += cell;
            inside += x_log2_x(*cell);
        }
    }
    inside
}
