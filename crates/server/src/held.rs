//! Uploaded files that could not be read, held in memory for a while: another choice needs no new upload.

use crate::id::new_id;
use crate::options::TableOptions;
use bytes::Bytes;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Most files that are held; the oldest goes first.
const FILES: usize = 16;
/// Most bytes of all files that are held.
const BYTES: usize = 64_000_000;

/// File with the options that did not fit it.
#[derive(Clone, Debug)]
pub(crate) struct HeldFile {
    id: String,
    pub(crate) options: TableOptions,
    pub(crate) content: Bytes,
}

/// Files that are held.
#[derive(Debug, Default)]
pub(crate) struct HeldFiles(Mutex<VecDeque<HeldFile>>);

impl HeldFiles {
    /// Holds a file and returns its id; older files go where there is no room.
    pub(crate) fn hold(&self, options: TableOptions, content: Bytes) -> Option<String> {
        if content.len() > BYTES {
            return None;
        }
        let id = new_id();
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.push_back(HeldFile { id: id.clone(), options, content });
        while files.len() > FILES || files.iter().map(|file| file.content.len()).sum::<usize>() > BYTES {
            files.pop_front();
        }
        Some(id)
    }

    /// Finds a file that is still held.
    pub(crate) fn get(&self, id: &str) -> Option<HeldFile> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.iter().find(|file| file.id == id).cloned()
    }

    /// Ends to hold a file.
    pub(crate) fn drop_file(&self, id: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|file| file.id != id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_files_are_held_within_the_limits() {
        let files = HeldFiles::default();
        let file = |bytes: usize| Bytes::from(vec![b'x'; bytes]);
        let ids: Vec<String> =
            (0..FILES + 2).map(|at| files.hold(TableOptions::new(), file(at)).unwrap()).collect();
        assert!(files.get(&ids[0]).is_none() && files.get(&ids[1]).is_none());
        assert_eq!(files.get(&ids[2]).unwrap().content.len(), 2);
        assert_eq!(files.hold(TableOptions::new(), file(BYTES + 1)), None);
        let large = files.hold(TableOptions::new(), file(BYTES)).unwrap();
        assert!(files.get(ids.last().unwrap()).is_none(), "it needs all the room");
        files.drop_file(&large);
        assert!(files.get(&large).is_none());
    }
}
