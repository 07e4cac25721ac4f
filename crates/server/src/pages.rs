//! Pages for people: made here, usable without scripts, dressed by the files in `web/`.
//!
//! A page is a template in `templates/`, a struct with its fields, and a line in [`router`]. Forms carry the text of a
//! [`FormToken`] in a hidden field `token` and come back as a [`SafeForm`].

mod assets;
mod open;
mod sign_in;

pub(crate) use sign_in::sign_in;

use crate::App;
use crate::error::Problem;
use askama::Template;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::response::Html;
use axum::routing::get;

/// The routes of all pages; `body`: bytes of a table.
pub(crate) fn router(body: usize) -> Router<App> {
    Router::new()
        .route("/", get(open::show).post(open::upload).layer(DefaultBodyLimit::max(body)))
        .route("/sign-in", get(sign_in::show).post(sign_in::enter))
        .route("/assets/{*path}", get(assets::get))
}

/// A template as a page.
pub(crate) fn page(template: &impl Template) -> Result<Html<String>, Problem> {
    template.render().map(Html).map_err(|error| {
        tracing::error!(%error, "a page cannot be made");
        Problem::internal()
    })
}
