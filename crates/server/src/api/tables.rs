//! Routes of tables: upload, look at, delete.

use super::parts;
use crate::error::Problem;
use crate::extract::{Id, Page, Upload};
use crate::options::TableOptions;
use crate::service::tables::{self, Summary, TableDetail, TableInfo};
use crate::service::unreadable::Unreadable;
use crate::spell::parameter;
use crate::state::App;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// List of tables, the newest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct TableList {
    /// Tables, without their contents.
    pub(crate) tables: Vec<TableInfo>,
    /// Rows of the database that cannot be read, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unreadable: Vec<Unreadable>,
}

/// Table as a form sends it: the file, and options as fields.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its description is used")]
pub(crate) struct UploadForm {
    /// Contents of the file.
    #[schema(value_type = String, format = Binary)]
    table: Vec<u8>,
    /// Name of the table for people; if it is not given, the name of the file.
    name: Option<String>,
}

fn tag(digest: &str) -> String {
    format!("\"{digest}\"")
}

/// Upload a table
///
/// As the body, or as the file `table` of a form. How it is read is said by the query, or by other fields of the form.
#[utoipa::path(post, path = "/api/v1/tables", tag = "tables", params(TableOptions), security((), ("token" = [])),
    request_body(content((String = "text/csv"), (UploadForm = "multipart/form-data"))),
    responses(
        (status = 201, description = "It is kept.", body = TableInfo,
         headers(("etag" = String, description = "The digest."), ("location" = String, description = "Where it is."))),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn upload(
    State(app): State<App>,
    Upload { options, content }: Upload,
) -> Result<Response, Problem> {
    let table = tables::add(&app, options, content, None, parameter).await?;
    let place = format!("/api/v1/tables/{}", table.id);
    let headers = [(header::ETAG, tag(&table.digest)), (header::LOCATION, place)];
    Ok((StatusCode::CREATED, headers, Json(table)).into_response())
}

/// Look whether a table can be understood, without keeping it
#[utoipa::path(post, path = "/api/v1/tables/validate", tag = "tables", params(TableOptions), security((), ("token" = [])),
    request_body(content((String = "text/csv"), (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "It can.", body = Summary),
        (status = "default", description = "It cannot, and why.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn validate(
    State(app): State<App>,
    Upload { options, content }: Upload,
) -> Result<Json<Summary>, Problem> {
    tables::validate(&app, options, content).await.map(Json)
}

/// List the tables
#[utoipa::path(get, path = "/api/v1/tables", tag = "tables", params(Page), security((), ("token" = [])), responses(
    (status = 200, description = "The newest first.", body = TableList),
    (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
))]
pub(super) async fn list(State(app): State<App>, page: Page) -> Result<Json<TableList>, Problem> {
    let (tables, unreadable) = tables::list(&app, page.limit.into(), page.offset.into()).await?;
    Ok(Json(TableList { tables, unreadable }))
}

/// Look at a table
#[utoipa::path(get, path = "/api/v1/tables/{id}", tag = "tables", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 200, description = "The table with its tests.", body = TableDetail, headers(("etag" = String, description = "The digest."))),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn get(State(app): State<App>, Id(id): Id) -> Result<Response, Problem> {
    let (text, digest) = tables::detail(&app, &id).await?;
    let headers = [(header::ETAG, tag(&digest)), (header::CONTENT_TYPE, "application/json".to_owned())];
    Ok((headers, text).into_response())
}

/// Get a table as it came
#[utoipa::path(get, path = "/api/v1/tables/{id}/content", tag = "tables",
    params(("id" = String, Path), ("if-none-match" = Option<String>, Header, description = "The digest that is known already.")),
    security((), ("token" = [])),
    responses(
        (status = 200, description = "The bytes.", body = String, content_type = "text/csv", headers(("etag" = String, description = "The digest."))),
        (status = 304, description = "Nothing has changed."),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn content(
    State(app): State<App>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let row = tables::find(&app, &id).await?;
    let tag = tag(&row.digest);
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|known| known.to_str().ok());
    if known.flat_map(|known| known.split(',')).any(|known| known.trim() == tag) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response());
    }
    // Never shown as a page: an uploaded file is downloaded, not run.
    let headers = [
        (header::ETAG, tag),
        (header::CONTENT_TYPE, "text/csv".to_owned()),
        (header::CONTENT_LENGTH, row.size.to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{id}.csv\"")),
    ];
    let read = move |number| {
        let (app, id) = (app.clone(), id.clone());
        async move { tables::part(&app, &id, number).await }
    };
    Ok((headers, parts::body(read).await?).into_response())
}

/// Inspect a table: what the data can and cannot do
///
/// The document of `fewest inspect --json`.
#[utoipa::path(get, path = "/api/v1/tables/{id}/inspect", tag = "tables", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 200, description = "The figures.", body = serde_json::Value),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn inspect(State(app): State<App>, Id(id): Id) -> Result<Response, Problem> {
    let text = tables::inspect(&app, &id).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}

/// Delete a table with its strategies and sessions
#[utoipa::path(delete, path = "/api/v1/tables/{id}", tag = "tables", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 204, description = "It is gone."),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn delete(State(app): State<App>, Id(id): Id) -> Result<StatusCode, Problem> {
    tables::delete(&app, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
