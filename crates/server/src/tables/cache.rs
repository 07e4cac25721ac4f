//! The tables that were used last.

use super::Loaded;
use crate::error::Problem;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OnceCell;

/// Tables by name, each understood once however many ask for it at the same time. The one that was not used for
/// longest goes first when there is no room.
#[derive(Debug)]
pub(crate) struct Cache {
    room: usize,
    entries: Mutex<Vec<Entry>>,
}

#[derive(Clone, Debug)]
struct Entry {
    id: String,
    table: Arc<OnceCell<Arc<Loaded>>>,
}

impl Cache {
    /// Keeps about `room` bytes of tables.
    pub(crate) fn new(room: usize) -> Self {
        Self { room, entries: Mutex::new(Vec::new()) }
    }

    /// The table called `id`, by `load` if it is not here.
    pub(crate) async fn get<F: Future<Output = Result<Loaded, Problem>>>(
        &self,
        id: &str,
        load: impl FnOnce() -> F,
    ) -> Result<Arc<Loaded>, Problem> {
        let cell = self.cell(id);
        if let Some(table) = cell.get() {
            return Ok(Arc::clone(table));
        }
        let loaded = cell.get_or_try_init(|| async { load().await.map(Arc::new) }).await.cloned();
        match &loaded {
            Ok(_) => self.make_room(),
            Err(_) => self.forget(id),
        }
        loaded
    }

    /// The place of `id`, which is now the one used last.
    fn cell(&self, id: &str) -> Arc<OnceCell<Arc<Loaded>>> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = match entries.iter().position(|entry| entry.id == id) {
            Some(at) => entries.remove(at),
            None => Entry { id: id.to_owned(), table: Arc::default() },
        };
        entries.push(entry.clone());
        entry.table
    }

    fn make_room(&self) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let weight = |entry: &Entry| entry.table.get().map_or(0, |table| table.weight());
        let mut total: usize = entries.iter().map(weight).sum();
        // The last one is in use right now.
        while total > self.room && entries.len() > 1 {
            total -= weight(&entries.remove(0));
        }
    }

    /// Drops a table that was deleted.
    pub(crate) fn forget(&self, id: &str) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|entry| entry.id != id);
    }
}
