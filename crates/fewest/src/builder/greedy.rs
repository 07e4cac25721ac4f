//! Growth of a greedy policy into a tree.

use super::batch_score::BatchScorer;
use super::grow::grow;
use super::late::Late;
use super::packing::Packing;
use super::path_costs;
use crate::{Greedy, Limit, Policy};
use fewest_model::{Candidates, Instance, Tree};
use rayon::prelude::*;
use std::sync::atomic::AtomicUsize;

/// Grows the tree that `policy` follows; `None` if the limit is reached before.
///
/// All tests of a node are ranked at once if possible; otherwise the tree grows level by level, and threads share the
/// nodes of each level. The tree depends neither on the method nor on the number of threads.
///
/// # Panics
/// When objects may give several answers ([`Instance::has_several`]).
pub fn unfold(instance: &Instance, policy: &Greedy<'_>, limit: &Limit) -> Option<Tree> {
    unfold_in_time(instance, policy, &Packing::Single, limit, Late::GiveUp).map(|(tree, _)| tree)
}

/// Runs [`unfold`] with a choice of what to do when the limit is reached; also returns the number of questions that
/// were then asked without comparing tests.
pub(crate) fn unfold_in_time(
    instance: &Instance,
    policy: &Greedy<'_>,
    packing: &Packing,
    limit: &Limit,
    late: Late,
) -> Option<(Tree, usize)> {
    assert!(!instance.has_several(), "every object has one place in this tree");
    if instance.pricing().is_some() {
        return path_costs::unfold(policy, limit, late);
    }
    // Runs on one of the threads of the pool: a thread that only waits for them would still take some processor time.
    rayon::scope(|_| {
        // Sums over all tests at once know no test that may not be asked.
        let batch = if instance.has_premises() { None } else { BatchScorer::new(policy, packing) };
        if let Some((scorer, mut packed)) = batch {
            return grow(instance, &scorer, packed.root(), limit, late);
        }
        let policy = policy.within(limit);
        let unranked = AtomicUsize::new(0);
        let choose = |candidates: &Candidates| {
            late.choose(limit, &unranked, (instance, candidates), || policy.next(candidates))
        };
        let tree = Tree::unfold(instance, |level| level.par_iter().map(choose).collect())?;
        Some((tree, unranked.into_inner()))
    })
}
