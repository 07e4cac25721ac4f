//! Search: branch and bound over sets of objects, with a limit as in alpha–beta and a memo of bounds.
//!
//! This file contains no particular objective or bound: those are in [`CostAlgebra`]. A call asks whether a set has a
//! tree of value below a limit. The questions are tried in order of their bounds; one is refuted when the bounds of
//! its parts, raised by searching there, reach the limit. The limit at the root is raised step by step, so at any
//! time there is a bound that holds, and the memo keeps earlier rounds from being repeated.

use super::algebra::CostAlgebra;
use super::control::{Control, Stopped};
use super::counter::Counter;
use super::grid::Column;
use super::memo::{Memo, MemoEntry};
use super::state::{Child, Choice, Options, State};
use super::switches::Switches;

/// Least number of objects of a set whose search takes long enough for another thread to finish it first.
const MIN_SHARED_OBJECTS: u32 = 24;

/// Number of states between two looks at the sets that other threads have finished.
const STATES_BETWEEN_LOOKS: u64 = 64;

/// State shared by all threads.
pub(super) struct Search<'a, A> {
    pub(super) algebra: A,
    pub(super) memo: Memo,
    pub(super) control: &'a Control,
    pub(super) switches: Switches,
    /// Key of the set of all objects, and for each column there the one that stands for it by symmetry.
    pub(super) symmetry: (u128, Vec<u32>),
}

/// One thread of the search.
pub(super) struct Worker<'s, 'a, A> {
    pub(super) search: &'s Search<'a, A>,
    pub(super) counter: Counter,
    /// Number of objects above which questions are tried from the last to the first, so that two threads meet in the
    /// middle.
    forwards: u32,
    ration: u64,
    /// Larger sets on the current path, each within the one before it, with their limits.
    open: Vec<(u128, f64)>,
    /// Index of the set that another thread finished first.
    overtaken: Option<usize>,
}

impl<'s, 'a, A: CostAlgebra> Worker<'s, 'a, A> {
    pub(super) fn new(search: &'s Search<'a, A>, groups: usize) -> Self {
        let counter = Counter::new(groups, &search.switches);
        Self { search, counter, forwards: u32::MAX, ration: u64::MAX, open: Vec::new(), overtaken: None }
    }

    /// Tries the questions of sets of more than `objects` objects from the last to the first.
    pub(super) fn go_backwards_above(&mut self, objects: u32) {
        self.forwards = objects;
    }

    /// Stops after `states` states.
    pub(super) fn ration(&mut self, states: u64) {
        self.ration = states;
    }

    /// Runs `work`, and stops it after `states` states.
    pub(super) fn with_ration<T>(&mut self, states: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        let ration = std::mem::replace(&mut self.ration, states);
        let done = work(self);
        self.ration = ration.saturating_sub(states - self.ration);
        done
    }

