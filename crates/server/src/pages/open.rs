//! First page: open a table.

use super::demos::{DEMOS, Demo};
use super::paging::{PageOf, Paging};
use super::{page, wording};
use crate::error::Problem;
use crate::extract::{Id, from_form};
use crate::guard::{FormToken, SafeForm};
use crate::options::TableOptions;
use crate::service::reread::read_held;
use crate::service::tables::{self, TableInfo};
use crate::spell;
use crate::state::App;
use crate::store::TableRow;
use askama::Template;
use axum::extract::{Multipart, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use bytes::Bytes;

/// Tables on a page.
const RECENT: u32 = 12;

#[derive(Template)]
#[template(path = "open.html")]
struct Open<'a> {
    token: &'a str,
    problem: Option<&'a Problem>,
    /// Id of the file that could not be read, if it is held.
    held: Option<&'a str>,
    demos: &'static [Demo],
    tables: PageOf<TableLine>,
}

struct TableLine {
    id: String,
    name: String,
    size: String,
    opened: String,
}

impl From<TableInfo> for TableLine {
    fn from(table: TableInfo) -> Self {
        let TableInfo { id, name, created, summary, .. } = table;
        Self { id, name, size: wording::size(&summary.instance), opened: wording::moment(&created) }
    }
}

pub(super) async fn show(
    State(app): State<App>,
    paging: Paging,
    token: FormToken,
) -> Result<Response, Problem> {
    respond(&app, token, paging, None, None).await
}

async fn respond(
    app: &App,
    token: FormToken,
    paging: Paging,
    problem: Option<&Problem>,
    held: Option<&str>,
) -> Result<Response, Problem> {
    let paging = paging.of(RECENT);
    let rows = tables::rows(app, paging.wanted(), paging.skipped()).await?;
    let line = |row: TableRow| {
        let (id, name) = (row.id.clone(), row.name.clone());
        let unreadable = |_| TableLine { id, name, size: "cannot be read".to_owned(), opened: String::new() };
        tables::info(row).map_or_else(unreadable, TableLine::from)
    };
    let tables = rows.into_iter().map(line).collect();
    let html =
        page(&Open { token: token.text(), problem, held, demos: DEMOS, tables: paging.around(tables) })?;
    let status = problem.map_or(StatusCode::OK, Problem::status_code);
    Ok((status, token, html).into_response())
}

/// Stores an uploaded table, or shows the page again with the problem.
pub(super) async fn upload(
    State(app): State<App>,
    headers: HeaderMap,
    token: FormToken,
    form: Multipart,
) -> Result<Response, Problem> {
    let taken = async {
        let mut options = TableOptions::new();
        let form = from_form(form, &mut options).await?;
        if !FormToken::fits(&headers, &form.token) {
            return Err(Problem::forbidden(
                "the form is too old, or it is not from a page of this server; open the page again",
            ));
        }
        if form.content.is_empty() {
            return Err(Problem::bad_request("no file was chosen, or it is empty; choose a table first"));
        }
        Ok((options, form.content))
    };
    let (options, content) = match taken.await {
        Ok(taken) => taken,
        Err(problem) => return respond(&app, token, Paging::first(), Some(&problem), None).await,
    };
    match tables::add(&app, options.clone(), content.clone(), None, spell::in_words).await {
        Ok(table) => Ok(Redirect::to(&format!("/tables/{}", table.id)).into_response()),
        Err(problem) => {
            // Another choice may help, and it needs no new upload.
            let held = if problem.status == 422 { app.held().hold(options, content) } else { None };
            respond(&app, token, Paging::first(), Some(&problem), held.as_deref()).await
        }
    }
}

/// Reads a file that was uploaded before in another way.
pub(super) async fn again(
    State(app): State<App>,
    Id(id): Id,
    token: FormToken,
    SafeForm(changes): SafeForm<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    match read_held(&app, &id, &changes, spell::in_words).await {
        Ok(table) => Ok(Redirect::to(&format!("/tables/{table}")).into_response()),
        Err(problem) => {
            let held = app.held().get(&id).map(|_| id.as_str());
            respond(&app, token, Paging::first(), Some(&problem), held).await
        }
    }
}

/// Opens an example table.
pub(super) async fn demo(
    State(app): State<App>,
    name: Path<String>,
    _form: SafeForm<Vec<(String, String)>>,
) -> Result<Redirect, Problem> {
    let demo = DEMOS.iter().find(|demo| demo.name == *name).ok_or_else(|| Problem::not_found("example"))?;
    let options = TableOptions { name: Some(demo.file.to_owned()), ..TableOptions::new() };
    let digest = crate::tables::digest(demo.content, &options);
    // One copy is enough for all sessions.
    let id = match tables::with_digest(&app, &digest).await? {
        Some(id) => id,
        None => tables::add(&app, options, Bytes::from_static(demo.content), None, spell::in_words).await?.id,
    };
    Ok(Redirect::to(&format!("/tables/{id}")))
}
