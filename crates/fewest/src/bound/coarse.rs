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
    if instance.has_premises() {
        return by_classes(instance, objects);
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
    numbered(parent)
}

/// Number of each object's root, in order of first objects.
fn numbered(mut parent: Vec<usize>) -> Vec<usize> {
    let count = parent.len();
    let mut numbers = vec![None; count];
    let mut next = 0;
    let number = |object: usize| {
        let root = root(&mut parent, object);
        *numbers[root].get_or_insert_with(|| {
            next += 1;
            next - 1
        })
    };
    (0..count).map(number).collect()
}

/// Coarse groups where tests may not be asked everywhere. A class of objects is split by each test that surely may be asked
/// of all of them, into parts that have no answer in common.
///
/// A leaf that holds several groups lies in one class: as long as it does, a test that splits that class may be asked at the
/// leaf as well. If it was asked, all objects of the leaf gave one answer, and are in one part; if it was not, and two of
/// them of different groups are in different parts, it would have told something.
fn by_classes(instance: &Instance, objects: Vec<ObjectId>) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..objects.len()).collect();
    let mut first_of_group = vec![None; instance.group_count()];
    for &object in &objects {
        let first = *first_of_group[instance.group_of(object).index()].get_or_insert(object.index());
        join(&mut parent, first, object.index());
    }
    let mut classes = vec![objects];
    loop {
        let before = classes.len();
        for test in instance.test_ids() {
            classes = classes.into_iter().flat_map(|class| parts(instance, test, class)).collect();
        }
        if classes.len() == before {
            break;
        }
    }
    for class in classes {
        class.iter().for_each(|object| join(&mut parent, class[0].index(), object.index()));
    }
    numbered(parent)
}

/// Parts of a class that have no answer to `test` in common; the class itself if the test may not be asked of all of it.
fn parts(instance: &Instance, test: TestId, class: Vec<ObjectId>) -> Vec<Vec<ObjectId>> {
    if !instance.may_ask_after(test, &class, &[]) {
        return vec![class];
    }
    let test = instance.test(test);
    let mut parent: Vec<usize> = (0..test.arity()).collect();
    for object in &class {
        let possible = test.possible(*object);
        possible.iter().for_each(|answer| join(&mut parent, possible[0].index(), answer.index()));
    }
    let mut parts: Vec<Vec<ObjectId>> = vec![Vec::new(); test.arity()];
    for object in class {
        parts[root(&mut parent, test.answer(object).index())].push(object);
    }
    parts.retain(|part| !part.is_empty());
    parts
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
