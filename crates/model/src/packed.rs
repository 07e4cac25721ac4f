//! Candidates with their answers at hand: while a tree grows, what the objects of a node answer lies together.

use crate::lanes::{LANE_BITS, Lane, NONE, Sides, bit_of, place};
use crate::room::Room;
use crate::simd::{part_columns, part_rows, transpose};
use crate::{AnswerId, Candidates, GroupId, Instance, ObjectId, TestId};
use bytemuck::Pod;
use rayon::prelude::*;
use std::ops::Range;

/// All objects of an instance in order of groups, each with its answers to the yes/no tests as one row of bits.
///
/// A tree grows by parting the rows of a node among its children in place. So every node is a stretch of memory that is
/// read from one end to the other, and the work at a node is what is left there.
#[derive(Debug)]
pub struct Packed {
    columns: Columns,
    rows: Room<Lane>,
    objects: Room<ObjectId>,
    weights: Vec<f64>,
    moments: Vec<f64>,
    runs: Vec<Span>,
}

/// Which tests are packed.
#[derive(Clone, Debug)]
struct Columns {
    /// The tests with at most two answers, in order: bit `i` of a row belongs to test `i` of these.
    tests: Vec<TestId>,
    /// How many lanes a row has.
    stride: usize,
}

/// The objects of one group at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The group.
    pub group: GroupId,
    /// How many they are.
    pub len: u32,
}

/// The objects of a node, those of one group next to each other.
#[derive(Debug)]
pub struct Part<'a> {
    pub(crate) stride: usize,
    /// The yes/no answers. Where no question is left to be asked they are left behind, in no order.
    pub(crate) rows: &'a mut [Lane],
    objects: &'a mut [ObjectId],
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
    aside: Aside,
    answers: Room<u8>,
    /// For a second thread.
    behind: Aside,
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
struct Aside {
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
}

impl Packed {
    /// Packs all objects; `weights` and `moments` are numbers of theirs that the criterion needs.
    pub fn new(instance: &Instance, weights: Option<&[f64]>, moments: Option<&[f64]>) -> Self {
        let tests: Vec<TestId> =
            instance.test_ids().filter(|test| instance.test(*test).codes.width() == 1).collect();
        let stride = tests.len().div_ceil(LANE_BITS).max(1);
        let (rows, objects, runs) = pack(instance, &tests, stride);
        let numbers = |of: Option<&[f64]>| {
            of.map_or_else(Vec::new, |of| objects.iter().map(|object| of[object.index()]).collect())
        };
        let (weights, moments) = (numbers(weights), numbers(moments));
        Self { columns: Columns { tests, stride }, rows, objects, weights, moments, runs }
    }

    /// The tests that are packed, in order: those with at most two answers.
    pub fn tests(&self) -> &[TestId] {
        &self.columns.tests
    }

    /// All objects, as the root of a tree that is to grow.
    pub fn root(&mut self) -> Part<'_> {
        let Self { columns, rows, objects, weights, moments, runs } = self;
        Part { stride: columns.stride, rows, objects, weights, moments, runs: runs.clone() }
    }
}

/// Lanes for which room is made without asking how many are needed: two megabytes.
const MUCH_ROOM: usize = 1 << 16;

/// Objects that are packed together: so many read whole cache lines of columns, and two of them are read faster than one by one.
const TILE: usize = 1024;
/// How many pieces of a table there are for each thread.
const PIECES: usize = 4;
/// What is worth a thread of its own.
const WORTH_SHARING: usize = 8 * TILE;

