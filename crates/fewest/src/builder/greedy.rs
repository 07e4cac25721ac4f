//! Unfolds a greedy policy into a tree.

use super::grow::grow;
use crate::survey::Survey;
use crate::{Greedy, Limit, Policy};
use fewest_model::{Instance, Tree};
use rayon::prelude::*;

/// The tree that `policy` follows, or `None` if the limit came first.
///
/// Where it can be, by looking at all tests of a node at once; else level by level, the nodes of each shared among
/// threads. The tree depends neither on the way nor on the number of threads.
///
/// # Panics
/// When objects may give several answers ([`Instance::has_several`]).
pub fn unfold(instance: &Instance, policy: &Greedy<'_>, limit: &Limit) -> Option<Tree> {
    assert!(!instance.has_several(), "every object has one place in this tree");
    // By one of the threads that share the work: whoever only waits for them takes one of their processors now and then.
    rayon::scope(|_| {
        if let Some((survey, mut packed)) = Survey::new(policy) {
            return grow(instance, &survey, packed.root(), limit);
        }
        Tree::unfold(instance, |level| {
            if limit.is_reached() {
                return None;
            }
            Some(level.par_iter().map(|candidates| policy.next(candidates)).collect())
        })
    })
}
