//! Limits, by prices, on how many objects can have left the majority path after any k questions.
//!
//! The most that `k` tests cover is hard to compute, but prices yield a limit: if object `i` has the price `u_i`
//! between 0 and 1, then each object that has left counts at most `1 − u_i`, and `u_i` for every test at which it
//! could leave, so
//!
//! `w(σ_1 ∪ … ∪ σ_k) ≤ Σ_i w_i (1 − u_i) + Σ_{j≤k} u(σ_j)`, `u(σ) = Σ_{i∈σ} w_i u_i`,
//!
//! and of the last sum the `k` largest terms suffice. With all prices 1 it is the sum of the largest parts. Prices
//! below 1 for objects that many tests cover, the dual of the covering's linear program, yield far better limits.
//!
//! One price vector yields a limit for every `k` and is best for one. Vectors are found for a few `k` by the method
//! of [FrankWolfe1956]: `x_t` is the fraction of test `t` that is asked, `c_i = Σ_{t∋i} x_t` covers object `i`, and
//! `Σ w_i min(1, c_i)`, its corner smoothed, is raised step by step towards the `k` tests with the largest gain; its
//! slopes are the prices.

/// Objects that leave the majority path at each test.
#[derive(Clone, Debug)]
pub(crate) struct LeavingObjects {
    /// Objects without the majority answer, by test.
    pub(crate) tests: Vec<Vec<u32>>,
    /// Weight of each object.
    pub(crate) weights: Vec<f64>,
    /// Weight of the largest group: the path may end when no more is left.
    pub(crate) largest_group: f64,
}

/// Price 1 as a whole number: prices are multiples of 1/255.
pub(crate) const PRICE_ONE: u8 = 255;

/// Numbers of questions for which a price vector is computed; each serves its neighbours well.
const PRICED_QUESTIONS: [usize; 13] = [2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610];

/// Width of the smoothed corner, in the first and the last step.
const CORNER_WIDTH: (f64, f64) = (0.5, 0.05);

/// Bisections of the line search in each step.
const BISECTIONS: usize = 8;

/// Most steps × leaving objects; with more, there are fewer steps.
const MAX_WORK: usize = 40_000_000;

/// Computes at most `most` price vectors, by object, with `steps` steps for each. Empty if prices of 1 are the best
/// known. When `is_late`, those found so far are returned.
pub(crate) fn prices(
    leaving: &LeavingObjects,
    steps: usize,
    most: usize,
    is_late: impl Fn() -> bool,
) -> Vec<Vec<u8>> {
    let total: f64 = leaving.weights.iter().sum();
    let cells: usize = leaving.tests.iter().map(Vec::len).sum();
    let steps = steps.min(MAX_WORK / (cells + 10 * leaving.weights.len()).max(1) / PRICED_QUESTIONS.len());
    if total <= 0.0 || total == f64::INFINITY || steps == 0 {
        return Vec::new();
    }
    let mut covering = Covering::new(leaving, total);
    let mut found = Vec::new();
    for questions in PRICED_QUESTIONS.into_iter().take_while(|questions| *questions < leaving.tests.len()) {
        let (limit, prices) = covering.solve(questions, steps, &is_late);
        if is_late() || limit >= total - leaving.largest_group {
            break;
        }
        found.push(prices);
    }
    let count = found.len();
    let spread = |at: usize| if most > 1 { at * (count - 1) / (most - 1) } else { 0 };
    if count <= most { found } else { (0..most).map(|at| std::mem::take(&mut found[spread(at)])).collect() }
}

/// Fractional covering that is being improved.
struct Covering<'a> {
    leaving: &'a LeavingObjects,
    /// Total weight of all objects.
    total: f64,
    /// Fraction of each test that is asked.
    asked: Vec<f64>,
    /// Coverage of each object.
    covered: Vec<f64>,
    slopes: Vec<f64>,
    /// Gain of each test: the sum of its objects' prices.
    gains: Vec<f64>,
    order: Vec<u32>,
    change: Vec<f64>,
}

impl<'a> Covering<'a> {
    fn new(leaving: &'a LeavingObjects, total: f64) -> Self {
        let (tests, objects) = (leaving.tests.len(), leaving.weights.len());
        let mut covered = vec![0.0; objects];
        let share = 1.0 / tests.max(1) as f64;
        leaving.tests.iter().flatten().for_each(|object| covered[*object as usize] += share);
        Self {
            leaving,
            total,
            asked: vec![share; tests],
            covered,
            slopes: vec![0.0; objects],
            gains: vec![0.0; tests],
            order: (0..tests as u32).collect(),
            change: vec![0.0; objects],
        }
    }

    /// Finds the least limit for `questions` questions, and its prices.
    fn solve(&mut self, questions: usize, steps: usize, is_late: impl Fn() -> bool) -> (f64, Vec<u8>) {
        // Starts from the covering for fewer questions.
        let more = questions as f64 / self.asked.iter().sum::<f64>();
        self.asked.iter_mut().chain(&mut self.covered).for_each(|value| *value *= more);
        let mut best = (f64::INFINITY, Vec::new());
        for step in (0..steps).take_while(|_| !is_late()) {
            let part = step as f64 / steps.max(2).saturating_sub(1) as f64;
            let round = CORNER_WIDTH.0 * (CORNER_WIDTH.1 / CORNER_WIDTH.0).powf(part);
            let limit = self.look(questions, round);
            // Here and below, values equal up to rounding count as equal, so that prices do not depend on how the
            // prior was written.
            if limit < best.0 * (1.0 - 1e-9) {
                let part = |slope: &f64| (slope * f64::from(PRICE_ONE) + 1e-6).round() as u8;
                best = (limit, self.slopes.iter().map(part).collect());
            }
            self.go(questions, round);
        }
        best
    }

