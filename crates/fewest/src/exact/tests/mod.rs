//! Parts of the solver against obvious slow versions: every bound of every set of small tables.

mod algebra;
mod minority;
mod search;
mod sets;
mod slow;

use super::algebra::{CostAlgebra, Expected, Exponential, Worst};
use super::extract::ReducedProblem;
use super::{gcd, is_moderate};
use fewest_model::{Instance, Lambda, Objective, Reading, Table};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use slow::{Kind, Slow};

/// Pseudo-random numbers, the same for the same seed.
pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Draws a whole number below `sides`.
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        (self.0.next_u64() % sides as u64) as usize
    }

    /// Draws a number between 0 and 1.
    fn share(&mut self) -> f64 {
        self.roll(1 << 30) as f64 / f64::from(1 << 30)
    }
}

/// Weights or costs: all equal, or whole numbers from `least` on, or any numbers.
fn numbers(dice: &mut Dice, count: usize, least: usize) -> Vec<f64> {
    let (kind, factor) = (dice.roll(4), [1.0, 3.0][dice.roll(2)]);
    let number = |dice: &mut Dice| match kind {
        0 | 1 => factor,
        2 => factor * (least + dice.roll(if count > 8 { 40 } else { 4 })) as f64,
        _ => 0.05 + dice.share(),
    };
    let mut numbers: Vec<f64> = (0..count).map(|_| number(dice)).collect();
    if numbers.iter().all(|number| *number == 0.0) {
        numbers[0] = 1.0;
    }
    numbers
}

/// Answers of all objects to a test, with its name.
type Column = (String, Vec<usize>);

/// Random tests, of two answers each or of up to four; some are copies of others, and some have one answer that is rare.
fn columns(dice: &mut Dice, objects: usize, tests: usize) -> Vec<Column> {
    let is_binary = dice.roll(2) == 0;
    let is_sparse = dice.roll(3) == 0;
    let mut columns: Vec<Column> = Vec::new();
    for test in 0..tests {
        let arity = if is_binary { 2 } else { [2, 2, 3, 4][dice.roll(4)] };
        let mut answer = || if is_sparse && dice.roll(3) > 0 { 0 } else { dice.roll(arity) };
        let mut answers: Vec<usize> = (0..objects).map(|_| answer()).collect();
        let is_copy = test > 0 && dice.roll(5) == 0;
        if is_copy {
            answers = columns[dice.roll(test)].1.clone();
        }
        columns.push((format!("{}{test}", if is_copy { "copy" } else { "t" }), answers));
    }
    columns
}

/// Random table of `objects` objects and `tests` tests; if `confirm`, each object has a test of its name as well, and
/// must be confirmed by it.
pub(super) fn instance(dice: &mut Dice, objects: usize, tests: usize, confirm: bool) -> Instance {
    let groups = if confirm || dice.roll(2) == 0 { objects } else { 2 + dice.roll(3) };
    let mut columns = columns(dice, objects, tests);
    if confirm {
        let guess =
            |name| (format!("o{name}"), (0..objects).map(|other| usize::from(other == name)).collect());
        columns.extend((0..objects).map(guess));
        if dice.roll(2) == 0 {
            columns.reverse();
        }
    }
    let priors = numbers(dice, objects, 0);
    let names = || columns.iter().map(|(name, _)| name.clone());
    let mut rows: Vec<Vec<String>> = vec![["object", "prior", "group"].map(str::to_owned).into()];
    rows[0].truncate(if confirm { 2 } else { 3 });
    rows[0].extend(names());
    for object in 0..objects {
        let mut row = vec![format!("o{object}"), priors[object].to_string()];
        let group = if groups == objects { object } else { dice.roll(groups) };
        row.extend((!confirm).then(|| format!("g{group}")));
        row.extend(columns.iter().map(|(_, answers)| answers[object].to_string()));
        rows.push(row);
    }
    let mut costs = numbers(dice, columns.len(), 1);
    if dice.roll(4) == 0 {
        costs = columns.iter().map(|(name, _)| if name.starts_with("copy") { 2.0 } else { 1.0 }).collect();
    }
    read(&rows, &Reading { costs: names().zip(costs).collect(), confirm, ..Reading::default() })
}

fn read(rows: &[Vec<String>], reading: &Reading) -> Instance {
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    Instance::new(Table::from_rows(&rows), reading).expect("a sound table").0
}

