//! The exact solver: the best tree there is, or the best found in the time with a bound that is proved.

mod aim;
mod grid;
mod improve;
mod leavers;
mod limit;
mod memo;
mod options;
mod plan;
mod proof;
mod race;
mod search;
mod switches;
mod symmetry;
mod tally;

pub use switches::Switches;

use crate::bound::steps;
use aim::{Aim, Expected, Exponential, Worst};
use fewest_model::{Claim, Instance, Lambda, Objective, Proof, Tree};
use limit::Control;
use memo::Memo;
use options::State;
use plan::{Chosen, Ground};
use proof::Writer;
use race::{Rising, on_a_long_stack, race};
use search::{Search, Worker};
use std::time::Instant;

/// What is to be solved, and with what.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// The problem.
    pub instance: &'a Instance,
    /// What is to be minimised.
    pub objective: Objective,
    /// Only trees whose worst cost is at most this; infinite: all trees.
    pub cap: f64,
    /// Trees known already.
    pub trees: Vec<&'a Tree>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// How many bytes memory may take.
    pub memory: usize,
    /// How many threads may work.
    pub threads: usize,
    /// What is switched on.
    pub switches: Switches,
    /// Whether to write down why the bound holds.
    pub proof: bool,
}

/// How far the search is, in the numbers that users see.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The cost of the best tree found; infinite if none was.
    pub cost: f64,
    /// No tree costs less.
    pub bound: f64,
    /// How many sets of objects were looked at.
    pub states: u64,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The best tree, if there is one at all within the cap.
    pub tree: Option<Tree>,
    /// No tree costs less; infinite if no tree keeps within the cap.
    pub bound: f64,
    /// Whether the search came to its end.
    pub complete: bool,
    /// How many sets of objects were looked at.
    pub states: u64,
    /// Whether memory ran out and something had to be forgotten.
    pub forgetful: bool,
    /// Why the bound holds, if that was asked for.
    pub proof: Option<Proof>,
}

/// Tables of more cells than this are not for this solver: looking at all questions once would take too long.
pub const MOST_CELLS: usize = 16_000_000;

