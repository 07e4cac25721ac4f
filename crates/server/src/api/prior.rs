//! Priors that are updated by the outcomes of sessions.

#![allow(unused_qualifications, reason = "the macro that describes parameters writes some")]

use crate::error::Problem;
use crate::extract::{Body, Id};
use crate::service::prior::{self, PriorUpdate};
use crate::service::tables::TableInfo;
use crate::state::App;
use axum::Json;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Most objects in a response.
const MOST: u32 = 10_000;

/// Weight of the prior compared with the observations.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Strength {
    /// Number of observations that the prior is worth.
    #[schema(exclusive_minimum = 0, maximum = 1e12)]
    pub(crate) strength: f64,
}

impl Default for Strength {
    fn default() -> Self {
        Self { strength: 10.0 }
    }
}

/// Weight of the prior, and part of the objects to list.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PriorQuery {
    /// Number of observations that the prior is worth.
    #[param(exclusive_minimum = 0, maximum = 1e12)]
    pub(crate) strength: f64,
    /// Most objects in the response.
    #[param(minimum = 1, maximum = 10_000)]
    pub(crate) limit: u32,
    /// Number of objects to skip.
    #[param(minimum = 0)]
    pub(crate) offset: u32,
}

impl Default for PriorQuery {
    fn default() -> Self {
        Self { strength: Strength::default().strength, limit: MOST, offset: 0 }
    }
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
    let mut update = prior::updated(&app, &id, strength).await?;
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
    let table = prior::apply(&app, &id, strength).await?;
    let place = [(header::LOCATION, format!("/api/v1/tables/{}", table.id))];
    Ok((StatusCode::CREATED, place, Json(table)).into_response())
}
