//! The validated problem: objects, tests, answers, prior, costs and groups, immutable once made.

mod builder;
mod columns;
mod confirm;
mod error;
mod hash;
mod join;
mod sets;
mod several;
mod shorten;

pub use builder::{Answer, InstanceBuilder};
pub use error::InstanceError;
pub use sets::Sets;

use crate::Identify;
use crate::{
    AnswerId, Codes, GroupId, Inseparable, Labels, Numeric, ObjectId, Reading, Scaled, Table, TestId, Warning,
};
use columns::Roles;
use join::Joined;

/// From this many different numbers on, a column taken value by value deserves a word.
const MANY_NUMBERS: usize = 12;

/// Something that can be asked.
#[derive(Clone, Debug)]
pub struct Test {
    /// The column's name.
    pub name: String,
    /// The text to ask it with, if the table gives one.
    pub question: Option<String>,
    /// The answers that occur, in order of first appearance.
    pub answers: Labels,
    /// The number of each object's answer; of its first, where it may give several.
    pub codes: Codes,
    /// The answers that each object may give, where some object may give several; every answer is as likely as the
    /// others.
    pub sets: Option<Sets>,
}

impl Test {
    /// How many different answers occur.
    pub fn arity(&self) -> usize {
        self.answers.len()
    }

    /// Text of an answer.
    ///
    /// # Panics
    /// When the test has no such answer.
    pub fn answer_text(&self, answer: AnswerId) -> &str {
        self.answers.get(answer.index())
    }

    /// The answer with this text, if some object gives it.
    pub fn find_answer(&self, text: &str) -> Option<AnswerId> {
        self.answers.find(text).map(AnswerId::at)
    }

    /// The answer of `object`; the first of them, where it may give several.
    #[inline]
    pub fn answer(&self, object: ObjectId) -> AnswerId {
        AnswerId(self.codes.get(object.index()))
    }

    /// Whether `object` may give `answer`.
    #[inline]
    pub fn allows(&self, object: ObjectId, answer: AnswerId) -> bool {
        match &self.sets {
            None => self.answer(object) == answer,
            Some(sets) => sets.get(object).binary_search(&answer).is_ok(),
        }
    }

    /// Whether every object gives one answer only.
    #[inline]
    pub fn is_single(&self) -> bool {
        self.sets.is_none()
    }

    /// How many answers `object` may give, each as likely as the others.
    #[inline]
    pub fn choices(&self, object: ObjectId) -> usize {
        self.sets.as_ref().map_or(1, |sets| sets.get(object).len())
    }

    /// The answers that `object` may give, in order.
    #[inline]
    pub fn possible(&self, object: ObjectId) -> Possible<'_> {
        match &self.sets {
            None => Possible::One([self.answer(object)]),
            Some(sets) => Possible::Several(sets.get(object)),
        }
    }

    /// For each object the number of what it may answer: equal numbers are equal answers, or equal sets of them.
    pub fn cells(&self) -> &Codes {
        self.sets.as_ref().map_or(&self.codes, Sets::numbers)
    }
}

/// The answers that an object may give to a test; derefs to a slice of them.
#[derive(Clone, Copy, Debug)]
pub enum Possible<'a> {
    /// Just one.
    One([AnswerId; 1]),
    /// One and more.
    Several(&'a [AnswerId]),
}

impl std::ops::Deref for Possible<'_> {
    type Target = [AnswerId];

    #[inline]
    fn deref(&self) -> &[AnswerId] {
        match self {
            Self::One(answer) => answer,
            Self::Several(answers) => answers,
        }
    }
}

/// A table that was understood: every pair of objects in different groups differs in some test.
///
/// Where cells leave the answer open ([`has_several`](Self::has_several)), differing is not being told apart: an object
/// may be in several leaves of a tree, and a leaf may hold several groups.
///
/// Objects that no test tells apart, although they differ in what is to be identified, are joined to one object
/// in a group of its own; objects of one group with equal answers stay apart, because priors and counts know them.
#[derive(Clone, Debug)]
pub struct Instance {
    names: Labels,
    /// Rows of joined objects: object `i` has rows `rows[starts[i]..starts[i + 1]]`. `None`: row `i` is object `i`.
    members: Option<(Vec<u32>, Vec<u32>)>,
    identify: Identify,
    group_of: Vec<GroupId>,
    group_names: GroupNames,
    group_count: usize,
    weights: Scaled,
    equal_weights: bool,
    total: f64,
    tests: Vec<Test>,
    costs: Scaled,
    distinct: usize,
    inseparable: Vec<Vec<u32>>,
    /// By object, where each must be confirmed.
    confirming: Option<Vec<TestId>>,
    has_several: bool,
}

#[derive(Clone, Debug)]
enum GroupNames {
    /// Group `g` is object `g`.
    Objects,
    /// Group `g` is called by these of the labels.
    Sets(Labels, Vec<Box<[u32]>>),
}

