//! The questions that may be asked at a set, each with a lower bound of its value.

use super::algebra::CostAlgebra;
use super::grid::{Column, Grid, Reach, mixed, ones};
use super::minority::MinorityParts;
use super::summary::{Path, SetSummary, Setting};
use super::switches::Switches;
use crate::bound::majority_path::nested::Growth;
use multiversion::multiversion;

/// A state of the search: a set of objects within a grid.
#[derive(Clone, Copy)]
pub(super) struct State<'g> {
    pub(super) grid: &'g Grid,
    pub(super) set: &'g [u64],
    pub(super) summary: SetSummary,
    pub(super) key: u128,
    /// Most that may be spent on any path from here.
    pub(super) budget: f64,
}

impl State<'_> {
    /// Whether the set is far smaller than its grid.
    pub(super) fn is_small(&self) -> bool {
        (self.summary.count as usize).div_ceil(64) * 4 <= self.grid.words
    }

    /// Runs `work` on the set, copied out of a grid that is far larger: the work is then proportional to the set.
    pub(super) fn compact<T>(self, work: impl FnOnce(State<'_>) -> T) -> T {
        if !self.is_small() {
            return work(self);
        }
        let part = self.grid.part(self.set);
        let all = part.all();
        work(State { grid: &part, set: &all, ..self })
    }
}

/// A question that may be asked at a set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// Its column in the grid.
    pub(super) column: u32,
    /// Lower bound of its value.
    pub(super) lower: f64,
    /// Sum of squares of the sizes that the answers leave; where bounds are equal, a small one is promising.
    pub(super) imbalance: u64,
    /// Whether its parts have keys.
    pub(super) is_named: bool,
    first: u32,
    count: u32,
}

/// The part of a set that gives one answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) class: u32,
    pub(super) summary: SetSummary,
    pub(super) key: u128,
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl Child {
    pub(super) fn is_solved(&self) -> bool {
        self.lower >= self.upper
    }
}

/// The questions worth trying at a set.
#[derive(Default)]
pub(super) struct Options {
    pub(super) choices: Vec<Choice>,
    children: Vec<Child>,
    /// Least bound of the questions left out.
    pub(super) dropped: f64,
    /// Lower bound for the set itself: from the parts of one test, without that test.
    pub(super) parts: f64,
    /// Column of that test.
    pub(super) best_split: u32,
    /// Lower bound for the set itself: from its majority path.
    pub(super) majority_path: f64,
}

impl Options {
    /// Puts the most promising question first.
    pub(super) fn sort(&mut self) {
        self.choices.sort_unstable_by(|left, right| {
            let ties = (left.imbalance, left.column).cmp(&(right.imbalance, right.column));
            left.lower.total_cmp(&right.lower).then(ties)
        });
    }

    /// The parts that a choice leaves.
    pub(super) fn children(&mut self, choice: &Choice) -> &mut [Child] {
        &mut self.children[choice.first as usize..(choice.first + choice.count) as usize]
    }
}

/// The majority-path bound is skipped if one group holds more than a quarter of the mass: the path is short then and shows
/// little.
const GROUP_SHARE: f64 = 4.0;

/// Largest gain of the nested majority path, in questions per object; if that cannot reach the bar, it is not computed.
const MAX_NESTED_GAIN: f64 = 0.15;

/// Scratch space for counting parts.
#[derive(Default)]
pub(super) struct Counter {
    whole: Vec<(f64, u32)>,
    part: Vec<(f64, u32)>,
    touched: Vec<u32>,
    taken: Vec<(u32, f64, u32)>,
    minority: MinorityParts,
    splits: Vec<Split>,
    /// Splits by hash of their parts, as index + 1; 0 is empty.
    places: Vec<u32>,
    inside: Vec<u64>,
    spare: Vec<Child>,
    /// Option vectors for reuse.
    used: Vec<Options>,
    /// Whether only one of the tests that split alike is kept.
    distinct: bool,
    /// Least objects of a set for the nested majority path.
    nested: u32,
}

/// Parts of the set at hand for one test: their range among the children, and their objects in [`Counter::inside`].
#[derive(Clone, Copy)]
struct Split {
    column: u32,
    first: u32,
    count: u32,
    largest: u32,
    inside: usize,
    /// Hash that tests with equal parts share, and hardly ever others.
    mark: u64,
}

impl Split {
    /// Objects of each part, in `words` words; `inside` is [`Counter::inside`].
    fn parts<'i>(&self, inside: &'i [u64], words: usize) -> impl Iterator<Item = &'i [u64]> + use<'i> {
        inside[self.inside..self.inside + self.count as usize * words].chunks_exact(words)
    }
}

