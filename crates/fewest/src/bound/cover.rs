//! The bound on the worst cost by the path of usual answers: the questions on it must part whole groups from the rest.
//!
//! Fix for each test `t` one answer; let `S*_t` be the candidates that give it and `σ_t` all others. A tree has a
//! path that takes the fixed answer at every question. It ends where one group is left at most, so the `σ_t` of its
//! questions hold all candidates but some of one group `k`. For `y ≥ 0` with `y(σ_t) ≤ c_t` for all tests,
//!
//! `Σ_i y_i − max_k y(S_k) ≤ y(⋃ σ_t) ≤ Σ_t y(σ_t) ≤ Σ_t c_t = ` the cost of the path `≤ W`.
//!
//! [CicaleseLaberSaettler2014] has the path; the weights `y`, the dual of the covering that the path must
//! do, are SPEC section 9a. A linear program finds the best `y` where it is small enough, else each `y_i` is raised
//! in turn. Whatever the program returns is cut down until it keeps to the costs, so its rounding proves nothing
//! wrong.

use super::outlook::{Outlook, Split};
use super::{Aim, Entry};
use crate::limit::Limit;
use fewest_model::{AnswerId, Columns, Contingency, Count, Row, View, Weighing};
use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem};
use rayon::prelude::*;
use std::time::Duration;

pub(super) const ENTRY: Entry = Entry {
    name: "cover",
    aim: Aim::Worst,
    reason: "the path that always gets the usual answer must get rid of all groups but one, and each of its questions gets rid of few objects",
    paper: "CicaleseLaberSaettler2014",
    is_quick: false,
    value: |outlook, _| outlook.covers().iter().map(|cover| cover.cost).fold(0.0, f64::max),
};

/// Up to so many candidates × tests the path is looked at.
const MOST_CELLS: usize = 20_000_000;
/// Up to so many candidates the linear program is solved.
const MOST_OBJECTS: usize = 1500;
/// Up to so many unknowns × inequalities the linear program is solved: about a tenth of a second.
const MOST_PROGRAM: usize = 400_000;
/// The program is left where it is after this time, which is many times what it takes: simplex methods may go round
/// in circles.
const LONGEST: Duration = Duration::from_secs(10);

/// What is known of the path of fixed answers.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    /// For each test that splits the part of the mass that gives another answer than the fixed one.
    pub(super) removed: Vec<f64>,
    /// What the path costs at least.
    pub(super) cost: f64,
}

/// The answer of most objects, of most pairs of objects in different groups, and of most mass: each choice is a
/// bound, and often they are the same.
pub(super) fn covers(outlook: &Outlook<'_>) -> Vec<Cover> {
    let splits = outlook.splits();
    if outlook.candidates.is_pure() || outlook.candidates.len().saturating_mul(splits.len()) > MOST_CELLS {
        return Vec::new();
    }
    // The cost of a path is at least 0 whatever it asks, so without the time to look there is no bound.
    let usual: Option<Vec<[Usual; 3]>> = splits
        .par_iter()
        .map_init(Contingency::default, |table, split| {
            (!outlook.limit.is_reached()).then(|| usual(outlook, split, table))
        })
        .collect();
    let Some(usual) = usual else { return Vec::new() };
    let mut choices: Vec<Vec<Usual>> = Vec::new();
    for way in 0..3 {
        let choice: Vec<Usual> = usual.iter().map(|usual| usual[way]).collect();
        let same = |other: &Vec<Usual>| other.iter().zip(&choice).all(|(one, two)| one.answer == two.answer);
        if !choices.iter().any(same) {
            choices.push(choice);
        }
    }
    choices.par_iter().map(|choice| cover(outlook, choice)).collect()
}

/// A fixed answer.
#[derive(Clone, Copy)]
struct Usual {
    answer: AnswerId,
    /// The part of the mass that gives another.
    removed: f64,
}

