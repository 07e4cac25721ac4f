//! How many objects of each group give the second answers at a large node: counted once, and then known of its parts.
//!
//! Counts are whole numbers, so what one part has is what the other one leaves: only the smaller part is ever counted.

use super::sums::{SMALL_NODE, for_runs};
use crate::simd::count_columns;
use crate::{GroupId, Span, Stretch};

/// By group and packed test: how many objects give the second answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    groups: Vec<GroupId>,
    /// How many tests there are, and some that are none.
    width: usize,
    counts: Vec<u32>,
}

/// Whether a node of so many lanes is large enough to be tallied: there must be more to read than to write.
fn is_worth(part: &Stretch<'_>, width: usize) -> bool {
    part.runs.len() > 1 && part.len() > SMALL_NODE && part.runs.len() * width <= part.rows.len()
}

impl Tally {
    /// Counts the objects of a node, if they are many.
    pub(crate) fn new(part: &Stretch<'_>, width: usize) -> Option<Box<Self>> {
        is_worth(part, width).then(|| Box::new(Self::count(part, width)))
    }

    pub(crate) fn count(part: &Stretch<'_>, width: usize) -> Self {
        let mut counts =
            for_runs(part, width, |rows, _, counts| count_columns(rows, part.stride, counts)).concat();
        if counts.is_empty() {
            counts.resize(part.runs.len() * width, 0);
            let mut rest = part.rows;
            for (run, counts) in part.runs.iter().zip(counts.chunks_exact_mut(width)) {
                let (rows, others) = rest.split_at(run.len as usize * part.stride);
                rest = others;
                count_columns(rows, part.stride, counts);
            }
        }
        Self { groups: part.runs.iter().map(|run| run.group).collect(), width, counts }
    }

    /// What is known of the two parts of a node, as far as they are large.
    pub(crate) fn of_parts(self, first: &Stretch<'_>, second: &Stretch<'_>) -> [Option<Box<Self>>; 2] {
        let width = self.width;
        let [smaller, larger] = if first.len() < second.len() { [first, second] } else { [second, first] };
        let (few, many) = if is_worth(larger, width) {
            let few = Self::count(smaller, width);
            let many = self.without(&few, larger.runs);
            (is_worth(smaller, width).then(|| Box::new(few)), Some(Box::new(many)))
        } else {
            (Self::new(smaller, width), None)
        };
        if first.len() < second.len() { [few, many] } else { [many, few] }
    }

    /// What is left for the groups of `runs` without `others`.
    fn without(mut self, others: &Self, runs: &[Span]) -> Self {
        for (group, counts) in others.groups.iter().zip(others.counts.chunks_exact(self.width)) {
            let at = self.groups.binary_search(group).expect("a part has groups of its node");
            let own = &mut self.counts[at * self.width..][..self.width];
            own.iter_mut().zip(counts).for_each(|(own, count)| *own -= count);
        }
        let mut counts = Vec::with_capacity(runs.len() * self.width);
        for run in runs {
            let at = self.groups.binary_search(&run.group).expect("a part has groups of its node");
            counts.extend_from_slice(self.run(at));
        }
        Self { groups: runs.iter().map(|run| run.group).collect(), counts, ..self }
    }

    /// The counts of one test, for one group at each call.
    pub(crate) fn column(&self, test: usize) -> impl FnMut(u32) -> u32 {
        let mut counts = self.counts.iter().skip(test).step_by(self.width);
        move |_| counts.next().copied().unwrap_or(0)
    }

    /// The counts of group number `at` of those at the node.
    pub(crate) fn run(&self, at: usize) -> &[u32] {
        &self.counts[at * self.width..][..self.width]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::tests::instance;
    use crate::{Moving, Packed};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_one_part_has_the_other_one_leaves(
            rows in prop::collection::vec((any::<u64>(), 0u8..6, 1u32..2), 2..90), tests in 1usize..70, chosen: prop::sample::Index,
        ) {
            let instance = instance(&rows, tests);
            let mut packed = Packed::new(&instance, None, None);
            let (columns, width) = (packed.tests().to_vec(), tests.next_multiple_of(8) + 8);
            let root = packed.root(true);
            let tally = Tally::count(&root.rows(), width);
            for (at, run) in root.runs().iter().enumerate() {
                for (column, test) in columns.iter().enumerate() {
                    let gives = |object: &crate::ObjectId| instance.answer(*object, *test).0 == 1;
                    let of_group = instance.objects().filter(|object| instance.group_of(*object) == run.group);
                    prop_assert_eq!(tally.run(at)[column] as usize, of_group.filter(gives).count());
                }
            }
            let splits = |column: &usize| (0..root.runs().len()).any(|at| tally.run(at)[*column] > 0)
                && root.runs().iter().enumerate().any(|(at, run)| tally.run(at)[*column] < run.len);
            let useful: Vec<usize> = (0..columns.len()).filter(splits).collect();
            if useful.is_empty() || root.is_pure() {
                return Ok(());
            }
            let column = useful[chosen.index(useful.len())];
            let [(_, first), (_, second)] = root.split(column, &mut Moving::default());
            // Two groups that are told apart leave their answers behind.
            if first.is_pure() && second.is_pure() {
                return Ok(());
            }
            for (part, other) in [(&first, &second), (&second, &first)] {
                let [own, others] = [part, other].map(|part| Tally::count(&part.rows(), width));
                prop_assert_eq!(tally.clone().without(&others, part.runs()), own);
            }
        }
    }
}
