//! Splitting the rows of a node among its children, in place.

use super::node::NodeRows;
use super::pack::{GroupRun, cut};
use crate::buffer::PageBuffer;
use crate::lane::{Lane, bit_of};
use crate::partition::{SplitSlices, partition_rows, place};
use bytemuck::Pod;
use fewest_model::{AnswerId, GroupId, Instance, ObjectId, TestId};

/// PageBuffer for the objects that are being moved.
#[derive(Debug, Default)]
pub struct SplitBuffers {
    /// How many threads there are for it.
    pub threads: usize,
    pub(crate) aside: Spill,
    answers: PageBuffer<u8>,
    /// For a second thread.
    pub(crate) behind: Spill,
    /// PageBuffer for groups.
    spare: Vec<Vec<GroupRun>>,
}

impl SplitBuffers {
    /// Takes the room of a part that is needed no more.
    pub fn take_back(&mut self, part: NodeRows<'_>) {
        self.spare.push(part.runs);
    }

    /// The room that was for a second thread, if there was one.
    pub fn behind(&mut self) -> Self {
        Self { aside: std::mem::take(&mut self.behind), ..Self::default() }
    }
}

/// Where objects with one answer wait until those with the other are in their places.
#[derive(Debug, Default)]
pub(crate) struct Spill {
    rows: PageBuffer<Lane>,
    objects: PageBuffer<ObjectId>,
    weights: PageBuffer<f64>,
    moments: PageBuffer<f64>,
}

impl Spill {
    /// Makes room for so many objects and one more. What is not used is not taken from the system either.
    fn make(&mut self, objects: usize, stride: usize) {
        self.rows.make((objects + 1) * stride);
        self.objects.make(objects + 1);
    }

    /// Rows and objects, and room for as many and one more.
    fn sides<'b>(
        &'b mut self,
        rows: &'b mut [Lane],
        objects: &'b mut [ObjectId],
        stride: usize,
    ) -> SplitSlices<'b, ObjectId> {
        let count = objects.len();
        self.make(count, stride);
        SplitSlices {
            rows,
            items: objects,
            aside_rows: &mut self.rows[..(count + 1) * stride],
            aside_items: &mut self.objects[..=count],
        }
    }

    /// Parts objects with their rows, of whom `first` give the first answer, in order of answers. The fewer of them are set aside
    /// meanwhile.
    pub(crate) fn part(
        &mut self,
        rows: &mut [Lane],
        objects: &mut [ObjectId],
        stride: usize,
        column: usize,
        first: usize,
    ) {
        if 2 * first >= objects.len() {
            partition_rows::<_, false>(self.sides(rows, objects, stride), stride, column, None);
            self.bring_back::<false>(&mut rows[first * stride..], &mut objects[first..], stride);
        } else {
            partition_rows::<_, true>(self.sides(rows, objects, stride), stride, column, None);
            self.bring_back::<true>(&mut rows[..first * stride], &mut objects[..first], stride);
        }
    }

    /// Fills all places with what was set aside.
    fn bring_back<const BACK: bool>(&self, rows: &mut [Lane], objects: &mut [ObjectId], stride: usize) {
        bring_back::<_, BACK>(rows, stride, &self.rows);
        bring_back::<_, BACK>(objects, 1, &self.objects);
    }
}

/// From so many lanes on, a node is parted by two threads: four megabytes.
pub(crate) const LARGE: usize = 1 << 17;

impl<'a> NodeRows<'a> {
    /// Parts the objects by their answer to the packed test number `column`, in order of answers.
    ///
    /// The test must split them.
    pub fn split(self, column: usize, moving: &mut SplitBuffers) -> [(AnswerId, Self); 2] {
        let is_shared = moving.threads > 1 && self.rows.len() >= LARGE;
        if is_shared { self.split_shared(column, moving) } else { self.split_alone(column, moving) }
    }

