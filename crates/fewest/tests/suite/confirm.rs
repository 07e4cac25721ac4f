//! Objects that count as identified only after the test of their name was asked: trees, costs, bounds and losses.

use crate::common::*;
use fewest::bound::{self, BoundInput, ObjectiveKind};
use fewest::front::{combine, cuts, front, switching_costs};
use fewest::{
    Certificate, CheckError, Costs, Goal, Instance, Lambda, Limit, Node, Objective, Reading, StopReason,
    Table, Tree, build, check, loss,
};
use fewest_lab::generate::{Mastermind, Prior, Singletons, TestCosts};
use proptest::prelude::*;

fn confirmed(table: Table) -> Instance {
    Instance::new(table, &Reading { confirm: true, ..Reading::default() }).unwrap().0
}

/// Whether the checker accepts `tree` with the costs that the model computes.
fn passes(instance: &Instance, tree: &Tree) -> Result<Costs, CheckError> {
    let costs = Costs::of(tree, instance, Lambda::TWO);
    check(instance, tree, &Certificate { costs: Some(costs), ..Certificate::default() })
        .map(|verified| verified.costs)
}

fn pair(instance: &Instance, tree: &Tree) -> (f64, f64) {
    let costs = Costs::of(tree, instance, Lambda::TWO);
    (costs.expected, costs.worst)
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn every_algorithm_confirms_and_none_beats_the_optimum(sample in samples(7), seed: u64) {
        let instance = sample.game(&mut Dice(seed));
        let least = objectives(Lambda::TWO).map(|objective| optimum(&instance, objective));
        for (name, lambda, blind) in all_ways() {
            let tree = grow(&instance, name, lambda, blind);
            let costs = passes(&instance, &tree).map_err(|error| TestCaseError::fail(format!("{name}: {error}")))?;
            for (objective, least) in objectives(Lambda::TWO).into_iter().zip(least) {
                let cost = costs.get(objective);
                prop_assert!(cost >= least * (1.0 - 1e-9), "{name}: {cost} below {least}");
            }
        }
    }

    #[test]
    fn no_bound_is_above_the_optimum(sample in samples(7), seed: u64, at in 1.05..40.0f64) {
        let mut dice = Dice(seed);
        let instance = sample.game(&mut dice);
        let at = lambda([at, at * at, 1e9, f64::INFINITY, 1.0][dice.roll(5)]);
        let bounds = bound::all(&instance, at);
        let mut optima = objectives(at).map(|objective| Optimum::new(&instance, objective));
        let nodes = random_nodes(&instance, &mut dice);
        for (objective, optimum) in objectives(at).into_iter().zip(&mut optima) {
            let least = optimum.at(&fewest::Candidates::all(&instance)).unwrap();
            for bound in bounds.iter().filter(|bound| bound.kind == objective.kind()) {
                prop_assert!(bound.value <= least * (1.0 + 1e-9) + 1e-12, "{at:?}: {bound:?} above {least}");
            }
            for node in &nodes {
                let Some(least) = optimum.at(node) else { continue };
                let bounds = bound::all_at(&BoundInput::at(&instance, node), at);
                for bound in bounds.iter().filter(|bound| bound.kind == objective.kind()) {
                    prop_assert!(bound.value.is_finite() && bound.value >= 0.0, "{bound:?}");
                    let most = least * (1.0 + 1e-9) + 1e-12;
                    prop_assert!(bound.value <= most, "{at:?}: {bound:?} above {least} at {:?}", node.objects());
                }
            }
        }
    }

    #[test]
    fn what_is_called_proved_is_the_optimum(sample in samples(7), seed: u64) {
        let instance = sample.game(&mut Dice(seed));
        for objective in objectives(Lambda::TWO) {
            let outcome = build(&instance, &Goal::default().with_objective(objective), &Limit::none());
            let (cost, least) = (outcome.costs.get(objective), optimum(&instance, objective));
            prop_assert!(passes(&instance, &outcome.tree).is_ok());
            prop_assert!(outcome.bound.value <= least * (1.0 + 1e-9) && least <= cost * (1.0 + 1e-9));
            prop_assert!(outcome.stop != StopReason::Proved || close(cost, least), "{cost} {least}");
            prop_assert!(outcome.gap.is_finite());
        }
    }

    #[test]
    fn a_confirmed_strategy_is_a_plain_one_and_its_confirmations(sample in samples(9), seed: u64) {
        let mut dice = Dice(seed);
        let instance = sample.game(&mut dice);
        let tree = random_tree(&instance, &mut dice);
        prop_assert!(passes(&instance, &tree).is_ok());
        let single = |node: &&Node| matches!(node, Node::Ask { answers, .. } if answers.len() == 1);
        for object in instance.objects() {
            let path = path(&tree, &instance, object);
            let asks = |at: usize| match tree.node(path[at]) {
                Node::Ask { test, .. } => Some(*test),
                Node::Leaf { .. } => None,
            };
            // The last question, and no other, is the one that confirms; only it may have one answer.
            let confirming = instance.confirming(object);
            prop_assert_eq!(asks(path.len() - 2), confirming);
            prop_assert!((0..path.len() - 2).all(|at| asks(at) != confirming && !single(&tree.node(path[at]))));
        }
    }

    #[test]
    fn losses_add_up_with_confirmations(sample in samples(9), seed: u64) {
        let mut dice = Dice(seed);
        let instance = sample.game(&mut dice);
        let tree = random_tree(&instance, &mut dice);
        let losses = loss::expected(&tree, &instance);
        let total: f64 = losses.nodes.iter().map(|loss| loss.value).sum();
        let expected = Costs::of(&tree, &instance, Lambda::TWO).expected;
        prop_assert!((losses.bound + total - expected).abs() <= 1e-9 * expected, "{losses:?} {expected}");
        // A confirmation has its cost and tells nothing.
        for loss in &losses.nodes {
            let Node::Ask { test, answers } = tree.node(loss.node) else { panic!("only questions lose") };
            if let [(_, leaf)] = answers[..] {
                let Node::Leaf { objects } = tree.node(leaf) else { panic!("a confirmation is the last question") };
                let paid = instance.prior(objects[0]) * instance.cost(*test);
                prop_assert!((loss.value - paid).abs() <= 1e-12 * paid);
            }
        }
        for at in [1.0 + 1e-9, 1.3, 2.0, 50.0] {
            let losses = loss::exponential(&tree, &instance, lambda(at));
            let total: f64 = losses.nodes.iter().map(|loss| loss.value).sum();
            let (t, cost) = (lambda(at).ln(), Costs::of(&tree, &instance, lambda(at)).exponential);
            let wanted = -(-t * (cost - losses.bound)).exp_m1();
            prop_assert!((total - wanted).abs() <= 1e-9 * (t * cost).min(1.0), "λ = {at}: {total} {wanted}");
        }
    }

    #[test]
    fn combined_trees_confirm_and_keep_their_word(sample in samples(8), seed: u64) {
        let mut dice = Dice(seed);
        let instance = sample.game(&mut dice);
        let (d, f) = (random_tree(&instance, &mut dice), random_tree(&instance, &mut dice));
        let worst = pair(&instance, &f).1;
        let trees = cuts(&instance, &d, &f, &Limit::none()).unwrap();
        for tree in &trees {
            prop_assert!(passes(&instance, tree).is_ok());
        }
        let best: Vec<(f64, f64)> = trees.iter().map(|tree| pair(&instance, tree)).collect();
        prop_assert!(best.windows(2).all(|pair| pair[0].1 < pair[1].1 && pair[0].0 > pair[1].0), "{best:?}");
        for switch in switching_costs(&instance, &d) {
            let tree = combine(&instance, &d, &f, switch);
            prop_assert!(passes(&instance, &tree).is_ok());
            let combined = pair(&instance, &tree);
            prop_assert!(combined.1 <= (switch + worst) * (1.0 + 1e-9));
            let covers = |best: &(f64, f64)| {
                best.0 <= combined.0 * (1.0 + 1e-9) && best.1 <= combined.1 * (1.0 + 1e-9)
            };
            prop_assert!(best.iter().any(covers), "{best:?} {combined:?}");
        }
    }
}

