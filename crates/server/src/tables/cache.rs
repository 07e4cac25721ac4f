//! Cache of the tables and trees that were used last.

use crate::error::Problem;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OnceCell;

/// Least-recently-used cache with a limit of bytes. Each value is loaded once, however many requests ask for it at
/// the same time.
#[derive(Debug)]
pub(crate) struct Cache<T> {
    room: usize,
    weigh: fn(&T) -> usize,
    entries: Mutex<Vec<Entry<T>>>,
}

#[derive(Debug)]
struct Entry<T> {
    id: String,
    thing: Arc<OnceCell<Arc<T>>>,
}

impl<T> Cache<T> {
    /// Creates a cache of about `room` bytes; `weigh` estimates the bytes of a value.
    pub(crate) fn new(room: usize, weigh: fn(&T) -> usize) -> Self {
        Self { room, weigh, entries: Mutex::new(Vec::new()) }
    }

    /// Returns the value with this id, from `load` if it is not cached.
    pub(crate) async fn get<F: Future<Output = Result<T, Problem>>>(
        &self,
        id: &str,
        load: impl FnOnce() -> F,
    ) -> Result<Arc<T>, Problem> {
        let cell = self.cell(id);
        if let Some(thing) = cell.get() {
            return Ok(Arc::clone(thing));
        }
        let loaded = cell.get_or_try_init(|| async { load().await.map(Arc::new) }).await.cloned();
        match &loaded {
            Ok(_) => self.make_room(),
            Err(_) => self.forget(id),
        }
        loaded
    }

    /// Returns the entry of `id`, and marks it as used last.
    fn cell(&self, id: &str) -> Arc<OnceCell<Arc<T>>> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = match entries.iter().position(|entry| entry.id == id) {
            Some(at) => entries.remove(at),
            None => Entry { id: id.to_owned(), thing: Arc::default() },
        };
        let thing = Arc::clone(&entry.thing);
        entries.push(entry);
        thing
    }

    fn make_room(&self) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let weight = |entry: &Entry<T>| entry.thing.get().map_or(0, |thing| (self.weigh)(thing));
        let mut total: usize = entries.iter().map(weight).sum();
        // The last one is in use right now.
        while total > self.room && entries.len() > 1 {
            total -= weight(&entries.remove(0));
        }
    }

    /// Removes the value with this id.
    pub(crate) fn forget(&self, id: &str) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|entry| entry.id != id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_one_not_used_for_longest_makes_room() {
        let cache = Cache::new(10, |thing: &usize| *thing);
        let get = async |id: &str, weight| *cache.get(id, || async move { Ok(weight) }).await.unwrap();
        assert_eq!((get("a", 4).await, get("b", 5).await), (4, 5));
        assert_eq!(get("a", 1).await, 4, "it is still here");
        assert_eq!(get("c", 3).await, 3);
        assert_eq!((get("a", 1).await, get("b", 1).await), (4, 1), "b went, a stayed");
        cache.forget("a");
        assert_eq!(get("a", 2).await, 2);
        let failed = cache.get("d", || async { Err(Problem::not_found("table")) }).await;
        assert_eq!(failed.unwrap_err().status, 404);
        assert_eq!(get("d", 1).await, 1, "a failure is not kept");
    }
}
