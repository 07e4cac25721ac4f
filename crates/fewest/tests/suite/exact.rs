//! The exact solver against brute force, under every combination of what may be switched off.

use crate::common::{Dice, cases, close, lambda, objectives, optimum, samples};
use fewest::exact::{Solution, Switches, Task, solve};
use fewest::{
    Candidates, Cap, Certificate, Costs, Goal, Instance, Lambda, Limit, ObjectId, Objective, Reading, Table,
    TestId, build, check,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Switches from bits, one bit each.
fn switches(bits: u16) -> Switches {
    let on = |bit: u8| bits >> bit & 1 == 1;
    Switches {
        memo: on(0),
        majority_path: on(1),
        parts: on(2),
        probe: on(3),
        compact: on(4),
        distinct: on(5),
        symmetry: on(6),
        prices: on(7).then_some(2),
        nested: on(8).then_some(2),
    }
}

fn task(instance: &Instance, objective: Objective) -> Task<'_> {
    Task {
        instance,
        objective,
        cap: f64::INFINITY,
        trees: Vec::new(),
        deadline: None,
        memory: 1 << 20,
        threads: 2,
        switches: Switches::ALL,
        proof: true,
    }
}

fn lambda_of(objective: Objective) -> Lambda {
    if let Objective::Exponential(lambda) = objective { lambda } else { Lambda::TWO }
}

/// Checks that the tree is a strategy whose cost is the bound, and that the checker accepts both.
fn verified(instance: &Instance, objective: Objective, solution: &Solution) -> f64 {
    let tree = solution.tree.as_ref().unwrap();
    let costs = Costs::of(tree, instance, lambda_of(objective));
    let bound = solution.proof.clone();
    check(instance, tree, &Certificate { costs: Some(costs), bound }).unwrap();
    assert!(solution.complete);
    assert!(
        close(solution.bound, costs.get(objective)),
        "{} is not {}",
        solution.bound,
        costs.get(objective)
    );
    if let Some(proof) = &solution.proof {
        // A logarithm keeps sixteen digits, and near λ = 1 the cost is a logarithm divided by a small number.
        let loss = 1e-9 * solution.bound + 2e-12 / lambda_of(objective).ln().max(1e-9);
        assert!(proof.value >= solution.bound - loss, "{} is proved of {}", proof.value, solution.bound);
    }
    costs.get(objective)
}

/// The three objectives, the last at a λ of the sample's own.
fn aims(dice: &mut Dice) -> [Objective; 3] {
    objectives(lambda([1.0, 1.0001, 2.0, 10.0, 1e9, f64::INFINITY][dice.roll(6)]))
}

proptest! {
    #![proptest_config(cases(7000))]

    /// 21,000 problems: 7,000 tables, three objectives each, with any of the 512 combinations of switches.
    #[test]
    fn the_optimum_is_that_of_brute_force(sample in samples(8), bits in 0..512u16, seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let instance = sample.instance();
        for objective in aims(&mut dice) {
            let task = Task { switches: switches(bits), threads: 1 + dice.roll(2), ..task(&instance, objective) };
            let cost = verified(&instance, objective, &solve(&task, |_| true));
            let wanted = optimum(&instance, objective);
            prop_assert!(close(cost, wanted), "{objective:?} {bits:09b}: {cost} is not {wanted}");
        }
    }
}

