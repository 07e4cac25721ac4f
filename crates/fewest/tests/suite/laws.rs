//! Laws of every algorithm and every bound of the catalogues, on any table.

use crate::common::*;
use fewest::bound::{self, Bound};
use fewest::criterion::{self, CATALOGUE};
use fewest::{
    Candidates, Certificate, Costs, Goal, Greedy, Identify, Instance, Lambda, Limit, Node, OPTIMAL, ObjectId,
    Objective, Policy, StopReason, TestId, Tree, algorithms, build, check, find_algorithm, trials,
};
use proptest::prelude::*;

/// Whether two numbers are equal up to rounding.
fn same(left: f64, right: f64) -> bool {
    left == right || (left - right).abs() <= 1e-9 * left.abs().max(right.abs()) + 1e-13
}

/// Whether the same tests have the same benefits, up to rounding.
fn same_benefits(name: &str, left: &[Option<f64>], right: &[Option<f64>]) -> bool {
    // If information is divided by a tiny entropy, few digits are left.
    let agree =
        |left: f64, right: f64| same(left, right) || (name == "gain-ratio" && (left - right).abs() < 1e-3);
    let pairs = || left.iter().zip(right);
    left.len() == right.len()
        && pairs().all(|(left, right)| left.is_some() == right.is_some())
        && pairs().all(|(left, right)| agree(left.unwrap_or(0.0), right.unwrap_or(0.0)))
}

fn bounds(instance: &Instance, lambda: Lambda) -> Vec<f64> {
    bound::all(instance, lambda).iter().map(|bound| bound.value).collect()
}

/// Bounds that take the first of equal choices, so that the order of rows and columns may change them.
const ORDERED: [&str; 4] = ["separation", "peel", "cover", "certificate"];

/// Values of all other bounds.
fn orderless_bounds(instance: &Instance, lambda: Lambda) -> Vec<f64> {
    let bounds = bound::all(instance, lambda);
    bounds.iter().filter(|bound| !ORDERED.contains(&bound.name)).map(|bound| bound.value).collect()
}

/// Checks that a tree is a strategy by section 2 of the specification, object by object.
fn is_strategy(tree: &Tree, instance: &Instance) -> Result<(), TestCaseError> {
    for (node, objects) in tree.nodes().iter().zip(reaching(tree, instance)) {
        prop_assert!(!objects.is_empty(), "a node that no object reaches");
        let pure = objects.iter().all(|object| instance.group_of(*object) == instance.group_of(objects[0]));
        match node {
            Node::Leaf { objects: listed } => {
                prop_assert!(pure, "an impure leaf");
                prop_assert_eq!(listed.as_slice(), objects.as_slice());
            }
            Node::Ask { test, answers } => {
                prop_assert!(!pure, "a question where nothing is left to ask");
                let mut occurring: Vec<_> =
                    objects.iter().map(|object| instance.answer(*object, *test)).collect();
                occurring.sort();
                occurring.dedup();
                prop_assert!(occurring.len() >= 2, "a question with one answer");
                prop_assert_eq!(occurring, answers.iter().map(|(answer, _)| *answer).collect::<Vec<_>>());
            }
        }
    }
    Ok(())
}

