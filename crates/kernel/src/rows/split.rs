//! Splitting the rows of a node among its children, in place.

use super::node::NodeRows;
use super::pack::cut;
use super::view::GroupRun;
use crate::buffer::PageBuffer;
use crate::lane::{Lane, bit_of};
use crate::partition::{SplitSlices, partition_rows, place};
use bytemuck::Pod;
use fewest_model::{AnswerId, GroupId, Instance, ObjectId, TestId};

/// Scratch buffers reused by every in-place split.
#[derive(Debug, Default)]
pub struct SplitBuffers {
    /// Number of threads that may split one node.
    pub threads: usize,
    pub(crate) spill: Spill,
    answers: PageBuffer<u8>,
    /// Spill of a second thread.
    pub(crate) second_spill: Spill,
    /// Vectors for the runs of groups, for reuse.
    spare: Vec<Vec<GroupRun>>,
}

impl SplitBuffers {
    /// Takes back the run vector of a node that is no longer needed.
    pub fn recycle(&mut self, part: NodeRows<'_>) {
        self.spare.push(part.runs);
    }

    /// Returns the buffers of the second thread, if there was one, as buffers of their own.
    pub fn second_thread(&mut self) -> Self {
        Self { spill: std::mem::take(&mut self.second_spill), ..Self::default() }
    }
}

/// Buffer for the objects with one answer, until the others have been moved to their places.
#[derive(Debug, Default)]
pub(crate) struct Spill {
    rows: PageBuffer<Lane>,
    objects: PageBuffer<ObjectId>,
    weights: PageBuffer<f64>,
    moments: PageBuffer<f64>,
}

impl Spill {
    /// Ensures space for `objects` objects and one more. Pages that are not touched cost nothing.
    fn ensure(&mut self, objects: usize, stride: usize) {
        self.rows.ensure((objects + 1) * stride);
        self.objects.ensure(objects + 1);
    }

    /// Slices of the rows and objects, and of spill space for as many and one more.
    fn sides<'b>(
        &'b mut self,
        rows: &'b mut [Lane],
        objects: &'b mut [ObjectId],
        stride: usize,
    ) -> SplitSlices<'b, ObjectId> {
        let count = objects.len();
        self.ensure(count, stride);
        SplitSlices {
            rows,
            items: objects,
            aside_rows: &mut self.rows[..(count + 1) * stride],
            aside_items: &mut self.objects[..=count],
        }
    }

    /// Splits objects and rows, of which `first` give the first answer, in order of answers. The smaller side is
    /// spilled meanwhile.
    pub(crate) fn split(
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

    /// Fills the slices from the spill.
    fn bring_back<const BACK: bool>(&self, rows: &mut [Lane], objects: &mut [ObjectId], stride: usize) {
        bring_back::<_, BACK>(rows, stride, &self.rows);
        bring_back::<_, BACK>(objects, 1, &self.objects);
    }
}

/// Least number of lanes of a node that is split by two threads: 4 MiB.
pub(crate) const MIN_SHARED_LANES: usize = 1 << 17;

impl<'a> NodeRows<'a> {
    /// Splits the objects by their answer to packed test number `column`, in order of answers.
    ///
    /// The test must split them.
    pub fn split(self, column: usize, buffers: &mut SplitBuffers) -> [(AnswerId, Self); 2] {
        let is_shared = buffers.threads > 1 && self.rows.len() >= MIN_SHARED_LANES;
        if is_shared { self.split_shared(column, buffers) } else { self.split_alone(column, buffers) }
    }

    fn split_alone(mut self, column: usize, buffers: &mut SplitBuffers) -> [(AnswerId, Self); 2] {
        let SplitBuffers { spill, answers, spare, .. } = buffers;
        let (stride, front) = (self.stride, self.runs[0]);
        answers.ensure(self.len());
        let answers = &mut answers[..self.len()];
        let mut second_runs = spare.pop().unwrap_or_default();
        let mut seconds = None;
        // With two groups, each may get an answer of its own. Pure nodes need no answers any more, so no row moves.
        if self.runs.len() == 2 {
            let rows = self.rows.chunks_exact(stride);
            answers.iter_mut().zip(rows).for_each(|(answer, row)| *answer = bit_of(row, column));
            seconds = Some(split_runs(&mut self.runs, answers_of(answers), &mut second_runs));
            if let ([first], [second]) = (&self.runs[..], &second_runs[..]) {
                let (first, is_rotated) = (first.len as usize, *second == front);
                if is_rotated {
                    self.rotate(front.len as usize);
                }
                return self.cut_at(first, second_runs);
            }
        }
        partition_rows::<_, false>(self.sides(spill), stride, column, Some(answers));
        let seconds =
            seconds.unwrap_or_else(|| split_runs(&mut self.runs, answers_of(answers), &mut second_runs));
        let first = self.len() - seconds;
        spill.bring_back::<false>(&mut self.rows[first * stride..], &mut self.objects[first..], stride);
        stable_partition(self.weights, answers, seconds, &mut spill.weights);
        stable_partition(self.moments, answers, seconds, &mut spill.moments);
        self.cut_at(first, second_runs)
    }

