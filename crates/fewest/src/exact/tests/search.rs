//! The search on every set of small tables, finished and stopped at any state, and the proofs that are made of it.

use super::sets::{GROWTHS, words};
use super::slow::{Kind, Slow};
use super::{Dice, Work, at_most, cap, close, instance, rotations, slow_of, with_each};
use crate::exact::algebra::CostAlgebra;
use crate::exact::control::Control;
use crate::exact::extract::{Chosen, ReducedProblem};
use crate::exact::memo::Memo;
use crate::exact::proof::Writer;
use crate::exact::search::{Search, Worker};
use crate::exact::state::{State, within};
use crate::exact::switches::Switches;
use crate::exact::symmetry::orbits;
use fewest_check::check;
use fewest_model::{Certificate, Costs, Lambda, Objective, Proof, Tree};

/// Switches at random, with the slower bounds from the smallest sets on.
fn switches(dice: &mut Dice) -> Switches {
    let mut on = || dice.roll(3) > 0;
    Switches {
        memo: true,
        majority_path: on(),
        parts: on(),
        probe: on(),
        compact: on(),
        distinct: on(),
        symmetry: on(),
        prices: on().then_some(2),
        nested: on().then_some(2),
    }
}

/// Set of the root grid as a state.
fn state<'g, A: CostAlgebra>(
    problem: &'g ReducedProblem<'_>,
    set: &'g [u64],
    budget: f64,
    worker: &mut Worker<'_, '_, A>,
) -> State<'g> {
    let summary = worker.counter.summary(&problem.grid, set, &worker.search.algebra);
    State { grid: &problem.grid, set, summary, key: problem.grid.key(set) ^ within(budget), budget }
}

/// Checks what the memo says of every set, within the whole budget and what is left after one test or two.
fn check_memo<A: CostAlgebra>(problem: &ReducedProblem<'_>, search: &Search<'_, A>, slow: &mut Slow) {
    let mut budgets = vec![problem.cap];
    if problem.cap < f64::INFINITY {
        let once = slow.tests().map(|test| problem.cap - slow.cost(test));
        budgets.extend(once.collect::<Vec<f64>>());
    }
    for budget in budgets {
        for set in 1..1u32 << problem.grid.weights.len() {
            let key = problem.grid.key(&words(&problem.grid, slow.members(set))) ^ within(budget);
            let Some(entry) = search.memo.get(key) else { continue };
            let value = slow.least(set, budget);
            assert!(at_most(entry.lower, value), "{set:b}: {entry:?} above {value}");
            assert!(at_most(value, entry.upper), "{set:b}: {entry:?} below {value}");
        }
    }
}

/// Objective that a kind stands for, in costs of the table.
fn objective(problem: &ReducedProblem<'_>, kind: Kind) -> Objective {
    match kind {
        Kind::Expected => Objective::Expected,
        Kind::Worst => Objective::Worst,
        Kind::Exponential(growth) => {
            let lambda = Lambda::new((growth * problem.instance.costs().scale()).exp());
            Objective::Exponential(lambda.expect("a growth above 0"))
        }
    }
}

/// A value, in costs of the table.
fn shown(problem: &ReducedProblem<'_>, kind: Kind, value: f64) -> f64 {
    let (total, scale) = (problem.instance.total_weight(), problem.instance.costs().scale());
    match kind {
        Kind::Expected => value / (total * scale),
        Kind::Worst => value / scale,
        Kind::Exponential(growth) => (value - total.ln()) / (growth * scale),
    }
}

/// Searches sets of a table.
struct Searches(Dice);

impl Searches {
    /// Searches any set below any limit, with states enough or not.
    fn search<A: CostAlgebra>(
        &mut self,
        problem: &ReducedProblem<'_>,
        worker: &mut Worker<'_, '_, A>,
        slow: &mut Slow,
    ) {
        let set = 1 + self.0.roll((1 << problem.grid.weights.len()) - 1) as u32;
        let members = words(&problem.grid, slow.members(set));
        let state = state(problem, &members, problem.cap, worker);
        if state.summary.groups < 2 {
            return;
        }
        let value = slow.least(set, problem.cap);
        let most = if value.is_finite() { value } else { 10.0 };
        let limit = match self.0.roll(4) {
            0 => f64::INFINITY,
            1 => most + 1e-6 * (1.0 + most.abs()),
            _ => most + (self.0.share() - 0.6) * (1.0 + most.abs()),
        };
        let ration = [1 + self.0.roll(12) as u64, 1 << 40][self.0.roll(2)];
        let probes = self.0.roll(3) == 0;
        let (is_new, before) = (worker.search.memo.get(state.key).is_none(), worker.search.control.states());
        let found = worker.with_ration(ration, |worker| match probes {
            true => worker.probe(state, limit).map(|(lower, _)| (lower, false)),
            false => worker.solve(state, limit).map(|lower| (lower, true)),
        });
        assert!(found.is_ok() || ration < 1 << 40);
        let states = worker.search.control.states() - before;
        assert!(states <= ration && (states > 0 || !is_new), "{states} of {ration}");
        if let Ok((lower, is_solved)) = found {
            assert!(at_most(lower, value), "{set:b}: {lower} above {value}");
            if is_solved {
                assert!(lower >= limit || close(lower, value), "{set:b} below {limit}: {lower}, not {value}");
            }
        }
        check_memo(problem, worker.search, slow);
    }

