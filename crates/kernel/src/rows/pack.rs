//! Rows of all objects, packed as bits in order of groups.

use super::node::NodeRows;
use super::view::GroupRun;
use crate::buffer::PageBuffer;
use crate::lane::{LANE_BITS, Lane, ZEROS};
use crate::transpose::transpose_columns;
use fewest_model::{GroupId, Instance, ObjectId, TestId};
use rayon::prelude::*;
use std::ops::Range;

/// All objects of an instance in order of groups, each with its answers to the yes/no tests as one row of bits.
///
/// A tree grows by partitioning the rows of a node among its children in place. So every node is one range of memory
/// that is read from one end to the other, and the work at a node is proportional to the objects left there.
#[derive(Debug)]
pub struct PackedRows {
    columns: Columns,
    rows: PageBuffer<Lane>,
    objects: PageBuffer<ObjectId>,
    weights: Vec<f64>,
    moments: Vec<f64>,
    runs: Vec<GroupRun>,
}

/// Tests that are packed.
#[derive(Clone, Debug)]
struct Columns {
    /// Tests with at most two answers, in order: bit `i` of a row belongs to test `i` of these.
    tests: Vec<TestId>,
    /// Lanes per row.
    stride: usize,
}

/// Rows of all objects, of which any number of trees take copies to grow on.
#[derive(Debug)]
pub struct PackedTable {
    columns: Columns,
    rows: PageBuffer<Lane>,
    objects: PageBuffer<ObjectId>,
    runs: Vec<GroupRun>,
}

impl PackedTable {
    /// Packs all objects of `instance`.
    pub fn new(instance: &Instance) -> Self {
        let tests: Vec<TestId> =
            instance.test_ids().filter(|test| instance.test(*test).codes.width() == 1).collect();
        let stride = tests.len().div_ceil(LANE_BITS).max(1);
        let (rows, objects, runs) = pack(instance, &tests, stride);
        Self { columns: Columns { tests, stride }, rows, objects, runs }
    }

    /// Copies the rows for one tree, which is many times faster than packing again. `weights` and `moments` are
    /// numbers per object that the criterion needs, if any.
    pub fn copy(&self, weights: Option<&[f64]>, moments: Option<&[f64]>) -> PackedRows {
        let mut copy = Self {
            columns: self.columns.clone(),
            rows: PageBuffer::new(self.rows.len()),
            objects: PageBuffer::new(self.objects.len()),
            runs: self.runs.clone(),
        };
        copy.rows.copy_from_slice(&self.rows);
        copy.objects.copy_from_slice(&self.objects);
        copy.into_rows(weights, moments)
    }

    /// Returns the rows for a single tree, without a copy.
    pub fn into_rows(self, weights: Option<&[f64]>, moments: Option<&[f64]>) -> PackedRows {
        let Self { columns, rows, objects, runs } = self;
        let numbers = |of: Option<&[f64]>| {
            of.map_or_else(Vec::new, |of| objects.iter().map(|object| of[object.index()]).collect())
        };
        let (weights, moments) = (numbers(weights), numbers(moments));
        PackedRows { columns, rows, objects, weights, moments, runs }
    }
}

impl PackedRows {
    /// Packs all objects of `instance` for a single tree.
    pub fn new(instance: &Instance, weights: Option<&[f64]>, moments: Option<&[f64]>) -> Self {
        PackedTable::new(instance).into_rows(weights, moments)
    }

    /// Packed tests in order: those with at most two answers.
    pub fn tests(&self) -> &[TestId] {
        &self.columns.tests
    }

    /// Returns all objects, as the root of a tree.
    pub fn root(&mut self) -> NodeRows<'_> {
        let Self { columns, rows, objects, weights, moments, runs } = self;
        NodeRows { stride: columns.stride, rows, objects, weights, moments, runs: runs.clone() }
    }
}

