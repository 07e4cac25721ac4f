//! Exact solver for costs that depend on the path: set-ups that tests share, and costs by answer; and for tests that may
//! not be asked everywhere.
//!
//! What a set of objects still costs depends on the bundles that are open, so a state is a set together with the open
//! bundles that still hold a test that splits it. The search is that of plain costs, with fewer bounds: those that rest
//! on one price per test are replaced by [`floor`].

mod floor;
mod measure;
mod options;
mod problem;
mod proof;
mod search;

use super::control::Control;
use super::parallel::with_long_stack;
use super::{PROOF_SHARE, Solution, Standing, Task};
use fewest_model::{Costs, Lambda, Objective, OpenBundles, Pricing, Tree};
use measure::Measure;
use options::State;
use problem::Problem;
use proof::Writer;
use search::Search;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Share of the gap between bound and best tree that each round tries to close.
const ROUND: f64 = 0.2;

/// Rounds after which the whole gap is searched at once.
const MAX_ROUNDS: usize = 12;

/// Time between two calls of `watch`.
const WATCH: Duration = Duration::from_millis(100);

/// Bounds as the search raises them, for the thread that watches.
struct Progress {
    bound: std::sync::Mutex<(f64, f64)>,
    is_done: AtomicBool,
}

/// Share of the time for the search over states; if it does not finish, the rest is for a bound by plain costs.
const STATES_SHARE: f64 = 0.5;

/// Solves `task` for an instance with this `pricing`. If the time is not enough, also searches with plain costs: no
/// path costs less than at these, so the bound and its proof hold, and the tree may be better than those known.
pub(super) fn solve_or_bound(
    task: &Task<'_>,
    pricing: &Pricing,
    mut watch: impl FnMut(&Standing) -> bool,
) -> Solution {
    let now = Instant::now();
    let share = |deadline: Instant| now + deadline.saturating_duration_since(now).mul_f64(STATES_SHARE);
    let first = Task { deadline: task.deadline.map(share), ..task.clone() };
    let mut interrupted = false;
    let found = solve(&first, pricing, |standing| {
        interrupted = !watch(standing);
        !interrupted
    });
    let is_late = task.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    if found.complete || interrupted || is_late {
        return found;
    }
    let bound = found.bound;
    let plain = super::solve_plain(task, |standing| {
        // The plain cost of a tree is less than its cost, so it is not shown.
        watch(&Standing { cost: f64::INFINITY, bound: bound.max(standing.bound), ..*standing })
    });
    let (bound, states) = (bound.max(plain.bound), found.states + plain.states);
    // Its tree may ask what may not be asked there.
    let tree = plain.tree.filter(|_| !task.instance.has_premises());
    Solution { tree, bound, complete: false, states, forgetful: found.forgetful || plain.forgetful, ..plain }
}

/// Searches the states of `task`.
fn solve(task: &Task<'_>, pricing: &Pricing, mut watch: impl FnMut(&Standing) -> bool) -> Solution {
    let instance = task.instance;
    let now = Instant::now();
    let left = task.deadline.map(|deadline| deadline.saturating_duration_since(now));
    let share = if task.proof { 1.0 - PROOF_SHARE } else { 1.0 };
    let control = Control::new(left.map(|left| now + left.mul_f64(share)), task.deadline);
    let problem = Problem::new(instance, pricing);
    let measure = Measure::new(task.objective, instance.costs().scale());
    let shown = |value: f64| shown(task, value);
    let progress = Progress {
        bound: std::sync::Mutex::new((f64::NEG_INFINITY, f64::INFINITY)),
        is_done: AtomicBool::new(false),
    };
    let mut interrupted = false;
    std::thread::scope(|scope| {
        let run = || {
            let found = with_long_stack(|| run(task, &problem, measure, &control, &progress));
            progress.is_done.store(true, Ordering::Release);
            found.unwrap_or_else(|| nothing(f64::NEG_INFINITY))
        };
        let worker = scope.spawn(run);
        let mut last = Instant::now();
        while !progress.is_done.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_micros(200));
            if last.elapsed() < WATCH || interrupted {
                continue;
            }
            last = Instant::now();
            let (bound, cost) = progress.bound.lock().map_or((0.0, f64::INFINITY), |bound| *bound);
            let standing =
                Standing { cost: shown(cost), bound: shown(bound).max(0.0), states: control.states() };
            if !watch(&standing) {
                interrupted = true;
                control.stop();
            }
        }
        let found = worker.join().unwrap_or_else(|_| nothing(f64::NEG_INFINITY));
        Solution { bound: shown(found.bound).max(0.0), states: control.states(), ..found }
    })
}

