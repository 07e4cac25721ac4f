//! Tables: upload, look at, delete.

use super::parts;
use super::unreadable::{Unreadable, understand_each};
use crate::App;
use crate::error::Problem;
use crate::extract::{Id, Page, refused};
use crate::figure::Figure;
use crate::id::new_id;
use crate::options::TableOptions;
use crate::store::TableRow;
use crate::tables::{Loaded, understand, understand_rows};
use crate::time::{now_ms, rfc3339};
use axum::Json;
use axum::extract::{FromRequest, Multipart, RawQuery, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use fewest::inspect;
use fewest_formats::json::{Document, InstancePart, TestPart};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The size of a problem.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct InstanceSize {
    /// Objects that differ in some answer.
    pub(crate) objects: usize,
    /// Rows of the table.
    pub(crate) rows: usize,
    /// Tests.
    pub(crate) tests: usize,
    /// Groups to tell apart; the objects, where every object is its own.
    pub(crate) groups: usize,
    /// `groups` or `objects`.
    pub(crate) identify: String,
    /// Whether an object counts as identified only once the test with its name was asked.
    pub(crate) confirm: bool,
    /// The entropy of what is to be identified.
    pub(crate) entropy_bits: Figure,
}

impl InstanceSize {
    pub(crate) fn of(table: &Loaded) -> Self {
        let InstancePart { objects, rows, tests, groups, identify, confirm, entropy_bits } =
            InstancePart::new(&table.instance);
        Self { objects, rows, tests, groups, identify, confirm, entropy_bits: Figure(entropy_bits) }
    }
}

/// What is known of a table without reading it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Summary {
    /// Its size.
    pub(crate) instance: InstanceSize,
    /// What is odd but fine.
    pub(crate) warnings: Vec<String>,
}

/// A table that is kept.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct TableInfo {
    /// Its name here.
    pub(crate) id: String,
    /// What people call it.
    pub(crate) name: String,
    /// The SHA-256 of its bytes and options.
    pub(crate) digest: String,
    /// Its bytes.
    pub(crate) size: i64,
    /// When it came.
    #[schema(format = DateTime)]
    pub(crate) created: String,
    /// The table that it was made from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<String>,
    /// How it is read.
    pub(crate) options: TableOptions,
    #[serde(flatten)]
    pub(crate) summary: Summary,
}

/// A table with its tests.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct TableDetail {
    #[serde(flatten)]
    pub(crate) table: TableInfo,
    /// The tests in order.
    pub(crate) tests: Vec<TestInfo>,
}

/// A test.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct TestInfo {
    /// Its name.
    pub(crate) name: String,
    /// The text to ask it with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) question: Option<String>,
    /// What it costs.
    pub(crate) cost: Figure,
    /// Its answers.
    pub(crate) answers: Vec<String>,
}

/// Tables, the newest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct TableList {
    /// The tables.
    pub(crate) tables: Vec<TableInfo>,
    /// Those that cannot be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unreadable: Vec<Unreadable>,
}

/// A table as a form sends it: the file, and options as fields.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its description is used")]
pub(crate) struct UploadForm {
    /// The table.
    #[schema(value_type = String, format = Binary)]
    table: Vec<u8>,
    /// What to call it; the name of the file, if this is not given.
    name: Option<String>,
}

/// A table as it came: options and bytes.
pub(crate) struct Upload {
    pub(crate) options: TableOptions,
    pub(crate) content: Bytes,
}

impl Upload {
    async fn of(app: &App, query: RawQuery, request: Request) -> Result<Self, Problem> {
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query.0.as_deref().unwrap_or_default())
            .map_err(|_| Problem::bad_request("the query cannot be read"))?;
        let mut options = TableOptions::from_pairs(pairs)?;
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let content = match kind.as_str() {
            "multipart/form-data" => {
                let form = Multipart::from_request(request, app).await;
                let form = form.map_err(|_| Problem::bad_request("the form has no boundary"))?;
                from_form(form, &mut options).await?.content
            }
            "" | "text/csv" | "text/tab-separated-values" | "text/plain" | "application/octet-stream" => {
                Bytes::from_request(request, app).await.map_err(refused)?
            }
            _ => {
                return Err(Problem::media_type(
                    "send the table as text/csv, or as a file in multipart/form-data",
                ));
            }
        };
        Ok(Self { options, content })
    }
}

/// What a form holds beside options.
pub(crate) struct FormContent {
    pub(crate) content: Bytes,
    /// The token of our own pages' forms, empty where there is none.
    pub(crate) token: String,
}

