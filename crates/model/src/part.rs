//! The objects of a node while a tree grows, and how they are parted among its children.

use crate::lanes::{LANE_BITS, Lane, NONE, Sides, bit_of, place};
use crate::packed::cut;
use crate::room::Room;
use crate::simd::{part_columns, part_rows};
use crate::{AnswerId, Candidates, GroupId, Instance, ObjectId, Span, Stretch, TestId};
use bytemuck::Pod;

/// The objects of a node, those of one group next to each other.
#[derive(Debug)]
pub struct Part<'a> {
    pub(crate) stride: usize,
    /// The yes/no answers. Where no question is left to be asked they are left behind, in no order.
    pub(crate) rows: &'a mut [Lane],
    pub(crate) objects: &'a mut [ObjectId],
    /// What the objects weigh, or nothing where all weigh the same.
    pub(crate) weights: &'a mut [f64],
    /// A number for each object, or nothing if there is none.
    pub(crate) moments: &'a mut [f64],
    pub(crate) runs: Vec<Span>,
}

/// Room for the objects that are being moved.
#[derive(Debug, Default)]
pub struct Moving {
    /// How many threads there are for it.
    pub threads: usize,
    pub(crate) aside: Aside,
    answers: Room<u8>,
    /// For a second thread.
    pub(crate) behind: Aside,
    /// Room for groups.
    spare: Vec<Vec<Span>>,
}

impl Moving {
    /// Takes the room of a part that is needed no more.
    pub fn take_back(&mut self, part: Part<'_>) {
        self.spare.push(part.runs);
    }

    /// The room that was for a second thread, if there was one.
    pub fn behind(&mut self) -> Self {
        Self { aside: std::mem::take(&mut self.behind), ..Self::default() }
    }
}

/// Where objects with one answer wait until those with the other are in their places.
#[derive(Debug, Default)]
pub(crate) struct Aside {
    rows: Room<Lane>,
    objects: Room<ObjectId>,
    weights: Room<f64>,
    moments: Room<f64>,
}

