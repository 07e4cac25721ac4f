//! Mutual information of an answer and the class, errors included: `I(answer; class)` in bits under the posterior.
//! Without errors it is the information gain of group gbs [BellalaBhavnaniScott2010, Alg. 2].
//!
//! `W·I = Σ_{k,v} c log c − Σ_v r log r − Σ_k w log w + W log W` with cells `c`, answers `r`, classes `w` and all of it `W`. An
//! object that is a class by itself adds `w Σ_v P log P` to the first less the third sum, whatever it weighs: no logarithm
//! need be taken for it, and where objects are to be found there are no others.

use super::posterior::{Posterior, likelihood};
use fewest_model::{AnswerId, ObjectId, Test};

/// Room for one count after the other.
#[derive(Default)]
pub(super) struct Scratch {
    cells: Vec<f64>,
    rows: Vec<f64>,
}

fn x_log2_x(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}

/// What all tests need to know of the classes.
pub(super) struct Classes {
    /// The weight of each.
    weights: Vec<f64>,
    /// `Σ w log₂ w` over them.
    logs: f64,
}

impl Classes {
    pub(super) fn of(posterior: &Posterior) -> Self {
        let weights: Vec<f64> = posterior.class_weights().collect();
        let logs = weights.iter().map(|weight| x_log2_x(*weight)).sum();
        Self { weights, logs }
    }
}

/// The information in bits; nothing if all objects that are possible answer alike.
pub(super) fn information(
    test: &Test,
    posterior: &Posterior,
    classes: &Classes,
    rate: f64,
    room: &mut Scratch,
) -> Option<f64> {
    if test.arity() < 2 || !splits(test, posterior) {
        return None;
    }
    room.rows.clear();
    room.rows.resize(test.arity(), 0.0);
    // The first sum less the third.
    let inside = match test.is_single() {
        true => of_single(test, posterior, classes, rate, room),
        false => of_several(test, posterior, rate, room) - classes.logs,
    };
    let outside: f64 = room.rows.iter().map(|row| x_log2_x(*row)).sum();
    let bits = (inside - outside + x_log2_x(posterior.total)) / posterior.total;
    Some(bits.max(0.0))
}

/// Whether two objects that are possible may answer differently.
pub(super) fn splits(test: &Test, posterior: &Posterior) -> bool {
    let Some((first, others)) = posterior.live.split_first() else { return false };
    if test.is_single() {
        let answer = test.answer(*first);
        return others.iter().any(|object| test.answer(*object) != answer);
    }
    let same = |other: &ObjectId| {
        (0..test.arity()).map(AnswerId::at).all(|v| test.allows(*first, v) == test.allows(*other, v))
    };
    !others.iter().all(same)
}

fn of_single(test: &Test, posterior: &Posterior, classes: &Classes, rate: f64, room: &mut Scratch) -> f64 {
    let others = (test.arity() - 1) as f64;
    let (right, wrong) = (1.0 - rate, rate / others);
    // Σ_v P log P of an object alone, whatever its answer is.
    let of_one = x_log2_x(right) + others * x_log2_x(wrong);
    if test.arity() == 2 && posterior.classes.len() == posterior.live.len() {
        let second = of_second(test, &posterior.live, &posterior.weights).min(posterior.total);
        let first = posterior.total - second;
        room.rows[0] = first * right + second * wrong;
        room.rows[1] = second * right + first * wrong;
        return posterior.total * of_one;
    }
    let (mut inside, mut alone) = (0.0, 0.0);
    for (run, whole) in posterior.classes.iter().zip(&classes.weights) {
        let (objects, weights) = (&posterior.live[run.clone()], &posterior.weights[run.clone()]);
        if let ([object], [weight]) = (objects, weights) {
            room.rows[test.codes.get(object.index()) as usize] += weight;
            alone += weight;
            continue;
        }
        room.cells.clear();
        room.cells.resize(test.arity(), 0.0);
        if test.arity() == 2 {
            room.cells[1] = of_second(test, objects, weights);
            room.cells[0] = (whole - room.cells[1]).max(0.0);
        } else {
            for (object, weight) in objects.iter().zip(weights) {
                room.cells[test.codes.get(object.index()) as usize] += weight;
            }
        }
        for (row, cell) in room.rows.iter_mut().zip(&room.cells) {
            *row += cell;
            inside += x_log2_x(cell * right + (whole - cell).max(0.0) * wrong);
        }
        inside -= x_log2_x(*whole);
    }
    let whole: f64 = room.rows.iter().sum();
    room.rows.iter_mut().for_each(|row| *row = *row * right + (whole - *row).max(0.0) * wrong);
    inside + alone * of_one
}

/// What those weigh who give the second of two answers. Four sums side by side, since each addition waits for the last.
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

/// `Σ c log₂ c` over the cells of classes and answers, with the weight of each answer in `room`.
fn of_several(test: &Test, posterior: &Posterior, rate: f64, room: &mut Scratch) -> f64 {
    let mut inside = 0.0;
    for run in &posterior.classes {
        room.cells.clear();
        room.cells.resize(test.arity(), 0.0);
        for (object, weight) in posterior.live[run.clone()].iter().zip(&posterior.weights[run.clone()]) {
            for (answer, cell) in room.cells.iter_mut().enumerate() {
                *cell += weight * likelihood(test, *object, AnswerId::at(answer), rate);
            }
        }
        for (row, cell) in room.rows.iter_mut().zip(&room.cells) {
            *row += cell;
            inside += x_log2_x(*cell);
        }
    }
    inside
}
