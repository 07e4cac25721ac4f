//! Page of all sessions, and of the use of tables and tests.

use super::paging::{PageOf, Paging};
use super::{page, wording};
use crate::error::Problem;
use crate::extract::Id;
use crate::guard::{FormToken, SafeForm};
use crate::service::prior::Confirmed;
use crate::service::sessions;
use crate::service::usage::{self, SessionLine, TableUse, TestUse, Usage};
use crate::state::App;
use crate::time::rfc3339;
use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use fewest_formats::text::percent;

/// Most sessions on a page, and most tables and tests beside them.
const SESSIONS: u32 = 50;
const TABLES: i64 = 20;
const TESTS: i64 = 15;

#[derive(Template)]
#[template(path = "sessions.html")]
struct Page<'a> {
    token: &'a str,
    total: u64,
    confirmed: i64,
    answers: i64,
    mean: String,
    lines: PageOf<Line>,
    tables: Vec<TableLine>,
    tests: Vec<TestLine>,
}

struct Line {
    id: String,
    table: String,
    when: String,
    answers: i64,
    outcome: String,
}

struct TableLine {
    id: String,
    name: String,
    sessions: i64,
    confirmed: i64,
    mean: String,
    bar: String,
}

struct TestLine {
    name: String,
    table: String,
    answers: i64,
    unknown: String,
    bar: String,
}

fn mean(answers: i64, sessions: i64) -> String {
    if sessions == 0 { "–".to_owned() } else { wording::number(answers as f64 / sessions as f64, 1) }
}

fn line(line: SessionLine) -> Line {
    let outcome = line.outcome.and_then(|outcome| serde_json::from_str(&outcome).ok());
    Line {
        id: line.id,
        table: line.table,
        when: wording::moment(&rfc3339(line.changed)),
        answers: line.answers,
        outcome: outcome.map_or(String::new(), |outcome| match outcome {
            Confirmed::Object(name) | Confirmed::Group(name) => name,
        }),
    }
}

pub(super) async fn show(
    State(app): State<App>,
    paging: Paging,
    token: FormToken,
) -> Result<Response, Problem> {
    let paging = paging.of(SESSIONS);
    let lines = usage::lines(&app, paging.wanted(), paging.skipped()).await?;
    let Usage { tables, tests, total, answers, confirmed } = usage::usage(&app, TABLES, TESTS).await?;
    let most = tables.iter().map(|table| table.sessions).max().unwrap_or(1).max(1);
    let of_table = |table: TableUse| TableLine {
        mean: mean(table.answers, table.sessions),
        bar: wording::bar(table.sessions as f64 / most as f64),
        id: table.id,
        name: table.name,
        sessions: table.sessions,
        confirmed: table.confirmed,
    };
    let of_test = |test: TestUse| {
        let share = test.unknown as f64 / test.answers.max(1) as f64;
        TestLine {
            name: test.name,
            table: test.table,
            answers: test.answers,
            unknown: percent(share),
            bar: wording::bar(share),
        }
    };
    let html = page(&Page {
        token: token.text(),
        total: total.unsigned_abs(),
        confirmed,
        answers,
        mean: mean(answers, total),
        lines: paging.around(lines.into_iter().map(line).collect()),
        tables: tables.into_iter().map(of_table).collect(),
        tests: tests.into_iter().map(of_test).collect(),
    })?;
    Ok((token, html).into_response())
}

/// Deletes a session with its answers and log.
pub(super) async fn delete(
    State(app): State<App>,
    Id(id): Id,
    _form: SafeForm<Vec<(String, String)>>,
) -> Result<Redirect, Problem> {
    sessions::delete(&app, &id).await?;
    Ok(Redirect::to("/sessions"))
}
