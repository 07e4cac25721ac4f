//! Page where a browser signs in with a token.

use super::page;
use crate::error::Problem;
use crate::guard::{COOKIE, FormToken, SafeForm, Visitor, secure};
use crate::state::App;
use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

#[derive(Template)]
#[template(path = "sign-in.html")]
struct SignIn<'a> {
    token: &'a str,
    refused: bool,
}

#[derive(Deserialize)]
pub(super) struct Entry {
    key: String,
}

pub(super) async fn show(token: FormToken) -> Result<Response, Problem> {
    let html = page(&SignIn { token: token.text(), refused: false })?;
    Ok((token, html).into_response())
}

pub(super) async fn enter(
    State(app): State<App>,
    visitor: Option<Extension<Visitor>>,
    token: FormToken,
    SafeForm(entry): SafeForm<Entry>,
) -> Result<Response, Problem> {
    let key = entry.key.trim();
    if !app.guard().tokens.knows(key) {
        return Ok(page(&SignIn { token: token.text(), refused: true })?.into_response());
    }
    let secure = secure(visitor.is_some_and(|Extension(visitor)| visitor.is_secure));
    let cookie = format!("{COOKIE}={key}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000{secure}");
    let mut response = Redirect::to("/").into_response();
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}
