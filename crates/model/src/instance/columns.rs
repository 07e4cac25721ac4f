//! Roles of the columns, and the values of their cells.

use super::premises::{self, Applied, Written};
use super::prices::{BundleRows, Costed, number, prices};
use super::priors;
use super::questions::{Context, Question, normalize, questions};
use super::rule_rows::RuleRows;
use super::shorten::shortened;
use super::{InstanceError, ObjectSet, Pricing, Test};
use crate::Identify;
use crate::{
    Choice, Column, ColumnBuilder, Labels, MissingCells, NOT_RECORDED, ObjectId, Reading, Role, Scaled,
    Table, Warning, known_columns,
};
use std::collections::{BTreeMap, BTreeSet};

/// Roles of the columns, as positions in [`Table::columns`].
pub(super) struct Roles {
    group: Option<usize>,
    prior: Option<usize>,
    pub(super) tests: Vec<usize>,
    /// Columns that are no tests, but that the premises of tests are about.
    hidden: Vec<usize>,
}

impl Roles {
    pub(super) fn find(table: &Table, reading: &Reading) -> Result<Self, InstanceError> {
        let find = |option: Choice, role: &Role| match role {
            Role::Column(name) => position(table, option, name).map(Some),
            Role::Usual => Ok(table.columns.iter().position(|column| column.name == option.name())),
            Role::None => Ok(None),
        };
        let group = find(Choice::Group, &reading.group)?;
        let prior = find(Choice::Prior, &reading.prior)?;
        if let (Some(group), true) = (group, group == prior) {
            let name = table.columns[group].name.clone();
            return Err(InstanceError::TwoRoles { name, first: "the groups", second: "the priors" });
        }
        let mut roles = Self { group, prior, tests: Vec::new(), hidden: Vec::new() };
        let mut ignored = BTreeSet::new();
        for name in &reading.ignore {
            ignored.insert(position(table, Choice::Ignore, name)?);
        }
        let kept = match &reading.tests {
            None => None,
            Some(names) => Some(
                names.iter().map(|name| roles.test_position(table, Choice::Tests, name)).collect::<Result<
                    BTreeSet<_>,
                    _,
                >>(
                )?,
            ),
        };
        roles.tests = (0..table.columns.len())
            .filter(|at| Some(*at) != group && Some(*at) != prior && !ignored.contains(at))
            .filter(|at| kept.as_ref().is_none_or(|kept| kept.contains(at)))
            .collect();
        roles.hidden = roles.sources_left_out(table, reading);
        Ok(roles)
    }

    /// Columns that are left out, but that the premises of tests are about.
    fn sources_left_out(&self, table: &Table, reading: &Reading) -> Vec<usize> {
        let rules = RuleRows::of(table, reading);
        if !rules.has_premises() {
            return Vec::new();
        }
        let mut used = self.tests.clone();
        loop {
            let is_other =
                |at: &usize| Some(*at) != self.group && Some(*at) != self.prior && !used.contains(at);
            let is_named = |at: &usize| rules.name_in(table, &used, &table.columns[*at].name);
            let more: Vec<usize> = (0..table.columns.len()).filter(is_other).filter(is_named).collect();
            if more.is_empty() {
                return used.split_off(self.tests.len());
            }
            used.extend(more);
        }
    }

    /// Whether `*` and ranges such as `3-5` have a meaning of their own in `table`.
    pub(super) fn marks(&self, table: &Table, reading: &Reading) -> bool {
        table.marked || RuleRows::of(table, reading).has_premises()
    }

    /// Position of the column of the test called `name`, also if the column is left out.
    fn test_position(&self, table: &Table, option: Choice, name: &str) -> Result<usize, InstanceError> {
        let role = if name == table.object_column && table.column(name).is_none() {
            "the names of the objects"
        } else {
            let at = position(table, option, name)?;
            match () {
                () if Some(at) == self.group => "the groups",
                () if Some(at) == self.prior => "the priors",
                () => return Ok(at),
            }
        };
        Err(InstanceError::NoTest { option, name: name.to_owned(), role, known: known(table, name) })
    }

    pub(super) fn identify(&self, reading: &Reading) -> Result<Identify, InstanceError> {
        match (reading.identify, self.group) {
            (Some(Identify::Groups), None) => Err(InstanceError::NoGroups),
            (Some(identify), _) => Ok(identify),
            (None, Some(_)) => Ok(Identify::Groups),
            (None, None) => Ok(Identify::Objects),
        }
    }

