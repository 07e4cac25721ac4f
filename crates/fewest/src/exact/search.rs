//! The search: alpha–beta over sets of objects, with what is known of each set kept.
//!
//! It knows no particular objective or bound: those are the [`Aim`]'s. A call asks whether a set can be told apart for
//! less than a limit. The questions are tried in order of their bounds; one is refuted when the bounds of what its
//! answers leave, raised by searching there, add up to the limit. The limit at the root is raised step by step, so at
//! any time there is a bound that holds, and memory keeps earlier rounds from being done again.

use super::aim::Aim;
use super::grid::Column;
use super::limit::{Control, Stopped};
use super::memo::{Known, Memo};
use super::options::{Child, Choice, Counter, Options, State};
use super::switches::Switches;

/// Sets of so many objects take long enough for another thread to be done with them first.
const SHARED: u32 = 24;

/// So many sets are looked at between two looks at what other threads are done with.
const LOOK: u64 = 64;

/// All that the threads share.
pub(super) struct Search<'a, A> {
    pub(super) aim: A,
    pub(super) memo: Memo,
    pub(super) control: &'a Control,
    pub(super) switches: Switches,
    /// The name of the set of all objects, and for each column there the one that stands for it by symmetry.
    pub(super) symmetry: (u128, Vec<u32>),
}

/// One thread's part.
pub(super) struct Worker<'s, 'a, A> {
    pub(super) search: &'s Search<'a, A>,
    pub(super) counter: Counter,
    /// Questions of sets of more objects are tried from the last to the first, so that two threads meet in the middle.
    forwards: u32,
    ration: u64,
    /// The larger sets that are being searched, each within the one before it, and below what each is to stay.
    open: Vec<(u128, f64)>,
    /// Which of them another thread was done with first.
    overtaken: Option<usize>,
}

impl<'s, 'a, A: Aim> Worker<'s, 'a, A> {
    pub(super) fn new(search: &'s Search<'a, A>, groups: usize) -> Self {
        let counter = Counter::new(groups, &search.switches);
        Self { search, counter, forwards: u32::MAX, ration: u64::MAX, open: Vec::new(), overtaken: None }
    }

    /// Tries the questions of sets of more than `objects` objects from the last to the first.
    pub(super) fn go_backwards_above(&mut self, objects: u32) {
        self.forwards = objects;
    }

    /// Stops after so many sets.
    pub(super) fn ration(&mut self, states: u64) {
        self.ration = states;
    }

    /// Does some work, and stops it after so many sets.
    pub(super) fn with_ration<T>(&mut self, states: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        let ration = std::mem::replace(&mut self.ration, states);
        let done = work(self);
        self.ration = ration.saturating_sub(states - self.ration);
        done
    }