/// The file of a form, and its other fields as options.
pub(crate) async fn from_form(
    mut form: Multipart,
    options: &mut TableOptions,
) -> Result<FormContent, Problem> {
    let (mut content, mut token) = (None, String::new());
    let broken = |error: axum::extract::multipart::MultipartError| {
        if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
            Problem::too_large(
                "the table is larger than this server takes; make it smaller, or use the command line",
            )
        } else {
            Problem::bad_request("the form cannot be read")
        }
    };
    while let Some(field) = form.next_field().await.map_err(broken)? {
        let name = field.name().unwrap_or_default().to_owned();
        if name == "table" {
            // A name and no more: nothing is ever looked up by it.
            let file =
                field.file_name().map(|path| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned());
            if options.name.is_none() {
                options.set("name", &file.unwrap_or_default())?;
            }
            content = Some(field.bytes().await.map_err(broken)?);
        } else {
            let value = field.text().await.map_err(broken)?;
            if name == "token" {
                token = value;
            } else {
                options.set(&name, &value)?;
            }
        }
    }
    let content =
        content.ok_or_else(|| Problem::bad_request("the form has no file in a field called `table`"))?;
    Ok(FormContent { content, token })
}

/// Understands a table and keeps it. Its bytes are all there: no slow client is waited for by now.
pub(crate) async fn store_table(
    app: &App,
    options: TableOptions,
    content: Bytes,
    parent: Option<String>,
) -> Result<TableRow, Problem> {
    if app.store().table_count().await? >= app.limits().tables {
        return Err(Problem::busy("this server keeps no more tables; delete some"));
    }
    let json = |error: serde_json::Error| {
        tracing::error!(%error, "a summary is no JSON");
        Problem::internal()
    };
    let text = serde_json::to_string(&options).map_err(json)?;
    if text.len() > app.limits().options {
        return Err(Problem::too_large(
            "the options of the table are longer than this server keeps; say less",
        ));
    }
    app.make_room(content.len() + text.len())?;
    let (id, limits) = (new_id(), *app.limits());
    let (bytes, how) = (content.clone(), options.clone());
    let named = id.clone();
    let table = app.think(move || understand(&named, &bytes, &how, &limits)).await??;
    let summary = Summary { instance: InstanceSize::of(&table), warnings: table.warnings.clone() };
    let row = TableRow {
        id,
        name: table.name.clone(),
        digest: table.digest.clone(),
        options: text,
        summary: serde_json::to_string(&summary).map_err(json)?,
        size: i64::try_from(content.len()).unwrap_or(i64::MAX),
        parent,
        created: now_ms(),
    };
    app.store().add_table(&row, &content).await?;
    Ok(row)
}

/// What a row of the database says.
pub(crate) fn table_info(row: TableRow) -> Result<TableInfo, Problem> {
    let broken = |error: serde_json::Error| Problem::unreadable("table", &row.id, error);
    Ok(TableInfo {
        options: serde_json::from_str(&row.options).map_err(broken)?,
        summary: serde_json::from_str(&row.summary).map_err(broken)?,
        id: row.id,
        name: row.name,
        digest: row.digest,
        size: row.size,
        created: rfc3339(row.created),
        parent: row.parent,
    })
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
    query: RawQuery,
    request: Request,
) -> Result<Response, Problem> {
    let Upload { options, content } = Upload::of(&app, query, request).await?;
    let row = store_table(&app, options, content, None).await?;
    let place = format!("/api/v1/tables/{}", row.id);
    let headers = [(header::ETAG, tag(&row.digest)), (header::LOCATION, place)];
    Ok((StatusCode::CREATED, headers, Json(table_info(row)?)).into_response())
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
    query: RawQuery,
    request: Request,
) -> Result<Json<Summary>, Problem> {
    let Upload { options, content } = Upload::of(&app, query, request).await?;
    let limits = *app.limits();
    let table = app.think(move || understand("", &content, &options, &limits)).await??;
    Ok(Json(Summary { instance: InstanceSize::of(&table), warnings: table.warnings }))
}

/// List the tables
#[utoipa::path(get, path = "/api/v1/tables", tag = "tables", params(Page), security((), ("token" = [])), responses(
    (status = 200, description = "The newest first.", body = TableList),
    (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
))]
pub(super) async fn list(State(app): State<App>, page: Page) -> Result<Json<TableList>, Problem> {
    let rows = app.store().tables(page.limit.into(), page.offset.into()).await?;
    let (tables, unreadable) = understand_each(rows, |row| row.id.clone(), table_info);
    Ok(Json(TableList { tables, unreadable }))
}