/// Turns columns of answers into rows, in order of groups; with the objects and the groups.
fn pack(instance: &Instance, tests: &[TestId], stride: usize) -> (Room<Lane>, Room<ObjectId>, Vec<Span>) {
    let count = instance.object_count();
    let (mut rows, mut objects) = (Room::new(count * stride), Room::new(count));
    // Threads pack pieces of the table, a few each, since none is sure to be as fast as the others; what a piece has of a group
    // goes to a place of its own.
    let threads = rayon::current_num_threads();
    let pieces = if threads > 1 { (PIECES * threads).min(count / WORTH_SHARING).max(1) } else { 1 };
    let piece = count.div_ceil(pieces).next_multiple_of(TILE);
    let starts: Vec<usize> = (0..count).step_by(piece).collect();
    let sizes: Vec<Vec<u32>> = starts
        .into_par_iter()
        .map(|start| group_sizes(instance, start..(start + piece).min(count)))
        .collect();
    let mut places: Vec<Vec<Place<'_>>> = sizes.iter().map(|_| Vec::new()).collect();
    let (mut rest, mut rest_objects, mut runs) = (&mut rows[..], &mut objects[..], Vec::new());
    for group in 0..instance.group_count() {
        for (places, sizes) in places.iter_mut().zip(&sizes) {
            let len = sizes[group] as usize;
            places.push(Place { rows: cut(&mut rest, len * stride), objects: cut(&mut rest_objects, len) });
        }
        let len = sizes.iter().map(|sizes| sizes[group]).sum();
        runs.extend((len > 0).then_some(Span { group: GroupId::at(group), len }));
    }
    places.into_par_iter().enumerate().for_each(|(at, mut places)| {
        let range = at * piece..((at + 1) * piece).min(count);
        pack_piece(instance, tests, stride, range, &mut places);
    });
    (rows, objects, runs)
}

/// Where the objects of a group go.
struct Place<'a> {
    rows: &'a mut [Lane],
    objects: &'a mut [ObjectId],
}

fn group_sizes(instance: &Instance, objects: Range<usize>) -> Vec<u32> {
    let mut sizes = vec![0; instance.group_count()];
    objects.for_each(|object| sizes[instance.group_of(ObjectId::at(object)).index()] += 1);
    sizes
}

/// Packs the rows of some objects behind one another, each at the place of its group.
fn pack_piece(
    instance: &Instance,
    tests: &[TestId],
    stride: usize,
    objects: Range<usize>,
    places: &mut [Place<'_>],
) {
    let mut filled = vec![0; places.len()];
    for start in objects.clone().step_by(TILE) {
        let end = (start + TILE).min(objects.end);
        let targets: Vec<(usize, usize)> = (start..end)
            .map(|object| {
                let group = instance.group_of(ObjectId::at(object)).index();
                let place = filled[group];
                filled[group] += 1;
                places[group].objects[place] = ObjectId::at(object);
                (group, place * stride)
            })
            .collect();
        for (lane, tests) in tests.chunks(LANE_BITS).enumerate() {
            let columns: Vec<&[u64]> =
                tests.iter().map(|test| &instance.test(*test).codes.words()[start / 64..]).collect();
            for (block, targets) in targets.chunks(64).enumerate() {
                // Places without a test hold nothing.
                let mut squares = [[0; 64]; LANE_BITS / 64];
                for (square, columns) in squares.iter_mut().zip(columns.chunks(64)) {
                    square.iter_mut().zip(columns).for_each(|(bits, words)| *bits = words[block]);
                    transpose(square);
                }
                for (at, (group, place)) in targets.iter().enumerate() {
                    places[*group].rows[place + lane] = Lane(squares.each_ref().map(|square| square[at]));
                }
            }
        }
    }
}

/// The rows of a node as they are read.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'a> {
    pub(crate) stride: usize,
    pub(crate) rows: &'a [Lane],
    pub(crate) weights: &'a [f64],
    pub(crate) moments: &'a [f64],
    pub(crate) runs: &'a [Span],
}