    /// Counts a state; fails when it is time to stop.
    pub(super) fn step(&mut self) -> Result<(), Stopped> {
        self.search.control.step()?;
        self.ration = self.ration.saturating_sub(1);
        if self.ration == 0 || (self.ration.is_multiple_of(STATES_BETWEEN_LOOKS) && self.is_overtaken()) {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    /// Whether another thread has proved that a set on the current path does not stay below its limit.
    fn is_overtaken(&mut self) -> bool {
        let memo = &self.search.memo;
        let done = |(key, limit): &(u128, f64)| memo.get(*key).is_some_and(|entry| entry.lower >= *limit);
        self.overtaken = self.open.iter().position(done);
        self.overtaken.is_some()
    }

    /// Value of the best tree for `state` if it is below `limit`; otherwise a lower bound of at least `limit`.
    pub(super) fn solve(&mut self, state: State<'_>, limit: f64) -> Result<f64, Stopped> {
        let entry = self.search.entry(&state);
        if entry.lower >= limit || entry.is_solved() {
            return Ok(entry.lower);
        }
        let compact = self.search.switches.compact;
        let mut work = |state: State<'_>| {
            let options = self.survey(&state, limit.min(entry.upper))?;
            self.try_all(&state, options, limit)
        };
        if compact { state.compact(work) } else { work(state) }
    }

    /// Lower bound from the questions of `state` alone, and the questions if they are still worth trying.
    pub(super) fn probe(&mut self, state: State<'_>, limit: f64) -> Result<(f64, Option<Options>), Stopped> {
        let entry = self.search.entry(&state);
        if entry.lower >= limit || entry.is_solved() {
            return Ok((entry.lower, None));
        }
        let mut options = self.survey(&state, limit.min(entry.upper))?;
        let floor = self.floor(&options);
        let lower = if floor >= limit { floor } else { self.least(&state, &mut options).max(floor) };
        let lower = lower.max(entry.lower).min(entry.upper);
        self.search.note(&state, MemoEntry { lower, ..entry });
        if lower < limit && !state.is_small() {
            return Ok((lower, Some(options)));
        }
        self.counter.reuse(options);
        Ok((lower, None))
    }

    /// Finds the questions of a set that may have a value below `bar`.
    fn survey(&mut self, state: &State<'_>, bar: f64) -> Result<Options, Stopped> {
        self.step()?;
        let Switches { majority_path, parts, .. } = self.search.switches;
        let mut options = self.counter.options(state, &self.search.algebra, bar, majority_path);
        if parts && !state.grid.own {
            self.recall_all(state, &mut options);
        }
        options.sort();
        Ok(options)
    }

    /// Lower bound of the set itself from its questions.
    fn floor(&self, options: &Options) -> f64 {
        options.majority_path.max(if self.search.switches.parts { options.parts } else { f64::NEG_INFINITY })
    }

    /// Least bound of the questions.
    fn least(&mut self, state: &State<'_>, options: &mut Options) -> f64 {
        let mut least = options.dropped;
        for at in 0..options.choices.len() {
            let choice = options.choices[at];
            if choice.lower >= least {
                break;
            }
            let bound = if choice.is_named { choice.lower } else { self.recall(state, &choice, options) };
            least = least.min(bound);
        }
        least
    }

    /// Tries the questions until one has a value below the limit, or none has; returns the same value as
    /// [`Self::solve`].
    fn try_all(&mut self, state: &State<'_>, options: Options, limit: f64) -> Result<f64, Stopped> {
        if state.summary.count < MIN_SHARED_OBJECTS {
            return self.try_each(state, options, limit);
        }
        let depth = self.open.len();
        self.open.push((state.key, limit));
        let found = self.try_each(state, options, limit);
        self.open.truncate(depth);
        if found.is_err() && self.overtaken.take_if(|at| *at == depth).is_some() {
            return Ok(limit.max(self.search.entry(state).lower));
        }
        found
    }

    fn try_each(&mut self, state: &State<'_>, mut options: Options, limit: f64) -> Result<f64, Stopped> {
        let entry = self.search.entry(state);
        let MemoEntry { mut upper, mut test, .. } = entry;
        let floor = entry.lower.max(self.floor(&options));
        let count = if floor < limit { options.choices.len() } else { 0 };
        let mut least = if floor < limit { options.dropped } else { floor };
        let mut orbits: Vec<u32> = Vec::new();
        let is_backwards = state.summary.count > self.forwards;
        for turn in 0..count {
            let choice = options.choices[if is_backwards { count - 1 - turn } else { turn }];
            let bar = limit.min(upper);
            if choice.lower >= bar {
                least = least.min(choice.lower);
                continue;
            }
            // At the root, one question of each orbit is tried; the others have the same value.
            let is_root = state.key == self.search.symmetry.0;
            let orbit = if is_root { self.search.symmetry.1.get(choice.column as usize) } else { None };
            if let Some(orbit) = orbit {
                if orbits.contains(orbit) {
                    continue;
                }
                orbits.push(*orbit);
            }
            if !choice.is_named {
                self.counter.name(state, &choice, options.children(&choice));
            }
            let column = &state.grid.tests[choice.column as usize];
            let children = options.children(&choice);
            let value = self.evaluate(state, column, children, bar)?;
            least = least.min(value);
            if value < upper && children.iter().all(Child::is_solved) {
                (upper, test) = (value, column.test);
                if value <= floor {
                    break;
                }
            }
        }
        let lower = least.max(floor).min(upper);
        self.search.note(state, MemoEntry { lower, upper, test, ..entry });
        self.counter.reuse(options);
        Ok(lower)
    }

    /// Looks up the bounds of all sets that questions lead to. If groups have little entropy compared with objects,
    /// bounds found by searching the parts are often the best for the whole.
    pub(super) fn recall_all(&mut self, state: &State<'_>, options: &mut Options) {
        // All keys first: a processor overlaps several memory accesses if no other work separates them.
        for at in 0..options.choices.len() {
            let choice = options.choices[at];
            self.counter.name(state, &choice, options.children(&choice));
        }
        for at in 0..options.choices.len() {
            let choice = options.choices[at];
            let children = options.children(&choice);
            self.search.refresh(children);
            let below = self.search.below(children);
            let cost = state.grid.tests[choice.column as usize].cost;
            options.choices[at].is_named = true;
            options.choices[at].lower = self.search.algebra.ask(cost, state.summary.mass, below);
            if below > options.parts && state.budget == f64::INFINITY {
                (options.parts, options.best_split) = (below, choice.column);
            }
        }
    }

    /// Lower bound of a choice with the memo's bounds of its parts.
    pub(super) fn recall(&mut self, state: &State<'_>, choice: &Choice, options: &mut Options) -> f64 {
        let children = options.children(choice);
        self.counter.name(state, choice, children);
        self.search.refresh(children);
        self.search.total(state, &state.grid.tests[choice.column as usize], children)
    }

    /// Value of a question, or a lower bound of at least `bar`.
    pub(super) fn evaluate(
        &mut self,
        state: &State<'_>,
        column: &Column,
        children: &mut [Child],
        bar: f64,
    ) -> Result<f64, Stopped> {
        let search = self.search;
        search.refresh(children);
        // Small parts are soon solved, so they come first. This does not apply if objects are alike, because then
        // their bounds are nearly exact and only large parts can raise the sum.
        let mut order: Vec<usize> = (0..children.len()).collect();
        order.sort_by_key(|at| match state.grid.plain() {
            Some(_) => u32::MAX - children[*at].summary.count,
            None => children[*at].summary.count,
        });
        let mut set = vec![0u64; state.grid.words];
        let mut surveys: Vec<Option<Options>> = children.iter().map(|_| None).collect();
        // Each part is probed one question ahead first: often that suffices to refute, and no part is searched in
        // vain.
        if search.switches.probe {
            for &at in &order {
                let value = search.total(state, column, children);
                if value >= bar {
                    return Ok(value);
                }
                if !children[at].is_solved() {
                    let child_limit = search.child_limit(state, column, children, at, bar);
                    let (value, options) =
                        self.probe(child_of(state, column, &children[at], &mut set), child_limit)?;
                    children[at].lower = children[at].lower.max(value);
                    surveys[at] = options;
                }
            }
        }
        for at in order {
            let value = search.total(state, column, children);
            if value >= bar {
                return Ok(value);
            }
            if children[at].is_solved() {
                continue;
            }
            let child_limit = search.child_limit(state, column, children, at, bar);
            let below = child_of(state, column, &children[at], &mut set);
            // Options found for a higher limit also serve for a lower one.
            let value = match surveys[at].take() {
                Some(options) => self.try_all(&below, options, child_limit)?,
                None => self.solve(below, child_limit)?,
            };
            let child = &mut children[at];
            child.lower = child.lower.max(value);
            if value < child_limit {
                child.upper = value;
            }
        }
        let value = search.total(state, column, children);
        // A part was left unsolved: then the sum is not below the bar, regardless of rounding.
        Ok(if children.iter().all(Child::is_solved) { value } else { value.max(bar) })
    }
}

/// State that an answer leads to; its objects are written to `set`.
pub(super) fn child_of<'g>(
    state: &State<'g>,
    column: &Column,
    child: &Child,
    set: &'g mut [u64],
) -> State<'g> {
    let plane = state.grid.plane(column, child.class as usize);
    set.iter_mut().zip(plane.iter().zip(state.set)).for_each(|(word, (plane, set))| *word = plane & set);
    State {
        grid: state.grid,
        set,
        summary: child.summary,
        key: child.key,
        budget: state.budget - column.cost,
    }
}