    /// Computes the prices at the current covering, sorts the tests by gain, and returns the limit.
    fn look(&mut self, questions: usize, round: f64) -> f64 {
        let LeavingObjects { tests, weights, .. } = self.leaving;
        for (slope, covered) in self.slopes.iter_mut().zip(&self.covered) {
            *slope = slope_at(*covered, round);
        }
        for (gain, objects) in self.gains.iter_mut().zip(tests) {
            *gain = objects.iter().map(|at| weights[*at as usize] * self.slopes[*at as usize]).sum();
        }
        let gains = &self.gains;
        let scale = 1e9 / self.total;
        let key = |test: &u32| (std::cmp::Reverse((gains[*test as usize] * scale) as u64), *test);
        self.order.select_nth_unstable_by_key(questions, key);
        let spared: f64 =
            weights.iter().zip(&self.slopes).map(|(weight, slope)| weight * (1.0 - slope)).sum();
        spared + self.order[..questions].iter().map(|test| gains[*test as usize]).sum::<f64>()
    }

    /// Moves towards the tests with the largest gain as far as it pays.
    fn go(&mut self, questions: usize, round: f64) {
        let LeavingObjects { tests, weights, .. } = self.leaving;
        self.change.iter_mut().zip(&self.covered).for_each(|(change, covered)| *change = -covered);
        for test in &self.order[..questions] {
            tests[*test as usize].iter().for_each(|object| self.change[*object as usize] += 1.0);
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..BISECTIONS {
            let middle = (low + high) / 2.0;
            let rises = weights.iter().zip(self.covered.iter().zip(&self.change));
            let rise: f64 = rises
                .map(|(weight, (covered, change))| {
                    weight * change * slope_at(covered + middle * change, round)
                })
                .sum();
            if rise > 0.0 { low = middle } else { high = middle }
        }
        let step = f64::max(low, high / 2.0);
        self.asked.iter_mut().for_each(|asked| *asked *= 1.0 - step);
        self.order[..questions].iter().for_each(|test| self.asked[*test as usize] += step);
        self.covered.iter_mut().zip(&self.change).for_each(|(covered, change)| *covered += step * change);
    }
}

/// Slope of the smoothed `min(1, c)` at `covered`.
fn slope_at(covered: f64, round: f64) -> f64 {
    ((1.0 + round - covered) / (2.0 * round)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::departed;
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    /// Most that `k` tests cover, by trying all.
    fn most(leaving: &LeavingObjects, k: u32) -> f64 {
        let choices = (0u32..1 << leaving.tests.len()).filter(|choice| choice.count_ones() == k);
        let covered = |choice: u32| -> f64 {
            let tests = leaving.tests.iter().enumerate().filter(|(at, _)| choice >> at & 1 == 1);
            let mut objects: Vec<u32> = tests.flat_map(|(_, test)| test.iter().copied()).collect();
            objects.sort_unstable();
            objects.dedup();
            objects.iter().map(|object| leaving.weights[*object as usize]).sum()
        };
        choices.map(covered).fold(0.0, f64::max)
    }

    fn random(seed: u64) -> LeavingObjects {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let objects = 3 + random.next_u64() as u32 % 20;
        let weights: Vec<f64> = (0..objects).map(|_| (1 + random.next_u64() % 5) as f64).collect();
        let tests = (0..4 + random.next_u64() % 7)
            .map(|_| (0..objects).filter(|_| random.next_u64().is_multiple_of(3)).collect());
        LeavingObjects { tests: tests.collect(), weights, largest_group: 1.0 }
    }

    #[test]
    fn no_choice_of_tests_covers_more_than_the_prices_allow() {
        let mut tighter = 0;
        for seed in 0..300 {
            let leaving = random(seed);
            let (priced, plain) =
                (departed(&leaving, &prices(&leaving, 30, 8, || false)), departed(&leaving, &[]));
            for (at, (priced, plain)) in priced.iter().zip(&plain).enumerate() {
                assert!(*priced >= most(&leaving, at as u32 + 1), "seed {seed}, {} questions", at + 1);
                assert!(priced <= plain);
                tighter += u32::from(*priced < 0.95 * plain);
            }
        }
        // Not only valid but tighter.
        assert!(tighter > 100, "{tighter}");
    }

    #[test]
    fn any_prices_at_all_give_a_limit() {
        let mut random_price = ChaCha8Rng::seed_from_u64(7);
        for seed in 0..100 {
            let leaving = random(seed);
            let prices: Vec<u8> = leaving.weights.iter().map(|_| random_price.next_u64() as u8).collect();
            for (at, limit) in departed(&leaving, &[prices]).iter().enumerate() {
                assert!(*limit >= most(&leaving, at as u32 + 1));
            }
        }
    }

    #[test]
    fn who_is_covered_by_every_test_counts_once() {
        // Ten tests, each with one object of its own and five that leave at every test.
        let tests = (0..10).map(|own| [own, 10, 11, 12, 13, 14].to_vec()).collect();
        let leaving = LeavingObjects { tests, weights: vec![1.0; 15], largest_group: 1.0 };
        let departed = departed(&leaving, &prices(&leaving, 60, 8, || false));
        // All prices 1: 6, 12, 15. The truth: 6, 7, 8, 9 …
        let found: Vec<f64> = departed.iter().take(5).map(|departed| departed.floor()).collect();
        assert_eq!(found, [6.0, 7.0, 8.0, 9.0, 10.0]);
    }
}