/// Solves `task`; `watch` is told how far it is every now and then, and stops it by saying `false`.
///
/// # Panics
/// When objects may give several answers ([`Instance::has_several`](fewest_model::Instance::has_several)).
pub fn solve(task: &Task<'_>, watch: impl FnMut(&Standing) -> bool) -> Solution {
    let instance = task.instance;
    assert!(!instance.has_several(), "the solver needs one answer in every cell");
    let (weights, costs) = (instance.weights(), instance.costs());
    let scale = costs.scale();
    let total = instance.total_weight();
    // Whole values stay whole as long as every sum of products does.
    let all_costs: f64 = costs.units().iter().sum();
    let exact = weights.is_exact() && costs.is_exact() && total * all_costs < 2f64.powi(52);
    let cost_unit = if exact { gcd(costs.units()) } else { 0.0 };
    match task.objective {
        Objective::Exponential(lambda) if lambda.value() > 1.0 && lambda != Lambda::INFINITY => {
            let rate = instance
                .test_ids()
                .map(|test| (instance.test(test).arity() as f64).log2() / costs.units()[test.index()]);
            let rate = rate.fold(0.0, f64::max);
            let aim = Exponential::new(lambda.ln() / scale, if rate > 0.0 { rate } else { 1.0 });
            let shown = |value: f64| (value - total.ln()) / lambda.ln();
            run(task, aim, shown, watch)
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

/// Up to so many sets a finished search is done again for its proof.
const FOUND_AGAIN: u64 = 200_000;

/// Of the time, what is left for writing down the proof where one is wanted.
const PROOF_SHARE: f64 = 0.2;

fn run<A: Aim>(
    task: &Task<'_>,
    aim: A,
    shown: impl Fn(f64) -> f64,
    mut watch: impl FnMut(&Standing) -> bool,
) -> Solution {
    let now = Instant::now();
    let left = task.deadline.map(|deadline| deadline.saturating_duration_since(now));
    let share = if task.proof { 1.0 - PROOF_SHARE } else { 1.0 };
    let control = Control::new(left.map(|left| now + left.mul_f64(share)), task.deadline);
    let cap = task.cap * task.instance.costs().scale() * (1.0 + 1e-12);
    let mut ground = Ground::new(task.instance, cap, |mass| aim.spread(mass));
    if let Some(least) = task.switches.prices.filter(|_| aim.peels()) {
        ground.grid.set_prices(aim.is_mean(), least, || control.is_late());
    }
    let all = ground.grid.all();
    let memory = if task.switches.memo { task.memory } else { 0 };
    let memo = Memo::new(memory, ground.root_key(&all));
    // Looking for symmetries may take a little of the time; most tables show at once that they have none.
    let orbits = match task.switches.symmetry {
        true => symmetry::orbits(&ground.grid, left.map(|left| now + left.mul_f64(0.1))),
        false => Vec::new(),
    };
    let symmetry = (ground.root_key(&all), orbits);
    let search = Search { aim, memo, control: &control, switches: task.switches, symmetry };
    let mut worker = Worker::new(&search, ground.grid.group_count);
    let root = ground.root(&all, &mut worker);
    if root.tally.groups <= 1 {
        let tree = ground.write(&mut worker, &Chosen::new()).ok();
        // Nothing is asked, which costs nothing, or the one object is confirmed.
        let (mut bound, mut value) = (0.0, 0.0);
        if let Some([cost]) = ground.grid.confirmation.as_deref() {
            let asked = search.aim.ask(*cost, root.tally.mass, search.aim.leaf(root.tally.mass));
            (bound, value) = (shown(asked), shown(search.aim.humble(asked)).max(0.0));
        }
        // One group needs no reason: the judge sees it.
        let (objective, cap) = (task.objective, task.cap);
        let proof = Proof { objective, cap, value, prices: Vec::new(), claims: Vec::new() };
        let proof = task.proof.then_some(proof);
        return Solution { tree, bound, complete: true, states: 0, forgetful: false, proof };
    }
    task.trees.iter().for_each(|tree| ground.tell(tree, &mut worker));
    let lower = Rising::new(f64::NEG_INFINITY);
    let standing = |lower: f64, upper: f64| Standing {
        cost: shown(upper),
        bound: shown(lower),
        states: control.states(),
    };
    let mut asked_to_stop = false;
    let raced = race(&search, &ground, task.threads, &lower, |lower, upper| {
        asked_to_stop = !watch(&standing(lower, upper));
        !asked_to_stop
    });
    let known = search.known(&root);
    let bound = lower.get().max(known.lower).min(known.upper);
    let complete = raced.is_ok() && bound >= known.upper;
    let exists = known.upper < f64::INFINITY;
    let end = || {
        let mut worker = Worker::new(&search, ground.grid.group_count);
        let mut chosen = Chosen::new();
        control.resume();
        if complete && exists && worker.settle(root, &mut chosen).is_err() {
            chosen.clear();
        }
        let tree = if exists { ground.write(&mut worker, &chosen).ok() } else { None };
        if !task.proof || !is_moderate(task.instance, task.objective) {
            return (tree, None);
        }
        if asked_to_stop && !complete {
            // A user who does not wait for the search does not wait for its reasons either.
            control.stop();
        }
        if complete && control.states() < FOUND_AGAIN {
            // Found again by one thread, the reasons do not depend on which of two was first.
            search.memo.clear();
            let _ = worker.solve(root, bound + search.aim.step(bound) / 2.0);
        }
        let proof = prove(&mut worker, root, bound, &ground, task, complete);
        (tree, proof.map(|(value, claims)| (search.aim.humble(value), claims)))
    };
    let (tree, proof) = on_a_long_stack(end).unwrap_or((None, None));
    let proof = proof.map(|(value, claims)| Proof {
        objective: task.objective,
        cap: task.cap,
        value: shown(value),
        prices: ground.shown_prices(&claims),
        claims,
    });
    let (states, forgetful) = (control.states(), search.memo.forgotten() > 0);
    Solution { tree, bound: shown(bound), complete, states, forgetful, proof }
}

/// Writes down why the bound holds. If there is no time or room for that, and the search has not ended, why a weaker one
/// does: the reasons for half of what was found are far fewer than half of the reasons.
fn prove<A: Aim>(
    worker: &mut Worker<'_, '_, A>,
    root: State<'_>,
    bound: f64,
    ground: &Ground<'_>,
    task: &Task<'_>,
    complete: bool,
) -> Option<(f64, Vec<Claim>)> {
    let mut writer = Writer::new(ground, task.memory / 4);
    let least = worker.justify_obvious(root, &mut writer);
    let mut best = (least, writer.claims);
    // The reasons of a finished proof are all there, so they are written down at once.
    let shares: &[f64] = if complete { &[1.0] } else { &[0.5, 0.75, 0.9, 1.0] };
    for &share in shares {
        let mut writer = Writer::new(ground, task.memory / 4);
        let wanted = if share == 1.0 { bound } else { least + share * (bound - least) };
        match worker.justify(root, wanted, &mut writer) {
            Ok(value) if value > best.0 => best = (value, writer.claims),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    Some(best)
}

/// Whether weights and costs are such that sums and products of them mean something, and powers of λ too: no proof is about
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

/// The greatest number that divides all of `values`, which are whole and below 2^53.
fn gcd(values: &[f64]) -> f64 {
    values.iter().fold(0, |left, right| steps::gcd(left, *right as u64)) as f64
}