impl<'a> Stretch<'a> {
    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.rows.len() / self.stride
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The groups, in order.
    pub fn runs(&self) -> &'a [Span] {
        self.runs
    }
}

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
        Stretch { stride: *stride, rows, weights, moments, runs }
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

    /// The same objects as candidates, for whoever looks at one test at a time.
    pub fn candidates(&self, instance: &Instance) -> Candidates {
        Candidates::of_sorted(instance, self.objects.to_vec())
    }

    /// Parts the objects by their answer to the packed test number `column`, in order of answers.
    ///
    /// The test must split them.
    pub fn split(self, column: usize, moving: &mut Moving) -> [(AnswerId, Self); 2] {
        let is_shared = moving.threads > 1 && self.rows.len() >= 2 * MUCH_ROOM;
        if is_shared { self.split_shared(column, moving) } else { self.split_alone(column, moving) }
    }

    fn split_alone(mut self, column: usize, moving: &mut Moving) -> [(AnswerId, Self); 2] {
        let Moving { aside, answers, spare, .. } = moving;
        let stride = self.stride;
        answers.make(self.len());
        let answers = &mut answers[..self.len()];
        // Of two groups each may be alone with its answer, and then no row needs to move.
        let looks_first = self.runs.len() == 2;
        if looks_first {
            let rows = self.rows.chunks_exact(stride);
            answers.iter_mut().zip(rows).for_each(|(answer, row)| *answer = bit_of(row, column));
        } else {
            part_rows::<_, false>(self.sides(aside), stride, column, answers);
        }
        let mut second_runs = spare.pop().unwrap_or_default();
        let seconds = part_runs(&mut self.runs, answers, &mut second_runs);
        // Who is not asked again needs no answers.
        let moves = !looks_first || self.runs.len() > 1 || second_runs.len() > 1;
        if looks_first && moves {
            part_rows::<_, false>(self.sides(aside), stride, column, answers);
        }
        let first = self.len() - seconds;
        if moves {
            self.rows[first * stride..].copy_from_slice(&aside.rows[..seconds * stride]);
            self.objects[first..].copy_from_slice(&aside.objects[..seconds]);
        } else {
            part(self.objects, answers, seconds, &mut aside.objects);
        }
        part(self.weights, answers, seconds, &mut aside.weights);
        part(self.moments, answers, seconds, &mut aside.moments);
        self.cut_at(first, second_runs)
    }

    /// The same by two threads. One brings those of the front half with the first answer to the front, the other one those of
    /// the back half with the second answer to the back. What is between them is then for those who were set aside.
    fn split_shared(mut self, column: usize, moving: &mut Moving) -> [(AnswerId, Self); 2] {
        let Moving { answers, aside, behind, .. } = moving;
        let half = self.len() / 2;
        // Half of the room would do here, but not for the larger part of this node.
        aside.make(self.len(), self.stride);
        behind.make(self.len(), self.stride);
        answers.make(self.len());
        let answers = &mut answers[..self.len()];
        let mut back = self.reborrow();
        let front = back.cut(half, Vec::new());
        let (front_answers, back_answers) = answers.split_at_mut(half);
        let (seconds, firsts) = rayon::join(
            || front.set_aside::<false>(column, front_answers, aside),
            || back.set_aside::<true>(column, back_answers, behind),
        );
        let mut between = self.reborrow();
        between.cut(half - seconds, Vec::new());
        let for_firsts = between.cut(firsts, Vec::new());
        let for_seconds = between.cut(seconds, Vec::new());
        rayon::join(|| for_firsts.bring_back::<true>(behind), || for_seconds.bring_back::<false>(aside));
        let mut second_runs = Vec::new();
        part_runs(&mut self.runs, answers, &mut second_runs);
        self.cut_at(half - seconds + firsts, second_runs)
    }

    /// Brings those with the first answer to the front and the others aside, or those with the second to the back and the
    /// others aside, the last one first; gives how many these are.
    fn set_aside<const BACK: bool>(mut self, column: usize, answers: &mut [u8], aside: &mut Aside) -> usize {
        let stride = self.stride;
        part_rows::<_, BACK>(self.sides(aside), stride, column, answers);
        let seconds: usize = answers.iter().map(|answer| usize::from(*answer)).sum();
        let went = if BACK { answers.len() - seconds } else { seconds };
        part_aside::<_, BACK>(self.weights, answers, went, &mut aside.weights);
        part_aside::<_, BACK>(self.moments, answers, went, &mut aside.moments);
        went
    }

    /// Fills all places with what was set aside.
    fn bring_back<const BACK: bool>(self, aside: &Aside) {
        bring_back::<_, BACK>(self.rows, self.stride, &aside.rows);
        bring_back::<_, BACK>(self.objects, 1, &aside.objects);
        bring_back::<_, BACK>(self.weights, 1, &aside.weights);
        bring_back::<_, BACK>(self.moments, 1, &aside.moments);
    }

    /// Rows and objects, and room for as many and one more.
    fn sides<'b>(&'b mut self, aside: &'b mut Aside) -> Sides<'b, ObjectId> {
        let count = self.len();
        aside.make(count, self.stride);
        Sides {
            rows: self.rows,
            items: self.objects,
            aside_rows: &mut aside.rows[..(count + 1) * self.stride],
            aside_items: &mut aside.objects[..=count],
        }
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

/// Cuts off the first `len` items, or nothing where there are none.
fn cut<'a, T>(items: &mut &'a mut [T], len: usize) -> &'a mut [T] {
    let len = len.min(items.len());
    let (first, rest) = std::mem::take(items).split_at_mut(len);
    *items = rest;
    first
}

