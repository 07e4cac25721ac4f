//! Who may come in, from where, how often, and what a page may do.
//!
//! One layer around all routes, in this order: the host that the request names, the rate of its address, the origin of
//! what changes something, the token. What leaves gets its headers here too.

mod form;
mod headers;
mod host;
mod origin;
mod pace;
mod quota;
mod rate;
mod token;
mod traffic;
mod visitor;

pub(crate) use form::{FormToken, SafeForm, secure};
pub use host::Hosts;
pub(crate) use pace::{Pace, Paced};
pub(crate) use quota::{Full, Quota, Share};
pub(crate) use rate::Rate;
pub(crate) use token::{COOKIE, Tokens, hash};
pub use token::{NewToken, TokenInfo, add_token, list_tokens, new_token, revoke_token};
pub(crate) use traffic::{Streamed, hung_up};
pub(crate) use visitor::Visitor;

use crate::App;
use crate::error::Problem;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Lets a request through, or not, and gives the response its headers.
pub(crate) async fn guard(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let is_page = !request.uri().path().starts_with("/api/");
    let visitor = Visitor::of(&request, app.proxies());
    request.extensions_mut().insert(visitor);
    let mut response = match admit(&app, &request, visitor) {
        Ok(()) => traffic::pass(&app, visitor, request, next).await,
        Err(problem) if problem.status == 401 && is_page && headers::wants_html(request.headers()) => {
            crate::pages::sign_in(request.uri()).into_response()
        }
        Err(problem) => problem.into_response(),
    };
    headers::set(response.headers_mut());
    response
}

fn admit(app: &App, request: &Request, visitor: Visitor) -> Result<(), Problem> {
    let headers = request.headers();
    app.hosts().check(headers, request.uri())?;
    app.rate().check(visitor.address)?;
    if !request.method().is_safe() {
        origin::check(headers)?;
    }
    if is_open(request.uri().path()) { Ok(()) } else { app.tokens().check(headers) }
}

/// What can be had without a token: nothing of anybody's.
fn is_open(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz" | "/openapi.json" | "/sign-in") || path.starts_with("/assets/")
}