#[test]
fn fronts_confirm() {
    let table = Singletons { objects: 6, seed: 3, ..Singletons::default() }.generate().unwrap();
    let instance = confirmed(table);
    let points = front(&instance, &Limit::none()).points;
    for point in &points {
        passes(&instance, &point.tree).unwrap();
    }
    // All objects must be asked for, in some order: the worst cost is that of all tests.
    let all: f64 = instance.test_ids().map(|test| instance.cost(test)).sum();
    assert!(close(points[0].costs.worst, all));
}

#[test]
fn one_test_an_object_is_asked_by_prior_over_cost() {
    let (weights, costs) = ([9.0, 1.0, 4.0, 0.0, 7.0, 7.0], [3.0, 0.5, 2.0, 1.0, 8.0, 1.0]);
    let table = Singletons {
        objects: 6,
        prior: Prior::Weights(weights.to_vec()),
        costs: Some(TestCosts::List(costs.to_vec())),
        seed: 0,
    };
    let instance = confirmed(table.generate().unwrap());
    let mut order: Vec<usize> = (0..6).collect();
    order.sort_by(|&i, &j| (weights[j] * costs[i]).total_cmp(&(weights[i] * costs[j])));
    let (mut spent, mut sum) = (0.0, 0.0);
    for object in order {
        spent += costs[object];
        sum += weights[object] * spent;
    }
    assert!(close(optimum(&instance, Objective::Expected), sum / weights.iter().sum::<f64>()));
    assert!(close(optimum(&instance, Objective::Worst), costs.iter().sum()));
}