/// Objects packed in one step: enough of each column is read at once for the processor's prefetcher to follow it.
const TILE: usize = 2048;
/// Padding words per column, so that columns do not alias to one cache set (4 KiB stride).
const APART: usize = 8;
/// Pieces of the table per thread: several, because threads are not equally fast.
const PIECES: usize = 16;
/// Least average number of objects per group and piece. With fewer objects there are fewer pieces, because each piece
/// has a range for each group.
const OBJECTS_OF_GROUP: usize = 4;
/// Least number of objects that are worth a thread of their own.
const MIN_SHARED_OBJECTS: usize = 4 * TILE;

/// Transposes the columns of answers into rows, in order of groups. Returns the rows, their objects and the runs of
/// the groups.
fn pack(
    instance: &Instance,
    tests: &[TestId],
    stride: usize,
) -> (PageBuffer<Lane>, PageBuffer<ObjectId>, Vec<GroupRun>) {
    let count = instance.object_count();
    let (mut rows, mut objects) = (PageBuffer::new(count * stride), PageBuffer::new(count));
    // Each thread packs pieces of the table. In the result, each piece has a range of its own for each group.
    let threads = rayon::current_num_threads();
    let most = (count / MIN_SHARED_OBJECTS).min(count / (OBJECTS_OF_GROUP * instance.group_count()).max(1));
    let pieces = if threads > 1 { (PIECES * threads).min(most).max(1) } else { 1 };
    let piece = count.div_ceil(pieces).next_multiple_of(TILE);
    let starts: Vec<usize> = (0..count).step_by(piece).collect();
    let sizes: Vec<Vec<u32>> = starts
        .into_par_iter()
        .map(|start| group_sizes(instance, start..(start + piece).min(count)))
        .collect();
    let mut places: Vec<Vec<Place<'_>>> = sizes.iter().map(|_| Vec::new()).collect();
    let (mut rest, mut rest_objects, mut runs) = (&mut rows[..], &mut objects[..], Vec::new());
    for group in 0..instance.group_count() {
        for (places, sizes) in places.iter_mut().zip(&sizes) {
            let len = sizes[group] as usize;
            places.push(Place { rows: cut(&mut rest, len * stride), objects: cut(&mut rest_objects, len) });
        }
        let len = sizes.iter().map(|sizes| sizes[group]).sum();
        runs.extend((len > 0).then_some(GroupRun { group: GroupId::at(group), len }));
    }
    places.into_par_iter().enumerate().for_each(|(at, mut places)| {
        let range = at * piece..((at + 1) * piece).min(count);
        pack_piece(instance, tests, stride, range, &mut places);
    });
    (rows, objects, runs)
}

/// Range of the result for the objects of one group from one piece.
struct Place<'a> {
    rows: &'a mut [Lane],
    objects: &'a mut [ObjectId],
}

fn group_sizes(instance: &Instance, objects: Range<usize>) -> Vec<u32> {
    let mut sizes = vec![0; instance.group_count()];
    objects.for_each(|object| sizes[instance.group_of(ObjectId::at(object)).index()] += 1);
    sizes
}

