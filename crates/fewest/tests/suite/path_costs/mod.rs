//! Costs that depend on the path: set-ups that tests share, and costs by answer. Everything is compared with the
//! definition: what each object pays on its own path, and the best of all trees.

mod made;
mod slow;

use crate::common::{lambda, write};
use fewest::bound::{self, ObjectiveKind};
use fewest::builder::unfold;
use fewest::exact::{Switches, Task, solve};
use fewest::{
    AnswerId, Cap, Certificate, Costs, Goal, Greedy, Instance, Lambda, Limit, Node, NodeId, ObjectId,
    Objective, OpenBundles, Proof, Reason, TestId, algorithms, build, check, compare, trials,
};
use fewest_check::check_bound;
use made::{Dice, Prices, random};
use slow::{optimum, slow_costs};

fn near(left: f64, right: f64) -> bool {
    left == right || (left - right).abs() <= 1e-9 * (1.0 + right.abs())
}

const OBJECTIVES: [Objective; 3] =
    [Objective::Expected, Objective::Worst, Objective::Exponential(Lambda::TWO)];

#[test]
fn the_search_finds_the_best_of_all_trees_and_proves_it() {
    for seed in 0..1500 {
        let (instance, prices) = random(&mut Dice(seed), false);
        for objective in OBJECTIVES.into_iter().chain([Objective::Exponential(lambda(1.01))]) {
            let least = optimum(&instance, &prices, objective, f64::INFINITY);
            let goal = Goal::default().with_objective(objective).with_proof(true);
            let outcome = build(&instance, &goal, &Limit::none());
            let cost = outcome.costs.get(objective);
            assert!(near(cost, least), "{seed} {objective:?}: {cost} for {least}");
            assert!(outcome.optimal, "{seed} {objective:?}");
            let certificate = Certificate { costs: Some(outcome.costs), bound: outcome.proof.clone() };
            let verified = check(&instance, &outcome.tree, &certificate)
                .unwrap_or_else(|error| panic!("{seed} {objective:?}: {error}"));
            if let Some(proof) = outcome.proof {
                let bound = verified.bound.unwrap().value;
                assert!(bound <= cost * (1.0 + 1e-9) && near(bound, cost), "{seed} {objective:?}: {bound}");
                let more = Proof { value: proof.value * 1.01 + 0.01, ..proof.clone() };
                assert!(check_bound(&instance, &more).is_err(), "{seed}: more is claimed than proved");
            }
        }
    }
}

#[test]
fn without_memory_a_bound_by_plain_costs_is_proved() {
    let mut fallen_back = 0;
    for seed in 0..400 {
        let (instance, prices) = random(&mut Dice(seed), false);
        for objective in OBJECTIVES {
            let task = Task {
                instance: &instance,
                objective,
                cap: f64::INFINITY,
                trees: Vec::new(),
                deadline: None,
                memory: 100,
                threads: 1,
                switches: Switches::ALL,
                proof: true,
            };
            let solution = solve(&task, |_| true);
            let least = optimum(&instance, &prices, objective, f64::INFINITY);
            assert!(
                solution.bound <= least + 1e-9 * (1.0 + least),
                "{seed} {objective:?}: {}",
                solution.bound
            );
            fallen_back += usize::from(!solution.complete);
            if let Some(proof) = solution.proof {
                let shown = check_bound(&instance, &proof).unwrap_or_else(|error| panic!("{seed}: {error}"));
                assert!(shown.value <= least + 1e-9 * (1.0 + least));
            }
        }
    }
    assert!(fallen_back > 300, "{fallen_back} searches fell back");
}

/// Alters one claim of a proof.
fn altered(proof: &Proof, dice: &mut Dice, tests: usize) -> Proof {
    let mut lie = proof.clone();
    let at = dice.roll(lie.claims.len());
    let kind = dice.roll(6);
    let claim = &mut lie.claims[at];
    match kind {
        0 => claim.value = claim.value * 1.5 + 1.0,
        1 => claim.open = Some(OpenBundles::default()),
        2 => claim.open = Some([0, 1].into_iter().collect()),
        3 => claim.reason = Reason::Parts(TestId::at(dice.roll(tests))),
        4 => claim.objects[0] ^= 1 << dice.roll(6),
        _ => claim.open = None,
    }
    lie
}

