//! The validated problem: objects, tests, answers, prior, costs and groups, immutable once made.

mod ask;
mod builder;
mod columns;
mod confirm;
mod costs;
mod error;
mod gaps;
mod hash;
mod join;
mod nested_groups;
mod object_set;
mod premise;
mod premise_error;
mod premises;
mod prices;
mod pricing;
mod priors;
mod questions;
mod rule_rows;
mod sets;
mod shorten;
mod test;

pub use builder::{Answer, InstanceBuilder};
pub use error::InstanceError;
pub use object_set::ObjectSet;
pub use premise::Premise;
pub use premise_error::{PremiseError, PremiseProblem};
pub use pricing::{Bundle, OpenBundles, Pricing};
pub use questions::Measure;
pub use sets::Sets;
pub use test::{Possible, Test};

use crate::Identify;
use crate::{
    AnswerId, Column, GroupId, Inseparable, Labels, MissingCells, Numeric, ObjectId, Reading, Scaled, Table,
    TestId, Warning,
};
use columns::Roles;
use gaps::Gaps;
use join::Joined;
use questions::Context;

/// Number of different numbers above which a column that is taken value by value causes a warning.
const MANY_NUMBERS: usize = 12;

/// Validated problem: every two objects in different groups differ in some test.
///
/// If cells leave the answer open ([`has_several`](Self::has_several)), objects that differ may still not be told
/// apart: an object may be in several leaves of a tree, and a leaf may hold several groups.
///
/// Objects that no test tells apart, although they differ in what is to be identified, are joined to one object in a
/// group of its own. Objects of one group with equal answers stay separate, because priors and counts distinguish
/// them.
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
    /// Costs that depend on the path, if there are any.
    pricing: Option<Box<Pricing>>,
    distinct: usize,
    inseparable: Vec<Vec<u32>>,
    /// Test that confirms each object; `None` if no confirmation is needed.
    confirming: Option<Vec<TestId>>,
    has_several: bool,
    /// Whether some test may not be asked everywhere.
    has_premises: bool,
}

#[derive(Clone, Debug)]
enum GroupNames {
    /// Group `g` has the names of object `g`.
    Objects,
    /// Group `g` has those of the labels as names whose numbers are listed for it.
    Sets(Labels, Vec<Box<[u32]>>),
}

/// Warns of columns with many different numbers, each of which would be an answer, and of columns of names.
fn warn_of_many_answers(table: &Table, roles: &Roles, reading: &Reading) -> Vec<Warning> {
    let columns = || roles.tests.iter().map(|&at| &table.columns[at]);
    let mut warnings = Vec::new();
    if reading.numeric == Numeric::Exact {
        let many = columns().filter(|column| column.labels.len() > MANY_NUMBERS).filter_map(|column| {
            let different =
                questions::measured_values(column).filter(|different| *different > MANY_NUMBERS)?;
            Some((column.name.clone(), different))
        });
        let columns: Vec<(String, usize)> = many.collect();
        warnings.extend((!columns.is_empty()).then_some(Warning::ManyNumbers { columns }));
    }
    let objects = table.objects.len();
    if !reading.verbatim && objects > MANY_NUMBERS {
        let is_name =
            |column: &&Column| column.labels.len() == objects && questions::measured_values(column).is_none();
        let columns: Vec<String> = columns().filter(is_name).map(|column| column.name.clone()).collect();
        warnings.extend((!columns.is_empty()).then_some(Warning::NameLike { columns }));
    }
    warnings
}

/// Says which columns became cuts or ranges.
fn measured_warning(tests: &[Test], numeric: Numeric) -> Option<Warning> {
    let measured = || tests.iter().filter_map(|test| Some((test, test.measure.as_ref()?)));
    let example = measured().next()?.0.name.clone();
    let mut columns: Vec<String> = measured().map(|(_, measure)| measure.column.clone()).collect();
    columns.dedup();
    Some(Warning::Measured { columns, numeric, tests: measured().count(), example })
}

/// Says how many tests may not be asked everywhere.
fn premises_warning(applied: premises::Applied) -> Option<Warning> {
    let premises::Applied { tests, cells, ignored, blanks } = applied;
    (tests + cells > 0).then_some(Warning::Premises { tests, cells, ignored, blanks })
}

