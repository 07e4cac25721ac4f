//! Access tokens of 256 random bits. Only their hashes are stored, and a comparison takes the same time for any
//! token.
//!
//! Another process may add, list and revoke tokens while the server runs. The server reads the list again every few
//! seconds, and stores the time of each token's last use.

use crate::error::Problem;
use crate::id::{hex, random};
use crate::store::{Failure, Store, TokenRow};
use crate::time::{now_ms, rfc3339};
use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use subtle::ConstantTimeEq;

/// Name of the cookie that holds the token of a browser that signed in.
pub(crate) const COOKIE: &str = "fewest_token";
/// Number of letters of a hash that identify a token for people.
const ID: usize = 12;
/// Most letters of a token's name.
const NAME: usize = 100;
/// Milliseconds between two writes of a token's last use: a write for every request would be too much.
const MINUTE: i64 = 60_000;

/// Creates a random token.
pub fn new_token() -> String {
    hex(&random::<32>())
}

/// Token to be stored.
#[derive(Clone, Debug, Default)]
pub struct NewToken {
    /// Name for people.
    pub name: Option<String>,
    /// Time for which the token is accepted; `None`: for ever.
    pub lifetime: Option<Duration>,
}

/// Description of a token, without the token itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenInfo {
    /// First letters of the hash, by which the token is revoked.
    pub id: String,
    /// Name for people.
    pub name: Option<String>,
    /// Time at which the token was created.
    pub created: String,
    /// Time of the last use, to the minute.
    pub used: Option<String>,
    /// Time at which the token expires.
    pub expires: Option<String>,
    /// Whether the token has expired.
    pub is_expired: bool,
}

/// Stores the hash of `token`, which is accepted from now on.
///
/// # Errors
/// When the database fails.
pub async fn add_token(store: &Store, token: &str, new: &NewToken) -> Result<(), Failure> {
    let now = now_ms();
    let name = new.name.as_deref().map(|name| name.chars().filter(|c| !c.is_control()).take(NAME).collect());
    let lifetime = new.lifetime.map(|time| i64::try_from(time.as_millis()).unwrap_or(i64::MAX));
    let expires = lifetime.map(|time| now.saturating_add(time));
    store.add_token(&TokenRow { hash: hash(token), name, created: now, used: None, expires }).await
}

/// Lists all stored tokens, the oldest first.
///
/// # Errors
/// When the database fails.
pub async fn list_tokens(store: &Store) -> Result<Vec<TokenInfo>, Failure> {
    let now = now_ms();
    let info = |row: TokenRow| TokenInfo {
        id: row.hash[..ID.min(row.hash.len())].to_owned(),
        name: row.name,
        created: rfc3339(row.created),
        used: row.used.map(rfc3339),
        is_expired: row.expires.is_some_and(|end| end <= now),
        expires: row.expires.map(rfc3339),
    };
    Ok(store.tokens().await?.into_iter().map(info).collect())
}

/// Deletes the token whose hash begins with `id`, if it is the only one; returns the number of such tokens.
///
/// # Errors
/// When the database fails.
pub async fn revoke_token(store: &Store, id: &str) -> Result<usize, Failure> {
    let found = store.tokens().await?;
    let found: Vec<&TokenRow> =
        found.iter().filter(|row| !id.is_empty() && row.hash.starts_with(id)).collect();
    if let [one] = found[..] {
        store.delete_token(&one.hash).await?;
    }
    Ok(found.len())
}

/// SHA-256 of a token, in hexadecimal.
pub(crate) fn hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

/// Hashes of the accepted tokens; if there has never been a token, none is needed.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    /// Hashes of the tokens in the server's settings.
    given: Vec<String>,
    /// Tokens of the database.
    kept: RwLock<Vec<Arc<Kept>>>,
    /// Whether there was ever a token: revoking the last one does not make the server public.
    is_closed: AtomicBool,
}

/// Token of the database.
#[derive(Debug)]
struct Kept {
    hash: String,
    expires: Option<i64>,
    /// Time of the last use, and the time that the database holds for it.
    used: AtomicI64,
    written: AtomicI64,
}