fn usual(outlook: &Outlook<'_>, split: &Split, table: &mut Contingency) -> [Usual; 3] {
    let view = View { columns: Columns::Groups, weighing: Weighing::Prior, moments: None };
    outlook.instance.count(split.test, &outlook.candidates, view, table);
    let pairs = |row: Row<'_>| {
        let squares: u64 = row.cells().iter().map(|cell| u64::from(cell.count).pow(2)).sum();
        (u64::from(row.count()).pow(2) - squares) / 2
    };
    // Equal up to rounding is equal, lest the choice depend on how the prior was written.
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
        Usual { answer: row.answer(), removed: others.map(|other| other.share()).sum() }
    })
}

fn cover(outlook: &Outlook<'_>, choice: &[Usual]) -> Cover {
    let packing = Packing::new(outlook, choice);
    let cost = packing.value(&packing.solve(&outlook.limit));
    Cover { removed: choice.iter().map(|usual| usual.removed).collect(), cost: outlook.steps().up(cost) }
}

/// To give each candidate a weight so that no test removes more of it than it costs.
struct Packing {
    /// By test.
    costs: Vec<f64>,
    /// By test: the candidates that it removes.
    removed: Vec<Vec<u32>>,
    /// By candidate: the tests that remove it.
    removers: Vec<Vec<u32>>,
    /// By candidate: its group's number.
    groups: Vec<u32>,
    group_count: usize,
}

impl Packing {
    fn new(outlook: &Outlook<'_>, choice: &[Usual]) -> Self {
        let objects = outlook.candidates.objects();
        let runs = outlook.candidates.runs();
        let mut removers = vec![Vec::new(); objects.len()];
        let mut removed = Vec::with_capacity(choice.len());
        for ((at, split), usual) in (0u32..).zip(outlook.splits()).zip(choice) {
            let test = outlook.instance.test(split.test);
            let others = (0u32..).zip(objects).filter(|(_, object)| test.answer(**object) != usual.answer);
            let others: Vec<u32> = others.map(|(object, _)| object).collect();
            others.iter().for_each(|&object| removers[object as usize].push(at));
            removed.push(others);
        }
        Self {
            costs: outlook.splits().iter().map(|split| split.cost).collect(),
            removed,
            removers,
            groups: (0u32..).zip(runs).flat_map(|(at, run)| run.range.clone().map(move |_| at)).collect(),
            group_count: runs.len(),
        }
    }

    /// Weights that keep to the costs, as good as the effort and the time allow.
    fn solve(&self, limit: &Limit) -> Vec<f64> {
        let objects = self.removers.len();
        let size = objects.saturating_mul(self.removed.len() + self.group_count);
        let small = objects <= MOST_OBJECTS && size <= MOST_PROGRAM;
        let time = limit.left().unwrap_or(LONGEST).min(LONGEST);
        let guess = if small && !limit.is_reached() { self.program(time) } else { None };
        self.mend(guess.unwrap_or_else(|| vec![0.0; objects]))
    }

    /// Makes any numbers weights that keep to the costs and that no single one of can be raised.
    fn mend(&self, mut weights: Vec<f64>) -> Vec<f64> {
        self.cut(&mut weights);
        self.raise(&mut weights);
        weights
    }

    /// The best weights, up to the rounding of the linear program.
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

    /// Makes every weight a weight, and cuts those down of which a test removes more than it costs.
    fn cut(&self, weights: &mut [f64]) {
        for weight in weights.iter_mut() {
            *weight = if weight.is_finite() { weight.max(0.0) } else { 0.0 };
        }
        // Cutting for one test only helps the others, so one pass is enough.
        for (removed, cost) in self.removed.iter().zip(&self.costs) {
            let sum: f64 = removed.iter().map(|&object| weights[object as usize]).sum();
            if sum > *cost {
                removed.iter().for_each(|&object| weights[object as usize] *= cost / sum);
            }
        }
    }

    /// Raises the weights one after the other as far as the costs allow: those first that few tests remove.
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

    /// `Σ_i y_i − max_k y(S_k)`.
    fn value(&self, weights: &[f64]) -> f64 {
        let mut sums = vec![0.0; self.group_count];
        // A candidate that no test removes may weigh anything: its group can be the one that is spared.
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
        // The dearest is the one to spare.
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
        let choice = [1, 1, 0].map(|answer| Usual { answer: AnswerId(answer), removed: 0.0 });
        let packing = Packing::new(&Outlook::of(&instance), &choice);
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
