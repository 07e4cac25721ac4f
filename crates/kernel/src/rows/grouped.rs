//! Large node that keeps one slice per group, with the counts of all tests known.
//!
//! Every group keeps its own range of memory and is split there: the spill stays in the cache, and a group with only
//! one answer is not read at all. The smaller child is counted while it is split; the larger one is parent − smaller
//! child, as in histogram subtraction. That needs counts, which are whole numbers: with sums of arbitrary weights the
//! difference would be rounded.

use super::node::NodeRows;
use super::pack::cut;
use super::split::{MIN_SHARED_LANES, Spill, SplitBuffers};
use super::view::{GroupRun, NodeView};
use crate::buffer::PageBuffer;
use crate::count::{GroupCounts, count_columns};
use crate::lane::Lane;
use fewest_model::{AnswerId, Candidates, GroupId, Instance, ObjectId};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Most objects for which adjacent rows are faster than slices per group.
const MAX_GATHERED: usize = 4096;

/// Objects of a node, with one slice per group.
#[derive(Debug)]
pub struct GroupedRows<'a> {
    stride: usize,
    groups: Vec<GroupRows<'a>>,
    runs: Vec<GroupRun>,
    /// Counts of all tests; `None` if the node has few objects or one group, so that no test will be chosen by them.
    counts: Option<GroupCounts>,
    /// Whether the last groups were read last. Then they are read first next time, because some are still in the
    /// cache.
    ends_last: bool,
}

/// Rows of one group at a node.
#[derive(Debug)]
struct GroupRows<'a> {
    group: GroupId,
    rows: &'a mut [Lane],
    objects: &'a mut [ObjectId],
}

/// Buffer for the rows of a node that are copied next to each other again.
#[derive(Debug, Default)]
pub struct GatherBuffer {
    rows: PageBuffer<Lane>,
    objects: PageBuffer<ObjectId>,
}

impl<'a> GroupedRows<'a> {
    /// Groups the rows of a node with `tests` packed tests, if they are many and only their number matters.
    ///
    /// # Errors
    /// Returns the node unchanged if that is not so.
    pub fn new(part: NodeRows<'a>, tests: usize) -> Result<Self, NodeRows<'a>> {
        let width = tests.next_multiple_of(8);
        let is_counted = part.weights.is_empty() && part.moments.is_empty();
        let size = Size::of(part.runs.iter().map(|run| run.len as usize));
        if !is_counted || !size.is_worth(part.stride, width) {
            return Err(part);
        }
        let mut grouped = Self::of(part);
        grouped.counts = Some(grouped.count(width));
        Ok(grouped)
    }

    fn of(part: NodeRows<'a>) -> Self {
        let NodeRows { stride, mut rows, mut objects, runs, .. } = part;
        let group = |run: &GroupRun| {
            let len = run.len as usize;
            GroupRows {
                group: run.group,
                rows: cut(&mut rows, len * stride),
                objects: cut(&mut objects, len),
            }
        };
        Self { stride, groups: runs.iter().map(group).collect(), runs, counts: None, ends_last: true }
    }

    fn of_groups(
        mut groups: Vec<GroupRows<'a>>,
        stride: usize,
        counts: Option<GroupCounts>,
        ends_last: bool,
    ) -> Self {
        groups.retain(|group| !group.objects.is_empty());
        let run = |group: &GroupRows<'_>| GroupRun { group: group.group, len: group.objects.len() as u32 };
        Self { stride, runs: groups.iter().map(run).collect(), groups, counts, ends_last }
    }

    /// Number of objects.
    pub fn len(&self) -> usize {
        self.runs.iter().map(|run| run.len as usize).sum()
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Whether all objects belong to one group.
    pub fn is_pure(&self) -> bool {
        self.runs.len() <= 1
    }

    /// Whether the counts of all tests are known.
    pub fn is_counted(&self) -> bool {
        self.counts.is_some()
    }

    /// Returns a view of the counts.
    pub fn rows(&self) -> NodeView<'_> {
        let Self { stride, runs, counts, .. } = self;
        NodeView { stride: *stride, rows: &[], weights: &[], moments: &[], runs, counts: counts.as_ref() }
    }

    /// Objects of the only group, if there is only one.
    pub fn only(&self) -> Option<&[ObjectId]> {
        let [group] = &self.groups[..] else { return None };
        Some(group.objects)
    }

    /// Converts the objects to candidates, for code that looks at one test at a time.
    pub fn candidates(&self, instance: &Instance) -> Candidates {
        let objects: Vec<&[ObjectId]> = self.groups.iter().map(|group| &*group.objects).collect();
        Candidates::of_sorted(instance, objects.concat())
    }

    /// Copies the rows next to each other.
    pub fn gather(self, gathered: &mut GatherBuffer) -> NodeRows<'_> {
        let (stride, count) = (self.stride, self.len());
        gathered.rows.ensure(count * stride);
        gathered.objects.ensure(count);
        let (rows, objects) = (&mut gathered.rows[..count * stride], &mut gathered.objects[..count]);
        let (mut rest, mut rest_objects) = (&mut *rows, &mut *objects);
        for group in self.groups {
            cut(&mut rest, group.rows.len()).copy_from_slice(group.rows);
            cut(&mut rest_objects, group.objects.len()).copy_from_slice(group.objects);
        }
        NodeRows { stride, rows, objects, weights: &mut [], moments: &mut [], runs: self.runs }
    }

