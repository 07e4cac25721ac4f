//! Tables: store, list, inspect and delete.

use super::unreadable::{Unreadable, read_each};
use crate::error::Problem;
use crate::id::new_id;
use crate::json::JsonNumber;
use crate::options::TableOptions;
use crate::spell::parameter;
use crate::state::App;
use crate::store::TableRow;
use crate::tables::{LoadedTable, load_rows, load_table};
use crate::time::{now_ms, rfc3339};
use bytes::Bytes;
use fewest::Spell;
use fewest_formats::json::{Document, InstancePart, TestPart};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Size of a problem.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct InstanceSize {
    /// Number of objects that differ in some answer.
    pub(crate) objects: usize,
    /// Number of rows of the table.
    pub(crate) rows: usize,
    /// Number of tests.
    pub(crate) tests: usize,
    /// Number of groups to tell apart; the number of objects where each object is its own group.
    pub(crate) groups: usize,
    /// Kind of the things to identify: `groups` or `objects`.
    pub(crate) identify: String,
    /// Whether an object is identified only after the test with its name was asked.
    pub(crate) confirm: bool,
    /// Number of tests that may not be asked of every object; left out if there is none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) conditional: usize,
    /// Entropy of the groups, or of the objects where these are identified.
    pub(crate) entropy_bits: JsonNumber,
}

impl InstanceSize {
    pub(crate) fn of(table: &LoadedTable) -> Self {
        let InstancePart { objects, rows, tests, groups, identify, confirm, conditional, entropy_bits } =
            InstancePart::new(&table.instance);
        let entropy_bits = JsonNumber(entropy_bits);
        Self { objects, rows, tests, groups, identify, confirm, conditional, entropy_bits }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Summary of a table, which is stored beside its contents.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Summary {
    /// Size of the problem.
    pub(crate) instance: InstanceSize,
    /// Remarks about contents that are unusual but allowed.
    pub(crate) warnings: Vec<String>,
}

/// Table that is stored.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct TableInfo {
    /// Id of the table on this server.
    pub(crate) id: String,
    /// Name of the table for people.
    pub(crate) name: String,
    /// SHA-256 of the contents and options.
    pub(crate) digest: String,
    /// Size of the contents in bytes.
    pub(crate) size: i64,
    /// Time of the upload.
    #[schema(format = DateTime)]
    pub(crate) created: String,
    /// Id of the table that this one was made from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<String>,
    /// Options for reading the table.
    pub(crate) options: TableOptions,
    #[serde(flatten)]
    pub(crate) summary: Summary,
}

/// Table with its tests.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct TableDetail {
    #[serde(flatten)]
    pub(crate) table: TableInfo,
    /// Tests, in the order of the table.
    pub(crate) tests: Vec<TestInfo>,
}

/// Test of a table.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct TestInfo {
    /// Name of the test.
    pub(crate) name: String,
    /// Text of the question, if the table has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) question: Option<String>,
    /// Cost of asking this test first.
    pub(crate) cost: JsonNumber,
    /// Bundle of tests with which it shares a set-up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bundle: Option<String>,
    /// Set-up that is part of the cost, and paid once for the bundle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) setup: Option<JsonNumber>,
    /// Possible answers.
    pub(crate) answers: Vec<String>,
}

