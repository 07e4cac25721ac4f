//! On random instances and trees the checker agrees with the definitions written out, and with the model.

use crate::common::{Draft, instance, some_tree};
use fewest_check::{CheckError, check};
use fewest_model::{Certificate, Costs, Instance, Lambda, Node, ObjectId, Tree};
use proptest::prelude::*;

/// A table with its choices: groups or none, priors and costs that scale to whole numbers or do not.
pub(crate) fn tables() -> impl Strategy<Value = String> {
    let priors =
        prop_oneof![Just("1"), Just("0"), Just("0.25"), Just("3"), Just("0.1"), Just("0.3333333333333333")];
    let costs = prop_oneof![Just("1"), Just("2.5"), Just("0.1"), Just("7"), Just("0.6666666666666666")];
    let row = (prop::collection::vec(0..3u8, 5), 0..4u8, priors);
    (prop::collection::vec(row, 1..9), prop::collection::vec(costs, 5), any::<bool>()).prop_map(
        |(rows, costs, grouped)| {
            let mut text = format!("o q1 q2 q3 q4 q5 prior{}\n", if grouped { " group" } else { "" });
            text += &format!("@cost {} - -\n", costs.join(" "));
            // The first object has weight, so that the sum is never 0.
            for (at, (answers, group, prior)) in rows.iter().enumerate() {
                let answers: Vec<String> = answers.iter().map(u8::to_string).collect();
                let prior = if at == 0 { "2" } else { prior };
                let group = if grouped { format!(" g{group}") } else { String::new() };
                text += &format!("o{at} {} {prior}{group}\n", answers.join(" "));
            }
            text
        },
    )
}

/// A tree for `instance` that depends on `seed` only.
fn tree_of(instance: &Instance, mut seed: usize) -> Tree {
    let nodes = some_tree(instance, |choices| {
        let choice = seed % choices;
        seed = seed / choices + 7 * choice + 1;
        choice
    });
    Tree::new(nodes).unwrap()
}

/// Cost that `object` pays on its path, question by question.
fn cost_of(instance: &Instance, tree: &Tree, object: ObjectId) -> f64 {
    let mut node = tree.root();
    let mut cost = 0.0;
    while let Node::Ask { test, answers } = tree.node(node) {
        cost += instance.cost(*test);
        let own = instance.answer(object, *test);
        node = answers.iter().find(|(answer, _)| *answer == own).unwrap().1;
    }
    cost
}

/// The definitions of the specification, section 2, without care for large powers.
fn by_definition(instance: &Instance, tree: &Tree, lambda: Lambda) -> Costs {
    let total: f64 = instance.objects().map(|object| instance.weight(object)).sum();
    let paid: Vec<(f64, f64)> = instance
        .objects()
        .map(|object| (instance.weight(object) / total, cost_of(instance, tree, object)))
        .collect();
    let expected = paid.iter().map(|(p, cost)| p * cost).sum();
    let worst = paid.iter().map(|(_, cost)| *cost).fold(0.0, f64::max);
    let powers: f64 = paid.iter().map(|(p, cost)| p * lambda.value().powf(*cost)).sum();
    let exponential = match lambda.value() {
        1.0 => expected,
        f64::INFINITY => worst,
        value => powers.ln() / value.ln(),
    };
    Costs { expected, worst, exponential, lambda }
}

fn assert_near(left: &Costs, right: &Costs) {
    let pairs =
        [(left.expected, right.expected), (left.worst, right.worst), (left.exponential, right.exponential)];
    for (left, right) in pairs {
        assert!((left - right).abs() <= 1e-12 * right.abs().max(1e-3), "{left} is not {right}");
    }
}

/// The nodes of `tree` that are leaves.
fn leaves(tree: &Tree) -> Vec<usize> {
    let is_leaf = |at: &usize| matches!(tree.nodes()[*at], Node::Leaf { .. });
    (0..tree.nodes().len()).filter(is_leaf).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_judge_adds_up_as_the_definitions_and_the_model_do(
        table in tables(), seed in any::<u32>(),
        lambda in prop_oneof![Just(1.0), Just(1.5), Just(2.0), Just(10.0), Just(f64::INFINITY)],
    ) {
        let instance = instance(&table);
        let tree = tree_of(&instance, seed as usize);
        let lambda = Lambda::new(lambda).unwrap();
        let model = Costs::of(&tree, &instance, lambda);
        let verified = check(&instance, &tree, &Certificate { costs: Some(model), bound: None }).unwrap();
        assert_near(&verified.costs, &by_definition(&instance, &tree, lambda));
        assert_near(&verified.costs, &model);
        prop_assert_eq!((verified.leaves, verified.depth), (tree.leaf_count(), tree.depth()));
    }

    #[test]
    fn an_object_dropped_doubled_or_moved_is_always_refused(
        table in tables(), seed in any::<u32>(), from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>(),
    ) {
        let instance = instance(&table);
        let tree = tree_of(&instance, seed as usize);
        let leaves = leaves(&tree);
        let (from, to) = (leaves[from.index(leaves.len())], leaves[to.index(leaves.len())]);
        let whole = Draft { instance: &instance, nodes: tree.nodes().to_vec() };

        let mut dropped = whole.clone();
        let object = dropped.listed(from).pop().unwrap();
        assert!(matches!(dropped.refused(), CheckError::NotListed { .. }));

        let mut doubled = whole;
        doubled.listed(to).push(object);
        assert!(matches!(doubled.refused(), CheckError::ListedTwice { .. }));

        if from != to {
            dropped.listed(to).push(object);
            assert!(matches!(dropped.refused(), CheckError::WrongLeaf { .. }));
        }
    }
}
