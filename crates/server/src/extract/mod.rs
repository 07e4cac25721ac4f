//! Extractors of bodies, identifiers and pages of lists, which refuse a request with a [`Problem`].

mod upload;

pub(crate) use upload::{Upload, from_form};

use crate::error::Problem;
use crate::id::is_id;
use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use bytes::Bytes;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

/// A body of JSON.
#[derive(Clone, Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(value)) => Ok(Self(value)),
            Err(JsonRejection::MissingJsonContentType(_)) => {
                Err(Problem::media_type("expected JSON: send `Content-Type: application/json`"))
            }
            Err(JsonRejection::BytesRejection(rejection)) => Err(refused(rejection)),
            Err(rejection) => Err(Problem::bad_request(rejection.body_text())),
        }
    }
}

/// Body of JSON that is not parsed yet, so that its bytes can be looked up in the cache of responses.
#[derive(Clone, Debug)]
pub(crate) struct Text(pub(crate) Bytes);

impl Text {
    /// Parses the text.
    ///
    /// # Errors
    /// When the text is not JSON, or has another form.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        match Json::<T>::from_bytes(&self.0) {
            Ok(Json(value)) => Ok(value),
            Err(rejection) => Err(Problem::bad_request(rejection.body_text())),
        }
    }
}

impl<S: Send + Sync> FromRequest<S> for Text {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
        let is_json = kind.eq_ignore_ascii_case("application/json")
            || (kind.len() > 17
                && kind[..12].eq_ignore_ascii_case("application/")
                && kind.ends_with("+json"));
        if !is_json {
            return Err(Problem::media_type("expected JSON: send `Content-Type: application/json`"));
        }
        Bytes::from_request(request, state).await.map(Self).map_err(refused)
    }
}

/// Problem of a body that could not be read.
pub(crate) fn refused(rejection: BytesRejection) -> Problem {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return Problem::too_large("the body is larger than this server accepts; send less");
    }
    Problem::bad_request("the body ends early")
}

/// Last part of a path, if it is an identifier of this server.
#[derive(Clone, Debug)]
pub(crate) struct Id(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let Ok(Path(id)) = path else { return Err(Problem::not_found("thing")) };
        if is_id(&id) { Ok(Self(id)) } else { Err(Problem::not_found("thing")) }
    }
}

/// Part of a list.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Page {
    /// Most items in the response.
    #[param(minimum = 1, maximum = 1000)]
    pub(crate) limit: u32,
    /// Number of items to skip.
    #[param(minimum = 0, maximum = 2_000_000_000)]
    pub(crate) offset: u32,
    /// Id of a table: only items of this table are listed.
    pub(crate) table: Option<String>,
}

impl Default for Page {
    fn default() -> Self {
        Self { limit: 100, offset: 0, table: None }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Page {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Query::<Self>::from_request_parts(parts, state).await {
            // A text that is not an identifier of this server names nothing, so the database is not asked.
            Ok(Query(page))
                if page.table.as_deref().is_some_and(|table| !table.is_empty() && !is_id(table)) =>
            {
                Err(Problem::bad_request("`table` is not the name of a table"))
            }
            Ok(Query(page)) if (1..=1000).contains(&page.limit) && page.offset <= 2_000_000_000 => Ok(page),
            Ok(_) => Err(Problem::bad_request("`limit` is from 1 to 1000, `offset` from 0 to 2000000000")),
            Err(rejection) => Err(Problem::bad_request(rejection.body_text())),
        }
    }
}

/// Part of a log.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LogPage {
    /// Most events in the response.
    #[param(minimum = 1, maximum = 1000)]
    pub(crate) limit: u32,
    /// Number of the last event that the client knows: only later events are listed.
    #[param(minimum = 0)]
    pub(crate) after: i64,
}

impl Default for LogPage {
    fn default() -> Self {
        Self { limit: 1000, after: 0 }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for LogPage {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Query::<Self>::from_request_parts(parts, state).await {
            Ok(Query(page)) if (1..=1000).contains(&page.limit) && page.after >= 0 => Ok(page),
            Ok(_) => Err(Problem::bad_request("`limit` is from 1 to 1000, `after` at least 0")),
            Err(rejection) => Err(Problem::bad_request(rejection.body_text())),
        }
    }
}