    /// Rotates the first `len` objects behind the others, without their rows.
    fn rotate(&mut self, len: usize) {
        self.objects.rotate_left(len);
        for numbers in [&mut self.weights, &mut self.moments] {
            numbers.rotate_left(len.min(numbers.len()));
        }
    }

    /// Splits the node by two threads. One brings the first answers of the front half to the front, the other one the
    /// second answers of the back half to the back. The gap between them is then filled from both spills.
    fn split_shared(mut self, column: usize, buffers: &mut SplitBuffers) -> [(AnswerId, Self); 2] {
        let SplitBuffers { answers, spill, second_spill, spare, .. } = buffers;
        let half = self.len() / 2;
        // Half of this would suffice here, but the larger child of this node needs all of it.
        spill.ensure(self.len(), self.stride);
        second_spill.ensure(self.len(), self.stride);
        answers.ensure(self.len());
        let answers = &mut answers[..self.len()];
        let (front_answers, back_answers) = answers.split_at_mut(half);
        let mut back = self.reborrow();
        let front = back.cut(half, Vec::new());
        let (seconds, firsts) = rayon::join(
            || front.set_aside::<false>(column, front_answers, spill),
            || back.set_aside::<true>(column, back_answers, second_spill),
        );
        let mut between = self.reborrow();
        between.cut(half - seconds, Vec::new());
        let for_firsts = between.cut(firsts, Vec::new());
        let for_seconds = between.cut(seconds, Vec::new());
        rayon::join(
            || for_firsts.bring_back::<true>(second_spill),
            || for_seconds.bring_back::<false>(spill),
        );
        let mut second_runs = spare.pop().unwrap_or_default();
        split_runs(&mut self.runs, answers_of(answers), &mut second_runs);
        self.cut_at(half - seconds + firsts, second_runs)
    }

    /// Keeps the objects with the first answer at the front and spills the others; with `BACK`, keeps those with the
    /// second answer at the back and spills the others, the last one first. Returns the number of spilled objects.
    fn set_aside<const BACK: bool>(mut self, column: usize, answers: &mut [u8], spill: &mut Spill) -> usize {
        let stride = self.stride;
        let went = partition_rows::<_, BACK>(self.sides(spill), stride, column, Some(answers));
        partition_with_spill::<_, BACK>(self.weights, answers, went, &mut spill.weights);
        partition_with_spill::<_, BACK>(self.moments, answers, went, &mut spill.moments);
        went
    }

    /// Fills the node from the spill.
    fn bring_back<const BACK: bool>(self, spill: &Spill) {
        spill.bring_back::<BACK>(self.rows, self.objects, self.stride);
        bring_back::<_, BACK>(self.weights, 1, &spill.weights);
        bring_back::<_, BACK>(self.moments, 1, &spill.moments);
    }

    /// Slices of the rows and objects, and of spill space for as many and one more.
    fn sides<'b>(&'b mut self, spill: &'b mut Spill) -> SplitSlices<'b, ObjectId> {
        spill.sides(self.rows, self.objects, self.stride)
    }

