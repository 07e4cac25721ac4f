//! Objects that are still possible.

mod by_row;

pub(crate) use by_row::ByRow;

use crate::{AnswerId, GroupId, Instance, ObjectId, TestId};
use std::ops::Range;
use std::sync::OnceLock;

/// Objects still possible at a node, those of one group next to each other.
///
/// A list rather than a bit set: its size, and so the work at a node, depends on the objects left, not on those of
/// the table. Every split keeps the order, by group and then by row, so sums over it are the same on every run.
#[derive(Clone, Debug)]
pub struct Candidates {
    objects: Vec<ObjectId>,
    runs: Vec<Run>,
    weight: f64,
    /// Row-wise form of the same objects, for counting many tests.
    by_row: OnceLock<ByRow>,
}

impl PartialEq for Candidates {
    fn eq(&self, other: &Self) -> bool {
        (&self.objects, &self.runs, self.weight) == (&other.objects, &other.runs, other.weight)
    }
}

/// Candidates of one group.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Group of these candidates.
    pub group: GroupId,
    /// Positions of these candidates in [`Candidates::objects`].
    pub range: Range<u32>,
    /// Sum of the weights of these candidates.
    pub weight: f64,
}

impl Run {
    /// Number of objects of the group that are candidates.
    pub fn count(&self) -> u32 {
        self.range.end - self.range.start
    }

    /// Positions of these candidates, as indices.
    pub fn indices(&self) -> Range<usize> {
        self.range.start as usize..self.range.end as usize
    }
}

impl Candidates {
    /// Returns all objects of `instance`.
    pub fn all(instance: &Instance) -> Self {
        // Counting sort by group.
        let mut places = vec![0; instance.group_count() + 1];
        instance.objects().for_each(|object| places[instance.group_of(object).index() + 1] += 1);
        (1..places.len()).for_each(|group| places[group] += places[group - 1]);
        let mut objects = vec![ObjectId(0); instance.object_count()];
        for object in instance.objects() {
            let place = &mut places[instance.group_of(object).index()];
            objects[*place] = object;
            *place += 1;
        }
        Self::of_sorted(instance, objects)
    }

    /// Makes candidates of `objects`, which must stand in order of their groups.
    pub fn of_sorted(instance: &Instance, objects: Vec<ObjectId>) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for (at, &object) in (0u32..).zip(&objects) {
            let group = instance.group_of(object);
            match runs.last_mut().filter(|run| run.group == group) {
                Some(run) => {
                    run.range.end = at + 1;
                    run.weight += instance.weight(object);
                }
                None => runs.push(Run { group, range: at..at + 1, weight: instance.weight(object) }),
            }
        }
        let weight = runs.iter().map(|run| run.weight).sum();
        Self { objects, runs, weight, by_row: OnceLock::new() }
    }

    /// Objects, by group and then by row.
    pub fn objects(&self) -> &[ObjectId] {
        &self.objects
    }

    /// Groups that are still possible, each with its range of the objects.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Prepares for counting many tests of `instance`, which is then several times as fast. Useless for one test, or
    /// if only few of the rows are candidates.
    pub fn prepare(&self, instance: &Instance) {
        if self.len() >= instance.object_count() / 8 {
            self.by_row.get_or_init(|| ByRow::new(self));
        }
    }

    /// Row-wise form of the candidates, if they were [prepared](Self::prepare).
    pub(crate) fn by_row(&self) -> Option<&ByRow> {
        self.by_row.get()
    }

    /// Number of objects left.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether no object is left, which happens only if the answers contradict the table.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Sum of the weights, in units.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// Whether all candidates belong to one group, so that nothing is left to ask.
    pub fn is_pure(&self) -> bool {
        self.runs.len() <= 1
    }

    /// Returns the candidates for which `keep` is true.
    pub fn keep(&self, instance: &Instance, keep: impl Fn(ObjectId) -> bool) -> Self {
        Self::of_sorted(instance, self.objects.iter().copied().filter(|object| keep(*object)).collect())
    }

    /// Splits the candidates by their answer to `test`: one part for each answer that occurs, in order of answers.
    pub fn split(&self, instance: &Instance, test: TestId) -> Vec<(AnswerId, Self)> {
        let test = instance.test(test);
        let mut answered: Vec<(AnswerId, ObjectId)> =
            self.objects.iter().map(|object| (test.answer(*object), *object)).collect();
        // The sort is stable, so each part keeps the order by group and row.
        answered.sort_by_key(|(answer, _)| *answer);
        let parts = answered.chunk_by(|left, right| left.0 == right.0);
        parts
            .map(|part| {
                (part[0].0, Self::of_sorted(instance, part.iter().map(|(_, object)| *object).collect()))
            })
            .collect()
    }
}
