//! The questions that may be asked at a set, each with a bound of what it leads to.

use super::aim::Aim;
use super::grid::{Column, Grid, Reach, mixed, ones};
use super::leavers::Leavers;
use super::switches::Switches;
use super::tally::{Path, Setting, Tally};
use crate::bound::peel::again::Growth;
use multiversion::multiversion;

/// A set of objects within a grid.
#[derive(Clone, Copy)]
pub(super) struct State<'g> {
    pub(super) grid: &'g Grid,
    pub(super) set: &'g [u64],
    pub(super) tally: Tally,
    pub(super) key: u128,
    /// The most that may be spent on any path from here.
    pub(super) budget: f64,
}

impl State<'_> {
    /// Whether it is far smaller than its grid.
    pub(super) fn is_small(&self) -> bool {
        (self.tally.count as usize).div_ceil(64) * 4 <= self.grid.words
    }

    /// Does some work with the set, copied out of a grid that is far larger: then it is in proportion to what is left.
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
    /// It leads to no less.
    pub(super) lower: f64,
    /// The sum of squares of what the answers leave; where bounds are equal, small is promising.
    pub(super) lumps: u64,
    /// Whether its parts have names.
    pub(super) is_named: bool,
    first: u32,
    count: u32,
}

/// What one answer leaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) class: u32,
    pub(super) tally: Tally,
    pub(super) key: u128,
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl Child {
    pub(super) fn is_solved(&self) -> bool {
        self.lower >= self.upper
    }
}

/// The questions worth a look at a set.
#[derive(Default)]
pub(super) struct Options {
    pub(super) choices: Vec<Choice>,
    children: Vec<Child>,
    /// The least bound of the questions left out.
    pub(super) dropped: f64,
    /// A bound for the set itself: what the answers to one test leave, before it is asked.
    pub(super) parts: f64,
    /// The column of that test.
    pub(super) richest: u32,
    /// A bound for the set itself: how slowly its objects leave the path of most common answers.
    pub(super) peel: f64,
}

impl Options {
    /// Puts the most promising question first.
    pub(super) fn sort(&mut self) {
        self.choices.sort_unstable_by(|left, right| {
            let ties = (left.lumps, left.column).cmp(&(right.lumps, right.column));
            left.lower.total_cmp(&right.lower).then(ties)
        });
    }

    /// What the answers to a choice leave.
    pub(super) fn children(&mut self, choice: &Choice) -> &mut [Child] {
        &mut self.children[choice.first as usize..(choice.first + choice.count) as usize]
    }
}

/// A group this many times as heavy would be the whole set.
const LARGE: f64 = 4.0;

/// A second look at those who leave shows no more than so many questions more for each object.
const MOST_AGAIN: f64 = 0.15;

/// Room to count in.
#[derive(Default)]
pub(super) struct Counter {
    whole: Vec<(f64, u32)>,
    part: Vec<(f64, u32)>,
    touched: Vec<u32>,
    taken: Vec<(u32, f64, u32)>,
    leavers: Leavers,
    splits: Vec<Split>,
    /// The splits by their marks, as their number and one more; 0 is nobody's.
    places: Vec<u32>,
    inside: Vec<u64>,
    spare: Vec<Child>,
    /// Room for options that were looked at.
    used: Vec<Options>,
    /// Whether one test counts of those that split alike.
    distinct: bool,
    /// In sets of so many objects those who leave the usual path are looked at again.
    again: u32,
}

/// How a test splits the set at hand: its parts among the children, and their objects in [`Counter::inside`].
#[derive(Clone, Copy)]
struct Split {
    column: u32,
    first: u32,
    count: u32,
    largest: u32,
    inside: usize,
    /// Tests that split alike share it, and hardly ever others.
    mark: u64,
}

