//! Exact solver: finds an optimal tree, or the best one in the given time, with a proved bound.

mod algebra;
mod control;
mod counter;
mod extract;
mod grid;
mod improve;
mod memo;
mod minority;
mod options;
mod parallel;
mod path_costs;
mod proof;
mod reach;
mod search;
mod split;
mod state;
mod summary;
mod switches;
mod symmetry;
#[cfg(test)]
mod tests;

pub use switches::Switches;

use crate::bound::steps;
use algebra::{CostAlgebra, Expected, Exponential, Worst};
use control::Control;
use extract::{Chosen, ReducedProblem};
use fewest_model::{Claim, Instance, Lambda, Objective, Pricing, Proof, Tree};
use memo::Memo;
use parallel::{Rising, search_in_parallel, with_long_stack};
use proof::Writer;
use search::{Search, Worker};
use state::State;
use std::time::Instant;

/// Problem for the solver, with its limits and settings.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// Instance to solve.
    pub instance: &'a Instance,
    /// Objective to minimise.
    pub objective: Objective,
    /// Largest worst cost of a tree that counts; infinite for all trees.
    pub cap: f64,
    /// Trees known already.
    pub trees: Vec<&'a Tree>,
    /// Time at which to stop.
    pub deadline: Option<Instant>,
    /// Most bytes of memory.
    pub memory: usize,
    /// Most threads.
    pub threads: usize,
    /// Parts of the search that are switched on.
    pub switches: Switches,
    /// Whether to record a proof of the bound.
    pub proof: bool,
}

/// Progress of the search, in costs of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Cost of the best tree found; infinite if none was.
    pub cost: f64,
    /// Lower bound on the cost of every tree.
    pub bound: f64,
    /// Number of states (sets of objects) visited.
    pub states: u64,
}

/// Result of the solver.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Best tree, if there is one at all within the cap.
    pub tree: Option<Tree>,
    /// Lower bound on the cost of every tree; infinite if no tree keeps within the cap.
    pub bound: f64,
    /// Whether the search came to its end.
    pub complete: bool,
    /// Number of states (sets of objects) visited.
    pub states: u64,
    /// Whether memory ran out and entries were evicted.
    pub forgetful: bool,
    /// Proof of the bound, if one was asked for.
    pub proof: Option<Proof>,
}

/// Most cells of a table for this solver: beyond, one pass over all questions would take too long.
pub const MAX_CELLS: usize = 16_000_000;

/// Solves `task`. `watch` is called with the progress about ten times a second, and stops the search by returning
/// `false`.
///
/// # Panics
/// When objects may give several answers ([`Instance::has_several`](fewest_model::Instance::has_several)).
pub fn solve(task: &Task<'_>, watch: impl FnMut(&Standing) -> bool) -> Solution {
    assert!(!task.instance.has_several(), "the solver needs one answer in every cell");
    match task.instance.pricing() {
        // The questions that may be asked depend on the set, as costs do there.
        None if task.instance.has_premises() => {
            let pricing = Pricing::plain(task.instance.costs().units());
            path_costs::solve_or_bound(task, &pricing, watch)
        }
        None => solve_plain(task, watch),
        Some(pricing) => path_costs::solve_or_bound(task, pricing, watch),
    }
}

/// Solves `task` with the plain costs of its instance.
fn solve_plain(task: &Task<'_>, watch: impl FnMut(&Standing) -> bool) -> Solution {
    let instance = task.instance;
    let (weights, costs) = (instance.weights(), instance.costs());
    let scale = costs.scale();
    let total = instance.total_weight();
    // Values stay whole as long as every sum of products does.
    let all_costs: f64 = costs.units().iter().sum();
    let exact = weights.is_exact() && costs.is_exact() && total * all_costs < 2f64.powi(52);
    let cost_unit = if exact { gcd(costs.units()) } else { 0.0 };
    match task.objective {
        Objective::Exponential(lambda) if lambda.value() > 1.0 && lambda != Lambda::INFINITY => {
            let rate = instance
                .test_ids()
                .map(|test| (instance.test(test).arity() as f64).log2() / costs.units()[test.index()]);
            let rate = rate.fold(0.0, f64::max);
            let algebra = Exponential::new(lambda.ln() / scale, if rate > 0.0 { rate } else { 1.0 });
            let shown = |value: f64| (value - total.ln()) / lambda.ln();
            run(task, algebra, shown, watch)
        }
        Objective::Worst | Objective::Exponential(Lambda::INFINITY) => {
            run(task, Worst { unit: cost_unit }, |value| value / scale, watch)
        }
        _ => {
            let unit = gcd(weights.units()) * cost_unit;
            run(
                task,
                Expected::new(if exact { unit } else { 0.0 }, weights.units()),
                |value| value / (total * scale),
                watch,
            )
        }
    }
}

