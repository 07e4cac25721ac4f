//! The problem in sets of bits: equal rows of one group are one kind, and each answer is a set of kinds.

use fewest_model::{AnswerId, Instance, ObjectId, OpenBundles, Pricing, TestId};

/// Set of kinds, one bit each.
pub(super) type Set = Box<[u64]>;

/// Objects of one group with equal rows.
pub(super) struct Kind {
    pub(super) members: Vec<ObjectId>,
    pub(super) group: u32,
    pub(super) weight: f64,
}

/// Test that some two objects answer differently.
pub(super) struct Column {
    pub(super) test: TestId,
    pub(super) bundle: Option<usize>,
    /// Own cost of each answer that occurs, and its kinds.
    pub(super) answers: Vec<(AnswerId, f64, Set)>,
    /// Kinds that the test does not apply to, if there are any.
    pub(super) barred: Option<Set>,
}

/// The whole problem.
pub(super) struct Problem<'i> {
    pub(super) instance: &'i Instance,
    pub(super) pricing: &'i Pricing,
    /// Kinds in order of groups.
    pub(super) kinds: Vec<Kind>,
    pub(super) columns: Vec<Column>,
}

impl<'i> Problem<'i> {
    pub(super) fn new(instance: &'i Instance, pricing: &'i Pricing) -> Self {
        // Objects that a test does not apply to are of another kind than those that give the answer of their placeholder.
        let cell = move |object: ObjectId, test: TestId| {
            instance.test(test).applies_to(object).then(|| instance.answer(object, test))
        };
        let row = |object: ObjectId| instance.test_ids().map(move |test| cell(object, test));
        let compare = |left: &ObjectId, right: &ObjectId| {
            let groups = instance.group_of(*left).cmp(&instance.group_of(*right));
            groups.then_with(|| row(*left).cmp(row(*right))).then(left.cmp(right))
        };
        let is_twin = |left: &ObjectId, right: &ObjectId| {
            instance.group_of(*left) == instance.group_of(*right) && row(*left).eq(row(*right))
        };
        let mut order: Vec<ObjectId> = instance.objects().collect();
        order.sort_by(compare);
        let kinds: Vec<Kind> = order
            .chunk_by(is_twin)
            .map(|members| Kind {
                members: members.to_vec(),
                group: instance.group_of(members[0]).0,
                weight: members.iter().map(|object| instance.weight(*object)).sum(),
            })
            .collect();
        let column = |test: TestId| {
            let answers = (0..instance.test(test).arity()).map(AnswerId::at).map(|answer| {
                let gives = |kind: &Kind| instance.answer(kind.members[0], test) == answer;
                (answer, pricing.own(test, answer), set_of(&kinds, gives))
            });
            let answers = answers.filter(|(.., set)| !is_empty(set)).collect();
            let is_barred = |kind: &Kind| !instance.test(test).applies_to(kind.members[0]);
            let barred = instance.test(test).inapplicable.is_some().then(|| set_of(&kinds, is_barred));
            Column { test, bundle: pricing.bundle_of(test), answers, barred }
        };
        let columns = instance.test_ids().map(column).filter(|column| column.answers.len() > 1).collect();
        Self { instance, pricing, kinds, columns }
    }

    /// The set of all kinds.
    pub(super) fn all(&self) -> Set {
        set_of(&self.kinds, |_| true)
    }

    /// Whether the test of `split` may be asked of a set.
    pub(super) fn may_ask(&self, split: &Split, set: &[u64]) -> bool {
        self.columns[split.column].barred.as_ref().is_none_or(|barred| !meets(barred, set))
    }

    /// Weight of each group in a set.
    pub(super) fn group_weights(&self, set: &[u64]) -> Vec<f64> {
        let mut weights = Vec::new();
        let mut last = None;
        for kind in bits(set) {
            let Kind { group, weight, .. } = self.kinds[kind];
            match weights.last_mut() {
                Some(sum) if last == Some(group) => *sum += weight,
                _ => weights.push(weight),
            }
            last = Some(group);
        }
        weights
    }

    /// Whether all kinds of a set are of one group.
    pub(super) fn is_pure(&self, set: &[u64]) -> bool {
        let mut kinds = bits(set).map(|kind| self.kinds[kind].group);
        let first = kinds.next();
        kinds.all(|group| Some(group) == first)
    }

    /// The open bundles that still hold a test that splits the set.
    pub(super) fn relevant(&self, set: &[u64], open: &OpenBundles) -> OpenBundles {
        let splits = |column: &Column| {
            column.answers.iter().filter(|(.., answer)| meets(set, answer)).nth(1).is_some()
        };
        let holds =
            |bundle: usize| self.columns.iter().any(|column| column.bundle == Some(bundle) && splits(column));
        let mut open = open.clone();
        if !open.is_empty() {
            open.retain(holds);
        }
        open
    }

    /// Objects of a set, one bit each.
    pub(super) fn objects(&self, set: &[u64]) -> Vec<u64> {
        let mut words = vec![0u64; self.instance.object_count().div_ceil(64)];
        for object in bits(set).flat_map(|kind| &self.kinds[kind].members) {
            words[object.index() / 64] |= 1 << (object.index() % 64);
        }
        words
    }
}

/// Parts of a set for one test.
pub(super) struct Split {
    pub(super) column: usize,
    pub(super) parts: Vec<Part>,
}

/// Objects that give one answer.
pub(super) struct Part {
    pub(super) answer: AnswerId,
    pub(super) own: f64,
    pub(super) set: Set,
}

/// All tests that split `set`, also those that may not be asked there: they may be asked in a part of it, so bounds have to
/// reckon with them.
pub(super) fn splits(problem: &Problem<'_>, set: &[u64]) -> Vec<Split> {
    let mut splits = Vec::new();
    for (number, column) in problem.columns.iter().enumerate() {
        let part = |(answer, own, kinds): &(AnswerId, f64, Set)| Part {
            answer: *answer,
            own: *own,
            set: common(kinds, set),
        };
        let parts: Vec<Part> = column.answers.iter().map(part).filter(|part| !is_empty(&part.set)).collect();
        if parts.len() > 1 {
            splits.push(Split { column: number, parts });
        }
    }
    splits
}

fn set_of(kinds: &[Kind], is_in: impl Fn(&Kind) -> bool) -> Set {
    let mut set = vec![0u64; kinds.len().div_ceil(64)];
    for (at, _) in kinds.iter().enumerate().filter(|(_, kind)| is_in(kind)) {
        set[at / 64] |= 1 << (at % 64);
    }
    set.into()
}

/// Objects that two sets have in common.
pub(super) fn common(left: &[u64], right: &[u64]) -> Set {
    left.iter().zip(right).map(|(left, right)| left & right).collect()
}

fn meets(left: &[u64], right: &[u64]) -> bool {
    left.iter().zip(right).any(|(left, right)| left & right != 0)
}

pub(super) fn is_empty(set: &[u64]) -> bool {
    set.iter().all(|word| *word == 0)
}

/// Number of kinds in a set.
pub(super) fn size(set: &[u64]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// Members of a set, in order.
pub(super) fn bits(set: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(at, word)| {
        let mut word = *word;
        std::iter::from_fn(move || {
            let bit = word.trailing_zeros() as usize;
            (word != 0).then(|| {
                word &= word - 1;
                64 * at + bit
            })
        })
    })
}
