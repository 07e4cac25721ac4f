//! A large node whose objects stay among their group, and of which it is known what all tests say.
//!
//! Each group has a place of its own from the beginning, and is parted there: what waits aside meanwhile stays in the cache, and a
//! group that gives one answer is not even looked at. This is for counts: they are whole numbers, so what one part has is what the
//! other one leaves, which is not so with sums of any weights.

use super::node::NodeRows;
use super::pack::{GroupRun, NodeView, cut};
use super::split::{LARGE, Spill, SplitBuffers};
use crate::buffer::PageBuffer;
use crate::count::{GroupCounts, count_columns};
use crate::lane::Lane;
use fewest_model::{AnswerId, Candidates, GroupId, Instance, ObjectId};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Up to so many objects are looked at faster next to each other.
const FEW: usize = 4096;

/// The objects of a node, those of each group in a place of their own.
#[derive(Debug)]
pub struct GroupedRows<'a> {
    stride: usize,
    herds: Vec<GroupRows<'a>>,
    runs: Vec<GroupRun>,
    /// What all tests say. Nothing where there are few objects or one group: then nobody will ask.
    tally: Option<GroupCounts>,
    /// Whether the last groups were looked at last. They are then the next to be looked at: some are still in the cache.
    ends_last: bool,
}

/// The objects of one group at a node.
#[derive(Debug)]
struct GroupRows<'a> {
    group: GroupId,
    rows: &'a mut [Lane],
    objects: &'a mut [ObjectId],
}

/// PageBuffer for the objects of a node that are next to each other once more.
#[derive(Debug, Default)]
pub struct GatherBuffer {
    rows: PageBuffer<Lane>,
    objects: PageBuffer<ObjectId>,
}