impl Counter {
    pub(super) fn new(groups: usize, switches: &Switches) -> Self {
        Self {
            whole: vec![(0.0, 0); groups],
            part: vec![(0.0, 0); groups],
            distinct: switches.distinct,
            nested: switches.nested.unwrap_or(u32::MAX),
            ..Self::default()
        }
    }

    /// Takes back the vectors of options that are not needed any more.
    pub(super) fn reuse(&mut self, options: Options) {
        self.used.push(options);
    }

    /// Summary of a whole set.
    pub(super) fn summary(&mut self, grid: &Grid, set: &[u64], algebra: &impl CostAlgebra) -> SetSummary {
        self.sum_groups(grid, set);
        let mut summary = SetSummary::default();
        for &(mass, count) in self.whole.iter().filter(|(_, count)| *count > 0) {
            summary.count += count;
            summary.groups += 1;
            summary.mass += mass;
            summary.spread += algebra.spread(mass);
        }
        summary
    }

    fn sum_groups(&mut self, grid: &Grid, set: &[u64]) {
        self.whole.fill((0.0, 0));
        for object in ones(set) {
            let (mass, count) = &mut self.whole[grid.groups[object] as usize];
            *mass += grid.weights[object];
            *count += 1;
        }
    }

    /// The questions that split a set and may have a value below `bar`, unordered.
    pub(super) fn options(
        &mut self,
        state: &State<'_>,
        algebra: &impl CostAlgebra,
        bar: f64,
        majority_path: bool,
    ) -> Options {
        let State { grid, summary, budget, .. } = *state;
        let largest_group = self.largest_group(state, algebra);
        // Where one group is a large part of a set, its majority path is short and shows little.
        let majority_path = majority_path
            && algebra.uses_majority_path()
            && (!algebra.is_mean() || largest_group * GROUP_SHARE <= summary.mass);
        let mut children = std::mem::take(&mut self.spare);
        let reach = split(self, state, &mut children);
        let setting = Setting { reach, plain: grid.plain(), confirm: grid.confirmation.is_some() };
        let size =
            |summary: &SetSummary| if algebra.is_mean() { summary.mass } else { f64::from(summary.count) };
        let none = f64::NEG_INFINITY;
        let mut options = self.used.pop().unwrap_or_default();
        options.choices.clear();
        options.children.clear();
        options.choices.reserve(self.splits.len());
        options.children.reserve(children.len());
        (options.dropped, options.parts, options.majority_path) = (f64::INFINITY, none, none);
        self.minority.clear();
        for at in 0..self.splits.len() {
            let Split { column: number, first, count, largest, inside, .. } = self.splits[at];
            let column = &grid.tests[number as usize];
            let parts = &mut children[first as usize..(first + count) as usize];
            self.weigh(grid, &summary, parts, inside, largest as usize, algebra);
            let within = |at: usize| &self.inside[inside + at * grid.words..][..grid.words];
            if majority_path {
                self.minority.add(parts.iter().map(|child| size(&child.summary)), size(&summary), within);
            }
            let mut below = algebra.none();
            for (at, child) in parts.iter_mut().enumerate() {
                bound(state, &setting, column, child, within(at), algebra);
                below = algebra.join(below, child.lower);
            }
            if below > options.parts {
                (options.parts, options.best_split) = (below, number);
            }
            let lower = if column.cost > budget {
                f64::INFINITY
            } else {
                algebra.ask(column.cost, summary.mass, below)
            };
            if lower >= bar {
                options.dropped = options.dropped.min(lower);
                continue;
            }
            let first = options.children.len() as u32;
            options.children.extend_from_slice(parts);
            let imbalance = parts.iter().map(|child| u64::from(child.summary.count).pow(2)).sum();
            options.choices.push(Choice { column: number, lower, imbalance, is_named: false, first, count });
        }
        if budget < f64::INFINITY {
            // The parts were bounded for the budget left after a test; as parts of the set itself they have the whole
            // budget.
            options.parts = f64::NEG_INFINITY;
        }
        if majority_path {
            let total = size(&summary);
            let largest_group = largest_group + 1e-9 * total;
            let free = Growth::default();
            let departed = self.minority.departed(state, total);
            options.majority_path =
                algebra.majority_path(&summary, &Path { departed, largest_group, growth: &free }, &setting);
            if options.majority_path < bar && !options.choices.is_empty() && grid.is_priced(&summary) {
                let splits = self.splits.iter().map(|split| split.parts(&self.inside, grid.words));
                let departed = self.minority.departed_by_prices(state, total, splits);
                options.majority_path = options.majority_path.max(algebra.majority_path(
                    &summary,
                    &Path { departed, largest_group, growth: &free },
                    &setting,
                ));
            }
            if options.majority_path < bar
                && bar - options.majority_path <= summary.mass * setting.reach.cheapest * MAX_NESTED_GAIN
                && !options.choices.is_empty()
                && summary.count >= self.nested
                && algebra.uses_nested_path(&setting)
            {
                let growth = growth(&mut self.minority, &self.splits, &self.inside, grid.words);
                let path = Path { departed: self.minority.found(), largest_group, growth: &growth };
                options.majority_path =
                    options.majority_path.max(algebra.majority_path(&summary, &path, &setting));
            }
        }
        children.clear();
        self.spare = children;
        options
    }

