//! Losses of a tree against the bound: each node's share of the gap, exactly.
//!
//! [BellalaBhavnaniScott2010, Theorems 1–4], here for any costs and any number of answers (specification section 5).
//! The loss of a node is the cost of its question beyond the information it brings. The losses add up to the whole
//! gap, so a report can point at the questions that keep a strategy from the bound. If objects may give several
//! answers, leaves may stay open, and the bound is that of strategies which leave as much open (specification section
//! 12).

use crate::bound::BoundInput;
use crate::measure::{Order, entropy_bits, mutual_information_bits, renyi_bits};
use fewest_model::{
    Candidates, Columns, Contingency, Costs, Count, Instance, Lambda, Node, NodeId, Shares, TestId, Tree,
    View, Weighing, compensated_sum,
};

/// Loss of one question against the bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Node that asks the question.
    pub node: NodeId,
    /// Share of the gap.
    pub value: f64,
}

/// Gap between a tree's cost and an entropy bound, node by node.
#[derive(Clone, Debug, PartialEq)]
pub struct Losses {
    /// Entropy bound: `H(q)/s` or `H_α(q)/s`, minus the entropy that the leaves leave open.
    pub bound: f64,
    /// Loss of each node that asks, in order of nodes.
    pub nodes: Vec<Loss>,
}

/// Losses of the expected cost by Theorems 1 and 2: `E = H(q)/s + Σ_A p(A) [c_j − I(A,j)/s]`, every term ≥ 0.
///
/// If every object is its own group and tests are yes/no at cost 1, the term is Theorem 1's `p(A) [1 − h]`.
pub fn expected(tree: &Tree, instance: &Instance) -> Losses {
    let outlook = BoundInput::of(instance);
    let mut nodes = Vec::new();
    let steps = Steps::of(tree, instance);
    let ends = visit(tree, instance, |node, weight, table| {
        let Node::Ask { test, .. } = tree.node(node) else { return };
        let share = weight / instance.total_weight();
        // A node that no object of positive prior reaches costs nothing on average.
        let value = match share > 0.0 {
            true => share * (steps.mean(node, *test) - mutual_information_bits(table) / outlook.rate),
            false => 0.0,
        };
        nodes.push(Loss { node, value });
    });
    let total = instance.total_weight();
    let open =
        ends.iter().map(|end| end.weight / total * entropy_bits(end.groups.iter().copied(), end.weight));
    let (groups, whole) = groups(instance, &outlook);
    let entropy = entropy_bits(groups.into_iter(), whole) - compensated_sum(open);
    Losses { bound: entropy / outlook.rate, nodes }
}

/// Costs of the steps of a tree: from each node to its children.
struct Steps<'a> {
    tree: &'a Tree,
    instance: &'a Instance,
    /// Cost before each node, in costs of the table.
    spent: Vec<f64>,
    /// Weight of each node; empty if no cost depends on the path.
    weights: Vec<f64>,
}

impl<'a> Steps<'a> {
    fn of(tree: &'a Tree, instance: &'a Instance) -> Self {
        let Some(_) = instance.pricing() else {
            let spent = tree.down(0.0, |spent, test| spent + instance.cost(test));
            return Self { tree, instance, spent, weights: Vec::new() };
        };
        let spent = tree.spent(instance).into_iter().map(|units| units / instance.costs().scale());
        Self { tree, instance, spent: spent.collect(), weights: tree.weights(instance) }
    }

    /// Weight of each child and the cost of the step to it.
    fn children(&self, node: NodeId) -> impl Iterator<Item = (f64, f64)> {
        let here = self.spent[node.index()];
        let child = move |child: NodeId| (self.weights[child.index()], self.spent[child.index()] - here);
        self.tree.node(node).children().map(child)
    }

    /// Mean cost of the question at `node`.
    fn mean(&self, node: NodeId, test: TestId) -> f64 {
        match self.instance.pricing() {
            None => self.instance.cost(test),
            Some(_) => {
                self.children(node).map(|(weight, step)| weight * step).sum::<f64>()
                    / self.weights[node.index()]
            }
        }
    }

    /// Rise of `X` by the question at `node`, `Σ_C p(C) (λ^step − 1) λ^spent`, divided by `X`; `t = ln λ`.
    fn paid(&self, (node, weight): (NodeId, f64), test: TestId, t: f64, log_x: f64) -> f64 {
        let total = self.instance.total_weight();
        let rise = |weight: f64, step: f64| {
            let step = t * step;
            let log_rise = step + (-(-step).exp_m1()).ln(); // ln(λ^c − 1)
            ((weight / total).ln() + log_rise + t * self.spent[node.index()] - log_x).exp()
        };
        match self.instance.pricing() {
            None => rise(weight, self.instance.cost(test)),
            Some(_) => self.children(node).map(|(weight, step)| rise(weight, step)).sum(),
        }
    }
}

/// Weight of every group and their sum; those of the outlook may be coarse groups.
fn groups(instance: &Instance, outlook: &BoundInput<'_>) -> (Vec<f64>, f64) {
    if !instance.has_several() {
        return (outlook.weights.clone(), outlook.total);
    }
    let weights = instance.group_weights();
    let total = compensated_sum(weights.iter().copied());
    (weights, total)
}