#[test]
fn an_altered_proof_never_shows_more_than_is_true() {
    let mut altered_proofs = 0;
    for seed in 0..400 {
        let (instance, prices) = random(&mut Dice(seed), false);
        for objective in OBJECTIVES {
            let goal = Goal::default().with_objective(objective).with_proof(true);
            let Some(proof) = build(&instance, &goal, &Limit::none()).proof else { continue };
            let least = optimum(&instance, &prices, objective, f64::INFINITY);
            let dice = &mut Dice(seed);
            for _ in 0..if proof.claims.is_empty() { 0 } else { 12 } {
                let lie =
                    Proof { value: least * 1.001 + 1e-6, ..altered(&proof, dice, instance.test_count()) };
                assert!(check_bound(&instance, &lie).is_err(), "{seed} {objective:?}: {lie:?}");
                altered_proofs += 1;
            }
        }
    }
    assert!(altered_proofs > 5000, "{altered_proofs} proofs were altered");
}

#[test]
fn claims_of_open_bundles_need_a_table_with_bundles() {
    let plain = fewest::InstanceBuilder::new(["a", "b"]).test("t", [1, 2]).build().unwrap().0;
    let claim = fewest::Claim {
        objects: vec![3],
        budget: f64::INFINITY,
        value: 1.0,
        reason: Reason::EveryTest,
        open: Some(OpenBundles::default()),
    };
    let (objective, cap) = (Objective::Expected, f64::INFINITY);
    let proof = Proof { objective, cap, value: 0.5, prices: Vec::new(), claims: vec![claim.clone()] };
    let error = check_bound(&plain, &proof).unwrap_err().to_string();
    assert!(error.contains("no cost of the table depends on the path"), "{error}");
    let path = fewest::Claim { reason: Reason::MajorityPath, objects: vec![0b1111], ..claim };
    let error = check_bound(&blood(), &Proof { claims: vec![path], ..proof }).unwrap_err().to_string();
    assert!(error.contains("majority path"), "{error}");
}

#[test]
fn a_limit_on_the_worst_cost_holds() {
    for seed in 0..600 {
        let (instance, prices) = random(&mut Dice(seed), false);
        let worst = optimum(&instance, &prices, Objective::Worst, f64::INFINITY);
        for cap in [worst, worst + 1.0, worst + 2.5] {
            let least = optimum(&instance, &prices, Objective::Expected, cap);
            let task = Task {
                instance: &instance,
                objective: Objective::Expected,
                cap,
                trees: Vec::new(),
                deadline: None,
                memory: 1 << 26,
                threads: 1,
                switches: Switches::ALL,
                proof: true,
            };
            let solution = solve(&task, |_| true);
            let costs = Costs::of(&solution.tree.unwrap(), &instance, Lambda::TWO);
            assert!(solution.complete && near(costs.expected, least), "{seed}: {costs:?} for {least}");
            assert!(costs.worst <= cap + 1e-9);
            if let Some(proof) = solution.proof {
                check_bound(&instance, &proof).unwrap_or_else(|error| panic!("{seed} {cap}: {error}"));
            }
        }
        if worst > 0.0 {
            let goal = Goal::default().with_cap(Cap::At(worst * 0.9));
            assert!(build(&instance, &goal, &Limit::none()).costs.worst >= worst - 1e-9);
        }
    }
}

#[test]
fn every_tree_costs_what_its_objects_pay() {
    for seed in 0..400 {
        let (instance, prices) = random(&mut Dice(seed), false);
        for trial in trials(&instance, &Goal::default(), &Limit::none()) {
            let [expected, worst, exponential] = slow_costs(&trial.tree, &instance, &prices, 2.0);
            let costs = trial.costs;
            let name = trial.origin.name();
            assert!(near(costs.expected, expected), "{seed} {name}: {costs:?} for {expected}");
            assert!(
                near(costs.worst, worst) && near(costs.exponential, exponential),
                "{seed} {name}: {costs:?}"
            );
            let claims = |costs| Certificate { costs: Some(costs), bound: None };
            check(&instance, &trial.tree, &claims(costs)).unwrap();
            let lie = Costs { expected: costs.expected + 0.01, ..costs };
            assert!(check(&instance, &trial.tree, &claims(lie)).is_err());
        }
    }
}

