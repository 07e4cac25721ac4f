//! Splits of a set by every test.

use super::counter::Counter;
use super::grid::{Column, Grid, size};
use super::reach::Reach;
use super::state::{Child, Split, State};
use super::summary::SetSummary;
use multiversion::multiversion;

/// Splits a set by every test that splits it, and returns the limits of these tests. Compiled twice, like the nested
/// majority path, because not all processors have an instruction for counting bits; the choice is made at run time.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(super) fn split(counter: &mut Counter, state: &State<'_>, children: &mut Vec<Child>) -> Reach {
    counter.split_all(state, children)
}

impl Counter {
    /// Splits a set by every test; see [`split`].
    #[inline(always)]
    fn split_all(&mut self, state: &State<'_>, children: &mut Vec<Child>) -> Reach {
        let State { grid, set, .. } = *state;
        let mut reach = Reach::NONE;
        self.splits.clear();
        self.inside.clear();
        self.places.clear();
        self.places.resize((2 * grid.tests.len()).next_power_of_two(), 0);
        for (number, column) in (0u32..).zip(&grid.tests) {
            let (first, inside) = (children.len(), self.inside.len());
            let largest = self.split_by(state, column, children);
            let count = children.len() - first;
            if count < 2 {
                children.truncate(first);
                self.inside.truncate(inside);
                continue;
            }
            let confirms = column.confirms.map(|object| object as usize);
            let confirms = confirms.is_some_and(|object| set[object / 64] >> (object % 64) & 1 == 1);
            reach = reach.and((column.cost, column.dearest), count, count - usize::from(confirms));
            let hashes = self.inside[inside..].chunks_exact(grid.words).map(hash);
            let hash = hashes.fold(0, u64::wrapping_add);
            let (first, count) = (first as u32, count as u32);
            let split = Split { column: number, first, count, largest, inside, hash };
            if self.is_new(grid, &split) {
                self.splits.push(split);
            } else {
                children.truncate(first as usize);
                self.inside.truncate(inside);
            }
        }
        reach
    }

    /// Appends the parts of one test to `children` and their objects to [`Counter::inside`]. Returns the number of
    /// the largest part.
    #[inline(always)]
    fn split_by(&mut self, state: &State<'_>, column: &Column, children: &mut Vec<Child>) -> u32 {
        let State { grid, set, summary, .. } = *state;
        let first = children.len();
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
            let (class, upper) = (class as u32, f64::INFINITY);
            children.push(Child { class, summary, key: 0, lower: 0.0, upper });
        }
        largest.1
    }

    /// Whether no earlier test splits in the same way, costs no more and confirms the same; if so, the split is
    /// recorded.
    fn is_new(&mut self, grid: &Grid, split: &Split) -> bool {
        if !self.distinct {
            return true;
        }
        let Self { places, splits, inside, .. } = self;
        let test = |split: &Split| &grid.tests[split.column as usize];
        let parts = |split: &Split| split.parts(inside, grid.words);
        let mut place = split.hash as usize & (places.len() - 1);
        while let Some(old) = splits.get((places[place] as usize).wrapping_sub(1)) {
            if old.hash == split.hash
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
}

/// Hash of a set.
#[inline(always)]
fn hash(set: &[u64]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15u64;
    for word in set {
        let product = u128::from(hash ^ word) * 0xa076_1d64_78bd_642f;
        hash = (product >> 64) as u64 ^ product as u64 ^ word.rotate_left(17);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::algebra::Worst;
    use crate::exact::extract::ReducedProblem;
    use crate::exact::state::within;
    use crate::exact::switches::Switches;
    use crate::exact::tests::{Dice, instance};
    use std::collections::BTreeSet;

    #[test]
    fn tests_with_equal_hashes_are_one_only_if_they_make_the_same_parts() {
        for seed in 0..60 {
            let mut dice = Dice::new(seed);
            let (objects, confirm) = (4 + dice.roll(3), dice.roll(3) == 0);
            let instance = instance(&mut dice, objects, 8, confirm);
            let problem = ReducedProblem::new(&instance, f64::INFINITY, |_| 0.0);
            let grid = &problem.grid;
            let set = [grid.all()[0] & (1 | dice.roll(1 << objects) as u64)];
            let mut counter = Counter::new(grid.group_count, &Switches::ALL);
            let summary = counter.summary(grid, &set, &Worst { unit: 0.0 });
            let (key, budget) = (grid.key(&set) ^ within(f64::INFINITY), f64::INFINITY);
            let state = State { grid, set: &set, summary, key, budget };
            let mut children = Vec::new();
            counter.places = vec![0; 64];
            let mut known: Vec<(BTreeSet<u64>, f64, Option<u32>)> = Vec::new();
            for (number, column) in (0u32..).zip(&grid.tests) {
                let (first, inside) = (children.len(), counter.inside.len());
                let largest = counter.split_by(&state, column, &mut children);
                let count = (children.len() - first) as u32;
                if count < 2 {
                    continue;
                }
                // All hashes are equal.
                let split = Split { column: number, first: first as u32, count, largest, inside, hash: 7 };
                let parts: BTreeSet<u64> = split.parts(&counter.inside, 1).map(|part| part[0]).collect();
                let stands = |(other, cost, confirms): &(BTreeSet<u64>, f64, Option<u32>)| {
                    *other == parts && *cost <= column.cost && *confirms == column.confirms
                };
                let is_new = !known.iter().any(stands);
                assert_eq!(counter.is_new(grid, &split), is_new, "{known:?} {parts:?}");
                if is_new {
                    counter.splits.push(split);
                    known.push((parts, column.cost, column.confirms));
                }
            }
        }
    }
}
