//! Access tokens of 256 random bits. Only their hashes are kept, and comparing takes the same time whatever
//! is sent.
//!
//! A token is made, listed and revoked by another process while the server runs; the server reads the list
//! anew every few seconds, and writes down when each token was used last.

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

/// The cookie that holds the token of a browser that signed in.
pub(crate) const COOKIE: &str = "fewest_token";
/// Letters of a hash by which people name a token.
const ID: usize = 12;
/// Letters of a token's name.
const NAME: usize = 100;
/// Milliseconds between two writes of a token's last use: a write for every request would be too much.
const MINUTE: i64 = 60_000;

/// A new token.
pub fn new_token() -> String {
    hex(&random::<32>())
}

/// A token that is to be kept.
#[derive(Clone, Debug, Default)]
pub struct NewToken {
    /// Its name for people.
    pub name: Option<String>,
    /// Time for which it is accepted; for ever if this is not given.
    pub lifetime: Option<Duration>,
}

/// Description of a token, without the token itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenInfo {
    /// The first letters of its hash: what to revoke it by.
    pub id: String,
    /// Its name for people.
    pub name: Option<String>,
    /// When it was made.
    pub created: String,
    /// When it was used last, to the minute.
    pub used: Option<String>,
    /// When it expires.
    pub expires: Option<String>,
    /// Whether it has expired.
    pub is_expired: bool,
}

/// Keeps the hash of `token`, which is accepted from now on.
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

/// All tokens that are kept, the oldest first.
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

/// Forgets the token whose hash begins with `id`, if it is the only one; says how many there are.
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

/// Hashes of the accepted tokens; where there have never been any, no token is needed.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    /// Hashes of tokens that were given at the start.
    given: Vec<String>,
    /// Tokens of the database.
    kept: RwLock<Vec<Arc<Kept>>>,
    /// Whether there was ever a token: the door does not open because the last one was revoked.
    is_closed: AtomicBool,
}

/// A token of the database.
#[derive(Debug)]
struct Kept {
    hash: String,
    expires: Option<i64>,
    /// When it was used last, and what the database knows of that.
    used: AtomicI64,
    written: AtomicI64,
}

impl Tokens {
    /// Tokens that were given at the start by their hashes, and those of the database.
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

    /// Reads the tokens of the database anew, and writes down which were used.
    ///
    /// # Errors
    /// When the database fails; then all stay as they are.
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

    /// Whether `token` is one of them.
    pub(crate) fn knows(&self, token: &str) -> bool {
        let (hash, now) = (hash(token), now_ms());
        let is = |known: &str| bool::from(known.as_bytes().ct_eq(hash.as_bytes()));
        // All are looked at, whichever it is.
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