/// Most states of a finished search that is run once more for a proof that is the same on every run.
const MAX_REPEATED_STATES: u64 = 200_000;

/// Share of the time that is reserved for recording the proof, if one is wanted.
const PROOF_SHARE: f64 = 0.2;

/// Prepares the problem, searches, and extracts the tree and the proof.
fn run<A: CostAlgebra>(
    task: &Task<'_>,
    algebra: A,
    shown: impl Fn(f64) -> f64,
    mut watch: impl FnMut(&Standing) -> bool,
) -> Solution {
    let now = Instant::now();
    let left = task.deadline.map(|deadline| deadline.saturating_duration_since(now));
    let share = if task.proof { 1.0 - PROOF_SHARE } else { 1.0 };
    let control = Control::new(left.map(|left| now + left.mul_f64(share)), task.deadline);
    let cap = task.cap * task.instance.costs().scale() * (1.0 + 1e-12);
    let mut problem = ReducedProblem::new(task.instance, cap, |mass| algebra.spread(mass));
    if let Some(least) = task.switches.prices.filter(|_| algebra.uses_majority_path()) {
        problem.grid.set_prices(algebra.is_mean(), least, || control.is_late());
    }
    let all = problem.grid.all();
    let memory = if task.switches.memo { task.memory } else { 0 };
    let memo = Memo::new(memory, problem.root_key(&all));
    // Finding symmetries may take a little of the time; most tables show at once that they have none.
    let orbits = match task.switches.symmetry {
        true => symmetry::orbits(&problem.grid, left.map(|left| now + left.mul_f64(0.1))),
        false => Vec::new(),
    };
    let symmetry = (problem.root_key(&all), orbits);
    let search = Search { algebra, memo, control: &control, switches: task.switches, symmetry };
    let mut worker = Worker::new(&search, problem.grid.group_count);
    let root = problem.root(&all, &mut worker);
    if root.summary.groups <= 1 {
        return one_group(task, &problem, &mut worker, root, shown);
    }
    task.trees.iter().for_each(|tree| problem.tell(tree, &mut worker));
    let lower = Rising::new(f64::NEG_INFINITY);
    let mut interrupted = false;
    let ended = search_in_parallel(&search, &problem, task.threads, &lower, |lower, upper| {
        let (cost, bound) = (shown(upper), shown(lower));
        interrupted = !watch(&Standing { cost, bound, states: control.states() });
        !interrupted
    });
    let entry = search.entry(&root);
    let bound = lower.get().max(entry.lower).min(entry.upper);
    let complete = ended.is_ok() && bound >= entry.upper;
    let exists = entry.upper < f64::INFINITY;
    let result = Found { bound, complete, exists, interrupted };
    let settled = with_long_stack(|| settle(task, &search, &problem, root, result));
    let (tree, proof) = settled.unwrap_or((None, None));
    let proof = proof.map(|(value, claims)| Proof {
        objective: task.objective,
        cap: task.cap,
        value: shown(value),
        prices: problem.shown_prices(&claims),
        claims,
    });
    let (states, forgetful) = (control.states(), search.memo.forgotten() > 0);
    Solution { tree, bound: shown(bound), complete, states, forgetful, proof }
}

/// Solution of a problem with one group: nothing is asked, or the one object is confirmed.
fn one_group<A: CostAlgebra>(
    task: &Task<'_>,
    problem: &ReducedProblem<'_>,
    worker: &mut Worker<'_, '_, A>,
    root: State<'_>,
    shown: impl Fn(f64) -> f64,
) -> Solution {
    let algebra = &worker.search.algebra;
    let (mut bound, mut value) = (0.0, 0.0);
    if let Some([cost]) = problem.grid.confirmation.as_deref() {
        let asked = algebra.ask(*cost, root.summary.mass, algebra.leaf(root.summary.mass));
        (bound, value) = (shown(asked), shown(algebra.safe_lower(asked)).max(0.0));
    }
    // One group needs no claim: the checker sees it.
    let (objective, cap) = (task.objective, task.cap);
    let proof = Proof { objective, cap, value, prices: Vec::new(), claims: Vec::new() };
    let proof = task.proof.then_some(proof);
    let tree = problem.write(worker, &Chosen::new()).ok();
    Solution { tree, bound, complete: true, states: 0, forgetful: false, proof }
}

