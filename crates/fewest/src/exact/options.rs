//! Questions that may be asked at a set, each with a lower bound of its value.

use super::algebra::CostAlgebra;
use super::counter::Counter;
use super::grid::{Column, ones};
use super::minority::MinorityParts;
use super::split::split;
use super::state::{Child, Choice, Options, Split, State, within};
use super::summary::{Path, SetSummary, Setting};
use crate::bound::majority_path::growth::Growth;
use multiversion::multiversion;

/// Inverse of the largest group share for which the majority-path bound is computed: with more than a quarter of the
/// mass in one group the path is short and shows little.
const GROUP_SHARE: f64 = 4.0;

/// Largest gain of the nested majority path, in questions per object; if that cannot reach the bar, it is not
/// computed.
const MAX_NESTED_GAIN: f64 = 0.15;

impl Counter {
    /// Finds the questions that split a set and may have a value below `bar`, unordered.
    pub(super) fn options(
        &mut self,
        state: &State<'_>,
        algebra: &impl CostAlgebra,
        bar: f64,
        majority_path: bool,
    ) -> Options {
        let State { grid, summary, budget, .. } = *state;
        let largest_group = self.largest_group(state, algebra);
        // If one group is a large part of a set, its majority path is short and shows little.
        let majority_path = majority_path
            && algebra.uses_majority_path()
            && (!algebra.is_mean() || largest_group * GROUP_SHARE <= summary.mass);
        let mut children = std::mem::take(&mut self.spare);
        let reach = split(self, state, &mut children);
        let setting = Setting { reach, plain: grid.plain(), confirm: grid.confirmation.is_some() };
        let mut options = self.empty_options(children.len());
        self.minority.clear();
        for at in 0..self.splits.len() {
            let split = self.splits[at];
            let parts = &mut children[split.first as usize..(split.first + split.count) as usize];
            self.sum_parts(grid, &summary, &split, parts, algebra);
            if majority_path {
                let within = |at: usize| &self.inside[split.inside + at * grid.words..][..grid.words];
                let sizes = parts.iter().map(|child| size(&child.summary, algebra));
                self.minority.add(sizes, size(&summary, algebra), within);
            }
            self.add_choice(state, &setting, &split, parts, bar, algebra, &mut options);
        }
        if budget < f64::INFINITY {
            // The parts were bounded for the budget left after a test; as parts of the set itself they have the whole
            // budget.
            options.parts = f64::NEG_INFINITY;
        }
        if majority_path {
            let is_open = !options.choices.is_empty();
            options.majority_path =
                self.majority_path_bound(state, &setting, largest_group, bar, is_open, algebra);
        }
        children.clear();
        self.spare = children;
        options
    }

    /// Makes options without choices, with space for all splits and `children` parts.
    fn empty_options(&mut self, children: usize) -> Options {
        let mut options = self.used.pop().unwrap_or_default();
        options.choices.clear();
        options.children.clear();
        options.choices.reserve(self.splits.len());
        options.children.reserve(children);
        options.dropped = f64::INFINITY;
        (options.parts, options.majority_path) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        options
    }

    /// Bounds the parts of one test, and adds it to the choices if its value may be below `bar`.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the body of the loop in `options`, apart to be read")]
    fn add_choice(
        &self,
        state: &State<'_>,
        setting: &Setting,
        split: &Split,
        parts: &mut [Child],
        bar: f64,
        algebra: &impl CostAlgebra,
        options: &mut Options,
    ) {
        let (grid, number) = (state.grid, split.column);
        let column = &grid.tests[number as usize];
        let mut below = algebra.none();
        for (at, child) in parts.iter_mut().enumerate() {
            let inside = &self.inside[split.inside + at * grid.words..][..grid.words];
            bound(state, setting, column, child, inside, algebra);
            below = algebra.join(below, child.lower);
        }
        if below > options.parts {
            (options.parts, options.best_split) = (below, number);
        }
        let lower = if column.cost > state.budget {
            f64::INFINITY
        } else {
            algebra.ask(column.cost, state.summary.mass, below)
        };
        if lower >= bar {
            options.dropped = options.dropped.min(lower);
            return;
        }
        let (first, count) = (options.children.len() as u32, split.count);
        options.children.extend_from_slice(parts);
        let imbalance = parts.iter().map(|child| u64::from(child.summary.count).pow(2)).sum();
        options.choices.push(Choice { column: number, lower, imbalance, is_named: false, first, count });
    }

