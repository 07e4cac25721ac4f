//! A large node whose objects stay among their group, and of which it is known what all tests say.
//!
//! Each group has a place of its own from the beginning, and is parted there: what waits aside meanwhile stays in the cache, and a
//! group that gives one answer is not even looked at. This is for counts: they are whole numbers, so what one part has is what the
//! other one leaves, which is not so with sums of any weights.

use crate::contingency::Tally;
use crate::lanes::Lane;
use crate::packed::cut;
use crate::part::{Aside, LARGE};
use crate::room::Room;
use crate::{AnswerId, Candidates, GroupId, Instance, Moving, ObjectId, Part, Span, Stretch};

/// Up to so many objects are looked at faster next to each other.
const FEW: usize = 4096;

/// The objects of a node, those of each group in a place of their own.
#[derive(Debug)]
pub struct Crowd<'a> {
    stride: usize,
    herds: Vec<Herd<'a>>,
    runs: Vec<Span>,
    /// What all tests say. Nothing where there are few objects or one group: then nobody will ask.
    tally: Option<Tally>,
}

/// The objects of one group at a node.
#[derive(Debug)]
struct Herd<'a> {
    group: GroupId,
    rows: &'a mut [Lane],
    objects: &'a mut [ObjectId],
}

/// The objects of a node next to each other once more.
#[derive(Debug)]
pub struct Gathered {
    stride: usize,
    rows: Room<Lane>,
    objects: Room<ObjectId>,
    runs: Vec<Span>,
}

impl Gathered {
    /// All of them.
    pub fn part(&mut self) -> Part<'_> {
        let Self { stride, rows, objects, runs } = self;
        let runs = std::mem::take(runs);
        Part { stride: *stride, rows, objects, weights: &mut [], moments: &mut [], runs }
    }
}