#[test]
fn no_bound_is_above_the_best_of_all_trees() {
    for seed in 0..1500 {
        let (instance, prices) = random(&mut Dice(seed), false);
        let least = OBJECTIVES.map(|objective| optimum(&instance, &prices, objective, f64::INFINITY));
        for bound in bound::all(&instance, Lambda::TWO) {
            let least = match bound.kind {
                ObjectiveKind::Expected => least[0],
                ObjectiveKind::Worst => least[1],
                ObjectiveKind::Exponential => least[2],
            };
            assert!(
                bound.value <= least + 1e-9 * (1.0 + least),
                "{seed} {}: {} > {least}",
                bound.name,
                bound.value
            );
        }
        for (objective, least) in OBJECTIVES.into_iter().zip(least) {
            let own = fewest_check::own_bound(&instance, objective);
            assert!(own <= least + 1e-9 * (1.0 + least), "{seed} {objective:?}: {own} > {least}");
        }
    }
}

/// Question that the rule asks by the definition: the first test that costs nothing and splits, or of the best
/// benefits per cost the first.
fn slow_choice(
    greedy: &Greedy<'_>,
    candidates: &fewest::Candidates,
    instance: &Instance,
    prices: &Prices,
    open: &[usize],
) -> TestId {
    let benefits = greedy.benefits(candidates);
    let weightless = candidates.weight() == 0.0;
    let weight = |object: &ObjectId| if weightless { 1.0 } else { instance.weight(*object) };
    let total: f64 = candidates.objects().iter().map(weight).sum();
    let pay = |test: TestId| {
        let step = move |object: &ObjectId| prices.step(instance, test, instance.answer(*object, test), open);
        candidates.objects().iter().map(move |object| (weight(object) / total, step(object)))
    };
    let splitting = || instance.test_ids().filter(|test| benefits[test.index()].is_some());
    if let Some(free) = splitting().find(|test| pay(*test).all(|(_, step)| step == 0.0)) {
        return free;
    }
    let score = |test: TestId| {
        let mean: f64 = pay(test).map(|(share, step)| share * step).sum();
        match benefits[test.index()].unwrap() {
            0.0 => 0.0,
            _ if mean == 0.0 => f64::MAX,
            benefit => benefit / mean,
        }
    };
    let best = splitting().map(score).fold(0.0, f64::max);
    splitting().find(|test| score(*test) >= best * (1.0 - 1e-9)).unwrap()
}

#[test]
fn greedy_trees_follow_the_definition_at_every_node() {
    for seed in 0..400 {
        let (instance, prices) = random(&mut Dice(seed), false);
        for entry in fewest::criterion::CATALOGUE {
            let settings = fewest::criterion::Settings { lambda: Lambda::TWO, identify: instance.identify() };
            let criterion = (entry.make)(settings);
            let greedy = Greedy::new(&instance, criterion.as_ref(), false);
            let tree = unfold(&instance, &greedy, &Limit::none()).unwrap();
            let mut waiting = vec![(tree.root(), fewest::Candidates::all(&instance), Vec::new())];
            while let Some((node, candidates, open)) = waiting.pop() {
                let Node::Ask { test, answers } = tree.node(node) else { continue };
                let expected = slow_choice(&greedy, &candidates, &instance, &prices, &open);
                assert_eq!(*test, expected, "{seed} {} {}", entry.name, write(&tree, &instance));
                let child = |answer: AnswerId| answers.iter().find(|(own, _)| *own == answer).unwrap().1;
                for (answer, part) in candidates.split(&instance, *test) {
                    waiting.push((child(answer), part, prices.after(*test, &open)));
                }
            }
        }
    }
}