    /// Size of the largest group of a set.
    fn largest_group(&mut self, state: &State<'_>, algebra: &impl CostAlgebra) -> f64 {
        match (state.grid.plain(), state.grid.own) {
            (Some(weight), _) if algebra.is_mean() => weight,
            (_, true) if !algebra.is_mean() => 1.0,
            _ => {
                self.sum_groups(state.grid, state.set);
                let size =
                    |&(mass, count): &(f64, u32)| if algebra.is_mean() { mass } else { f64::from(count) };
                self.whole.iter().map(size).fold(0.0, f64::max)
            }
        }
    }

    /// See [`split`].
    #[inline(always)]
    fn split(&mut self, state: &State<'_>, children: &mut Vec<Child>) -> Reach {
        let State { grid, set, summary, .. } = *state;
        let mut reach = Reach::NONE;
        self.splits.clear();
        self.inside.clear();
        self.places.clear();
        self.places.resize((2 * grid.tests.len()).next_power_of_two(), 0);
        for (number, column) in (0u32..).zip(&grid.tests) {
            let (first, inside) = (children.len(), self.inside.len());
            let (mut left, mut largest) = (summary.count, (0, 0));
            for class in 0..column.arity {
                if left == 0 {
                    break;
                }
                let start = self.inside.len();
                let words = grid.plane(column, class).iter().zip(set).map(|(plane, set)| plane & set);
                self.inside.extend(words);
                // The remaining objects give the last answer.
                let is_last = class + 1 == column.arity;
                let count = if is_last { left } else { size(&self.inside[start..]) };
                if count == 0 {
                    self.inside.truncate(start);
                    continue;
                }
                left -= count;
                if count > largest.0 {
                    largest = (count, (children.len() - first) as u32);
                }
                let summary = SetSummary { count, ..SetSummary::default() };
                children.push(Child {
                    class: class as u32,
                    summary,
                    key: 0,
                    lower: 0.0,
                    upper: f64::INFINITY,
                });
            }
            let count = children.len() - first;
            if count < 2 {
                children.truncate(first);
                self.inside.truncate(inside);
                continue;
            }
            let confirms = column.confirms.map(|object| object as usize);
            let confirms = confirms.is_some_and(|object| set[object / 64] >> (object % 64) & 1 == 1);
            reach = reach.and(column, count, count - usize::from(confirms));
            let marks = self.inside[inside..].chunks_exact(grid.words).map(mark);
            let split = Split {
                column: number,
                first: first as u32,
                count: count as u32,
                largest: largest.1,
                inside,
                mark: marks.fold(0, u64::wrapping_add),
            };
            if self.is_new(grid, &split) {
                self.splits.push(split);
            } else {
                children.truncate(first);
                self.inside.truncate(inside);
            }
        }
        reach
    }

    /// Whether no test so far splits alike, is no dearer and confirms the same; if so, it is recorded.
    fn is_new(&mut self, grid: &Grid, split: &Split) -> bool {
        if !self.distinct {
            return true;
        }
        let Self { places, splits, inside, .. } = self;
        let test = |split: &Split| &grid.tests[split.column as usize];
        let parts = |split: &Split| split.parts(inside, grid.words);
        let mut place = split.mark as usize & (places.len() - 1);
        while let Some(old) = splits.get((places[place] as usize).wrapping_sub(1)) {
            if old.mark == split.mark
                && test(old).cost <= test(split).cost
                && test(old).confirms == test(split).confirms
                && parts(split).all(|part| parts(old).any(|other| part == other))
            {
                return false;
            }
            place = (place + 1) & (places.len() - 1);
        }
        places[place] = splits.len() as u32 + 1;
        true
    }

