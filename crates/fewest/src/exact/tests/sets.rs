//! Sums over sets and their parts, and the bounds of sets and questions, for every set of small tables.

use super::slow::{Kind, Slow};
use super::{Dice, Work, at_most, cap, close, instance, slow_of, with_each};
use crate::bound::majority_path::growth::Growth;
use crate::bound::majority_path::path;
use crate::exact::algebra::{CostAlgebra, Expected};
use crate::exact::counter::Counter;
use crate::exact::extract::ReducedProblem;
use crate::exact::gcd;
use crate::exact::grid::{Grid, ones};
use crate::exact::search::child_of;
use crate::exact::state::{Child, Options, State, within};
use crate::exact::switches::Switches;
use fewest_model::{Instance, Reading, Table};

/// Looks at every set of the objects at `places`.
struct Sets {
    dice: Dice,
    places: Vec<usize>,
    /// Whether equal splits are tried once.
    distinct: bool,
}

/// What is known of one set, with its slow version.
struct Case<'a, A> {
    algebra: &'a A,
    kind: Kind,
    slow: Slow,
    places: &'a [usize],
    /// Number that divides the value of every tree; 0 if there is none.
    unit: f64,
    /// Order of Rényi's entropy.
    alpha: f64,
    distinct: bool,
}

/// Limits of the tests that split a set, one test after the other.
struct Limits {
    rate: f64,
    cheapest: f64,
    radix: usize,
    leads: usize,
    even: bool,
}

/// Set of the grid with these places.
pub(super) fn words(grid: &Grid, places: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut set = vec![0u64; grid.words];
    places.for_each(|place| set[place / 64] |= 1 << (place % 64));
    set
}

/// Least value of a tree of `n` leaves, node by node: `value(n, below)` of a node from its parts, the best over all
/// ways to share `n - ended` leaves among at most `radix` parts.
fn shared(n: usize, ended: usize, radix: usize, worst: bool) -> f64 {
    /// Best of `n` leaves in at most `parts` parts, with the values of fewer leaves known.
    fn best(n: usize, parts: usize, most: usize, known: &[f64], worst: bool) -> f64 {
        if n == 0 || parts == 0 {
            return if n == 0 { 0.0 } else { f64::INFINITY };
        }
        let join = |one: f64, rest: f64| if worst { one.max(rest) } else { one + rest };
        let ways = (1..=most.min(n)).map(|one| join(known[one], best(n - one, parts - 1, one, known, worst)));
        ways.fold(f64::INFINITY, f64::min)
    }
    let mut known: Vec<f64> = vec![0.0];
    for size in 1..=n {
        if size == 1 && ended == 0 {
            known.push(0.0);
            continue;
        }
        let asked = if worst { 1.0 } else { size as f64 };
        let below = best(size - ended, radix, size - 1, &known, worst);
        known.push(asked + below);
    }
    known[n]
}

/// The next multiple of `unit`, but for rounding.
fn up_to(value: f64, unit: f64) -> f64 {
    if unit == 0.0 { value } else { (value / unit - 1e-7).ceil() * unit }
}

fn phi(mass: f64) -> f64 {
    if mass > 0.0 { mass * mass.log2() } else { 0.0 }
}