/// Whether no choice in the tree was close: the scores of all other tests are clearly below the chosen one's.
fn is_unambiguous(instance: &Instance, way: Way) -> bool {
    let criterion = criterion(instance, way.0, way.1);
    let greedy = Greedy::new(instance, criterion.as_ref(), way.2);
    let mut waiting = vec![Candidates::all(instance)];
    while let Some(node) = waiting.pop() {
        let Some(chosen) = greedy.next(&node) else { continue };
        let score = |test: TestId, benefit: f64| if way.2 { benefit } else { benefit / instance.cost(test) };
        let benefits = greedy.benefits(&node);
        let scores =
            instance.test_ids().zip(&benefits).filter_map(|(test, benefit)| Some((test, (*benefit)?)));
        let scores: Vec<_> = scores.map(|(test, benefit)| (test, score(test, benefit))).collect();
        let best = scores.iter().map(|(_, score)| *score).fold(0.0, f64::max);
        if scores.iter().any(|(test, score)| *test != chosen && *score > best * (1.0 - 1e-6)) {
            return false;
        }
        waiting.extend(node.split(instance, chosen).into_iter().map(|(_, part)| part));
    }
    true
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn every_object_reaches_a_leaf_that_holds_it(sample in samples(10)) {
        let instance = sample.instance();
        for (name, lambda, blind) in all_ways() {
            let tree = grow(&instance, name, lambda, blind);
            is_strategy(&tree, &instance)?;
            let costs = Costs::of(&tree, &instance, lambda);
            let verdict = check(&instance, &tree, &Certificate { costs: Some(costs), bound: None });
            prop_assert!(verdict.is_ok(), "{name}: {}", verdict.unwrap_err());
        }
    }

    #[test]
    fn a_test_that_splits_nothing_never_wins(sample in samples(12), seed: u64) {
        let instance = sample.instance();
        for node in random_nodes(&instance, &mut Dice(seed)) {
            for way in ways() {
                let benefits = benefits(&instance, way, &node);
                for (test, benefit) in instance.test_ids().zip(&benefits) {
                    prop_assert_eq!(benefit.is_some(), node.split(&instance, test).len() >= 2);
                    let benefit = benefit.unwrap_or(0.0);
                    // Below the clamp only the benefit of separated pairs is left, a ratio of small whole numbers.
                    prop_assert!(benefit.is_finite() && (benefit == 0.0 || benefit >= 1e-12), "{way:?}: {benefit}");
                }
                let criterion = criterion(&instance, way.0, way.1);
                let chosen = Greedy::new(&instance, criterion.as_ref(), way.2).next(&node).unwrap();
                prop_assert!(benefits[chosen.index()].unwrap() > 0.0, "{way:?} chose {chosen:?} of {benefits:?}");
            }
        }
    }

    #[test]
    fn renaming_changes_nothing_but_names(sample in samples(10)) {
        let instance = sample.instance();
        let renamed = sample.instance_named(["zebra ", "is it ", "kind-", "!"]);
        for (name, lambda, blind) in all_ways() {
            let tree = grow(&instance, name, lambda, blind);
            prop_assert_eq!(&tree, &grow(&renamed, name, lambda, blind));
            prop_assert_eq!(Costs::of(&tree, &instance, lambda), Costs::of(&tree, &renamed, lambda));
            prop_assert_eq!(bounds(&instance, lambda), bounds(&renamed, lambda));
        }
    }

    #[test]
    fn the_order_of_rows_changes_no_number(sample in samples(10), seed: u64) {
        let mut dice = Dice(seed);
        let mut order: Vec<usize> = (0..sample.answers.len()).collect();
        (1..order.len()).for_each(|at| order.swap(at, dice.roll(at + 1)));
        let shuffled = Sample {
            answers: order.iter().map(|&at| sample.answers[at].clone()).collect(),
            groups: sample.groups.as_ref().map(|groups| order.iter().map(|&at| groups[at]).collect()),
            priors: sample.priors.as_ref().map(|priors| order.iter().map(|&at| priors[at]).collect()),
            costs: sample.costs.clone(),
        };
        let (instance, shuffled) = (sample.instance(), shuffled.instance());
        prop_assert_eq!(instance.distinct_count(), shuffled.distinct_count());
        prop_assert_eq!(instance.group_count(), shuffled.group_count());
        // Which of two equally large parts is the first depends on the rows, and asr's score on that part's weight.
        for way in ways().into_iter().filter(|way| way.0 != "asr") {
            let (name, lambda, blind) = way;
            let [left, right] = [&instance, &shuffled].map(|table| benefits(table, way, &Candidates::all(table)));
            prop_assert!(same_benefits(name, &left, &right), "{way:?}: {left:?} {right:?}");
            prop_assert!(orderless_bounds(&instance, lambda).into_iter().zip(orderless_bounds(&shuffled, lambda)).all(|(l, r)| same(l, r)));
            if is_unambiguous(&instance, way) && is_unambiguous(&shuffled, way) {
                let costs = |table| Costs::of(&grow(table, name, lambda, blind), table, lambda);
                let (left, right) = (costs(&instance), costs(&shuffled));
                prop_assert!(same(left.expected, right.expected) && same(left.worst, right.worst));
                prop_assert!(same(left.exponential, right.exponential), "{left:?} {right:?}");
            }
        }
    }

    #[test]
    fn the_order_of_tests_changes_no_benefit(sample in samples(10)) {
        let mut turned = sample.clone();
        turned.answers.iter_mut().for_each(|row| row.reverse());
        turned.costs.iter_mut().for_each(|costs| costs.reverse());
        let (instance, turned) = (sample.instance(), turned.instance());
        for way in ways() {
            let mut back = benefits(&turned, way, &Candidates::all(&turned));
            back.reverse();
            prop_assert_eq!(benefits(&instance, way, &Candidates::all(&instance)), back);
            prop_assert_eq!(orderless_bounds(&instance, way.1), orderless_bounds(&turned, way.1));
        }
    }

    #[test]
    fn only_the_ratio_of_priors_matters(
        sample in samples(10),
        factor in prop_oneof![Just(3.0), Just(0.01), 1e-9..1e9f64],
    ) {
        let priors = sample.priors.clone().unwrap_or(vec![1.0; sample.answers.len()]);
        let priors = priors.into_iter().map(|prior| prior * factor).collect();
        let (instance, scaled) = (sample.instance(), Sample { priors: Some(priors), ..sample }.instance());
        for way in ways() {
            let (name, lambda, blind) = way;
            let [left, right] = [&instance, &scaled].map(|table| benefits(table, way, &Candidates::all(table)));
            prop_assert!(same_benefits(name, &left, &right), "{way:?}: {left:?} {right:?}");
            prop_assert!(bounds(&instance, lambda).into_iter().zip(bounds(&scaled, lambda)).all(|(l, r)| same(l, r)));
            if is_unambiguous(&instance, way) {
                prop_assert_eq!(grow(&instance, name, lambda, blind), grow(&scaled, name, lambda, blind));
            }
        }
    }

    #[test]
    fn doubled_costs_double_the_costs(sample in samples(10)) {
        let costs = sample.costs.clone().unwrap_or(vec![1.0; sample.answers[0].len()]);
        let double = Sample { costs: Some(costs.iter().map(|cost| 2.0 * cost).collect()), ..sample.clone() }.instance();
        let instance = sample.instance();
        for (name, lambda, blind) in all_ways() {
            let tree = grow(&instance, name, lambda, blind);
            prop_assert_eq!(&tree, &grow(&double, name, lambda, blind));
            let [once, twice] = [&instance, &double].map(|table| Costs::of(&tree, table, lambda));
            prop_assert!(same(2.0 * once.expected, twice.expected) && same(2.0 * once.worst, twice.worst));
            // λ per unit of the doubled costs is λ² per unit of the old ones.
            let squared = crate::common::lambda(lambda.value() * lambda.value());
            let power = Costs::of(&tree, &instance, squared).exponential;
            let exact = lambda.value() == 1.0 || lambda.value() > 1.1;
            prop_assert!(!exact || same(2.0 * power, twice.exponential), "λ = {lambda:?}: {power} {twice:?}");
            let pairs = bound::all(&instance, squared).into_iter().zip(bounds(&double, lambda));
            for (once, twice) in pairs {
                prop_assert!(!exact || same(2.0 * once.value, twice), "{once:?} {twice}");
            }
        }
    }
}

