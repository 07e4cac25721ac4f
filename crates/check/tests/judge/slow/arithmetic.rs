//! Sums over trees and lists that need no table, written out.

/// `x log₂ x`.
pub(super) fn phi(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}

/// Next multiple of `step`.
pub(super) fn lifted(value: f64, step: Option<f64>) -> f64 {
    step.map_or(value, |step| (value / step - 1e-9).ceil() * step)
}

/// Greatest common divisor of the units, if they are whole numbers.
pub(super) fn step(scaled: &fewest_model::Scaled) -> Option<f64> {
    let most = scaled.units().iter().copied().fold(0.0, f64::max) as u64;
    let divides = |step: &u64| scaled.units().iter().all(|unit| (*unit as u64).is_multiple_of(*step));
    (1..=most).rev().find(divides).filter(|_| scaled.is_exact()).map(|step| step as f64)
}

/// Least sum of depths of `leaves` leaves below nodes of at most `children` children. Starts with leaves at the root;
/// the shallowest leaf becomes a node with two leaves, or a node gets one more leaf if it can.
pub(super) fn depths(leaves: usize, children: usize) -> f64 {
    let mut at = vec![0u32; 1];
    let mut room: Vec<u32> = Vec::new();
    while at.len() < leaves {
        at.sort_unstable_by_key(|depth| std::cmp::Reverse(*depth));
        room.sort_unstable_by_key(|depth| std::cmp::Reverse(*depth));
        match room.last() {
            // A leaf more in a node costs its depth; opening a leaf costs its depth and two.
            Some(depth) if *depth <= at[at.len() - 1] + 2 => at.extend(room.pop()),
            _ => {
                let depth = at.pop().unwrap() + 1;
                at.extend([depth, depth]);
                room.extend(std::iter::repeat_n(depth, children - 2));
            }
        }
    }
    at.into_iter().map(f64::from).sum()
}

/// Depths at which objects end, if one ends at each question and a question leads to at most `leads` others.
pub(super) fn ends(objects: usize, leads: usize) -> Vec<f64> {
    let (mut ends, mut questions, mut depth) = (Vec::new(), 1, 1.0);
    while ends.len() < objects {
        ends.extend(std::iter::repeat_n(depth, questions.min(objects - ends.len())));
        (questions, depth) = (questions * leads, depth + 1.0);
    }
    ends
}

/// `⌈log_radix count⌉`.
pub(super) fn questions(count: usize, radix: usize) -> usize {
    (0..).find(|questions| radix.pow(*questions) >= count).unwrap() as usize
}

/// Cost of Huffman's code.
pub(super) fn huffman(mut weights: Vec<f64>, radix: usize) -> f64 {
    while weights.len() > 1 && !(weights.len() - 1).is_multiple_of(radix - 1) {
        weights.push(0.0);
    }
    let mut paid = 0.0;
    while weights.len() > 1 {
        weights.sort_by(|left, right| right.total_cmp(left));
        let merged: f64 = weights.split_off(weights.len() - radix).iter().sum();
        weights.push(merged);
        paid += merged;
    }
    paid
}

/// Value of the greatest convex function below points, at one of them.
pub(super) fn hull(points: &[(f64, f64)], at: usize) -> f64 {
    let (x, y) = points[at];
    let mut least = y;
    for (left, low) in &points[..at] {
        for (right, high) in &points[at + 1..] {
            least = least.min(low + (high - low) * (x - left) / (right - left));
        }
    }
    least
}

/// Least `Σ_j (j q_j + cost(q_j)) + K s + depths(s)` with `q_1 + … + q_j ≤ off_j`, by trying everything: the cost of
/// `count` objects from question `at` on, when all but `left` are gone.
pub(super) fn share_out(off: &[usize], count: usize, cost: &dyn Fn(usize) -> f64) -> f64 {
    let mut from: Vec<f64> = (0..=count).map(|left| (off.len() * left) as f64 + depths(left, 2)).collect();
    for at in (0..off.len()).rev() {
        let best = |left: usize| {
            let most = left.min(off[at].saturating_sub(count - left));
            let leave = |leave: usize| ((at + 1) * leave) as f64 + cost(leave) + from[left - leave];
            (0..=most).map(leave).fold(f64::INFINITY, f64::min)
        };
        from = (0..=count).map(best).collect();
    }
    from[count]
}

/// Limits up to the question after which at most one object is left.
pub(super) fn until_one_is_left(mut off: Vec<usize>, count: usize) -> Vec<usize> {
    if let Some(at) = off.iter().position(|off| off + 1 >= count) {
        off.truncate(at + 1);
    }
    off
}