impl<A: CostAlgebra> Case<'_, A> {
    /// Objects of a set as bits.
    fn bits(&self, grid: &Grid, set: &[u64]) -> u32 {
        let place = |object: usize| {
            self.places.iter().position(|place| *place == grid.origin[object] as usize).unwrap()
        };
        ones(set).map(|object| 1 << place(object)).sum()
    }

    fn limits(&self, set: u32) -> Limits {
        let mut limits = Limits { rate: 0.0, cheapest: f64::INFINITY, radix: 2, leads: 1, even: true };
        let mut costs = Vec::new();
        for test in self.slow.tests() {
            let (parts, cost) = (self.slow.parts(set, test).len(), self.slow.cost(test));
            if parts < 2 {
                continue;
            }
            costs.push(cost);
            limits.rate = limits.rate.max((parts as f64).log2() / cost);
            limits.cheapest = limits.cheapest.min(cost);
            limits.radix = limits.radix.max(parts);
            let confirms = usize::from(self.slow.confirmed_by(set, test).is_some());
            limits.leads = limits.leads.max(parts - confirms);
        }
        limits.even = costs.iter().all(|cost| *cost == costs[0]);
        limits
    }

    fn check_summary(&self, set: u32, child: &crate::exact::summary::SetSummary) {
        let groups = self.slow.groups(set);
        let spread: f64 = groups.iter().map(|mass| self.algebra.spread(*mass)).sum();
        assert_eq!((child.count, child.groups), (set.count_ones(), groups.len() as u32));
        assert!(close(child.mass, self.slow.mass(set)) && close(child.spread, spread), "{child:?} {spread}");
    }

    /// Bound of a part from sums alone, as the docs of each objective say it.
    fn floor(&self, part: u32, limits: &Limits, state: &State<'_>) -> f64 {
        let (groups, mass) = (self.slow.groups(part), self.slow.mass(part));
        let (count, confirm) = (part.count_ones() as usize, state.grid.confirmation.is_some());
        let (ended, radix) = if confirm { (1, limits.leads) } else { (0, limits.radix) };
        match self.kind {
            Kind::Expected => {
                let bits = phi(mass) - groups.iter().map(|mass| phi(*mass)).sum::<f64>();
                let shannon = up_to(bits / limits.rate, self.unit);
                let once = limits.cheapest * mass;
                match state.grid.plain() {
                    None => shannon.max(once),
                    Some(weight) => {
                        let by_count = shared(count, ended, radix, false) * limits.cheapest * weight;
                        // If objects are confirmed and all costs are equal, counting is all that is done.
                        if confirm && limits.even { by_count } else { by_count.max(shannon) }
                    }
                }
            }
            Kind::Worst => {
                let by_count = shared(groups.len(), ended, radix, true) * limits.cheapest;
                let by_rate = up_to((groups.len() as f64).log2() / limits.rate, self.unit);
                if limits.even { by_count } else { by_count.max(by_rate) }
            }
            Kind::Exponential(growth) => {
                let once = mass.ln() + growth * limits.cheapest;
                let powers = groups.iter().filter(|mass| **mass > 0.0).map(|mass| mass.powf(self.alpha));
                once.max(powers.sum::<f64>().ln() / self.alpha)
            }
        }
    }

    /// Bound of a set by its majority path with the simplest limits: sums of the largest minority parts.
    fn majority_path(&self, set: u32, limits: &Limits, state: &State<'_>) -> f64 {
        let is_mean = self.kind != Kind::Worst;
        let size = |part: u32| if is_mean { self.slow.mass(part) } else { f64::from(part.count_ones()) };
        let total = size(set);
        let groups = if is_mean { self.slow.groups(set) } else { self.slow.group_sizes(set) };
        let largest = groups.into_iter().fold(0.0, f64::max);
        if !limits.even || (is_mean && largest * 4.0 > total) || matches!(self.kind, Kind::Exponential(_)) {
            return f64::NEG_INFINITY;
        }
        let splits = self.slow.tests().map(|test| self.slow.parts(set, test));
        let mut splits: Vec<Vec<u32>> = splits.filter(|parts| parts.len() > 1).collect();
        splits.iter_mut().for_each(|parts| parts.sort_unstable());
        splits.sort_unstable();
        splits.dedup();
        let usual = |parts: &Vec<u32>| parts.iter().map(|part| size(*part)).fold(0.0, f64::max);
        let mut minorities: Vec<f64> = splits.iter().map(|parts| total - usual(parts)).collect();
        minorities.sort_unstable_by(|left, right| right.total_cmp(left));
        let departed = |k: usize| minorities[..k].iter().sum::<f64>().min(total);
        let departed: Vec<f64> = (1..=minorities.len()).map(departed).collect();
        let bits = (limits.radix as f64).log2();
        match (self.kind, state.grid.plain().filter(|_| limits.radix == 2)) {
            (Kind::Worst, _) => {
                let mut best = 0.0f64;
                for asked in 0..=departed.len() {
                    let left = if asked == 0 { total } else { total - departed[asked - 1] };
                    let leaves = (left / largest - 1e-6).ceil().max(1.0) as usize;
                    best = best.max(asked as f64 + shared(leaves, 0, limits.radix, true));
                    if left <= largest {
                        break;
                    }
                }
                best * limits.cheapest
            }
            (_, Some(weight)) => {
                let departed: Vec<u64> = departed.iter().map(|mass| (mass / weight).round() as u64).collect();
                path::by_depths(&departed, set.count_ones().into(), &Growth::default()) as f64
                    * weight
                    * limits.cheapest
            }
            _ => {
                let own: f64 = self.slow.groups(set).into_iter().map(phi).sum();
                let leaving = path::by_entropy(&departed, total, largest * (1.0 + 1e-8), limits.radix);
                up_to((leaving - own) / bits * limits.cheapest - 1e-6, self.unit)
            }
        }
    }

    /// Checks the parts of one question, and that their bounds are neither too high nor lower than they should be.
    fn check_parts(&mut self, set: u32, state: &State<'_>, test: usize, children: &[(u32, Child)]) {
        let mut parts: Vec<u32> = children.iter().map(|(part, _)| *part).collect();
        parts.sort_unstable();
        let mut wanted = self.slow.parts(set, test);
        wanted.sort_unstable();
        assert_eq!(parts, wanted);
        let budget = state.budget - self.slow.cost(test);
        let limits = self.limits(set);
        for (part, child) in children {
            self.check_summary(*part, &child.summary);
            let value = self.slow.after(*part, test, budget);
            assert!(at_most(child.lower, value), "{:?} {part:b}: {child:?} above {value}", self.kind);
            if child.is_solved() {
                assert!(close(child.lower, value), "{:?} {part:b}: {child:?} is not {value}", self.kind);
            } else {
                let floor = self.floor(*part, &limits, state);
                assert!(at_most(floor, child.lower), "{:?} {part:b}: {child:?} below {floor}", self.kind);
            }
        }
    }

    /// Checks the questions that may have a value below `bar`.
    fn check_options(&mut self, set: u32, state: &State<'_>, mut options: Options, bar: f64) {
        let (budget, mut least, mut parts) = (state.budget, options.dropped, f64::NEG_INFINITY);
        let mut questions = Vec::new();
        for choice in options.choices.clone() {
            let column = &state.grid.tests[choice.column as usize];
            let test = column.test as usize;
            let mut buffer = vec![0u64; state.grid.words];
            let children: Vec<Child> = options.children(&choice).to_vec();
            let place = |child: &Child| {
                (self.bits(state.grid, child_of(state, column, child, &mut buffer).set), *child)
            };
            let children: Vec<(u32, Child)> = children.iter().map(place).collect();
            self.check_parts(set, state, test, &children);
            let value = self.slow.asking(set, test, budget).unwrap();
            assert!(at_most(choice.lower, value) && choice.lower < bar, "{choice:?} {value} {bar}");
            least = least.min(choice.lower);
            let joined = children.iter().map(|(_, child)| child.lower);
            parts = joined.fold(self.algebra.none(), |sum, lower| self.algebra.join(sum, lower)).max(parts);
            let mut sets: Vec<u32> = children.iter().map(|(part, _)| *part).collect();
            sets.sort_unstable();
            questions.push((sets, self.slow.cost(test), self.slow.confirmed_by(set, test)));
        }
        assert!(options.dropped >= bar || options.dropped == f64::INFINITY);
        let value = self.slow.least(set, budget);
        assert!(at_most(least, value), "{:?} {set:b}: {least} above {value}", self.kind);
        for test in self.slow.tests() {
            let Some(value) = self.slow.asking(set, test, budget) else { continue };
            let mut sets = self.slow.parts(set, test);
            sets.sort_unstable();
            let (cost, confirmed) = (self.slow.cost(test), self.slow.confirmed_by(set, test));
            let stands = |(other, price, confirms): &(Vec<u32>, f64, Option<usize>)| {
                *other == sets && *price <= cost && *confirms == confirmed
            };
            assert!(questions.iter().any(stands) || at_most(options.dropped, value), "{set:b} {test}");
        }
        assert!(at_most(options.parts, value), "{:?} {set:b}: {} above {value}", self.kind, options.parts);
        let majority_path = options.majority_path;
        assert!(at_most(majority_path, value), "{:?} {set:b}: {majority_path} above {value}", self.kind);
        if budget == f64::INFINITY {
            assert!(at_most(parts, options.parts));
        }
        if state.grid.confirmation.is_none() && self.distinct {
            let wanted = self.majority_path(set, &self.limits(set), state);
            assert!(
                at_most(wanted, majority_path),
                "{:?} {set:b}: {majority_path} below {wanted}",
                self.kind
            );
        }
    }
}

