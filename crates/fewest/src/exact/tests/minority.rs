//! Limits on what leaves the majority path, against all choices of a few tests.

use super::slow::{Kind, Slow};
use super::{Dice, Work, at_most, close, instance, slow_of, with_each};
use crate::bound::majority_path::growth::Growth;
use crate::bound::majority_path::prices::PRICE_ONE;
use crate::exact::algebra::CostAlgebra;
use crate::exact::counter::Counter;
use crate::exact::extract::ReducedProblem;
use crate::exact::grid::Grid;
use crate::exact::minority::MinorityParts;
use crate::exact::state::{State, within};
use crate::exact::switches::Switches;

/// Looks at every set of a table.
struct Leaving;

/// Parts of `set`, by column, as words.
pub(super) fn splits(grid: &Grid, set: u32) -> Vec<Vec<Vec<u64>>> {
    let parts = |column: &crate::exact::grid::Column| {
        let part = |class| vec![grid.plane(column, class)[0] & u64::from(set)];
        (0..column.arity).map(part).filter(|part| part[0] != 0).collect::<Vec<Vec<u64>>>()
    };
    grid.tests.iter().map(parts).filter(|parts| parts.len() > 1).collect()
}

/// What leaves at a split: all but the largest part, or but the one with the first object of several as large.
pub(super) fn minority(size: &dyn Fn(u32) -> f64, set: u32, parts: &[Vec<u64>]) -> u32 {
    let most = parts.iter().map(|part| size(part[0] as u32)).fold(0.0, f64::max);
    let is_largest = |part: &&Vec<u64>| size(part[0] as u32) >= most - 1e-9 * most;
    let usual = parts.iter().filter(is_largest).min_by_key(|part| part[0].trailing_zeros());
    set & !(usual.unwrap()[0] as u32)
}

/// Most that `prices` allow to have left after `asked` questions: what is missing of the prices has left from the
/// start, and each question takes the prices of its minority part.
fn by_prices(slow: &Slow, is_mean: bool, prices: &[u8], set: u32, leaving: &[u32], asked: usize) -> f64 {
    let size = |object: usize| if is_mean { slow.mass(1 << object) } else { 1.0 };
    let price = |object: usize| f64::from(prices[object]) / f64::from(PRICE_ONE);
    let missing: f64 = slow.members(set).map(|object| size(object) * (1.0 - price(object))).sum();
    let worth = |part: &u32| slow.members(*part).map(|object| size(object) * price(object)).sum::<f64>();
    let mut worths: Vec<f64> = leaving.iter().map(worth).collect();
    worths.sort_unstable_by(|left, right| right.total_cmp(left));
    missing + worths[..asked].iter().sum::<f64>()
}

/// Increments of the objects that leave together, from the same limits found pair by pair.
pub(super) fn growth(leaving: &[u32]) -> Growth {
    let mut leaving = leaving.to_vec();
    leaving.sort_by_key(|part| std::cmp::Reverse(part.count_ones()));
    let sizes: Vec<u64> = leaving.iter().map(|part| u64::from(part.count_ones())).collect();
    Growth::limited(&sizes, |at| {
        let gain = |other: usize| {
            let both = (leaving[at] & leaving[other]).count_ones();
            u64::from(both.min(leaving[at].count_ones() - both))
        };
        let mut gains: Vec<u64> = (0..leaving.len()).filter(|other| *other != at).map(gain).collect();
        gains.sort_unstable_by_key(|gain| std::cmp::Reverse(*gain));
        gains.retain(|gain| *gain > 0);
        (1..=gains.len()).map(|asked| gains[..asked].iter().sum()).collect()
    })
}

impl Work for Leaving {
    fn with<A: CostAlgebra>(&mut self, problem: &mut ReducedProblem<'_>, algebra: A, kind: Kind) {
        problem.grid.set_prices(algebra.is_mean(), 2, || false);
        let (grid, slow) = (&problem.grid, slow_of(problem, kind));
        let is_mean = kind != Kind::Worst;
        let size = |part: u32| if is_mean { slow.mass(part) } else { f64::from(part.count_ones()) };
        let mut counter = Counter::new(grid.group_count, &Switches::ALL);
        let mut parts = MinorityParts::default();
        for set in 1..1u32 << grid.weights.len() {
            let words = [u64::from(set)];
            let (summary, budget) = (counter.summary(grid, &words, &algebra), f64::INFINITY);
            let state = State { grid, set: &words, summary, key: grid.key(&words) ^ within(budget), budget };
            let splits = splits(grid, set);
            let leaving: Vec<u32> = splits.iter().map(|split| minority(&size, set, split)).collect();
            parts.clear();
            for split in &splits {
                let sizes = split.iter().map(|part| size(part[0] as u32));
                parts.add(sizes, size(set), |at| &split[at]);
            }
            let departed = parts.departed(&state, size(set)).to_vec();
            let priced = |split: &'_ Vec<Vec<u64>>| split.clone();
            let copies: Vec<Vec<Vec<u64>>> = splits.iter().map(priced).collect();
            let parts_of = copies.iter().map(|split| split.iter().map(Vec::as_slice));
            let limited = match grid.is_priced(&state.summary) {
                true => parts.departed_by_prices(&state, size(set), parts_of).to_vec(),
                false => departed.clone(),
            };
            let mut sizes: Vec<f64> = leaving.iter().map(|part| size(*part)).collect();
            sizes.sort_unstable_by(|left, right| right.total_cmp(left));
            assert_eq!(departed.len(), splits.len());
            for asked in 1..=departed.len() {
                let sum = sizes[..asked].iter().sum::<f64>().min(size(set));
                assert!(close(departed[asked - 1], sum), "{kind:?} {set:b}: {departed:?} is not {sum}");
                let of_lane = |prices: &Vec<u8>| by_prices(&slow, is_mean, prices, set, &leaving, asked);
                let lanes = if grid.is_priced(&state.summary) { grid.shown_prices.as_slice() } else { &[] };
                let least = lanes.iter().map(of_lane).fold(sum, f64::min);
                let least = if grid.whole { (least + 1e-9).floor() } else { least };
                assert!(close(limited[asked - 1], least), "{kind:?} {set:b}: {limited:?} is not {least}");
            }
            for tests in 1..1u32 << splits.len() {
                let chosen = leaving.iter().enumerate().filter(|(at, _)| tests >> at & 1 == 1);
                let left = size(chosen.fold(0, |left, (_, part)| left | part));
                let limit = limited[tests.count_ones() as usize - 1];
                assert!(at_most(left, limit), "{kind:?} {set:b}: {left} left, {limit}");
            }
            if splits.iter().all(|split| split.len() == 2) {
                let found = parts.growth(copies.iter().map(|split| split.iter().map(Vec::as_slice)));
                let wanted = growth(&leaving);
                assert!(
                    (0..20).all(|price| found.places(price) == wanted.places(price)),
                    "{found:?} {wanted:?}"
                );
            }
        }
    }
}

#[test]
fn no_choice_of_tests_lets_more_leave_than_the_limits() {
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        let (objects, tests) = (3 + dice.roll(6), 2 + dice.roll(5));
        let instance = instance(&mut dice, objects, tests, false);
        with_each(&instance, f64::INFINITY, 0.1, &mut Leaving);
    }
}
