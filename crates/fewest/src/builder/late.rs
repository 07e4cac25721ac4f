//! Behaviour of a builder when the time is up before its tree is complete.
//!
//! The first rule of a build has to return a tree, however short the time. The nodes that it has not reached by then
//! ask any test that still splits the objects, which takes hardly any time to find. Each such question is counted, so
//! that these questions are not attributed to the rule.

use crate::Limit;
use fewest_model::{Candidates, Instance, TestId};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Choice of what to do when the limit is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Late {
    /// Return no tree: there is another one.
    GiveUp,
    /// Finish the tree without comparing tests.
    Finish,
}

impl Late {
    /// Next test for `candidates`, `None` for a leaf: what `rank` finds while there is time, and then any test that splits
    /// them, counted in `unranked`. The outer `None` says that there is to be no tree.
    pub(super) fn choose(
        self,
        limit: &Limit,
        unranked: &AtomicUsize,
        (instance, candidates): (&Instance, &Candidates),
        rank: impl FnOnce() -> Option<TestId>,
    ) -> Option<Option<TestId>> {
        let ranked = if limit.is_reached() { None } else { rank() };
        // A choice made after the time was up may rest on half of the tests.
        match (limit.is_reached(), self) {
            (false, _) => Some(ranked),
            (true, Self::GiveUp) => None,
            (true, Self::Finish) => {
                let test = any_split(instance, candidates);
                unranked.fetch_add(usize::from(test.is_some()), Ordering::Relaxed);
                Some(test)
            }
        }
    }
}

/// First test to which `candidates` of several groups give different answers; `None` if they belong to one group, or
/// if no test tells them apart.
pub(super) fn any_split(instance: &Instance, candidates: &Candidates) -> Option<TestId> {
    let (first, others) = candidates.objects().split_first()?;
    if candidates.is_pure() {
        return None;
    }
    let splits = |test: &TestId| {
        let column = instance.test(*test);
        others.iter().any(|object| column.answer(*object) != column.answer(*first))
            && instance.may_ask_after(*test, candidates.objects(), &[])
    };
    instance.test_ids().find(splits)
}
