//! Priors that are updated by the outcomes of sessions.
//!
//! A confirmed outcome is an observation; the prior is a Dirichlet distribution worth `strength` observations. The
//! updated prior of an object is `(strength · p + count) / (strength + total)`. An outcome that names a group or
//! several objects is shared among them by their priors.

use super::tables::{self, TableInfo};
use crate::error::Problem;
use crate::json::JsonNumber;
use crate::options::TableOptions;
use crate::spell::parameter;
use crate::state::App;
use crate::tables::{LoadedTable, read};
use fewest::ColumnBuilder;
use fewest_formats::write::write_csv;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Prior of a table, updated by confirmed outcomes.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PriorUpdate {
    /// Number of observations that the prior is worth.
    pub(crate) strength: JsonNumber,
    /// Number of confirmed outcomes that name an object or a group of this table.
    pub(crate) observations: i64,
    /// Number of outcomes that name nothing in this table, and are ignored.
    pub(crate) unknown: i64,
    /// Number of objects in the table.
    pub(crate) total: usize,
    /// Objects, in the order of the table.
    pub(crate) objects: Vec<ObjectPrior>,
}

/// Prior of an object, now and updated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct ObjectPrior {
    /// Name of the object; several names where no test tells objects apart.
    pub(crate) object: Vec<String>,
    /// Prior now.
    pub(crate) prior: JsonNumber,
    /// Number of observations of this object; an observation of several objects is shared among them.
    pub(crate) observed: JsonNumber,
    /// Updated prior.
    pub(crate) updated: JsonNumber,
}

/// Outcome that was confirmed at the end of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Confirmed {
    /// Name of the object.
    Object(String),
    /// Name of the group, where the object is not known.
    Group(String),
}

/// Returns the objects that an outcome may mean.
pub(crate) fn meant(table: &LoadedTable, outcome: &Confirmed) -> Vec<fewest::ObjectId> {
    let instance = &table.instance;
    let fits = |object: &fewest::ObjectId| match outcome {
        Confirmed::Object(name) => instance.object_names(*object).any(|found| found == name),
        Confirmed::Group(name) => instance.group_names(instance.group_of(*object)).contains(&name.as_str()),
    };
    instance.objects().filter(fits).collect()
}

fn update(table: &LoadedTable, outcomes: &[(Confirmed, i64)], strength: f64) -> PriorUpdate {
    let instance = &table.instance;
    let mut observed = vec![0.0; instance.object_count()];
    let (mut observations, mut unknown) = (0, 0);
    for (outcome, count) in outcomes {
        let meant = meant(table, outcome);
        let weight: f64 = meant.iter().map(|object| instance.weight(*object)).sum();
        if meant.is_empty() {
            unknown += count;
            continue;
        }
        observations += count;
        for object in &meant {
            // Objects with prior 0 share equally.
            let share =
                if weight > 0.0 { instance.weight(*object) / weight } else { 1.0 / meant.len() as f64 };
            observed[object.index()] += share * *count as f64;
        }
    }
    let total = observations as f64;
    let line = |object: fewest::ObjectId| {
        let (prior, observed) = (instance.prior(object), observed[object.index()]);
        ObjectPrior {
            object: instance.object_names(object).map(str::to_owned).collect(),
            prior: prior.into(),
            observed: observed.into(),
            updated: ((strength * prior + observed) / (strength + total)).into(),
        }
    };
    let objects: Vec<ObjectPrior> = instance.objects().map(line).collect();
    PriorUpdate { strength: strength.into(), observations, unknown, total: objects.len(), objects }
}

/// Returns the prior of a table, updated by confirmed outcomes.
///
/// # Errors
/// When there is no such table, or `strength` is not a number above 0.
pub(crate) async fn updated(app: &App, id: &str, strength: f64) -> Result<PriorUpdate, Problem> {
    if !(strength > 0.0 && strength <= 1e12) {
        return Err(Problem::unfit("`strength`: expected a number > 0 and at most 1e12"));
    }
    let table = app.table(id).await?;
    let outcomes = app.store().outcomes(id).await?;
    let outcomes: Vec<(Confirmed, i64)> = outcomes
        .into_iter()
        .filter_map(|(text, count)| serde_json::from_str(&text).ok().map(|outcome| (outcome, count)))
        .collect();
    app.run_on(&table, move |table| update(table, &outcomes, strength)).await
}

/// Creates a table with the updated prior; the table `id` does not change.
///
/// # Errors
/// As [`updated`], and when the table cannot be read or stored.
pub(crate) async fn apply(app: &App, id: &str, strength: f64) -> Result<TableInfo, Problem> {
    let update = updated(app, id, strength).await?;
    let (row, content) = tables::stored(app, id).await?;
    let mut options = tables::options_of(&row)?;
    let (limits, how) = (*app.limits(), options.clone());
    let (content, column) = app.run_blocking(move || with_prior(&content, &how, &update, &limits)).await??;
    options.prior = Some(column);
    // The names come first in the new table.
    options.object = None;
    tables::add(app, options, content.into(), Some(id.to_owned()), parameter).await
}

/// Contents of the table with another prior, and the name of the prior's column.
fn with_prior(
    content: &[u8],
    options: &TableOptions,
    update: &PriorUpdate,
    limits: &crate::Limits,
) -> Result<(Vec<u8>, String), Problem> {
    let mut table = read(content, options, limits, parameter)?.table;
    let mut priors = BTreeMap::new();
    for line in &update.objects {
        // Rows that are one object share its weight equally; no test tells them apart.
        let share = line.updated.value() / line.object.len() as f64;
        line.object.iter().for_each(|name| _ = priors.insert(name.as_str(), share));
    }
    let column = options.prior.clone().unwrap_or_else(|| "prior".to_owned());
    let mut builder = ColumnBuilder::new(&column, table.columns.len() + 2);
    for name in table.objects.iter() {
        builder.push(&priors.get(name).copied().unwrap_or(0.0).to_string());
    }
    match table.columns.iter_mut().find(|found| found.name == column) {
        Some(found) => *found = builder.finish(),
        None => {
            table.columns.push(builder.finish());
            table.about.iter_mut().for_each(|about| about.cells.push(String::new()));
        }
    }
    let mut text = Vec::new();
    write_csv(&mut text, &table).map_err(|_| Problem::internal())?;
    Ok((text, column))
}
