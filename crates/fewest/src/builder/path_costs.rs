//! Growth of a greedy policy if costs depend on the path: every node carries the bundles that are open there.

use super::late::Late;
use crate::{Greedy, Limit};
use fewest_model::{Candidates, Node, NodeId, OpenBundles, TestId, Tree};
use rayon::prelude::*;
use std::sync::atomic::AtomicUsize;

/// Grows the tree of `policy` level by level. Returns it with the number of questions asked without comparing tests
/// because the limit was reached; `None` if it was reached and `late` is to give up.
pub(super) fn unfold(policy: &Greedy<'_>, limit: &Limit, late: Late) -> Option<(Tree, usize)> {
    let instance = policy.instance();
    let policy = policy.within(limit);
    let unranked = AtomicUsize::new(0);
    let choose = |(candidates, open): &(Candidates, OpenBundles)| -> Option<Option<TestId>> {
        late.choose(limit, &unranked, (instance, candidates), || policy.next_on_path(candidates, open))
    };
    let mut nodes: Vec<Node> = Vec::new();
    let mut level = vec![(Candidates::all(instance), OpenBundles::default())];
    while !level.is_empty() {
        let tests: Vec<Option<TestId>> = level.par_iter().map(choose).collect::<Option<_>>()?;
        let mut below = Vec::new();
        let first_below = nodes.len() + level.len();
        for ((candidates, open), test) in level.iter().zip(tests) {
            let Some(test) = test else {
                nodes.push(Node::leaf(candidates.objects()));
                continue;
            };
            let parts = candidates.split(instance, test);
            let children = (first_below + below.len()..).map(NodeId::at);
            let answers = parts.iter().map(|(answer, _)| *answer).zip(children).collect();
            nodes.push(Node::Ask { test, answers });
            let open =
                instance.pricing().map_or_else(OpenBundles::default, |pricing| pricing.after(test, open));
            below.extend(parts.into_iter().map(|(_, part)| (part, open.clone())));
        }
        level = below;
    }
    let tree = Tree::new(nodes).expect("children are placed after their parents");
    Some((tree.confirmed(instance), unranked.into_inner()))
}
