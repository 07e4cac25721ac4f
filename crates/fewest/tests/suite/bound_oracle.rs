//! Each bound against the best tree, found by trying all.

use crate::common::*;
use fewest::bound::sets::{self, KnownBound};
use fewest::bound::{self, BoundInput, ObjectiveKind};
use fewest::{Costs, Lambda, Objective};
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(10_000))]

    #[test]
    fn no_bound_of_a_node_is_above_its_optimum(sample in samples(8), seed: u64, at in 1.05..40.0f64) {
        let (instance, mut dice) = (sample.instance(), Dice(seed));
        let at = lambda([at, at * at, 1e9, f64::INFINITY, 1.0][dice.roll(5)]);
        let mut optima = objectives(at).map(|objective| Optimum::new(&instance, objective));
        for node in random_nodes(&instance, &mut dice) {
            let bounds = bound::all_at(&BoundInput::at(&instance, &node), at);
            for (objective, optimum) in objectives(at).into_iter().zip(&mut optima) {
                let Some(least) = optimum.at(&node) else { continue };
                for bound in bounds.iter().filter(|bound| bound.kind == objective.kind()) {
                    prop_assert!(bound.value.is_finite() && bound.value >= 0.0, "{bound:?}");
                    let most = least * (1.0 + 1e-9) + 1e-12;
                    prop_assert!(bound.value <= most, "{at:?}: {bound:?} above {least} at {:?}", node.objects());
                }
            }
        }
    }

    #[test]
    fn the_parts_of_a_set_bound_it(sample in samples(8), seed: u64) {
        let (instance, mut dice) = (sample.instance(), Dice(seed));
        let mut worst = Optimum::new(&instance, Objective::Worst);
        let mut expected = Optimum::new(&instance, Objective::Expected);
        let mut nodes = random_nodes(&instance, &mut dice);
        nodes.extend(random_nodes(&instance, &mut dice));
        for node in &nodes {
            // All other nodes, also those that are no subset of this one.
            let others = || nodes.iter().filter(|other| other.len() < node.len());
            let known = |optimum: &mut Optimum<'_>| -> Vec<KnownBound<'_>> {
                others().map(|candidates| KnownBound { candidates, value: optimum.on_mass(candidates) }).collect()
            };
            let (least, parts) = (worst.on_mass(node), known(&mut worst));
            prop_assert!(sets::worst_from_parts(node, &parts) <= least * (1.0 + 1e-9));
            let (least, parts) = (expected.on_mass(node), known(&mut expected));
            prop_assert!(sets::expected_from_parts(node, &parts) <= least * (1.0 + 1e-9));
        }
    }

    #[test]
    fn no_bound_is_above_the_optimum_and_no_tree_below(sample in samples(8), seed: u64, at in 1.05..40.0f64) {
        let (instance, mut dice) = (sample.instance(), Dice(seed));
        let at = lambda([at, at * at, 1e9, f64::INFINITY, 1.0][dice.roll(5)]);
        let (name, lambda, blind) = ways()[dice.roll(ways().len())];
        let trees = [random_tree(&instance, &mut dice), grow(&instance, name, lambda, blind)];
        let bounds = bound::all(&instance, at);
        for objective in objectives(at) {
            let least = optimum(&instance, objective);
            for bound in bounds.iter().filter(|bound| bound.kind == objective.kind()) {
                prop_assert!(bound.value <= least * (1.0 + 1e-9) + 1e-12, "{at:?}: {bound:?} above {least}");
            }
            for tree in &trees {
                let cost = Costs::of(tree, &instance, at).get(objective);
                prop_assert!(cost >= least * (1.0 - 1e-9) - 1e-12, "{cost} below {least}");
            }
            if instance.group_count() == 1 {
                prop_assert!(least.abs() < 1e-12 && bounds.iter().all(|bound| bound.value == 0.0), "{bounds:?}");
            }
        }
    }

    #[test]
    fn a_few_objects_have_the_bounds_of_a_few_objects(sample in samples(3)) {
        let instance = sample.instance();
        for (objective, kind) in [(Objective::Expected, ObjectiveKind::Expected), (Objective::Worst, ObjectiveKind::Worst)] {
            let least = optimum(&instance, objective);
            let best = bound::best(&bound::all(&instance, Lambda::TWO), kind);
            prop_assert!(best.value <= least * (1.0 + 1e-12), "{best:?} above {least}");
            // Two groups and one question: bound and optimum are that question's cost.
            if instance.object_count() == 2 && instance.test_count() == 1 && instance.group_count() == 2 {
                prop_assert!((best.value - least).abs() <= 1e-12 * least, "{best:?} {least}");
            }
        }
    }
}