    fn split_alone(mut self, column: usize, moving: &mut SplitBuffers) -> [(AnswerId, Self); 2] {
        let SplitBuffers { aside, answers, spare, .. } = moving;
        let (stride, front) = (self.stride, self.runs[0]);
        answers.make(self.len());
        let answers = &mut answers[..self.len()];
        let mut second_runs = spare.pop().unwrap_or_default();
        let mut seconds = None;
        // Of two groups each may be alone with its answer. Who is not asked again needs no answers, so no row moves.
        if self.runs.len() == 2 {
            let rows = self.rows.chunks_exact(stride);
            answers.iter_mut().zip(rows).for_each(|(answer, row)| *answer = bit_of(row, column));
            seconds = Some(part_runs(&mut self.runs, answers_of(answers), &mut second_runs));
            if let ([first], [second]) = (&self.runs[..], &second_runs[..]) {
                let (first, is_turned) = (first.len as usize, *second == front);
                if is_turned {
                    self.turn(front.len as usize);
                }
                return self.cut_at(first, second_runs);
            }
        }
        partition_rows::<_, false>(self.sides(aside), stride, column, Some(answers));
        let seconds =
            seconds.unwrap_or_else(|| part_runs(&mut self.runs, answers_of(answers), &mut second_runs));
        let first = self.len() - seconds;
        aside.bring_back::<false>(&mut self.rows[first * stride..], &mut self.objects[first..], stride);
        part(self.weights, answers, seconds, &mut aside.weights);
        part(self.moments, answers, seconds, &mut aside.moments);
        self.cut_at(first, second_runs)
    }

    /// Brings the first `len` objects behind the others, but for their rows.
    fn turn(&mut self, len: usize) {
        self.objects.rotate_left(len);
        for numbers in [&mut self.weights, &mut self.moments] {
            numbers.rotate_left(len.min(numbers.len()));
        }
    }

    /// The same by two threads. One brings those of the front half with the first answer to the front, the other one those of
    /// the back half with the second answer to the back. What is between them is then for those who were set aside.
    fn split_shared(mut self, column: usize, moving: &mut SplitBuffers) -> [(AnswerId, Self); 2] {
        let SplitBuffers { answers, aside, behind, spare, .. } = moving;
        let half = self.len() / 2;
        // Half of the room would do here, but not for the larger part of this node.
        aside.make(self.len(), self.stride);
        behind.make(self.len(), self.stride);
        answers.make(self.len());
        let answers = &mut answers[..self.len()];
        let (front_answers, back_answers) = answers.split_at_mut(half);
        let mut back = self.reborrow();
        let front = back.cut(half, Vec::new());
        let (seconds, firsts) = rayon::join(
            || front.set_aside::<false>(column, front_answers, aside),
            || back.set_aside::<true>(column, back_answers, behind),
        );
        let mut between = self.reborrow();
        between.cut(half - seconds, Vec::new());
        let for_firsts = between.cut(firsts, Vec::new());
        let for_seconds = between.cut(seconds, Vec::new());
        rayon::join(|| for_firsts.bring_back::<true>(behind), || for_seconds.bring_back::<false>(aside));
        let mut second_runs = spare.pop().unwrap_or_default();
        part_runs(&mut self.runs, answers_of(answers), &mut second_runs);
        self.cut_at(half - seconds + firsts, second_runs)
    }

    /// Brings those with the first answer to the front and the others aside, or those with the second to the back and the
    /// others aside, the last one first; gives how many these are.
    fn set_aside<const BACK: bool>(mut self, column: usize, answers: &mut [u8], aside: &mut Spill) -> usize {
        let stride = self.stride;
        let went = partition_rows::<_, BACK>(self.sides(aside), stride, column, Some(answers));
        part_aside::<_, BACK>(self.weights, answers, went, &mut aside.weights);
        part_aside::<_, BACK>(self.moments, answers, went, &mut aside.moments);
        went
    }

    /// Fills all places with what was set aside.
    fn bring_back<const BACK: bool>(self, aside: &Spill) {
        aside.bring_back::<BACK>(self.rows, self.objects, self.stride);
        bring_back::<_, BACK>(self.weights, 1, &aside.weights);
        bring_back::<_, BACK>(self.moments, 1, &aside.moments);
    }

    /// Rows and objects, and room for as many and one more.
    fn sides<'b>(&'b mut self, aside: &'b mut Spill) -> SplitSlices<'b, ObjectId> {
        aside.sides(self.rows, self.objects, self.stride)
    }

