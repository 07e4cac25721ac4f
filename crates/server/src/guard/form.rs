//! Forms that only our own pages can send.
//!
//! Besides the origin that a browser sends, every form carries a token that is also in a cookie. A page of another
//! site can make a browser send the cookie, but cannot read it to put it into a form.

use super::token::cookie;
use super::visitor::Visitor;
use crate::error::Problem;
use crate::id::{hex, random};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponseParts, ResponseParts};
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use subtle::ConstantTimeEq;

const NAME: &str = "fewest_form";

/// Token for the forms of a page: its text goes into a hidden field `token`, and itself into the response.
#[derive(Clone, Debug)]
pub(crate) struct FormToken {
    text: String,
    is_new: bool,
    is_secure: bool,
}

impl FormToken {
    /// Text for the hidden field.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether a form that came with `headers` holds the right token.
    pub(crate) fn fits(headers: &HeaderMap, sent: &str) -> bool {
        cookie(headers, NAME)
            .is_some_and(|kept| kept.len() == 64 && kept.as_bytes().ct_eq(sent.as_bytes()).into())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for FormToken {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let kept = cookie(&parts.headers, NAME)
            .filter(|kept| kept.len() == 64 && kept.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let is_secure = parts.extensions.get::<Visitor>().is_some_and(|visitor| visitor.is_secure);
        Ok(match kept {
            Some(kept) => Self { text: kept.to_owned(), is_new: false, is_secure },
            None => Self { text: hex(&random::<32>()), is_new: true, is_secure },
        })
    }
}

impl IntoResponseParts for FormToken {
    type Error = Infallible;

    fn into_response_parts(self, mut parts: ResponseParts) -> Result<ResponseParts, Infallible> {
        if self.is_new {
            let secure = secure(self.is_secure);
            let text = format!("{NAME}={}; Path=/; HttpOnly; SameSite=Strict{secure}", self.text);
            if let Ok(value) = HeaderValue::from_str(&text) {
                parts.headers_mut().append(header::SET_COOKIE, value);
            }
        }
        Ok(parts)
    }
}

/// Cookie attribute that restricts a cookie to TLS; empty where the client does not use TLS.
pub(crate) fn secure(is_secure: bool) -> &'static str {
    if is_secure { "; Secure" } else { "" }
}

/// Form that was sent by a page of this server, without the token that proves it.
#[derive(Clone, Debug)]
pub(crate) struct SafeForm<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for SafeForm<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let headers = request.headers().clone();
        let body = bytes::Bytes::from_request(request, state).await.map_err(crate::extract::refused)?;
        let mut pairs: Vec<(String, String)> = serde_urlencoded::from_bytes(&body)
            .map_err(|_| Problem::bad_request("the form cannot be read"))?;
        let place = pairs.iter().position(|(name, _)| name == "token");
        let sent = place.map(|place| pairs.remove(place).1).unwrap_or_default();
        if !FormToken::fits(&headers, &sent) {
            return Err(Problem::forbidden(
                "the form is too old, or it is not from a page of this server; open the page again",
            ));
        }
        serde_urlencoded::to_string(&pairs)
            .map_err(|error| error.to_string())
            .and_then(|rest| serde_urlencoded::from_str(&rest).map_err(|error| error.to_string()))
            .map(Self)
            .map_err(|error| Problem::bad_request(format!("the form: {error}")))
    }
}
