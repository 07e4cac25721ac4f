//! Room for many things that are plain bytes, all zero at first.
//!
//! Much of it is taken from the system in large pages, where there are any: each page costs as much as reading some thousand
//! bytes, and threads wait for one another to get theirs.

use bytemuck::Pod;
use memmap2::{MmapMut, MmapOptions};
use std::ops::{Deref, DerefMut};

/// A large page.
const PAGE: usize = 2 << 20;
/// From so many bytes on they are worth asking for.
const MUCH: usize = PAGE / 2;

/// Room for things of one kind.
#[derive(Debug)]
pub(crate) struct Room<T> {
    few: Vec<T>,
    /// Or this, where there are many: whole pages, of which so many things are used.
    many: Option<(MmapMut, usize)>,
}

impl<T> Default for Room<T> {
    fn default() -> Self {
        Self { few: Vec::new(), many: None }
    }
}

impl<T: Pod> Room<T> {
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

/// Pages of the system for so many bytes; nothing where they are few, or where the system gives none.
fn map(bytes: usize) -> Option<MmapMut> {
    let many =
        (bytes >= MUCH).then(|| MmapOptions::new().len(bytes.next_multiple_of(PAGE)).map_anon())?.ok()?;
    // A wish. Without it there are more and smaller pages.
    #[cfg(target_os = "linux")]
    let _ = many.advise(memmap2::Advice::HugePage);
    Some(many)
}

impl<T: Pod> Deref for Room<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.many.as_ref().map_or(&self.few, |(many, count)| &bytemuck::cast_slice(many)[..*count])
    }
}

impl<T: Pod> DerefMut for Room<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.many
            .as_mut()
            .map_or(&mut self.few, |(many, count)| &mut bytemuck::cast_slice_mut(many)[..*count])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{Lane, NONE};

    #[test]
    fn room_is_empty_at_first_and_keeps_what_is_put_there() {
        let many = MUCH / size_of::<Lane>();
        for lanes in [0, 3, many - 1, many, many + 7] {
            let mut room = Room::new(lanes);
            assert!(room.len() == lanes && room.iter().all(|lane| *lane == NONE));
            assert_eq!(room.many.is_some(), lanes >= many);
            if let Some(last) = room.last_mut() {
                *last = Lane([7; 4]);
            }
            assert!(room.last().is_none_or(|lane| *lane == Lane([7; 4])));
        }
        let mut room = Room::default();
        room.make(many);
        room[5] = Lane([1; 4]);
        room.make(9);
        assert_eq!((room.len(), room[5]), (many, Lane([1; 4])));
    }
}
