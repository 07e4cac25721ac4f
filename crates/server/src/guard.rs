//! Who may come in, from where, how often, and what a page may do.
//!
//! One layer around all routes, in this order: the host that the request names, the rate of its address, the origin of
//! what changes something, the token. What leaves gets its headers here too.

mod form;
mod headers;
mod host;
mod origin;
mod rate;
mod token;

pub(crate) use form::{FormToken, SafeForm};
pub use host::Hosts;
pub(crate) use rate::Rate;
pub(crate) use token::{COOKIE, Tokens, hash};
pub use token::{add_token, new_token};

use crate::App;
use crate::error::Problem;
use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;

/// Lets a request through, or not, and gives the response its headers.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let is_page = !request.uri().path().starts_with("/api/");
    let mut response = match admit(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(problem) if problem.status == 401 && is_page && headers::wants_html(request.headers()) => {
            crate::pages::sign_in(request.uri()).into_response()
        }
        Err(problem) => problem.into_response(),
    };
    headers::set(response.headers_mut());
    response
}

fn admit(app: &App, request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    app.hosts().check(headers, request.uri())?;
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    app.rate().check(peer)?;
    if !request.method().is_safe() {
        origin::check(headers)?;
    }
    if is_open(request.uri().path()) { Ok(()) } else { app.tokens().check(headers) }
}

/// What can be had without a token: nothing of anybody's.
fn is_open(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz" | "/openapi.json" | "/sign-in") || path.starts_with("/assets/")
}
