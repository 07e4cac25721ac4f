//! Plain random tables: every answer is drawn independently.

use super::draft::{self, Cells};
use super::error::{require, require_enough_rows, require_size};
use super::groups::{Groups, each_its_own, require_groups};
use super::rows::RowSums;
use super::{GenerateError, TestCosts, zipf};
use fewest::random::{Chance, RandomStream, Stream};
use fewest_model::{Column, Table};
use std::collections::BTreeMap;

/// Most draws of one object's row before giving up.
const TRIES: u32 = 10_000;

/// Table of independent answers; a row that an object of another group has already is drawn again.
#[derive(Clone, Debug, PartialEq)]
pub struct Random {
    /// Number of objects.
    pub objects: u32,
    /// Number of tests.
    pub tests: u32,
    /// Distribution of the answers.
    pub answers: Answers,
    /// Number of groups, drawn independently and uniformly; `None` or 0: every object is its own group.
    pub groups: Option<u32>,
    /// Largest cost: each test costs a whole number from 1 to this, drawn uniformly. `None`: no costs.
    pub costs: Option<u32>,
    /// Exponent δ of the priors `j^-δ`, in random order; 0: equal priors.
    pub delta: f64,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// Distribution of the answers of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answers {
    /// One of this many answers `0`, `1`, …, all equally likely.
    Uniform(u32),
    /// `1` with this probability, else `0`.
    Density(f64),
}

impl Default for Random {
    fn default() -> Self {
        Self {
            objects: 100,
            tests: 20,
            answers: Answers::Uniform(2),
            groups: None,
            costs: None,
            delta: 0.0,
            seed: 0,
        }
    }
}

impl Random {
    /// Draws the table.
    ///
    /// # Errors
    /// When a setting is outside the model, or objects of different groups cannot be given different rows.
    pub fn generate(&self) -> Result<Table, GenerateError> {
        self.require_all()?;
        let mut dice = RandomStream::new(self.seed, Stream::Table);
        let groups = Groups::draw(&mut dice, self.objects, self.groups);
        let tests = self.draw_tests(&mut dice, groups.as_ref())?;
        let prior = zipf::prior_column(self.objects, self.delta, self.seed);
        let objects = draft::numbered("o", self.objects);
        let mut table = draft::table(objects, groups.map(|groups| groups.column()), prior, tests);
        if let Some(most) = self.costs {
            draft::add_costs(&mut table, &TestCosts::Random(most).draw(self.tests, self.seed)?);
        }
        Ok(table)
    }

    fn require_all(&self) -> Result<(), GenerateError> {
        require_size(self.objects, self.tests)?;
        zipf::require_delta(self.delta)?;
        match self.answers {
            Answers::Uniform(count) => {
                require(
                    (2..=1000).contains(&count),
                    "the number of answers",
                    f64::from(count),
                    "from 2 to 1000",
                )?;
            }
            Answers::Density(p) => {
                require((0.0..=1.0).contains(&p), "the density", p, "a probability, from 0 to 1")?;
            }
        }
        require_groups(self.groups, self.objects)?;
        if each_its_own(self.groups) {
            require_enough_rows(self.objects, self.tests, self.answers.count())?;
        }
        Ok(())
    }

    /// Draws row by row; a row that an object of another group already has is drawn again.
    fn draw_tests(
        &self,
        dice: &mut RandomStream,
        groups: Option<&Groups>,
    ) -> Result<Vec<Column>, GenerateError> {
        let texts = draft::digits(self.answers.count());
        let mut tests: Vec<Cells<'_>> =
            (1..=self.tests).map(|test| Cells::new(&format!("q{test}"), &texts)).collect();
        let sums = RowSums::new(tests.len());
        let mut group_of_row: BTreeMap<u64, u32> = BTreeMap::new();
        let mut row = vec![0; tests.len()];
        for object in 0..self.objects {
            let group = groups.map_or(object, |groups| groups.of[object as usize]);
            let is_free = |row: &[u32]| *group_of_row.entry(sums.of(row)).or_insert(group) == group;
            self.draw_row(dice, &mut row, is_free)?;
            tests.iter_mut().zip(&row).for_each(|(test, answer)| test.push(*answer));
        }
        Ok(tests.into_iter().map(Cells::finish).collect())
    }

    fn draw_row(
        &self,
        dice: &mut RandomStream,
        row: &mut [u32],
        mut is_free: impl FnMut(&[u32]) -> bool,
    ) -> Result<(), GenerateError> {
        for _ in 0..TRIES {
            self.answers.draw(dice, row);
            if is_free(row) {
                return Ok(());
            }
        }
        Err(GenerateError::Inseparable { objects: self.objects, tests: self.tests, tries: TRIES })
    }
}

impl Answers {
    /// Number of possible answers.
    fn count(self) -> u32 {
        match self {
            Self::Uniform(count) => count,
            Self::Density(_) => 2,
        }
    }