proptest! {
    #![proptest_config(cases(100))]

    /// Yes/no questions beside the guesses: both answers of a question that confirms no object lead on. Such a game
    /// must have some size before guessing one object after the other is no longer the best.
    #[test]
    fn games_of_yes_and_no(seed: u64, objects in 9..14usize) {
        let mut dice = Dice(seed);
        let mut rows = vec![vec!["object".to_owned()]];
        rows[0].extend((0..6).map(|test| format!("t{test}")).chain((0..objects).map(|name| format!("o{name}"))));
        for object in 0..objects {
            let mut row = vec![format!("o{object}")];
            row.extend((0..6).map(|_| dice.roll(2).to_string()));
            row.extend((0..objects).map(|name| u8::from(name == object).to_string()));
            rows.push(row);
        }
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let reading = Reading { confirm: true, ..Reading::default() };
        let instance = Instance::new(Table::from_rows(&rows), &reading).unwrap().0;
        for objective in [Objective::Expected, Objective::Worst] {
            let solution = solve(&task(&instance, objective), |_| true);
            prop_assert!(solution.proof.is_some());
            let (cost, wanted) = (verified(&instance, objective, &solution), optimum(&instance, objective));
            prop_assert!(close(cost, wanted), "{objective:?}: {cost} is not {wanted}");
        }
    }
}

proptest! {
    #![proptest_config(cases(150))]

    /// Sparse tables with too many objects for brute force: the majority path is long there and shows most. The
    /// optimum with all switches that concern the path, from the smallest sets on, is that without them, and the
    /// checker agrees.
    #[test]
    fn long_paths_of_usual_answers(seed: u64, objects in 16..36usize, tests in 12..22usize) {
        let mut dice = Dice(seed);
        let mut rows = vec![vec!["object".to_owned()]];
        rows[0].extend((0..tests).map(|test| format!("t{test}")));
        for object in 0..objects {
            let mut row = vec![format!("o{object}")];
            row.extend((0..tests).map(|_| u8::from(dice.roll(7) == 0).to_string()));
            rows.push(row);
        }
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let instance = Instance::new(Table::from_rows(&rows), &Reading::default()).unwrap().0;
        let far = Switches { prices: Some(2), nested: Some(2), ..Switches::ALL };
        let near = Switches { majority_path: false, ..Switches::ALL };
        let [far, near] = [far, near].map(|switches| {
            let solution = solve(&Task { switches, ..task(&instance, Objective::Expected) }, |_| true);
            verified(&instance, Objective::Expected, &solution)
        });
        prop_assert!(close(far, near), "{far} is not {near}");
    }
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn games_too(sample in samples(6), bits in 0..512u16, seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let instance = sample.game(&mut dice);
        for objective in aims(&mut dice) {
            let task = Task { switches: switches(bits), ..task(&instance, objective) };
            let cost = verified(&instance, objective, &solve(&task, |_| true));
            let wanted = optimum(&instance, objective);
            prop_assert!(close(cost, wanted), "{objective:?} {bits:09b}: {cost} is not {wanted}");
        }
    }

    /// Least mean cost of trees whose worst cost is at most a cap, which some trees or none keep.
    #[test]
    fn under_a_cap(sample in samples(7), bits in 0..512u16, share in 0.0..1.2f64) {
        let instance = sample.instance();
        for objective in [Objective::Expected, Objective::Exponential(Lambda::TWO)] {
            let free = solve(&task(&instance, objective), |_| true);
            let most = Costs::of(free.tree.as_ref().unwrap(), &instance, Lambda::TWO).worst;
            let least = optimum(&instance, Objective::Worst);
            for cap in [least, least + share * (most - least), share * least] {
                // A tree that may exceed the cap is known before.
                let trees = free.tree.iter().collect();
                let task = Task { cap, trees, switches: switches(bits), ..task(&instance, objective) };
                let solution = solve(&task, |_| true);
                let wanted = Capped::new(&instance, objective).cost(cap * (1.0 + 1e-12));
                if wanted == f64::INFINITY {
                    prop_assert!(solution.tree.is_none() && solution.complete, "no tree keeps within {cap}");
                    continue;
                }
                let cost = verified(&instance, objective, &solution);
                prop_assert!(close(cost, wanted), "cap {cap}: {cost} is not {wanted}");
                let worst = Costs::of(solution.tree.as_ref().unwrap(), &instance, Lambda::TWO).worst;
                prop_assert!(worst <= cap * (1.0 + 1e-9));
            }
        }
    }

    /// Every tree, cost and stop is the same with one thread as with two, and with little memory as with much.
    #[test]
    fn the_answer_does_not_depend_on_threads_or_memory(sample in samples(12), seed in any::<u64>()) {
        let instance = sample.instance();
        for objective in aims(&mut Dice(seed)) {
            let solve = |threads, memory| solve(&Task { threads, memory, ..task(&instance, objective) }, |_| true);
            let one = solve(1, 1 << 30);
            prop_assert_eq!(&one.tree, &solve(2, 1 << 30).tree);
            prop_assert_eq!(&one.tree, &solve(2, 1).tree);
        }
    }

    #[test]
    fn the_best_worst_case_first(sample in samples(7)) {
        let instance = sample.instance();
        let goal = Goal::default().with_cap(Cap::Least);
        let outcome = build(&instance, &goal, &Limit::none());
        let least = optimum(&instance, Objective::Worst);
        prop_assert!(outcome.optimal && close(outcome.costs.worst, least));
        let wanted = Capped::new(&instance, Objective::Expected).cost(least * (1.0 + 1e-12));
        prop_assert!(close(outcome.costs.expected, wanted));
    }
}

