//! Unfolds a policy into a tree, level by level.

use crate::{Limit, Policy};
use fewest_model::{Instance, Tree};
use rayon::prelude::*;

/// The tree that `policy` follows, or `None` if the limit came first.
///
/// Nodes of a level are independent, so they are shared among threads; the tree does not depend on how many.
pub fn unfold(instance: &Instance, policy: &dyn Policy, limit: &Limit) -> Option<Tree> {
    Tree::unfold(instance, |level| {
        if limit.is_reached() {
            return None;
        }
        Some(level.par_iter().map(|candidates| policy.next(candidates)).collect())
    })
}