impl Work for Sets {
    fn with<A: CostAlgebra>(&mut self, problem: &mut ReducedProblem<'_>, algebra: A, kind: Kind) {
        if self.dice.roll(2) == 0 && algebra.uses_majority_path() {
            problem.grid.set_prices(algebra.is_mean(), 2, || false);
        }
        let instance = problem.instance;
        let (weights, costs) = (instance.weights(), instance.costs());
        let unit = match kind {
            _ if !(weights.is_exact() && costs.is_exact()) => 0.0,
            Kind::Worst => gcd(costs.units()),
            _ => gcd(weights.units()) * gcd(costs.units()),
        };
        let arity = |test| instance.test(test).arity() as f64;
        let rates = instance.test_ids().map(|test| arity(test).log2() / costs.units()[test.index()]);
        let rate = rates.fold(0.0, f64::max);
        let growth = if let Kind::Exponential(growth) = kind { growth } else { 1.0 };
        let alpha = rate / (rate + growth / std::f64::consts::LN_2);
        let slow = Slow::new(problem, &self.places, kind);
        let places = self.places.as_slice();
        let mut case = Case { algebra: &algebra, kind, slow, places, unit, alpha, distinct: self.distinct };
        let switches = Switches { distinct: self.distinct, nested: Some(2), ..Switches::ALL };
        let mut counter = Counter::new(problem.grid.group_count, &switches);
        for set in 1..1u32 << self.places.len() {
            let members = words(&problem.grid, case.slow.members(set).map(|object| self.places[object]));
            let summary = counter.summary(&problem.grid, &members, &algebra);
            case.check_summary(set, &summary);
            if summary.groups < 2 {
                continue;
            }
            let (grid, budget) = (&problem.grid, problem.cap);
            let key = grid.key(&members) ^ within(budget);
            State { grid, set: &members, summary, key, budget }.compact(|state| {
                let value = case.slow.least(set, budget);
                let near = if value.is_finite() {
                    value + 0.5 * self.dice.share() * (1.0 + value.abs())
                } else {
                    value
                };
                for bar in [f64::INFINITY, value, near] {
                    let options = counter.options(&state, &algebra, bar, true);
                    case.check_options(set, &state, options, bar);
                }
            });
        }
    }
}