fn all(instance: &Instance) -> usize {
    Candidates::all(instance).objects().iter().map(|object| 1 << object.index()).sum()
}

/// Least expected or exponential cost within a budget, by trying everything.
struct Capped<'a> {
    instance: &'a Instance,
    /// Growth `ln λ` of the exponential cost; `None` for the expected one.
    growth: Option<f64>,
    memo: BTreeMap<(usize, u64), f64>,
}

impl<'a> Capped<'a> {
    fn new(instance: &'a Instance, objective: Objective) -> Self {
        let growth = if let Objective::Exponential(lambda) = objective { Some(lambda.ln()) } else { None };
        Self { instance, growth, memo: BTreeMap::new() }
    }

    /// Least cost of all objects.
    fn cost(&mut self, budget: f64) -> f64 {
        let value = self.least(all(self.instance), budget);
        self.growth.map_or(value, |growth| value / growth)
    }

    /// Value `Σ w cost` or `ln Σ w λ^cost` of several subtrees together.
    fn join(&self, below: &[f64]) -> f64 {
        let most = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        match self.growth {
            None => below.iter().sum(),
            Some(_) if most.is_infinite() => most,
            Some(_) => most + below.iter().map(|value| (value - most).exp()).sum::<f64>().ln(),
        }
    }

    fn least(&mut self, set: usize, budget: f64) -> f64 {
        if let Some(known) = self.memo.get(&(set, budget.to_bits())) {
            return *known;
        }
        let instance = self.instance;
        let objects: Vec<ObjectId> =
            instance.objects().filter(|object| set >> object.index() & 1 == 1).collect();
        let mass: f64 = objects.iter().map(|object| instance.prior(*object)).sum();
        let mut best = f64::INFINITY;
        if objects.iter().all(|object| instance.group_of(*object) == instance.group_of(objects[0])) {
            best = self.growth.map_or(0.0, |_| mass.ln());
        } else {
            for test in instance.test_ids().filter(|test| instance.cost(*test) <= budget) {
                let (parts, cost) = (self.parts(&objects, test), instance.cost(test));
                if parts.len() >= 2 {
                    let below: Vec<f64> = parts.iter().map(|part| self.least(*part, budget - cost)).collect();
                    let asked = self.growth.map_or(cost * mass, |growth| growth * cost);
                    let value = if below.contains(&f64::INFINITY) {
                        f64::INFINITY
                    } else {
                        asked + self.join(&below)
                    };
                    best = best.min(value);
                }
            }
        }
        self.memo.insert((set, budget.to_bits()), best);
        best
    }

    fn parts(&self, objects: &[ObjectId], test: TestId) -> Vec<usize> {
        let mut parts = BTreeMap::new();
        for object in objects {
            *parts.entry(self.instance.answer(*object, test)).or_insert(0) |= 1 << object.index();
        }
        parts.into_values().collect()
    }
}