    /// Lower bound of the set by its majority path. The slower limits, by prices and by the nested path, are computed
    /// only if the quick one is below `bar` and questions are left (`is_open`).
    fn majority_path_bound(
        &mut self,
        state: &State<'_>,
        setting: &Setting,
        largest_group: f64,
        bar: f64,
        is_open: bool,
        algebra: &impl CostAlgebra,
    ) -> f64 {
        let State { grid, summary, .. } = *state;
        let total = size(&summary, algebra);
        let largest_group = largest_group + 1e-9 * total;
        let value = |departed: &[f64], growth: &Growth| {
            algebra.majority_path(&summary, &Path { departed, largest_group, growth }, setting)
        };
        let free = Growth::default();
        let mut found = value(self.minority.departed(state, total), &free);
        if found < bar && is_open && grid.is_priced(&summary) {
            let splits = self.splits.iter().map(|split| split.parts(&self.inside, grid.words));
            found = found.max(value(self.minority.departed_by_prices(state, total, splits), &free));
        }
        if found < bar
            && bar - found <= summary.mass * setting.reach.cheapest * MAX_NESTED_GAIN
            && is_open
            && summary.count >= self.nested
            && algebra.uses_nested_path(setting)
        {
            let growth = growth(&mut self.minority, &self.splits, &self.inside, grid.words);
            found = found.max(value(self.minority.found(), &growth));
        }
        found
    }

    /// Parts for one test, with keys and without bounds.
    pub(super) fn children(
        &mut self,
        state: &State<'_>,
        column: &Column,
        algebra: &impl CostAlgebra,
    ) -> Vec<Child> {
        let State { grid, set, budget, .. } = *state;
        let mut children = Vec::new();
        for class in 0..column.arity {
            let part: Vec<u64> =
                grid.plane(column, class).iter().zip(set).map(|(plane, set)| plane & set).collect();
            let summary = self.summary(grid, &part, algebra);
            if summary.count > 0 {
                let key = grid.key(&part) ^ within(budget - column.cost);
                children.push(Child {
                    class: class as u32,
                    summary,
                    key,
                    lower: f64::NEG_INFINITY,
                    upper: f64::INFINITY,
                });
            }
        }
        children
    }

    /// Sets the keys of the parts of a choice, with which the memo is looked up.
    pub(super) fn name(&mut self, state: &State<'_>, choice: &Choice, children: &mut [Child]) {
        let State { grid, set, key, budget, .. } = *state;
        let column = &grid.tests[choice.column as usize];
        let largest = (0..children.len()).max_by_key(|at| children[*at].summary.count).unwrap_or(0);
        let mut rest = key ^ within(budget);
        let below = within(budget - column.cost);
        for (_, child) in children.iter_mut().enumerate().filter(|(at, _)| *at != largest) {
            let plane = grid.plane(column, child.class as usize);
            self.inside.clear();
            self.inside.extend(plane.iter().zip(set).map(|(plane, set)| plane & set));
            let name = grid.key(&self.inside);
            rest ^= name;
            child.key = name ^ below;
        }
        children[largest].key = rest ^ below;
    }
}

/// Size of a set: its mass if the objective is a mean, otherwise its number of objects.
#[inline]
fn size(summary: &SetSummary, algebra: &impl CostAlgebra) -> f64 {
    if algebra.is_mean() { summary.mass } else { f64::from(summary.count) }
}

/// Cost of the objects that leave together; see [`MinorityParts::growth`].
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn growth(minority: &mut MinorityParts, splits: &[Split], inside: &[u64], words: usize) -> Growth {
    minority.growth(splits.iter().map(|split| split.parts(inside, words)))
}

/// Lower bound of a child before the memo is looked up; exact if no search is needed.
fn bound(
    state: &State<'_>,
    setting: &Setting,
    column: &Column,
    child: &mut Child,
    inside: &[u64],
    algebra: &impl CostAlgebra,
) {
    let summary = &child.summary;
    let budget = state.budget - column.cost;
    if summary.groups <= 1 {
        child.lower = match (&state.grid.confirmation, ones(inside).next()) {
            (Some(costs), Some(object)) if column.confirms != Some(object as u32) => {
                let cost = costs[object];
                if cost > budget {
                    f64::INFINITY
                } else {
                    algebra.ask(cost, summary.mass, algebra.leaf(summary.mass))
                }
            }
            _ => algebra.leaf(summary.mass),
        };
        child.upper = child.lower;
        return;
    }
    if budget < f64::INFINITY && super::algebra::least_worst(summary, setting) > budget {
        child.lower = f64::INFINITY;
        child.upper = f64::INFINITY;
        return;
    }
    if algebra.is_mean() && summary.mass == 0.0 && budget == f64::INFINITY {
        child.lower = algebra.none();
        child.upper = child.lower;
        return;
    }
    child.lower = algebra.floor(summary, setting);
    if algebra.is_floor_exact(summary, setting) {
        child.upper = child.lower;
    }
}
