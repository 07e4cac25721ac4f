//! The definitions, written slowly: what objects pay, and the best of all trees.

use super::made::Prices;
use fewest::{AnswerId, Instance, Node, ObjectId, Objective, TestId, Tree};
use std::collections::BTreeMap;

/// Path of every object: tests and answers.
fn paths(tree: &Tree, instance: &Instance) -> Vec<Vec<(TestId, AnswerId)>> {
    let follow = |object: ObjectId| {
        let (mut at, mut asked) = (tree.root(), Vec::new());
        while let Node::Ask { test, answers } = tree.node(at) {
            let answer = instance.answer(object, *test);
            asked.push((*test, answer));
            at = answers.iter().find(|(own, _)| *own == answer).unwrap().1;
        }
        asked
    };
    instance.objects().map(follow).collect()
}

/// Costs of a tree by the definition.
pub(super) fn slow_costs(tree: &Tree, instance: &Instance, prices: &Prices, base: f64) -> [f64; 3] {
    let costs: Vec<f64> = paths(tree, instance).iter().map(|asked| prices.path(instance, asked)).collect();
    let mean = |value: &dyn Fn(f64) -> f64| -> f64 {
        instance.objects().map(|object| instance.prior(object) * value(costs[object.index()])).sum()
    };
    let worst = costs.iter().copied().fold(0.0, f64::max);
    [mean(&|cost| cost), worst, mean(&|cost| base.powf(cost)).log(base)]
}

/// Best value of all trees by the definition, over the objects' own mass; `None` for a worst cost beyond `cap`.
struct AllTrees<'a> {
    instance: &'a Instance,
    prices: &'a Prices,
    objective: Objective,
    known: BTreeMap<(Vec<ObjectId>, Vec<usize>, u64), f64>,
}

impl AllTrees<'_> {
    fn best(&mut self, set: &[ObjectId], open: &[usize], budget: f64) -> f64 {
        let instance = self.instance;
        let mass: f64 = set.iter().map(|object| instance.prior(*object)).sum();
        let group = instance.group_of(set[0]);
        if set.iter().all(|object| instance.group_of(*object) == group) {
            return if let Objective::Exponential(_) = self.objective { mass } else { 0.0 };
        }
        let key = (set.to_vec(), open.to_vec(), budget.to_bits());
        if let Some(value) = self.known.get(&key) {
            return *value;
        }
        let mut least = f64::INFINITY;
        for test in instance.test_ids() {
            let mut parts: BTreeMap<AnswerId, Vec<ObjectId>> = BTreeMap::new();
            set.iter()
                .for_each(|object| parts.entry(instance.answer(*object, test)).or_default().push(*object));
            if parts.len() < 2 {
                continue;
            }
            let after = self.prices.after(test, open);
            let mut value = 0.0f64;
            for (answer, part) in parts {
                let step = self.prices.step(instance, test, answer, open);
                let left = budget - step;
                let below = if left < -1e-9 { f64::INFINITY } else { self.best(&part, &after, left) };
                let mass: f64 = part.iter().map(|object| instance.prior(*object)).sum();
                match self.objective {
                    // No mass and no tree is no tree.
                    Objective::Expected => value += step * mass + below,
                    Objective::Worst => value = value.max(step + below),
                    Objective::Exponential(lambda) => value += lambda.value().powf(step) * below,
                }
            }
            least = least.min(value);
        }
        self.known.insert(key, least);
        least
    }
}

/// Least cost of all trees by the definition.
pub(super) fn optimum(instance: &Instance, prices: &Prices, objective: Objective, cap: f64) -> f64 {
    let all: Vec<ObjectId> = instance.objects().collect();
    let mut trees = AllTrees { instance, prices, objective, known: BTreeMap::new() };
    let value = trees.best(&all, &[], cap);
    match objective {
        Objective::Exponential(lambda) => value.log(lambda.value()),
        _ => value,
    }
}
