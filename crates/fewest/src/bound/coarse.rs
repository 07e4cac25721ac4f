//! Coarse groups: the groups that can be told apart for certain if objects may give several answers (specification
//! section 12).
//!
//! Two objects are compatible if they have an answer in common to every test: then all answers may fit both, however
//! much is asked. Groups that hold two compatible objects are joined. A leaf never holds two of these coarse groups,
//! because objects of two groups that have no answer in common to some test are told apart by it; so every bound on
//! telling groups apart holds for the coarse ones.

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
    // Where tests may not be asked everywhere, objects that differ may still end in one leaf.
    if instance.has_premises() {
        return vec![0; objects.len()];
    }
    if objects.len().saturating_mul(objects.len()).saturating_mul(instance.test_count()) > MAX_WORK {
        return vec![0; objects.len()];
    }
    let mut parent: Vec<usize> = (0..objects.len()).collect();
    let mut first_of_group = vec![None; instance.group_count()];
    for &object in &objects {
        let first = *first_of_group[instance.group_of(object).index()].get_or_insert(object.index());
        join(&mut parent, first, object.index());
    }
    // Tests with the fewest answers in each cell separate most pairs: tried first, they end most comparisons early.
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
