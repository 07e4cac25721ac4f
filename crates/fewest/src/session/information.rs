//! What an answer says about the class, its possible errors included: `I(answer; class)` in bits under what is believed.
//! Without errors it is the information gain of group gbs [BellalaBhavnaniScott2010, Alg. 2].

use super::posterior::{Posterior, likelihood};
use fewest_model::Test;

/// Room for one count after the other.
#[derive(Default)]
pub(super) struct Scratch {
    cells: Vec<f64>,
    rows: Vec<f64>,
}

fn x_log2_x(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}

/// The information in bits; nothing if all objects that are possible answer alike.
pub(super) fn information(
    test: &Test,
    believed: &Posterior,
    class_logs: f64,
    rate: f64,
    room: &mut Scratch,
) -> Option<f64> {
    if test.arity() < 2 || !splits(test, believed) {
        return None;
    }
    room.rows.clear();
    room.rows.resize(test.arity(), 0.0);
    let inside = match test.is_single() {
        true => of_single(test, believed, rate, room),
        false => of_several(test, believed, rate, room),
    };
    let outside: f64 = room.rows.iter().map(|row| x_log2_x(*row)).sum();
    let bits = (inside - class_logs - outside + x_log2_x(believed.total)) / believed.total;
    Some(bits.max(0.0))
}

/// Whether two objects that are possible may answer differently.
pub(super) fn splits(test: &Test, believed: &Posterior) -> bool {
    let Some((first, others)) = believed.live.split_first() else { return false };
    if test.is_single() {
        let answer = test.answer(*first);
        return others.iter().any(|object| test.answer(*object) != answer);
    }
    let all = std::iter::once(first).chain(others);
    let same = |left: &fewest_model::ObjectId, right: &fewest_model::ObjectId| {
        (0..test.arity())
            .map(fewest_model::AnswerId::at)
            .all(|v| test.allows(*left, v) == test.allows(*right, v))
    };
    let mut all = all;
    all.any(|object| !same(first, object))
}

/// `Σ_k w_k log₂ w_k` over the classes.
pub(super) fn class_logs(believed: &Posterior) -> f64 {
    believed.class_weights().map(x_log2_x).sum()
}

/// `Σ w log₂ w` over the cells of classes and answers, with the weight of each answer in `room`.
fn of_single(test: &Test, believed: &Posterior, rate: f64, room: &mut Scratch) -> f64 {
    let others = (test.arity() - 1) as f64;
    let (right, wrong) = (1.0 - rate, rate / others);
    // Σ_v P log P of an object alone, whatever its answer is.
    let of_one = x_log2_x(right) + others * x_log2_x(wrong);
    let codes = &test.codes;
    let mut inside = 0.0;
    for run in &believed.classes {
        if run.len() == 1 {
            let weight = believed.weights[run.start];
            room.rows[codes.get(believed.live[run.start].index()) as usize] += weight;
            inside += x_log2_x(weight) + weight * of_one;
            continue;
        }
        room.cells.clear();
        room.cells.resize(test.arity(), 0.0);
        let mut whole = 0.0;
        for (object, weight) in believed.live[run.clone()].iter().zip(&believed.weights[run.clone()]) {
            room.cells[codes.get(object.index()) as usize] += weight;
            whole += weight;
        }
        for (row, cell) in room.rows.iter_mut().zip(&room.cells) {
            *row += cell;
            inside += x_log2_x(cell * right + (whole - cell) * wrong);
        }
    }
    let whole: f64 = room.rows.iter().sum();
    room.rows.iter_mut().for_each(|row| *row = *row * right + (whole - *row) * wrong);
    inside
}

fn of_several(test: &Test, believed: &Posterior, rate: f64, room: &mut Scratch) -> f64 {
    let mut inside = 0.0;
    for run in &believed.classes {
        room.cells.clear();
        room.cells.resize(test.arity(), 0.0);
        for (object, weight) in believed.live[run.clone()].iter().zip(&believed.weights[run.clone()]) {
            for (answer, cell) in room.cells.iter_mut().enumerate() {
                *cell += weight * likelihood(test, *object, fewest_model::AnswerId::at(answer), rate);
            }
        }
        for (row, cell) in room.rows.iter_mut().zip(&room.cells) {
            *row += cell;
            inside += x_log2_x(*cell);
        }
    }
    inside
}
