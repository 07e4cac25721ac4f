//! Counting in memory: one pass over the packed answers of the candidates.

use super::{Cell, Columns, Contingency, Count, RowData, View, Weighing};
use crate::candidates::ByRow;
use crate::{Candidates, Codes, Instance, ObjectId, TestId};

/// Buffers reused by every count, so that counting allocates nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Row of each answer of the test, or [`NO_ROW`]; only the entries in use are reset.
    pub(super) row_of: Vec<u32>,
    /// Cells with their answers, in order of groups, as they are counted.
    pub(super) by_group: Vec<(u32, Cell)>,
    /// Cell of each row for the group being counted, or [`NO_ROW`].
    pub(super) open: Vec<u32>,
    /// Number and weight of the candidates with the rarer answer, for each group.
    rarer: Vec<(u32, f64)>,
}

pub(super) const NO_ROW: u32 = u32::MAX;

impl Count for Instance {
    fn test_count(&self) -> usize {
        Instance::test_count(self)
    }

    fn count(&self, test: TestId, candidates: &Candidates, view: View<'_>, table: &mut Contingency) {
        // If all weights are equal, counts suffice.
        table.uniform =
            view.weighing == Weighing::Uniform || self.has_equal_weights() || candidates.weight() <= 0.0;
        table.count = candidates.len() as u32;
        table.total = if table.uniform { f64::from(table.count) } else { candidates.weight() };
        table.prior_scale = 1.0 / self.total_weight();
        table.set_groups(candidates.runs());
        table.cells.clear();
        table.moment = None;
        let weights = (!table.uniform).then(|| self.weights().units());
        let codes = &self.test(test).codes;
        // Sums of whole numbers are the same in any order.
        let is_exact = weights.is_none() || self.weights().is_exact();
        if let Some(by_row) = candidates.by_row()
            && (codes.width(), is_exact, view.moments) == (1, true, None)
        {
            return table.count_rarer(by_row, codes, candidates, weights, view.columns);
        }
        match (codes.width(), view.columns) {
            (1, Columns::Whole) => table.count_yes_no(codes, candidates, weights, view.moments),
            (1, Columns::Groups) => table.count_yes_no_by_group(codes, candidates, weights),
            (_, columns) => table.count_many(codes, candidates, weights, view.moments, columns),
        }
    }
}

/// Count and weight of the objects with the second of two answers.
fn second_answer(codes: &Codes, objects: &[ObjectId], weights: Option<&[f64]>) -> (u32, f64) {
    let Some(weights) = weights else {
        let count = objects.iter().map(|object| codes.get(object.index())).sum();
        return (count, f64::from(count));
    };
    let (mut count, mut weight) = (0, 0.0);
    for object in objects {
        let bit = codes.get(object.index());
        count += bit;
        weight += f64::from(bit) * weights[object.index()];
    }
    (count, weight)
}

impl Contingency {
    fn count_yes_no(
        &mut self,
        codes: &Codes,
        candidates: &Candidates,
        weights: Option<&[f64]>,
        moments: Option<&[f64]>,
    ) {
        let objects = candidates.objects();
        let (mut counts, mut sums) = ([0u32; 2], [0.0; 2]);
        (counts[1], sums[1]) = second_answer(codes, objects, weights);
        counts[0] = self.count - counts[1];
        sums[0] = match weights {
            None => f64::from(counts[0]),
            // Not by subtraction, which would leave a rounding residue if the first answer has no weight.
            Some(weights) => add(objects.iter().map(|object| {
                let first = 1 - codes.get(object.index());
                f64::from(first) * weights[object.index()]
            })),
        };
        let mut moment_sums = [0.0; 2];
        if let Some(moments) = moments {
            for object in objects {
                moment_sums[codes.get(object.index()) as usize] += moments[object.index()];
            }
        }
        self.rows.clear();
        for answer in 0..2 {
            if counts[answer] > 0 {
                let (count, weight, moment) = (counts[answer], sums[answer], moment_sums[answer]);
                self.rows.push(RowData { answer: answer as u32, count, weight, moment, cells: 0..0 });
            }
        }
    }