/// End state of a search.
#[derive(Clone, Copy)]
struct Found {
    /// Lower bound of all objects.
    bound: f64,
    /// Whether the bound meets the best tree.
    complete: bool,
    /// Whether there is a tree within the cap.
    exists: bool,
    /// Whether `watch` stopped the search.
    interrupted: bool,
}

/// Extracts the best tree and, if wanted, the claims that prove the bound.
fn settle<A: CostAlgebra>(
    task: &Task<'_>,
    search: &Search<'_, A>,
    problem: &ReducedProblem<'_>,
    root: State<'_>,
    Found { bound, complete, exists, interrupted }: Found,
) -> (Option<Tree>, Option<(f64, Vec<Claim>)>) {
    let control = search.control;
    let mut worker = Worker::new(search, problem.grid.group_count);
    let mut chosen = Chosen::new();
    control.resume();
    if complete && exists && worker.settle(root, &mut chosen).is_err() {
        chosen.clear();
    }
    let tree = if exists { problem.write(&mut worker, &chosen).ok() } else { None };
    if !task.proof || !is_moderate(task.instance, task.objective) {
        return (tree, None);
    }
    if interrupted && !complete {
        // The user does not wait for the proof either.
        control.stop();
    }
    if complete && control.states() < MAX_REPEATED_STATES {
        // Searched again by one thread, so that the proof does not depend on the timing of threads.
        search.memo.clear();
        let _ = worker.solve(root, bound + search.algebra.step(bound) / 2.0);
    }
    let proof = prove(&mut worker, root, bound, problem, task, complete);
    (tree, proof.map(|(value, claims)| (search.algebra.safe_lower(value), claims)))
}

/// Records a proof of the bound, or of a weaker one if time or memory do not suffice. Of an unfinished search, parts
/// of the bound are proved first: the proof of half the bound is far shorter than half of the proof.
fn prove<A: CostAlgebra>(
    worker: &mut Worker<'_, '_, A>,
    root: State<'_>,
    bound: f64,
    problem: &ReducedProblem<'_>,
    task: &Task<'_>,
    complete: bool,
) -> Option<(f64, Vec<Claim>)> {
    let mut writer = Writer::new(problem, task.memory / 4);
    let least = worker.justify_obvious(root, &mut writer);
    let mut best = (least, writer.claims);
    // The reasons of a finished search are all in the memo, so they are recorded at once.
    let shares: &[f64] = if complete { &[1.0] } else { &[0.5, 0.75, 0.9, 1.0] };
    for &share in shares {
        let mut writer = Writer::new(problem, task.memory / 4);
        let wanted = if share == 1.0 { bound } else { least + share * (bound - least) };
        match worker.justify(root, wanted, &mut writer) {
            Ok(value) if value > best.0 => best = (value, writer.claims),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    Some(best)
}

/// Whether weights, costs and powers of λ are small enough for floating-point sums and products; no proof is made for
/// others.
fn is_moderate(instance: &Instance, objective: Objective) -> bool {
    let moderate = |units: &[f64]| units.iter().all(|unit| *unit == 0.0 || (1e-60..1e60).contains(unit));
    let costs = instance.costs();
    let growth = match objective {
        Objective::Exponential(lambda) if lambda != Lambda::INFINITY => lambda.ln() / costs.scale(),
        _ => 0.0,
    };
    let powers = costs.units().iter().map(|unit| growth * unit);
    moderate(instance.weights().units()) && moderate(costs.units()) && { powers }
        .all(|power| power == 0.0 || (1e-200..1e200).contains(&power))
}

/// Greatest common divisor of `values`, which are whole and below 2^53.
fn gcd(values: &[f64]) -> f64 {
    values.iter().fold(0, |left, right| steps::gcd(left, *right as u64)) as f64
}