    fn draw(self, dice: &mut RandomStream, row: &mut [u32]) {
        match self {
            Self::Uniform(count) => row.iter_mut().for_each(|answer| *answer = dice.below(count)),
            Self::Density(p) => {
                let chance = Chance::of(p);
                row.iter_mut().for_each(|answer| *answer = u32::from(dice.happens(chance)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fewest_model::{Inseparable, Instance, Reading};

    fn cells(table: &Table) -> Vec<Vec<u32>> {
        table.columns.iter().map(|column| column.codes.iter().collect()).collect()
    }

    fn refuses_nothing(table: Table) -> Instance {
        let reading = Reading { inseparable: Inseparable::Refuse, ..Reading::default() };
        Instance::new(table, &reading).unwrap().0
    }

    #[test]
    fn a_seed_gives_one_table_and_another_seed_another() {
        let of = |seed| cells(&Random { seed, ..Random::default() }.generate().unwrap());
        assert_eq!(of(5), of(5));
        assert_ne!(of(5), of(6));
    }

    #[test]
    fn priors_and_costs_leave_the_answers_as_they_were() {
        let plain = Random::default().generate().unwrap();
        let rich = Random { delta: 1.0, costs: Some(9), ..Random::default() }.generate().unwrap();
        assert_eq!(cells(&plain), cells(&rich)[1..]);
    }

    #[test]
    fn even_a_crowded_table_tells_all_objects_apart() {
        // 200 of the 256 possible rows, and 81 of 81.
        let table = Random { objects: 200, tests: 8, seed: 1, ..Random::default() }.generate().unwrap();
        assert_eq!(refuses_nothing(table).object_count(), 200);
        let all = Random { objects: 81, tests: 4, answers: Answers::Uniform(3), ..Random::default() };
        assert_eq!(refuses_nothing(all.generate().unwrap()).object_count(), 81);
    }

    #[test]
    fn objects_of_one_group_may_share_a_row() {
        let table =
            Random { objects: 50, tests: 3, groups: Some(2), ..Random::default() }.generate().unwrap();
        let instance = refuses_nothing(table);
        assert_eq!((instance.object_count(), instance.group_count()), (50, 2));
        assert!(instance.distinct_count() <= 8);
    }

    #[test]
    fn the_density_is_met() {
        let (objects, tests, p) = (1000, 100, 0.2);
        let options = Random { objects, tests, answers: Answers::Density(p), ..Random::default() };
        let table = options.generate().unwrap();
        let ones = table.columns.iter().map(|column| {
            let one = column.labels.find("1").unwrap() as u32;
            column.codes.iter().filter(|code| *code == one).count()
        });
        let cells = f64::from(objects * tests);
        let sigma = (cells * p * (1.0 - p)).sqrt();
        assert!((ones.sum::<usize>() as f64 - cells * p).abs() < 5.0 * sigma);
    }

    #[test]
    fn costs_are_whole_numbers_within_their_limit() {
        let table = Random { tests: 60, costs: Some(3), delta: 1.0, ..Random::default() }.generate().unwrap();
        assert_eq!(table.about[0].cells[0], "", "a prior has no cost");
        let instance = refuses_nothing(table);
        let mut costs: Vec<f64> = instance.test_ids().map(|test| instance.cost(test)).collect();
        costs.sort_by(f64::total_cmp);
        costs.dedup();
        assert_eq!(costs, [1.0, 2.0, 3.0]);
    }

    #[test]
    fn too_few_tests_are_refused_at_once_and_constant_answers_after_some_tries() {
        let few = Random { objects: 9, tests: 3, ..Random::default() }.generate().unwrap_err();
        assert_eq!(few, GenerateError::Inseparable { objects: 9, tests: 3, tries: 0 });
        let constant = Random { answers: Answers::Density(1.0), ..Random::default() }.generate().unwrap_err();
        assert_eq!(constant, GenerateError::Inseparable { objects: 100, tests: 20, tries: TRIES });
        let grouped = Random { tests: 0, groups: Some(2), ..Random::default() }.generate().unwrap_err();
        assert!(matches!(grouped, GenerateError::Inseparable { tests: 0, .. }));
    }

    #[test]
    fn settings_outside_the_model_are_refused_by_name() {
        let name = |options: Random| match options.generate() {
            Err(GenerateError::Parameter { name, .. }) => name,
            other => panic!("{other:?}"),
        };
        assert_eq!(name(Random { objects: 0, ..Random::default() }), "the number of objects");
        assert_eq!(
            name(Random { answers: Answers::Uniform(1), ..Random::default() }),
            "the number of answers"
        );
        assert_eq!(name(Random { answers: Answers::Density(1.5), ..Random::default() }), "the density");
        assert_eq!(name(Random { costs: Some(0), ..Random::default() }), "the largest cost");
        assert_eq!(name(Random { objects: 5, groups: Some(6), ..Random::default() }), "the number of groups");
        assert_eq!(name(Random { delta: -1.0, ..Random::default() }), "delta");
    }
}
