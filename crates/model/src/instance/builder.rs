//! Instances built from the values of a program, without a file.

use super::{Instance, InstanceError};
use crate::{AnswerCost, BundlePrice, Column, ColumnBuilder, InBundle, Reading, Role, Table, Warning};

/// One cell of a test: the answer that an object gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Unknown answer; [`Reading::missing`] says what that means.
    Unknown,
    /// One known answer.
    One(String),
    /// Any of these answers, each as likely as the others.
    Several(Vec<String>),
}

impl From<&str> for Answer {
    fn from(text: &str) -> Self {
        Self::One(text.to_owned())
    }
}

impl From<String> for Answer {
    fn from(text: String) -> Self {
        Self::One(text)
    }
}

/// Implements the conversion of values that are written as they are displayed, such as `true` and `4`.
macro_rules! answers_by_display {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Answer {
            fn from(value: $kind) -> Self {
                Self::One(value.to_string())
            }
        }
    )*};
}

answers_by_display!(bool, char, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

impl From<f64> for Answer {
    /// Converts to the shortest text that reads back equal; NaN becomes unknown.
    fn from(value: f64) -> Self {
        if value.is_nan() { Self::Unknown } else { Self::One(value.to_string()) }
    }
}

impl<T: Into<Answer>> From<Option<T>> for Answer {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Unknown, Into::into)
    }
}

impl<T: Into<String>> From<Vec<T>> for Answer {
    fn from(values: Vec<T>) -> Self {
        Self::Several(values.into_iter().map(Into::into).collect())
    }
}

/// Builds an [`Instance`] column by column from typed values.
///
/// The rules for texts are those of a file: answers are compared as trimmed text, and an empty text or `?` is
/// unknown.
///
/// ```
/// use fewest_model::InstanceBuilder;
///
/// let (instance, _) = InstanceBuilder::new(["dog", "cat", "hen"])
///     .test("barks", [true, false, false])
///     .test("legs", [4, 4, 2])
///     .groups(["mammal", "mammal", "bird"])
///     .prior([0.5, 0.25, 0.25])
///     .cost("legs", 2.0)
///     .build()?;
/// assert_eq!((instance.object_count(), instance.test_count(), instance.group_count()), (3, 2, 2));
/// # Ok::<(), fewest_model::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct InstanceBuilder {
    objects: Vec<String>,
    tests: Vec<(String, Vec<Answer>)>,
    groups: Option<Vec<String>>,
    prior: Option<Vec<f64>>,
    reading: Reading,
}

impl InstanceBuilder {
    /// Starts a problem with these objects, whose names must all differ.
    pub fn new<T: Into<String>>(objects: impl IntoIterator<Item = T>) -> Self {
        Self {
            objects: objects.into_iter().map(Into::into).collect(),
            tests: Vec::new(),
            groups: None,
            prior: None,
            reading: Reading::default(),
        }
    }

    /// Adds a test called `name`, with the answer of each object in their order.
    #[must_use]
    pub fn test<T: Into<Answer>>(
        mut self,
        name: impl Into<String>,
        answers: impl IntoIterator<Item = T>,
    ) -> Self {
        self.tests.push((name.into(), answers.into_iter().map(Into::into).collect()));
        self
    }

    /// Adds a test whose answers are numbered: object `i` answers `labels[codes[i]]`; its answer is unknown if there
    /// is no such label.
    #[must_use]
    pub fn coded_test(self, name: impl Into<String>, labels: &[&str], codes: &[u32]) -> Self {
        let answers: Vec<Option<&str>> =
            codes.iter().map(|code| labels.get(*code as usize).copied()).collect();
        self.test(name, answers)
    }

