//! Roles of the columns, and the values of their cells.

use super::questions::{Context, normalize, questions};
use super::shorten::shortened;
use super::{InstanceError, Test};
use crate::Identify;
use crate::{Choice, Column, MissingCells, ObjectId, Reading, Role, Scaled, Table, Warning, known_columns};
use std::collections::{BTreeMap, BTreeSet};

/// Roles of the columns, as positions in [`Table::columns`].
pub(super) struct Roles {
    group: Option<usize>,
    prior: Option<usize>,
    pub(super) tests: Vec<usize>,
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
        let mut roles = Self { group, prior, tests: Vec::new() };
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
        Ok(roles)
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

    pub(super) fn weights(&self, table: &Table) -> Result<Scaled, InstanceError> {
        let Some(column) = self.prior.map(|at| &table.columns[at]) else {
            return Ok(Scaled::ones(table.objects.len()));
        };
        let values: Vec<Option<f64>> =
            column.labels.iter().map(|text| number(text, |prior| prior >= 0.0)).collect();
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
        Ok(Scaled::new(weights))
    }

    /// Merges texts of the tests and groups that mean the same. Returns what was merged, and the words for a gap.
    pub(super) fn normalize(&self, table: &mut Table, reading: &Reading) -> (Vec<Warning>, Vec<String>) {
        let (mut respelled, mut words) = (Vec::new(), Vec::new());
        for &at in &self.tests {
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

/// Makes the tests from the columns, and the cost of each.
pub(super) fn tests(
    table: &mut Table,
    roles: &Roles,
    context: &Context<'_>,
) -> Result<(Vec<Test>, Scaled), InstanceError> {
    let reading = context.reading;
    let costs_by_name: BTreeMap<&str, f64> =
        reading.costs.iter().map(|(name, cost)| (name.as_str(), *cost)).collect();
    // A cost may belong to a column, also one that is left out, or to a question made from a column of numbers.
    let no_column = |name: &&str| roles.test_position(table, Choice::Costs, name).err();
    let doubtful: Vec<(&str, InstanceError)> =
        costs_by_name.keys().filter_map(|name| Some((*name, no_column(name)?))).collect();
    let about = |what: &str| table.about.iter().find(|about| about.what == what).cloned();
    let (cost_row, question_row) = (about("cost"), about("question"));
    let (mut tests, mut costs) = (Vec::<Test>::new(), Vec::new());
    let mut names = BTreeSet::new();
    for &at in &roles.tests {
        let column = std::mem::take(&mut table.columns[at]);
        let (column_name, position) = (column.name.clone(), column.position);
        let written = match cost_row.as_ref().map(|row| (row.row, row.cells[at].as_str())) {
            None | Some((_, "")) => 1.0,
            Some((row, text)) => number(text, |cost| cost > 0.0).ok_or_else(|| InstanceError::Cost {
                row,
                test: column_name.clone(),
                text: shortened(text),
            })?,
        };
        let text = question_row.as_ref().map(|row| row.cells[at].clone()).filter(|text| !text.is_empty());
        let place = |object: ObjectId| (table.row_of(object), table.objects.get(object.index()).to_owned());
        for question in questions(column, context, place)? {
            let name = question.name.clone();
            if !names.insert(name.clone()) {
                return Err(InstanceError::SameTest { name, position });
            }
            let given = costs_by_name.get(name.as_str()).or_else(|| costs_by_name.get(column_name.as_str()));
            costs.push(given.copied().unwrap_or(written));
            tests.push(question.into_test(text.clone().filter(|_| name == column_name)));
        }
    }
    if let (false, Some((test, cost))) = (costs.iter().sum::<f64>().is_finite(), dearest(&tests, &costs)) {
        return Err(InstanceError::HugeCosts { test, cost });
    }
    match doubtful.into_iter().find(|(name, _)| !names.contains(*name)) {
        Some((_, error)) => Err(error),
        None => Ok((tests, Scaled::new(costs))),
    }
}

fn dearest(tests: &[Test], costs: &[f64]) -> Option<(String, f64)> {
    let (test, cost) = tests.iter().zip(costs).max_by(|left, right| left.1.total_cmp(right.1))?;
    Some((shortened(&test.name), *cost))
}

/// Parses `text` as a finite number that satisfies `fits`.
fn number(text: &str, fits: impl Fn(f64) -> bool) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite() && fits(*value))
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
