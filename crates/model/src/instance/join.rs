//! Rows that no test tells apart: found by hashing, compared cell by cell, joined if they differ in group. If tests may
//! not be asked everywhere, rows that differ may stay together as well.

use super::hash::hashes;
use super::{Test, premises};
use crate::{Codes, GroupId, ObjectId, Scaled};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Bits of a word that hold the row number.
const ROW: u64 = u32::MAX as u64;

/// Assignment of rows to objects.
pub(super) struct Joined {
    /// Starts and rows, as in [`Instance`](super::Instance); `None` if every row is an object.
    pub(super) members: Option<(Vec<u32>, Vec<u32>)>,
    /// Sets of joined rows, each in order of rows, sorted by first row.
    pub(super) sets: Vec<Vec<u32>>,
    /// Number of different rows: rows with the same answers count once.
    pub(super) distinct: usize,
    rows: usize,
}

impl Joined {
    /// Joins equal rows of different groups; without `groups`, every row is a group of its own.
    pub(super) fn new(tests: &[Test], rows: usize, groups: Option<&Codes>) -> Self {
        let mut distinct = rows;
        let mut sets: Vec<Vec<u32>> = Vec::new();
        let is_conditional = tests.iter().any(|test| test.inapplicable.is_some());
        let is_single = tests.iter().all(Test::is_single);
        let classes = match is_conditional && is_single {
            true => premises::classes(tests, rows),
            false => equal_rows(tests, rows),
        };
        for class in classes {
            distinct -= class.len() - 1;
            let group = |row: u32| groups.map_or(row, |groups| groups.get(row as usize));
            if class.iter().any(|&row| group(row) != group(class[0])) {
                sets.push(class);
            }
        }
        sets.sort();
        let members = (!sets.is_empty()).then(|| members(rows, &sets));
        Self { members, sets, distinct, rows }
    }

    /// Iterates over the rows of each object, in order; empty if no rows were joined.
    fn objects(&self) -> Box<dyn Iterator<Item = &[u32]> + '_> {
        match &self.members {
            None => Box::new(std::iter::empty()),
            Some((starts, rows)) => {
                Box::new(starts.windows(2).map(|ends| &rows[ends[0] as usize..ends[1] as usize]))
            }
        }
    }

    /// Group of each object, numbered by first object, and the labels that make up each group.
    pub(super) fn groups(&self, groups: Option<&Codes>) -> (Vec<GroupId>, Vec<Box<[u32]>>) {
        let Some(groups) = groups else {
            let objects = self.members.as_ref().map_or(self.rows, |(starts, _)| starts.len() - 1);
            return ((0..objects).map(GroupId::at).collect(), Vec::new());
        };
        let mut numbers: BTreeMap<Box<[u32]>, GroupId> = BTreeMap::new();
        let mut number = |labels: &[u32]| match numbers.get(labels) {
            Some(&group) => group,
            None => {
                let next = GroupId::at(numbers.len());
                numbers.insert(labels.into(), next);
                next
            }
        };
        let group_of = match &self.members {
            None => {
                let mut by_label = vec![None; groups.iter().max().map_or(0, |most| most as usize + 1)];
                let group = |label: u32| *by_label[label as usize].get_or_insert_with(|| number(&[label]));
                groups.iter().map(group).collect()
            }
            Some(_) => {
                let mut labels = Vec::new();
                let set = |rows: &[u32]| {
                    labels.clear();
                    labels.extend(rows.iter().map(|&row| groups.get(row as usize)));
                    labels.sort_unstable();
                    labels.dedup();
                    number(&labels)
                };
                self.objects().map(set).collect()
            }
        };
        let mut sets: Vec<(GroupId, Box<[u32]>)> =
            numbers.into_iter().map(|(labels, group)| (group, labels)).collect();
        sets.sort_unstable();
        (group_of, sets.into_iter().map(|(_, labels)| labels).collect())
    }

    /// Weight of each object: the sum over its rows.
    pub(super) fn add_up(&self, weights: Scaled) -> Scaled {
        match &self.members {
            None => weights,
            Some(_) => weights.add_up(self.objects()),
        }
    }

    /// Returns the test with one answer for each object instead of each row.
    pub(super) fn shrink(&self, test: Test) -> Test {
        match &self.members {
            None => test,
            Some(_) => {
                let firsts = || self.objects().map(|rows| rows[0] as usize);
                let sets = test.sets.as_ref().map(|sets| sets.select(firsts()));
                let is_hidden = |rows: &[u32]| rows.iter().any(|row| !test.applies_to(ObjectId(*row)));
                let hidden = test.inapplicable.is_some().then(|| {
                    let objects = self.objects().enumerate().filter(|(_, rows)| is_hidden(rows));
                    objects.map(|(object, _)| ObjectId::at(object)).collect()
                });
                let codes = test.codes.select(firsts());
                let mut test = Test { codes, sets, inapplicable: None, ..test };
                test.hide(hidden.unwrap_or_default());
                test
            }
        }
    }
}

/// Starts and rows of the objects after each of `sets` has become one object, at the position of its first row.
fn members(rows: usize, sets: &[Vec<u32>]) -> (Vec<u32>, Vec<u32>) {
    const ALONE: u32 = u32::MAX;
    let mut set_of = vec![ALONE; rows];
    for (number, set) in sets.iter().enumerate() {
        set.iter().for_each(|&row| set_of[row as usize] = number as u32);
    }
    let (mut starts, mut members) = (vec![0], Vec::with_capacity(rows));
    for row in 0..rows as u32 {
        match set_of[row as usize] {
            ALONE => members.push(row),
            set if sets[set as usize][0] == row => members.extend_from_slice(&sets[set as usize]),
            _ => continue,
        }
        starts.push(members.len() as u32);
    }
    (starts, members)
}

/// Classes of two or more rows that have the same answer to every test.
fn equal_rows(tests: &[Test], rows: usize) -> Vec<Vec<u32>> {
    // Upper half of the hash and the row in one word, so that the words alone are sorted.
    let mut order = hashes(tests, rows);
    order.iter_mut().zip(0..).for_each(|(hash, row)| *hash = *hash & !ROW | row);
    order.sort_unstable();
    let mut classes = Vec::new();
    for suspects in order.chunk_by(|left, right| left & !ROW == right & !ROW).filter(|rows| rows.len() > 1) {
        let mut suspects: Vec<u32> = suspects.iter().map(|word| (word & ROW) as u32).collect();
        let is_equal = |left: &u32, right: &u32| compare(tests, *left, *right) == Ordering::Equal;
        // Equal hashes do not prove equal rows: if some differ, sorting by answers puts equal rows next to each
        // other.
        if !suspects[1..].iter().all(|row| is_equal(&suspects[0], row)) {
            suspects.sort_by(|left, right| compare(tests, *left, *right).then(left.cmp(right)));
        }
        classes.extend(suspects.chunk_by(is_equal).filter(|class| class.len() > 1).map(<[u32]>::to_vec));
    }
    classes
}

fn compare(tests: &[Test], left: u32, right: u32) -> Ordering {
    let answers = |row: u32| tests.iter().map(move |test| premises::cell(test, row));
    answers(left).cmp(answers(right))
}