    /// The same objects for a while, without their groups.
    fn reborrow(&mut self) -> NodeRows<'_> {
        let Self { stride, rows, objects, weights, moments, .. } = self;
        NodeRows { stride: *stride, rows, objects, weights, moments, runs: Vec::new() }
    }

    /// Two parts: the first `len` objects, of all groups that are left, and those behind them.
    fn cut_at(mut self, len: usize, second_runs: Vec<GroupRun>) -> [(AnswerId, Self); 2] {
        let runs = std::mem::replace(&mut self.runs, second_runs);
        let first = self.cut(len, runs);
        [(AnswerId(0), first), (AnswerId(1), self)]
    }

    /// Parts the objects by their answer to any test, for the answers that occur and in order of answers.
    pub fn split_by(
        self,
        instance: &Instance,
        test: TestId,
        moving: &mut SplitBuffers,
    ) -> Vec<(AnswerId, Self)> {
        let answer = |object: ObjectId| instance.answer(object, test);
        let mut order: Vec<usize> = (0..self.len()).collect();
        // The sort is stable, so each part keeps the order by group and row.
        order.sort_by_key(|at| answer(self.objects[*at]));
        let aside = &mut moving.aside;
        arrange(self.rows, self.stride, &order, &mut aside.rows);
        arrange(self.objects, 1, &order, &mut aside.objects);
        arrange(self.weights, 1, &order, &mut aside.weights);
        arrange(self.moments, 1, &order, &mut aside.moments);
        let (mut rest, mut parts) = (self, Vec::new());
        while let Some(first) = rest.objects.first().map(|object| answer(*object)) {
            let mine = rest.objects.iter().take_while(|object| answer(**object) == first);
            let mut runs: Vec<GroupRun> = Vec::new();
            for group in mine.map(|object| instance.group_of(*object)) {
                match runs.last_mut().filter(|run| run.group == group) {
                    Some(run) => run.len += 1,
                    None => runs.push(GroupRun { group, len: 1 }),
                }
            }
            let len = runs.iter().map(|run| run.len as usize).sum();
            parts.push((first, rest.cut(len, runs)));
        }
        parts
    }

    /// Cuts off the first `len` objects, whose groups are `runs`.
    fn cut(&mut self, len: usize, runs: Vec<GroupRun>) -> Self {
        Self {
            stride: self.stride,
            rows: cut(&mut self.rows, len * self.stride),
            objects: cut(&mut self.objects, len),
            weights: cut(&mut self.weights, len),
            moments: cut(&mut self.moments, len),
            runs,
        }
    }
}

/// Brings items, each `stride` long, into another order. Where there are no items there is nothing to do.
fn arrange<T: Pod>(items: &mut [T], stride: usize, order: &[usize], aside: &mut PageBuffer<T>) {
    aside.make(items.len());
    aside[..items.len()].copy_from_slice(items);
    for (item, from) in items.chunks_mut(stride).zip(order) {
        item.copy_from_slice(&aside[from * stride..(from + 1) * stride]);
    }
}

/// Of so many objects after those of the last call: how many give the second answer.
fn answers_of(answers: &[u8]) -> impl FnMut(u32) -> u32 {
    let mut rest = answers;
    move |len| {
        let (mine, others) = rest.split_at(len as usize);
        rest = others;
        mine.iter().map(|answer| u32::from(*answer)).sum()
    }
}

/// Parts groups: leaves the first parts, writes down the second ones and gives how many objects these have. How many of each
/// group they are says `second_of`, one group after the other.
fn part_runs(
    runs: &mut Vec<GroupRun>,
    mut second_of: impl FnMut(u32) -> u32,
    second_runs: &mut Vec<GroupRun>,
) -> usize {
    second_runs.clear();
    second_runs.resize(runs.len(), GroupRun { group: GroupId(0), len: 0 });
    let (mut firsts, mut seconds) = (0, 0);
    // As in `part_aside`, both places are written.
    for at in 0..runs.len() {
        let run = runs[at];
        let second = second_of(run.len);
        runs[firsts] = GroupRun { len: run.len - second, ..run };
        second_runs[seconds] = GroupRun { len: second, ..run };
        firsts += usize::from(second < run.len);
        seconds += usize::from(second > 0);
    }
    runs.truncate(firsts);
    second_runs.truncate(seconds);
    second_runs.iter().map(|run| run.len as usize).sum()
}

/// Brings all items with answer 0 to the front and those with answer 1 behind them, both in their old order. `seconds` of
/// them have answer 1. Where there are no items there is nothing to do.
fn part<T: Pod>(items: &mut [T], answers: &[u8], seconds: usize, aside: &mut PageBuffer<T>) {
    part_aside::<_, false>(items, answers, seconds, aside);
    if !items.is_empty() {
        items[answers.len() - seconds..].copy_from_slice(&aside[..seconds]);
    }
}