impl Aside {
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
    ) -> Sides<'b, ObjectId> {
        let count = objects.len();
        self.make(count, stride);
        Sides {
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
            part_rows::<_, false>(self.sides(rows, objects, stride), stride, column, None);
            self.bring_back::<false>(&mut rows[first * stride..], &mut objects[first..], stride);
        } else {
            part_rows::<_, true>(self.sides(rows, objects, stride), stride, column, None);
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

/// As many objects as are told apart in few enough ways to look at each.
const FEW: usize = 7;

/// All ways to part seven objects, as if each were a test: who is in test number `i` if the bits of `i` say.
const ALL_WAYS: [Lane; FEW] = [
    Lane([0xaaaa_aaaa_aaaa_aaaa; 4]),
    Lane([0xcccc_cccc_cccc_cccc; 4]),
    Lane([0xf0f0_f0f0_f0f0_f0f0; 4]),
    Lane([0xff00_ff00_ff00_ff00; 4]),
    Lane([0xffff_0000_ffff_0000; 4]),
    Lane([0xffff_ffff_0000_0000; 4]),
    Lane([0, u64::MAX, 0, u64::MAX]),
];

/// Every way to part a few objects, and the packed tests that part them so.
///
/// Way `i` gives the second answer to those whose bits are set in `i`.
#[derive(Debug, Default)]
pub struct Ways {
    /// How many ways there are.
    count: usize,
    /// For 256 tests after the other: those of each way.
    tests: Vec<Lane>,
}

impl Ways {
    /// The first packed test that parts the objects so.
    pub fn first(&self, way: usize) -> Option<usize> {
        self.tests.chunks_exact(self.count).enumerate().find_map(|(lane, tests)| {
            let word = tests[way].iter().position(|word| *word != 0)?;
            Some(lane * LANE_BITS + word * 64 + tests[way][word].trailing_zeros() as usize)
        })
    }
}

impl<'a> Part<'a> {
    /// The rows of all objects.
    pub fn rows(&self) -> Stretch<'_> {
        let Self { stride, rows, weights, moments, runs, .. } = self;
        Stretch { stride: *stride, rows, weights, moments, runs, tally: None }
    }

    /// For a few objects, every way to part them as if it were a test; nothing for more than `most` or seven.
    pub fn ways(&self, most: usize, ways: &mut Ways) -> Option<Stretch<'_>> {
        if self.len() > FEW.min(most) {
            return None;
        }
        ways.count = 1 << self.len();
        ways.tests.resize(self.stride << self.len(), NONE);
        part_columns(self.rows, self.stride, &mut ways.tests);
        Some(Stretch { stride: 1, rows: &ALL_WAYS[..self.len()], ..self.rows() })
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Whether they are all of one group.
    pub fn is_pure(&self) -> bool {
        self.runs.len() <= 1
    }

    /// The objects, by group and then by row.
    pub fn objects(&self) -> &[ObjectId] {
        self.objects
    }

    /// The groups that are still possible.
    pub fn runs(&self) -> &[Span] {
        &self.runs
    }

    /// For two objects of different groups, the first packed test to which they give different answers, and the one who gives the
    /// first answer before the other one.
    pub fn difference(&self) -> Option<(usize, [ObjectId; 2])> {
        let ([left, right], 2) = (self.objects.as_array()?, self.runs.len()) else { return None };
        let (left_row, right_row) = self.rows.split_at(self.stride);
        let differ = |at: usize| left_row[at / 4][at % 4] ^ right_row[at / 4][at % 4];
        let word = (0..4 * self.stride).find(|at| differ(*at) != 0)?;
        let column = word * 64 + differ(word).trailing_zeros() as usize;
        let objects = if bit_of(left_row, column) == 0 { [*left, *right] } else { [*right, *left] };
        Some((column, objects))
    }

    /// The middle one of the packed tests to which the objects give different answers, if there is any.
    ///
    /// Of the cuts of one measurement, the middle one keeps a tree flat where the first would make it a list.
    pub fn middle_difference(&self) -> Option<usize> {
        let first = self.rows.get(..self.stride)?;
        let mut differing = vec![NONE; self.stride];
        for row in self.rows.chunks_exact(self.stride) {
            for ((differing, lane), first) in differing.iter_mut().zip(row).zip(first) {
                differing
                    .iter_mut()
                    .zip(lane.iter().zip(first.iter()))
                    .for_each(|(bits, (one, two))| *bits |= one ^ two);
            }
        }
        let words = || differing.iter().flat_map(|lane| lane.iter().copied());
        let mut before = words().map(u64::count_ones).sum::<u32>() / 2;
        let (at, mut word) = (0..).zip(words()).find(|(_, word)| {
            let is_here = word.count_ones() > before;
            before -= if is_here { 0 } else { word.count_ones() };
            is_here
        })?;
        (0..before).for_each(|_| word &= word - 1);
        Some(at * 64 + word.trailing_zeros() as usize)
    }

    /// The same objects as candidates, for whoever looks at one test at a time.
    pub fn candidates(&self, instance: &Instance) -> Candidates {
        Candidates::of_sorted(instance, self.objects.to_vec())
    }

    /// Parts the objects by their answer to the packed test number `column`, in order of answers.
    ///
    /// The test must split them.
    pub fn split(self, column: usize, moving: &mut Moving) -> [(AnswerId, Self); 2] {
        let is_shared = moving.threads > 1 && self.rows.len() >= LARGE;
        if is_shared { self.split_shared(column, moving) } else { self.split_alone(column, moving) }
    }

    fn split_alone(mut self, column: usize, moving: &mut Moving) -> [(AnswerId, Self); 2] {
        let Moving { aside, answers, spare, .. } = moving;
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
        part_rows::<_, false>(self.sides(aside), stride, column, Some(answers));
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
    fn split_shared(mut self, column: usize, moving: &mut Moving) -> [(AnswerId, Self); 2] {
        let Moving { answers, aside, behind, spare, .. } = moving;
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
    fn set_aside<const BACK: bool>(mut self, column: usize, answers: &mut [u8], aside: &mut Aside) -> usize {
        let stride = self.stride;
        let went = part_rows::<_, BACK>(self.sides(aside), stride, column, Some(answers));
        part_aside::<_, BACK>(self.weights, answers, went, &mut aside.weights);
        part_aside::<_, BACK>(self.moments, answers, went, &mut aside.moments);
        went
    }

    /// Fills all places with what was set aside.
    fn bring_back<const BACK: bool>(self, aside: &Aside) {
        aside.bring_back::<BACK>(self.rows, self.objects, self.stride);
        bring_back::<_, BACK>(self.weights, 1, &aside.weights);
        bring_back::<_, BACK>(self.moments, 1, &aside.moments);
    }

    /// Rows and objects, and room for as many and one more.
    fn sides<'b>(&'b mut self, aside: &'b mut Aside) -> Sides<'b, ObjectId> {
        aside.sides(self.rows, self.objects, self.stride)
    }

    /// The same objects for a while, without their groups.
    fn reborrow(&mut self) -> Part<'_> {
        let Self { stride, rows, objects, weights, moments, .. } = self;
        Part { stride: *stride, rows, objects, weights, moments, runs: Vec::new() }
    }

    /// Two parts: the first `len` objects, of all groups that are left, and those behind them.
    fn cut_at(mut self, len: usize, second_runs: Vec<Span>) -> [(AnswerId, Self); 2] {
        let runs = std::mem::replace(&mut self.runs, second_runs);
        let first = self.cut(len, runs);
        [(AnswerId(0), first), (AnswerId(1), self)]
    }

    /// Parts the objects by their answer to any test, for the answers that occur and in order of answers.
    pub fn split_by(self, instance: &Instance, test: TestId, moving: &mut Moving) -> Vec<(AnswerId, Self)> {
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
            let mut runs: Vec<Span> = Vec::new();
            for group in mine.map(|object| instance.group_of(*object)) {
                match runs.last_mut().filter(|run| run.group == group) {
                    Some(run) => run.len += 1,
                    None => runs.push(Span { group, len: 1 }),
                }
            }
            let len = runs.iter().map(|run| run.len as usize).sum();
            parts.push((first, rest.cut(len, runs)));
        }
        parts
    }

    /// Cuts off the first `len` objects, whose groups are `runs`.
    fn cut(&mut self, len: usize, runs: Vec<Span>) -> Self {
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
fn arrange<T: Pod>(items: &mut [T], stride: usize, order: &[usize], aside: &mut Room<T>) {
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
    runs: &mut Vec<Span>,
    mut second_of: impl FnMut(u32) -> u32,
    second_runs: &mut Vec<Span>,
) -> usize {
    second_runs.clear();
    second_runs.resize(runs.len(), Span { group: GroupId(0), len: 0 });
    let (mut firsts, mut seconds) = (0, 0);
    // As in `part_aside`, both places are written.
    for at in 0..runs.len() {
        let run = runs[at];
        let second = second_of(run.len);
        runs[firsts] = Span { len: run.len - second, ..run };
        second_runs[seconds] = Span { len: second, ..run };
        firsts += usize::from(second < run.len);
        seconds += usize::from(second > 0);
    }
    runs.truncate(firsts);
    second_runs.truncate(seconds);
    second_runs.iter().map(|run| run.len as usize).sum()
}

/// Brings all items with answer 0 to the front and those with answer 1 behind them, both in their old order. `seconds` of
/// them have answer 1. Where there are no items there is nothing to do.
fn part<T: Pod>(items: &mut [T], answers: &[u8], seconds: usize, aside: &mut Room<T>) {
    part_aside::<_, false>(items, answers, seconds, aside);
    if !items.is_empty() {
        items[answers.len() - seconds..].copy_from_slice(&aside[..seconds]);
    }
}

/// The same, but that those with answer 1 are put aside; or from the last one on those with answer 0, and the others come to
/// the back. `went` is how many go.
fn part_aside<T: Pod, const BACK: bool>(items: &mut [T], answers: &[u8], went: usize, aside: &mut Room<T>) {
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
    use crate::Packed;
    use crate::packed::tests::instance;
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
            let mut packed = Packed::new(&instance, Some(weights), Some(&moments));
            let columns = packed.tests().to_vec();
            let mut moving = Moving::default();
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