/// Table whose rows are all rotations of one or two rows, so that rotating the tests changes nothing.
fn rotations(dice: &mut Dice) -> Instance {
    let tests = 4;
    let mut rows: Vec<Vec<String>> = vec![vec!["object".to_owned(), "prior".to_owned()]];
    rows[0].extend((0..tests).map(|test| format!("t{test}")));
    for _ in 0..1 + dice.roll(2) {
        let row: Vec<usize> = (0..tests).map(|_| dice.roll(3)).collect();
        let prior = 1 + dice.roll(3);
        for turn in 0..tests {
            let mut line = vec![format!("o{}", rows.len()), prior.to_string()];
            line.extend((0..tests).map(|test| row[(test + turn) % tests].to_string()));
            rows.push(line);
        }
    }
    read(&rows, &Reading::default())
}

/// Cap on the cost of any path, for one table in four: whole or not, and such that some trees or none keep it.
fn cap(dice: &mut Dice, instance: &Instance) -> f64 {
    let cap = instance.costs().units().iter().sum::<f64>() * dice.share() * 0.7;
    match dice.roll(8) {
        0 => cap,
        1 => cap.round(),
        _ => f64::INFINITY,
    }
}

/// What is done with a problem and the algebra of one objective.
trait Work {
    fn with<A: CostAlgebra>(&mut self, problem: &mut ReducedProblem<'_>, algebra: A, kind: Kind);
}

/// Runs `work` on a table with each of the three objectives.
fn with_each(instance: &Instance, cap: f64, growth: f64, work: &mut impl Work) {
    let (weights, costs) = (instance.weights(), instance.costs());
    let is_exact = weights.is_exact() && costs.is_exact();
    let cost_unit = if is_exact { gcd(costs.units()) } else { 0.0 };
    let unit = if is_exact { gcd(weights.units()) * cost_unit } else { 0.0 };
    let expected = Expected::new(unit, weights.units());
    let mut problem = ReducedProblem::new(instance, cap, |mass| expected.spread(mass));
    work.with(&mut problem, expected, Kind::Expected);
    let mut problem = ReducedProblem::new(instance, cap, |_| 0.0);
    work.with(&mut problem, Worst { unit: cost_unit }, Kind::Worst);
    let arity = |test| instance.test(test).arity() as f64;
    let rates = instance.test_ids().map(|test| arity(test).log2() / costs.units()[test.index()]);
    let rate = rates.fold(0.0, f64::max);
    let algebra = Exponential::new(growth, if rate > 0.0 { rate } else { 1.0 });
    let mut problem = ReducedProblem::new(instance, cap, |mass| algebra.spread(mass));
    work.with(&mut problem, algebra, Kind::Exponential(growth));
}

/// Slow version of a whole problem of at most a word of objects.
fn slow_of(problem: &ReducedProblem<'_>, kind: Kind) -> Slow {
    Slow::new(problem, &(0..problem.grid.weights.len()).collect::<Vec<usize>>(), kind)
}

/// Whether `left` is at most `right`, but for rounding.
fn at_most(left: f64, right: f64) -> bool {
    left <= right || (right.is_finite() && left - right <= 1e-9 * (1.0 + right.abs()))
}

/// Whether two numbers are the same, but for rounding.
fn close(left: f64, right: f64) -> bool {
    at_most(left, right) && at_most(right, left)
}

#[test]
fn proofs_are_made_of_moderate_numbers_only() {
    // Numbers so far apart that no common factor brings them near 1.
    for (priors, cost, wanted) in [
        (["1", "2"], 1.0, true),
        (["0", "2"], 1.0, true),
        (["1", "1e-100"], 1.0, false),
        (["1e-100", "1"], 1.0, false),
        (["1", "2"], 1e-100, false),
    ] {
        let rows = [["object", "prior", "s", "t"], ["a", priors[0], "0", "0"], ["b", priors[1], "1", "1"]];
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(str::to_owned).into()).collect();
        let costs = vec![("s".to_owned(), cost), ("t".to_owned(), 1.0)];
        let instance = read(&rows, &Reading { costs, ..Reading::default() });
        for objective in [Objective::Expected, Objective::Worst, Objective::Exponential(Lambda::TWO)] {
            assert_eq!(is_moderate(&instance, objective), wanted, "{priors:?} {cost} {objective:?}");
        }
    }
}
