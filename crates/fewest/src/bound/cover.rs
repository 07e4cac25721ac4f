//! Bound on the worst cost by the majority path: its questions must separate whole groups from the rest.
//!
//! Fix for each test `t` one answer; let `S*_t` be the candidates that give it and `σ_t` all others. A tree has a
//! path that takes the fixed answer at every question. At its end at most one group is left, so the `σ_t` of its
//! questions hold all candidates except some of one group `k`. For `y ≥ 0` with `y(σ_t) ≤ c_t` for all tests,
//!
//! `Σ_i y_i − max_k y(S_k) ≤ y(⋃ σ_t) ≤ Σ_t y(σ_t) ≤ Σ_t c_t = ` the cost of the path `≤ W`.
//!
//! [CicaleseLaberSaettler2014] has the path; the weights `y`, the dual of the covering that the path must do, are
//! specification section 11.4. A linear program finds the best `y` if it is small enough, otherwise each `y_i` is
//! raised in turn. The result of the program is reduced until it satisfies the constraints, so its rounding cannot
//! make the bound false.

use super::input::{BoundInput, Cover, Split};
use super::{Entry, ObjectiveKind};
use crate::limit::Limit;
use fewest_model::{AnswerId, Columns, Contingency, Count, Row, View, Weighing};
use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem};
use rayon::prelude::*;
use std::time::Duration;

pub(super) const ENTRY: Entry = Entry {
    name: "cover",
    kind: ObjectiveKind::Worst,
    reason: "the path that always gets the usual answer must get rid of all groups but one, and each of its questions gets rid of few objects",
    paper: "CicaleseLaberSaettler2014",
    is_quick: false,
    value: |input, _| input.covers().iter().map(|cover| cover.cost).fold(0.0, f64::max),
};

/// Most candidates × tests for which the path is examined.
const MAX_CELLS: usize = 20_000_000;
/// Most candidates for which the linear program is solved.
const MAX_OBJECTS: usize = 1500;
/// Most unknowns × inequalities of the linear program: about a tenth of a second.
const MAX_PROGRAM_SIZE: usize = 400_000;
/// Time after which the program is stopped: many times what it usually takes, because simplex methods may cycle.
const MAX_PROGRAM_TIME: Duration = Duration::from_secs(10);

impl BoundInput<'_> {
    /// Majority paths, one for each choice of fixed answers; computed once.
    pub(super) fn covers(&self) -> &[Cover] {
        self.covers.get_or_init(|| covers(self))
    }
}

/// Fixes the answer of most objects, of most pairs of objects in different groups, and of most mass: each choice is a
/// bound, and often they are the same.
fn covers(input: &BoundInput<'_>) -> Vec<Cover> {
    let splits = input.splits();
    if input.candidates.is_pure() || input.candidates.len().saturating_mul(splits.len()) > MAX_CELLS {
        return Vec::new();
    }
    // The cost of a path is at least 0 whatever it asks; if the time is up, this is the bound.
    let fixed_answers: Option<Vec<[FixedAnswer; 3]>> = splits
        .par_iter()
        .map_init(Contingency::default, |table, split| {
            (!input.limit.is_reached()).then(|| fixed_answers(input, split, table))
        })
        .collect();
    let Some(fixed_answers) = fixed_answers else { return Vec::new() };
    let mut choices: Vec<Vec<FixedAnswer>> = Vec::new();
    for way in 0..3 {
        let choice: Vec<FixedAnswer> = fixed_answers.iter().map(|fixed_answers| fixed_answers[way]).collect();
        let same =
            |other: &Vec<FixedAnswer>| other.iter().zip(&choice).all(|(one, two)| one.answer == two.answer);
        if !choices.iter().any(same) {
            choices.push(choice);
        }
    }
    choices.par_iter().map(|choice| cover(input, choice)).collect()
}

/// Fixed answer of a test.
#[derive(Clone, Copy)]
struct FixedAnswer {
    answer: AnswerId,
    /// Part of the mass that gives another answer.
    removed: f64,
}

fn fixed_answers(input: &BoundInput<'_>, split: &Split, table: &mut Contingency) -> [FixedAnswer; 3] {
    let view = View { columns: Columns::Groups, weighing: Weighing::Prior, moments: None };
    input.instance.count(split.test, &input.candidates, view, table);
    let pairs = |row: Row<'_>| {
        let squares: u64 = row.cells().iter().map(|cell| u64::from(cell.count).pow(2)).sum();
        (u64::from(row.count()).pow(2) - squares) / 2
    };
    // Values equal up to rounding count as equal, so that the choice does not depend on how the prior was written.
    let heaviest = table.rows().map(|row| row.share()).fold(0.0, f64::max) * (1.0 - 1e-9);
    let heavy = |row: Row<'_>| row.share() >= heaviest;
    let key = |way: usize, row: Row<'_>| match way {
        0 => (u64::from(row.count()), pairs(row)),
        1 => (pairs(row), u64::from(row.count())),
        _ => (u64::from(heavy(row)), u64::from(row.count())),
    };
    [0, 1, 2].map(|way| {
        let best = table.rows().map(|row| key(way, row)).max();
        let row = table.rows().find(|row| Some(key(way, *row)) == best);
        let row = row.expect("a test that splits has answers");
        let others = table.rows().filter(|other| other.answer() != row.answer());
        FixedAnswer { answer: row.answer(), removed: others.map(|other| other.share()).sum() }
    })
}

