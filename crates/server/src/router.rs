//! The routes, and the layers around them.

use crate::error::Problem;
use crate::state::App;
use crate::{api, guard, metrics, pages};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use std::any::Any;
use std::sync::Arc;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::TimeoutLayer;

/// Most bytes of a body that is not a table: far more than any answer or option takes.
const SMALL_BODY: usize = 512 * 1024;

/// Router of the whole web app: API, pages, and the guard around them.
pub fn router(app: App) -> Router {
    let limits = *app.limits();
    let (api, _) = api::router(limits.body).split_for_parts();
    Router::new()
        .merge(api)
        .merge(pages::router(limits.body))
        .fallback(|| async { Problem::not_found("page") })
        .method_not_allowed_fallback(|| async { Problem::method() })
        .layer(DefaultBodyLimit::max(SMALL_BODY))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, limits.request))
        .layer(CatchPanicLayer::custom(broken))
        .layer(map_response(in_words))
        .layer(from_fn_with_state(Arc::clone(app.guard()), guard::check))
        .layer(from_fn(pages::in_html))
        .layer(from_fn_with_state(Arc::clone(app.metrics()), metrics::measure))
        .layer(CompressionLayer::new())
        .with_state(app)
}

/// Response after a handler panicked: an error of the server, but the connection stays open.
fn broken(_: Box<dyn Any + Send + 'static>) -> Response {
    tracing::error!("a handler panicked");
    Problem::internal().into_response()
}

/// Replaces the empty response of a timeout by a problem in words.
async fn in_words(response: Response) -> Response {
    if response.status() == StatusCode::REQUEST_TIMEOUT
        && !response.headers().contains_key(axum::http::header::CONTENT_TYPE)
    {
        return Problem::too_slow().into_response();
    }
    response
}