/// The same, but that those with answer 1 are put aside; or from the last one on those with answer 0, and the others come to
/// the back. `went` is how many go.
fn part_aside<T: Pod, const BACK: bool>(
    items: &mut [T],
    answers: &[u8],
    went: usize,
    aside: &mut PageBuffer<T>,
) {
    if items.is_empty() {
        return;
    }
    aside.make(went + 1);
    let (aside, count) = (&mut aside[..=went], items.len());
    let (mut stayed, mut went) = (0, 0);
    // Both places are written, and only the one that counts moves on.
    for at in 0..count {
        let at = place::<BACK>(at, count);
        let item = items[at];
        items[place::<BACK>(stayed, count)] = item;
        aside[went] = item;
        let goes = usize::from(answers[at]) ^ usize::from(BACK);
        stayed += 1 - goes;
        went += goes;
    }
}

/// Fills `items`, each `stride` long, with what was put aside, from the last one on if that was put there first.
fn bring_back<T: Copy, const BACK: bool>(items: &mut [T], stride: usize, aside: &[T]) {
    let aside = &aside[..items.len()];
    match stride {
        _ if !BACK => items.copy_from_slice(aside),
        1 => items.iter_mut().rev().zip(aside).for_each(|(item, aside)| *item = *aside),
        _ => {
            let from = aside.chunks_exact(stride);
            items.rchunks_exact_mut(stride).zip(from).for_each(|(item, aside)| item.copy_from_slice(aside));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::pack::PackedRows;
    use crate::rows::pack::tests::instance;
    use fewest_model::Candidates;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn parts_are_those_of_candidates(
            rows in prop::collection::vec((any::<u64>(), 0u8..4, 1u32..4), 2..90),
            tests in prop_oneof![1usize..40, 250usize..1600], chosen: prop::sample::Index, way in 0usize..3,
        ) {
            let instance = instance(&rows, tests);
            let weights = instance.weights().units();
            let moments: Vec<f64> = weights.iter().map(|weight| weight * 2.0).collect();
            let mut packed = PackedRows::new(&instance, Some(weights), Some(&moments));
            let columns = packed.tests().to_vec();
            let mut moving = SplitBuffers::default();
            let mut waiting = vec![(packed.root(), Candidates::all(&instance))];
            while let Some((part, candidates)) = waiting.pop() {
                prop_assert_eq!(&part.candidates(&instance), &candidates);
                let own: Vec<f64> = part.objects().iter().map(|object| instance.weight(*object)).collect();
                prop_assert_eq!(&part.weights[..], &own[..]);
                prop_assert!(part.moments.iter().zip(&own).all(|(moment, weight)| *moment == weight * 2.0));
                if !part.is_pure() {
                    let answers = |object: &ObjectId| columns.iter().map(|test| instance.answer(*object, *test).0 as u8).collect::<Vec<_>>();
                    let bits = |row: &[Lane]| (0..columns.len()).map(|column| bit_of(row, column)).collect::<Vec<_>>();
                    prop_assert!(part.rows.chunks(part.stride).map(bits).eq(part.objects.iter().map(answers)));
                }
                let spans: Vec<(GroupId, u32)> = candidates.runs().iter().map(|run| (run.group, run.count())).collect();
                prop_assert_eq!(part.runs().iter().map(|run| (run.group, run.len)).collect::<Vec<_>>(), spans);
                let splits = |test: &TestId| candidates.split(&instance, *test).len() > 1;
                if part.is_pure() {
                    continue;
                }
                let mut useful = columns.iter().copied().filter(splits);
                let Some(test) = useful.nth(chosen.index(2)).or_else(|| columns.iter().copied().find(splits)) else { continue };
                let column = columns.binary_search(&test).unwrap();
                let parts = match way {
                    0 => part.split_by(&instance, test, &mut moving),
                    1 => part.split(column, &mut moving).into(),
                    _ => part.split_shared(column, &mut moving).into(),
                };
                let wanted = candidates.split(&instance, test);
                prop_assert_eq!(parts.len(), wanted.len());
                for ((answer, part), (wanted_answer, candidates)) in parts.into_iter().zip(wanted) {
                    prop_assert_eq!(answer, wanted_answer);
                    waiting.push((part, candidates));
                }
            }
        }
    }
}
