//! Coarse groups: what can be told apart for certain where objects may give several answers (SPEC section 9b).
//!
//! Two objects are compatible if they have an answer in common to every test: then all answers may fit both, however much
//! is asked. Groups that hold two compatible objects are joined. A leaf never holds two of these coarse groups, because
//! objects of two groups that have no answer in common to some test are told apart by it; so every bound on telling
//! groups apart holds for the coarse ones.

use fewest_model::{Instance, ObjectId, TestId};

/// Most pairs of cells that are compared; beyond, everything is one coarse group, which claims nothing.
const MAX_WORK: usize = 4_000_000_000;

/// Weight of every coarse group, in order of first objects.
pub(super) fn coarse_weights(instance: &Instance) -> Vec<f64> {
    let groups = coarse_groups(instance);
    let mut weights = vec![0.0; groups.iter().map(|group| group + 1).max().unwrap_or(0)];
    for object in instance.objects() {
        weights[groups[object.index()]] += instance.weight(object);
    }
    weights
}

/// Number of every object's coarse group.
pub fn coarse_groups(instance: &Instance) -> Vec<usize> {
    let objects: Vec<ObjectId> = instance.objects().collect();
    if objects.len().saturating_mul(objects.len()).saturating_mul(instance.test_count()) > MAX_WORK {
        return vec![0; objects.len()];
    }
    let mut parent: Vec<usize> = (0..objects.len()).collect();
    let mut first_of_group = vec![None; instance.group_count()];
    for &object in &objects {
        let first = *first_of_group[instance.group_of(object).index()].get_or_insert(object.index());
        join(&mut parent, first, object.index());
    }
    // Tests with the fewest answers in each cell separate most pairs: tried first, they end most comparisons at once.
    let mut tests: Vec<TestId> = instance.test_ids().collect();
    let open =
        |test: &TestId| -> usize { objects.iter().map(|object| instance.test(*test).choices(*object)).sum() };
    tests.sort_by_cached_key(open);
    for (at, &left) in objects.iter().enumerate() {
        for &right in &objects[at + 1..] {
            if root(&mut parent, left.index()) != root(&mut parent, right.index())
                && tests.iter().all(|test| are_compatible(instance, *test, left, right))
            {
                join(&mut parent, left.index(), right.index());
            }
        }
    }
    let mut numbers = vec![None; objects.len()];
    let mut next = 0;
    let number = |object: &ObjectId| {
        let root = root(&mut parent, object.index());
        *numbers[root].get_or_insert_with(|| {
            next += 1;
            next - 1
        })
    };
    objects.iter().map(number).collect()
}

/// Whether two objects have an answer to `test` in common.
fn are_compatible(instance: &Instance, test: TestId, left: ObjectId, right: ObjectId) -> bool {
    let test = instance.test(test);
    match &test.sets {
        None => test.answer(left) == test.answer(right),
        Some(_) => test.possible(left).iter().any(|answer| test.allows(right, *answer)),
    }
}

fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

fn join(parent: &mut [usize], left: usize, right: usize) {
    let (left, right) = (root(parent, left), root(parent, right));
    parent[left.max(right)] = left.min(right);
}

/// Lower bound on the expected, worst and exponential cost of strategies that name a wrong coarse group with probability
/// `error` at most: `(H(q) − h(e) − e log₂(K − 1)) / s`, by Fano's inequality [folklore]; the worst and the exponential cost
/// are not below the expected one.
pub(crate) fn fano(instance: &Instance, error: f64) -> f64 {
    let input = super::BoundInput::of(instance);
    let entropy = |weights: &[f64], total| crate::measure::entropy_bits(weights.iter().copied(), total);
    // Guessing the likeliest of K without a question is wrong with probability 1 − 1/K at most, where the term is log₂ K.
    let others = input.weights.len().saturating_sub(1) as f64;
    let error = error.clamp(0.0, others / (others + 1.0));
    let doubt = entropy(&[error, 1.0 - error], 1.0) + if others > 1.0 { error * others.log2() } else { 0.0 };
    ((entropy(&input.weights, input.total) - doubt) / input.rate).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::testing::instance;

    #[test]
    fn what_may_be_wrong_need_not_be_asked() {
        // Four groups, 2 bits, at 1 bit for half a unit. A quarter wrong: h(1/4) = 2 − (3/4) log₂ 3, and 1/4 log₂ 3 to say which.
        let four = instance("object t u\n a 0 0\n b 0 1\n c 1 0\n d 1 1", &[("t", 0.5), ("u", 0.5)]);
        let close = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        close(fano(&four, 0.0), 1.0);
        close(fano(&four, 0.25), 0.5 * (0.5 * 3f64.log2()));
        // Nobody is wrong more often than by guessing.
        close(fano(&four, 0.75), 0.0);
        close(fano(&four, 0.9), 0.0);
        // Of two groups the other is known: 1 − h(1/4).
        let two = instance("object t\n a 0\n b 1", &[]);
        close(fano(&two, 0.25), 0.75 * 3f64.log2() - 1.0);
        // Three groups of 1/2, 1/4, 1/4: 1.5 bits less h(1/4) and 1/4.
        let three = instance("object prior t u\n a 2 0 0\n b 1 1 0\n c 1 1 1", &[]);
        close(fano(&three, 0.25), 1.5 - (2.0 - 0.75 * 3f64.log2()) - 0.25);
    }
}
