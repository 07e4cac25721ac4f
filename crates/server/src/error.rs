//! Problems of requests, as RFC 9457 writes them.

use crate::store::{Cause, Effect, Failure};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A problem: its kind, what happened and the way out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// The kind of problem, such as `urn:fewest:problem:table`.
    #[serde(rename = "type")]
    #[schema(example = "urn:fewest:problem:table")]
    pub kind: String,
    /// The kind in words.
    pub title: String,
    /// The status of the response.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// What happened here, and what to do about it.
    pub detail: String,
}

impl Problem {
    fn new(status: StatusCode, kind: &str, title: &str, detail: impl ToString) -> Self {
        Self {
            kind: format!("urn:fewest:problem:{kind}"),
            title: title.to_owned(),
            status: status.as_u16(),
            detail: detail.to_string(),
        }
    }

    /// The request cannot be understood.
    pub fn bad_request(detail: impl ToString) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "request", "The request cannot be understood", detail)
    }

    /// The request is understood, but does not fit the data.
    pub fn unfit(detail: impl ToString) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "unfit", "The request does not fit the data", detail)
    }

    /// The table cannot be understood.
    pub fn table(detail: impl ToString) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "table", "The table cannot be understood", detail)
    }

    /// What is asked for does not exist.
    pub fn not_found(what: &str) -> Self {
        let detail = format!("there is no such {what}; it may have been deleted");
        Self::new(StatusCode::NOT_FOUND, "not-found", "Not found", detail)
    }

    /// There is such a place, but not for this verb.
    pub fn method() -> Self {
        let detail = "this address does not take that method; /openapi.json lists what it takes";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method", "Method not allowed", detail)
    }

    /// A request that does not fit the state of things: not ready, or already over.
    pub fn conflict(detail: impl ToString) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", "Not in this state", detail)
    }

    /// More than the limits allow.
    pub fn too_large(detail: impl ToString) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "More than this server takes", detail)
    }

    /// The body is of a kind that is not taken here.
    pub fn media_type(detail: impl ToString) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", "Unsupported media type", detail)
    }

    /// No token, or one that is not known.
    pub fn unauthorized() -> Self {
        let detail =
            "this server wants a token: send `Authorization: Bearer TOKEN`, or sign in on the first page";
        Self::new(StatusCode::UNAUTHORIZED, "token", "A token is needed", detail)
    }

    /// The request comes from somewhere it must not come from.
    pub fn forbidden(detail: impl ToString) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", "Not from there", detail)
    }

    /// Too many requests.
    pub fn too_many(detail: impl ToString) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "rate", "Too many requests", detail)
    }

    /// The server is full for now.
    pub fn busy(detail: impl ToString) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "Busy", detail)
    }

    /// The server cannot keep anything now.
    pub fn not_ready(reason: &str) -> Self {
        let detail = format!("{reason}; nothing can be kept until that is mended");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "database", "Not ready", detail)
    }

    /// The request took too long.
    pub fn too_slow() -> Self {
        let detail = "the request took longer than this server allows; send less at once";
        Self::new(StatusCode::REQUEST_TIMEOUT, "time", "Too slow", detail)
    }

    /// A body came in too slowly.
    pub fn too_slow_body() -> Self {
        let detail = "the body came in too slowly; send it faster, or less of it";
        Self::new(StatusCode::REQUEST_TIMEOUT, "time", "Too slow", detail)
    }

    /// The database has no room to keep more.
    pub fn full(detail: impl ToString) -> Self {
        Self::new(StatusCode::INSUFFICIENT_STORAGE, "full", "No room to keep it", detail)
    }

    /// A mistake of ours. The log says where; callers that know more log that as well.
    #[track_caller]
    pub fn internal() -> Self {
        tracing::error!(place = %std::panic::Location::caller(), "a mistake of the server");
        let detail = "something broke here; look whether what was asked is done before asking again; the server's log \
                      says more";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "A mistake of the server", detail)
    }

    /// A row of the database that cannot be read.
    pub fn unreadable(what: &str, id: &str, error: impl std::fmt::Display) -> Self {
        tracing::error!(%error, id, "a {what} in the database cannot be read");
        let detail =
            format!("what is kept of the {what} {id} cannot be read; delete it; the server's log says more");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "unreadable", "What is kept cannot be read", detail)
    }

    /// Marks the problem as one of showing a change that is kept.
    #[must_use]
    pub fn after_the_change(self) -> Self {
        Self {
            detail: format!("what was asked is done and kept, but cannot be shown: {}", self.detail),
            ..self
        }
    }

    /// The status as a number that cannot be wrong.
    pub fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl From<sqlx::Error> for Problem {
    fn from(error: sqlx::Error) -> Self {
        Failure::from(error).into()
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        tracing::error!(text = failure.text, effect = ?failure.effect, "{}", failure.reason());
        let reason = failure.reason();
        if failure.effect == Effect::Unknown {
            let detail =
                format!("{reason}; it is not known whether this was kept: read it again before asking again");
            let title = "It is not known whether this was kept";
            return Self::new(StatusCode::INTERNAL_SERVER_ERROR, "unknown-outcome", title, detail);
        }
        let unchanged = if failure.effect == Effect::Unchanged { ", and nothing was changed" } else { "" };
        let (status, kind, title, way_out) = match failure.cause {
            Cause::Full | Cause::Disk | Cause::ReadOnly => (
                StatusCode::SERVICE_UNAVAILABLE,
                "storage",
                "The database cannot be written to",
                "try again later",
            ),
            Cause::Damaged => {
                let way_out = "the server's log says more";
                (StatusCode::INTERNAL_SERVER_ERROR, "damaged", "The database is damaged", way_out)
            }
            Cause::Unreadable => {
                let way_out = "the server's log says more";
                (StatusCode::INTERNAL_SERVER_ERROR, "unreadable", "What is kept cannot be read", way_out)
            }
            Cause::Unfit | Cause::Other => {
                let way_out = "the server's log says more";
                (StatusCode::INTERNAL_SERVER_ERROR, "internal", "A mistake of the server", way_out)
            }
            Cause::Unreachable
            | Cause::NoConnection
            | Cause::Locked
            | Cause::Taken
            | Cause::Moved
            | Cause::Closing => {
                let title = "The database cannot be reached";
                (StatusCode::SERVICE_UNAVAILABLE, "database", title, "try again later")
            }
        };
        Self::new(status, kind, title, format!("{reason}{unchanged}; {way_out}"))
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status_code();
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        match status {
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::TOO_MANY_REQUESTS => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("10"));
            }
            _ => {}
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(cause: Cause, effect: Effect) -> Problem {
        Failure { cause, effect, text: "(code: 13) database or disk is full".to_owned() }.into()
    }

    #[test]
    fn issue_21_item_6_a_problem_says_what_is_known_and_no_more() {
        let full = problem(Cause::Full, Effect::Unchanged);
        assert_eq!((full.status, full.kind.as_str()), (503, "urn:fewest:problem:storage"));
        assert!(full.detail.contains("is full, and nothing was changed"), "{}", full.detail);
        let unknown = problem(Cause::Disk, Effect::Unknown);
        assert_eq!((unknown.status, unknown.kind.as_str()), (500, "urn:fewest:problem:unknown-outcome"));
        assert!(unknown.detail.contains("not known whether this was kept"), "{}", unknown.detail);
        let away = problem(Cause::Unreachable, Effect::Unsaid);
        assert_eq!((away.status, away.kind.as_str()), (503, "urn:fewest:problem:database"));
        assert!(away.detail.contains("does not answer") && !away.detail.contains("too much to do"));
        for problem in [&unknown, &away, &Problem::internal(), &problem(Cause::Other, Effect::Unsaid)] {
            assert!(!problem.detail.contains("nothing was changed"), "{}", problem.detail);
        }
        let kept = problem(Cause::Unreachable, Effect::Unsaid).after_the_change();
        assert!(kept.detail.contains("done and kept"), "{}", kept.detail);
        let reply = away.into_response();
        assert!(reply.headers().contains_key(header::RETRY_AFTER));
    }
}