/// Growths `ln λ` per unit of cost.
pub(super) const GROWTHS: [f64; 4] = [1e-4, 0.05, std::f64::consts::LN_2, 3.0];

/// Number of objects after equal ones of a group are merged.
fn size(instance: &Instance) -> usize {
    ReducedProblem::new(instance, f64::INFINITY, |_| 0.0).grid.weights.len()
}

#[test]
fn bounds_of_small_sets_are_true_and_as_high_as_the_docs_say() {
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let confirm = dice.roll(4) == 0;
        let (objects, tests) = match confirm {
            true => (3 + dice.roll(3), dice.roll(4)),
            false => (3 + dice.roll(5), 3 + dice.roll(4)),
        };
        let instance = instance(&mut dice, objects, tests, confirm);
        let cap = cap(&mut dice, &instance);
        let (growth, distinct) = (GROWTHS[dice.roll(4)], dice.roll(4) > 0);
        let places = (0..size(&instance)).collect();
        with_each(&instance, cap, growth, &mut Sets { dice, places, distinct });
    }
}

#[test]
fn a_few_objects_of_a_large_table_have_bounds_of_their_own() {
    for seed in 0..24 {
        let mut dice = Dice::new(seed);
        // Sets of several words, and sets that are copied out of them.
        let (objects, confirm) =
            [(12, false), (80, true), (190, false), (200, true), (280, false)][dice.roll(5)];
        let instance = instance(&mut dice, objects, if confirm { 2 } else { 12 }, confirm);
        let objects = size(&instance);
        let mut places: Vec<usize> = (0..6).map(|_| dice.roll(objects)).collect();
        places.sort_unstable();
        places.dedup();
        with_each(&instance, f64::INFINITY, 0.1, &mut Sets { dice, places, distinct: true });
    }
}