impl Split {
    /// The objects of each part, of so many words; `inside` is [`Counter::inside`].
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
            again: switches.again.unwrap_or(u32::MAX),
            ..Self::default()
        }
    }

    /// Takes back the room of options that nobody needs any more.
    pub(super) fn reuse(&mut self, options: Options) {
        self.used.push(options);
    }

    /// The tally of a whole set.
    pub(super) fn tally(&mut self, grid: &Grid, set: &[u64], aim: &impl Aim) -> Tally {
        self.sum_groups(grid, set);
        let mut tally = Tally::default();
        for &(mass, count) in self.whole.iter().filter(|(_, count)| *count > 0) {
            tally.count += count;
            tally.groups += 1;
            tally.mass += mass;
            tally.spread += aim.spread(mass);
        }
        tally
    }

    fn sum_groups(&mut self, grid: &Grid, set: &[u64]) {
        self.whole.fill((0.0, 0));
        for object in ones(set) {
            let (mass, count) = &mut self.whole[grid.groups[object] as usize];
            *mass += grid.weights[object];
            *count += 1;
        }
    }

    /// The questions that split a set and may be worth less than `bar`, in no order.
    pub(super) fn options(&mut self, state: &State<'_>, aim: &impl Aim, bar: f64, peel: bool) -> Options {
        let State { grid, tally, budget, .. } = *state;
        let top = self.top(state, aim);
        // Where one group is a large part of a set, its path of most common answers is short and shows little.
        let peel = peel && aim.peels() && (!aim.is_mean() || top * LARGE <= tally.mass);
        let mut children = std::mem::take(&mut self.spare);
        let reach = split(self, state, &mut children);
        let setting = Setting { reach, plain: grid.plain(), confirm: grid.confirmation.is_some() };
        let size = |tally: &Tally| if aim.is_mean() { tally.mass } else { f64::from(tally.count) };
        let none = f64::NEG_INFINITY;
        let mut options = self.used.pop().unwrap_or_default();
        options.choices.clear();
        options.children.clear();
        options.choices.reserve(self.splits.len());
        options.children.reserve(children.len());
        (options.dropped, options.parts, options.peel) = (f64::INFINITY, none, none);
        self.leavers.clear();
        for at in 0..self.splits.len() {
            let Split { column: number, first, count, largest, inside, .. } = self.splits[at];
            let column = &grid.tests[number as usize];
            let parts = &mut children[first as usize..(first + count) as usize];
            self.weigh(grid, &tally, parts, inside, largest as usize, aim);
            let within = |at: usize| &self.inside[inside + at * grid.words..][..grid.words];
            if peel {
                self.leavers.add(parts.iter().map(|child| size(&child.tally)), size(&tally), within);
            }
            let mut below = aim.none();
            for (at, child) in parts.iter_mut().enumerate() {
                bound(state, &setting, column, child, within(at), aim);
                below = aim.join(below, child.lower);
            }
            if below > options.parts {
                (options.parts, options.richest) = (below, number);
            }
            let lower =
                if column.cost > budget { f64::INFINITY } else { aim.ask(column.cost, tally.mass, below) };
            if lower >= bar {
                options.dropped = options.dropped.min(lower);
                continue;
            }
            let first = options.children.len() as u32;
            options.children.extend_from_slice(parts);
            let lumps = parts.iter().map(|child| u64::from(child.tally.count).pow(2)).sum();
            options.choices.push(Choice { column: number, lower, lumps, is_named: false, first, count });
        }
        if budget < f64::INFINITY {
            // The parts were bounded for what is left of the budget after a test; as parts of the set they have it all.
            options.parts = f64::NEG_INFINITY;
        }
        if peel {
            let total = size(&tally);
            let top = top + 1e-9 * total;
            let free = Growth::default();
            let off = self.leavers.off(state, total);
            options.peel = aim.peel(&tally, &Path { off, top, growth: &free }, &setting);
            if options.peel < bar && !options.choices.is_empty() && grid.is_priced(&tally) {
                let splits = self.splits.iter().map(|split| split.parts(&self.inside, grid.words));
                let off = self.leavers.off_by_prices(state, total, splits);
                options.peel =
                    options.peel.max(aim.peel(&tally, &Path { off, top, growth: &free }, &setting));
            }
            if options.peel < bar
                && bar - options.peel <= tally.mass * setting.reach.cheapest * MOST_AGAIN
                && !options.choices.is_empty()
                && tally.count >= self.again
                && aim.peels_again(&setting)
            {
                let growth = growth(&mut self.leavers, &self.splits, &self.inside, grid.words);
                let path = Path { off: self.leavers.found(), top, growth: &growth };
                options.peel = options.peel.max(aim.peel(&tally, &path, &setting));
            }
        }
        children.clear();
        self.spare = children;
        options
    }

    /// The size of the largest group of a set.
    fn top(&mut self, state: &State<'_>, aim: &impl Aim) -> f64 {
        match (state.grid.plain(), state.grid.own) {
            (Some(weight), _) if aim.is_mean() => weight,
            (_, true) if !aim.is_mean() => 1.0,
            _ => {
                self.sum_groups(state.grid, state.set);
                let size = |&(mass, count): &(f64, u32)| if aim.is_mean() { mass } else { f64::from(count) };
                self.whole.iter().map(size).fold(0.0, f64::max)
            }
        }
    }

    /// See [`split`].
    #[inline(always)]
    fn split(&mut self, state: &State<'_>, children: &mut Vec<Child>) -> Reach {
        let State { grid, set, tally, .. } = *state;
        let mut reach = Reach::NONE;
        self.splits.clear();
        self.inside.clear();
        self.places.clear();
        self.places.resize((2 * grid.tests.len()).next_power_of_two(), 0);
        for (number, column) in (0u32..).zip(&grid.tests) {
            let (first, inside) = (children.len(), self.inside.len());
            let (mut left, mut largest) = (tally.count, (0, 0));
            for class in 0..column.arity {
                if left == 0 {
                    break;
                }
                let start = self.inside.len();
                let words = grid.plane(column, class).iter().zip(set).map(|(plane, set)| plane & set);
                self.inside.extend(words);
                // Whoever is left gives the last answer.
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
                let tally = Tally { count, ..Tally::default() };
                children.push(Child { class: class as u32, tally, key: 0, lower: 0.0, upper: f64::INFINITY });
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

    /// Whether no test so far splits alike, is no dearer and confirms the same; if so it is noted.
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

    /// Weighs the parts of a set; the largest is what the others leave.
    fn weigh(
        &mut self,
        grid: &Grid,
        whole: &Tally,
        children: &mut [Child],
        inside: usize,
        largest: usize,
        aim: &impl Aim,
    ) {
        let inside = |at: usize| &self.inside[inside + at * grid.words..inside + (at + 1) * grid.words];
        if let [level] = grid.levels.as_slice() {
            for child in children {
                let count = f64::from(child.tally.count);
                child.tally.groups = child.tally.count;
                (child.tally.mass, child.tally.spread) = (count * level.weight, count * level.spread);
            }
            return;
        }
        let mut rest = *whole;
        // Where weights are not whole, a difference may be nothing but rounding: then all parts are added up.
        let inferred = grid.whole.then_some(largest);
        for (at, child) in children.iter_mut().enumerate().filter(|(at, _)| Some(*at) != inferred) {
            let tally = &mut child.tally;
            if !grid.levels.is_empty() {
                for level in &grid.levels {
                    let count: u32 = inside(at)
                        .iter()
                        .zip(&level.set)
                        .map(|(set, level)| (set & level).count_ones())
                        .sum();
                    tally.mass += f64::from(count) * level.weight;
                    tally.spread += f64::from(count) * level.spread;
                }
                tally.groups = tally.count;
            } else if grid.own {
                for object in ones(inside(at)) {
                    tally.mass += grid.weights[object];
                    tally.spread += grid.spreads[object];
                }
                tally.groups = tally.count;
            } else {
                for object in ones(inside(at)) {
                    let group = grid.groups[object];
                    let (mass, count) = &mut self.part[group as usize];
                    if *count == 0 {
                        self.touched.push(group);
                    }
                    *mass += grid.weights[object];
                    *count += 1;
                    tally.mass += grid.weights[object];
                }
                tally.groups = self.touched.len() as u32;
                for group in self.touched.drain(..) {
                    let (mass, count) = std::mem::take(&mut self.part[group as usize]);
                    tally.spread += aim.spread(mass);
                    self.taken.push((group, mass, count));
                }
            }
            rest.mass -= tally.mass;
            if grid.own {
                rest.groups -= tally.groups;
                rest.spread -= tally.spread;
            }
        }
        if !grid.whole {
            self.taken.clear();
            return;
        }
        // A group may lie in several of the smaller parts, so what is left of it is known only after all of them.
        for &(group, mass, count) in &self.taken {
            let whole = &mut self.whole[group as usize];
            rest.spread += aim.spread(whole.0 - mass) - aim.spread(whole.0);
            whole.0 -= mass;
            whole.1 -= count;
            rest.groups -= u32::from(whole.1 == 0);
        }
        for (group, mass, count) in self.taken.drain(..) {
            let whole = &mut self.whole[group as usize];
            whole.0 += mass;
            whole.1 += count;
        }
        children[largest].tally = Tally { count: children[largest].tally.count, ..rest };
    }

    /// What the answers to one test leave, with names and without bounds.
    pub(super) fn children(&mut self, state: &State<'_>, column: &Column, aim: &impl Aim) -> Vec<Child> {
        let State { grid, set, budget, .. } = *state;
        let mut children = Vec::new();
        for class in 0..column.arity {
            let part: Vec<u64> =
                grid.plane(column, class).iter().zip(set).map(|(plane, set)| plane & set).collect();
            let tally = self.tally(grid, &part, aim);
            if tally.count > 0 {
                let key = grid.key(&part) ^ within(budget - column.cost);
                children.push(Child {
                    class: class as u32,
                    tally,
                    key,
                    lower: f64::NEG_INFINITY,
                    upper: f64::INFINITY,
                });
            }
        }
        children
    }

    /// Names the parts that a choice leaves, for what is known of them to be looked up.
    pub(super) fn name(&mut self, state: &State<'_>, choice: &Choice, children: &mut [Child]) {
        let State { grid, set, key, budget, .. } = *state;
        let column = &grid.tests[choice.column as usize];
        let largest = (0..children.len()).max_by_key(|at| children[*at].tally.count).unwrap_or(0);
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

/// Splits a set by every test that does, and sees how much such tests can do. Compiled twice, like the next one, since
/// many processors have an instruction for counting bits and some do not; which it is is seen when the program runs.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn split(counter: &mut Counter, state: &State<'_>, children: &mut Vec<Child>) -> Reach {
    counter.split(state, children)
}

/// See [`Leavers::growth`].
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn growth(leavers: &mut Leavers, splits: &[Split], inside: &[u64], words: usize) -> Growth {
    leavers.growth(splits.iter().map(|split| split.parts(inside, words)))
}

/// How many objects a set has.
#[inline(always)]
pub(super) fn size(set: &[u64]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// A number that equal sets share, and hardly ever others.
#[inline(always)]
fn mark(set: &[u64]) -> u64 {
    let mut mark = 0x9e37_79b9_7f4a_7c15u64;
    for word in set {
        let product = u128::from(mark ^ word) * 0xa076_1d64_78bd_642f;
        mark = (product >> 64) as u64 ^ product as u64 ^ word.rotate_left(17);
    }
    mark
}

/// What a budget adds to the name of a set: with less to spend it is another problem.
pub(super) fn within(budget: f64) -> u128 {
    if budget == f64::INFINITY { 0 } else { mixed(u128::from(budget.to_bits()) | 1 << 100) }
}

/// The bound of a child before anything is looked up; exact where that is plain to see.
fn bound(
    state: &State<'_>,
    setting: &Setting,
    column: &Column,
    child: &mut Child,
    inside: &[u64],
    aim: &impl Aim,
) {
    let tally = &child.tally;
    let budget = state.budget - column.cost;
    if tally.groups <= 1 {
        child.lower = match (&state.grid.confirmation, ones(inside).next()) {
            (Some(costs), Some(object)) if column.confirms != Some(object as u32) => {
                let cost = costs[object];
                if cost > budget { f64::INFINITY } else { aim.ask(cost, tally.mass, aim.leaf(tally.mass)) }
            }
            _ => aim.leaf(tally.mass),
        };
        child.upper = child.lower;
        return;
    }
    if budget < f64::INFINITY && super::aim::least_worst(tally, setting) > budget {
        child.lower = f64::INFINITY;
        child.upper = f64::INFINITY;
        return;
    }
    if aim.is_mean() && tally.mass == 0.0 && budget == f64::INFINITY {
        child.lower = aim.none();
        child.upper = child.lower;
        return;
    }
    child.lower = aim.floor(tally, setting);
    if aim.is_plain_to_see(tally, setting) {
        child.upper = child.lower;
    }
}
