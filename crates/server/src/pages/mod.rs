//! Pages for people: rendered on the server, usable without scripts, styled by the files in `web/`.
//!
//! A page is a template in `templates/`, a struct with its fields, and a line in [`router`]. Forms carry the text of
//! a [`FormToken`](crate::guard::FormToken) in a hidden field `token` and come back as a
//! [`SafeForm`](crate::guard::SafeForm). Every form is answered by a redirect, so that every page has an address.

mod all_tests;
mod ask;
mod assets;
mod build;
mod check;
mod compare;
mod demos;
mod facts;
mod failure;
mod head;
mod more;
mod open;
mod paging;
mod question;
mod reading;
mod result;
mod session;
mod sessions;
mod sign_in;
mod tree;
mod wording;

pub(crate) use failure::in_html;

use crate::error::Problem;
use crate::guard::SIGN_IN;
use crate::state::App;
use askama::Template;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::response::Html;
use axum::routing::{get, post};

/// Routes of all pages; `body` is the most bytes of a table.
pub(crate) fn router(body: usize) -> Router<App> {
    Router::new()
        .route("/", get(open::show).post(open::upload).layer(DefaultBodyLimit::max(body)))
        .route("/files/{id}", post(open::again))
        .route("/examples/{name}", post(open::demo))
        .route("/tables/{id}", get(check::show))
        .route("/tables/{id}/delete", post(check::delete))
        .route("/tables/{id}/read", post(check::change))
        .route("/tables/{id}/build", get(build::form).post(build::build))
        .route("/tables/{id}/compare", get(compare::form).post(compare::begin))
        .route("/tables/{id}/ask", get(ask::start).post(ask::create))
        .route("/tables/{id}/shared", get(result::shared))
        .route("/strategies/{id}", get(build::show))
        .route("/strategies/{id}/stop", post(build::stop))
        .route("/strategies/{id}/tree", get(tree::show))
        .route("/comparisons/{id}", get(compare::comparison))
        .route("/fronts/{id}", get(compare::front))
        .route("/sessions", get(sessions::show))
        .route("/sessions/{id}", get(ask::resume))
        .route("/sessions/{id}/questions/{number}", get(question::show))
        .route("/sessions/{id}/tests", get(all_tests::show))
        .route("/sessions/{id}/facts", post(facts::tell))
        .route("/sessions/{id}/answer", post(ask::answer))
        .route("/sessions/{id}/withdraw", post(ask::withdraw))
        .route("/sessions/{id}/result", get(result::show))
        .route("/sessions/{id}/candidates", get(result::candidates))
        .route("/sessions/{id}/explain", get(result::explain))
        .route("/sessions/{id}/outcome", post(result::confirm))
        .route("/sessions/{id}/delete", post(sessions::delete))
        .route(SIGN_IN, get(sign_in::show).post(sign_in::enter))
        .route("/assets/{*path}", get(assets::get))
}

/// Renders a template as a page.
pub(crate) fn page(template: &impl Template) -> Result<Html<String>, Problem> {
    template.render().map(Html).map_err(|error| {
        tracing::error!(%error, "a page cannot be made");
        Problem::internal()
    })
}