#[test]
fn open_cells_pay_by_path_as_well() {
    for seed in 0..300 {
        let (instance, prices) = random(&mut Dice(seed), true);
        if !instance.has_several() {
            continue;
        }
        let (trials, outcome) = compare(&instance, &Goal::default(), &Limit::none(), |_| ());
        for trial in trials {
            let (mut expected, mut worst) = (0.0, 0.0f64);
            let mut waiting = vec![(trial.tree.root(), fewest::Shares::all(&instance), Vec::new())];
            while let Some((node, shares, asked)) = waiting.pop() {
                let Node::Ask { test, answers } = trial.tree.node(node) else {
                    let paid = prices.path(&instance, &asked);
                    expected += shares.weight() / instance.total_weight() * paid;
                    worst = worst.max(paid);
                    continue;
                };
                for (answer, part) in shares.split(&instance, *test) {
                    let child: NodeId = answers.iter().find(|(own, _)| *own == answer).unwrap().1;
                    let mut asked: Vec<(TestId, AnswerId)> = asked.clone();
                    asked.push((*test, answer));
                    waiting.push((child, part, asked));
                }
            }
            let costs = trial.costs;
            assert!(
                near(costs.expected, expected) && near(costs.worst, worst),
                "{seed}: {costs:?} for {expected} {worst}"
            );
            let certificate = Certificate { costs: Some(costs), bound: None };
            check(&instance, &trial.tree, &certificate).unwrap();
            assert!(outcome.bound.value <= costs.expected * (1.0 + 1e-9));
            let own = fewest_check::bound_of_coarse_groups(&instance, Objective::Expected, None);
            assert!(own <= costs.expected * (1.0 + 1e-9) + 1e-12, "{seed}: {own}");
        }
    }
}

#[test]
fn a_front_has_no_point_below_the_best_tree_under_its_cap() {
    for seed in 0..150 {
        let (instance, prices) = random(&mut Dice(seed), false);
        let front = fewest::front::front(&instance, &Limit::none());
        for point in &front.points {
            let [expected, worst, _] = slow_costs(&point.tree, &instance, &prices, 2.0);
            assert!(near(point.costs.expected, expected) && near(point.costs.worst, worst), "{seed}");
            let least = optimum(&instance, &prices, Objective::Expected, point.costs.worst);
            assert!(
                near(point.costs.expected, least),
                "{seed}: {} for {least} within {worst}",
                point.costs.expected
            );
            assert!(point.proved && point.bound <= least + 1e-9, "{seed}");
        }
        let ends =
            [Objective::Worst, Objective::Expected].map(|o| optimum(&instance, &prices, o, f64::INFINITY));
        assert!(near(front.points[0].costs.worst, ends[0]), "{seed}");
        assert!(near(front.points.last().unwrap().costs.expected, ends[1]), "{seed}");
    }
}

#[test]
fn losses_add_up_to_the_gap() {
    for seed in 0..200 {
        let (instance, _) = random(&mut Dice(seed), false);
        if instance.group_count() < 2 {
            continue;
        }
        for trial in trials(&instance, &Goal::default(), &Limit::none()) {
            let losses = fewest::loss::expected(&trial.tree, &instance);
            let sum: f64 = losses.nodes.iter().map(|loss| loss.value).sum();
            assert!(near(losses.bound + sum, trial.costs.expected), "{seed} {}", trial.origin.name());
            let losses = fewest::loss::exponential(&trial.tree, &instance, Lambda::TWO);
            let sum: f64 = losses.nodes.iter().map(|loss| loss.value).sum();
            let gap = 1.0 - 2f64.powf(losses.bound - trial.costs.exponential);
            assert!((sum - gap).abs() < 1e-8, "{seed} {}: {sum} for {gap}", trial.origin.name());
        }
    }
}

