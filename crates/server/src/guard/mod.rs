//! Admission of requests by host, rate, origin and token; limits on what they use; headers of responses.
//!
//! One layer around all routes. It checks, in this order: the host that the request names, the rate of its address,
//! the origin of a request that changes something, and the token. Responses get their headers here too.

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
pub(crate) use quota::{Quota, QuotaFull, QuotaShare};
pub(crate) use rate::Rate;
pub(crate) use token::{COOKIE, Tokens, hash};
pub use token::{NewToken, TokenInfo, add_token, list_tokens, new_token, revoke_token};
pub(crate) use traffic::{Streamed, hung_up};
pub(crate) use visitor::Visitor;

use crate::error::Problem;
use crate::limits::Limits;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// Page where a browser signs in with its token.
pub(crate) const SIGN_IN: &str = "/sign-in";

/// State of the guard: rules of admission, and what clients use at the same time.
#[derive(Debug)]
pub(crate) struct Guard {
    /// Host names of this server.
    pub(crate) hosts: Hosts,
    /// Tokens that are accepted.
    pub(crate) tokens: Tokens,
    /// Request rate by address.
    pub(crate) rate: Rate,
    /// Addresses of proxies, whose headers about their clients are trusted.
    pub(crate) proxies: Vec<IpAddr>,
    /// Quota of event streams.
    pub(crate) streams: Arc<Quota>,
    /// Quota of bytes of incoming bodies.
    pub(crate) incoming: Arc<Quota>,
    /// Quota of bytes of bodies that wait to be sent.
    pub(crate) outgoing: Arc<Quota>,
    /// Least speed of clients.
    pub(crate) pace: Pace,
}

impl Guard {
    /// Creates a guard with these limits.
    pub(crate) fn new(hosts: Hosts, tokens: Tokens, proxies: &[IpAddr], limits: &Limits) -> Self {
        // One address may use a quarter of the bytes of bodies.
        let bodies = || Quota::new(limits.bodies, limits.bodies / 4);
        Self {
            hosts,
            tokens,
            rate: Rate::new(limits.rate),
            proxies: proxies.iter().map(IpAddr::to_canonical).collect(),
            streams: Quota::new(limits.streams, limits.streams_each),
            incoming: bodies(),
            outgoing: bodies(),
            pace: Pace::of(limits),
        }
    }

    /// Checks host, rate, origin and token of a request.
    fn admit(&self, request: &Request, visitor: Visitor) -> Result<(), Problem> {
        let headers = request.headers();
        self.hosts.check(headers, request.uri())?;
        self.rate.check(visitor.address)?;
        if !request.method().is_safe() {
            origin::check(headers)?;
        }
        if is_open(request.uri().path()) { Ok(()) } else { self.tokens.check(headers) }
    }
}

/// Admits or refuses a request, and sets the headers of its response.
pub(crate) async fn check(State(guard): State<Arc<Guard>>, mut request: Request, next: Next) -> Response {
    let is_page = !request.uri().path().starts_with("/api/");
    let visitor = Visitor::of(&request, &guard.proxies);
    request.extensions_mut().insert(visitor);
    let mut response = match guard.admit(&request, visitor) {
        Ok(()) => traffic::pass(&guard, visitor, request, next).await,
        Err(problem) if problem.status == 401 && is_page && headers::wants_html(request.headers()) => {
            Redirect::to(SIGN_IN).into_response()
        }
        Err(problem) => problem.into_response(),
    };
    headers::set(response.headers_mut());
    response
}

/// Whether a path needs no token, because nothing private is there.
fn is_open(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz" | "/openapi.json" | SIGN_IN) || path.starts_with("/assets/")
}