    pub(super) fn groups(&self, table: &Table) -> Result<Column, InstanceError> {
        let column = &table.columns[self.group.ok_or(InstanceError::NoGroups)?];
        match column.missing {
            None => Ok(column.clone()),
            Some(missing) => Err(InstanceError::EmptyGroup {
                row: table.row_of(missing.first),
                column: column.name.clone(),
                object: table.objects.get(missing.first.index()).to_owned(),
            }),
        }
    }

    /// Weight of each object, and a warning if some of them have none of their own.
    pub(super) fn weights(
        &self,
        table: &Table,
        reading: &Reading,
    ) -> Result<(Scaled, Option<Warning>), InstanceError> {
        let Some(column) = self.prior.map(|at| &table.columns[at]) else {
            return Ok((Scaled::ones(table.objects.len()), None));
        };
        let mut values: Vec<Option<f64>> =
            column.labels.iter().map(|text| number(text, |prior| prior >= 0.0)).collect();
        let warning = if reading.verbatim { None } else { priors::fill_gaps(column, reading, &mut values) };
        let weight = |(at, code): (usize, u32)| {
            values[code as usize].ok_or_else(|| {
                let object = ObjectId::at(at);
                let is_empty = column.missing.is_some_and(|missing| missing.code == code);
                InstanceError::Prior {
                    row: table.row_of(object),
                    column: column.name.clone(),
                    object: table.objects.get(at).to_owned(),
                    text: if is_empty { String::new() } else { shortened(column.labels.get(code as usize)) },
                }
            })
        };
        let weights = column.codes.iter().enumerate().map(weight).collect::<Result<Vec<f64>, _>>()?;
        if weights.iter().all(|weight| *weight == 0.0) {
            return Err(InstanceError::NoWeight { column: column.name.clone() });
        }
        Ok((Scaled::new(weights), warning))
    }

    /// Merges texts of the tests and groups that mean the same. Returns what was merged, and the words for a gap.
    pub(super) fn normalize(&self, table: &mut Table, reading: &Reading) -> (Vec<Warning>, Vec<String>) {
        let (mut respelled, mut words) = (Vec::new(), Vec::new());
        for &at in self.tests.iter().chain(&self.hidden) {
            let column = std::mem::take(&mut table.columns[at]);
            let (column, gap_words, merged) = normalize(column, reading);
            table.columns[at] = column;
            words.extend(gap_words);
            respelled.extend(merged);
        }
        words.sort_unstable();
        words.dedup();
        let warning = (!respelled.is_empty()).then_some(Warning::Respelled(respelled));
        (warning.into_iter().collect(), words)
    }

    pub(super) fn refuse_missing(&self, table: &Table, missing: MissingCells) -> Result<(), InstanceError> {
        if missing != MissingCells::Error {
            return Ok(());
        }
        let holes =
            || self.tests.iter().filter_map(|&at| Some((&table.columns[at], table.columns[at].missing?)));
        let Some((column, first)) = holes().min_by_key(|(column, missing)| (missing.first, column.position))
        else {
            return Ok(());
        };
        Err(InstanceError::MissingCells {
            count: holes().map(|(_, missing)| missing.count).sum(),
            row: table.row_of(first.first),
            column: column.name.clone(),
            object: table.objects.get(first.first.index()).to_owned(),
        })
    }
}

/// Tests, their plain costs, and costs that depend on the path.
type TestsAndCosts = (Vec<Test>, Scaled, Option<Box<Pricing>>);

