//! Symmetry: first questions that a permutation of the objects maps to each other have the same value.
//!
//! A symmetry is a permutation of the objects that keeps weights and groups and maps every test's partition to that
//! of a test of the same cost, which confirms the image of the object confirmed. It maps a tree for all objects to
//! one of the same value, so of the questions in one orbit one suffices at the root. Sorting and Mastermind have
//! many.
//!
//! Symmetries are guessed by colour refinement: objects and tests get colours by the colours of those they are
//! related to, repeatedly. If objects still have equal colours, one is marked, in two ways, and objects of equal
//! colours are matched. A guess is used only after every test was followed through the permutation, so a bad guess
//! costs only time.

use super::grid::{Grid, mixed, ones};
use hashbrown::HashMap;
use std::time::Instant;

/// Most guesses.
const MAX_GUESSES: usize = 48;

/// First column of the orbit of each column; `deadline` ends the search for more symmetries.
pub(super) fn orbits(grid: &Grid, deadline: Option<Instant>) -> Vec<u32> {
    let mut orbits = Orbits::new(grid.tests.len());
    let plain = refined(grid, colours(grid, &[]));
    let cell = largest_cell(&plain.objects);
    let partitions = partitions(grid);
    let (Some(&first), looks_like) = (cell.first(), count(&plain.tests)) else { return orbits.firsts() };
    // Images from the whole cell: neighbours are often mapped by the same few symmetries.
    let images =
        (0..MAX_GUESSES.min(cell.len())).map(|turn| cell[(turn * 7919 + cell.len() / 2) % cell.len()]);
    for image in images.filter(|image| *image != first) {
        if orbits.count() <= looks_like || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break;
        }
        if let Some(moved) = guess(grid, first, image).and_then(|guess| verified(grid, &guess, &partitions)) {
            (0u32..).zip(moved).for_each(|(from, to)| orbits.join(from, to));
        }
    }
    orbits.firsts()
}

/// Union–find of columns; the first column of an orbit names it.
struct Orbits(Vec<u32>);

impl Orbits {
    fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    fn find(&self, mut column: u32) -> u32 {
        while self.0[column as usize] != column {
            column = self.0[column as usize];
        }
        column
    }

    fn join(&mut self, left: u32, right: u32) {
        let (left, right) = (self.find(left), self.find(right));
        self.0[left.max(right) as usize] = left.min(right);
    }

    fn count(&self) -> usize {
        (0u32..).zip(&self.0).filter(|(at, first)| at == *first).count()
    }

    fn firsts(&self) -> Vec<u32> {
        (0..self.0.len() as u32).map(|column| self.find(column)).collect()
    }
}

/// Colours of objects and tests.
struct Colours {
    objects: Vec<u64>,
    tests: Vec<u64>,
}

fn blend(left: u64, right: u64) -> u64 {
    mixed((u128::from(left) << 64) | u128::from(right ^ 0x51_7cc1_b727_220a)) as u64
}

/// Initial colours: weights, and the marked objects in this order.
fn colours(grid: &Grid, marked: &[usize]) -> Colours {
    let mut objects: Vec<u64> = grid.weights.iter().map(|weight| blend(1, weight.to_bits())).collect();
    for (turn, &object) in (2u64..).zip(marked) {
        objects[object] = blend(turn, objects[object]);
    }
    let confirms = |column: &super::grid::Column| u64::from(column.confirms.is_some());
    let tests = grid.tests.iter().map(|column| blend(column.cost.to_bits(), confirms(column))).collect();
    Colours { objects, tests }
}