    fn count_yes_no_by_group(&mut self, codes: &Codes, candidates: &Candidates, weights: Option<&[f64]>) {
        // Cells of the first answer are stored in place; those of the second are collected and appended.
        let by_group = &mut self.scratch.by_group;
        by_group.clear();
        let mut totals = [RowData::default(), RowData { answer: 1, ..RowData::default() }];
        for (group, run) in (0u32..).zip(candidates.runs()) {
            let objects = &candidates.objects()[run.indices()];
            let (count, weight) = second_answer(codes, objects, weights);
            let rest = run.count() - count;
            let rest_weight = match weights {
                None => f64::from(rest),
                Some(_) if count == 0 => run.weight,
                Some(_) if rest == 0 => 0.0,
                Some(weights) => add(objects.iter().map(|object| {
                    let first = 1 - codes.get(object.index());
                    f64::from(first) * weights[object.index()]
                })),
            };
            if rest > 0 {
                self.cells.push(Cell { group, count: rest, weight: rest_weight });
                totals[0].count += rest;
                totals[0].weight += rest_weight;
            }
            if count > 0 {
                by_group.push((1, Cell { group, count, weight }));
                totals[1].count += count;
                totals[1].weight += weight;
            }
        }
        totals[0].cells = 0..self.cells.len() as u32;
        self.cells.extend(by_group.iter().map(|(_, cell)| *cell));
        totals[1].cells = totals[0].cells.end..self.cells.len() as u32;
        self.rows.clear();
        self.rows.extend(totals.into_iter().filter(|row| row.count > 0));
    }

    /// Counts a yes/no test if sums are exact in any order: only the candidates with the rarer answer are added up,
    /// and the rest has the other answer.
    fn count_rarer(
        &mut self,
        by_row: &ByRow,
        codes: &Codes,
        candidates: &Candidates,
        weights: Option<&[f64]>,
        columns: Columns,
    ) {
        let plane = codes.words();
        let ones = by_row.ones(plane);
        let rarer = u32::from(ones <= self.count / 2);
        let (rare, common) = (rarer as usize, 1 - rarer as usize);
        let mut totals = [RowData::default(), RowData { answer: 1, ..RowData::default() }];
        totals[1].count = ones;
        totals[0].count = self.count - ones;
        let weight = |object: ObjectId| weights.map_or(1.0, |weights| weights[object.index()]);
        let objects = by_row.with_bit(plane, rarer == 1);
        if columns == Columns::Whole {
            totals[rare].weight = objects.map(weight).fold(0.0, |sum, weight| sum + weight);
            totals[common].weight = self.total - totals[rare].weight;
        } else {
            let sums = &mut self.scratch.rarer;
            sums.clear();
            sums.resize(candidates.runs().len(), (0, 0.0));
            for object in objects {
                let sum = &mut sums[by_row.run(object)];
                sum.0 += 1;
                sum.1 += weight(object);
            }
            for (answer, total) in totals.iter_mut().enumerate() {
                let start = self.cells.len() as u32;
                for (all, &(count, weight)) in self.groups.iter().zip(&*sums) {
                    let (count, weight) = if answer == rare {
                        (count, weight)
                    } else {
                        (all.count - count, all.weight - weight)
                    };
                    if count > 0 {
                        self.cells.push(Cell { group: all.group, count, weight });
                        total.weight += weight;
                    }
                }
                total.cells = start..self.cells.len() as u32;
            }
        }
        self.rows.clear();
        self.rows.extend(totals.into_iter().filter(|row| row.count > 0));
    }

    fn count_many(
        &mut self,
        codes: &Codes,
        candidates: &Candidates,
        weights: Option<&[f64]>,
        moments: Option<&[f64]>,
        columns: Columns,
    ) {
        let Self { rows, scratch, .. } = self;
        rows.clear();
        scratch.by_group.clear();
        scratch.open.clear();
        for (group, run) in (0u32..).zip(candidates.runs()) {
            scratch.open.iter_mut().for_each(|cell| *cell = NO_ROW);
            for object in &candidates.objects()[run.indices()] {
                let answer = codes.get(object.index());
                let weight = weights.map_or(1.0, |weights| weights[object.index()]);
                let row = scratch.row(answer, rows);
                rows[row].count += 1;
                rows[row].weight += weight;
                if let Some(moments) = moments {
                    rows[row].moment += moments[object.index()];
                }
                if columns == Columns::Groups {
                    let cell = scratch.cell(row, answer, group);
                    cell.count += 1;
                    cell.weight += weight;
                }
            }
        }
        self.close_rows();
    }
}