fn cover(input: &BoundInput<'_>, choice: &[FixedAnswer]) -> Cover {
    let packing = Packing::new(input, choice);
    let cost = packing.value(&packing.solve(&input.limit));
    Cover {
        removed: choice.iter().map(|fixed_answers| fixed_answers.removed).collect(),
        cost: input.steps().ceil(cost),
    }
}

/// Packing problem: a weight for each candidate, so that no test removes more weight than it costs.
struct Packing {
    /// Cost of each test.
    costs: Vec<f64>,
    /// Candidates that each test removes.
    removed: Vec<Vec<u32>>,
    /// Tests that remove each candidate.
    removers: Vec<Vec<u32>>,
    /// Group number of each candidate.
    groups: Vec<u32>,
    group_count: usize,
}

impl Packing {
    fn new(input: &BoundInput<'_>, choice: &[FixedAnswer]) -> Self {
        let objects = input.candidates.objects();
        let runs = input.candidates.runs();
        let mut removers = vec![Vec::new(); objects.len()];
        let mut removed = Vec::with_capacity(choice.len());
        for ((at, split), fixed_answers) in (0u32..).zip(input.splits()).zip(choice) {
            let test = input.instance.test(split.test);
            let others =
                (0u32..).zip(objects).filter(|(_, object)| test.answer(**object) != fixed_answers.answer);
            let others: Vec<u32> = others.map(|(object, _)| object).collect();
            others.iter().for_each(|&object| removers[object as usize].push(at));
            removed.push(others);
        }
        Self {
            costs: input.splits().iter().map(|split| split.cost).collect(),
            removed,
            removers,
            groups: (0u32..).zip(runs).flat_map(|(at, run)| run.range.clone().map(move |_| at)).collect(),
            group_count: runs.len(),
        }
    }

    /// Finds weights within the costs, as good as the effort and the time allow.
    fn solve(&self, limit: &Limit) -> Vec<f64> {
        let objects = self.removers.len();
        let size = objects.saturating_mul(self.removed.len() + self.group_count);
        let small = objects <= MAX_OBJECTS && size <= MAX_PROGRAM_SIZE;
        let time = limit.left().unwrap_or(MAX_PROGRAM_TIME).min(MAX_PROGRAM_TIME);
        let guess = if small && !limit.is_reached() { self.program(time) } else { None };
        self.mend(guess.unwrap_or_else(|| vec![0.0; objects]))
    }

    /// Turns any numbers into weights within the costs, of which no single one can be raised.
    fn mend(&self, mut weights: Vec<f64>) -> Vec<f64> {
        self.cut(&mut weights);
        self.raise(&mut weights);
        weights
    }

    /// Best weights, up to the rounding of the linear program.
    fn program(&self, time: Duration) -> Option<Vec<f64>> {
        // The solver's tolerances are absolute.
        let unit = self.costs.iter().copied().fold(0.0, f64::max);
        let most: f64 = self.costs.iter().map(|cost| cost / unit).sum();
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let weights: Vec<_> = self.removers.iter().map(|_| problem.add_var(1.0, (0.0, most))).collect();
        let spared = problem.add_var(-1.0, (0.0, f64::INFINITY));
        for (removed, cost) in self.removed.iter().zip(&self.costs) {
            let mut sum = LinearExpr::empty();
            removed.iter().for_each(|&object| sum.add(weights[object as usize], 1.0));
            problem.add_constraint(sum, ComparisonOp::Le, cost / unit);
        }
        let mut sums = vec![LinearExpr::empty(); self.group_count];
        for (&group, &weight) in self.groups.iter().zip(&weights) {
            sums[group as usize].add(weight, 1.0);
        }
        for mut sum in sums {
            sum.add(spared, -1.0);
            problem.add_constraint(sum, ComparisonOp::Le, 0.0);
        }
        problem.set_time_limit(time);
        let solution = problem.solve().ok()?;
        Some(weights.into_iter().map(|weight| solution.var_value(weight) * unit).collect())
    }

