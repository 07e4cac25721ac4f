//! Search: branch and bound over states, with a limit as in alpha–beta and a memo of bounds.

use super::measure::Measure;
use super::options::{Child, Choice, State, choices};
use super::problem::{Problem, Set};
use crate::exact::control::{Control, Stopped};
use fewest_model::{AnswerId, Branches, Node, NodeId, ObjectId, OpenBundles, TestId, Tree};
use hashbrown::HashMap;

/// What is known of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) lower: f64,
    pub(super) upper: f64,
    /// Column of the best question.
    column: usize,
}

impl Entry {
    const UNKNOWN: Self = Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY, column: usize::MAX };

    fn is_solved(&self) -> bool {
        self.lower >= self.upper
    }
}

type Key = (Set, OpenBundles, u64);

fn key(state: &State) -> Key {
    (state.set.clone(), state.open.clone(), state.budget.to_bits())
}

/// Bytes of an entry of the memo, beside those of its set.
const ENTRY_BYTES: usize = 120;

/// One search.
pub(super) struct Search<'p, 'i> {
    pub(super) problem: &'p Problem<'i>,
    pub(super) measure: Measure,
    pub(super) control: &'p Control,
    memo: HashMap<Key, Entry>,
    max_entries: usize,
}

impl<'p, 'i> Search<'p, 'i> {
    pub(super) fn new(
        problem: &'p Problem<'i>,
        measure: Measure,
        control: &'p Control,
        memory: usize,
    ) -> Self {
        let max_entries = memory / (ENTRY_BYTES + problem.kinds.len() / 8);
        Self { problem, measure, control, memo: HashMap::new(), max_entries }
    }

    /// What is known of a state.
    pub(super) fn entry(&self, state: &State) -> Entry {
        self.memo.get(&key(state)).copied().unwrap_or(Entry::UNKNOWN)
    }

    /// Whether the memo has no place for another entry.
    pub(super) fn is_full(&self) -> bool {
        self.memo.len() >= self.max_entries
    }

    /// Value of the best tree for `state`, which has two groups or more, if it is below `limit`; otherwise a lower
    /// bound of at least `limit`.
    pub(super) fn solve(&mut self, state: &State, limit: f64) -> Result<f64, Stopped> {
        let entry = self.entry(state);
        if entry.lower >= limit || entry.is_solved() {
            return Ok(entry.lower);
        }
        self.control.step()?;
        if self.is_full() {
            self.control.stop();
            return Err(Stopped);
        }
        let mut least = f64::INFINITY;
        let Entry { mut upper, mut column, .. } = entry;
        for mut choice in choices(self.problem, self.measure, state) {
            let bar = limit.min(upper);
            if choice.lower >= bar {
                least = least.min(choice.lower);
                break;
            }
            let value = self.evaluate(&mut choice, bar)?;
            least = least.min(value);
            if value < upper && choice.children.iter().all(|child| child.is_solved) {
                (upper, column) = (value, choice.column);
            }
        }
        let lower = least.max(entry.lower).min(upper);
        self.memo.insert(key(state), Entry { lower, upper, column });
        Ok(lower)
    }

    /// Looks up what is known of the parts of a question.
    pub(super) fn refresh(&self, choice: &mut Choice) {
        for child in choice.children.iter_mut().filter(|child| !child.is_solved) {
            let entry = self.entry(&child.state);
            child.lower = child.lower.max(entry.lower);
            child.is_solved = entry.is_solved();
            if child.is_solved {
                child.lower = entry.upper;
            }
        }
        choice.lower = choice.total(self.measure);
    }

    /// Value of a question, or a lower bound of at least `bar`.
    pub(super) fn evaluate(&mut self, choice: &mut Choice, bar: f64) -> Result<f64, Stopped> {
        self.refresh(choice);
        let mut order: Vec<usize> = (0..choice.children.len()).collect();
        order.sort_by_key(|at| super::problem::size(&choice.children[*at].state.set));
        for at in order {
            let total = choice.total(self.measure);
            if total >= bar {
                return Ok(total);
            }
            if choice.children[at].is_solved {
                continue;
            }
            let measure = self.measure;
            let others = choice.children.iter().enumerate().filter(|(other, _)| *other != at);
            let others =
                measure.join(others.map(|(_, child)| measure.pay(child.step, child.mass, child.lower)));
            let Child { step, mass, .. } = choice.children[at];
            let limit = measure.before(step, mass, measure.rest(bar, others));
            let value = self.solve(&choice.children[at].state, limit)?;
            let child = &mut choice.children[at];
            child.lower = child.lower.max(value);
            if value < limit {
                (child.lower, child.is_solved) = (value, true);
            }
        }
        let total = choice.total(self.measure);
        // A part was left unsolved: then the sum is not below the bar, regardless of rounding.
        Ok(if choice.children.iter().all(|child| child.is_solved) { total } else { total.max(bar) })
    }

    /// Writes the best tree of a solved state; parts without weight are told apart by any tests.
    pub(super) fn write(&mut self, root: &State) -> Result<Tree, Stopped> {
        let mut nodes = vec![Node::leaf(&[])];
        let mut waiting = vec![(0, root.clone())];
        while let Some((place, state)) = waiting.pop() {
            if self.problem.is_pure(&state.set) {
                let kinds = super::problem::bits(&state.set);
                let mut objects: Vec<ObjectId> =
                    kinds.flat_map(|kind| self.problem.kinds[kind].members.iter().copied()).collect();
                objects.sort_unstable();
                nodes[place] = Node::leaf(&objects);
                continue;
            }
            let (test, parts) = self.question(&state)?;
            let first = nodes.len();
            let children = (first..).map(NodeId::at);
            let answers: Branches = parts.iter().map(|(answer, _)| *answer).zip(children).collect();
            nodes.resize_with(first + parts.len(), || Node::leaf(&[]));
            nodes[place] = Node::Ask { test, answers };
            waiting.extend((first..).zip(parts.into_iter().map(|(_, part)| part)));
        }
        Ok(Tree::new(nodes).expect("children are placed after their parents"))
    }

    /// Best question of a solved state, with the states it leads to.
    fn question(&mut self, state: &State) -> Result<(TestId, Vec<(AnswerId, State)>), Stopped> {
        let mut choices = choices(self.problem, self.measure, state);
        let mut entry = self.entry(state);
        let mass: f64 = self.problem.group_weights(&state.set).iter().sum();
        let is_weightless = mass == 0.0 && self.measure.is_mean() && state.budget == f64::INFINITY;
        if !entry.is_solved() && !is_weightless {
            self.solve(state, f64::INFINITY)?;
            entry = self.entry(state);
        }
        let best = choices.iter().position(|choice| choice.column == entry.column).unwrap_or(0);
        let Choice { column, children, .. } = choices.swap_remove(best);
        let parts = children.into_iter().map(|child| (child.answer, child.state)).collect();
        Ok((self.problem.columns[column].test, parts))
    }
}