    /// Sums up the parts of a set; the largest part is found as the set − the other parts.
    fn weigh(
        &mut self,
        grid: &Grid,
        whole: &SetSummary,
        children: &mut [Child],
        inside: usize,
        largest: usize,
        algebra: &impl CostAlgebra,
    ) {
        let inside = |at: usize| &self.inside[inside + at * grid.words..inside + (at + 1) * grid.words];
        if let [level] = grid.levels.as_slice() {
            for child in children {
                let count = f64::from(child.summary.count);
                child.summary.groups = child.summary.count;
                (child.summary.mass, child.summary.spread) = (count * level.weight, count * level.spread);
            }
            return;
        }
        let mut rest = *whole;
        // Where weights are not whole, a difference may be nothing but rounding: then all parts are added up.
        let inferred = grid.whole.then_some(largest);
        for (at, child) in children.iter_mut().enumerate().filter(|(at, _)| Some(*at) != inferred) {
            let summary = &mut child.summary;
            if !grid.levels.is_empty() {
                for level in &grid.levels {
                    let count: u32 = inside(at)
                        .iter()
                        .zip(&level.set)
                        .map(|(set, level)| (set & level).count_ones())
                        .sum();
                    summary.mass += f64::from(count) * level.weight;
                    summary.spread += f64::from(count) * level.spread;
                }
                summary.groups = summary.count;
            } else if grid.own {
                for object in ones(inside(at)) {
                    summary.mass += grid.weights[object];
                    summary.spread += grid.spreads[object];
                }
                summary.groups = summary.count;
            } else {
                for object in ones(inside(at)) {
                    let group = grid.groups[object];
                    let (mass, count) = &mut self.part[group as usize];
                    if *count == 0 {
                        self.touched.push(group);
                    }
                    *mass += grid.weights[object];
                    *count += 1;
                    summary.mass += grid.weights[object];
                }
                summary.groups = self.touched.len() as u32;
                for group in self.touched.drain(..) {
                    let (mass, count) = std::mem::take(&mut self.part[group as usize]);
                    summary.spread += algebra.spread(mass);
                    self.taken.push((group, mass, count));
                }
            }
            rest.mass -= summary.mass;
            if grid.own {
                rest.groups -= summary.groups;
                rest.spread -= summary.spread;
            }
        }
        if !grid.whole {
            self.taken.clear();
            return;
        }
        // A group may lie in several of the smaller parts, so its rest is known only after all of them.
        for &(group, mass, count) in &self.taken {
            let whole = &mut self.whole[group as usize];
            rest.spread += algebra.spread(whole.0 - mass) - algebra.spread(whole.0);
            whole.0 -= mass;
            whole.1 -= count;
            rest.groups -= u32::from(whole.1 == 0);
        }
        for (group, mass, count) in self.taken.drain(..) {
            let whole = &mut self.whole[group as usize];
            whole.0 += mass;
            whole.1 += count;
        }
        children[largest].summary = SetSummary { count: children[largest].summary.count, ..rest };
    }

    /// The parts for one test, with keys and without bounds.
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

/// Splits a set by every test that splits it, and returns the limits of these tests. Compiled twice, like the next one,
/// because not all processors have an instruction for counting bits; the choice is made at run time.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn split(counter: &mut Counter, state: &State<'_>, children: &mut Vec<Child>) -> Reach {
    counter.split(state, children)
}

/// See [`MinorityParts::growth`].
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn growth(minority: &mut MinorityParts, splits: &[Split], inside: &[u64], words: usize) -> Growth {
    minority.growth(splits.iter().map(|split| split.parts(inside, words)))
}

/// Number of objects of a set.
#[inline(always)]
pub(super) fn size(set: &[u64]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// Hash of a set.
#[inline(always)]
fn mark(set: &[u64]) -> u64 {
    let mut mark = 0x9e37_79b9_7f4a_7c15u64;
    for word in set {
        let product = u128::from(mark ^ word) * 0xa076_1d64_78bd_642f;
        mark = (product >> 64) as u64 ^ product as u64 ^ word.rotate_left(17);
    }
    mark
}

/// Part of a set's key that depends on the budget: with less to spend it is another problem.
pub(super) fn within(budget: f64) -> u128 {
    if budget == f64::INFINITY { 0 } else { mixed(u128::from(budget.to_bits()) | 1 << 100) }
}

/// Lower bound of a child before the memo is looked up; exact where no search is needed.
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
