//! Table as bit planes: for each test, the objects that give each answer.

use super::summary::SetSummary;
use crate::bound::majority_path::prices::{LeavingObjects, prices};
use fewest_model::{Instance, ObjectId};
use hashbrown::HashMap;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Objects and the tests that split them. Equal rows of one group are one object, whose weights add up.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// Weight of each object.
    pub(super) weights: Vec<f64>,
    /// Spread of each weight, as the objective defines it.
    pub(super) spreads: Vec<f64>,
    /// Objects of each weight, if every object is its own group and few weights occur.
    pub(super) levels: Vec<Level>,
    /// Group of each object, numbered from 0 within the whole problem.
    pub(super) groups: Vec<u32>,
    /// Number of groups of the whole problem.
    pub(super) group_count: usize,
    /// Random number for each object; the key of a set is the exclusive or of its members' numbers.
    pub(super) keys: Vec<u128>,
    /// Index of each object in the root grid.
    pub(super) origin: Vec<u32>,
    /// Cost of confirming each object, if objects must be confirmed.
    pub(super) confirmation: Option<Vec<f64>>,
    /// Whether every object is a group of its own.
    pub(super) own: bool,
    /// Whether weights are whole, so that parent − other parts is exact.
    pub(super) whole: bool,
    /// Prices of each object, from 0 to 1 and times its size; see [`crate::bound::majority_path::prices`]. Empty if
    /// they are of no use.
    pub(super) prices: Vec<Prices>,
    /// Number of prices of each object.
    pub(super) lanes: usize,
    /// Least number of objects of a set for which prices are worth their time.
    least_priced: u32,
    /// Prices as one list per lane; only in the grid of all objects.
    pub(super) shown_prices: Vec<Vec<u8>>,
    /// Tests that split.
    pub(super) tests: Vec<Column>,
    /// Words per set.
    pub(super) words: usize,
    planes: Vec<u64>,
}

/// Test whose answers are sets of objects.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// Number of the test in the instance.
    pub(super) test: u32,
    /// Cost of the test.
    pub(super) cost: f64,
    /// Object that the test confirms, if it is in this grid.
    pub(super) confirms: Option<u32>,
    /// Cost of the most expensive of the tests that split in the same way.
    pub(super) dearest: f64,
    /// All tests that split in the same way and are no cheaper; only in the grid of all objects.
    pub(super) stands_for: Vec<u32>,
    first: usize,
    /// Number of answers that occur.
    pub(super) arity: usize,
}

impl Column {
    /// Makes a test without planes.
    fn new(test: u32, cost: f64) -> Self {
        Self { test, cost, confirms: None, dearest: cost, stands_for: Vec::new(), first: 0, arity: 0 }
    }
}

/// Tests by their partition and the object they confirm.
type Seen = HashMap<(u128, Option<u32>), usize>;

/// Objects of one weight.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// Weight of these objects.
    pub(super) weight: f64,
    /// Spread of the weight, as the objective defines it.
    pub(super) spread: f64,
    /// Set of these objects.
    pub(super) set: Vec<u64>,
}

/// Computes `x log₂ x`, 0 at 0.
pub(super) fn phi(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}

/// Frank–Wolfe steps for each price vector.
const PRICE_STEPS: usize = 30;

/// Most prices of an object: eight floats fill a cache line.
pub(super) const MAX_PRICES: usize = 8;

/// Prices of an object.
pub(super) type Prices = [f64; MAX_PRICES];

/// Most different weights for which counting each is faster than adding up weights one by one.
const MAX_LEVELS: usize = 8;

/// Fixed seed, so that one table has one search.
const SEED: u64 = 0x5eed_0ffe_3e57;

impl Grid {
    /// Makes the grid of all objects of `instance`, and the index in it of each of them; `spread` is that of the
    /// objective.
    pub(super) fn new(instance: &Instance, spread: impl Fn(f64) -> f64) -> (Self, Vec<u32>) {
        let (members, weights, places) = merged_rows(instance);
        let mut random = ChaCha8Rng::seed_from_u64(SEED);
        let mut key = || (u128::from(random.next_u64()) << 64) | u128::from(random.next_u64());
        let keys = members.iter().map(|_| key()).collect();
        let groups: Vec<u32> = members.iter().map(|object| instance.group_of(*object).0).collect();
        let group_count = instance.group_count();
        let mut grid = Self {
            spreads: weights.iter().map(|weight| spread(*weight)).collect(),
            own: group_count == members.len(),
            whole: instance.weights().is_exact(),
            levels: Vec::new(),
            weights,
            groups,
            group_count,
            keys,
            origin: (0..members.len() as u32).collect(),
            confirmation: instance.needs_confirmation().then(|| confirmation(instance, &members)),
            prices: Vec::new(),
            lanes: 0,
            least_priced: u32::MAX,
            shown_prices: Vec::new(),
            tests: Vec::new(),
            words: members.len().div_ceil(64).max(1),
            planes: Vec::new(),
        };
        let mut seen = Seen::new();
        let mut confirms = vec![None; instance.test_count()];
        for (place, object) in (0u32..).zip(&members) {
            if let Some(test) = instance.confirming(*object) {
                confirms[test.index()] = Some(place);
            }
        }
        for test in instance.test_ids() {
            let cost = instance.costs().units()[test.index()];
            let answer = |place: usize| instance.answer(members[place], test).0;
            let arity = instance.test(test).arity();
            let column = Column {
                confirms: confirms[test.index()],
                stands_for: vec![test.0],
                ..Column::new(test.0, cost)
            };
            grid.add(column, arity, answer, &mut seen);
        }
        grid.levels = grid.find_levels();
        (grid, places)
    }