/// Makes the tests from the columns, and the cost of each. Also says what premises exclude.
pub(super) fn tests(
    table: &mut Table,
    roles: &Roles,
    context: &Context<'_>,
) -> Result<(TestsAndCosts, Applied), InstanceError> {
    let reading = context.reading;
    let costs_by_name: BTreeMap<&str, f64> =
        reading.costs.iter().map(|(name, cost)| (name.as_str(), *cost)).collect();
    let doubtful = doubtful_names(table, roles, reading);
    let about = |what: &str| table.about.iter().find(|about| about.what == what).cloned();
    let (cost_row, question_row) = (about("cost"), about("question"));
    let rules = RuleRows::of(table, reading);
    let rows = BundleRows { bundle: about("bundle"), setup: about("setup") };
    let is_bundled = |name: &str, at: usize| {
        rows.bundle(at).is_some() || reading.bundles.iter().any(|entry| entry.test == name)
    };
    // Each test with the column it was made from, its cost, and whether that was given.
    let (mut tests, mut origins) = (Vec::<Test>::new(), Vec::<(String, usize, Option<f64>)>::new());
    let mut names = BTreeSet::new();
    for &at in roles.tests.iter().chain(&roles.hidden) {
        let column = std::mem::take(&mut table.columns[at]);
        let (column_name, position) = (column.name.clone(), column.position);
        let may_be_free = is_bundled(&column_name, at);
        let written = match cost_row.as_ref().map(|row| (row.row, row.cells[at].as_str())) {
            None | Some((_, "")) => None,
            Some((row, text)) => {
                let fits = |cost: f64| cost > 0.0 || (may_be_free && cost == 0.0);
                Some(number(text, fits).ok_or_else(|| InstanceError::Cost {
                    row,
                    test: column_name.clone(),
                    text: shortened(text),
                })?)
            }
        };
        let text = question_row.as_ref().map(|row| row.cells[at].clone()).filter(|text| !text.is_empty());
        let place = |object: ObjectId| (table.row_of(object), table.objects.get(object.index()).to_owned());
        let takes_dashes = table.marked || rules.is_conditional(&column_name, at);
        for (question, dashes) in questions_without_dashes(column, takes_dashes, context, place)? {
            let name = question.name.clone();
            if !names.insert(name.clone()) {
                return Err(InstanceError::SameTest { name, position });
            }
            let given = costs_by_name.get(name.as_str()).or_else(|| costs_by_name.get(column_name.as_str()));
            origins.push((column_name.clone(), at, given.copied().or(written)));
            let mut test = test_of(question, text.clone().filter(|_| name == column_name));
            test.needs = rules.tools(&name, &column_name, at);
            test.inapplicable = (!dashes.is_empty()).then_some(dashes);
            if !reading.verbatim {
                call_gap_not_recorded(&mut test.answers);
            }
            tests.push(test);
        }
    }
    if let Some((_, error)) = doubtful.into_iter().find(|(name, _)| !names.contains(name)) {
        return Err(error);
    }
    let is_hidden = |at: usize| roles.hidden.contains(&at);
    let applied = follow_rules(&mut tests, &mut origins, &rules, is_hidden)?;
    Ok((with_costs(tests, &origins, &rows, reading)?, applied))
}

/// Column that a test was made from, its position, and the cost that was given for the test.
type Origin = (String, usize, Option<f64>);

/// Applies premises, and takes out the tests that cannot be asked.
fn follow_rules(
    tests: &mut Vec<Test>,
    origins: &mut Vec<Origin>,
    rules: &RuleRows<'_>,
    is_hidden: impl Fn(usize) -> bool,
) -> Result<Applied, InstanceError> {
    let tools: Vec<Vec<String>> = tests.iter().map(|test| test.needs.clone()).collect();
    rules.check_tools(&tools)?;
    let written = |(test, (column, at, _)): (&Test, &Origin)| rules.premise(&test.name, column, *at);
    let written: Vec<Option<Written>> = tests.iter().zip(origins.iter()).map(written).collect();
    let is_restricted =
        written.iter().any(Option::is_some) || tests.iter().any(|test| test.inapplicable.is_some());
    let applied = if is_restricted { premises::apply(tests, &written)? } else { Applied::default() };
    let is_kept = |(tools, (_, at, _)): (&Vec<String>, &Origin)| rules.is_possible(tools) && !is_hidden(*at);
    let keep: Vec<bool> = tools.iter().zip(origins.iter()).map(is_kept).collect();
    if keep.contains(&false) {
        premises::withdraw(tests, &keep);
        let mut kept = keep.into_iter();
        origins.retain(|_| kept.next().unwrap_or(true));
    }
    Ok(applied)
}

/// Makes the tests that `column` stands for, each with the objects whose cell is `-` where that means that the test does
/// not apply. Such cells have no part in what the tests are.
fn questions_without_dashes(
    column: Column,
    takes_dashes: bool,
    context: &Context<'_>,
    place: impl Fn(ObjectId) -> (usize, String),
) -> Result<Vec<(Question, ObjectSet)>, InstanceError> {
    let Some(dash) = column.labels.find("-").filter(|_| takes_dashes).map(|dash| dash as u32) else {
        let all = questions(column, context, place)?;
        return Ok(all.into_iter().map(|question| (question, ObjectSet::default())).collect());
    };
    let rows = column.codes.len();
    let is_dash = |row: &usize| column.codes.get(*row) == dash;
    let dashes: ObjectSet = (0..rows).filter(is_dash).map(ObjectId::at).collect();
    let known: Vec<usize> = (0..rows).filter(|row| !is_dash(row)).collect();
    if known.is_empty() {
        let (answers, codes) = (["-"].into_iter().collect(), column.codes.iter().map(|_| 0).collect());
        let question = Question { name: column.name, answers, codes, sets: None, measure: None };
        return Ok(vec![(question, dashes)]);
    }
    let mut part = ColumnBuilder::new(&column.name, column.position);
    known.iter().for_each(|row| _ = part.push(column.labels.get(column.codes.get(*row) as usize)));
    let groups = context.groups.map(|groups| groups.select(known.iter().copied()));
    let context = Context { groups: groups.as_ref(), ..*context };
    let place = |object: ObjectId| place(ObjectId::at(known[object.index()]));
    let expanded = |question: Question| {
        let codes = premises::expand(&question.codes, rows, &dashes);
        let sets = question.sets.as_ref().map(|sets| sets.expand(rows, &dashes));
        (Question { codes, sets, ..question }, dashes.clone())
    };
    Ok(questions(part.finish(), &context, place)?.into_iter().map(expanded).collect())
}