impl Tokens {
    /// Creates the set of the tokens in the settings, by their hashes, and those of the database.
    pub(crate) fn new(given: Vec<String>, kept: Vec<TokenRow>) -> Self {
        let tokens = Self { is_closed: AtomicBool::new(!given.is_empty()), given, kept: RwLock::default() };
        tokens.replace(kept);
        tokens
    }

    fn kept(&self) -> Vec<Arc<Kept>> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn replace(&self, rows: Vec<TokenRow>) {
        let before = self.kept();
        let kept = |row: TokenRow| {
            let known = before.iter().find(|known| known.hash == row.hash);
            known.cloned().unwrap_or_else(|| {
                let used = row.used.unwrap_or(0);
                let (used, written) = (AtomicI64::new(used), AtomicI64::new(used));
                Arc::new(Kept { hash: row.hash, expires: row.expires, used, written })
            })
        };
        let rows: Vec<Arc<Kept>> = rows.into_iter().map(kept).collect();
        if !rows.is_empty() {
            self.is_closed.store(true, Ordering::Relaxed);
        }
        *self.kept.write().unwrap_or_else(PoisonError::into_inner) = rows;
    }

    /// Reads the tokens of the database again, and stores which were used.
    ///
    /// # Errors
    /// When the database fails; then the tokens stay unchanged.
    pub(crate) async fn refresh(&self, store: &Store) -> Result<(), Failure> {
        for token in self.kept() {
            let used = token.used.load(Ordering::Relaxed);
            if used - token.written.load(Ordering::Relaxed) >= MINUTE {
                store.use_token(&token.hash, used).await?;
                token.written.store(used, Ordering::Relaxed);
            }
        }
        self.replace(store.tokens().await?);
        Ok(())
    }

    /// Whether no token is needed.
    pub(crate) fn is_empty(&self) -> bool {
        !self.is_closed.load(Ordering::Relaxed)
    }

    /// Whether `token` is accepted.
    pub(crate) fn knows(&self, token: &str) -> bool {
        let (hash, now) = (hash(token), now_ms());
        let is = |known: &str| bool::from(known.as_bytes().ct_eq(hash.as_bytes()));
        // All tokens are compared, so that the time does not depend on which one matches.
        let given = self.given.iter().filter(|known| is(known)).count() > 0;
        let all = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let kept: Vec<&Arc<Kept>> = all.iter().filter(|token| is(&token.hash)).collect();
        let is_valid = |token: &&&Arc<Kept>| token.expires.is_none_or(|end| now < end);
        let kept = kept.iter().find(is_valid).inspect(|token| token.used.store(now, Ordering::Relaxed));
        given || kept.is_some()
    }

    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), Problem> {
        if self.is_empty() || sent(headers).is_some_and(|token| self.knows(token)) {
            return Ok(());
        }
        Err(Problem::unauthorized())
    }
}

/// Token of a request: in its header, or in the cookie of a browser.
fn sent(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    bearer.or_else(|| cookie(headers, COOKIE))
}

/// Value of a cookie.
pub(super) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(token: &str, expires: Option<i64>) -> TokenRow {
        TokenRow { hash: hash(token), name: None, created: 1, used: None, expires }
    }

    #[test]
    fn a_known_token_opens_by_header_or_cookie() {
        let token = new_token();
        assert_eq!(token.len(), 64);
        assert_ne!(token, new_token());
        let tokens = Tokens::new(vec![hash("other"), hash(&token)], Vec::new());
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

    #[test]
    fn a_token_ends_and_the_door_stays_closed_when_the_last_is_gone() {
        let now = now_ms();
        let tokens = Tokens::new(Vec::new(), vec![row("old", Some(now - 1)), row("new", Some(now + 60_000))]);
        assert!(tokens.knows("new") && !tokens.knows("old") && !tokens.knows("none"));
        assert!(tokens.kept()[1].used.load(Ordering::Relaxed) >= now);
        tokens.replace(Vec::new());
        assert!(!tokens.knows("new") && !tokens.is_empty());
        assert!(tokens.check(&HeaderMap::new()).is_err());
    }
}
