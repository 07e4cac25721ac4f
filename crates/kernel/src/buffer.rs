//! Buffer of plain bytes with unspecified initial contents.
//!
//! From 1 MiB on the buffer is an anonymous mapping of huge pages, if the system has them: each page fault costs as
//! much as reading some thousand bytes, and threads wait for one another while the operating system serves them.
//! Clearing a fresh page takes longer still, so dropped mappings go to a pool of this process, of at most 64 MiB: the
//! next algorithm needs as much as the last one.

use bytemuck::Pod;
use memmap2::{MmapMut, MmapOptions};
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of a huge page.
const PAGE_BYTES: usize = 2 << 20;
/// Bytes from which a mapping is used: half a huge page, below which most of the page would be wasted.
const MIN_MAPPED_BYTES: usize = PAGE_BYTES / 2;
/// Most bytes that the pool keeps: as many as a tree for a million objects and 256 tests needs.
const MAX_POOL_BYTES: usize = 64 << 20;

/// Mappings that are not in use, the oldest first.
static POOL: Mutex<Vec<MmapMut>> = Mutex::new(Vec::new());

/// Buffer of `T`, on the heap or in huge pages, depending on its size.
#[derive(Debug)]
pub(crate) struct PageBuffer<T> {
    /// Elements, if they are few.
    heap: Vec<T>,
    /// Huge pages and the number of elements in use, if they are many.
    mapped: Option<(MmapMut, usize)>,
}

impl<T> Default for PageBuffer<T> {
    fn default() -> Self {
        Self { heap: Vec::new(), mapped: None }
    }
}

impl<T: Pod> PageBuffer<T> {
    /// Makes a buffer of `count` elements with any contents.
    pub(crate) fn new(count: usize) -> Self {
        match map(count * size_of::<T>()) {
            Some(pages) => Self { heap: Vec::new(), mapped: Some((pages, count)) },
            None => Self { heap: bytemuck::zeroed_vec(count), mapped: None },
        }
    }

    /// Replaces the buffer by a larger one if it holds fewer than `count` elements; the contents are lost then.
    pub(crate) fn ensure(&mut self, count: usize) {
        if self.len() < count {
            *self = Self::new(count);
        }
    }
}

impl<T> Drop for PageBuffer<T> {
    fn drop(&mut self) {
        if let Some((pages, _)) = self.mapped.take() {
            return_to_pool(pages);
        }
    }
}

/// Maps pages for `bytes` bytes, from the pool or new. Returns `None` if a mapping is not worthwhile or is refused.
fn map(bytes: usize) -> Option<MmapMut> {
    let bytes = (bytes >= MIN_MAPPED_BYTES).then(|| bytes.next_multiple_of(PAGE_BYTES))?;
    if let Some(mut pages) = take_from_pool(bytes) {
        // In debug builds, so that tests notice code that relies on cleared pages.
        if cfg!(debug_assertions) {
            pages.fill(0xa5);
        }
        return Some(pages);
    }
    let pages = MmapOptions::new().len(bytes).map_anon().ok()?;
    // Only advice: where it is not taken, the pages are more and smaller.
    #[cfg(target_os = "linux")]
    let _ = pages.advise(memmap2::Advice::HugePage);
    Some(pages)
}

/// Takes the smallest mapping of the pool that has at least `bytes` bytes and at most twice as many.
fn take_from_pool(bytes: usize) -> Option<MmapMut> {
    let mut pool = pool();
    let fits = |pages: &MmapMut| (bytes..=2 * bytes).contains(&pages.len());
    let (at, _) =
        pool.iter().enumerate().filter(|(_, pages)| fits(pages)).min_by_key(|(_, pages)| pages.len())?;
    Some(pool.remove(at))
}

/// Puts a mapping into the pool, and unmaps the oldest ones while the pool is too large.
fn return_to_pool(pages: MmapMut) {
    if pages.len() > MAX_POOL_BYTES {
        return;
    }
    let mut pool = pool();
    pool.push(pages);
    let mut total: usize = pool.iter().map(|pages| pages.len()).sum();
    let is_too_much = |pages: &&MmapMut| {
        let is_too_much = total > MAX_POOL_BYTES;
        total -= pages.len();
        is_too_much
    };
    let oldest = pool.iter().take_while(is_too_much).count();
    let oldest: Vec<MmapMut> = pool.drain(..oldest).collect();
    // Unmapping is slow: let other threads have the pool first.
    drop(pool);
    drop(oldest);
}

fn pool() -> MutexGuard<'static, Vec<MmapMut>> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T: Pod> Deref for PageBuffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.mapped.as_ref().map_or(&self.heap, |(pages, count)| &bytemuck::cast_slice(pages)[..*count])
    }
}

impl<T: Pod> DerefMut for PageBuffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.mapped
            .as_mut()
            .map_or(&mut self.heap, |(pages, count)| &mut bytemuck::cast_slice_mut(pages)[..*count])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lane::Lane;

    #[test]
    fn a_buffer_keeps_what_is_written_to_it() {
        let many = MIN_MAPPED_BYTES / size_of::<Lane>();
        for lanes in [0, 3, many - 1, many, many + 7] {
            let mut buffer = PageBuffer::new(lanes);
            assert_eq!(buffer.len(), lanes);
            assert_eq!(buffer.mapped.is_some(), lanes >= many);
            buffer.fill(Lane([7; 4]));
            assert!(buffer.iter().all(|lane| *lane == Lane([7; 4])));
        }
        let mut buffer = PageBuffer::default();
        buffer.ensure(many);
        buffer[5] = Lane([1; 4]);
        buffer.ensure(9);
        assert_eq!((buffer.len(), buffer[5]), (many, Lane([1; 4])));
    }

    /// The pool is shared with the other tests of this program, so these sizes are used here only.
    #[test]
    fn a_dropped_mapping_is_used_again_and_the_pool_stays_small() {
        let start = |buffer: &PageBuffer<u8>| buffer.as_ptr();
        let (most, odd) = (MAX_POOL_BYTES, MAX_POOL_BYTES / 2 - PAGE_BYTES);
        let first = PageBuffer::<u8>::new(odd);
        let place = start(&first);
        // A mapping in use is not handed out again.
        let second = PageBuffer::<u8>::new(odd);
        assert_ne!(start(&second), place);
        drop(first);
        let third = PageBuffer::<u8>::new(odd - 1);
        assert_eq!((start(&third), third.len()), (place, odd - 1));
        // A small buffer does not take a large mapping.
        drop(third);
        let small = PageBuffer::<u8>::new(MIN_MAPPED_BYTES);
        assert!(small.len() == MIN_MAPPED_BYTES && start(&small) != place);
        // The pool has a largest size, and its oldest mapping goes first.
        drop(second);
        drop(PageBuffer::<u8>::new(most - PAGE_BYTES));
        assert!(pool().iter().map(|pages| pages.len()).sum::<usize>() <= most);
        drop(PageBuffer::<u8>::new(most + 1));
        assert!(pool().iter().all(|pages| pages.len() <= most));
        assert_eq!(pool().iter().filter(|pages| pages.len() == odd).count(), 0);
    }
}