    /// Sets the group of each object; without this, the objects themselves are identified.
    #[must_use]
    pub fn groups<T: Into<String>>(mut self, groups: impl IntoIterator<Item = T>) -> Self {
        self.groups = Some(groups.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the weight of each object; without this, all weights are equal.
    #[must_use]
    pub fn prior(mut self, weights: impl IntoIterator<Item = f64>) -> Self {
        self.prior = Some(weights.into_iter().collect());
        self
    }

    /// Sets the cost of the test called `name`; without this, a test costs 1.
    #[must_use]
    pub fn cost(mut self, name: impl Into<String>, cost: f64) -> Self {
        self.reading.costs.push((name.into(), cost));
        self
    }

    /// Sets the cost of the test called `name` for those who answer `answer`; other answers cost what
    /// [`cost`](Self::cost) says.
    #[must_use]
    pub fn answer_cost(mut self, name: impl Into<String>, answer: impl Into<String>, cost: f64) -> Self {
        self.reading.answer_costs.push(AnswerCost { test: name.into(), answer: answer.into(), cost });
        self
    }

    /// Puts tests into a bundle: the first of them on a path pays `setup` beside its own cost, later ones only their
    /// own cost, which may be 0.
    ///
    /// ```
    /// use fewest_model::InstanceBuilder;
    ///
    /// let (instance, _) = InstanceBuilder::new(["a", "b", "c"])
    ///     .test("iron", [1, 0, 0])
    ///     .test("sugar", [0, 1, 0])
    ///     .cost("iron", 2.0)
    ///     .bundle("blood", 5.0, ["iron", "sugar"])
    ///     .build()?;
    /// assert_eq!(instance.pricing().unwrap().bundles()[0].tests.len(), 2);
    /// # Ok::<(), fewest_model::InstanceError>(())
    /// ```
    #[must_use]
    pub fn bundle<T: Into<String>>(
        mut self,
        name: impl Into<String>,
        setup: f64,
        tests: impl IntoIterator<Item = T>,
    ) -> Self {
        let (bundle, price) = (name.into(), BundlePrice::Setup(setup));
        let tests =
            tests.into_iter().map(|test| InBundle { test: test.into(), bundle: bundle.clone(), price });
        self.reading.bundles.extend(tests);
        self
    }

    /// Lets the test called `name` be asked only where every possible object gives one of `answers` to the test `source`.
    /// A cell `-` of such a test says that the object has no answer to it.
    ///
    /// ```
    /// use fewest_model::InstanceBuilder;
    ///
    /// let (instance, _) = InstanceBuilder::new(["bee", "fly", "ant"])
    ///     .test("wings", ["yes", "yes", "no"])
    ///     .test("pairs of wings", ["2", "1", "-"])
    ///     .premise("pairs of wings", "wings", ["yes"])
    ///     .build()?;
    /// assert!(instance.has_premises());
    /// # Ok::<(), fewest_model::InstanceError>(())
    /// ```
    #[must_use]
    pub fn premise<T: AsRef<str>>(
        mut self,
        name: impl Into<String>,
        source: &str,
        answers: impl IntoIterator<Item = T>,
    ) -> Self {
        let name = name.into();
        let answers: Vec<T> = answers.into_iter().collect();
        let answers: Vec<&str> = answers.iter().map(T::as_ref).collect();
        let text = format!("{source}={}", answers.join("|"));
        match self.reading.premises.iter_mut().find(|(test, _)| *test == name) {
            Some((_, old)) => *old = format!("{old} & {text}"),
            None => self.reading.premises.push((name, text)),
        }
        self
    }

    /// Changes how the values are understood: missing cells, numbers, the target of the identification. The columns
    /// of groups and priors are those given to this builder.
    #[must_use]
    pub fn reading(mut self, change: impl FnOnce(&mut Reading)) -> Self {
        change(&mut self.reading);
        self
    }

    /// Validates the problem. The warnings say what is unusual but valid.
    ///
    /// # Errors
    /// When a column has another length than there are objects, two objects or two tests share a name, a cost is not
    /// above 0, or the values do not fit together otherwise.
    pub fn build(self) -> Result<(Instance, Vec<Warning>), InstanceError> {
        let Self { objects, tests, groups, prior, mut reading } = self;
        refuse_twice(&objects)?;
        let is_bundled = |name: &str| reading.bundles.iter().any(|entry| entry.test == name);
        let is_wrong = |(name, cost): &&(String, f64)| {
            !(cost.is_finite() && (*cost > 0.0 || (*cost == 0.0 && is_bundled(name))))
        };
        if let Some((name, cost)) = reading.costs.iter().find(is_wrong) {
            return Err(InstanceError::TestCost { test: name.clone(), cost: *cost });
        }
        let mark = mark(&tests);
        let mut columns = Vec::new();
        for (name, answers) in &tests {
            columns.push(column(name, columns.len() + 2, answers.iter().map(|answer| text(answer, &mark))));
        }
        // Names that begin with a control character, so that roles and tests are not confused.
        let mut add = |role: &str, cells: Vec<String>| {
            let name = format!("\u{1}{role}");
            columns.push(column(&name, columns.len() + 2, cells.into_iter()));
            Role::Column(name)
        };
        reading.group = groups.map_or(Role::None, |groups| add("group", groups));
        // A program that computes no number has made a mistake; a gap in a table is none.
        let text = |prior: &f64| if prior.is_nan() { "not a number".to_owned() } else { prior.to_string() };
        reading.prior = prior.map_or(Role::None, |prior| add("prior", prior.iter().map(text).collect()));
        if tests.iter().flat_map(|(_, answers)| answers).any(|answer| matches!(answer, Answer::Several(_))) {
            reading.several = Some(mark);
        }
        refuse_other_lengths(&columns, objects.len())?;
        let table = Table {
            objects: objects.iter().map(String::as_str).collect(),
            object_column: "object".to_owned(),
            columns,
            ..Table::default()
        };
        Instance::new(table, &reading)
    }
}

fn column(name: &str, position: usize, cells: impl Iterator<Item = String>) -> Column {
    let mut builder = ColumnBuilder::new(name, position);
    cells.for_each(|cell| {
        builder.push(&cell);
    });
    builder.finish()
}

fn text(answer: &Answer, mark: &str) -> String {
    match answer {
        Answer::Unknown => String::new(),
        Answer::One(text) => text.clone(),
        Answer::Several(texts) => texts.join(mark),
    }
}

/// Chooses a separator that occurs in no answer.
fn mark(tests: &[(String, Vec<Answer>)]) -> String {
    let occurs = |mark: char| {
        tests.iter().flat_map(|(_, answers)| answers).any(|answer| match answer {
            Answer::Unknown => false,
            Answer::One(text) => text.contains(mark),
            Answer::Several(texts) => texts.iter().any(|text| text.contains(mark)),
        })
    };
    // One character, so that the end of an answer is never taken for a part of the separator.
    let marks = ['|', '/', ';'].into_iter().chain('\u{e000}'..='\u{f8ff}');
    marks.into_iter().find(|mark| !occurs(*mark)).unwrap_or('\u{f8ff}').to_string()
}

fn refuse_twice(objects: &[String]) -> Result<(), InstanceError> {
    let mut seen = std::collections::BTreeSet::new();
    match objects.iter().find(|name| !seen.insert(name.trim())) {
        None => Ok(()),
        Some(name) => Err(InstanceError::SameObject { name: name.clone() }),
    }
}

fn refuse_other_lengths(columns: &[Column], objects: usize) -> Result<(), InstanceError> {
    match columns.iter().find(|column| column.codes.len() != objects) {
        None => Ok(()),
        Some(column) => Err(InstanceError::Length {
            name: column.name.trim_start_matches('\u{1}').to_owned(),
            found: column.codes.len(),
            expected: objects,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MissingCells, ObjectId, TestId};

    fn answers(instance: &Instance, test: u32) -> Vec<Vec<String>> {
        let test = instance.test(TestId(test));
        let names = |object: usize| {
            let possible = test.possible(ObjectId::at(object));
            possible.iter().map(|answer| test.answers.get(answer.0 as usize).to_owned()).collect()
        };
        (0..instance.object_count()).map(names).collect()
    }

    #[test]
    fn typed_columns_are_the_table_of_their_texts() {
        let built = InstanceBuilder::new(["a", "b", "c"])
            .test("flag", [true, false, true])
            .test("legs", [4, 2, 2])
            .coded_test("size", &["small", "large"], &[0, 0, 1])
            .prior([0.5, 0.25, 0.25])
            .cost("legs", 2.5)
            .build()
            .unwrap()
            .0;
        assert_eq!(answers(&built, 0), [["true"], ["false"], ["true"]]);
        assert_eq!(answers(&built, 1), [["4"], ["2"], ["2"]]);
        assert_eq!(answers(&built, 2), [["small"], ["small"], ["large"]]);
        assert_eq!((built.cost(TestId(0)), built.cost(TestId(1))), (1.0, 2.5));
    }

    #[test]
    fn tests_may_be_called_as_roles_are() {
        let built = InstanceBuilder::new(["a", "b"]).test("group", [1, 2]).test("prior", ["x", "y"]).build();
        let instance = built.unwrap().0;
        assert_eq!((instance.test_count(), instance.group_count()), (2, 2));
    }

    #[test]
    fn unknown_and_several_answers_stay_what_they_are() {
        let several = InstanceBuilder::new(["a", "b"])
            .test("color", [Answer::from(vec!["red|dark", "white"]), Answer::from("blue")])
            .build()
            .unwrap()
            .0;
        assert_eq!(
            answers(&several, 0),
            [vec!["red|dark".to_owned(), "white".to_owned()], vec!["blue".to_owned()]]
        );
        let holes = || InstanceBuilder::new(["a", "b", "c"]).test("t", [Some(1), None, Some(2)]);
        let refuse = holes().reading(|reading| reading.missing = MissingCells::Error);
        assert!(matches!(refuse.build(), Err(InstanceError::MissingCells { count: 1, .. })));
        let any = holes().reading(|reading| reading.missing = MissingCells::Any).build().unwrap().0;
        assert_eq!(answers(&any, 0)[1].len(), 2);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let two = || InstanceBuilder::new(["a", "b"]);
        let error = |builder: InstanceBuilder| builder.build().unwrap_err().to_string();
        assert!(error(two().test("t", [1])).contains("column `t` has 1 values for 2 objects"));
        assert!(error(two().test("t", [1, 2]).groups(["g"])).contains("column `group` has 1 values"));
        assert!(
            error(InstanceBuilder::new(["a", "a"]).test("t", [1, 2])).contains("two objects are called `a`")
        );
        assert!(error(two().test("t", [1, 2]).test("t", [1, 2])).contains("two tests would be called `t`"));
        assert!(error(two().test("t", [1, 2]).cost("t", 0.0)).contains("the cost of `t` is 0"));
        assert!(error(two().test("t", [1, 2]).prior([f64::NAN, 1.0])).contains("prior"));
        assert!(error(InstanceBuilder::new(Vec::<String>::new())).contains("no objects"));
    }
}