impl<'a> GroupedRows<'a> {
    /// The objects of a node with `tests` packed tests, if they are many and nothing but their number matters.
    ///
    /// # Errors
    /// With the part as it was.
    pub fn new(part: NodeRows<'a>, tests: usize) -> Result<Self, NodeRows<'a>> {
        let width = tests.next_multiple_of(8);
        let is_counted = part.weights.is_empty() && part.moments.is_empty();
        let size = Size::of(part.runs.iter().map(|run| run.len as usize));
        if !is_counted || !size.is_worth(part.stride, width) {
            return Err(part);
        }
        let mut crowd = Self::of(part);
        crowd.tally = Some(crowd.count(width));
        Ok(crowd)
    }

    fn of(part: NodeRows<'a>) -> Self {
        let NodeRows { stride, mut rows, mut objects, runs, .. } = part;
        let herd = |run: &GroupRun| {
            let len = run.len as usize;
            GroupRows {
                group: run.group,
                rows: cut(&mut rows, len * stride),
                objects: cut(&mut objects, len),
            }
        };
        Self { stride, herds: runs.iter().map(herd).collect(), runs, tally: None, ends_last: true }
    }

    fn of_herds(
        mut herds: Vec<GroupRows<'a>>,
        stride: usize,
        tally: Option<GroupCounts>,
        ends_last: bool,
    ) -> Self {
        herds.retain(|herd| !herd.objects.is_empty());
        let run = |herd: &GroupRows<'_>| GroupRun { group: herd.group, len: herd.objects.len() as u32 };
        Self { stride, runs: herds.iter().map(run).collect(), herds, tally, ends_last }
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.runs.iter().map(|run| run.len as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Whether they are all of one group.
    pub fn is_pure(&self) -> bool {
        self.runs.len() <= 1
    }

    /// Whether it is known what all tests say.
    pub fn is_tallied(&self) -> bool {
        self.tally.is_some()
    }

    /// What is known of them.
    pub fn rows(&self) -> NodeView<'_> {
        let Self { stride, runs, tally, .. } = self;
        NodeView { stride: *stride, rows: &[], weights: &[], moments: &[], runs, tally: tally.as_ref() }
    }

    /// The objects of its only group, if there is no other.
    pub fn only(&self) -> Option<&[ObjectId]> {
        let [herd] = &self.herds[..] else { return None };
        Some(herd.objects)
    }

    /// The same objects as candidates, for whoever looks at one test at a time.
    pub fn candidates(&self, instance: &Instance) -> Candidates {
        let objects: Vec<&[ObjectId]> = self.herds.iter().map(|herd| &*herd.objects).collect();
        Candidates::of_sorted(instance, objects.concat())
    }

    /// Brings the objects next to each other.
    pub fn gather(self, gathered: &mut GatherBuffer) -> NodeRows<'_> {
        let (stride, count) = (self.stride, self.len());
        gathered.rows.make(count * stride);
        gathered.objects.make(count);
        let (rows, objects) = (&mut gathered.rows[..count * stride], &mut gathered.objects[..count]);
        let (mut rest, mut rest_objects) = (&mut *rows, &mut *objects);
        for herd in self.herds {
            cut(&mut rest, herd.rows.len()).copy_from_slice(herd.rows);
            cut(&mut rest_objects, herd.objects.len()).copy_from_slice(herd.objects);
        }
        NodeRows { stride, rows, objects, weights: &mut [], moments: &mut [], runs: self.runs }
    }

    /// Parts the objects by their answer to the packed test number `column`, in order of answers.
    ///
    /// # Panics
    /// When it is not [known](Self::is_tallied) what the test says.
    pub fn split(self, column: usize, moving: &mut SplitBuffers) -> [(AnswerId, Self); 2] {
        let is_shared = moving.threads > 1 && self.len() * self.stride >= LARGE;
        let (stride, width) = (self.stride, self.tally.as_ref().map_or(0, GroupCounts::width));
        self.split_by_threads(column, is_shared, moving, |size| size.is_worth(stride, width))
    }

    fn split_by_threads(
        self,
        column: usize,
        is_shared: bool,
        moving: &mut SplitBuffers,
        is_worth: impl Fn(Size) -> bool,
    ) -> [(AnswerId, Self); 2] {
        let Self { stride, herds, tally, ends_last, .. } = self;
        let tally = tally.expect("only those are asked of whom it is known what they say");
        let seconds: Vec<usize> = tally.column(column).map(|count| count as usize).collect();
        let firsts = herds.iter().zip(&seconds).map(|(herd, seconds)| herd.objects.len() - seconds);
        let sizes = [Size::of(firsts), Size::of(seconds.iter().copied())];
        let is_worth = sizes.map(is_worth);
        // Only the smaller part is counted, and that only if one of both will be asked.
        let smaller = usize::from(sizes[1].objects <= sizes[0].objects);
        let larger = 1 - smaller;
        let counted = is_worth.contains(&true).then_some(smaller);
        let how = SplitPlan { stride, column, counted };
        let mut few = tally.none();
        let herds = herds.into_iter().zip(seconds).zip(few.groups_mut());
        let mut herds: Vec<_> =
            herds.map(|((herd, seconds), counts)| PendingSplit { herd, seconds, counts }).collect();
        if ends_last {
            herds.reverse();
        }
        let mut parted = if is_shared { how.share(herds, moving) } else { how.part(herds, moving) };
        if ends_last {
            parted.reverse();
        }
        let there = |answer: usize| parted.iter().map(move |parts| !parts[answer].objects.is_empty());
        let mut tallies = [None, None];
        tallies[larger] = is_worth[larger].then(|| tally.without(&few).only(there(larger)));
        tallies[smaller] = is_worth[smaller].then(|| few.only(there(smaller)));
        let [of_firsts, of_seconds] = tallies;
        let (firsts, seconds) = parted.into_iter().map(|[first, second]| (first, second)).unzip();
        [
            (AnswerId(0), Self::of_herds(firsts, stride, of_firsts, !ends_last)),
            (AnswerId(1), Self::of_herds(seconds, stride, of_seconds, !ends_last)),
        ]
    }

    fn count(&self, width: usize) -> GroupCounts {
        let herds: Vec<&[Lane]> = self.herds.iter().map(|herd| &*herd.rows).collect();
        GroupCounts::new(&herds, self.stride, width)
    }
}

/// How many objects and groups there are.
#[derive(Clone, Copy)]
struct Size {
    objects: usize,
    groups: usize,
}

impl Size {
    /// Of groups of so many objects each, or none.
    fn of(lens: impl Iterator<Item = usize>) -> Self {
        lens.fold(Self { objects: 0, groups: 0 }, |size, len| Self {
            objects: size.objects + len,
            groups: size.groups + usize::from(len > 0),
        })
    }

    /// Whether a node is large enough to be tallied: there must be more to read than to write.
    fn is_worth(self, stride: usize, width: usize) -> bool {
        self.groups > 1 && self.objects > FEW && self.groups * width <= self.objects * stride
    }
}

/// A group that is to be parted: how many give the second answer, and a place to count one of its parts.
struct PendingSplit<'a, 'c> {
    herd: GroupRows<'a>,
    seconds: usize,
    counts: &'c mut [u32],
}

/// How groups are parted.
struct SplitPlan {
    stride: usize,
    column: usize,
    /// Those with this answer are counted, while their rows are at hand.
    counted: Option<usize>,
}

impl SplitPlan {
    fn part<'a>(
        &self,
        herds: Vec<PendingSplit<'a, '_>>,
        moving: &mut SplitBuffers,
    ) -> Vec<[GroupRows<'a>; 2]> {
        herds.into_iter().map(|waiting| self.part_one(waiting, &mut moving.aside)).collect()
    }