/// Refines the colours by those of related objects and tests, until the number of object colours stays the same.
fn refined(grid: &Grid, mut colours: Colours) -> Colours {
    let mut seen = count(&colours.objects);
    loop {
        let mut gathered = vec![0u64; grid.weights.len()];
        // The colour of a group is made from those of its members.
        let mut groups: HashMap<u32, u64> = HashMap::new();
        for (object, group) in grid.groups.iter().enumerate() {
            let sum = groups.entry(*group).or_insert(0);
            *sum = sum.wrapping_add(blend(3, colours.objects[object]));
        }
        for (object, group) in grid.groups.iter().enumerate() {
            gathered[object] = blend(4, groups[group]);
        }
        for (column, colour) in grid.tests.iter().zip(&mut colours.tests) {
            let mut together = 0u64;
            let mut parts = Vec::with_capacity(column.arity);
            for class in 0..column.arity {
                let members = ones(grid.plane(column, class));
                let sum =
                    members.fold(0u64, |sum, object| sum.wrapping_add(blend(5, colours.objects[object])));
                parts.push(blend(6, sum));
                together = together.wrapping_add(blend(7, sum));
            }
            let confirmed = column.confirms.map_or(0, |object| colours.objects[object as usize]);
            *colour = blend(blend(*colour, together), confirmed);
            for (class, part) in parts.iter().enumerate() {
                let met = blend(*colour, *part);
                ones(grid.plane(column, class))
                    .for_each(|object| gathered[object] = gathered[object].wrapping_add(met));
            }
        }
        for (colour, gathered) in colours.objects.iter_mut().zip(gathered) {
            *colour = blend(*colour, gathered);
        }
        let now = count(&colours.objects);
        if now == seen {
            return colours;
        }
        seen = now;
    }
}