    /// Splits the objects by their answer to packed test number `column`, in order of answers.
    ///
    /// # Panics
    /// When the counts of the tests are not [known](Self::is_counted).
    pub fn split(self, column: usize, buffers: &mut SplitBuffers) -> [(AnswerId, Self); 2] {
        let is_shared = buffers.threads > 1 && self.len() * self.stride >= MIN_SHARED_LANES;
        let (stride, width) = (self.stride, self.counts.as_ref().map_or(0, GroupCounts::width));
        self.split_by_threads(column, is_shared, buffers, |size| size.is_worth(stride, width))
    }

    fn split_by_threads(
        self,
        column: usize,
        is_shared: bool,
        buffers: &mut SplitBuffers,
        is_worth: impl Fn(Size) -> bool,
    ) -> [(AnswerId, Self); 2] {
        let Self { stride, groups, counts, ends_last, .. } = self;
        let counts = counts.expect("only those are asked of whom it is known what they say");
        let seconds: Vec<usize> = counts.column(column).map(|count| count as usize).collect();
        let firsts = groups.iter().zip(&seconds).map(|(group, seconds)| group.objects.len() - seconds);
        let sizes = [Size::of(firsts), Size::of(seconds.iter().copied())];
        let is_worth = sizes.map(is_worth);
        // Only the smaller child is counted, and only if one of the two will need its counts.
        let smaller = usize::from(sizes[1].objects <= sizes[0].objects);
        let larger = 1 - smaller;
        let counted = is_worth.contains(&true).then_some(smaller);
        let how = SplitPlan { stride, column, counted };
        let mut smaller_counts = counts.none();
        let groups = groups.into_iter().zip(seconds).zip(smaller_counts.groups_mut());
        let mut groups: Vec<_> =
            groups.map(|((group, seconds), counts)| PendingSplit { group, seconds, counts }).collect();
        if ends_last {
            groups.reverse();
        }
        let mut split =
            if is_shared { how.split_shared(groups, buffers) } else { how.split_all(groups, buffers) };
        if ends_last {
            split.reverse();
        }
        let there = |answer: usize| split.iter().map(move |parts| !parts[answer].objects.is_empty());
        let mut counts_of = [None, None];
        counts_of[larger] = is_worth[larger].then(|| counts.without(&smaller_counts).only(there(larger)));
        counts_of[smaller] = is_worth[smaller].then(|| smaller_counts.only(there(smaller)));
        let [of_firsts, of_seconds] = counts_of;
        let (firsts, seconds) = split.into_iter().map(|[first, second]| (first, second)).unzip();
        [
            (AnswerId(0), Self::of_groups(firsts, stride, of_firsts, !ends_last)),
            (AnswerId(1), Self::of_groups(seconds, stride, of_seconds, !ends_last)),
        ]
    }

    fn count(&self, width: usize) -> GroupCounts {
        let groups: Vec<&[Lane]> = self.groups.iter().map(|group| &*group.rows).collect();
        GroupCounts::new(&groups, self.stride, width)
    }
}

/// Numbers of objects and of groups.
#[derive(Clone, Copy)]
struct Size {
    objects: usize,
    groups: usize,
}

impl Size {
    /// Size of groups with these numbers of objects, of which some may be 0.
    fn of(lens: impl Iterator<Item = usize>) -> Self {
        lens.fold(Self { objects: 0, groups: 0 }, |size, len| Self {
            objects: size.objects + len,
            groups: size.groups + usize::from(len > 0),
        })
    }