    /// Counts a set that is looked at, and says when to stop.
    pub(super) fn step(&mut self) -> Result<(), Stopped> {
        self.search.control.step()?;
        self.ration = self.ration.saturating_sub(1);
        if self.ration == 0 || (self.ration.is_multiple_of(LOOK) && self.is_overtaken()) {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    /// Whether another thread has found that one of the sets being searched does not stay below its limit.
    fn is_overtaken(&mut self) -> bool {
        let memo = &self.search.memo;
        let done = |(key, limit): &(u128, f64)| memo.get(*key).is_some_and(|known| known.lower >= *limit);
        self.overtaken = self.open.iter().position(done);
        self.overtaken.is_some()
    }

    /// The value of the best tree for `state` if that is below `limit`; else a bound of at least `limit`.
    pub(super) fn solve(&mut self, state: State<'_>, limit: f64) -> Result<f64, Stopped> {
        let known = self.search.known(&state);
        if known.lower >= limit || known.is_solved() {
            return Ok(known.lower);
        }
        let compact = self.search.switches.compact;
        let mut work = |state: State<'_>| {
            let options = self.survey(&state, limit.min(known.upper))?;
            self.try_all(&state, options, limit)
        };
        if compact { state.compact(work) } else { work(state) }
    }

    /// A bound from the questions of `state` alone, and the questions if they are still worth a try.
    pub(super) fn probe(&mut self, state: State<'_>, limit: f64) -> Result<(f64, Option<Options>), Stopped> {
        let known = self.search.known(&state);
        if known.lower >= limit || known.is_solved() {
            return Ok((known.lower, None));
        }
        let mut options = self.survey(&state, limit.min(known.upper))?;
        let floor = self.floor(&options);
        let lower = if floor >= limit { floor } else { self.least(&state, &mut options).max(floor) };
        let lower = lower.max(known.lower).min(known.upper);
        self.search.note(&state, Known { lower, ..known });
        if lower < limit && !state.is_small() {
            return Ok((lower, Some(options)));
        }
        self.counter.reuse(options);
        Ok((lower, None))
    }

    /// The questions of a set that may be worth less than `bar`.
    fn survey(&mut self, state: &State<'_>, bar: f64) -> Result<Options, Stopped> {
        self.step()?;
        let Switches { peel, parts, .. } = self.search.switches;
        let mut options = self.counter.options(state, &self.search.aim, bar, peel);
        if parts && !state.grid.own {
            self.recall_all(state, &mut options);
        }
        options.sort();
        Ok(options)
    }

    /// What the survey says of the set itself.
    fn floor(&self, options: &Options) -> f64 {
        options.peel.max(if self.search.switches.parts { options.parts } else { f64::NEG_INFINITY })
    }

    /// The least bound of the questions.
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

    /// Tries the questions until one is worth less than the limit, or none is; with the promises of [`Self::solve`].
    fn try_all(&mut self, state: &State<'_>, options: Options, limit: f64) -> Result<f64, Stopped> {
        if state.tally.count < SHARED {
            return self.try_each(state, options, limit);
        }
        let depth = self.open.len();
        self.open.push((state.key, limit));
        let found = self.try_each(state, options, limit);
        self.open.truncate(depth);
        if found.is_err() && self.overtaken.take_if(|at| *at == depth).is_some() {
            return Ok(limit.max(self.search.known(state).lower));
        }
        found
    }

    fn try_each(&mut self, state: &State<'_>, mut options: Options, limit: f64) -> Result<f64, Stopped> {
        let known = self.search.known(state);
        let Known { mut upper, mut test, .. } = known;
        let floor = known.lower.max(self.floor(&options));
        let count = if floor < limit { options.choices.len() } else { 0 };
        let mut least = if floor < limit { options.dropped } else { floor };
        let mut orbits: Vec<u32> = Vec::new();
        let is_backwards = state.tally.count > self.forwards;
        for turn in 0..count {
            let choice = options.choices[if is_backwards { count - 1 - turn } else { turn }];
            let bar = limit.min(upper);
            if choice.lower >= bar {
                least = least.min(choice.lower);
                continue;
            }
            // At the root, one question of each orbit is tried; the others are worth the same.
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
        self.search.note(state, Known { lower, upper, test, ..known });
        self.counter.reuse(options);
        Ok(lower)
    }

    /// Looks up what is known of all sets that questions lead to. Groups have little entropy where objects have much,
    /// so the bounds of parts found by searching are often the best there are for the whole.
    pub(super) fn recall_all(&mut self, state: &State<'_>, options: &mut Options) {
        // All names first: a processor waits for several places in memory at once if nothing stands between.
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
            options.choices[at].lower = self.search.aim.ask(cost, state.tally.mass, below);
            if below > options.parts && state.budget == f64::INFINITY {
                (options.parts, options.richest) = (below, choice.column);
            }
        }
    }

    /// The bound of a choice with what is known of the sets it leads to.
    pub(super) fn recall(&mut self, state: &State<'_>, choice: &Choice, options: &mut Options) -> f64 {
        let children = options.children(choice);
        self.counter.name(state, choice, children);
        self.search.refresh(children);
        self.search.total(state, &state.grid.tests[choice.column as usize], children)
    }

    /// The value of a question, or a bound of at least `bar`.
    pub(super) fn evaluate(
        &mut self,
        state: &State<'_>,
        column: &Column,
        children: &mut [Child],
        bar: f64,
    ) -> Result<f64, Stopped> {
        let search = self.search;
        search.refresh(children);
        // Small sets are soon solved, so they come first; not where objects are alike, because there their bounds are all
        // but exact and only large sets have something to show.
        let mut order: Vec<usize> = (0..children.len()).collect();
        order.sort_by_key(|at| match state.grid.plain() {
            Some(_) => u32::MAX - children[*at].tally.count,
            None => children[*at].tally.count,
        });
        let mut set = vec![0u64; state.grid.words];
        let mut surveys: Vec<Option<Options>> = children.iter().map(|_| None).collect();
        // A look one question ahead at every child comes first: often it is enough, and no child is searched in vain.
        if search.switches.probe {
            for &at in &order {
                let value = search.total(state, column, children);
                if value >= bar {
                    return Ok(value);
                }
                if !children[at].is_solved() {
                    let room = search.room(state, column, children, at, bar);
                    let (value, options) =
                        self.probe(child_of(state, column, &children[at], &mut set), room)?;
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
            let room = search.room(state, column, children, at, bar);
            let below = child_of(state, column, &children[at], &mut set);
            // What was surveyed for more room serves for less.
            let value = match surveys[at].take() {
                Some(options) => self.try_all(&below, options, room)?,
                None => self.solve(below, room)?,
            };
            let child = &mut children[at];
            child.lower = child.lower.max(value);
            if value < room {
                child.upper = value;
            }
        }
        let value = search.total(state, column, children);
        // A child that left its room unfilled: then the sum is not below the bar, whatever rounding says.
        Ok(if children.iter().all(Child::is_solved) { value } else { value.max(bar) })
    }
}

/// The state that an answer leads to; its objects are written to `set`.
pub(super) fn child_of<'g>(
    state: &State<'g>,
    column: &Column,
    child: &Child,
    set: &'g mut [u64],
) -> State<'g> {
    let plane = state.grid.plane(column, child.class as usize);
    set.iter_mut().zip(plane.iter().zip(state.set)).for_each(|(word, (plane, set))| *word = plane & set);
    State { grid: state.grid, set, tally: child.tally, key: child.key, budget: state.budget - column.cost }
}

impl<A: Aim> Search<'_, A> {
    /// What is known of a set.
    pub(super) fn known(&self, state: &State<'_>) -> Known {
        self.memo.get(state.key).unwrap_or(Known::nothing(state.tally.count))
    }