    /// The same by all threads. Groups wait for whoever is free, since no thread is sure to be as fast as the others.
    fn share<'a>(
        &self,
        herds: Vec<PendingSplit<'a, '_>>,
        moving: &mut SplitBuffers,
    ) -> Vec<[GroupRows<'a>; 2]> {
        let SplitBuffers { aside, behind, .. } = moving;
        let asides = Mutex::new(vec![std::mem::take(aside), std::mem::take(behind)]);
        let free = || asides.lock().unwrap_or_else(PoisonError::into_inner);
        let part = |waiting: PendingSplit<'a, '_>| {
            let mut aside = free().pop().unwrap_or_default();
            let parts = self.part_one(waiting, &mut aside);
            free().push(aside);
            parts
        };
        let parted = herds.into_par_iter().with_max_len(1).map(part).collect();
        for place in [aside, behind] {
            *place = free().pop().unwrap_or_default();
        }
        parted
    }

    fn part_one<'a>(&self, waiting: PendingSplit<'a, '_>, aside: &mut Spill) -> [GroupRows<'a>; 2] {
        let parts = waiting.herd.part(waiting.seconds, self.stride, self.column, aside);
        if let Some(counted) = self.counted {
            count_columns(parts[counted].rows, self.stride, waiting.counts);
        }
        parts
    }
}

impl GroupRows<'_> {
    /// Parts the objects of a group, of whom `seconds` give the second answer; one part may be empty.
    fn part(self, seconds: usize, stride: usize, column: usize, aside: &mut Spill) -> [Self; 2] {
        let Self { group, mut rows, mut objects } = self;
        let first = objects.len() - seconds;
        if first > 0 && seconds > 0 {
            aside.part(rows, objects, stride, column, first);
        }
        let firsts = Self { group, rows: cut(&mut rows, first * stride), objects: cut(&mut objects, first) };
        [firsts, Self { group, rows, objects }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::pack::PackedRows;
    use crate::rows::pack::tests::instance;
    use fewest_model::TestId;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn crowds_are_parted_like_candidates(
            rows in prop::collection::vec((any::<u64>(), 0u8..6, 1u32..2), 2..90),
            tests in prop_oneof![1usize..40, 250usize..600], chosen: prop::sample::Index, is_shared: bool,
        ) {
            let instance = instance(&rows, tests);
            let mut packed = PackedRows::new(&instance, None, None);
            let columns = packed.tests().to_vec();
            let width = columns.len().next_multiple_of(8);
            let mut moving = SplitBuffers::default();
            let mut waiting = vec![(GroupedRows::of(packed.root()), Candidates::all(&instance))];
            while let Some((mut crowd, candidates)) = waiting.pop() {
                prop_assert_eq!(&crowd.candidates(&instance), &candidates);
                prop_assert_eq!(crowd.len(), candidates.len());
                let tally = crowd.count(width);
                for (at, run) in candidates.runs().iter().enumerate() {
                    let of_group = candidates.objects().iter().filter(|object| instance.group_of(**object) == run.group);
                    for (column, test) in columns.iter().enumerate() {
                        let gives = of_group.clone().filter(|object| instance.answer(**object, *test) == AnswerId(1));
                        prop_assert_eq!(tally.group(at)[column] as usize, gives.count());
                    }
                }
                let splits = |test: &TestId| candidates.split(&instance, *test).len() > 1;
                let useful: Vec<TestId> = columns.iter().copied().filter(splits).collect();
                if crowd.is_pure() || useful.is_empty() {
                    prop_assert_eq!(crowd.gather(&mut GatherBuffer::default()).candidates(&instance), candidates);
                    continue;
                }
                let test = useful[chosen.index(useful.len())];
                crowd.tally = Some(tally);
                let parts = crowd.split_by_threads(columns.binary_search(&test).unwrap(), is_shared, &mut moving, |size| size.groups > 1);
                let parts = parts.map(|(_, part)| part);
                for part in &parts {
                    // Counted, or what the other part leaves.
                    let known = (!part.is_pure()).then(|| part.count(width));
                    prop_assert_eq!(&part.tally, &known);
                }
                waiting.extend(parts.into_iter().zip(candidates.split(&instance, test).into_iter().map(|(_, part)| part)));
            }
        }
    }
}
