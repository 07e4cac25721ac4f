//! Threads of a search: one raises the bound, one looks for better trees and then helps with the bound.

use super::algebra::CostAlgebra;
use super::control::{Control, Stopped};
use super::extract::ReducedProblem;
use super::improve::MAX_EFFORT;
use super::search::{Search, Worker};
use super::state::State;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

/// Bytes of a thread's stack: a path may be as long as there are objects, and every question on it takes a stack
/// frame.
const STACK: usize = 256 << 20;

/// Runs `work` on a thread with a stack of [`STACK`] bytes.
pub(super) fn with_long_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    scope(|scope| Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()?.join().ok())
}

/// Number of states of the first attempt at better trees; each next attempt has twice as many.
const FIRST_RATION: u64 = 512;

/// Most objects of the subtrees that are solved in the first attempt.
const FIRST_SIZE: u32 = 16;

/// Share of the gap that the first round tries to close.
const FIRST_SHARE: f64 = 0.2;

/// Factor of overrun: a round is given up after this many times the states it was planned to take.
const OVERRUN: u64 = 2;

/// Number of states below which a round's cost is dominated by set-up; added to smooth the growth estimate.
const SETUP_STATES: u64 = 2_000;

/// Least share of the gap that a round tries to close.
const LEAST_SHARE: f64 = 0.02;

/// Largest share of the remaining time that a round is planned to take.
const TIME_SHARE: f64 = 0.7;

/// Time between two calls of `watch`.
const TICK: Duration = Duration::from_millis(100);

/// Number that only rises, shared by threads.
pub(super) struct Rising(AtomicU64);

impl Rising {
    pub(super) fn new(value: f64) -> Self {
        Self(AtomicU64::new(value.to_bits()))
    }

    pub(super) fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    fn raise(&self, value: f64) {
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| {
            (value > f64::from_bits(old)).then(|| value.to_bits())
        });
    }
}

/// Stops all threads when the proving one ends, also by a panic.
struct Ending<'a>(&'a Control);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs the search until it is complete or stopped. `watch` is called with the bound every 100 ms, and may stop it.
///
/// The result is in the memo; the bound of all objects is in `lower`.
pub(super) fn search_in_parallel<A: CostAlgebra>(
    search: &Search<'_, A>,
    problem: &ReducedProblem<'_>,
    threads: usize,
    lower: &Rising,
    mut watch: impl FnMut(f64, f64) -> bool,
) -> std::io::Result<()> {
    let all = problem.grid.all();
    let limit = Rising::new(f64::NEG_INFINITY);
    scope(|scope| {
        let (done, finished) = channel::<()>();
        let spawn = |number: usize| {
            let (done, all, limit) = (done.clone(), &all, &limit);
            let work = move || {
                work(search, problem, (number, threads), all, lower, limit);
                drop(done);
            };
            Builder::new().stack_size(STACK).spawn_scoped(scope, work)
        };
        let mut spawned = Ok(());
        let mut handles = Vec::new();
        for number in 0..threads.max(1) {
            match spawn(number) {
                Ok(handle) => handles.push(handle),
                Err(error) => {
                    // One thread suffices; none is an error.
                    spawned = if number == 0 { Err(error) } else { Ok(()) };
                    break;
                }
            }
        }
        drop(done);
        let mut worker = Worker::new(search, problem.grid.group_count);
        let root = problem.root(&all, &mut worker);
        while finished.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            if search.control.is_late() || !watch(lower.get(), search.entry(&root).upper) {
                search.control.stop();
            }
        }
        // Joined, never detached: detaching a thread that is just ending is not safe in every C library, because its
        // long stack is unmapped at once.
        for handle in handles {
            if let Err(panic) = handle.join() {
                resume_unwind(panic);
            }
        }
        spawned
    })
}

/// Work of one thread: number 0 of `threads` proves, the others help.
fn work<A: CostAlgebra>(
    search: &Search<'_, A>,
    problem: &ReducedProblem<'_>,
    (number, threads): (usize, usize),
    all: &[u64],
    lower: &Rising,
    limit: &Rising,
) {
    let mut worker = Worker::new(search, problem.grid.group_count);
    let root = problem.root(all, &mut worker);
    if number % 2 == 1 {
        worker.go_backwards_above(root.summary.count / 2);
    }
    let _ending = (number == 0).then(|| Ending(search.control));
    // Stopping is not a failure: the memo keeps what was found.
    let _ = match number {
        0 => prove(&mut worker, root, lower, limit, threads == 1),
        _ => help(&mut worker, root, lower, limit),
    };
    if search.entry(&root).is_solved() {
        search.control.stop();
    }
}