/// Reads a table and stores it; problems name options as `spell` does. All of its bytes have arrived: no slow client is
/// waited for here.
///
/// # Errors
/// When the bytes are not a table, or the database is full.
pub(crate) async fn add(
    app: &App,
    options: TableOptions,
    content: Bytes,
    parent: Option<String>,
    spell: Spell,
) -> Result<TableInfo, Problem> {
    if app.store().table_count().await? >= app.limits().tables {
        return Err(Problem::busy("this server stores no more tables; delete some"));
    }
    let json = |error: serde_json::Error| {
        tracing::error!(%error, "a summary is no JSON");
        Problem::internal()
    };
    let text = serde_json::to_string(&options).map_err(json)?;
    if text.len() > app.limits().options {
        return Err(Problem::too_large(
            "the options of the table are longer than this server stores; make them shorter",
        ));
    }
    app.make_room(content.len() + text.len())?;
    let (id, limits) = (new_id(), *app.limits());
    let (bytes, how) = (content.clone(), options.clone());
    let named = id.clone();
    let table = app.run_blocking(move || load_table(&named, &bytes, &how, &limits, spell)).await??;
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

/// Converts a database row to the table's description.
///
/// # Errors
/// When the row cannot be read.
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

/// Returns the database row of a table, without its contents.
///
/// # Errors
/// When there is no such table.
pub(crate) async fn find(app: &App, id: &str) -> Result<TableRow, Problem> {
    app.store().table(id).await?.ok_or_else(|| Problem::not_found("table"))
}

/// Returns the database row of a table, with its contents.
///
/// # Errors
/// When there is no such table.
pub(crate) async fn stored(app: &App, id: &str) -> Result<(TableRow, Vec<u8>), Problem> {
    let row = find(app, id).await?;
    let content = app.store().table_content(id).await?.ok_or_else(|| Problem::not_found("table"))?;
    Ok((row, content))
}

/// Options for reading a stored table.
///
/// # Errors
/// When the row cannot be read.
pub(crate) fn options_of(row: &TableRow) -> Result<TableOptions, Problem> {
    serde_json::from_str(&row.options).map_err(|error| Problem::unreadable("table", &row.id, error))
}

/// Reads a table without storing it.
///
/// # Errors
/// When the bytes are not a table.
pub(crate) async fn validate(app: &App, options: TableOptions, content: Bytes) -> Result<Summary, Problem> {
    let limits = *app.limits();
    let table = app.run_blocking(move || load_table("", &content, &options, &limits, parameter)).await??;
    Ok(Summary { instance: InstanceSize::of(&table), warnings: table.warnings })
}

/// Returns database rows of tables, the newest first.
///
/// # Errors
/// When the database fails.
pub(crate) async fn rows(app: &App, most: i64, skipped: i64) -> Result<Vec<TableRow>, Problem> {
    Ok(app.store().tables(most, skipped).await?)
}

/// Lists tables, the newest first, and the rows that cannot be read.
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

/// Finds the table with this digest among the newest 1000.
///
/// # Errors
/// When the database fails.
pub(crate) async fn with_digest(app: &App, digest: &str) -> Result<Option<String>, Problem> {
    let rows = rows(app, 1000, 0).await?;
    Ok(rows.into_iter().find(|row| row.digest == digest).map(|row| row.id))
}

/// Describes a table with its tests, as JSON, and returns its digest.
///
/// # Errors
/// When there is no such table, or it cannot be read.
pub(crate) async fn detail(app: &App, id: &str) -> Result<(Vec<u8>, String), Problem> {
    let row = find(app, id).await?;
    let table = app.table(id).await?;
    let (digest, info) = (row.digest.clone(), info(row)?);
    // Written where it is made: a test may have a million answers.
    let work =
        |table: &LoadedTable| serde_json::to_vec(&TableDetail { table: info, tests: tests(&table.instance) });
    let text = app.run_on(&table, work).await?.map_err(|error| {
        tracing::error!(%error, "a table is no JSON");
        Problem::internal()
    })?;
    Ok((text, digest))
}

/// Bundle of a test and its set-up, if it is in one.
fn bundle(instance: &fewest::Instance, test: fewest::TestId) -> (Option<String>, Option<JsonNumber>) {
    let bundle = instance.pricing().and_then(|pricing| Some(&pricing.bundles()[pricing.bundle_of(test)?]));
    let setup = bundle.map(|bundle| (bundle.setup / instance.costs().scale()).into());
    (bundle.map(|bundle| bundle.name.clone()), setup)
}

fn tests(instance: &fewest::Instance) -> Vec<TestInfo> {
    let test = |test| {
        let cost = instance.first_cost(test).into();
        let (bundle, setup) = bundle(instance, test);
        let test = instance.test(test);
        let answers = test.answers.iter().map(str::to_owned).collect();
        TestInfo { name: test.name.clone(), question: test.question.clone(), cost, bundle, setup, answers }
    };
    instance.test_ids().map(test).collect()
}

/// Returns a part of the contents of a table, numbered from 0; empty after the last.
///
/// # Errors
/// When there is no such table.
pub(crate) async fn part(app: &App, id: &str, number: usize) -> Result<Bytes, Problem> {
    let part = app.store().table_part(id, number).await?;
    part.map(Bytes::from).ok_or_else(|| Problem::not_found("table"))
}

/// Returns the document of `fewest inspect --json`.
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
