//! Cache of responses to stateless questions: all sessions of a table begin with the same question.
//!
//! A table and a strategy never change, so the same request has the same response as long as they exist. Two
//! generations approximate least-recently-used: when the young one is full, the old one is dropped.

use bytes::Bytes;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes that an entry takes besides its body: digest, names and map.
const BESIDE: usize = 300;
/// Bytes of the largest body that is cached: a larger one would displace too many others.
const LARGEST: usize = 256 * 1024;

/// Digest of a request.
pub(crate) type RequestDigest = [u8; 32];

/// Response that was sent before.
#[derive(Debug)]
pub(crate) struct CachedResponse {
    /// Table of the response; it must still exist.
    pub(crate) table: String,
    /// Strategy that the response follows, if any; it must still exist as well.
    pub(crate) strategy: Option<String>,
    /// Body of the response.
    pub(crate) body: Bytes,
}

/// Responses by the digest of their request, within a limit of bytes.
#[derive(Debug)]
pub(crate) struct ResponseCache {
    room: usize,
    halves: Mutex<Halves>,
}

#[derive(Debug, Default)]
struct Halves {
    young: BTreeMap<RequestDigest, Arc<CachedResponse>>,
    old: BTreeMap<RequestDigest, Arc<CachedResponse>>,
    /// Bytes of the young generation.
    weight: usize,
}

impl ResponseCache {
    /// Creates a cache of about `room` bytes.
    pub(crate) fn new(room: usize) -> Self {
        Self { room, halves: Mutex::default() }
    }

    /// Digest of the body of a request.
    pub(crate) fn digest(text: &[u8]) -> RequestDigest {
        Sha256::digest(text).into()
    }

    fn halves(&self) -> MutexGuard<'_, Halves> {
        self.halves.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the response to a request, if it was sent recently.
    pub(crate) fn get(&self, digest: &RequestDigest) -> Option<Arc<CachedResponse>> {
        let mut halves = self.halves();
        if let Some(known) = halves.young.get(digest) {
            return Some(Arc::clone(known));
        }
        let known = halves.old.remove(digest)?;
        self.put(&mut halves, *digest, Arc::clone(&known));
        Some(known)
    }

    /// Adds a response.
    pub(crate) fn keep(&self, digest: RequestDigest, known: CachedResponse) {
        if known.body.len() <= LARGEST.min(self.room / 4) {
            self.put(&mut self.halves(), digest, Arc::new(known));
        }
    }

    fn put(&self, halves: &mut Halves, digest: RequestDigest, known: Arc<CachedResponse>) {
        halves.weight += known.body.len() + BESIDE;
        halves.young.insert(digest, known);
        if halves.weight > self.room / 2 {
            halves.old = std::mem::take(&mut halves.young);
            halves.weight = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(size: usize) -> CachedResponse {
        CachedResponse { table: "t".to_owned(), strategy: None, body: Bytes::from(vec![0; size]) }
    }

    #[test]
    fn what_is_asked_for_stays_and_the_room_is_kept() {
        let cache = ResponseCache::new(20_000);
        let first = ResponseCache::digest(b"first");
        cache.keep(first, known(700));
        for at in 0..1000_u32 {
            cache.keep(ResponseCache::digest(&at.to_le_bytes()), known(700));
            assert!(cache.get(&first).is_some(), "{at}");
        }
        let halves = cache.halves();
        assert!(halves.young.len() + halves.old.len() <= 20, "{}", halves.young.len());
        assert!(!halves.young.contains_key(&ResponseCache::digest(&0_u32.to_le_bytes())));
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        let cache = ResponseCache::new(20_000);
        cache.keep(ResponseCache::digest(b"large"), known(6000));
        assert!(cache.get(&ResponseCache::digest(b"large")).is_none());
        ResponseCache::new(0).keep(ResponseCache::digest(b"any"), known(1));
    }
}