fn count(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

/// Largest cell of objects of one colour, if it has two; the first such cell in order of objects.
fn largest_cell(colours: &[u64]) -> Vec<usize> {
    let mut cells: HashMap<u64, Vec<usize>> = HashMap::new();
    colours.iter().enumerate().for_each(|(object, colour)| cells.entry(*colour).or_default().push(object));
    let alike = cells.into_values().filter(|cell| cell.len() > 1);
    alike.max_by_key(|cell| (cell.len(), std::cmp::Reverse(cell[0]))).unwrap_or_default()
}

/// Guesses a permutation that may be a symmetry and maps `first` to `image`.
fn guess(grid: &Grid, first: usize, image: usize) -> Option<Vec<usize>> {
    let (mut from, mut to) = (vec![first], vec![image]);
    loop {
        let left = refined(grid, colours(grid, &from)).objects;
        let right = refined(grid, colours(grid, &to)).objects;
        let cell = largest_cell(&left);
        if cell.is_empty() {
            let places: HashMap<u64, usize> =
                right.iter().enumerate().map(|(object, colour)| (*colour, object)).collect();
            return left.iter().map(|colour| places.get(colour).copied()).collect();
        }
        // Any object of the same colour may be the image.
        from.push(cell[0]);
        to.push(right.iter().position(|colour| *colour == left[cell[0]])?);
    }
}

/// Columns by key of their partition, cost and confirmed object.
type Partitions = HashMap<(u128, u64, Option<u32>), u32>;

fn partitions(grid: &Grid) -> Partitions {
    let identity: Vec<usize> = (0..grid.weights.len()).collect();
    (0u32..).zip(&grid.tests).map(|(at, column)| (image_of(grid, column, &identity), at)).collect()
}

/// Image of a column's partition under a permutation.
fn image_of(grid: &Grid, column: &super::grid::Column, moved: &[usize]) -> (u128, u64, Option<u32>) {
    let mut name = 0u128;
    for class in 0..column.arity {
        let key = ones(grid.plane(column, class)).fold(0, |key, object| key ^ grid.keys[moved[object]]);
        name = name.wrapping_add(mixed(key));
    }
    (name, column.cost.to_bits(), column.confirms.map(|object| moved[object as usize] as u32))
}

/// Image of each column, if the permutation is a symmetry.
fn verified(grid: &Grid, moved: &[usize], partitions: &Partitions) -> Option<Vec<u32>> {
    let mut reached = vec![false; moved.len()];
    moved.iter().for_each(|&to| reached[to] = true);
    let mut groups: HashMap<u32, u32> = HashMap::new();
    let mut images: HashMap<u32, u32> = HashMap::new();
    let mut keeps = |from: usize, to: usize| {
        let (group, image) = (grid.groups[from], grid.groups[to]);
        grid.weights[from] == grid.weights[to]
            && *groups.entry(group).or_insert(image) == image
            && *images.entry(image).or_insert(group) == group
    };
    let is_symmetry =
        reached.iter().all(|reached| *reached) && moved.iter().enumerate().all(|(from, &to)| keeps(from, to));
    is_symmetry.then_some(())?;
    let mut hit = vec![false; grid.tests.len()];
    let mut columns = Vec::with_capacity(grid.tests.len());
    for column in &grid.tests {
        let to = *partitions.get(&image_of(grid, column, moved))?;
        if std::mem::replace(&mut hit[to as usize], true) {
            return None;
        }
        columns.push(to);
    }
    Some(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::tests::{Dice, instance};
    use fewest_model::{Instance, Reading, Table};
    use std::collections::BTreeSet;

    fn grid(text: &str) -> Grid {
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let (instance, _) =
            Instance::new(Table::from_rows(&rows), &Reading::default()).expect("a sound table");
        Grid::new(&instance, |mass| mass).0
    }

    #[test]
    fn the_four_corners_of_a_square_are_one_by_either_side() {
        let square = grid("object x y\n a 0 0\n b 0 1\n c 1 0\n d 1 1");
        assert_eq!(orbits(&square, None), [0, 0]);
    }

    #[test]
    fn a_weight_or_a_group_breaks_it() {
        let weighed = grid("object prior x y\n a 2 0 0\n b 1 0 1\n c 3 1 0\n d 1 1 1");
        assert_eq!(orbits(&weighed, None), [0, 1]);
        let grouped = grid("object group x y\n a g 0 0\n b g 0 1\n c h 1 0\n d i 1 1");
        assert_eq!(orbits(&grouped, None), [0, 1]);
    }

    #[test]
    fn cyclic_neighbours_and_opposites_stay_apart() {
        // A ring of six: three cuts across, each into two arcs of three, and a test that singles one object out.
        let ring = grid("object p q r\n a 0 0 0\n b 0 0 1\n c 0 1 1\n d 1 1 1\n e 1 1 0\n f 1 0 0");
        assert_eq!(orbits(&ring, None), [0, 0, 0]);
        let marked =
            grid("object p q r m\n a 0 0 0 1\n b 0 0 1 0\n c 0 1 1 0\n d 1 1 1 0\n e 1 1 0 0\n f 1 0 0 0");
        assert_eq!(orbits(&marked, None), [0, 1, 0, 3]);
    }
    /// Parts of a column, with its cost and what it confirms, after objects were moved.
    fn moved_column(grid: &Grid, column: usize, moved: &[usize]) -> (BTreeSet<u64>, u64, Option<usize>) {
        let column = &grid.tests[column];
        let part = |class| {
            ones(grid.plane(column, class)).map(|object| 1 << moved[object]).fold(0, |all, bit| all | bit)
        };
        let confirms = column.confirms.map(|object| moved[object as usize]);
        ((0..column.arity).map(part).collect(), column.cost.to_bits(), confirms)
    }

    /// Columns that columns are mapped to, one after the other, if everything is kept.
    fn slow(grid: &Grid, moved: &[usize]) -> Option<Vec<u32>> {
        let objects = 0..moved.len();
        let identity: Vec<usize> = objects.clone().collect();
        let pairs = objects.clone().flat_map(|one| objects.clone().map(move |other| (one, other)));
        let same = |one: usize, other: usize| grid.groups[one] == grid.groups[other];
        let keeps = |(one, other): (usize, usize)| {
            (one == other) == (moved[one] == moved[other])
                && same(one, other) == same(moved[one], moved[other])
                && grid.weights[one] == grid.weights[moved[one]]
        };
        if !{ pairs }.all(keeps) {
            return None;
        }
        let columns: Vec<_> = (0..grid.tests.len()).map(|at| moved_column(grid, at, &identity)).collect();
        let image = |at: usize| {
            let wanted = moved_column(grid, at, moved);
            columns.iter().position(|column| *column == wanted).map(|to| to as u32)
        };
        (0..grid.tests.len()).map(image).collect()
    }

    #[test]
    fn only_permutations_that_keep_everything_are_symmetries() {
        let (mut symmetries, mut others) = (0, 0);
        for seed in 0..150 {
            let mut dice = Dice::new(seed);
            let confirm = dice.roll(4) == 0;
            let tests = 1 + dice.roll(3);
            let instance = instance(&mut dice, 4, tests, confirm);
            let (grid, _) = Grid::new(&instance, |mass| mass);
            let (partitions, objects) = (partitions(&grid), grid.weights.len());
            // All maps of the objects, permutations and others.
            for number in 0..objects.pow(objects as u32) {
                let moved: Vec<usize> =
                    (0..objects as u32).map(|object| number / objects.pow(object) % objects).collect();
                let wanted = slow(&grid, &moved);
                assert_eq!(verified(&grid, &moved, &partitions), wanted, "{moved:?}");
                *if wanted.is_some() { &mut symmetries } else { &mut others } += 1;
            }
        }
        assert!(symmetries > 200 && others > 1_000, "{symmetries} {others}");
    }
}