    /// Adds a test unless it splits nothing, or an equal test that is no more expensive exists. `column` comes
    /// without its planes; `class` returns the answer of an object, below `answers`.
    fn add(&mut self, mut column: Column, answers: usize, class: impl Fn(usize) -> u32, seen: &mut Seen) {
        let first = self.planes.len();
        let mut place = vec![usize::MAX; answers];
        let mut occurring = 0;
        for object in 0..self.weights.len() {
            let at = &mut place[class(object) as usize];
            if *at == usize::MAX {
                *at = occurring;
                occurring += 1;
                self.planes.resize(first + occurring * self.words, 0);
            }
            self.planes[first + *at * self.words + object / 64] |= 1 << (object % 64);
        }
        if occurring < 2 {
            self.planes.truncate(first);
            return;
        }
        let key = (0..occurring)
            .map(|class| mixed(self.key(self.plane_at(first, class))))
            .fold(0, u128::wrapping_add);
        (column.first, column.arity) = (first, occurring);
        let name = (key, column.confirms);
        match seen.get(&name) {
            Some(&old) if self.tests[old].cost <= column.cost => {
                let old = &mut self.tests[old];
                old.dearest = old.dearest.max(column.dearest);
                old.stands_for.append(&mut column.stands_for);
                self.planes.truncate(first);
            }
            Some(&old) => {
                column.dearest = column.dearest.max(self.tests[old].dearest);
                column.stands_for.append(&mut self.tests[old].stands_for);
                self.tests[old] = column;
            }
            None => {
                seen.insert(name, self.tests.len());
                self.tests.push(column);
            }
        }
    }

    fn find_levels(&self) -> Vec<Level> {
        let mut levels: Vec<Level> = Vec::new();
        for (object, (&weight, &spread)) in self.weights.iter().zip(&self.spreads).enumerate() {
            let place = levels.iter().position(|level| level.weight == weight).unwrap_or(levels.len());
            if !self.own || place == MAX_LEVELS {
                return Vec::new();
            }
            if place == levels.len() {
                levels.push(Level { weight, spread, set: vec![0; self.words] });
            }
            levels[place].set[object / 64] |= 1 << (object % 64);
        }
        levels
    }

    /// Weight of every object, if all weigh the same and are groups of their own.
    pub(super) fn plain(&self) -> Option<f64> {
        (self.levels.len() == 1).then(|| self.weights[0])
    }

    /// Copies the part of this grid with the objects of `set`.
    pub(super) fn part(&self, set: &[u64]) -> Self {
        let members: Vec<usize> = ones(set).collect();
        let pick = |values: &[f64]| members.iter().map(|&at| values[at]).collect::<Vec<f64>>();
        let mut place = vec![u32::MAX; self.weights.len()];
        (0u32..).zip(&members).for_each(|(new, &old)| place[old] = new);
        let mut part = Self {
            weights: pick(&self.weights),
            spreads: pick(&self.spreads),
            own: self.own,
            whole: self.whole,
            levels: Vec::new(),
            groups: members.iter().map(|&at| self.groups[at]).collect(),
            group_count: self.group_count,
            keys: members.iter().map(|&at| self.keys[at]).collect(),
            origin: members.iter().map(|&at| self.origin[at]).collect(),
            confirmation: self.confirmation.as_deref().map(pick),
            prices: members.iter().filter_map(|&at| self.prices.get(at)).copied().collect(),
            lanes: self.lanes,
            least_priced: self.least_priced,
            shown_prices: Vec::new(),
            tests: Vec::new(),
            words: members.len().div_ceil(64).max(1),
            planes: Vec::new(),
        };
        let mut seen = Seen::new();
        let mut classes = vec![0u32; self.weights.len()];
        for column in &self.tests {
            for class in 0..column.arity {
                let plane = self.plane(column, class);
                for (word, (plane, set)) in plane.iter().zip(set).enumerate() {
                    let mut rest = plane & set;
                    while rest != 0 {
                        classes[word * 64 + rest.trailing_zeros() as usize] = class as u32;
                        rest &= rest - 1;
                    }
                }
            }
            let confirms = column.confirms.map(|at| place[at as usize]).filter(|at| *at != u32::MAX);
            let new = Column { confirms, dearest: column.dearest, ..Column::new(column.test, column.cost) };
            part.add(new, column.arity, |at| classes[members[at]], &mut seen);
        }
        part.levels = part.find_levels();
        part
    }

