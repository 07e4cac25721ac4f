//! PageBuffer for many things that are plain bytes, whatever is in it at first.
//!
//! Much of it is taken from the system in large pages, where there are any: each page costs as much as reading some thousand
//! bytes, and threads wait for one another to get theirs. Clearing a page takes longer still, so that some of what is given back
//! is kept for whoever needs room next: the next algorithm needs as much as the one before.

use bytemuck::Pod;
use memmap2::{MmapMut, MmapOptions};
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A large page.
const PAGE: usize = 2 << 20;
/// From so many bytes on they are worth asking for.
const MUCH: usize = PAGE / 2;
/// So many bytes are kept at most: what a tree for a million objects and 256 tests needs.
const MOST_KEPT: usize = 64 << 20;

/// What nobody needs at the moment.
static KEPT: Mutex<Vec<MmapMut>> = Mutex::new(Vec::new());

/// PageBuffer for things of one kind.
#[derive(Debug)]
pub(crate) struct PageBuffer<T> {
    few: Vec<T>,
    /// Or this, where there are many: whole pages, of which so many things are used.
    many: Option<(MmapMut, usize)>,
}

impl<T> Default for PageBuffer<T> {
    fn default() -> Self {
        Self { few: Vec::new(), many: None }
    }
}

impl<T: Pod> PageBuffer<T> {
    pub(crate) fn new(count: usize) -> Self {
        match map(count * size_of::<T>()) {
            Some(many) => Self { few: Vec::new(), many: Some((many, count)) },
            None => Self { few: vec![T::zeroed(); count], many: None },
        }
    }

    /// Makes sure that there is room for so many things, whatever is there.
    pub(crate) fn make(&mut self, count: usize) {
        if self.len() < count {
            *self = Self::new(count);
        }
    }
}

impl<T> Drop for PageBuffer<T> {
    fn drop(&mut self) {
        if let Some((many, _)) = self.many.take() {
            keep(many);
        }
    }
}

/// Pages for so many bytes; nothing where they are few, or where the system gives none.
fn map(bytes: usize) -> Option<MmapMut> {
    let pages = (bytes >= MUCH).then(|| bytes.next_multiple_of(PAGE))?;
    if let Some(mut many) = find_kept(pages) {
        // Nobody may count on what is there.
        if cfg!(debug_assertions) {
            many.fill(0xa5);
        }
        return Some(many);
    }
    let many = MmapOptions::new().len(pages).map_anon().ok()?;
    // A wish. Without it there are more and smaller pages.
    #[cfg(target_os = "linux")]
    let _ = many.advise(memmap2::Advice::HugePage);
    Some(many)
}

/// The smallest of what is kept that is large enough, and not much larger.
fn find_kept(bytes: usize) -> Option<MmapMut> {
    let mut kept = kept();
    let fits = |many: &MmapMut| (bytes..=2 * bytes).contains(&many.len());
    let (at, _) =
        kept.iter().enumerate().filter(|(_, many)| fits(many)).min_by_key(|(_, many)| many.len())?;
    Some(kept.remove(at))
}

/// Keeps what was given back, and gives the system what was kept longest if that is too much.
fn keep(many: MmapMut) {
    if many.len() > MOST_KEPT {
        return;
    }
    let mut kept = kept();
    kept.push(many);
    let mut total: usize = kept.iter().map(|many| many.len()).sum();
    let is_too_much = |many: &&MmapMut| {
        let is_too_much = total > MOST_KEPT;
        total -= many.len();
        is_too_much
    };
    let oldest = kept.iter().take_while(is_too_much).count();
    let oldest: Vec<MmapMut> = kept.drain(..oldest).collect();
    // The system takes its time, and others need not wait for it.
    drop(kept);
    drop(oldest);
}

fn kept() -> MutexGuard<'static, Vec<MmapMut>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T: Pod> Deref for PageBuffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.many.as_ref().map_or(&self.few, |(many, count)| &bytemuck::cast_slice(many)[..*count])
    }
}

impl<T: Pod> DerefMut for PageBuffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.many
            .as_mut()
            .map_or(&mut self.few, |(many, count)| &mut bytemuck::cast_slice_mut(many)[..*count])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lane::Lane;

    #[test]
    fn room_keeps_what_is_put_there() {
        let many = MUCH / size_of::<Lane>();
        for lanes in [0, 3, many - 1, many, many + 7] {
            let mut room = PageBuffer::new(lanes);
            assert_eq!(room.len(), lanes);
            assert_eq!(room.many.is_some(), lanes >= many);
            room.fill(Lane([7; 4]));
            assert!(room.iter().all(|lane| *lane == Lane([7; 4])));
        }
        let mut room = PageBuffer::default();
        room.make(many);
        room[5] = Lane([1; 4]);
        room.make(9);
        assert_eq!((room.len(), room[5]), (many, Lane([1; 4])));
    }

    /// Other tests need room as well, so sizes are such as nobody else asks for.
    #[test]
    fn room_that_was_given_back_is_used_again_but_not_hoarded() {
        let start = |room: &PageBuffer<u8>| room.as_ptr();
        let (most, odd) = (MOST_KEPT, MOST_KEPT / 2 - PAGE);
        let first = PageBuffer::<u8>::new(odd);
        let place = start(&first);
        // What is in use is nobody else's.
        let second = PageBuffer::<u8>::new(odd);
        assert_ne!(start(&second), place);
        drop(first);
        let third = PageBuffer::<u8>::new(odd - 1);
        assert_eq!((start(&third), third.len()), (place, odd - 1));
        // Too much for so little.
        drop(third);
        let few = PageBuffer::<u8>::new(MUCH);
        assert!(few.len() == MUCH && start(&few) != place);
        // Never more than so much, and the oldest goes first.
        drop(second);
        drop(PageBuffer::<u8>::new(most - PAGE));
        assert!(kept().iter().map(|many| many.len()).sum::<usize>() <= most);
        drop(PageBuffer::<u8>::new(most + 1));
        assert!(kept().iter().all(|many| many.len() <= most));
        assert_eq!(kept().iter().filter(|many| many.len() == odd).count(), 0);
    }
}
