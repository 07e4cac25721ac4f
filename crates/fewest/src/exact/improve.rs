//! Better trees early: limited discrepancy search [HarveyGinsberg1995] from the most promising questions, with small
//! sets solved completely.
//!
//! The most promising question costs no effort, the second one unit, the next two cost two, the next four three, and
//! so on; effort spent at a node is missing further down. So a little effort tries a few questions everywhere and
//! many at one place, and each further unit widens all of that. Sets below a size that grows with the effort are
//! solved exactly.

use super::algebra::CostAlgebra;
use super::control::Stopped;
use super::memo::MemoEntry;
use super::search::{Worker, child_of};
use super::state::{Child, Choice, State};

/// Largest effort; long before it, the search has tried every question.
pub(super) const MAX_EFFORT: u8 = 40;

/// Most objects of a set that is solved exactly at effort 0; each unit of effort adds `SOLVED_OBJECTS_STEP`.
const SOLVED_OBJECTS: u32 = 8;
const SOLVED_OBJECTS_STEP: u32 = 4;

impl<A: CostAlgebra> Worker<'_, '_, A> {
    /// Looks for a better tree for `state`. Returns the value of the best one known.
    pub(super) fn improve(&mut self, state: State<'_>, effort: u8) -> Result<f64, Stopped> {
        let entry = self.search.entry(&state);
        if entry.is_solved() || entry.effort > effort {
            return Ok(entry.upper);
        }
        if state.summary.count <= SOLVED_OBJECTS + SOLVED_OBJECTS_STEP * u32::from(effort) {
            return Ok(self.solve(state, entry.upper)?.min(entry.upper));
        }
        state.compact(|state| self.widen(state, entry, effort))
    }

    /// Solves the subtrees of the best known tree that have at most `most` objects, with at most `sets` states each,
    /// and updates the value of that tree. Returns whether all of them were solved.
    pub(super) fn polish(&mut self, state: State<'_>, most: u32, sets: u64) -> Result<bool, Stopped> {
        let search = self.search;
        let entry = search.entry(&state);
        if entry.is_solved() {
            return Ok(true);
        }
        if state.summary.count <= most {
            let solved = self.with_ration(sets, |worker| worker.solve(state, entry.upper));
            return if search.control.is_stopped() { Err(Stopped) } else { Ok(solved.is_ok()) };
        }
        state.compact(|state| self.polish_parts(state, entry, most, sets))
    }

    fn polish_parts(
        &mut self,
        state: State<'_>,
        entry: MemoEntry,
        most: u32,
        sets: u64,
    ) -> Result<bool, Stopped> {
        let search = self.search;
        self.step()?;
        let mut options = self.counter.options(&state, &search.algebra, f64::INFINITY, false);
        let is_best = |choice: &&Choice| state.grid.tests[choice.column as usize].test == entry.test;
        let best = options.choices.iter().find(is_best).copied();
        let mut children = Vec::new();
        if let Some(choice) = best {
            self.counter.name(&state, &choice, options.children(&choice));
            children.extend_from_slice(options.children(&choice));
        }
        self.counter.reuse(options);
        let Some(column) = best.map(|choice| &state.grid.tests[choice.column as usize]) else {
            // The memo no longer has the tree.
            return Ok(false);
        };
        let (mut set, mut all) = (vec![0u64; state.grid.words], true);
        for child in children.iter().filter(|child| !child.is_solved()) {
            all &= self.polish(child_of(&state, column, child, &mut set), most, sets)?;
        }
        search.refresh(&mut children);
        children.iter_mut().for_each(|child| child.lower = child.upper);
        let upper = search.total(&state, column, &children);
        if upper < entry.upper {
            search.note(&state, MemoEntry { upper, ..entry });
        }
        Ok(all)
    }

    fn widen(&mut self, state: State<'_>, entry: MemoEntry, effort: u8) -> Result<f64, Stopped> {
        let search = self.search;
        self.step()?;
        let MemoEntry { mut upper, mut test, .. } = entry;
        let mut options = self.counter.options(&state, &search.algebra, upper, false);
        options.sort();
        let (root, orbits) = &search.symmetry;
        if state.key == *root {
            let mut seen = vec![false; orbits.len()];
            let mut is_new = |orbit: u32| !std::mem::replace(&mut seen[orbit as usize], true);
            options
                .choices
                .retain(|choice| orbits.get(choice.column as usize).is_none_or(|orbit| is_new(*orbit)));
        }
        vary(&mut options.choices);
        // The question of the best tree so far goes first: its subtrees may be improved.
        let column = |choice: &Choice| state.grid.tests[choice.column as usize].test;
        if let Some(at) = options.choices.iter().position(|choice| column(choice) == entry.test) {
            options.choices[..=at].rotate_right(1);
        }
        for rank in 0..options.choices.len() {
            let price = (usize::BITS - rank.leading_zeros()) as u8;
            if price > effort {
                break;
            }
            let choice = options.choices[rank];
            self.counter.name(&state, &choice, options.children(&choice));
            let value = self.follow(&state, &choice, options.children(&choice), upper, effort - price)?;
            if value < upper {
                (upper, test) = (value, column(&choice));
                // Stored at once, because the time may be up at any moment.
                search.note(&state, MemoEntry { upper, test, ..entry });
            }
        }
        search.note(&state, MemoEntry { upper, test, effort: effort + 1, ..entry });
        Ok(upper)
    }

    /// Value of a question with the best trees found below it, or any number of at least `bar`.
    fn follow(
        &mut self,
        state: &State<'_>,
        choice: &Choice,
        children: &mut [Child],
        bar: f64,
        effort: u8,
    ) -> Result<f64, Stopped> {
        let search = self.search;
        let column = &state.grid.tests[choice.column as usize];
        search.refresh(children);
        let mut set = vec![0u64; state.grid.words];
        for at in 0..children.len() {
            let value = search.total(state, column, children);
            if value >= bar {
                return Ok(value);
            }
            if !children[at].is_solved() {
                let below = child_of(state, column, &children[at], &mut set);
                let value = self.improve(below, effort)?;
                // From here on the child counts with the value of its tree.
                children[at].lower = value;
                children[at].upper = value;
            }
        }
        Ok(search.total(state, column, children))
    }
}

/// Puts one question of each kind first, then a second of each, and so on. Questions that split in the same way are
/// often equal by symmetry, and effort is better spent on another kind.
fn vary(choices: &mut [Choice]) {
    let mut order: Vec<(u32, usize)> = Vec::with_capacity(choices.len());
    for at in 0..choices.len() {
        let like_the_last = at > 0
            && (choices[at - 1].lower, choices[at - 1].imbalance)
                == (choices[at].lower, choices[at].imbalance);
        order.push((if like_the_last { order[at - 1].0 + 1 } else { 0 }, at));
    }
    order.sort_unstable();
    let varied: Vec<Choice> = order.iter().map(|&(_, at)| choices[at]).collect();
    choices.copy_from_slice(&varied);
}
