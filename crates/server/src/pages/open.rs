//! The first page: open a table.

use super::page;
use crate::App;
use crate::api::{TableInfo, from_form, store_table, table_info};
use crate::error::Problem;
use crate::guard::FormToken;
use crate::options::TableOptions;
use askama::Template;
use axum::extract::{Multipart, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};

#[derive(Template)]
#[template(path = "open.html")]
struct Open<'a> {
    token: &'a str,
    tables: Vec<TableInfo>,
}

pub(super) async fn show(State(app): State<App>, token: FormToken) -> Result<Response, Problem> {
    let rows = app.store().tables(20, 0).await?;
    let tables = rows.into_iter().map(table_info).collect::<Result<_, _>>()?;
    let html = page(&Open { token: token.text(), tables })?;
    Ok((token, html).into_response())
}

pub(super) async fn upload(
    State(app): State<App>,
    headers: HeaderMap,
    form: Multipart,
) -> Result<Response, Problem> {
    let _permit = app.upload_permit().await?;
    let mut options = TableOptions::default();
    let form = from_form(form, &mut options).await?;
    if !FormToken::fits(&headers, &form.token) {
        return Err(Problem::forbidden(
            "the form is not from a page of this server, or too old; open the page anew",
        ));
    }
    let row = store_table(&app, options, form.content, None).await?;
    Ok(Redirect::to(&format!("/?opened={}", row.id)).into_response())
}