/// Raises the limit step by step until it meets the best tree.
fn prove<A: CostAlgebra>(
    worker: &mut Worker<'_, '_, A>,
    root: State<'_>,
    lower: &Rising,
    shared_limit: &Rising,
    alone: bool,
) -> Result<(), Stopped> {
    let search = worker.search;
    lower.raise(worker.probe(root, f64::INFINITY)?.0);
    let (mut pace, mut effort, mut improving, mut size) = (None::<Pace>, 0, 0, FIRST_SIZE);
    loop {
        // A single thread does both in turn: a fifth of the work is for trees.
        while alone && effort <= MAX_EFFORT && improving <= search.control.states() / 5 {
            let before = search.control.states();
            attempt(worker, root, effort, &mut size);
            if search.control.is_stopped() {
                return Err(Stopped);
            }
            effort += 1;
            improving += search.control.states() - before;
        }
        let entry = search.entry(&root);
        lower.raise(entry.lower);
        let (low, high) = (lower.get(), entry.upper);
        if low >= high {
            return Ok(());
        }
        let step = search.algebra.step(low);
        let least = step.max(LEAST_SHARE * (high - low));
        let rise = match high < f64::INFINITY {
            true => pace.get_or_insert(Pace::new(high - low)).rise(search.control).max(least),
            false => 0.05 * low.abs() + step,
        };
        let limit = high.min(low + rise);
        shared_limit.raise(limit);
        let before = search.control.states();
        // A round that aims too high is given up for one that aims lower; the memo keeps what it found.
        let modest = limit <= low + step * 1.5 || rise <= least;
        worker.ration(if modest { u64::MAX } else { OVERRUN * (SETUP_STATES + before) });
        let value = match worker.solve(root, limit) {
            Err(Stopped) if !search.control.is_stopped() => {
                pace.iter_mut().for_each(|pace| pace.give_up(search.control.states()));
                continue;
            }
            value => value?,
        };
        lower.raise(value);
        if value < limit {
            return Ok(());
        }
        let taken = search.control.states() - before;
        pace.iter_mut().for_each(|pace| pace.learn(limit - low, before, taken));
    }
}

/// Step size of the limit. Work grows exponentially with the limit, so a round that takes as long as all before it
/// wastes little if it fails, and repeats little if it succeeds.
struct Pace {
    /// Rise of the limit that doubles the work.
    doubling: f64,
    /// Number of states until which rounds look too easy, because the memo holds the entries of a round that failed.
    settled: u64,
}

impl Pace {
    fn new(gap: f64) -> Self {
        Self { doubling: FIRST_SHARE * gap, settled: 0 }
    }

    /// Next rise of the limit, or a smaller one if the time for it is short.
    fn rise(&self, control: &Control) -> f64 {
        let part = control.time_left().map_or(1.0, |left| f64::min(1.0, TIME_SHARE * left));
        self.doubling * (1.0 + part).log2()
    }

    fn give_up(&mut self, states: u64) {
        *self = Self { doubling: self.doubling / 2.0, settled: 2 * states };
    }

    /// Updates the estimate: a round that raised the limit by `rise` took `taken` states after `before`.
    fn learn(&mut self, rise: f64, before: u64, taken: u64) {
        let doublings = (1.0 + taken as f64 / (SETUP_STATES + before) as f64).log2();
        let (least, most) =
            (self.doubling / 2.0, self.doubling * if before < self.settled { 1.0 } else { 1.5 });
        self.doubling = (rise / doublings).min(most).max(least);
    }
}

/// Number of states that an attempt at better trees may visit.
fn ration(effort: u8) -> u64 {
    FIRST_RATION << effort.min(MAX_EFFORT)
}

/// Looks for better trees; `size` is the size of the subtrees that are solved, larger after each success.
fn attempt<A: CostAlgebra>(worker: &mut Worker<'_, '_, A>, root: State<'_>, effort: u8, size: &mut u32) {
    worker.ration(ration(effort));
    // Stopping is not a failure: the memo keeps what was found.
    let _ = worker.improve(root, effort);
    worker.ration(u64::MAX);
    if let Ok(true) = worker.polish(root, *size, ration(effort) / 8) {
        *size += *size / 4;
    }
}

/// Looks for better trees and proves bounds in turn: a third of the work is for trees.
fn help<A: CostAlgebra>(
    worker: &mut Worker<'_, '_, A>,
    root: State<'_>,
    lower: &Rising,
    limit: &Rising,
) -> Result<(), Stopped> {
    let control = worker.search.control;
    // Number of attempts in a row without a better tree: with more, the next one is less urgent.
    let (mut size, mut idle) = (FIRST_SIZE, 0);
    for effort in 0u8.. {
        let before = worker.search.entry(&root).upper;
        if effort <= MAX_EFFORT {
            attempt(worker, root, effort, &mut size);
        }
        if control.is_stopped() || worker.search.entry(&root).is_solved() {
            break;
        }
        idle = if worker.search.entry(&root).upper < before { 0 } else { idle + 1 };
        worker.ration((2 + idle) * ration(effort));
        // Until the next round begins there is nothing to do.
        while let Ok(value) = worker.solve(root, limit.get().max(lower.get())) {
            lower.raise(value);
            if control.is_stopped() || worker.search.entry(&root).is_solved() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_micros(100));
        }
    }
    Ok(())
}
