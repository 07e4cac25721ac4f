//! Problems of requests, in the form of RFC 9457.

use crate::store::{Cause, Effect, Failure};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Problem of a request: its kind, what happened, and what to do about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// Kind of problem, such as `urn:fewest:problem:table`.
    #[serde(rename = "type")]
    #[schema(example = "urn:fewest:problem:table")]
    pub kind: String,
    /// Kind of problem in words.
    pub title: String,
    /// Status of the response.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// Description of this problem, and advice what to do about it.
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

    /// Problem of a request that cannot be understood.
    pub fn bad_request(detail: impl ToString) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "request", "The request cannot be understood", detail)
    }

    /// Problem of a request that is understood, but does not fit the data.
    pub fn unfit(detail: impl ToString) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "unfit", "The request does not fit the data", detail)
    }

    /// Problem of a table that cannot be understood.
    pub fn table(detail: impl ToString) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "table", "The table cannot be understood", detail)
    }

    /// Problem of a resource that does not exist.
    pub fn not_found(what: &str) -> Self {
        let detail = format!("there is no such {what}; it may have been deleted");
        Self::new(StatusCode::NOT_FOUND, "not-found", "Not found", detail)
    }

    /// Problem of a path that exists, but not for this method.
    pub fn method() -> Self {
        let detail = "this address does not accept that method; /openapi.json lists the methods";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method", "Method not allowed", detail)
    }

    /// Problem of a request that does not fit the current state: not ready, or already over.
    pub fn conflict(detail: impl ToString) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", "Not possible in this state", detail)
    }

    /// Problem of a request that exceeds a limit.
    pub fn too_large(detail: impl ToString) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "Too large for this server", detail)
    }

    /// Problem of a body whose media type is not accepted.
    pub fn media_type(detail: impl ToString) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", "Unsupported media type", detail)
    }

    /// Problem of a missing or unknown token.
    pub fn unauthorized() -> Self {
        let detail =
            "this server needs a token: send `Authorization: Bearer TOKEN`, or sign in on the first page";
        Self::new(StatusCode::UNAUTHORIZED, "token", "A token is needed", detail)
    }

    /// Problem of a request from a page or host that is not allowed.
    pub fn forbidden(detail: impl ToString) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", "Not allowed", detail)
    }

    /// Problem of a client that sends too many requests.
    pub fn too_many(detail: impl ToString) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "rate", "Too many requests", detail)
    }

    /// Problem of a server that is busy for now.
    pub fn busy(detail: impl ToString) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "Busy", detail)
    }

    /// Problem of a server that cannot store anything now.
    pub fn not_ready(reason: &str) -> Self {
        let detail = format!("{reason}; the server can store nothing until this is repaired");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "database", "Not ready", detail)
    }

    /// Problem of a request that took too long.
    pub fn too_slow() -> Self {
        let detail = "the request took longer than this server allows; make it smaller";
        Self::new(StatusCode::REQUEST_TIMEOUT, "time", "Too slow", detail)
    }

    /// Problem of a body that came in too slowly.
    pub fn too_slow_body() -> Self {
        let detail = "the body arrived too slowly; send it faster, or send less";
        Self::new(StatusCode::REQUEST_TIMEOUT, "time", "Too slow", detail)
    }

    /// Problem of a database that is full.
    pub fn full(detail: impl ToString) -> Self {
        Self::new(StatusCode::INSUFFICIENT_STORAGE, "full", "No space to store it", detail)
    }

    /// Problem of an error in the server itself. The log says where; callers that know more log that as well.
    #[track_caller]
    pub fn internal() -> Self {
        tracing::error!(place = %std::panic::Location::caller(), "a mistake of the server");
        let detail = "the server failed; before you send the request again, see whether it was done; the server's log \
                      says more";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "An error of the server", detail)
    }

    /// Problem of a database row that cannot be read.
    pub fn unreadable(what: &str, id: &str, error: impl std::fmt::Display) -> Self {
        tracing::error!(%error, id, "a {what} in the database cannot be read");
        let detail = format!("the stored {what} {id} cannot be read; delete it; the server's log says more");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "unreadable", "The stored data cannot be read", detail)
    }

    /// Marks the problem as one that occurred after the change was stored.
    #[must_use]
    pub fn after_the_change(self) -> Self {
        Self {
            detail: format!("the request is done and kept, but the result cannot be shown: {}", self.detail),
            ..self
        }
    }

    /// Status as a valid status code; 500 if it is not valid.
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
                (StatusCode::INTERNAL_SERVER_ERROR, "unreadable", "The stored data cannot be read", way_out)
            }
            Cause::Unfit | Cause::Other => {
                let way_out = "the server's log says more";
                (StatusCode::INTERNAL_SERVER_ERROR, "internal", "An error of the server", way_out)
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