/// Puts the costs of the tests together.
fn with_costs(
    tests: Vec<Test>,
    origins: &[(String, usize, Option<f64>)],
    rows: &BundleRows,
    reading: &Reading,
) -> Result<TestsAndCosts, InstanceError> {
    let costs: Vec<f64> = origins.iter().map(|(.., cost)| cost.unwrap_or(1.0)).collect();
    if let (false, Some((test, cost))) = (costs.iter().sum::<f64>().is_finite(), dearest(&tests, &costs)) {
        return Err(InstanceError::HugeCosts { test, cost });
    }
    let costed = tests.iter().zip(origins).map(|(test, (column, at, cost))| Costed {
        test,
        column: (column, *at),
        cost: cost.unwrap_or(1.0),
        is_given: cost.is_some(),
    });
    let (scaled, pricing) = match prices(&costed.collect::<Vec<_>>(), rows, reading)? {
        None => match costs.iter().position(|cost| *cost == 0.0) {
            Some(free) => return Err(InstanceError::FreeTest { test: shortened(&tests[free].name) }),
            None => (Scaled::new(costs), None),
        },
        Some((scaled, pricing)) => (scaled, Some(Box::new(pricing))),
    };
    Ok((tests, scaled, pricing))
}

/// Names in lists of costs that are no column: each may still be a question made from a column of numbers.
fn doubtful_names(table: &Table, roles: &Roles, reading: &Reading) -> Vec<(String, InstanceError)> {
    // A cost may belong to a column, also one that is left out, or to a question made from a column of numbers.
    let named =
        |option: Choice, name: &str| Some((name.to_owned(), roles.test_position(table, option, name).err()?));
    let costs: BTreeSet<&str> = reading.costs.iter().map(|(name, _)| name.as_str()).collect();
    let rules = reading.premises.iter().chain(&reading.needs).map(|(name, _)| name.as_str());
    let answers = reading.answer_costs.iter().map(|entry| entry.test.as_str()).chain(rules);
    let bundles = reading.bundles.iter().map(|entry| entry.test.as_str());
    let costs = costs.into_iter().chain(answers).filter_map(|name| named(Choice::Costs, name));
    costs.chain(bundles.filter_map(|name| named(Choice::Bundles, name))).collect()
}

/// Test with the text to ask it with.
fn test_of(question: Question, text: Option<String>) -> Test {
    let Question { name, answers, codes, sets, measure } = question;
    Test { name, question: text, answers, codes, sets, measure, ..Test::default() }
}

/// Renames the answer `?`, which stands for a gap, to what people call it.
fn call_gap_not_recorded(answers: &mut Labels) {
    let Some(gap) = answers.find("?") else { return };
    let name = if answers.find(NOT_RECORDED).is_none() { NOT_RECORDED } else { "not recorded (empty)" };
    *answers = answers.iter().enumerate().map(|(at, text)| if at == gap { name } else { text }).collect();
}

fn dearest(tests: &[Test], costs: &[f64]) -> Option<(String, f64)> {
    let (test, cost) = tests.iter().zip(costs).max_by(|left, right| left.1.total_cmp(right.1))?;
    Some((shortened(&test.name), *cost))
}

fn position(table: &Table, option: Choice, name: &str) -> Result<usize, InstanceError> {
    let found = table.columns.iter().position(|column| column.name == name);
    found.ok_or_else(|| InstanceError::NoSuchColumn {
        option,
        name: name.to_owned(),
        known: known(table, name),
    })
}

/// Hint with the columns that exist instead of `name`.
fn known(table: &Table, name: &str) -> String {
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    known_columns(name, &names)
}