/// Losses of the exponential cost by Theorems 3 and 4, divided by `X = Σ p_i λ^cost(i)` so that no λ overflows: with
/// `N(A) = p(A) D_α(A)`, `X = λ^(H_α/s) + Σ_A { p(A) (λ^c − 1) λ^spent(A) − N(A) + Σ_C N(C) }`.
///
/// The values are the terms in braces divided by `X`, for 1 < λ < ∞; they sum to `1 − λ^−(L_λ − H_α/s)`. Single
/// values may be negative.
pub fn exponential(tree: &Tree, instance: &Instance, lambda: Lambda) -> Losses {
    let outlook = BoundInput::of(instance);
    let order = Order::new(lambda, outlook.rate);
    let t = lambda.ln();
    let log_x = t * Costs::of(tree, instance, lambda).exponential;
    let steps = Steps::of(tree, instance);
    let mut nodes = Vec::new();
    // (N(A) − p(A)) / X from the groups' weights at A; 0 if they weigh nothing. The subtracted p(A) is the same
    // before and after a question, and near λ = 1 it is nearly all of N.
    let n_over_x = |weight: f64, groups: &mut dyn Iterator<Item = f64>| {
        if weight <= 0.0 {
            return 0.0;
        }
        let log_d = t * renyi_bits(groups, weight, order) / outlook.rate;
        let log_share = (weight / instance.total_weight()).ln();
        match log_d < 1.0 {
            true => (log_share - log_x).exp() * log_d.exp_m1(),
            false => (log_share + log_d - log_x).exp() - (log_share - log_x).exp(),
        }
    };
    let ends = visit(tree, instance, |node, weight, table| {
        let Node::Ask { test, .. } = tree.node(node) else { return };
        if weight <= 0.0 {
            nodes.push(Loss { node, value: 0.0 });
            return;
        }
        // If all weights are equal, the table counts 1 for each object; its shares are the same.
        let unit = weight / table.total();
        let paid = steps.paid((node, weight), *test, t, log_x);
        let before = n_over_x(weight, &mut table.groups().iter().map(|cell| cell.weight * unit));
        let after = table
            .rows()
            .map(|row| n_over_x(row.weight() * unit, &mut row.cells().iter().map(|cell| cell.weight * unit)));
        nodes.push(Loss { node, value: paid - before + after.sum::<f64>() });
    });
    let (groups, whole) = groups(instance, &outlook);
    let bits = renyi_bits(groups.into_iter(), whole, order);
    let open = ends.iter().map(|end| n_over_x(end.weight, &mut end.groups.iter().copied()));
    let open: f64 = compensated_sum(open);
    let bound = match open > 0.0 {
        false => bits / outlook.rate,
        // λ^bound = λ^(H_α/s) − Σ_leaves (N − p), over X.
        true => (((t * bits / outlook.rate - log_x).exp() - open).ln() + log_x) / t,
    };
    Losses { bound, nodes }
}

/// Leaf that leaves the group open.
struct End {
    weight: f64,
    /// Weight of each group at the leaf.
    groups: Vec<f64>,
}

/// Visits the nodes that ask, in order, with the weight that reaches each and its contingency table by group. Returns
/// the leaves that leave the group open.
fn visit(tree: &Tree, instance: &Instance, mut see: impl FnMut(NodeId, f64, &Contingency)) -> Vec<End> {
    if instance.has_several() {
        return visit_shares(tree, instance, see);
    }
    let view = View { columns: Columns::Groups, weighing: Weighing::Prior, moments: None };
    let mut table = Contingency::default();
    let mut waiting: Vec<Option<Candidates>> = vec![None; tree.nodes().len()];
    waiting[tree.root().index()] = Some(Candidates::all(instance));
    for (at, node) in tree.nodes().iter().enumerate() {
        let (Some(candidates), Node::Ask { test, answers }) = (waiting[at].take(), node) else { continue };
        instance.count(*test, &candidates, view, &mut table);
        see(NodeId::at(at), candidates.weight(), &table);
        // A tree may list its answers in any order.
        let mut children = answers.clone();
        children.sort_unstable();
        for (answer, part) in candidates.split(instance, *test) {
            if let Ok(at) = children.binary_search_by_key(&answer, |(answer, _)| *answer) {
                waiting[children[at].1.index()] = Some(part);
            }
        }
    }
    Vec::new()
}

/// Visits the nodes if objects may give several answers; see [`visit`].
fn visit_shares(
    tree: &Tree,
    instance: &Instance,
    mut see: impl FnMut(NodeId, f64, &Contingency),
) -> Vec<End> {
    let view = (Columns::Groups, Weighing::Prior);
    let (mut table, mut ends) = (Contingency::default(), Vec::new());
    let mut waiting: Vec<Option<Shares>> = vec![None; tree.nodes().len()];
    waiting[tree.root().index()] = Some(Shares::all(instance));
    for (at, node) in tree.nodes().iter().enumerate() {
        let Some(shares) = waiting[at].take() else { continue };
        let Node::Ask { test, answers } = node else {
            if !shares.is_pure() && shares.weight() > 0.0 {
                let groups = shares.runs().iter().map(|run| run.weight).collect();
                ends.push(End { weight: shares.weight(), groups });
            }
            continue;
        };
        table.count_shares(instance, *test, &shares, view, &|_| None);
        see(NodeId::at(at), shares.weight(), &table);
        for (answer, part) in shares.split(instance, *test) {
            if let Some((_, child)) = answers.iter().find(|(other, _)| *other == answer) {
                waiting[child.index()] = Some(part);
            }
        }
    }
    ends
}
