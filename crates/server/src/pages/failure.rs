//! Problems as pages, for browsers.

use super::page;
use crate::error::Problem;
use askama::Template;
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Most bytes of a problem.
const LONGEST: usize = 64 * 1024;

#[derive(Template)]
#[template(path = "failure.html")]
struct Failure<'a> {
    title: &'a str,
    detail: &'a str,
    status: u16,
}

/// Replaces a problem by a page where a browser asked for a page.
pub(crate) async fn in_html(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_page = !path.starts_with("/api/") && !path.starts_with("/assets/");
    let wants = is_page && accepts_html(request.headers());
    let response = next.run(request).await;
    let status = response.status();
    let is_bare = !is_html(response.headers());
    if !(wants && is_bare && (status.is_client_error() || status.is_server_error())) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, LONGEST).await.unwrap_or_default();
    let problem = serde_json::from_slice::<Problem>(&body)
        .unwrap_or_else(|_| Problem::bad_request(String::from_utf8_lossy(&body)));
    let shown = Failure { title: &problem.title, detail: &problem.detail, status: status.as_u16() };
    let Ok(html) = page(&shown) else { return status.into_response() };
    let mut response = html.into_response();
    for name in [header::CONTENT_TYPE, header::CONTENT_LENGTH] {
        parts.headers.remove(name);
    }
    response.headers_mut().extend(parts.headers);
    *response.status_mut() = status;
    response
}

fn accepts_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|value| value.contains("text/html"))
}

fn is_html(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/html"))
}
