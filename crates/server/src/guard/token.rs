//! Tokens: 256 random bits that open the door. Only their hashes are kept, and comparing takes the same time
//! whatever is sent.

use crate::error::Problem;
use crate::id::{hex, random};
use crate::store::{Failure, Store};
use crate::time::now_ms;
use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

/// The cookie that holds the token of a browser that signed in.
pub(crate) const COOKIE: &str = "fewest_token";

/// A new token.
pub fn new_token() -> String {
    hex(&random::<32>())
}

/// Keeps the hash of `token`: it opens the door from the next start on.
///
/// # Errors
/// When the database fails.
pub async fn add_token(store: &Store, token: &str) -> Result<(), Failure> {
    store.add_token(&hash(token), now_ms()).await
}

/// What is kept of a token.
pub(crate) fn hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

/// The tokens that open the door, as hashes; none: it is open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tokens {
    hashes: Vec<String>,
}

impl Tokens {
    /// Tokens by their hashes.
    pub(crate) fn of_hashes(hashes: Vec<String>) -> Self {
        Self { hashes }
    }

    /// Whether everybody may come in.
    pub(crate) fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Whether `token` is one of them.
    pub(crate) fn knows(&self, token: &str) -> bool {
        let hash = hash(token);
        let found = self
            .hashes
            .iter()
            .fold(Choice::from(0), |found, known| found | known.as_bytes().ct_eq(hash.as_bytes()));
        found.into()
    }

    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), Problem> {
        if self.is_empty() || sent(headers).is_some_and(|token| self.knows(token)) {
            return Ok(());
        }
        Err(Problem::unauthorized())
    }
}

/// The token in a request: in its header, or in the cookie of a browser.
fn sent(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    bearer.or_else(|| cookie(headers, COOKIE))
}

/// The value of a cookie.
pub(super) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_token_opens_by_header_or_cookie() {
        let token = new_token();
        assert_eq!(token.len(), 64);
        assert_ne!(token, new_token());
        let tokens = Tokens::of_hashes(vec![hash("other"), hash(&token)]);
        let with = |name, value: String| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            tokens.check(&headers).is_ok()
        };
        assert!(with(header::AUTHORIZATION, format!("Bearer {token}")));
        assert!(with(header::COOKIE, format!("a=b; {COOKIE}={token}")));
        assert!(!with(header::AUTHORIZATION, format!("Basic {token}")));
        assert!(!with(header::AUTHORIZATION, format!("Bearer {}", &token[1..])));
        assert!(!with(header::COOKIE, format!("{COOKIE}={}", hash(&token))), "a hash is no token");
        assert!(tokens.check(&HeaderMap::new()).is_err());
        assert!(Tokens::default().check(&HeaderMap::new()).is_ok());
    }
}