#[test]
fn two_pegs_of_two_colors_by_hand() {
    // AB first: a hit, BA alone (0+2), or AA and BB (1+0). BA takes one guess more; AA one more, and BB two more.
    // 1 + 2 + 2 + 3 = 8 guesses for four codes. No strategy is better: one code takes one guess, and the answers
    // to a first guess that lead on are two at most, so two codes take two and the last takes three.
    let instance = confirmed(Mastermind { pegs: 2, colors: 2 }.generate().unwrap());
    assert!(close(optimum(&instance, Objective::Expected), 2.0));
    assert_eq!(optimum(&instance, Objective::Worst), 3.0);
    for objective in [Objective::Expected, Objective::Worst] {
        let outcome = build(&instance, &Goal::default().with_objective(objective), &Limit::none());
        assert_eq!(outcome.stop, StopReason::Proved);
        assert!(close(outcome.costs.get(objective), optimum(&instance, objective)));
    }
}

#[test]
fn one_object_is_asked_and_proved() {
    let instance = confirmed(Table::from_rows(&[&["code", "A"], &["A", "="]]));
    let outcome = build(&instance, &Goal::default(), &Limit::none());
    assert_eq!((outcome.costs.expected, outcome.costs.worst, outcome.gap), (1.0, 1.0, 0.0));
    assert_eq!(outcome.stop, StopReason::Proved);
    passes(&instance, &outcome.tree).unwrap();
}

/// Value of the bound `guesses`; 0 if it does not apply.
fn guesses(instance: &Instance, kind: ObjectiveKind) -> f64 {
    let all = bound::all(instance, Lambda::TWO);
    all.iter()
        .filter(|bound| bound.name == "guesses" && bound.kind == kind)
        .map(|bound| bound.value)
        .fold(0.0, f64::max)
}

#[test]
fn four_pegs_of_six_colors_take_almost_four_guesses() {
    // Thirteen answers lead on: 1 code in one guess, 13 in two, 169 in three and the other 1113 in four.
    let instance = confirmed(Mastermind::default().generate().unwrap());
    let mean = f64::from(1 + 13 * 2 + 169 * 3 + 1113 * 4) / 1296.0;
    assert!((guesses(&instance, ObjectiveKind::Expected) - mean).abs() < 1e-12);
    assert_eq!(guesses(&instance, ObjectiveKind::Worst), 4.0);
}

#[test]
fn one_test_an_object_leaves_no_choice_but_the_order() {
    let prior = Prior::Weights(vec![1.0, 5.0, 4.0]);
    let instance = confirmed(Singletons { objects: 3, prior, costs: None, seed: 0 }.generate().unwrap());
    assert!((guesses(&instance, ObjectiveKind::Expected) - (0.5 + 0.4 * 2.0 + 0.1 * 3.0)).abs() < 1e-12);
    assert_eq!(guesses(&instance, ObjectiveKind::Worst), 3.0);
    // Powers of 2: 0.5 · 2 + 0.4 · 4 + 0.1 · 8.
    assert!((guesses(&instance, ObjectiveKind::Exponential) - 3.4f64.log2()).abs() < 1e-12);
}

#[test]
fn the_own_test_must_be_paid() {
    let costs = Some(TestCosts::List(vec![2.0, 7.0]));
    let table = Singletons { objects: 2, prior: Prior::default(), costs, seed: 0 }.generate().unwrap();
    let instance = confirmed(table);
    // 2 and 7, and one of them after another of 2 at least: (2 + 9)/2 on average, 9 at worst when asked in order.
    assert!((guesses(&instance, ObjectiveKind::Expected) - 5.5).abs() < 1e-12);
    assert_eq!(guesses(&instance, ObjectiveKind::Worst), 7.0);
}

#[test]
fn one_object_is_asked_once_and_nothing_is_said_without_confirmation() {
    let table = || Singletons { objects: 1, ..Singletons::default() }.generate().unwrap();
    let instance = confirmed(table());
    let cost = instance.cost(fewest_model::TestId(0));
    assert_eq!(guesses(&instance, ObjectiveKind::Expected), cost);
    assert_eq!(guesses(&instance, ObjectiveKind::Worst), cost);
    let plain = Instance::new(table(), &Reading::default()).unwrap().0;
    assert_eq!(guesses(&plain, ObjectiveKind::Expected), 0.0);
}
