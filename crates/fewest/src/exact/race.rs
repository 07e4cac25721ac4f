//! The threads: one raises the bound, one looks for better trees and then helps with the bound.

use super::aim::Aim;
use super::improve::MOST_EFFORT;
use super::limit::{Control, Stopped};
use super::options::State;
use super::plan::Ground;
use super::search::{Search, Worker};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

/// A path may be as long as there are objects, and every question on it takes a frame of the stack.
const STACK: usize = 256 << 20;

/// Runs `work` where deep trees find room.
pub(super) fn on_a_long_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    scope(|scope| Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()?.join().ok())
}

/// How many sets the first attempt at better trees may look at; each one after it, twice as many.
const FIRST_RATION: u64 = 512;

/// Parts of the best tree of so many objects are solved at first.
const FIRST_SIZE: u32 = 16;

/// The part of the gap that the first round wants.
const FIRST_SHARE: f64 = 0.2;

/// A round is given up when it has looked at so many times the sets it was meant to take.
const PATIENCE: u64 = 2;

/// So many sets are nothing.
const FEW: u64 = 2_000;

/// The least part of the gap that a round wants.
const LEAST_SHARE: f64 = 0.02;

/// A round is meant to take no more than this part of the time that is left.
const TIME_SHARE: f64 = 0.7;

/// How often somebody is told how far the search is.
const TICK: Duration = Duration::from_millis(100);

/// A number that only rises, shared by threads.
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

/// Tells all threads to stop when the one that proves ends, however it ends.
struct Ending<'a>(&'a Control);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs the search to its end or until it is stopped; `watch` is told the bound every now and then, and may stop it.
///
/// What was found is in the search's memory; the bound of all objects is in `lower`.
pub(super) fn race<A: Aim>(
    search: &Search<'_, A>,
    ground: &Ground<'_>,
    threads: usize,
    lower: &Rising,
    mut watch: impl FnMut(f64, f64) -> bool,
) -> std::io::Result<()> {
    let all = ground.grid.all();
    let limit = Rising::new(f64::NEG_INFINITY);
    scope(|scope| {
        let (done, finished) = channel::<()>();
        let spawn = |number: usize| {
            let (done, all, limit) = (done.clone(), &all, &limit);
            Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let mut worker = Worker::new(search, ground.grid.group_count);
                let root = ground.root(all, &mut worker);
                if number % 2 == 1 {
                    worker.go_backwards_above(root.tally.count / 2);
                }
                let _ending = (number == 0).then(|| Ending(search.control));
                // Stopping is no failure: what is known stays known.
                let _ = match number {
                    0 => prove(&mut worker, root, lower, limit, threads == 1),
                    _ => help(&mut worker, root, lower, limit),
                };
                if search.known(&root).is_solved() {
                    search.control.stop();
                }
                drop(done);
            })
        };
        let mut spawned = Ok(());
        let mut handles = Vec::new();
        for number in 0..threads.max(1) {
            match spawn(number) {
                Ok(handle) => handles.push(handle),
                Err(error) => {
                    // One thread is enough; none is not.
                    spawned = if number == 0 { Err(error) } else { Ok(()) };
                    break;
                }
            }
        }
        drop(done);
        let mut worker = Worker::new(search, ground.grid.group_count);
        let root = ground.root(&all, &mut worker);
        while finished.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            if search.control.is_late() || !watch(lower.get(), search.known(&root).upper) {
                search.control.stop();
            }
        }
        // Joined, never detached: letting go of a thread that is just ending is not safe in every C library, since a long
        // stack is given back at once.
        for handle in handles {
            if let Err(panic) = handle.join() {
                resume_unwind(panic);
            }
        }
        spawned
    })
}