/// Finds the test that confirms each object, if the reading asks for confirmation.
fn confirmation(
    reading: &Reading,
    identify: Identify,
    names: &Labels,
    tests: &[Test],
    has_path_costs: bool,
) -> Result<Option<Vec<TestId>>, InstanceError> {
    match (reading.confirm, identify) {
        (false, _) => Ok(None),
        (true, _) if tests.iter().any(|test| !test.is_single()) => Err(InstanceError::ConfirmSeveral),
        (true, Identify::Groups) => Err(InstanceError::ConfirmGroups),
        // An answer that only one object gives also tells it from all others, so no objects are joined.
        (true, Identify::Objects) if premises::restrict(tests) => Err(InstanceError::ConfirmPremises),
        (true, Identify::Objects) => match confirm::confirming(names, tests)? {
            _ if has_path_costs => Err(InstanceError::ConfirmPrices),
            tests => Ok(Some(tests)),
        },
    }
}

/// Warns of objects that no test tells apart, or returns an error if they are to be refused.
fn check_inseparable(
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

/// Tests of a table, and how it was read.
struct Understood {
    /// Reading with what was decided for this table.
    reading: Reading,
    tests: Vec<Test>,
    costs: Scaled,
    pricing: Option<Box<Pricing>>,
    warnings: Vec<Warning>,
}

/// Decides what the cells mean where the reading leaves it open, and makes the tests.
fn understand(
    table: &mut Table,
    roles: &Roles,
    reading: &Reading,
    identify: Identify,
    groups: Option<&Column>,
) -> Result<Understood, InstanceError> {
    let (mut warnings, words) = roles.normalize(table, reading);
    let mut reading = reading.clone();
    let lists = questions::columns_of_lists(roles.tests.iter().map(|&at| &table.columns[at]), &reading);
    if !lists.is_empty() {
        reading.several = Some("|".to_owned());
        warnings.push(Warning::Lists { columns: lists });
    }
    let gaps = Gaps::of(table, &roles.tests, words);
    let group_count = groups.map_or(0, |column| column.labels.len());
    let missing = gaps.meaning(&reading, identify, table.objects.len(), group_count);
    roles.refuse_missing(table, missing)?;
    // An option that was given needs no word about it.
    warnings.extend(gaps.warning(missing).filter(|_| reading.missing == MissingCells::Auto));
    warnings.extend(warn_of_many_answers(table, roles, &reading));
    let groups = groups.map(|column| &column.codes);
    let context = Context { reading: &reading, missing, groups, marks: roles.marks(table, &reading) };
    let ((tests, costs, pricing), applied) = columns::tests(table, roles, &context)?;
    warnings.extend(premises_warning(applied));
    warnings.extend(measured_warning(&tests, reading.numeric).filter(|_| reading.numeric == Numeric::Auto));
    Ok(Understood { reading, tests, costs, pricing, warnings })
}

impl Instance {
    /// Validates `table` under the choices of `reading`. The warnings say what is unusual but valid.
    ///
    /// # Errors
    /// When the table or the choices do not fit together; the error says where and what to do.
    pub fn new(mut table: Table, reading: &Reading) -> Result<(Self, Vec<Warning>), InstanceError> {
        if table.objects.is_empty() {
            return Err(InstanceError::NoObjects);
        }
        let nested = nested_groups::settle(&mut table, reading)?;
        let reading = nested.as_ref().unwrap_or(reading);
        let roles = Roles::find(&table, reading)?;
        let (weights, prior_gaps) = roles.weights(&table, reading)?;
        let identify = roles.identify(reading)?;
        let base_groups = match identify {
            Identify::Groups => Some(roles.groups(&table)?),
            Identify::Objects => None,
        };
        let groups = base_groups.as_ref();
        let Understood { reading, tests, costs, pricing, mut warnings } =
            understand(&mut table, &roles, reading, identify, groups)?;
        warnings.extend(prior_gaps);
        let reading = &reading;
        let names = table.objects;
        let has_several = tests.iter().any(|test| test.sets.is_some());
        let has_premises = premises::restrict(&tests);
        let confirming = confirmation(reading, identify, &names, &tests, pricing.is_some())?;
        let mut joined = Joined::new(&tests, names.len(), base_groups.as_ref().map(|column| &column.codes));
        // Only for groups: if every row is a group of its own, joining changes no statistic.
        if reading.inseparable == Inseparable::Keep && identify == Identify::Groups {
            joined.members = None;
        }
        warnings.extend(check_inseparable(&joined, &names, reading.inseparable)?);
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
            pricing,
            distinct: joined.distinct,
            members: joined.members,
            inseparable: joined.sets,
            confirming,
            has_several,
            has_premises,
        };
        Ok((instance, warnings))
    }

    /// Refuses a problem without a test, although there is something to tell apart: its strategy would ask nothing. To
    /// the library such a problem is a valid one; a user's table is not meant so.
    ///
    /// # Errors
    /// When there is no test and several objects or groups.
    pub fn refuse_no_tests(&self) -> Result<(), InstanceError> {
        let is_trivial = self.inseparable.is_empty() && self.row_count() < 2;
        let is_one_group = self.inseparable.is_empty() && self.identify == Identify::Groups;
        match self.tests.is_empty() && !is_trivial && !is_one_group {
            true => Err(InstanceError::NoTests),
            false => Ok(()),
        }
    }

    /// Number of objects that an algorithm sees; joined rows count once.
    pub fn object_count(&self) -> usize {
        self.group_of.len()
    }

    /// Number of rows of the table, each with a name.
    pub fn row_count(&self) -> usize {
        self.names.len()
    }

    /// Number of different rows: rows with the same answers count once.
    pub fn distinct_count(&self) -> usize {
        self.distinct
    }

    /// Number of groups that occur.
    pub fn group_count(&self) -> usize {
        self.group_count
    }

    /// Number of tests.
    pub fn test_count(&self) -> usize {
        self.tests.len()
    }

    /// Target of the identification: groups or objects.
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

    /// Names of `object`: one, or those of all rows joined to it.
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

    /// Names of `group`: one, or those of all groups that no test tells apart there.
    pub fn group_names(&self, group: GroupId) -> Vec<&str> {
        match &self.group_names {
            GroupNames::Objects => self.object_names(ObjectId(group.0)).collect(),
            GroupNames::Sets(labels, sets) => {
                sets[group.index()].iter().map(|&label| labels.get(label as usize)).collect()
            }
        }
    }

    /// Weight of `object`, in units; divided by [`total_weight`](Self::total_weight) it is the probability.
    #[inline]
    pub fn weight(&self, object: ObjectId) -> f64 {
        self.weights.units()[object.index()]
    }

    /// Sum of all weights, in units.
    pub fn total_weight(&self) -> f64 {
        self.total
    }

    /// Scaled weights; if they are exact, sums of them can be compared without tolerance.
    pub fn weights(&self) -> &Scaled {
        &self.weights
    }

    /// Whether all objects weigh the same, so that counts are proportional to weights.
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

    /// Weight of every group, in units.
    pub fn group_weights(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.group_count];
        for object in self.objects() {
            weights[self.group_of(object).index()] += self.weight(object);
        }
        weights
    }

    /// Whether some object may give several answers to some test; such an object may be in several leaves of a tree,
    /// with its weight split among them.
    pub fn has_several(&self) -> bool {
        self.has_several
    }

    /// Whether some test may not be asked everywhere; then [`may_ask`](Self::may_ask) says where.
    pub fn has_premises(&self) -> bool {
        self.has_premises
    }

    /// Returns the test called `name`.
    pub fn find_test(&self, name: &str) -> Option<TestId> {
        self.tests.iter().position(|test| test.name == name).map(TestId::at)
    }

    /// Whether an object counts as identified only after the test with its name was asked.
    ///
    /// Then the test of an object's name is asked even if the object is the only one left: a node with one answer. A
    /// tree without these nodes is a tree for the same instance without confirmation, so every lower bound for that
    /// instance holds here.
    pub fn needs_confirmation(&self) -> bool {
        self.confirming.is_some()
    }

    /// Test that must be asked last before `object` counts as identified, if confirmation is needed. The test bears
    /// the object's name, and no other object gives the same answer to it.
    pub fn confirming(&self, object: ObjectId) -> Option<TestId> {
        self.confirming.as_ref().map(|tests| tests[object.index()])
    }

    /// Test still to be asked at the leaf of `objects` below a node that asked `last`; `last` is `None` at the root.
    pub fn unconfirmed(&self, objects: &[ObjectId], last: Option<TestId>) -> Option<TestId> {
        let [object] = objects else { return None };
        self.confirming(*object).filter(|test| last != Some(*test))
    }

    /// Sets of rows that no test tells apart although they differ in what is to be identified, as names.
    pub fn inseparable(&self) -> impl ExactSizeIterator<Item = Vec<&str>> {
        self.inseparable.iter().map(|set| set.iter().map(|&row| self.names.get(row as usize)).collect())
    }
}
