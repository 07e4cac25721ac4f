//! One test for each bug that was found and fixed.

use crate::common::*;
use fewest::measure::entropy_bits;
use fewest::{Candidates, Costs, Goal, Lambda, Limit, Node, Objective, Tree, bound, build, inspect, loss};

fn bound_named(instance: &fewest::Instance, at: f64, name: &str) -> f64 {
    bound::all(instance, lambda(at)).iter().find(|bound| bound.name == name).unwrap().value
}

#[test]
fn within_one_group_a_test_separates_nothing() {
    // Was 0/0: no benefit, no pair to separate.
    let instance = instance("object group t\n a x 0\n b x 1", &[]);
    for way in ways() {
        let benefits = benefits(&instance, way, &Candidates::all(&instance));
        assert!(benefits[0].is_some_and(f64::is_finite), "{way:?}: {benefits:?}");
    }
}

#[test]
fn one_group_has_bounds_of_exactly_zero() {
    // Was 3e-16: the group's sum and the objects' sum were rounded in different orders.
    let text = "object group prior\n a x 0.12578892869246233\n b x 0.8893540736386489\n c x 0.000001";
    let instance = instance(text, &[]);
    for at in LAMBDAS {
        assert!(bound::all(&instance, lambda(at)).iter().all(|bound| bound.value == 0.0), "λ = {at}");
    }
}

#[test]
fn exponential_huffman_dominates_also_where_a_power_of_lambda_overflows() {
    // Was 0 from λ^cost = 1e309 on.
    let instance = instance("object t u\n a 0 0\n b 0 1\n c 1 0", &[("t", 100.0), ("u", 100.0)]);
    for at in [1e3, 1e4, 1e9, 1e300] {
        let (best, renyi) =
            (bound_named(&instance, at, "exponential-huffman"), bound_named(&instance, at, "renyi"));
        assert!(best >= renyi && renyi > 150.0, "λ = {at}: {best} {renyi}");
        assert!((best - optimum(&instance, Objective::Exponential(lambda(at)))).abs() < 1e-9);
    }
}

#[test]
fn gain_ratio_of_objects_is_one_and_not_nearly_one() {
    // Was 1.00000007 for the second test, which therefore came before the first.
    let instance = instance("object prior t u\n a 4.9e-7 1 1\n b 0.2 0 1\n c 2.8e-11 0 0", &[]);
    assert!(write(&grow(&instance, "gain-ratio", Lambda::TWO, true), &instance).starts_with("t("));
}

#[test]
fn an_entropy_next_to_zero_keeps_its_digits() {
    // Was off in the fifth digit: the share of the likely object is 1 up to rounding.
    let found = entropy_bits([1e12, 1.0].into_iter(), 1e12 + 1.0);
    let wanted = 4.13058321795e-11; // w (log₂ 1/w + 1/ln 2) at w = 1e-12
    assert!((found / wanted - 1.0).abs() < 1e-9, "{found}");
}

#[test]
fn priors_of_any_ratio_have_a_finite_entropy() {
    // Was infinite, because 1e300 over 1e-300 overflows.
    let instance = instance(
        "object group prior t u\n a x 1e300 0 0\n b y 1e-300 0 1\n c z 1e-8 1 0\n d x 1e250 1 1",
        &[],
    );
    let (objects, groups) = inspect::entropies(&instance);
    assert!(objects.is_finite() && groups.is_finite(), "{objects} {groups}");
    for report in inspect::inspect(&instance).tests {
        assert!(report.entropy_bits.is_finite() && report.information_bits.is_finite(), "{report:?}");
    }
}

#[test]
fn huge_priors_and_huge_costs_have_a_finite_mean() {
    // Was infinite: weights were multiplied by costs before they were divided by their sum.
    let instance = instance("object prior t\n a 1e200 0\n b 1e200 1", &[("t", 1e200)]);
    let costs = Costs::of(&grow(&instance, "gbs", Lambda::TWO, true), &instance, Lambda::TWO);
    assert_eq!((costs.expected, costs.worst), (1e200, 1e200));
}

#[test]
fn the_better_tree_wins_however_small_the_unit_of_cost() {
    // Costs in seconds, tests of nanoseconds: costs were compared to ten decimals, and the first tree was kept.
    let text = "object group t1 t2 t3 prior\n 1 A 1 1 2 0.1\n 2 A 1 2 1 0.2\n 3 B 2 2 1 0.4\n 4 C 1 2 2 0.25\n \
                5 C 2 2 2 0.05";
    let cost = |unit: f64| {
        let instance = instance(text, &[("t1", 2.0 * unit), ("t2", unit), ("t3", 3.0 * unit)]);
        build(&instance, &Goal::default(), &Limit::none()).costs.expected / unit
    };
    for unit in [1e-9, 1e-10, 1e-12, 1e-100, 1e9, 1e300] {
        assert!(
            (cost(unit) - cost(1.0)).abs() < 1e-9,
            "unit {unit}: {} instead of {}",
            cost(unit),
            cost(1.0)
        );
    }
}

/// Tree with two questions below the first, and the same tree with its answers listed backwards.
fn four_objects() -> (fewest::Instance, Tree, Tree) {
    let instance = instance("object prior t u\n a 4 0 0\n b 3 0 1\n c 2 1 0\n d 1 1 1", &[]);
    let tree = grow(&instance, "gbs", Lambda::TWO, true);
    let mut nodes = tree.nodes().to_vec();
    for node in &mut nodes {
        if let Node::Ask { answers, .. } = node {
            answers.reverse();
        }
    }
    (instance, tree, Tree::new(nodes).unwrap())
}

#[test]
fn losses_come_in_order_of_nodes() {
    let (instance, tree, _) = four_objects();
    let order: Vec<u32> = loss::expected(&tree, &instance).nodes.iter().map(|loss| loss.node.0).collect();
    assert_eq!(order, [0, 1, 2]);
}

#[test]
fn losses_follow_the_answers_and_not_their_places() {
    // A tree that was read may list answers in any order; each child got the objects of another child.
    let (instance, tree, turned) = four_objects();
    assert_eq!(loss::expected(&tree, &instance), loss::expected(&turned, &instance));
}

#[test]
fn losses_keep_their_digits_next_to_lambda_one() {
    // Was correct to 1e-16 of 1, but not of the loss, which is 1e-12 here.
    let (instance, tree, _) = four_objects();
    let near = lambda(1.0 + 1e-12);
    let (plain, tiny) = (loss::expected(&tree, &instance), loss::exponential(&tree, &instance, near));
    for (plain, tiny) in plain.nodes.iter().zip(&tiny.nodes) {
        assert!((tiny.value / near.ln() - plain.value).abs() < 1e-9, "{tiny:?} {plain:?}");
    }
}