impl<A: CostAlgebra> Search<'_, A> {
    /// Memo entry of a set.
    pub(super) fn entry(&self, state: &State<'_>) -> MemoEntry {
        self.memo.get(state.key).unwrap_or(MemoEntry::unknown(state.summary.count))
    }

    /// Stores an entry for a set.
    pub(super) fn note(&self, state: &State<'_>, entry: MemoEntry) {
        self.memo.put(state.key, entry);
    }

    /// Updates the bounds of the parts from the memo.
    pub(super) fn refresh(&self, children: &mut [Child]) {
        for child in children.iter_mut().filter(|child| !child.is_solved()) {
            if let Some(entry) = self.memo.get(child.key) {
                child.lower = child.lower.max(entry.lower);
                child.upper = child.upper.min(entry.upper);
            }
        }
    }

    /// Lower bound of a question from those of its parts.
    pub(super) fn total(&self, state: &State<'_>, column: &Column, children: &[Child]) -> f64 {
        self.algebra.ask(column.cost, state.summary.mass, self.below(children))
    }

    /// Lower bound of parts together.
    fn below(&self, children: &[Child]) -> f64 {
        children.iter().fold(self.algebra.none(), |sum, child| self.algebra.join(sum, child.lower))
    }

    /// Limit of the part numbered `at`, so that the question stays below `bar`.
    fn child_limit(
        &self,
        state: &State<'_>,
        column: &Column,
        children: &[Child],
        at: usize,
        bar: f64,
    ) -> f64 {
        let others = children.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.fold(self.algebra.none(), |sum, (_, child)| self.algebra.join(sum, child.lower));
        self.algebra.child_limit(bar, column.cost, state.summary.mass, others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::algebra::Worst;

    /// Runs `work` with a search of no table.
    fn with_search(work: impl FnOnce(&Search<'_, Worst>)) {
        let control = Control::new(None, None);
        let (memo, symmetry) = (Memo::new(1 << 20, 0), (0, Vec::new()));
        work(&Search {
            algebra: Worst { unit: 1.0 },
            memo,
            control: &control,
            switches: Switches::ALL,
            symmetry,
        });
    }

    /// Number of states until the worker is told to stop.
    fn states<A: CostAlgebra>(worker: &mut Worker<'_, '_, A>) -> usize {
        (1..1_000).find(|_| worker.step().is_err()).unwrap_or(1_000)
    }

    #[test]
    fn a_worker_stops_when_its_ration_is_used_up_or_all_are_told_to() {
        with_search(|search| {
            let mut worker = Worker::new(search, 1);
            assert_eq!(states(&mut worker), 1_000);
            worker.ration(30);
            assert_eq!(worker.with_ration(4, states), 4);
            // Two of three states are used.
            assert!(worker.with_ration(3, |worker| worker.step().is_ok() && worker.step().is_ok()));
            assert_eq!(states(&mut worker), 30 - 4 - 2);
            let mut worker = Worker::new(search, 1);
            assert!(worker.step().is_ok());
            search.control.stop();
            assert!(worker.step().is_err());
        });
    }

    #[test]
    fn a_worker_stops_when_another_has_finished_a_set_on_its_path() {
        for (lower, is_done) in [(6.5, false), (7.0, true), (8.0, true)] {
            with_search(|search| {
                let mut worker = Worker::new(search, 1);
                worker.open = vec![(1, 5.0), (2, 7.0), (3, 9.0)];
                search.memo.put(2, MemoEntry { lower, ..MemoEntry::unknown(30) });
                worker.ration(1_000);
                // It looks after 960 states are left.
                let wanted = if is_done { 1_000 - 960 } else { 1_000 };
                assert_eq!(states(&mut worker), wanted);
                assert_eq!(worker.overtaken, is_done.then_some(1));
            });
        }
    }
}
