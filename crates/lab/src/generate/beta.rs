//! Random model of the papers: answers that agree within groups, and groups that agree among themselves.

use super::draft::{self, Cells};
use super::error::{require, require_enough_rows, require_size};
use super::groups::{Groups, each_its_own, require_groups};
use super::{GenerateError, rows, zipf};
use fewest::random::{Chance, RandomStream, Stream};
use fewest_model::{Column, Table};
use std::ops::RangeInclusive;

/// Most cells that are drawn in total before giving up, and most tables that are drawn.
const MOST_DRAWN: u64 = 2_000_000_000;
const MOST_TRIES: u64 = 1000;

/// Tests that each have their own strength, as in the papers [BellalaBhavnaniScott2010, simulations].
///
/// For each test a fair bit `x` is drawn; each group takes `x` with probability `γ_b`, else the other bit; each
/// object takes its group's bit with probability `γ_w`, else the other. `γ_b = 1/2 + Beta(1, β_b)/2` and
/// `γ_w = 1/2 + Beta(1, β_w)/2` are drawn for each test: small β, strong tests. Groups are independent and uniform.
/// A table that does not tell all groups apart is drawn again as a whole.
///
/// Memory: one bit for each answer. Time: one random word for each answer, two where every object is its own group.
#[derive(Clone, Debug, PartialEq)]
pub struct Beta {
    /// Number of objects.
    pub objects: u32,
    /// Number of tests.
    pub tests: u32,
    /// Number of groups; `None` or 0: every object is its own group.
    pub groups: Option<u32>,
    /// Parameter β of `γ_w`, the agreement of objects with their group.
    pub beta_w: f64,
    /// Parameter β of `γ_b`, the agreement of groups with each other.
    pub beta_b: f64,
    /// Range of `γ_w`; its draw is stretched linearly over this range, from 1/2 to 1 in the papers' model.
    pub gamma_w: RangeInclusive<f64>,
    /// Exponent δ of the priors `j^-δ`, in random order; 0: equal priors.
    pub delta: f64,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for Beta {
    fn default() -> Self {
        Self {
            objects: 400,
            tests: 200,
            groups: Some(15),
            beta_w: 1.0,
            beta_b: 1.0,
            gamma_w: 0.5..=1.0,
            delta: 0.0,
            seed: 0,
        }
    }
}

impl Beta {
    /// Draws the table.
    ///
    /// # Errors
    /// When a setting is outside the model, or no table was found whose tests tell the groups apart.
    pub fn generate(&self) -> Result<Table, GenerateError> {
        self.require_all()?;
        let mut dice = RandomStream::new(self.seed, Stream::Table);
        for _ in 0..self.tries() {
            let (groups, tests) = self.draw(&mut dice);
            let group_of = groups.as_ref().map(|groups| &groups.of[..]);
            if rows::tell_apart(self.objects as usize, &tests, group_of) {
                let prior = zipf::prior_column(self.objects, self.delta, self.seed);
                let objects = draft::numbered("o", self.objects);
                return Ok(draft::table(objects, groups.map(|groups| groups.column()), prior, tests));
            }
        }
        Err(self.inseparable(self.tries()))
    }

    fn require_all(&self) -> Result<(), GenerateError> {
        require_size(self.objects, self.tests)?;
        for (name, beta) in [("beta_w", self.beta_w), ("beta_b", self.beta_b)] {
            require(beta.is_finite() && beta > 0.0, name, beta, "a number > 0")?;
        }
        let (low, high) = (*self.gamma_w.start(), *self.gamma_w.end());
        require((0.5..=1.0).contains(&low), "the lower end of gamma_w", low, "from 0.5 to 1")?;
        require((low..=1.0).contains(&high), "the upper end of gamma_w", high, "from the lower end to 1")?;
        zipf::require_delta(self.delta)?;
        require_groups(self.groups, self.objects)?;
        if each_its_own(self.groups) {
            require_enough_rows(self.objects, self.tests, 2)?;
        }
        Ok(())
    }