/// Look at a table
#[utoipa::path(get, path = "/api/v1/tables/{id}", tag = "tables", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 200, description = "The table with its tests.", body = TableDetail, headers(("etag" = String, description = "The digest."))),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(super) async fn get(State(app): State<App>, Id(id): Id) -> Result<Response, Problem> {
    let row = app.store().table(&id).await?.ok_or_else(|| Problem::not_found("table"))?;
    let table = app.table(&id).await?;
    let (tag, info) = (tag(&row.digest), table_info(row)?);
    // Written where it is made: there may be a million answers to a test.
    let work =
        |table: &Loaded| serde_json::to_vec(&TableDetail { table: info, tests: tests(&table.instance) });
    let text = app.think_about(&table, work).await?.map_err(|error| {
        tracing::error!(%error, "a table is no JSON");
        Problem::internal()
    })?;
    let headers = [(header::ETAG, tag), (header::CONTENT_TYPE, "application/json".to_owned())];
    Ok((headers, text).into_response())
}

fn tests(instance: &fewest::Instance) -> Vec<TestInfo> {
    let test = |test| {
        let cost = instance.cost(test).into();
        let test = instance.test(test);
        let answers = test.answers.iter().map(str::to_owned).collect();
        TestInfo { name: test.name.clone(), question: test.question.clone(), cost, answers }
    };
    instance.test_ids().map(test).collect()
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
    let row = app.store().table(&id).await?.ok_or_else(|| Problem::not_found("table"))?;
    let tag = tag(&row.digest);
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|known| known.to_str().ok());
    if known.flat_map(|known| known.split(',')).any(|known| known.trim() == tag) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response());
    }
    // Never shown as a page: what somebody uploaded is saved, not run.
    let headers = [
        (header::ETAG, tag),
        (header::CONTENT_TYPE, "text/csv".to_owned()),
        (header::CONTENT_LENGTH, row.size.to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{id}.csv\"")),
    ];
    let read = move |number| {
        let (app, id) = (app.clone(), id.clone());
        async move {
            let part = app.store().table_part(&id, number).await?;
            part.map(Bytes::from).ok_or_else(|| Problem::not_found("table"))
        }
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
    let text = inspect_document(&app, &id).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}

/// The document of `fewest inspect --json`.
pub(crate) async fn inspect_document(app: &App, id: &str) -> Result<Vec<u8>, Problem> {
    let row = app.store().table(id).await?.ok_or_else(|| Problem::not_found("table"))?;
    let content = app.store().table_content(id).await?.ok_or_else(|| Problem::not_found("table"))?;
    let options: TableOptions =
        serde_json::from_str(&row.options).map_err(|error| Problem::unreadable("table", id, error))?;
    let limits = *app.limits();
    app.think(move || {
        let instance = understand_rows(&content, &options, &limits)?;
        document(&instance).map_err(|_| Problem::internal())
    })
    .await?
}

fn document(instance: &fewest::Instance) -> std::io::Result<Vec<u8>> {
    let inspection = inspect::inspect(instance);
    let name = |test: &fewest::TestId| instance.test(*test).name.as_str();
    let mut text = Vec::new();
    let mut document = Document::begin(&mut text)?;
    document.field("instance", &InstancePart::new(instance))?;
    document.list("tests", inspection.tests.iter().map(|report| TestPart::new(report, instance)))?;
    document.list("inseparable", instance.inseparable())?;
    document.list("useless", inspection.useless.iter().map(name))?;
    let sets = inspection.redundant.iter().map(|set| set.iter().map(name).collect::<Vec<_>>());
    document.list("redundant", sets)?;
    document.end()?;
    Ok(text)
}

/// Delete a table with its strategies and sessions
#[utoipa::path(delete, path = "/api/v1/tables/{id}", tag = "tables", params(("id" = String, Path)), security((), ("token" = [])),
    responses(
        (status = 204, description = "It is gone."),
        (status = "default", description = "A problem.", body = Problem, content_type = "application/problem+json")
    ))]
pub(crate) async fn delete(State(app): State<App>, Id(id): Id) -> Result<StatusCode, Problem> {
    let found = app.store().delete_table(&id).await?;
    app.forget(&id);
    app.jobs().cancel_table(&id);
    app.recount_sessions().await?;
    if found { Ok(StatusCode::NO_CONTENT) } else { Err(Problem::not_found("table")) }
}