/// Packs the rows of `objects` one after the other, each into the range of its group.
fn pack_piece(
    instance: &Instance,
    tests: &[TestId],
    stride: usize,
    objects: Range<usize>,
    places: &mut [Place<'_>],
) {
    let mut filled = vec![0; places.len()];
    let mut targets: Vec<(GroupId, u32)> = Vec::with_capacity(TILE);
    // Columns beyond the last test stay 0.
    let mut columns = vec![[0; TILE / 64 + APART]; LANE_BITS];
    let mut rows = [ZEROS; 64];
    for start in objects.clone().step_by(TILE) {
        targets.clear();
        targets.extend((start..objects.end).take(TILE).map(|object| {
            let group = instance.group_of(ObjectId::at(object));
            let place = filled[group.index()];
            filled[group.index()] += 1;
            places[group.index()].objects[place as usize] = ObjectId::at(object);
            (group, place)
        }));
        for (lane, tests) in tests.chunks(LANE_BITS).enumerate() {
            for (column, test) in columns.iter_mut().zip(tests) {
                let words = instance.test(*test).codes.words()[start / 64..].chunks(TILE / 64).next();
                let words = words.unwrap_or_default();
                column[..words.len()].copy_from_slice(words);
            }
            columns[tests.len()..].fill([0; TILE / 64 + APART]);
            for (block, targets) in targets.chunks(64).enumerate() {
                transpose_columns(&columns, block, &mut rows);
                for ((group, place), row) in targets.iter().zip(&rows) {
                    places[group.index()].rows[*place as usize * stride + lane] = *row;
                }
            }
        }
    }
}

/// Cuts the first `len` items off the slice, or none if the slice is empty.
pub(crate) fn cut<'a, T>(items: &mut &'a mut [T], len: usize) -> &'a mut [T] {
    let len = len.min(items.len());
    let (first, rest) = std::mem::take(items).split_at_mut(len);
    *items = rest;
    first
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::lane::bit_of;
    use fewest_model::{Candidates, Reading, Table};

    /// Instance of `tests` yes/no tests, one test with four answers and one with a name per object, from bits, group
    /// and prior of each row.
    pub(crate) fn instance(rows: &[(u64, u8, u32)], tests: usize) -> Instance {
        let mut header: Vec<String> = ["object", "group", "prior", "many", "name"].map(str::to_owned).into();
        header.extend((0..tests).map(|test| format!("t{test}")));
        let cells = (0..).zip(rows).map(|(at, (bits, group, prior)): (usize, _)| {
            let mut row = vec![format!("o{at}"), format!("g{group}"), prior.to_string()];
            row.extend([(bits % 4).to_string(), format!("n{at}")]);
            row.extend(
                (0..tests).map(|test| (bits.rotate_left(test as u32 * 7) >> (test % 5) & 1).to_string()),
            );
            row
        });
        of_cells(header, cells)
    }

    /// Instance from column names and rows of cells.
    pub(crate) fn of_cells(header: Vec<String>, cells: impl Iterator<Item = Vec<String>>) -> Instance {
        let table: Vec<Vec<String>> = std::iter::once(header).chain(cells).collect();
        let table: Vec<Vec<&str>> =
            table.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let table: Vec<&[&str]> = table.iter().map(Vec::as_slice).collect();
        Instance::new(Table::from_rows(&table), &Reading::default()).unwrap().0
    }

    #[test]
    fn a_copy_is_what_packing_again_gives() {
        let rows: Vec<(u64, u8, u32)> =
            (0..5000u64).map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15), (at % 5) as u8, 1)).collect();
        let instance = instance(&rows, 90);
        let weights: Vec<f64> = (0..5000).map(f64::from).collect();
        let table = PackedTable::new(&instance);
        let mut fresh = PackedRows::new(&instance, Some(&weights), None);
        for _ in 0..2 {
            let mut copy = table.copy(Some(&weights), None);
            assert_eq!(copy.tests(), fresh.tests());
            let (copy, fresh) = (copy.root(), fresh.root());
            assert_eq!(
                (&copy.rows[..], copy.objects(), copy.runs()),
                (&fresh.rows[..], fresh.objects(), fresh.runs())
            );
            assert_eq!((&copy.weights[..], copy.moments.len()), (&fresh.weights[..], 0));
            // A tree grows on its copy, and the table stays as it was.
            copy.rows.fill(ZEROS);
        }
    }

    #[test]
    fn rows_hold_the_answers_of_any_number_of_objects() {
        for (count, tests) in [(TILE - 1, 70), (TILE, 256), (2 * TILE + 65, 300)] {
            let rows: Vec<(u64, u8, u32)> = (0..count as u64)
                .map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15), (at % 7 % 3) as u8, 1))
                .collect();
            let instance = instance(&rows, tests);
            let mut packed = PackedRows::new(&instance, None, None);
            let columns = packed.tests().to_vec();
            let root = packed.root();
            assert_eq!(root.candidates(&instance), Candidates::all(&instance));
            for (object, row) in root.objects().iter().zip(root.rows.chunks(root.stride)) {
                for (column, test) in columns.iter().enumerate() {
                    assert_eq!(u32::from(bit_of(row, column)), instance.answer(*object, *test).0);
                }
                let mut beyond = columns.len()..root.stride * LANE_BITS;
                assert!(beyond.all(|column| bit_of(row, column) == 0));
            }
        }
    }
}