    /// Borrows the same objects for a while, without their groups.
    fn reborrow(&mut self) -> NodeRows<'_> {
        let Self { stride, rows, objects, weights, moments, .. } = self;
        NodeRows { stride: *stride, rows, objects, weights, moments, runs: Vec::new() }
    }

    /// Cuts the node into the first `len` objects, of the groups left in `runs`, and the rest.
    fn cut_at(mut self, len: usize, second_runs: Vec<GroupRun>) -> [(AnswerId, Self); 2] {
        let runs = std::mem::replace(&mut self.runs, second_runs);
        let first = self.cut(len, runs);
        [(AnswerId(0), first), (AnswerId(1), self)]
    }

    /// Splits the objects by their answer to any test: one part for each answer that occurs, in order of answers.
    pub fn split_by(
        self,
        instance: &Instance,
        test: TestId,
        buffers: &mut SplitBuffers,
    ) -> Vec<(AnswerId, Self)> {
        let answer = |object: ObjectId| instance.answer(object, test);
        let mut order: Vec<usize> = (0..self.len()).collect();
        // The sort is stable, so each part keeps the order by group and row.
        order.sort_by_key(|at| answer(self.objects[*at]));
        let spill = &mut buffers.spill;
        arrange(self.rows, self.stride, &order, &mut spill.rows);
        arrange(self.objects, 1, &order, &mut spill.objects);
        arrange(self.weights, 1, &order, &mut spill.weights);
        arrange(self.moments, 1, &order, &mut spill.moments);
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

/// Permutes items of `stride` elements each. An empty slice stays empty.
fn arrange<T: Pod>(items: &mut [T], stride: usize, order: &[usize], spill: &mut PageBuffer<T>) {
    spill.ensure(items.len());
    spill[..items.len()].copy_from_slice(items);
    for (item, from) in items.chunks_mut(stride).zip(order) {
        item.copy_from_slice(&spill[from * stride..(from + 1) * stride]);
    }
}

/// Returns a function that counts, at each call, the second answers among the next `len` objects.
fn answers_of(answers: &[u8]) -> impl FnMut(u32) -> u32 {
    let mut rest = answers;
    move |len| {
        let (mine, others) = rest.split_at(len as usize);
        rest = others;
        mine.iter().map(|answer| u32::from(*answer)).sum()
    }
}

/// Splits the runs of groups: leaves the first parts in `runs`, writes the second ones to `second_runs` and returns
/// their total size. `second_of(len)` returns, group by group, how many of the next `len` objects give the second
/// answer.
fn split_runs(
    runs: &mut Vec<GroupRun>,
    mut second_of: impl FnMut(u32) -> u32,
    second_runs: &mut Vec<GroupRun>,
) -> usize {
    second_runs.clear();
    second_runs.resize(runs.len(), GroupRun { group: GroupId(0), len: 0 });
    let (mut firsts, mut seconds) = (0, 0);
    // Branchless, as in `partition_with_spill`: both places are written and only one index advances.
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

/// Stable partition: items with answer 0 to the front, the `seconds` items with answer 1 behind them. An empty slice
/// stays empty.
fn stable_partition<T: Pod>(items: &mut [T], answers: &[u8], seconds: usize, spill: &mut PageBuffer<T>) {
    partition_with_spill::<_, false>(items, answers, seconds, spill);
    if !items.is_empty() {
        items[answers.len() - seconds..].copy_from_slice(&spill[..seconds]);
    }
}

/// Moves the items with answer 0 to the front and spills those with answer 1; with `BACK`, moves those with answer 1
/// to the back and spills the others, the last one first. `went` is the number of spilled items.
fn partition_with_spill<T: Pod, const BACK: bool>(
    items: &mut [T],
    answers: &[u8],
    went: usize,
    spill: &mut PageBuffer<T>,
) {
    if items.is_empty() {
        return;
    }
    spill.ensure(went + 1);
    let (spill, count) = (&mut spill[..=went], items.len());
    let (mut stayed, mut went) = (0, 0);
    // Branchless: both places are written, and only the index of the right one advances.
    for at in 0..count {
        let at = place::<BACK>(at, count);
        let item = items[at];
        items[place::<BACK>(stayed, count)] = item;
        spill[went] = item;
        let goes = usize::from(answers[at]) ^ usize::from(BACK);
        stayed += 1 - goes;
        went += goes;
    }
}

/// Fills `items`, of `stride` elements each, from the spill; with `BACK`, from the last one on.
fn bring_back<T: Copy, const BACK: bool>(items: &mut [T], stride: usize, spill: &[T]) {
    let spill = &spill[..items.len()];
    match stride {
        _ if !BACK => items.copy_from_slice(spill),
        1 => items.iter_mut().rev().zip(spill).for_each(|(item, spill)| *item = *spill),
        _ => {
            let from = spill.chunks_exact(stride);
            items.rchunks_exact_mut(stride).zip(from).for_each(|(item, spill)| item.copy_from_slice(spill));
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
            let mut buffers = SplitBuffers::default();
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
                    0 => part.split_by(&instance, test, &mut buffers),
                    1 => part.split(column, &mut buffers).into(),
                    _ => part.split_shared(column, &mut buffers).into(),
                };
                let needed = candidates.split(&instance, test);
                prop_assert_eq!(parts.len(), needed.len());
                for ((answer, part), (wanted_answer, candidates)) in parts.into_iter().zip(needed) {
                    prop_assert_eq!(answer, wanted_answer);
                    waiting.push((part, candidates));
                }
            }
        }
    }
}