    /// Makes every weight finite and positive, and scales down the weights of which a test removes more than it
    /// costs.
    fn cut(&self, weights: &mut [f64]) {
        for weight in weights.iter_mut() {
            *weight = if weight.is_finite() { weight.max(0.0) } else { 0.0 };
        }
        // Scaling down for one test only helps the others, so one pass is enough.
        for (removed, cost) in self.removed.iter().zip(&self.costs) {
            let sum: f64 = removed.iter().map(|&object| weights[object as usize]).sum();
            if sum > *cost {
                removed.iter().for_each(|&object| weights[object as usize] *= cost / sum);
            }
        }
    }

    /// Raises the weights one after the other as far as the costs allow: first those that few tests remove.
    fn raise(&self, weights: &mut [f64]) {
        let slack = |(removed, cost): (&Vec<u32>, &f64)| {
            cost - removed.iter().map(|&object| weights[object as usize]).sum::<f64>()
        };
        let mut slacks: Vec<f64> = self.removed.iter().zip(&self.costs).map(slack).collect();
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by_key(|&object| self.removers[object].len());
        for object in order {
            let tests = || self.removers[object].iter().map(|&test| test as usize);
            let room = tests().map(|test| slacks[test]).fold(f64::INFINITY, f64::min);
            if room > 0.0 && room.is_finite() {
                weights[object] += room;
                tests().for_each(|test| slacks[test] -= room);
            }
        }
    }

    /// Value `Σ_i y_i − max_k y(S_k)` of the weights.
    fn value(&self, weights: &[f64]) -> f64 {
        let mut sums = vec![0.0; self.group_count];
        // A candidate that no test removes may have any weight: its group can be the one that is spared.
        let mut free = None;
        for ((&group, weight), removers) in self.groups.iter().zip(weights).zip(&self.removers) {
            if removers.is_empty() {
                free = Some(group as usize);
            } else {
                sums[group as usize] += weight;
            }
        }
        let largest = (0..sums.len()).max_by(|left, right| sums[*left].total_cmp(&sums[*right]));
        let spared = free.or(largest);
        let others = (0..sums.len()).filter(|group| Some(*group) != spared);
        others.map(|group| sums[group]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::testing::{instance, value};

    #[test]
    fn one_test_for_each_object_leaves_no_choice() {
        // Each test is about one object: the path of "no" asks all but one of them, and log₂ 5 is far below.
        let text = "object a b c d e\n a 1 0 0 0 0\n b 0 1 0 0 0\n c 0 0 1 0 0\n d 0 0 0 1 0\n e 0 0 0 0 1";
        assert_eq!(value(&instance(text, &[]), ENTRY), 4.0);
        // The most expensive test is the one to spare.
        assert_eq!(value(&instance(text, &[("b", 7.0)]), ENTRY), 4.0);
        assert_eq!(value(&instance(text, &[("b", 7.0), ("d", 9.0)]), ENTRY), 10.0);
    }

    #[test]
    fn a_group_need_not_be_parted() {
        // a and b are one group: c and d have to be removed, or the group and one of them.
        let text = "object group a b c d\n a x 1 0 0 0\n b x 0 1 0 0\n c y 0 0 1 0\n d z 0 0 0 1";
        assert_eq!(value(&instance(text, &[]), ENTRY), 2.0);
    }

    #[test]
    fn half_an_object_is_rounded_up_to_whole_questions() {
        // The usual answer is 0. Each test removes two of a, b and c, and none removes d, whose group is spared:
        // y = 1/2 for each of the three is 3/2, so it takes two questions.
        let text = "object group t u v\n a g 1 1 0\n b h 1 0 1\n c i 0 1 1\n d j 0 0 0\n e j 0 0 0";
        let instance = instance(text, &[]);
        assert_eq!(value(&instance, ENTRY), 2.0);
        // Answers are numbered by first appearance.
        let choice = [1, 1, 0].map(|answer| FixedAnswer { answer: AnswerId(answer), removed: 0.0 });
        let packing = Packing::new(&BoundInput::of(&instance), &choice);
        assert!((packing.value(&packing.solve(&Limit::none())) - 1.5).abs() < 1e-9);
    }

    #[test]
    fn weights_beyond_the_costs_are_cut_down() {
        let packing = Packing {
            costs: vec![1.0, 2.0],
            removed: vec![vec![0, 1], vec![1, 2]],
            removers: vec![vec![0], vec![0, 1], vec![1]],
            groups: vec![0, 1, 2],
            group_count: 3,
        };
        let mut weights = vec![3.0, 1.0, f64::NAN];
        packing.cut(&mut weights);
        assert_eq!(weights, [0.75, 0.25, 0.0]);
        let weights = packing.mend(vec![3.0, 1.0, f64::NAN]);
        assert_eq!(weights, [0.75, 0.25, 1.75]);
        assert_eq!(packing.value(&weights), 1.0);
        // The best: b weighs nothing, a all of t and c all of u.
        assert!((packing.value(&packing.solve(&Limit::none())) - 1.0).abs() < 1e-12);
    }
}