    /// Number of times that a table is drawn: often for a small one, twice for a billion cells.
    fn tries(&self) -> u32 {
        let cells = u64::from(self.objects) * u64::from(self.tests).max(1);
        (MOST_DRAWN / cells).clamp(1, MOST_TRIES) as u32
    }

    fn inseparable(&self, tries: u32) -> GenerateError {
        GenerateError::Inseparable { objects: self.objects, tests: self.tests, tries }
    }

    fn draw(&self, dice: &mut RandomStream) -> (Option<Groups>, Vec<Column>) {
        let groups = Groups::draw(dice, self.objects, self.groups);
        let texts = draft::digits(2);
        let tests = (1..=self.tests).map(|test| {
            let cells = Cells::new(&format!("q{test}"), &texts);
            self.draw_test(dice, groups.as_ref(), cells)
        });
        let tests = tests.collect();
        (groups, tests)
    }

    fn draw_test(&self, dice: &mut RandomStream, groups: Option<&Groups>, cells: Cells<'_>) -> Column {
        let (low, high) = (*self.gamma_w.start(), *self.gamma_w.end());
        let gamma_w = Chance::of(low + beta_1(dice, self.beta_w) * (high - low));
        let gamma_b = Chance::of(0.5 + beta_1(dice, self.beta_b) / 2.0);
        let x = dice.happens(Chance::of(0.5));
        match groups {
            None => cells.fill((0..self.objects).map(|_| {
                let own = take(dice, x, gamma_b);
                u32::from(take(dice, own, gamma_w))
            })),
            Some(groups) => {
                let bits: Vec<bool> = (0..groups.count).map(|_| take(dice, x, gamma_b)).collect();
                let objects = groups.of.iter();
                cells.fill(objects.map(|group| u32::from(take(dice, bits[*group as usize], gamma_w))))
            }
        }
    }
}

/// Returns `bit` with probability `gamma`, else the other.
#[inline]
fn take(dice: &mut RandomStream, bit: bool, gamma: Chance) -> bool {
    dice.happens(gamma) == bit
}

/// Draws from Beta(1, β), by inversion of its distribution function `1 - (1-x)^β`.
fn beta_1(dice: &mut RandomStream, beta: f64) -> f64 {
    1.0 - dice.unit().powf(1.0 / beta)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fewest_model::{Inseparable, Instance, Reading};

    /// Share of tests that two objects answer equally; both are in group `g1` or each is its own group.
    fn agreement(options: &Beta) -> f64 {
        let table = Beta { objects: 2, ..options.clone() }.generate().unwrap();
        let tests = table.columns.iter().filter(|column| column.name != "group");
        let alike = tests.filter(|column| column.codes.get(0) == column.codes.get(1)).count();
        alike as f64 / f64::from(options.tests)
    }

    /// Tests are independent, so the share of agreements has the standard deviation of a coin thrown as often.
    fn assert_within_five_sigma(share: f64, p: f64, tests: u32) {
        let sigma = (p * (1.0 - p) / f64::from(tests)).sqrt();
        assert!((share - p).abs() < 5.0 * sigma, "{share} is too far from {p} (σ = {sigma})");
    }

    /// E B² for B from Beta(1, β).
    fn second_moment(beta: f64) -> f64 {
        2.0 / ((1.0 + beta) * (2.0 + beta))
    }

    #[test]
    fn objects_of_one_group_agree_as_often_as_the_model_says() {
        // Both take the group's bit or both do not: γ² + (1-γ)² = (1 + B²)/2 with γ = 1/2 + B/2.
        for beta_w in [0.5, 1.0, 8.0] {
            let options = Beta { tests: 20_000, groups: Some(1), beta_w, seed: 3, ..Beta::default() };
            let p = (1.0 + second_moment(beta_w)) / 2.0;
            assert_within_five_sigma(agreement(&options), p, options.tests);
        }
    }

    #[test]
    fn objects_of_different_groups_agree_as_often_as_the_model_says() {
        // Signs multiply along o1 - group - x - group - o2: (1 + B_w² B_b²)/2.
        for (beta_w, beta_b) in [(0.5, 0.5), (1.0, 4.0), (2.0, 0.5)] {
            let options = Beta { tests: 20_000, groups: None, beta_w, beta_b, seed: 4, ..Beta::default() };
            let p = (1.0 + second_moment(beta_w) * second_moment(beta_b)) / 2.0;
            assert_within_five_sigma(agreement(&options), p, options.tests);
        }
    }

    #[test]
    fn gamma_w_keeps_to_its_range() {
        // γ_w = 0.8 always: 0.8² + 0.2².
        let fixed = Beta { tests: 20_000, groups: Some(1), gamma_w: 0.8..=0.8, seed: 5, ..Beta::default() };
        assert_within_five_sigma(agreement(&fixed), 0.68, fixed.tests);
        let certain = Beta { tests: 100, groups: Some(1), gamma_w: 1.0..=1.0, ..Beta::default() };
        assert_eq!(agreement(&certain), 1.0);
        // γ_w = 1/2 + 0.3 B: γ² + (1-γ)² = 1/2 + 2 (0.3 B)².
        let part = Beta { tests: 20_000, groups: Some(1), gamma_w: 0.5..=0.8, seed: 6, ..Beta::default() };
        assert_within_five_sigma(agreement(&part), 0.5 + 0.18 * second_moment(1.0), part.tests);
    }

    #[test]
    fn answers_are_fair() {
        let table = Beta { objects: 2, tests: 20_000, groups: None, ..Beta::default() }.generate().unwrap();
        let ones = table.columns.iter().filter(|column| column.labels.get(0) == "1").count();
        assert_within_five_sigma(ones as f64 / 20_000.0, 0.5, 20_000);
    }

    #[test]
    fn groups_are_equally_likely_and_told_apart() {
        let options = Beta { objects: 3000, tests: 60, groups: Some(5), seed: 8, ..Beta::default() };
        let reading = Reading { inseparable: Inseparable::Refuse, ..Reading::default() };
        let instance = Instance::new(options.generate().unwrap(), &reading).unwrap().0;
        assert_eq!((instance.object_count(), instance.group_count(), instance.test_count()), (3000, 5, 60));
        instance.group_priors().into_iter().for_each(|share| assert_within_five_sigma(share, 0.2, 3000));
    }

    #[test]
    fn a_seed_gives_one_table_whatever_the_prior() {
        let of = |seed, delta| {
            let table = Beta { seed, delta, ..Beta::default() }.generate().unwrap();
            let tests = table.columns.into_iter().filter(|column| column.name != "prior");
            tests.map(|column| (column.name, column.labels, column.codes)).collect::<Vec<_>>()
        };
        assert_eq!(of(1, 0.0), of(1, 2.0));
        assert_ne!(of(1, 0.0), of(2, 0.0));
    }

    #[test]
    fn tables_that_cannot_be_told_apart_are_given_up() {
        let few = Beta { objects: 9, tests: 3, groups: None, ..Beta::default() }.generate().unwrap_err();
        assert_eq!(few, GenerateError::Inseparable { objects: 9, tests: 3, tries: 0 });
        let none = Beta { tests: 2, ..Beta::default() }.generate().unwrap_err();
        assert_eq!(none, GenerateError::Inseparable { objects: 400, tests: 2, tries: 1000 });
        assert!(none.to_string().contains("use more tests"));
    }

    #[test]
    fn settings_outside_the_model_are_refused_by_name() {
        let name = |options: Beta| match options.generate() {
            Err(GenerateError::Parameter { name, .. }) => name,
            other => panic!("{other:?}"),
        };
        assert_eq!(name(Beta { beta_w: 0.0, ..Beta::default() }), "beta_w");
        assert_eq!(name(Beta { beta_b: f64::INFINITY, ..Beta::default() }), "beta_b");
        assert_eq!(name(Beta { gamma_w: 0.4..=0.8, ..Beta::default() }), "the lower end of gamma_w");
        assert_eq!(name(Beta { gamma_w: 0.7..=0.6, ..Beta::default() }), "the upper end of gamma_w");
        assert_eq!(name(Beta { objects: 5, groups: Some(6), ..Beta::default() }), "the number of groups");
        assert_eq!(name(Beta { delta: f64::NAN, ..Beta::default() }), "delta");
    }
}