impl<'a> Crowd<'a> {
    /// The objects of a node with `tests` packed tests, if they are many and nothing but their number matters.
    ///
    /// # Errors
    /// With the part as it was.
    pub fn new(part: Part<'a>, tests: usize) -> Result<Self, Part<'a>> {
        let width = tests.next_multiple_of(8);
        let is_counted = part.weights.is_empty() && part.moments.is_empty();
        if !is_counted || !is_worth(&part.runs, part.rows.len(), width) {
            return Err(part);
        }
        let mut crowd = Self::of(part);
        crowd.tally = Some(crowd.count(width));
        Ok(crowd)
    }

    fn of(part: Part<'a>) -> Self {
        let Part { stride, mut rows, mut objects, runs, .. } = part;
        let herd = |run: &Span| {
            let len = run.len as usize;
            Herd { group: run.group, rows: cut(&mut rows, len * stride), objects: cut(&mut objects, len) }
        };
        Self { stride, herds: runs.iter().map(herd).collect(), runs, tally: None }
    }

    fn of_herds(mut herds: Vec<Herd<'a>>, stride: usize) -> Self {
        herds.retain(|herd| !herd.objects.is_empty());
        let run = |herd: &Herd<'_>| Span { group: herd.group, len: herd.objects.len() as u32 };
        Self { stride, runs: herds.iter().map(run).collect(), herds, tally: None }
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
    pub fn rows(&self) -> Stretch<'_> {
        let Self { stride, runs, tally, .. } = self;
        Stretch { stride: *stride, rows: &[], weights: &[], moments: &[], runs, tally: tally.as_ref() }
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
    pub fn gather(self) -> Gathered {
        let Self { stride, herds, runs, .. } = self;
        let count = runs.iter().map(|run| run.len as usize).sum();
        let (mut rows, mut objects) = (Room::new(count * stride), Room::new(count));
        let (mut rest, mut rest_objects) = (&mut rows[..], &mut objects[..]);
        for herd in herds {
            cut(&mut rest, herd.rows.len()).copy_from_slice(herd.rows);
            cut(&mut rest_objects, herd.objects.len()).copy_from_slice(herd.objects);
        }
        Gathered { stride, rows, objects, runs }
    }

    /// Parts the objects by their answer to the packed test number `column`, in order of answers.
    ///
    /// # Panics
    /// When it is not [known](Self::is_tallied) what the test says.
    pub fn split(self, column: usize, moving: &mut Moving) -> [(AnswerId, Self); 2] {
        let is_shared = moving.threads > 1 && self.len() * self.stride >= LARGE;
        self.split_by_threads(column, is_shared, moving)
    }

    fn split_by_threads(self, column: usize, is_shared: bool, moving: &mut Moving) -> [(AnswerId, Self); 2] {
        let (stride, count) = (self.stride, self.len());
        let tally = self.tally.expect("only those are asked of whom it is known what they say");
        let mut herds: Vec<(Herd<'a>, u32)> = self.herds.into_iter().zip(tally.column(column)).collect();
        let part = |herds: Vec<(Herd<'a>, u32)>, aside: &mut Aside| -> Vec<[Herd<'a>; 2]> {
            let parted = herds.into_iter();
            parted.map(|(herd, seconds)| herd.part(seconds as usize, stride, column, aside)).collect()
        };
        let parted = if is_shared {
            // Each gets half of the objects, as nearly as groups allow.
            let mut before = 0;
            let is_front = |(herd, _): &&(Herd<'_>, u32)| {
                before += herd.objects.len();
                2 * before <= count
            };
            let others = herds.split_off(herds.iter().take_while(is_front).count());
            let (mut parted, others) =
                rayon::join(|| part(herds, &mut moving.aside), || part(others, &mut moving.behind));
            parted.extend(others);
            parted
        } else {
            part(herds, &mut moving.aside)
        };
        let (firsts, seconds) = parted.into_iter().map(|[first, second]| (first, second)).unzip();
        let mut parts = [firsts, seconds].map(|herds| Self::of_herds(herds, stride));
        hand_down(tally, &mut parts);
        let [first, second] = parts;
        [(AnswerId(0), first), (AnswerId(1), second)]
    }

    fn is_worth(&self, width: usize) -> bool {
        is_worth(&self.runs, self.len() * self.stride, width)
    }

    fn count(&self, width: usize) -> Tally {
        let herds: Vec<&[Lane]> = self.herds.iter().map(|herd| &*herd.rows).collect();
        Tally::new(&self.runs, &herds, self.stride, width)
    }
}

/// Whether a node of so many lanes is large enough to be tallied: there must be more to read than to write.
fn is_worth(runs: &[Span], lanes: usize, width: usize) -> bool {
    let count: usize = runs.iter().map(|run| run.len as usize).sum();
    runs.len() > 1 && count > FEW && runs.len() * width <= lanes
}

/// Tells the parts of a node what tests say of them, as far as they will be asked. Only the smaller one is counted.
fn hand_down(tally: Tally, parts: &mut [Crowd<'_>; 2]) {
    let width = tally.width();
    let larger = usize::from(parts[0].len() < parts[1].len());
    let smaller = 1 - larger;
    let is_worth = [0, 1].map(|at| parts[at].is_worth(width));
    if !is_worth[0] && !is_worth[1] {
        return;
    }
    let few = parts[smaller].count(width);
    if is_worth[larger] {
        parts[larger].tally = Some(tally.without(&few, &parts[larger].runs));
    }
    parts[smaller].tally = Some(few).filter(|_| is_worth[smaller]);
}

impl Herd<'_> {
    /// Parts the objects of a group, of whom `seconds` give the second answer; one part may be empty.
    fn part(self, seconds: usize, stride: usize, column: usize, aside: &mut Aside) -> [Self; 2] {
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
    use crate::packed::tests::instance;
    use crate::{Packed, TestId};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn crowds_are_parted_like_candidates(
            rows in prop::collection::vec((any::<u64>(), 0u8..6, 1u32..2), 2..90),
            tests in prop_oneof![1usize..40, 250usize..600], chosen: prop::sample::Index, is_shared: bool,
        ) {
            let instance = instance(&rows, tests);
            let mut packed = Packed::new(&instance, None, None);
            let columns = packed.tests().to_vec();
            let width = columns.len().next_multiple_of(8);
            let mut moving = Moving::default();
            let mut waiting = vec![(Crowd::of(packed.root()), Candidates::all(&instance))];
            while let Some((mut crowd, candidates)) = waiting.pop() {
                prop_assert_eq!(&crowd.candidates(&instance), &candidates);
                prop_assert_eq!(crowd.len(), candidates.len());
                let tally = crowd.count(width);
                for (at, run) in candidates.runs().iter().enumerate() {
                    let of_group = candidates.objects().iter().filter(|object| instance.group_of(**object) == run.group);
                    for (column, test) in columns.iter().enumerate() {
                        let gives = of_group.clone().filter(|object| instance.answer(**object, *test) == AnswerId(1));
                        prop_assert_eq!(tally.run(at)[column] as usize, gives.count());
                    }
                }
                let splits = |test: &TestId| candidates.split(&instance, *test).len() > 1;
                let useful: Vec<TestId> = columns.iter().copied().filter(splits).collect();
                if crowd.is_pure() || useful.is_empty() {
                    prop_assert_eq!(crowd.gather().part().candidates(&instance), candidates);
                    continue;
                }
                let test = useful[chosen.index(useful.len())];
                crowd.tally = Some(tally.clone());
                let parts = crowd.split_by_threads(columns.binary_search(&test).unwrap(), is_shared, &mut moving);
                let parts = parts.map(|(_, part)| part);
                // What one part has, the other one leaves.
                for (part, other) in [(&parts[0], &parts[1]), (&parts[1], &parts[0])] {
                    prop_assert_eq!(tally.clone().without(&other.count(width), &part.runs), part.count(width));
                }
                waiting.extend(parts.into_iter().zip(candidates.split(&instance, test).into_iter().map(|(_, part)| part)));
            }
        }
    }
}