    /// Proves a bound of all objects from what the memo has, and has the checker look at it.
    fn prove<A: CostAlgebra>(
        &mut self,
        problem: &ReducedProblem<'_>,
        worker: &mut Worker<'_, '_, A>,
        slow: &mut Slow,
        kind: Kind,
    ) {
        let all = problem.grid.all();
        let root = problem.root(&all, worker);
        let value = slow.least((1 << problem.grid.weights.len()) - 1, problem.cap);
        if root.summary.groups < 2 || !value.is_finite() {
            return;
        }
        let mut writer = Writer::new(problem, 1 << 30);
        let least = worker.justify_obvious(root, &mut writer);
        let mut proofs = vec![(least, writer.claims)];
        let share = [1.0, self.0.share()][self.0.roll(2)];
        let wanted = if share == 1.0 { value - 1e-12 * value.abs() } else { least + share * (value - least) };
        let mut writer = Writer::new(problem, 1 << 30);
        let before = worker.search.control.states();
        let proved = worker.justify(root, wanted, &mut writer).expect("states enough");
        assert!(worker.search.control.states() - before >= writer.claims.len() as u64);
        assert!(at_most(wanted, proved), "{kind:?}: {proved} of {wanted}");
        proofs.push((proved, writer.claims));
        worker.settle(root, &mut Chosen::new()).expect("states enough");
        let tree = problem.write(worker, &Chosen::new()).expect("a tree");
        for (value, claims) in proofs {
            let (cap, objective) = (f64::INFINITY, objective(problem, kind));
            let value = shown(problem, kind, worker.search.algebra.safe_lower(value));
            let prices = problem.shown_prices(&claims);
            let bound = Some(Proof { objective, cap, value, prices, claims });
            let lambda = if let Objective::Exponential(lambda) = objective { lambda } else { Lambda::TWO };
            let costs = Some(Costs::of(&tree, problem.instance, lambda));
            let verdict = check(problem.instance, &tree, &Certificate { costs, bound });
            assert!(verdict.is_ok(), "{kind:?}: {:?}", verdict.err());
        }
    }

    /// Compares the cost of a tree with the best.
    fn check_tree(problem: &ReducedProblem<'_>, tree: &Tree, kind: Kind, value: f64) {
        let objective = objective(problem, kind);
        let lambda = if let Objective::Exponential(lambda) = objective { lambda } else { Lambda::TWO };
        let cost = Costs::of(tree, problem.instance, lambda).get(objective);
        let wanted = shown(problem, kind, value);
        assert!((cost - wanted).abs() <= 1e-7 * (1.0 + wanted), "{kind:?}: {cost} is not {wanted}");
    }
}

impl Work for Searches {
    fn with<A: CostAlgebra>(&mut self, problem: &mut ReducedProblem<'_>, algebra: A, kind: Kind) {
        let switches = switches(&mut self.0);
        if let Some(least) = switches.prices.filter(|_| algebra.uses_majority_path()) {
            problem.grid.set_prices(algebra.is_mean(), least, || false);
        }
        let all = problem.grid.all();
        let (control, memory) = (Control::new(None, None), [0, 1 << 20][self.0.roll(2)]);
        let memo = Memo::new(memory, problem.root_key(&all));
        let orbits = if switches.symmetry { orbits(&problem.grid, None) } else { Vec::new() };
        let symmetry = (problem.root_key(&all), orbits);
        let search = Search { algebra, memo, control: &control, switches, symmetry };
        let mut worker = Worker::new(&search, problem.grid.group_count);
        if self.0.roll(2) == 0 {
            worker.go_backwards_above(self.0.roll(5) as u32);
        }
        let mut slow = slow_of(problem, kind);
        for _ in 0..6 {
            self.search(problem, &mut worker, &mut slow);
        }
        if problem.cap == f64::INFINITY {
            self.prove(problem, &mut worker, &mut slow, kind);
        }
        let root = problem.root(&all, &mut worker);
        let value = slow.least((1 << problem.grid.weights.len()) - 1, problem.cap);
        if root.summary.groups > 1 && value.is_finite() {
            let mut chosen = Chosen::new();
            worker.settle(root, &mut chosen).expect("states enough");
            let tree = problem.write(&mut worker, &chosen).expect("a tree");
            Self::check_tree(problem, &tree, kind, value);
            // A tree that is told to another search is all that it has to know.
            let memo = Memo::new(1 << 20, problem.root_key(&all));
            let symmetry = (problem.root_key(&all), Vec::new());
            let Search { algebra, .. } = search;
            let told = Search { algebra, memo, control: &control, switches, symmetry };
            let mut worker = Worker::new(&told, problem.grid.group_count);
            // The choice is one of all sets of the tree: nothing else has to be known.
            let same = problem.write(&mut worker, &chosen).expect("a tree");
            assert_eq!(same, tree);
            problem.tell(&tree, &mut worker);
            check_memo(problem, &told, &mut slow);
            let upper = told.entry(&root).upper;
            assert!(close(upper, value), "{kind:?}: {upper} is not {value}");
            let tree = problem.write(&mut worker, &Chosen::new()).expect("a tree");
            Self::check_tree(problem, &tree, kind, value);
        }
    }
}

#[test]
fn searches_of_any_set_below_any_limit_find_what_brute_force_finds() {
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let confirm = dice.roll(4) == 0;
        let (objects, tests) = match confirm {
            true => (3 + dice.roll(4), dice.roll(4)),
            false => (3 + dice.roll(6), 3 + dice.roll(5)),
        };
        let instance = instance(&mut dice, objects, tests, confirm);
        let cap = cap(&mut dice, &instance);
        let growth = GROWTHS[dice.roll(4)];
        with_each(&instance, cap, growth, &mut Searches(dice));
    }
}

#[test]
fn questions_that_symmetries_map_to_each_other_are_tried_once_and_at_the_root_only() {
    for seed in 0..80 {
        let mut dice = Dice::new(seed);
        let instance = rotations(&mut dice);
        let growth = GROWTHS[dice.roll(4)];
        with_each(&instance, f64::INFINITY, growth, &mut Searches(dice));
    }
}