    /// Whether prices are worth their time for a set.
    pub(super) fn is_priced(&self, set: &SetSummary) -> bool {
        set.count >= self.least_priced
    }

    /// Sets the prices of objects, by mass or by number, for sets of at least `least` objects.
    pub(super) fn set_prices(&mut self, by_mass: bool, least: u32, is_late: impl Fn() -> bool) {
        let weights = if by_mass { self.weights.clone() } else { vec![1.0; self.weights.len()] };
        let mut groups = vec![0.0; self.group_count];
        self.groups.iter().zip(&weights).for_each(|(group, weight)| groups[*group as usize] += weight);
        let leaving = LeavingObjects {
            tests: self.tests.iter().map(|column| self.leaving(column, &weights)).collect(),
            largest_group: groups.into_iter().fold(0.0, f64::max),
            weights,
        };
        let found = prices(&leaving, PRICE_STEPS, MAX_PRICES, is_late);
        self.lanes = found.len();
        self.least_priced = if found.is_empty() { u32::MAX } else { least };
        self.prices = vec![[0.0; MAX_PRICES]; if found.is_empty() { 0 } else { self.weights.len() }];
        for (lane, found) in found.iter().enumerate() {
            for (object, price) in found.iter().enumerate() {
                self.prices[object][lane] = f64::from(*price) * leaving.weights[object];
            }
        }
        self.shown_prices = found;
    }

    /// Objects that do not give the majority answer.
    fn leaving(&self, column: &Column, weights: &[f64]) -> Vec<u32> {
        let size =
            |class: &usize| ones(self.plane(column, *class)).map(|object| weights[object]).sum::<f64>();
        let usual = (0..column.arity).rev().max_by(|left, right| size(left).total_cmp(&size(right)));
        let others = (0..column.arity).filter(|class| Some(*class) != usual);
        others.flat_map(|class| ones(self.plane(column, class))).map(|object| object as u32).collect()
    }

    /// The set of all objects.
    pub(super) fn all(&self) -> Vec<u64> {
        let mut set = vec![u64::MAX; self.words];
        let over = self.words * 64 - self.weights.len();
        if let Some(last) = set.last_mut() {
            *last = if over >= 64 { 0 } else { u64::MAX >> over };
        }
        set
    }

    /// Objects that give the answer numbered `class` to `column`.
    pub(super) fn plane(&self, column: &Column, class: usize) -> &[u64] {
        self.plane_at(column.first, class)
    }

    fn plane_at(&self, first: usize, class: usize) -> &[u64] {
        let start = first + class * self.words;
        &self.planes[start..start + self.words]
    }

    /// Key of a set.
    pub(super) fn key(&self, set: &[u64]) -> u128 {
        ones(set).fold(0, |key, object| key ^ self.keys[object])
    }
}

/// Mixes the bits of a key, so that sums of keys of different parts differ.
pub(super) fn mixed(key: u128) -> u128 {
    let low = (key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (key >> 64) as u64;
    let high = ((key >> 64) as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f) ^ (key as u64).rotate_left(29);
    (u128::from(high ^ (high >> 31)) << 64) | u128::from(low ^ (low >> 29))
}

/// Number of objects of a set.
#[inline(always)]
pub(super) fn size(set: &[u64]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// Members of a set.
pub(super) fn ones(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(word, &bits)| {
        let mut rest = bits;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let at = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                word * 64 + at
            })
        })
    })
}

/// Merges equal rows of one group: returns the first object of each, their total weights, and the index of every
/// object.
fn merged_rows(instance: &Instance) -> (Vec<ObjectId>, Vec<f64>, Vec<u32>) {
    let mut places: Vec<u32> = Vec::with_capacity(instance.object_count());
    let mut seen: HashMap<Vec<u32>, u32> = HashMap::new();
    let mut members: Vec<ObjectId> = Vec::new();
    let mut weights: Vec<f64> = Vec::new();
    for object in instance.objects() {
        let mut row: Vec<u32> = instance.test_ids().map(|test| instance.answer(object, test).0).collect();
        row.push(instance.group_of(object).0);
        let fresh = members.len() as u32;
        let place = *seen.entry(row).or_insert(fresh);
        if place == fresh {
            members.push(object);
            weights.push(0.0);
        }
        weights[place as usize] += instance.weight(object);
        places.push(place);
    }
    (members, weights, places)
}

/// Cost of confirming each object.
fn confirmation(instance: &Instance, members: &[ObjectId]) -> Vec<f64> {
    let cost =
        |object: &ObjectId| instance.confirming(*object).map(|test| instance.costs().units()[test.index()]);
    members.iter().map(|object| cost(object).unwrap_or(0.0)).collect()
}
