//! Growth of a greedy policy if costs depend on the path: every node carries the bundles that are open there.

use super::late::Late;
use crate::{Greedy, Limit};
use fewest_model::{Candidates, OpenBundles, TestId, Tree};
use rayon::prelude::*;
use std::sync::atomic::AtomicUsize;

/// Grows the tree of `policy` level by level. Returns it with the number of questions asked without comparing tests
/// because the limit was reached; `None` if it was reached and `late` is to give up.
pub(super) fn unfold(policy: &Greedy<'_>, limit: &Limit, late: Late) -> Option<(Tree, usize)> {
    let instance = policy.instance();
    let policy = policy.within(limit);
    let unranked = AtomicUsize::new(0);
    let choose = |(candidates, open): (&Candidates, &OpenBundles)| -> Option<Option<TestId>> {
        late.choose(limit, &unranked, (instance, candidates), || policy.next_on_path(candidates, open))
    };
    let after = |test: TestId, open: &OpenBundles| match instance.pricing() {
        Some(pricing) => pricing.after(test, open),
        None => open.clone(),
    };
    let level = |level: &[Candidates], open: &[OpenBundles]| level.par_iter().zip(open).map(choose).collect();
    let tree = Tree::unfold_carrying(instance, OpenBundles::default(), level, after)?;
    Some((tree, unranked.into_inner()))
}
