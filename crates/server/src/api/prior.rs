//! What sessions teach about how likely objects are.
//!
//! A confirmed outcome is an observation; the prior is a Dirichlet distribution worth `strength` observations. The
//! updated prior of an object is `(strength · p + count) / (strength + total)`. An outcome that names a group or several
//! objects is shared among them by their priors.

#![allow(unused_qualifications, reason = "the macro that describes parameters writes some")]

use super::tables::{TableInfo, store_table, table_info};
use crate::App;
use crate::error::Problem;
use crate::extract::{Body, Id};
use crate::figure::Figure;
use crate::options::TableOptions;
use crate::tables::{Loaded, read};
use axum::Json;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use fewest::ColumnBuilder;
use fewest_formats::write::write_csv;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema};

/// Objects that are listed at most.
const MOST: u32 = 10_000;

/// How much the prior counts beside what was observed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Strength {
    /// As many observations as the prior is worth.
    #[schema(exclusive_minimum = 0, maximum = 1e12)]
    pub(crate) strength: f64,
}

impl Default for Strength {
    fn default() -> Self {
        Self { strength: 10.0 }
    }
}

/// How much the prior counts, and which objects are listed.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PriorQuery {
    /// As many observations as the prior is worth.
    #[param(exclusive_minimum = 0, maximum = 1e12)]
    pub(crate) strength: f64,
    /// How many objects are listed at most.
    #[param(minimum = 1, maximum = 10_000)]
    pub(crate) limit: u32,
    /// How many objects are skipped.
    #[param(minimum = 0)]
    pub(crate) offset: u32,
}

impl Default for PriorQuery {
    fn default() -> Self {
        Self { strength: Strength::default().strength, limit: MOST, offset: 0 }
    }
}

/// The prior as it would become.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PriorUpdate {
    /// As many observations as the prior is worth.
    pub(crate) strength: Figure,
    /// Outcomes that were confirmed.
    pub(crate) observations: i64,
    /// Outcomes that name nothing of this table, and count for nothing.
    pub(crate) unknown: i64,
    /// How many objects there are in all.
    pub(crate) total: usize,
    /// The objects in the order of the table.
    pub(crate) objects: Vec<ObjectPrior>,
}

/// What an object's prior would become.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct ObjectPrior {
    /// The object; several names where no test tells them apart.
    pub(crate) object: Vec<String>,
    /// How likely it is now.
    pub(crate) prior: Figure,
    /// Its share of the observations.
    pub(crate) observed: Figure,
    /// How likely it would be.
    pub(crate) updated: Figure,
}

/// What was confirmed at the end of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Confirmed {
    /// It was this object.
    Object(String),
    /// It was something of this group.
    Group(String),
}

/// The objects that an outcome may mean.
pub(crate) fn meant(table: &Loaded, outcome: &Confirmed) -> Vec<fewest::ObjectId> {
    let instance = &table.instance;
    let fits = |object: &fewest::ObjectId| match outcome {
        Confirmed::Object(name) => instance.object_names(*object).any(|found| found == name),
        Confirmed::Group(name) => instance.group_names(instance.group_of(*object)).contains(&name.as_str()),
    };
    instance.objects().filter(fits).collect()
}

fn update(table: &Loaded, outcomes: &[(Confirmed, i64)], strength: f64) -> PriorUpdate {
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
            // Objects that were thought impossible share equally.
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

async fn updated(app: &App, id: &str, strength: f64) -> Result<PriorUpdate, Problem> {
    if !(strength > 0.0 && strength <= 1e12) {
        return Err(Problem::unfit("`strength`: expected a number > 0 and at most 1e12"));
    }
    let table = app.table(id).await?;
    let outcomes = app.store().outcomes(id).await?;
    let outcomes: Vec<(Confirmed, i64)> = outcomes
        .into_iter()
        .filter_map(|(text, count)| serde_json::from_str(&text).ok().map(|outcome| (outcome, count)))
        .collect();
    app.think_about(&table, move |table| update(table, &outcomes, strength)).await
}

/// See what confirmed outcomes would make of the prior
#[utoipa::path(get, path = "/api/v1/tables/{id}/prior", tag = "tables", params(("id" = String, Path), PriorQuery), security((), ("token" = [])),
    responses(
        (status = 200, description = "The prior as it would become.", body = PriorUpdate),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn show(
    State(app): State<App>,
    Id(id): Id,
    query: Result<Query<PriorQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<PriorUpdate>, Problem> {
    let Query(PriorQuery { strength, limit, offset }) = query
        .map_err(|_| Problem::bad_request("the query: expected numbers `strength`, `limit` and `offset`"))?;
    if !(1..=MOST).contains(&limit) {
        return Err(Problem::bad_request(format!("`limit` is from 1 to {MOST}")));
    }
    let mut update = updated(&app, &id, strength).await?;
    update.objects = update.objects.into_iter().skip(offset as usize).take(limit as usize).collect();
    Ok(Json(update))
}

/// Make a table with the updated prior
///
/// The table stays as it is, and so do its sessions; the new one has the same rows and another prior.
#[utoipa::path(post, path = "/api/v1/tables/{id}/prior", tag = "tables", params(("id" = String, Path)), request_body = Strength, security((), ("token" = [])),
    responses(
        (status = 201, description = "The new table.", body = TableInfo, headers(("location" = String, description = "Where it is."))),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn apply(
    State(app): State<App>,
    Id(id): Id,
    Body(Strength { strength }): Body<Strength>,
) -> Result<Response, Problem> {
    let update = updated(&app, &id, strength).await?;
    let row = app.store().table(&id).await?.ok_or_else(|| Problem::not_found("table"))?;
    let content = app.store().table_content(&id).await?.ok_or_else(|| Problem::not_found("table"))?;
    let mut options: TableOptions =
        serde_json::from_str(&row.options).map_err(|error| Problem::unreadable("table", &id, error))?;
    let (limits, how) = (*app.limits(), options.clone());
    let (content, column) = app.think(move || with_prior(&content, &how, &update, &limits)).await??;
    options.prior = Some(column);
    // The names come first in what is written.
    options.object = None;
    let row = store_table(&app, options, content.into(), Some(id)).await?;
    let place = [(header::LOCATION, format!("/api/v1/tables/{}", row.id))];
    Ok((StatusCode::CREATED, place, Json(table_info(row)?)).into_response())
}

/// The table with another prior, and the name of that column.
fn with_prior(
    content: &[u8],
    options: &TableOptions,
    update: &PriorUpdate,
    limits: &crate::Limits,
) -> Result<(Vec<u8>, String), Problem> {
    let (mut table, _) = read(content, options, limits)?;
    let mut priors = BTreeMap::new();
    for line in &update.objects {
        // Rows that are one object to every test share its weight as they did; nothing tells them apart.
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
