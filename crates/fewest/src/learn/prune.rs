//! Pruning: removal of questions from a grown tree.
//!
//! Each method of pruning assigns every question a *level*, and a parameter decides which levels are cut. One pass
//! over the tree then serves all parameters, which is what choosing one by cross-validation needs.

use super::{Examples, LearnedTree, MissingAnswer, Significance};
use fewest_model::Named;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Order in which nodes that may be chance are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Children first, and only nodes whose children are all leaves: a question that leads to a good one stays.
    #[default]
    BottomUp,
    /// Every node whose p-value is too large.
    TopDown,
}

impl Named for Order {
    const VALUES: &'static [(Self, &'static str, &'static str)] = &[
        (Self::BottomUp, "bottom-up", "Children first: what leads to a good question stays"),
        (Self::TopDown, "top-down", "Wherever the p-value is too large"),
    ];
}

/// Level of each question, at which it is cut.
#[derive(Clone, Debug, PartialEq)]
pub enum Levels {
    /// p-values: a question is cut if the parameter, the greatest p-value allowed, is below its level.
    PValues(Vec<f64>),
    /// Prices: a question is cut if the parameter, the price of a leaf, is at least its level.
    Prices(Vec<f64>),
}

impl Levels {
    /// Whether the question of node `at` is cut at `parameter`.
    #[inline]
    pub fn is_cut(&self, at: usize, parameter: f64) -> bool {
        match self {
            Self::PValues(levels) => levels[at] > parameter,
            Self::Prices(levels) => levels[at] <= parameter,
        }
    }

    /// Returns the tree without the questions that are cut at `parameter`.
    pub fn pruned(&self, tree: &LearnedTree, parameter: f64) -> LearnedTree {
        let mut tree = tree.clone();
        for at in 0..tree.nodes.len() {
            if tree.nodes[at].split.is_some() && self.is_cut(at, parameter) {
                tree.nodes[at].split = None;
            }
        }
        tree.compact()
    }
}

/// Levels of pruning by χ²: a question is cut if its p-value exceeds α.
///
/// Bottom-up, a node is cut if its own p-value and those of all questions below it are above α, so its level is the
/// least of them.
pub fn p_value_levels(tree: &LearnedTree, tests: &[Option<Significance>], order: Order) -> Levels {
    let mut levels: Vec<f64> =
        tests.iter().map(|test| test.map_or(f64::INFINITY, |test| test.p_value)).collect();
    if order == Order::BottomUp {
        for at in (0..tree.nodes.len()).rev() {
            if let Some(split) = &tree.nodes[at].split {
                let below = split.answers.iter().map(|(_, child)| levels[*child]);
                levels[at] = below.fold(levels[at], f64::min);
            }
        }
    }
    Levels::PValues(levels)
}

/// Levels of cost-complexity pruning: the price of a leaf from which on a node is no worse than its subtree, `(errors
/// here − errors below) / (leaves below − 1)`, the weakest node first. [Breiman1984, section 3.3]
pub fn price_levels(tree: &LearnedTree) -> Levels {
    let count = tree.nodes.len();
    let mut parents = vec![usize::MAX; count];
    let (mut leaves, mut errors) = (vec![0.0; count], vec![0.0; count]);
    for at in (0..count).rev() {
        match &tree.nodes[at].split {
            None => (leaves[at], errors[at]) = (1.0, tree.nodes[at].errors()),
            Some(split) => {
                for &(_, child) in &split.answers {
                    parents[child] = at;
                    leaves[at] += leaves[child];
                    errors[at] += errors[child];
                }
            }
        }
    }
    let price = |at: usize, leaves: &[f64], errors: &[f64]| {
        ((tree.nodes[at].errors() - errors[at]) / (leaves[at] - 1.0)).max(0.0)
    };
    let mut levels = vec![f64::INFINITY; count];
    let mut version = vec![0u32; count];
    let mut weakest: BinaryHeap<Weak> = BinaryHeap::new();
    let inner = (0..count).filter(|at| !tree.is_leaf(*at));
    weakest.extend(inner.map(|at| Weak { price: price(at, &leaves, &errors), at, version: 0 }));
    let mut highest = 0.0f64;
    while let Some(Weak { price: cut_at, at, version: seen }) = weakest.pop() {
        if seen != version[at] || levels[at] < f64::INFINITY {
            continue;
        }
        highest = highest.max(cut_at);
        levels[at] = highest;
        let (fewer, more) = (leaves[at] - 1.0, tree.nodes[at].errors() - errors[at]);
        let mut above = parents[at];
        while above != usize::MAX {
            leaves[above] -= fewer;
            errors[above] += more;
            version[above] += 1;
            weakest.push(Weak { price: price(above, &leaves, &errors), at: above, version: version[above] });
            above = parents[above];
        }
        // The nodes below are gone, and must not change those above again.
        let mut gone = vec![at];
        while let Some(node) = gone.pop() {
            for (_, child) in tree.nodes[node].split.iter().flat_map(|split| &split.answers) {
                if levels[*child] == f64::INFINITY && !tree.is_leaf(*child) {
                    levels[*child] = highest;
                    gone.push(*child);
                }
            }
        }
    }
    Levels::Prices(levels)
}

/// Node by its price, the lowest first, deeper nodes first on ties.
struct Weak {
    price: f64,
    at: usize,
    version: u32,
}

impl PartialEq for Weak {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Weak {}

impl PartialOrd for Weak {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Weak {
    fn cmp(&self, other: &Self) -> Ordering {
        other.price.total_cmp(&self.price).then(self.at.cmp(&other.at)).then(self.version.cmp(&other.version))
    }
}

/// Reduced-error pruning: from the leaves up, a question is cut if, on the rows `held_out`, its subtree makes no
/// fewer errors than the node's own class. The tree was made without these rows. \[Quinlan1987\]
pub fn reduce_errors(
    tree: &LearnedTree,
    examples: &Examples,
    held_out: &[u32],
    missing: MissingAnswer,
) -> LearnedTree {
    let mut tree = tree.clone();
    // Errors of the rows that pass each node if it were a leaf, and errors of the rows that stop there.
    let (mut here, mut stopped) = (vec![0.0; tree.nodes.len()], vec![0.0; tree.nodes.len()]);
    for &row in held_out {
        let (row, mut at) = (row as usize, 0);
        loop {
            let wrong =
                if tree.nodes[at].class() == examples.class(row) { 0.0 } else { examples.weight(row) };
            here[at] += wrong;
            let split = tree.nodes[at].split.as_ref();
            let value = |split: &super::Split| examples.fields()[split.question.field()].value(row);
            match split.and_then(|split| split.step(&tree.nodes, missing, value(split))) {
                Some(child) => at = child,
                None => {
                    stopped[at] += wrong;
                    break;
                }
            }
        }
    }
    let mut below = stopped;
    for at in (0..tree.nodes.len()).rev() {
        if let Some(split) = &tree.nodes[at].split {
            below[at] += split.answers.iter().map(|(_, child)| below[*child]).sum::<f64>();
            if here[at] <= below[at] {
                below[at] = here[at];
                tree.nodes[at].split = None;
            }
        }
    }
    tree.compact()
}
