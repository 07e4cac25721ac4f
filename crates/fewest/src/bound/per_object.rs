//! Bounds per object: the path to an object separates it from every object of another group.
//!
//! The tests on the path to object `i` separate it from all candidates of other groups, so they cost at least
//! `cert(i)`, the cost of the cheapest set of tests that does so; this holds for every object at once, in every tree.
//! Hence `E ≥ Σ p_i cert(i)`, `W ≥ max cert(i)`, and the exponential cost likewise. Finding the cheapest set is a set
//! cover, so a packing is used instead: for `y ≥ 0` with `Σ y_o ≤ c_t` over the `o` that test `t` separates from `i`,
//! `cert(i) ≥ Σ_o y_o`, because each `o` is separated by some test of the set. Each `y_o` is raised in turn, first
//! those that few tests separate from `i`. Specification section 11.6.

use super::{BoundInput, Entry, ObjectiveKind};
use fewest_model::{Lambda, compensated_sum, log_mean_exp};
use rayon::prelude::*;

const REASON: &str = "the questions on the way to an object must separate it from every object of another group, and the packing shows what such questions cost";

pub(super) const EXPECTED: Entry = Entry {
    name: "certificate",
    kind: ObjectiveKind::Expected,
    reason: REASON,
    paper: "folklore",
    is_quick: false,
    value: |input, _| compensated_sum(shared(input).map(|(share, cost)| share * cost)),
};

pub(super) const WORST: Entry = Entry {
    kind: ObjectiveKind::Worst,
    value: |input, _| input.per_object_bounds().unwrap_or_default().iter().copied().fold(0.0, f64::max),
    ..EXPECTED
};

pub(super) const EXPONENTIAL: Entry = Entry {
    kind: ObjectiveKind::Exponential,
    value: |input, lambda| match lambda == Lambda::INFINITY {
        true => (WORST.value)(input, lambda),
        false => log_mean_exp(lambda, shared(input)),
    },
    ..EXPECTED
};

/// Most comparisons of two objects' answers to a test.
const MAX_COMPARISONS: usize = 2_000_000_000;
/// Most pairs of objects that are compared.
const MAX_PAIRS: usize = 12_000_000;

/// Shares of the mass and bounds of the candidates; empty if the bounds are not known.
fn shared<'a>(input: &'a BoundInput<'_>) -> impl Iterator<Item = (f64, f64)> + Clone + 'a {
    let objects = input.candidates.objects().iter();
    let per_object_bounds = input.per_object_bounds().unwrap_or_default().iter();
    objects.zip(per_object_bounds).map(|(object, cost)| (input.share(*object), *cost))
}

impl BoundInput<'_> {
    /// Lower bound on the cost of a path to each candidate, if it takes little enough work; computed once.
    pub(super) fn per_object_bounds(&self) -> Option<&[f64]> {
        self.per_object_bounds.get_or_init(|| per_object_bounds(self)).as_deref()
    }
}

/// Packing bound of each candidate; `None` if it would take too much work.
fn per_object_bounds(input: &BoundInput<'_>) -> Option<Vec<f64>> {
    let objects = input.candidates.len();
    if input.candidates.is_pure() {
        return Some(vec![0.0; objects]);
    }
    let pairs = objects.saturating_mul(objects);
    let bits = input.splits().len() * Rows::planes(input);
    if input.limit.is_reached() || pairs > MAX_PAIRS || pairs.saturating_mul(bits) > MAX_COMPARISONS {
        return None;
    }
    let rows = Rows::new(input);
    let steps = input.steps();
    let runs = input.candidates.runs();
    let own = runs.iter().flat_map(|run| run.indices().map(|object| (object, run.indices())));
    let own: Vec<_> = own.collect();
    let costs = own.par_iter().map_init(
        || PackingScratch::new(&rows),
        |bench, (object, group)| {
            if input.limit.is_reached() {
                // If the time is up: 0, which holds for any path.
                return 0.0;
            }
            let others = (0..group.start).chain(group.end..objects);
            steps.ceil(bench.pack(*object, others))
        },
    );
    Some(costs.collect())
}

/// Answers of all candidates as bits, so that two of them are compared by a few operations on words.
struct Rows {
    /// Bits by candidate, plane and word: bit `t` of plane `b` is bit `b` of the number of the answer to test `t`.
    words: Vec<u64>,
    planes: usize,
    /// Number of words that hold one bit per test.
    width: usize,
    costs: Vec<f64>,
}

impl Rows {
    /// Number of bits of the number of an answer.
    fn planes(input: &BoundInput<'_>) -> usize {
        let arity = |test| input.instance.test(test).arity();
        let most = input.splits().iter().map(|split| arity(split.test)).max().unwrap_or(2);
        (usize::BITS - (most - 1).leading_zeros()) as usize
    }

    fn new(input: &BoundInput<'_>) -> Self {
        let (splits, planes) = (input.splits(), Self::planes(input));
        let width = splits.len().div_ceil(64);
        let mut words = vec![0; input.candidates.len() * planes * width];
        for (bit, split) in splits.iter().enumerate() {
            let test = input.instance.test(split.test);
            for (at, object) in input.candidates.objects().iter().enumerate() {
                let answer = test.answer(*object).0;
                for plane in (0..planes).filter(|plane| answer >> plane & 1 == 1) {
                    words[(at * planes + plane) * width + bit / 64] |= 1 << (bit % 64);
                }
            }
        }
        Self { words, planes, width, costs: splits.iter().map(|split| split.cost).collect() }
    }