fn nothing(bound: f64) -> Solution {
    Solution { tree: None, bound, complete: false, states: 0, forgetful: false, proof: None }
}

/// Value of all objects as a cost of the table.
fn shown(task: &Task<'_>, value: f64) -> f64 {
    let (total, scale) = (task.instance.total_weight(), task.instance.costs().scale());
    match (Measure::new(task.objective, scale), task.objective) {
        (Measure::Exponential(_), Objective::Exponential(lambda)) => (value - total.ln()) / lambda.ln(),
        (Measure::Worst, _) => value / scale,
        _ => value / (total * scale),
    }
}

/// Value of a tree, in the units of the search; infinite beyond the cap.
fn value_of(task: &Task<'_>, measure: Measure, tree: &Tree) -> f64 {
    let (total, scale) = (task.instance.total_weight(), task.instance.costs().scale());
    let lambda = match task.objective {
        Objective::Exponential(lambda) => lambda,
        _ => Lambda::TWO,
    };
    let costs = Costs::of(tree, task.instance, lambda);
    if costs.worst > task.cap * (1.0 + 1e-12) {
        return f64::INFINITY;
    }
    match measure {
        Measure::Expected => costs.expected * total * scale,
        Measure::Worst => costs.worst * scale,
        Measure::Exponential(_) => costs.exponential * lambda.ln() + total.ln(),
    }
}

/// Searches, and writes the tree and the proof. The bound is in the units of the search.
fn run(
    task: &Task<'_>,
    problem: &Problem<'_>,
    measure: Measure,
    control: &Control,
    progress: &Progress,
) -> Solution {
    let budget = task.cap * task.instance.costs().scale() * (1.0 + 1e-12);
    let root = State { set: problem.all(), open: OpenBundles::default(), budget };
    if problem.is_pure(&root.set) {
        let mass = task.instance.total_weight();
        let mut search = Search::new(problem, measure, control, task.memory);
        let tree = search.write(&root).ok();
        return Solution { tree, complete: true, ..nothing(measure.leaf(mass)) };
    }
    let best = task.trees.iter().map(|tree| value_of(task, measure, tree)).fold(f64::INFINITY, f64::min);
    let mut search = Search::new(problem, measure, control, task.memory);
    let (mut lower, mut found) = (f64::NEG_INFINITY, None);
    for round in 0.. {
        let above = measure.just_above(best);
        let floor = if lower.is_finite() { lower } else { first_bound(&search, &root) };
        let is_last = round >= MAX_ROUNDS || !best.is_finite() || !floor.is_finite();
        let limit = if is_last { above } else { (floor + ROUND * (above - floor)).min(above) };
        let Ok(value) = search.solve(&root, limit) else { break };
        lower = value;
        if let Ok(mut bound) = progress.bound.lock() {
            *bound = (lower, best);
        }
        if value < limit || limit >= above || value == f64::INFINITY {
            found = Some(value);
            break;
        }
    }
    let forgetful = search.is_full();
    let Some(value) = found else {
        let bound = lower.max(first_bound(&search, &root)).min(best);
        return Solution { forgetful, ..nothing(bound) };
    };
    control.resume();
    let tree = if value.is_finite() && search.entry(&root).upper.is_finite() {
        search.write(&root).ok()
    } else {
        None
    };
    let proof =
        task.proof.then(|| Writer::prove(&mut search, task, &root, value, |value| shown(task, value)));
    // No tree is better than one that is known: then that one is optimal, and the search need not repeat it.
    Solution { tree, complete: true, forgetful, proof: proof.flatten(), ..nothing(value) }
}

/// Lower bound of the root by its questions alone.
fn first_bound(search: &Search<'_, '_>, root: &State) -> f64 {
    let choices = options::choices(search.problem, search.measure, root);
    choices.iter().map(|choice| choice.lower).fold(f64::INFINITY, f64::min)
}