fn dominates(bounds: &[Bound], better: &str, worse: &str) -> bool {
    let value = |name| bounds.iter().find(|bound| bound.name == name).unwrap().value;
    value(better) >= value(worse) * (1.0 - 1e-12)
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn no_tree_beats_a_bound(sample in samples(12), seed: u64) {
        let instance = sample.instance();
        let grown = |(name, at, blind): Way| grow(&instance, name, at, blind);
        let mut trees: Vec<Tree> = all_ways().into_iter().map(grown).collect();
        trees.extend((0..4).map(|roll| random_tree(&instance, &mut Dice(seed ^ roll))));
        for value in LAMBDAS {
            let bounds = bound::all(&instance, lambda(value));
            for bound in &bounds {
                prop_assert!(bound.value.is_finite() && bound.value >= 0.0, "{bound:?}");
                for tree in &trees {
                    let cost = cost_of(bound, &Costs::of(tree, &instance, lambda(value)));
                    prop_assert!(bound.value <= cost * (1.0 + 1e-9), "λ = {value}: {bound:?} above {cost}");
                }
            }
            if instance.has_equal_costs() {
                prop_assert!(dominates(&bounds, "huffman", "shannon"), "{bounds:?}");
                prop_assert!(dominates(&bounds, "exponential-huffman", "renyi"), "λ = {value}: {bounds:?}");
                prop_assert!(dominates(&bounds, "depth", "hartley"), "{bounds:?}");
            }
        }
    }

    #[test]
    fn exponential_cost_rises_with_lambda_from_expected_to_worst(sample in samples(12), seed: u64) {
        let instance = sample.instance();
        let tree = random_tree(&instance, &mut Dice(seed));
        let at = |value: f64| Costs::of(&tree, &instance, lambda(value));
        let plain = at(1.0);
        prop_assert_eq!((plain.exponential, at(f64::INFINITY).exponential), (plain.expected, plain.worst));
        let mut last = plain.expected;
        for value in [1.0 + 1e-15, 1.0 + 1e-9, 1.0 + 1e-6, 1.01, 1.3, 1.5, 2.0, 7.0, 50.0, 1e4, 1e9, 1e100, 1e300] {
            let costs = at(value);
            prop_assert_eq!((costs.expected, costs.worst), (plain.expected, plain.worst));
            prop_assert!(costs.exponential >= last * (1.0 - 1e-13), "λ = {value}: {costs:?} below {last}");
            prop_assert!(costs.exponential <= costs.worst);
            last = costs.exponential;
        }
    }

    #[test]
    fn exponential_cost_agrees_with_its_definition(sample in samples(12), seed: u64, log in -9.0..9.0f64) {
        let instance = sample.instance();
        let tree = random_tree(&instance, &mut Dice(seed));
        let spent = spent(&tree, &instance);
        let pair = |object: ObjectId| (instance.prior(object), spent[object.index()]);
        let pairs: Vec<(f64, f64)> = instance.objects().map(pair).collect();
        let value = 1.0 + 10f64.powf(log);
        let found = Costs::of(&tree, &instance, lambda(value)).exponential;
        let most = spent.iter().copied().fold(0.0, f64::max);
        if value > 1.1 && most * value.ln() < 700.0 {
            let sum: f64 = pairs.iter().map(|(p, cost)| p * value.powf(*cost)).sum();
            prop_assert!((found - sum.ln() / value.ln()).abs() <= 1e-9 * found + 1e-14 / value.ln(), "λ = {value}");
        }
        let t = (value - 1.0).ln_1p();
        if most * t < 1e-2 {
            // L = μ₁ + t κ₂/2 + t² κ₃/6 + …, the cumulants of the cost; the rest is below (t·most)³ most.
            let mean: f64 = pairs.iter().map(|(p, cost)| p * cost).sum();
            let central = |power| pairs.iter().map(|(p, cost)| p * (cost - mean).powi(power)).sum::<f64>();
            let series = mean + t * central(2) / 2.0 + t * t * central(3) / 6.0;
            let slack = (t * most).powi(3) * most + 1e-12 * mean;
            prop_assert!((found - series).abs() <= slack, "λ = {value}: {found} {series}");
        }
    }

    #[test]
    fn the_limits_of_lambda_are_the_plain_rules(sample in samples(12), seed: u64) {
        let instance = sample.instance();
        let binary = instance.test_ids().all(|test| instance.test(test).arity() <= 2);
        let (one, inf) = (lambda(1.0), Lambda::INFINITY);
        for node in random_nodes(&instance, &mut Dice(seed)) {
            let of = |name, lambda| benefits(&instance, (name, lambda, true), &node);
            prop_assert_eq!(of("lambda-gbs", one), of("gbs", one));
            prop_assert_eq!(of("lambda-ggbs", one), of("ggbs", one));
            let near = lambda(1.0 + 1e-12);
            prop_assert!(same_near(&of("lambda-gbs", near), &of("gbs", one)));
            prop_assert!(same_near(&of("lambda-ggbs", near), &of("ggbs", one)));
            if instance.identify() == Identify::Objects {
                prop_assert_eq!(of("ggbs", one), of("gbs", one));
                for value in LAMBDAS {
                    prop_assert_eq!(of("lambda-ggbs", lambda(value)), of("lambda-gbs", lambda(value)));
                }
            }
        }
        if binary {
            prop_assert_eq!(grow(&instance, "lambda-gbs", inf, true), grow(&instance, "gbs-uniform", inf, true));
        }
    }

    #[test]
    fn gain_ratio_without_groups_asks_the_first_test_that_says_anything(sample in samples(12), seed: u64) {
        let instance = Sample { groups: None, ..sample }.instance();
        let criterion = criterion(&instance, "gain-ratio", Lambda::TWO);
        let greedy = Greedy::new(&instance, criterion.as_ref(), true);
        for node in random_nodes(&instance, &mut Dice(seed)) {
            // Uncertainty of each test: 1 minus the largest share of an answer.
            let doubt = |test| {
                let mut parts: Vec<f64> = node.split(&instance, test).iter().map(|(_, part)| part.weight()).collect();
                parts.sort_by(f64::total_cmp);
                parts.pop();
                parts.iter().sum::<f64>() / node.weight()
            };
            let first = instance.test_ids().find(|test| doubt(*test) > 0.0);
            // So small an uncertainty is below the clamp or near it.
            if let Some(first) = first.filter(|first| doubt(*first) > 1e-11) {
                prop_assert_eq!(greedy.next(&node), Some(first), "{:?}", greedy.benefits(&node));
            }
        }
    }

    #[test]
    fn the_best_of_all_is_no_worse_than_any(
        sample in samples(8),
        value in prop::sample::select(&LAMBDAS[..]),
        blind: bool,
    ) {
        let instance = sample.instance();
        for objective in objectives(lambda(value)) {
            let goal = Goal::default().with_objective(objective).with_lambda(lambda(value)).with_cost_blind(blind);
            let outcome = build(&instance, &goal, &Limit::none());
            let cost = outcome.costs.get(objective);
            prop_assert_eq!(outcome.costs, Costs::of(&outcome.tree, &instance, lambda(value)));
            is_strategy(&outcome.tree, &instance)?;
            for trial in trials(&instance, &goal, &Limit::none()) {
                prop_assert!(cost <= trial.costs.get(objective) * (1.0 + 1e-9), "{} is better", trial.origin.name());
            }
            for algorithm in algorithms() {
                let single = build(&instance, &goal.with_algorithm(Some(algorithm)), &Limit::none());
                let can_be_blind = criterion::find(algorithm.name).is_some();
                prop_assert_eq!((single.origin.name(), single.cost_blind), (algorithm.name, blind && can_be_blind));
                prop_assert!(cost <= single.costs.get(objective) * (1.0 + 1e-9), "{} is better", algorithm.name);
            }
            let own = find_algorithm(outcome.origin.name()).unwrap();
            prop_assert_eq!(outcome.lambda.is_some(), own.uses_lambda);
            if own.name != OPTIMAL.name {
                let at = outcome.lambda.unwrap_or(lambda(value));
                let again = grow(&instance, own.name, at, outcome.cost_blind);
                prop_assert_eq!(again, outcome.tree);
            }
            prop_assert_eq!(outcome.optimal, outcome.stop == StopReason::Proved);
            prop_assert!(outcome.gap.is_finite() && outcome.gap >= 0.0 && (outcome.gap == 0.0) == outcome.optimal);
            prop_assert!(same(outcome.bound.value * (1.0 + outcome.gap), cost));
            let precise = value == 1.0 || value > 1.1 || !matches!(objective, Objective::Exponential(_));
            if precise {
                let least = optimum(&instance, objective);
                prop_assert!(outcome.bound.value <= least * (1.0 + 1e-9) + 1e-13, "{:?} above {least}", outcome.bound);
                prop_assert!(!outcome.optimal || same(cost, least), "{cost} is not the least, {least}");
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn numbers_at_the_ends_of_their_range_break_nothing(
        mut sample in samples(8),
        logs in prop::collection::vec((-323.0..308.0f64, -323.0..300.0f64), 8),
        seed: u64,
    ) {
        let (priors, costs): (Vec<f64>, Vec<f64>) =
            logs.into_iter().map(|(prior, cost)| (10f64.powf(prior), 10f64.powf(cost))).unzip();
        sample.priors = Some(priors[..sample.answers.len()].to_vec());
        sample.costs = (seed % 2 == 0).then(|| costs[..sample.answers[0].len()].to_vec());
        let instance = sample.instance();
        let nodes = random_nodes(&instance, &mut Dice(seed));
        for way in ways() {
            let (name, lambda, blind) = way;
            for node in &nodes {
                let benefits = benefits(&instance, way, node);
                let sound = benefits.iter().flatten().all(|benefit| benefit.is_finite() && *benefit >= 0.0);
                prop_assert!(sound, "{way:?}: {benefits:?}");
            }
            let tree = grow(&instance, name, lambda, blind);
            is_strategy(&tree, &instance)?;
            let costs = Costs::of(&tree, &instance, lambda);
            let rising = [costs.expected, costs.exponential, costs.worst];
            prop_assert!(rising.iter().all(|cost| cost.is_finite()), "{costs:?}");
            prop_assert!(rising.windows(2).all(|pair| pair[0] <= pair[1] * (1.0 + 1e-9)), "{costs:?}");
            for bound in bound::all(&instance, lambda) {
                // Below the smallest normal number, only the order of magnitude is left.
                let most = cost_of(&bound, &costs) * (1.0 + 1e-9) + f64::MIN_POSITIVE;
                prop_assert!((0.0..=most).contains(&bound.value), "{bound:?} above {costs:?}");
            }
        }
        for objective in objectives(Lambda::TWO) {
            let outcome = build(&instance, &Goal::default().with_objective(objective), &Limit::none());
            prop_assert!(outcome.gap >= 0.0 && outcome.bound.value.is_finite(), "{:?} {}", outcome.bound, outcome.gap);
        }
    }
}

/// Whether benefits are equal up to a λ that is not quite 1.
fn same_near(left: &[Option<f64>], right: &[Option<f64>]) -> bool {
    let near = |pair: (&Option<f64>, &Option<f64>)| match pair {
        (Some(left), Some(right)) => (left - right).abs() < 1e-9,
        (left, right) => left == right,
    };
    left.iter().zip(right).all(near)
}

fn cost_of(bound: &Bound, costs: &Costs) -> f64 {
    match bound.kind {
        bound::ObjectiveKind::Expected => costs.expected,
        bound::ObjectiveKind::Worst => costs.worst,
        bound::ObjectiveKind::Exponential => costs.exponential,
    }
}

#[test]
fn every_law_speaks_of_the_whole_catalogue() {
    assert_eq!(ways().len(), 2 * (7 + 2 * LAMBDAS.len()));
    assert!(algorithms().iter().all(|algorithm| all_ways().iter().any(|way| way.0 == algorithm.name)));
    assert!(CATALOGUE.iter().all(|entry| ways().iter().any(|way| way.0 == entry.name)));
}