    /// Tests that separate two candidates, 64 at a time.
    fn separating(&self, left: usize, right: usize) -> impl Iterator<Item = u64> {
        let row =
            |object: usize| &self.words[object * self.planes * self.width..][..self.planes * self.width];
        let (left, right) = (row(left), row(right));
        (0..self.width).map(move |word| {
            (0..self.planes).fold(0, |differing, plane| {
                let at = plane * self.width + word;
                differing | (left[at] ^ right[at])
            })
        })
    }
}

/// Scratch space for the packings, one object after the other.
struct PackingScratch<'a> {
    rows: &'a Rows,
    /// Objects to be separated with the number of tests that separate them; then the same, sorted.
    found: Vec<(u32, u32)>,
    order: Vec<u32>,
    starts: Vec<u32>,
    /// Rest of the cost of each test.
    slacks: Vec<f64>,
    /// Tests with no cost left.
    spent: Vec<u64>,
    here: Vec<u64>,
}

impl<'a> PackingScratch<'a> {
    fn new(rows: &'a Rows) -> Self {
        let words = || vec![0; rows.width];
        Self {
            rows,
            found: Vec::new(),
            order: Vec::new(),
            starts: Vec::new(),
            slacks: Vec::new(),
            spent: words(),
            here: words(),
        }
    }

    /// Lower bound on the cost of separating `object` from all `others`.
    fn pack(&mut self, object: usize, others: impl Iterator<Item = usize>) -> f64 {
        let rows = self.rows;
        self.slacks.clone_from(&rows.costs);
        self.spent.fill(0);
        let count = |other| rows.separating(object, other).map(u64::count_ones).sum::<u32>();
        self.found.clear();
        self.found.extend(others.map(|other| (count(other), other as u32)));
        self.sort();
        let mut sum = 0.0;
        for at in 0..self.order.len() {
            let other = self.order[at] as usize;
            self.here.clear();
            self.here.extend(rows.separating(object, other));
            if self.here.iter().zip(&self.spent).all(|(here, spent)| here & spent == 0) {
                sum += self.raise();
            }
        }
        sum
    }

    /// Sorts by the number of separating tests, the fewest first: a counting sort, because this is most of the work.
    fn sort(&mut self) {
        self.starts.clear();
        self.starts.resize(self.rows.costs.len() + 2, 0);
        self.found.iter().for_each(|(count, _)| self.starts[*count as usize + 1] += 1);
        (1..self.starts.len()).for_each(|count| self.starts[count] += self.starts[count - 1]);
        self.order.clear();
        self.order.resize(self.found.len(), 0);
        for (count, other) in &self.found {
            let place = &mut self.starts[*count as usize];
            self.order[*place as usize] = *other;
            *place += 1;
        }
    }

    /// Raises the weight of one other object as far as the tests `here` allow.
    fn raise(&mut self) -> f64 {
        let tests = |words: &[u64]| -> Vec<usize> {
            let bits = |(at, word): (usize, &u64)| {
                let word = *word;
                (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
            };
            words.iter().enumerate().flat_map(bits).collect()
        };
        let tests = tests(&self.here);
        let room = tests.iter().map(|&test| self.slacks[test]).fold(f64::INFINITY, f64::min);
        for test in tests {
            self.slacks[test] -= room;
            if self.slacks[test] <= 0.0 {
                self.spent[test / 64] |= 1 << (test % 64);
            }
        }
        room
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::testing::{instance, value};

    #[test]
    fn an_object_is_parted_from_each_other_in_its_own_way() {
        // d differs from each of a, b and c in another test alone: three questions. One suffices for each of them.
        let text = "object prior t u v\n a 1 1 0 0\n b 1 0 1 0\n c 1 0 0 1\n d 5 0 0 0";
        let instance = instance(text, &[]);
        let input = BoundInput::of(&instance);
        assert_eq!(input.per_object_bounds(), Some(&[1.0, 1.0, 1.0, 3.0][..]));
        assert_eq!(value(&instance, WORST), 3.0);
        assert_eq!(value(&instance, EXPECTED), (1.0 + 1.0 + 1.0 + 5.0 * 3.0) / 8.0);
    }

    #[test]
    fn the_own_group_needs_no_parting() {
        let text = "object group t u\n a x 0 0\n b x 0 1\n c y 1 0";
        let instance = instance(text, &[("u", 4.0)]);
        assert_eq!(BoundInput::of(&instance).per_object_bounds(), Some(&[1.0, 1.0, 1.0][..]));
    }

    #[test]
    fn many_answers_and_many_tests_are_told_apart() {
        // 70 tests of 5 answers, where two objects differ in the last alone.
        let row = |name: &str, last: &str| format!("{name} {}{last}\n", "3 ".repeat(69));
        let header: String = (0..70).map(|test| format!(" t{test}")).collect();
        let text = format!("object{header}\n{}{}{}", row("a", "0"), row("b", "4"), row("c", "3"));
        let instance = instance(&text, &[("t69", 2.5)]);
        assert_eq!(BoundInput::of(&instance).per_object_bounds(), Some(&[2.5, 2.5, 2.5][..]));
    }
}