/// Three blood tests with one draw, and a question: worked out by hand.
///
/// The draw costs 5, `iron` and `sugar` 1 each, `pain` 4. Objects a, b, c, d; `iron` and `sugar` tell all four apart.
fn blood() -> Instance {
    fewest::InstanceBuilder::new(["a", "b", "c", "d"])
        .test("iron", ["low", "low", "high", "high"])
        .test("sugar", ["low", "high", "low", "high"])
        .test("pain", ["yes", "yes", "no", "no"])
        .cost("pain", 4.0)
        .bundle("blood", 5.0, ["iron", "sugar"])
        .build()
        .unwrap()
        .0
}

#[test]
fn blood_is_drawn_once() {
    let instance = blood();
    let outcome = build(&instance, &Goal::default(), &Limit::none());
    // 5 for the draw and 1 for each of the two tests; with `pain`, 4 + 5 + 1.
    assert_eq!((outcome.costs.expected, outcome.costs.worst), (7.0, 7.0));
    assert!(outcome.optimal && outcome.costs.exponential == 7.0);
    // At the root `pain` is cheaper (4 for the same bit, not 6); then `sugar` costs 6.
    let ggbs =
        trials(&instance, &Goal::default().with_algorithm(fewest::find_algorithm("ggbs")), &Limit::none());
    assert_eq!(
        write(&ggbs[0].tree, &instance),
        "pain(yes:sugar(low:{a} high:{b}) no:sugar(low:{c} high:{d}))"
    );
    assert_eq!(ggbs[0].costs.expected, 10.0);
    // Plain costs: 1 + 5/2 for each of the two.
    assert_eq!([0, 1, 2].map(|test| instance.cost(TestId(test))), [3.5, 3.5, 4.0]);
    let pricing = instance.pricing().unwrap();
    let open: OpenBundles = [0].into_iter().collect();
    let cost = |test, open: &OpenBundles| instance.cost_here(TestId(test), open, |_| 1.0);
    assert_eq!((cost(0, &OpenBundles::default()), cost(0, &open), cost(2, &open)), (6.0, 1.0, 4.0));
    assert_eq!(pricing.bundles()[0].tests, [TestId(0), TestId(1)]);
}

#[test]
fn an_answer_pays_its_own_cost() {
    // A biopsy costs 1 if it is negative and 9 if it is positive, because of what follows; a scan always costs 4.
    let instance = fewest::InstanceBuilder::new(["ill", "well"])
        .test("biopsy", ["positive", "negative"])
        .test("scan", ["seen", "clear"])
        .prior([0.25, 0.75])
        .answer_cost("biopsy", "positive", 9.0)
        .answer_cost("biopsy", "negative", 1.0)
        .cost("scan", 4.0)
        .build()
        .unwrap()
        .0;
    let best = |objective| {
        let outcome = build(&instance, &Goal::default().with_objective(objective), &Limit::none());
        assert!(outcome.optimal);
        (write(&outcome.tree, &instance), outcome.costs)
    };
    // On average 0.25 · 9 + 0.75 · 1 = 3, at worst 9; the scan costs 4 either way.
    let (tree, costs) = best(Objective::Expected);
    assert_eq!(
        (tree.as_str(), costs.expected, costs.worst),
        ("biopsy(positive:{ill} negative:{well})", 3.0, 9.0)
    );
    let (tree, costs) = best(Objective::Worst);
    assert_eq!((tree.as_str(), costs.expected, costs.worst), ("scan(seen:{ill} clear:{well})", 4.0, 4.0));
    // log₂(0.25 · 2⁹ + 0.75 · 2¹) = log₂ 129.5 is above 4.
    let (tree, costs) = best(Objective::Exponential(Lambda::TWO));
    assert_eq!((tree.as_str(), costs.exponential), ("scan(seen:{ill} clear:{well})", 4.0));
}

#[test]
fn every_algorithm_knows_its_cost() {
    let instance = blood();
    for algorithm in algorithms() {
        let goal = Goal::default().with_algorithm(Some(algorithm));
        for trial in trials(&instance, &goal, &Limit::none()) {
            let certificate = Certificate { costs: Some(trial.costs), bound: None };
            check(&instance, &trial.tree, &certificate).unwrap();
        }
    }
}