impl Scratch {
    /// Returns the row of `answer`, made if it is new.
    pub(super) fn row(&mut self, answer: u32, rows: &mut Vec<RowData>) -> usize {
        let at = answer as usize;
        if at >= self.row_of.len() {
            self.row_of.resize(at + 1, NO_ROW);
        }
        if self.row_of[at] == NO_ROW {
            self.row_of[at] = rows.len() as u32;
            rows.push(RowData { answer, ..RowData::default() });
            self.open.push(NO_ROW);
        }
        self.row_of[at] as usize
    }

    /// Returns the cell of `row` for the group being counted, made if it is new.
    pub(super) fn cell(&mut self, row: usize, answer: u32, group: u32) -> &mut Cell {
        if self.open[row] == NO_ROW {
            self.open[row] = self.by_group.len() as u32;
            self.by_group.push((answer, Cell { group, ..Cell::default() }));
        }
        &mut self.by_group[self.open[row] as usize].1
    }
}

fn add(values: impl Iterator<Item = f64>) -> f64 {
    values.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Reading, Table};
    use proptest::prelude::*;

    /// Instance with two tests that have the same answers, one of them widened by answers that no other object gives.
    fn instance(rows: &[(u8, u8, u32)]) -> Instance {
        let text: Vec<[String; 4]> = (0..)
            .zip(rows)
            .map(|(at, (answer, group, prior)): (usize, _)| {
                [format!("o{at}"), format!("g{group}"), prior.to_string(), format!("a{answer}")]
            })
            .collect();
        let cells: Vec<Vec<&str>> = text.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let mut table: Vec<&[&str]> = vec![&["object", "group", "prior", "t"]];
        table.extend(cells.iter().map(Vec::as_slice));
        // Names differ, so a test that repeats them keeps every object separable.
        let mut table = Table::from_rows(&table);
        let mut named = table.columns[0].clone();
        named.name = "name".to_owned();
        named.labels = table.objects.clone();
        named.codes = (0..rows.len() as u32).collect();
        table.columns.push(named);
        Instance::new(table, &Reading::default()).unwrap().0
    }

    proptest! {
        #[test]
        fn counting_agrees_with_going_through_the_objects(
            rows in prop::collection::vec((0u8..4, 0u8..3, 0u32..3), 1..40),
            arity in 1u8..5, uniform: bool, prepared: bool, with_moments: bool,
        ) {
            let rows: Vec<_> = rows.into_iter().map(|(answer, group, prior)| (answer % arity, group, prior)).collect();
            prop_assume!(rows.iter().any(|row| row.2 > 0));
            let instance = instance(&rows);
            let candidates = Candidates::all(&instance);
            if prepared {
                candidates.prepare(&instance);
            }
            let moments: Vec<f64> = instance.objects().map(|object| f64::from(object.0) + 0.5).collect();
            let weighing = if uniform { Weighing::Uniform } else { Weighing::Prior };
            let counted = uniform || instance.has_equal_weights();
            let weight = |object: ObjectId| if counted { 1.0 } else { instance.weight(object) };
            let mut table = Contingency::default();
            for test in instance.test_ids() {
                for columns in [Columns::Whole, Columns::Groups] {
                    let wanted = (columns == Columns::Whole && with_moments).then_some(&moments[..]);
                    instance.count(test, &candidates, View { columns, weighing, moments: wanted }, &mut table);
                    let mut seen = 0;
                    for row in table.rows() {
                        let mine: Vec<ObjectId> =
                            instance.objects().filter(|object| instance.answer(*object, test) == row.answer()).collect();
                        seen += mine.len();
                        prop_assert_eq!(row.count() as usize, mine.len());
                        prop_assert_eq!(row.weight(), mine.iter().map(|object| weight(*object)).sum::<f64>());
                        if columns == Columns::Whole {
                            let sum = if with_moments { mine.iter().map(|object| moments[object.index()]).sum() } else { 0.0 };
                            prop_assert_eq!(row.moment(), sum);
                            continue;
                        }
                        prop_assert_eq!(row.cells().iter().map(|cell| cell.count).sum::<u32>(), row.count());
                        for cell in row.cells() {
                            let group = candidates.runs()[cell.group as usize].group;
                            let part = mine.iter().filter(|object| instance.group_of(**object) == group);
                            prop_assert_eq!(cell.count as usize, part.clone().count());
                            prop_assert_eq!(cell.weight, part.map(|object| weight(*object)).sum::<f64>());
                        }
                    }
                    prop_assert_eq!(seen, instance.object_count());
                }
            }
        }
    }
}