/// Brings items, each `stride` long, into another order. Where there are no items there is nothing to do.
fn arrange<T: Pod>(items: &mut [T], stride: usize, order: &[usize], aside: &mut Room<T>) {
    aside.make(items.len());
    aside[..items.len()].copy_from_slice(items);
    for (item, from) in items.chunks_mut(stride).zip(order) {
        item.copy_from_slice(&aside[from * stride..(from + 1) * stride]);
    }
}

/// Parts groups by answers: leaves the first parts, writes down the second ones and gives how many objects these have.
fn part_runs(runs: &mut Vec<Span>, answers: &[u8], second_runs: &mut Vec<Span>) -> usize {
    second_runs.clear();
    second_runs.resize(runs.len(), Span { group: GroupId(0), len: 0 });
    let (mut rest, mut firsts, mut seconds) = (answers, 0, 0);
    // As in `part_aside`, both places are written.
    for at in 0..runs.len() {
        let run = runs[at];
        let (mine, others) = rest.split_at(run.len as usize);
        rest = others;
        let second: u32 = mine.iter().map(|answer| u32::from(*answer)).sum();
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
pub(crate) mod tests {
    use super::*;
    use crate::{Reading, Table};
    use proptest::prelude::*;

    /// An instance of yes/no tests, one of four answers and one of names; who is in which group says `groups`.
    pub(crate) fn instance(rows: &[(u64, u8, u32)], tests: usize) -> Instance {
        let mut header: Vec<String> = ["object", "group", "prior", "many", "name"].map(str::to_owned).into();
        header.extend((0..tests).map(|test| format!("t{test}")));
        let cells = (0..).zip(rows).map(|(at, (bits, group, prior)): (usize, _)| {
            let mut row = vec![format!("o{at}"), format!("g{group}"), prior.to_string()];
            row.extend([(bits % 4).to_string(), format!("n{at}")]);
            row.extend(
                (0..tests).map(|test| (bits.rotate_left(test as u32 * 7) >> (test % 5) & 1).to_string()),
            );
            row
        });
        of_cells(header, cells)
    }

    /// An instance of the names of columns, and rows of as many cells.
    pub(crate) fn of_cells(header: Vec<String>, cells: impl Iterator<Item = Vec<String>>) -> Instance {
        let table: Vec<Vec<String>> = std::iter::once(header).chain(cells).collect();
        let table: Vec<Vec<&str>> =
            table.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let table: Vec<&[&str]> = table.iter().map(Vec::as_slice).collect();
        Instance::new(Table::from_rows(&table), &Reading::default()).unwrap().0
    }

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

    #[test]
    fn rows_hold_the_answers_of_any_number_of_objects() {
        for (count, tests) in [(TILE - 1, 70), (TILE, 256), (2 * TILE + 65, 300)] {
            let rows: Vec<(u64, u8, u32)> = (0..count as u64)
                .map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15), (at % 7 % 3) as u8, 1))
                .collect();
            let instance = instance(&rows, tests);
            let mut packed = Packed::new(&instance, None, None);
            let columns = packed.tests().to_vec();
            let root = packed.root();
            assert_eq!(root.candidates(&instance), Candidates::all(&instance));
            for (object, row) in root.objects().iter().zip(root.rows.chunks(root.stride)) {
                for (column, test) in columns.iter().enumerate() {
                    assert_eq!(u32::from(bit_of(row, column)), instance.answer(*object, *test).0);
                }
                let mut beyond = columns.len()..root.stride * LANE_BITS;
                assert!(beyond.all(|column| bit_of(row, column) == 0));
            }
        }
    }
}
