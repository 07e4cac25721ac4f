//! Set cover as a question game: the reason why no fast algorithm can promise much.

use super::draft::{self, Cells};
use super::error::{require, require_size};
use super::{GenerateError, TestCosts, zipf};
use fewest::random::{Chance, RandomStream, Stream};
use fewest_model::{Column, ColumnBuilder, Table};

/// Elements and sets of them as objects and tests, and one extra object that is in no set.
///
/// A test asks whether the unknown object is in its set. All elements are one group and the extra object is the
/// other. So a single yes ends the game, and only a no from sets that cover every element proves the extra object.
/// The path to the extra object is a set cover, so the least worst cost is the cost of the cheapest cover. The least
/// expected cost is nearly the same when the extra object has nearly all of the prior. Set cover has no fast
/// algorithm that is always within a factor below ln n [CicaleseLaberSaettler2014, the hardness of both costs], so
/// neither have these.
#[derive(Clone, Debug, PartialEq)]
pub struct SetCover {
    /// Number of elements, without the extra object.
    pub elements: u32,
    /// Number of sets.
    pub sets: u32,
    /// Probability that an element is in a set; an element in no set is put into one.
    pub density: f64,
    /// Prior of the extra object; the elements share the rest. `None`: equal priors.
    pub extra: Option<f64>,
    /// Largest cost: each set costs a whole number from 1 to this, drawn uniformly. `None`: no costs.
    pub costs: Option<u32>,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for SetCover {
    fn default() -> Self {
        Self { elements: 30, sets: 20, density: 0.2, extra: None, costs: None, seed: 0 }
    }
}

impl SetCover {
    /// Draws the table.
    ///
    /// # Errors
    /// When there are no elements, no sets, too many of them, or a probability or cost is out of range.
    pub fn generate(&self) -> Result<Table, GenerateError> {
        require(self.elements > 0, "the number of elements", f64::from(self.elements), "at least 1")?;
        require(self.sets > 0, "the number of sets", f64::from(self.sets), "at least 1")?;
        require_size(self.elements.saturating_add(1), self.sets)?;
        require(
            (0.0..=1.0).contains(&self.density),
            "the density",
            self.density,
            "a probability, from 0 to 1",
        )?;
        let extra = self.extra.unwrap_or(0.5);
        require(extra > 0.0 && extra < 1.0, "the prior of the extra object", extra, "between 0 and 1")?;
        let mut objects = draft::numbered("e", self.elements);
        objects.push("extra");
        let mut table = draft::table(objects, Some(self.groups()), self.prior(), self.draw_sets());
        if let Some(most) = self.costs {
            draft::add_costs(&mut table, &TestCosts::Random(most).draw(self.sets, self.seed)?);
        }
        Ok(table)
    }

    fn groups(&self) -> Column {
        let texts = ["covered", "extra"].map(str::to_owned);
        let elements = std::iter::repeat_n(0, self.elements as usize);
        Cells::new("group", &texts).fill(elements.chain([1]))
    }

    fn prior(&self) -> Option<Column> {
        let extra = self.extra?;
        let mut column = ColumnBuilder::new("prior", draft::UNPLACED);
        let each = zipf::weight_text((1.0 - extra) / f64::from(self.elements));
        (0..self.elements).for_each(|_| {
            column.push(&each);
        });
        column.push(&zipf::weight_text(extra));
        Some(column.finish())
    }

    /// Draws set by set, then a set for every element that is in none.
    fn draw_sets(&self) -> Vec<Column> {
        let mut dice = RandomStream::new(self.seed, Stream::Table);
        let chance = Chance::of(self.density);
        let mut sets: Vec<Vec<bool>> =
            (0..self.sets).map(|_| (0..self.elements).map(|_| dice.happens(chance)).collect()).collect();
        for element in 0..self.elements as usize {
            if sets.iter().all(|set| !set[element]) {
                sets[dice.below(self.sets) as usize][element] = true;
            }
        }
        let texts = ["no", "yes"].map(str::to_owned);
        let column = |(number, set): (u32, Vec<bool>)| {
            let members = set.into_iter().map(u32::from);
            Cells::new(&format!("s{number}"), &texts).fill(members.chain([0]))
        };
        (1..).zip(sets).map(column).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fewest::{Goal, Limit, Objective, build};
    use fewest_model::{AnswerId, Inseparable, Instance, ObjectId, Reading};

    fn instance(options: &SetCover) -> Instance {
        let reading = Reading { inseparable: Inseparable::Refuse, ..Reading::default() };
        Instance::new(options.generate().unwrap(), &reading).unwrap().0
    }

    /// Least cost of sets that contain every element, by trying all.
    fn cheapest_cover(instance: &Instance) -> f64 {
        let extra = ObjectId(instance.object_count() as u32 - 1);
        let no = |test| -> AnswerId { instance.answer(extra, test) };
        let covers = |chosen: u32| {
            instance.objects().filter(|object| *object != extra).all(|object| {
                let is_in = |test: &fewest_model::TestId| instance.answer(object, *test) != no(*test);
                instance.test_ids().filter(|test| chosen >> test.index() & 1 == 1).any(|test| is_in(&test))
            })
        };
        let cost = |chosen: u32| {
            let sets = instance.test_ids().filter(|test| chosen >> test.index() & 1 == 1);
            sets.map(|test| instance.cost(test)).sum::<f64>()
        };
        (0..1u32 << instance.test_count())
            .filter(|chosen| covers(*chosen))
            .map(cost)
            .fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn the_extra_object_s_path_is_a_cover() {
        for seed in 0..20 {
            let options = SetCover {
                elements: 12,
                sets: 8,
                costs: Some(5),
                extra: Some(0.9),
                seed,
                ..SetCover::default()
            };
            let instance = instance(&options);
            let goal = Goal::default().with_objective(Objective::Worst);
            let costs = build(&instance, &goal, &Limit::none()).costs;
            let cover = cheapest_cover(&instance);
            assert!(costs.worst >= cover && costs.expected >= 0.9 * cover, "seed {seed}: {costs:?} {cover}");
            assert!(costs.worst <= 2.0 * cover, "seed {seed}: greedy is not that bad on 12 elements");
        }
    }

    #[test]
    fn every_element_is_covered_and_the_extra_object_never() {
        let table = SetCover { density: 0.0, ..SetCover::default() }.generate().unwrap();
        assert_eq!(table.objects.iter().last(), Some("extra"));
        let yes = |column: &Column, row: usize| {
            column.labels.get(column.codes.iter().nth(row).unwrap() as usize) == "yes"
        };
        for row in 0..30 {
            assert_eq!(table.columns[1..].iter().filter(|column| yes(column, row)).count(), 1);
        }
        assert!(table.columns[1..].iter().all(|column| !yes(column, 30)));
    }

    #[test]
    fn impossible_settings_are_refused() {
        let name = |options: SetCover| match options.generate() {
            Err(GenerateError::Parameter { name, .. }) => name,
            other => panic!("{other:?}"),
        };
        assert_eq!(name(SetCover { elements: 0, ..SetCover::default() }), "the number of elements");
        assert_eq!(name(SetCover { sets: 0, ..SetCover::default() }), "the number of sets");
        assert_eq!(name(SetCover { density: -0.1, ..SetCover::default() }), "the density");
        assert_eq!(
            name(SetCover { extra: Some(1.0), ..SetCover::default() }),
            "the prior of the extra object"
        );
        assert_eq!(name(SetCover { costs: Some(0), ..SetCover::default() }), "the largest cost");
    }
}