    /// Keeps what was learned of a set.
    pub(super) fn note(&self, state: &State<'_>, known: Known) {
        self.memo.put(state.key, known);
    }

    /// Takes over what was learned of the children since they were made.
    pub(super) fn refresh(&self, children: &mut [Child]) {
        for child in children.iter_mut().filter(|child| !child.is_solved()) {
            if let Some(known) = self.memo.get(child.key) {
                child.lower = child.lower.max(known.lower);
                child.upper = child.upper.min(known.upper);
            }
        }
    }

    /// The bound of a question from those of its children.
    pub(super) fn total(&self, state: &State<'_>, column: &Column, children: &[Child]) -> f64 {
        self.aim.ask(column.cost, state.tally.mass, self.below(children))
    }

    /// The bound of children together.
    fn below(&self, children: &[Child]) -> f64 {
        children.iter().fold(self.aim.none(), |sum, child| self.aim.join(sum, child.lower))
    }

    /// Below which value the child numbered `at` must stay for the question to stay below `bar`.
    fn room(&self, state: &State<'_>, column: &Column, children: &[Child], at: usize, bar: f64) -> f64 {
        let others = children.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.fold(self.aim.none(), |sum, (_, child)| self.aim.join(sum, child.lower));
        self.aim.room(bar, column.cost, state.tally.mass, others)
    }
}