#[test]
fn objects_that_leave_together_count_for_more_where_they_separate_slowly() {
    let mut higher = 0;
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        // Sparse rows of yes and no, of equal weight and cost.
        let mut text = "object prior".to_owned();
        (0..11).for_each(|test| text += &format!(" t{test}"));
        for object in 0..14 {
            text += &format!("\no{object} 3");
            (0..11).for_each(|_| text += &format!(" {}", usize::from(dice.roll(4) == 0)));
        }
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let Ok((instance, _)) = Instance::new(Table::from_rows(&rows), &Reading::default()) else { continue };
        let algebra = Expected::new(3.0, instance.weights().units());
        let problem = ReducedProblem::new(&instance, f64::INFINITY, |mass| algebra.spread(mass));
        if problem.grid.plain().is_none() {
            continue;
        }
        let all = problem.grid.all();
        let value = slow_of(&problem, Kind::Expected).least(all[0] as u32, f64::INFINITY);
        let bounds = [None, Some(2)].map(|nested| {
            let mut counter = Counter::new(problem.grid.group_count, &Switches { nested, ..Switches::ALL });
            let summary = counter.summary(&problem.grid, &all, &algebra);
            let (grid, key, budget) = (&problem.grid, problem.root_key(&all), f64::INFINITY);
            let state = State { grid, set: &all, summary, key, budget };
            counter.options(&state, &algebra, value, true).majority_path
        });
        let splits = super::minority::splits(&problem.grid, all[0] as u32);
        let count = |part: u32| f64::from(part.count_ones());
        let leaving = splits.iter().map(|split| super::minority::minority(&count, all[0] as u32, split));
        let leaving: Vec<u32> = leaving.collect();
        let mut sizes: Vec<u64> = leaving.iter().map(|part| u64::from(part.count_ones())).collect();
        sizes.sort_unstable_by_key(|size| std::cmp::Reverse(*size));
        let objects = u64::from(all[0].count_ones());
        let departed: Vec<u64> =
            (1..=sizes.len()).map(|asked| sizes[..asked].iter().sum::<u64>().min(objects)).collect();
        let wanted = [Growth::default(), super::minority::growth(&leaving)]
            .map(|growth| 3.0 * path::by_depths(&departed, objects, &growth) as f64);
        assert_eq!(bounds[0], wanted[0]);
        // The slower bound is computed if it may reach the bar.
        let is_near = value - wanted[0] <= 0.15 * 3.0 * objects as f64 && wanted[0] < value;
        assert_eq!(bounds[1], if is_near { wanted[0].max(wanted[1]) } else { wanted[0] });
        assert!(bounds[1] <= value);
        higher += u32::from(bounds[1] > bounds[0]);
    }
    assert!(higher > 0);
}
