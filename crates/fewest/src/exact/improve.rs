//! Better trees early: limited discrepancy [HarveyGinsberg1995] from the most promising questions, and small sets to
//! the end.
//!
//! The most promising question costs no effort, the second one unit, the next two two, the next four three, and so on;
//! what is spent here is missing further down. So a little effort tries a few questions everywhere and many at one
//! place, and each unit more widens all of that. Sets below a size that grows with the effort are solved.

use super::aim::Aim;
use super::limit::Stopped;
use super::memo::Known;
use super::options::{Child, Choice, State};
use super::search::{Worker, child_of};

/// No tree needs more than this; long before, the search has looked everywhere.
pub(super) const MOST_EFFORT: u8 = 40;

/// Sets of so many objects are solved, whatever they cost, and so many more for each unit of effort.
const SMALL: u32 = 8;
const SMALL_STEP: u32 = 4;

impl<A: Aim> Worker<'_, '_, A> {
    /// Looks for a better tree for `state`; the value of the best one known is returned.
    pub(super) fn improve(&mut self, state: State<'_>, effort: u8) -> Result<f64, Stopped> {
        let known = self.search.known(&state);
        if known.is_solved() || known.effort > effort {
            return Ok(known.upper);
        }
        if state.tally.count <= SMALL + SMALL_STEP * u32::from(effort) {
            return Ok(self.solve(state, known.upper)?.min(known.upper));
        }
        state.compact(|state| self.widen(state, known, effort))
    }

    /// Solves the parts of the best tree known that have at most `most` objects, with so many sets for each, and sums up
    /// what that tree is worth with all that was found meanwhile. Whether all of them were solved is returned.
    pub(super) fn polish(&mut self, state: State<'_>, most: u32, sets: u64) -> Result<bool, Stopped> {
        let search = self.search;
        let known = search.known(&state);
        if known.is_solved() {
            return Ok(true);
        }
        if state.tally.count <= most {
            let solved = self.with_ration(sets, |worker| worker.solve(state, known.upper));
            return if search.control.is_stopped() { Err(Stopped) } else { Ok(solved.is_ok()) };
        }
        state.compact(|state| self.polish_parts(state, known, most, sets))
    }

    fn polish_parts(
        &mut self,
        state: State<'_>,
        known: Known,
        most: u32,
        sets: u64,
    ) -> Result<bool, Stopped> {
        let search = self.search;
        self.step()?;
        let mut options = self.counter.options(&state, &search.aim, f64::INFINITY, false);
        let is_best = |choice: &&Choice| state.grid.tests[choice.column as usize].test == known.test;
        let best = options.choices.iter().find(is_best).copied();
        let mut children = Vec::new();
        if let Some(choice) = best {
            self.counter.name(&state, &choice, options.children(&choice));
            children.extend_from_slice(options.children(&choice));
        }
        self.counter.reuse(options);
        let Some(column) = best.map(|choice| &state.grid.tests[choice.column as usize]) else {
            // The tree was forgotten.
            return Ok(false);
        };
        let (mut set, mut all) = (vec![0u64; state.grid.words], true);
        for child in children.iter().filter(|child| !child.is_solved()) {
            all &= self.polish(child_of(&state, column, child, &mut set), most, sets)?;
        }
        search.refresh(&mut children);
        children.iter_mut().for_each(|child| child.lower = child.upper);
        let upper = search.total(&state, column, &children);
        if upper < known.upper {
            search.note(&state, Known { upper, ..known });
        }
        Ok(all)
    }

    fn widen(&mut self, state: State<'_>, known: Known, effort: u8) -> Result<f64, Stopped> {
        let search = self.search;
        self.step()?;
        let Known { mut upper, mut test, .. } = known;
        let mut options = self.counter.options(&state, &search.aim, upper, false);
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
        // The question of the best tree so far goes first: its parts may be improved.
        let column = |choice: &Choice| state.grid.tests[choice.column as usize].test;
        if let Some(at) = options.choices.iter().position(|choice| column(choice) == known.test) {
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
                // Told at once: the time may be up any moment.
                search.note(&state, Known { upper, test, ..known });
            }
        }
        search.note(&state, Known { upper, test, effort: effort + 1, ..known });
        Ok(upper)
    }

    /// The value of a question with the best trees found below it, or any number of at least `bar`.
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
                // From here on the child counts with its tree.
                children[at].lower = value;
                children[at].upper = value;
            }
        }
        Ok(search.total(state, column, children))
    }
}

/// Puts one of each kind of question first, then a second of each, and so on. Questions that split alike are often equal
/// by symmetry, and effort spent on one is better spent on another kind.
fn vary(choices: &mut [Choice]) {
    let mut order: Vec<(u32, usize)> = Vec::with_capacity(choices.len());
    for at in 0..choices.len() {
        let like_the_last = at > 0
            && (choices[at - 1].lower, choices[at - 1].lumps) == (choices[at].lower, choices[at].lumps);
        order.push((if like_the_last { order[at - 1].0 + 1 } else { 0 }, at));
    }
    order.sort_unstable();
    let varied: Vec<Choice> = order.iter().map(|&(_, at)| choices[at]).collect();
    choices.copy_from_slice(&varied);
}