    /// Whether counting a node pays: reading must outweigh writing.
    fn is_worth(self, stride: usize, width: usize) -> bool {
        self.groups > 1 && self.objects > MAX_GATHERED && self.groups * width <= self.objects * stride
    }
}

/// Group to be split: the number of its objects with the second answer, and the counts to fill for one of its parts.
struct PendingSplit<'a, 'c> {
    group: GroupRows<'a>,
    seconds: usize,
    counts: &'c mut [u32],
}

/// Split of a node, the same for all its groups.
struct SplitPlan {
    stride: usize,
    column: usize,
    /// Answer whose objects are counted while their rows are in the cache.
    counted: Option<usize>,
}

impl SplitPlan {
    fn split_all<'a>(
        &self,
        groups: Vec<PendingSplit<'a, '_>>,
        buffers: &mut SplitBuffers,
    ) -> Vec<[GroupRows<'a>; 2]> {
        groups.into_iter().map(|waiting| self.split_one(waiting, &mut buffers.spill)).collect()
    }

    /// Splits the groups by all threads. Each thread takes the next group when it is free, because threads are not
    /// equally fast.
    fn split_shared<'a>(
        &self,
        groups: Vec<PendingSplit<'a, '_>>,
        buffers: &mut SplitBuffers,
    ) -> Vec<[GroupRows<'a>; 2]> {
        let SplitBuffers { spill, second_spill, .. } = buffers;
        let asides = Mutex::new(vec![std::mem::take(spill), std::mem::take(second_spill)]);
        let free = || asides.lock().unwrap_or_else(PoisonError::into_inner);
        let part = |waiting: PendingSplit<'a, '_>| {
            let mut spill = free().pop().unwrap_or_default();
            let parts = self.split_one(waiting, &mut spill);
            free().push(spill);
            parts
        };
        let split = groups.into_par_iter().with_max_len(1).map(part).collect();
        for place in [spill, second_spill] {
            *place = free().pop().unwrap_or_default();
        }
        split
    }

    fn split_one<'a>(&self, waiting: PendingSplit<'a, '_>, spill: &mut Spill) -> [GroupRows<'a>; 2] {
        let parts = waiting.group.split(waiting.seconds, self.stride, self.column, spill);
        if let Some(counted) = self.counted {
            count_columns(parts[counted].rows, self.stride, waiting.counts);
        }
        parts
    }
}

impl GroupRows<'_> {
    /// Splits the objects of a group, of which `seconds` give the second answer; one part may be empty.
    fn split(self, seconds: usize, stride: usize, column: usize, spill: &mut Spill) -> [Self; 2] {
        let Self { group, mut rows, mut objects } = self;
        let first = objects.len() - seconds;
        if first > 0 && seconds > 0 {
            spill.split(rows, objects, stride, column, first);
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
            let mut buffers = SplitBuffers::default();
            let mut waiting = vec![(GroupedRows::of(packed.root()), Candidates::all(&instance))];
            while let Some((mut grouped, candidates)) = waiting.pop() {
                prop_assert_eq!(&grouped.candidates(&instance), &candidates);
                prop_assert_eq!(grouped.len(), candidates.len());
                let counts = grouped.count(width);
                for (at, run) in candidates.runs().iter().enumerate() {
                    let of_group = candidates.objects().iter().filter(|object| instance.group_of(**object) == run.group);
                    for (column, test) in columns.iter().enumerate() {
                        let gives = of_group.clone().filter(|object| instance.answer(**object, *test) == AnswerId(1));
                        prop_assert_eq!(counts.group(at)[column] as usize, gives.count());
                    }
                }
                let splits = |test: &TestId| candidates.split(&instance, *test).len() > 1;
                let useful: Vec<TestId> = columns.iter().copied().filter(splits).collect();
                if grouped.is_pure() || useful.is_empty() {
                    prop_assert_eq!(grouped.gather(&mut GatherBuffer::default()).candidates(&instance), candidates);
                    continue;
                }
                let test = useful[chosen.index(useful.len())];
                grouped.counts = Some(counts);
                let parts = grouped.split_by_threads(columns.binary_search(&test).unwrap(), is_shared, &mut buffers, |size| size.groups > 1);
                let parts = parts.map(|(_, part)| part);
                for part in &parts {
                    // Counted, or parent − other child.
                    let known = (!part.is_pure()).then(|| part.count(width));
                    prop_assert_eq!(&part.counts, &known);
                }
                waiting.extend(parts.into_iter().zip(candidates.split(&instance, test).into_iter().map(|(_, part)| part)));
            }
        }
    }
}
