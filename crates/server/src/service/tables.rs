//! Tables: kept, listed, looked at and deleted.

use super::unreadable::{Unreadable, read_each};
use crate::error::Problem;
use crate::id::new_id;
use crate::json::JsonNumber;
use crate::options::TableOptions;
use crate::state::App;
use crate::store::TableRow;
use crate::tables::{LoadedTable, load_rows, load_table};
use crate::time::{now_ms, rfc3339};
use bytes::Bytes;
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
    pub(crate) entropy_bits: JsonNumber,
}

impl InstanceSize {
    pub(crate) fn of(table: &LoadedTable) -> Self {
        let InstancePart { objects, rows, tests, groups, identify, confirm, entropy_bits } =
            InstancePart::new(&table.instance);
        Self { objects, rows, tests, groups, identify, confirm, entropy_bits: JsonNumber(entropy_bits) }
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
    pub(crate) cost: JsonNumber,
    /// Its answers.
    pub(crate) answers: Vec<String>,
}

/// Understands a table and keeps it. Its bytes are all there: no slow client is waited for by now.
///
/// # Errors
/// When the bytes are no table, or there is no room for it.
pub(crate) async fn add(
    app: &App,
    options: TableOptions,
    content: Bytes,
    parent: Option<String>,
) -> Result<TableInfo, Problem> {
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
    let table = app.run_blocking(move || load_table(&named, &bytes, &how, &limits)).await??;
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
    info(row)
}

/// What a row of the database says.
///
/// # Errors
/// When what is kept cannot be read.
pub(crate) fn info(row: TableRow) -> Result<TableInfo, Problem> {
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

/// A table as it is kept, without its bytes.
///
/// # Errors
/// When there is no such table.
pub(crate) async fn find(app: &App, id: &str) -> Result<TableRow, Problem> {
    app.store().table(id).await?.ok_or_else(|| Problem::not_found("table"))
}

/// A table as it is kept, with its bytes.
///
/// # Errors
/// When there is no such table.
pub(crate) async fn stored(app: &App, id: &str) -> Result<(TableRow, Vec<u8>), Problem> {
    let row = find(app, id).await?;
    let content = app.store().table_content(id).await?.ok_or_else(|| Problem::not_found("table"))?;
    Ok((row, content))
}

/// How a table that is kept is read.
///
/// # Errors
/// When what is kept cannot be read.
pub(crate) fn options_of(row: &TableRow) -> Result<TableOptions, Problem> {
    serde_json::from_str(&row.options).map_err(|error| Problem::unreadable("table", &row.id, error))
}

/// Understands a table without keeping it.
///
/// # Errors
/// When the bytes are no table.
pub(crate) async fn validate(app: &App, options: TableOptions, content: Bytes) -> Result<Summary, Problem> {
    let limits = *app.limits();
    let table = app.run_blocking(move || load_table("", &content, &options, &limits)).await??;
    Ok(Summary { instance: InstanceSize::of(&table), warnings: table.warnings })
}

/// The newest tables first, as the database keeps them.
///
/// # Errors
/// When the database fails.
pub(crate) async fn rows(app: &App, most: i64, skipped: i64) -> Result<Vec<TableRow>, Problem> {
    Ok(app.store().tables(most, skipped).await?)
}

/// The newest tables first, and those that cannot be read.
///
/// # Errors
/// When the database fails.
pub(crate) async fn list(
    app: &App,
    most: i64,
    skipped: i64,
) -> Result<(Vec<TableInfo>, Vec<Unreadable>), Problem> {
    let rows = rows(app, most, skipped).await?;
    Ok(read_each(rows, |row| row.id.clone(), info))
}

/// The table whose digest is `digest`, among the newest 1000.
///
/// # Errors
/// When the database fails.
pub(crate) async fn with_digest(app: &App, digest: &str) -> Result<Option<String>, Problem> {
    let rows = rows(app, 1000, 0).await?;
    Ok(rows.into_iter().find(|row| row.digest == digest).map(|row| row.id))
}

/// A table with its tests, as JSON, and its digest.
///
/// # Errors
/// When there is no such table, or it cannot be read.
pub(crate) async fn detail(app: &App, id: &str) -> Result<(Vec<u8>, String), Problem> {
    let row = find(app, id).await?;
    let table = app.table(id).await?;
    let (digest, info) = (row.digest.clone(), info(row)?);
    // Written where it is made: there may be a million answers to a test.
    let work =
        |table: &LoadedTable| serde_json::to_vec(&TableDetail { table: info, tests: tests(&table.instance) });
    let text = app.run_on(&table, work).await?.map_err(|error| {
        tracing::error!(%error, "a table is no JSON");
        Problem::internal()
    })?;
    Ok((text, digest))
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

/// A part of the bytes of a table, numbered from 0; empty after the last.
///
/// # Errors
/// When there is no such table.
pub(crate) async fn part(app: &App, id: &str, number: usize) -> Result<Bytes, Problem> {
    let part = app.store().table_part(id, number).await?;
    part.map(Bytes::from).ok_or_else(|| Problem::not_found("table"))
}

/// The document of `fewest inspect --json`.
///
/// # Errors
/// When there is no such table, or it cannot be read.
pub(crate) async fn inspect(app: &App, id: &str) -> Result<Vec<u8>, Problem> {
    let (row, content) = stored(app, id).await?;
    let options = options_of(&row)?;
    let limits = *app.limits();
    app.run_blocking(move || {
        let instance = load_rows(&content, &options, &limits)?;
        document(&instance).map_err(|_| Problem::internal())
    })
    .await?
}

fn document(instance: &fewest::Instance) -> std::io::Result<Vec<u8>> {
    let inspection = fewest::inspect::inspect(instance);
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

/// Deletes a table with its strategies and sessions.
///
/// # Errors
/// When there is no such table.
pub(crate) async fn delete(app: &App, id: &str) -> Result<(), Problem> {
    let found = app.store().delete_table(id).await?;
    app.forget_table(id);
    app.jobs().cancel_table(id);
    app.recount_sessions().await?;
    if found { Ok(()) } else { Err(Problem::not_found("table")) }
}