/// A warning of columns with many different numbers, each of which would be an answer.
fn many_numbers(table: &Table, roles: &Roles, reading: &Reading) -> Vec<Warning> {
    if reading.numeric != Numeric::Exact {
        return Vec::new();
    }
    let columns = Table::crowded(roles.tests.iter().map(|&at| &table.columns[at]), MANY_NUMBERS);
    if columns.is_empty() { Vec::new() } else { vec![Warning::ManyNumbers { columns }] }
}

/// The test that confirms each object, where that is asked for.
fn confirmation(
    reading: &Reading,
    identify: Identify,
    has_several: bool,
    names: &Labels,
    tests: &[Test],
) -> Result<Option<Vec<TestId>>, InstanceError> {
    match (reading.confirm, identify) {
        (false, _) => Ok(None),
        (true, _) if has_several => Err(InstanceError::ConfirmSeveral),
        (true, Identify::Groups) => Err(InstanceError::ConfirmGroups),
        // An answer that only one object gives also tells it from all others: no objects are joined.
        (true, Identify::Objects) => confirm::confirming(names, tests).map(Some),
    }
}

/// A warning of objects that no test tells apart, or an error where they are refused.
fn inseparable(
    joined: &Joined,
    names: &Labels,
    choice: Inseparable,
) -> Result<Option<Warning>, InstanceError> {
    let Some(rows) = joined.sets.first() else { return Ok(None) };
    let first = rows.iter().map(|&row| names.get(row as usize).to_owned()).collect();
    let sets = joined.sets.len();
    match choice {
        Inseparable::Refuse => Err(InstanceError::Inseparable { sets, first }),
        _ => Ok(Some(Warning::Inseparable { sets, first })),
    }
}

impl Instance {
    /// Understands `table` as `reading` says. The warnings tell what is odd but fine.
    ///
    /// # Errors
    /// When the table or the choices do not fit together; the error says where and what to do.
    pub fn new(mut table: Table, reading: &Reading) -> Result<(Self, Vec<Warning>), InstanceError> {
        if table.objects.is_empty() {
            return Err(InstanceError::NoObjects);
        }
        let roles = Roles::find(&table, reading)?;
        let weights = roles.weights(&table)?;
        let identify = roles.identify(reading)?;
        let base_groups = match identify {
            Identify::Groups => Some(roles.groups(&table)?),
            Identify::Objects => None,
        };
        roles.refuse_missing(&table, reading.missing)?;
        let mut warnings = many_numbers(&table, &roles, reading);
        let (tests, costs) = columns::tests(&mut table, &roles, reading)?;
        let names = table.objects;
        let has_several = tests.iter().any(|test| test.sets.is_some());
        let confirming = confirmation(reading, identify, has_several, &names, &tests)?;
        let mut joined = Joined::new(&tests, names.len(), base_groups.as_ref().map(|column| &column.codes));
        // Rows that are their own groups say the same joined or not.
        if reading.inseparable == Inseparable::Keep && identify == Identify::Groups {
            joined.members = None;
        }
        warnings.extend(inseparable(&joined, &names, reading.inseparable)?);
        let (group_of, sets) = joined.groups(base_groups.as_ref().map(|column| &column.codes));
        let group_names = match base_groups {
            None => GroupNames::Objects,
            Some(column) => GroupNames::Sets(column.labels, sets),
        };
        let group_count = group_of.iter().map(|group| group.index() + 1).max().unwrap_or(0);
        let weights = joined.add_up(weights);
        let total = crate::compensated_sum(weights.units().iter().copied());
        let tests = tests.into_iter().map(|test| joined.shrink(test)).collect();
        let instance = Self {
            names,
            identify,
            group_of,
            group_names,
            group_count,
            equal_weights: weights.are_equal(),
            weights,
            total,
            tests,
            costs,
            distinct: joined.distinct,
            members: joined.members,
            inseparable: joined.sets,
            confirming,
            has_several,
        };
        Ok((instance, warnings))
    }

    /// How many objects an algorithm sees, joined ones counted once.
    pub fn object_count(&self) -> usize {
        self.group_of.len()
    }

    /// How many rows the table has, each with a name.
    pub fn row_count(&self) -> usize {
        self.names.len()
    }

    /// How many rows differ in some answer.
    pub fn distinct_count(&self) -> usize {
        self.distinct
    }

    /// How many groups occur.
    pub fn group_count(&self) -> usize {
        self.group_count
    }

    /// How many tests there are.
    pub fn test_count(&self) -> usize {
        self.tests.len()
    }

    /// What is to be found.
    pub fn identify(&self) -> Identify {
        self.identify
    }

    /// All objects in order.
    pub fn objects(&self) -> impl ExactSizeIterator<Item = ObjectId> + use<> {
        (0..self.object_count()).map(ObjectId::at)
    }

    /// All tests in order.
    pub fn test_ids(&self) -> impl ExactSizeIterator<Item = TestId> + use<> {
        (0..self.test_count()).map(TestId::at)
    }