/// Raises the limit step by step, until it meets the best tree.
fn prove<A: Aim>(
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
        // One thread does both in turn: a fifth of the work is for trees.
        while alone && effort <= MOST_EFFORT && improving <= search.control.states() / 5 {
            let before = search.control.states();
            attempt(worker, root, effort, &mut size);
            if search.control.is_stopped() {
                return Err(Stopped);
            }
            effort += 1;
            improving += search.control.states() - before;
        }
        let known = search.known(&root);
        lower.raise(known.lower);
        let (low, high) = (lower.get(), known.upper);
        if low >= high {
            return Ok(());
        }
        let step = search.aim.step(low);
        let least = step.max(LEAST_SHARE * (high - low));
        let rise = match high < f64::INFINITY {
            true => pace.get_or_insert(Pace::new(high - low)).rise(search.control).max(least),
            false => 0.05 * low.abs() + step,
        };
        let limit = high.min(low + rise);
        shared_limit.raise(limit);
        let before = search.control.states();
        // A round that wants too much is given up for one that wants less; what it learned is kept.
        let modest = limit <= low + step * 1.5 || rise <= least;
        worker.ration(if modest { u64::MAX } else { PATIENCE * (FEW + before) });
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

/// How far the limit is to rise. Work doubles with every so much that it does; so a round that takes as long as all
/// before it wastes little if it fails, and little is done twice if it does not.
struct Pace {
    /// So much.
    doubling: f64,
    /// What was learned in vain makes rounds look easy until so many sets were looked at.
    settled: u64,
}

impl Pace {
    fn new(gap: f64) -> Self {
        Self { doubling: FIRST_SHARE * gap, settled: 0 }
    }

    /// By how much to raise it now, or by less if the time for that is short.
    fn rise(&self, control: &Control) -> f64 {
        let part = control.time_left().map_or(1.0, |left| f64::min(1.0, TIME_SHARE * left));
        self.doubling * (1.0 + part).log2()
    }

    fn give_up(&mut self, states: u64) {
        *self = Self { doubling: self.doubling / 2.0, settled: 2 * states };
    }

    /// A round that raised it by `rise` took so many sets after those before it.
    fn learn(&mut self, rise: f64, before: u64, taken: u64) {
        let doublings = (1.0 + taken as f64 / (FEW + before) as f64).log2();
        let (least, most) =
            (self.doubling / 2.0, self.doubling * if before < self.settled { 1.0 } else { 1.5 });
        self.doubling = (rise / doublings).min(most).max(least);
    }
}

/// How many sets an attempt at better trees may look at.
fn ration(effort: u8) -> u64 {
    FIRST_RATION << effort.min(MOST_EFFORT)
}

/// Looks for better trees; `size` is how large the parts of the best one are that are solved, more each time that it works.
fn attempt<A: Aim>(worker: &mut Worker<'_, '_, A>, root: State<'_>, effort: u8, size: &mut u32) {
    worker.ration(ration(effort));
    // Stopping is no failure: what is known stays known.
    let _ = worker.improve(root, effort);
    worker.ration(u64::MAX);
    if let Ok(true) = worker.polish(root, *size, ration(effort) / 8) {
        *size += *size / 4;
    }
}

/// Looks for better trees, and for reasons why there is none, in turn: a third of the work is for trees.
fn help<A: Aim>(
    worker: &mut Worker<'_, '_, A>,
    root: State<'_>,
    lower: &Rising,
    limit: &Rising,
) -> Result<(), Stopped> {
    let control = worker.search.control;
    // How many attempts in a row found no better tree: the next is then not so urgent.
    let (mut size, mut idle) = (FIRST_SIZE, 0);
    for effort in 0u8.. {
        let before = worker.search.known(&root).upper;
        if effort <= MOST_EFFORT {
            attempt(worker, root, effort, &mut size);
        }
        if control.is_stopped() || worker.search.known(&root).is_solved() {
            break;
        }
        idle = if worker.search.known(&root).upper < before { 0 } else { idle + 1 };
        worker.ration((2 + idle) * ration(effort));
        // Until the next round begins there is nothing to do.
        while let Ok(value) = worker.solve(root, limit.get().max(lower.get())) {
            lower.raise(value);
            if control.is_stopped() || worker.search.known(&root).is_solved() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_micros(100));
        }
    }
    Ok(())
}