    /// The test numbered `test`.
    pub fn test(&self, test: TestId) -> &Test {
        &self.tests[test.index()]
    }

    /// The answer of `object` to `test`.
    #[inline]
    pub fn answer(&self, object: ObjectId, test: TestId) -> AnswerId {
        self.tests[test.index()].answer(object)
    }

    /// The group of `object`.
    #[inline]
    pub fn group_of(&self, object: ObjectId) -> GroupId {
        self.group_of[object.index()]
    }

    /// Name of `object`: that of the first row, where several are joined.
    pub fn object_name(&self, object: ObjectId) -> &str {
        self.object_names(object).next().unwrap_or_default()
    }

    /// The names of `object`: one, or those of all rows joined to it.
    pub fn object_names(&self, object: ObjectId) -> impl Iterator<Item = &str> {
        let own = [object.0];
        let (single, several) = match &self.members {
            None => (Some(own[0]), &[][..]),
            Some((starts, rows)) => {
                (None, &rows[starts[object.index()] as usize..starts[object.index() + 1] as usize])
            }
        };
        single.into_iter().chain(several.iter().copied()).map(|row| self.names.get(row as usize))
    }

    /// The names of `group`: one, or those of all groups that cannot be told apart there.
    pub fn group_names(&self, group: GroupId) -> Vec<&str> {
        match &self.group_names {
            GroupNames::Objects => self.object_names(ObjectId(group.0)).collect(),
            GroupNames::Sets(labels, sets) => {
                sets[group.index()].iter().map(|&label| labels.get(label as usize)).collect()
            }
        }
    }

    /// The weight of `object` in units; divide by [`total_weight`](Self::total_weight) for its probability.
    #[inline]
    pub fn weight(&self, object: ObjectId) -> f64 {
        self.weights.units()[object.index()]
    }

    /// The sum of all weights in units.
    pub fn total_weight(&self) -> f64 {
        self.total
    }

    /// The weights as they were scaled; their exactness decides what may be compared without tolerance.
    pub fn weights(&self) -> &Scaled {
        &self.weights
    }

    /// Whether all objects weigh the same, so that counting them is weighing them.
    pub fn has_equal_weights(&self) -> bool {
        self.equal_weights
    }

    /// The prior probability of `object`.
    pub fn prior(&self, object: ObjectId) -> f64 {
        self.weight(object) / self.total
    }

    /// The prior probability of every group.
    pub fn group_priors(&self) -> Vec<f64> {
        self.group_weights().into_iter().map(|weight| weight / self.total).collect()
    }

    /// The weight of every group in units.
    pub fn group_weights(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.group_count];
        for object in self.objects() {
            weights[self.group_of(object).index()] += self.weight(object);
        }
        weights
    }

    /// What asking `test` costs.
    pub fn cost(&self, test: TestId) -> f64 {
        self.costs.units()[test.index()] / self.costs.scale()
    }

    /// The costs as they were scaled.
    pub fn costs(&self) -> &Scaled {
        &self.costs
    }

    /// Whether every test costs the same as every other; then costs are questions up to a factor.
    pub fn has_equal_costs(&self) -> bool {
        self.costs.are_equal()
    }

    /// Whether every test costs 1: then costs are numbers of questions.
    pub fn has_unit_costs(&self) -> bool {
        self.costs.units().iter().all(|unit| *unit == self.costs.scale())
    }

    /// Whether some object may give several answers to some test, so that it may be in several leaves of a tree, with
    /// its weight split among them.
    pub fn has_several(&self) -> bool {
        self.has_several
    }

    /// The test called `name`.
    pub fn find_test(&self, name: &str) -> Option<TestId> {
        self.tests.iter().position(|test| test.name == name).map(TestId::at)
    }

    /// Whether an object counts as identified only once the test with its name was asked.
    ///
    /// Then an object that is left alone by another test is still asked its own: a node with one answer. A strategy
    /// without these nodes is one for the same instance read plainly, so whatever bounds that bounds this.
    pub fn needs_confirmation(&self) -> bool {
        self.confirming.is_some()
    }

    /// The test that must be asked last before `object` counts as identified, where that is needed: it bears the
    /// object's name, and its answer for the object occurs for no other.
    pub fn confirming(&self, object: ObjectId) -> Option<TestId> {
        self.confirming.as_ref().map(|tests| tests[object.index()])
    }

    /// What is still to be asked at the leaf of `objects` below a node that asked `last`, the root having none.
    pub fn unconfirmed(&self, objects: &[ObjectId], last: Option<TestId>) -> Option<TestId> {
        let [object] = objects else { return None };
        self.confirming(*object).filter(|test| last != Some(*test))
    }

    /// The sets of rows that no test tells apart although they differ in what is to be identified, by name.
    pub fn inseparable(&self) -> impl ExactSizeIterator<Item = Vec<&str>> {
        self.inseparable.iter().map(|set| set.iter().map(|&row| self.names.get(row as usize)).collect())
    }
}
