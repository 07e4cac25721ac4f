//! Transposition table: bounds of the sets visited so far.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Bounds and best test of a set.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoEntry {
    /// Lower bound on the value of trees for the set.
    pub(super) lower: f64,
    /// Value of a tree for the set.
    pub(super) upper: f64,
    /// First test of that tree.
    pub(super) test: u32,
    /// Number of objects of the set; small sets are evicted first.
    pub(super) count: u16,
    /// Effort with which trees for the set were searched.
    pub(super) effort: u8,
}

impl MemoEntry {
    /// Makes the entry of a set that was never visited.
    pub(super) fn unknown(count: u32) -> Self {
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY, test: u32::MAX, count, effort: 0 }
    }

    /// Keeps the better of both bounds.
    fn learn(&mut self, new: &Self) {
        self.lower = self.lower.max(new.lower);
        if new.upper < self.upper {
            (self.upper, self.test) = (new.upper, new.test);
        }
        self.effort = self.effort.max(new.effort);
    }

    /// Whether the bounds meet.
    pub(super) fn is_solved(&self) -> bool {
        self.lower >= self.upper
    }
}

/// Bounds by key of the set, shared by all threads, within a limit of memory. The set of all objects is never
/// evicted.
///
/// Every set that a question leads to is looked up, so readers take no lock: each slot has a version, which is odd
/// while its one writer is at work, and a reader that sees two different versions returns nothing. Writers take
/// turns.
pub(super) struct Memo {
    root: (u128, Mutex<Option<MemoEntry>>),
    /// Tables of growing sizes; each is made when the one before it is full.
    tables: [OnceLock<Table>; MAX_TABLES],
    /// Index of the table in use.
    current: AtomicUsize,
    /// Number of sets in the table in use; only writers take the lock.
    held: Mutex<usize>,
    /// Index of the largest table that memory allows.
    last: usize,
    forgotten: AtomicUsize,
}

/// Number of slots of the first table; each next one has twice as many.
const FIRST_SLOTS: usize = 256;
const MAX_TABLES: usize = 40;

/// Number of slots that a set may be in: adjacent ones, beginning at a multiple of half of them.
const WINDOW: usize = 32;

/// Size of a slot and its tag, in bytes.
const SLOT: usize = size_of::<Slot>() + size_of::<u32>();

/// Slots, and for each of them a part of its key: most sets looked up are not there, and adjacent tags show it with
/// one memory access.
struct Table {
    /// Tag of each slot; 0 if it is empty.
    tags: Box<[AtomicU32]>,
    slots: Box<[Slot]>,
}

/// Set and its bounds, in words that are read and written one by one.
#[derive(Default)]
struct Slot {
    /// Version of the slot; odd while it is being written.
    version: AtomicU64,
    key: [AtomicU64; 2],
    lower: AtomicU64,
    upper: AtomicU64,
    /// Test, count and effort.
    rest: AtomicU64,
}

impl Slot {
    /// Returns the entry of the set `key`, if this slot has it and no writer is at work.
    fn read(&self, key: u128) -> Option<MemoEntry> {
        let version = self.version.load(Ordering::Acquire);
        let (name, entry) = (self.name(), self.entry());
        fence(Ordering::Acquire);
        let is_whole = version.is_multiple_of(2) && self.version.load(Ordering::Relaxed) == version;
        (is_whole && name == key).then_some(entry)
    }

    fn name(&self) -> u128 {
        let [high, low] = [&self.key[0], &self.key[1]].map(|word| u128::from(word.load(Ordering::Relaxed)));
        high << 64 | low
    }

    fn entry(&self) -> MemoEntry {
        let number = |word: &AtomicU64| f64::from_bits(word.load(Ordering::Relaxed));
        let rest = self.rest.load(Ordering::Relaxed);
        MemoEntry {
            lower: number(&self.lower),
            upper: number(&self.upper),
            test: (rest >> 32) as u32,
            count: (rest >> 16) as u16,
            effort: rest as u8,
        }
    }

    /// Writes an entry; only for the holder of the writers' lock.
    fn write(&self, key: u128, entry: &MemoEntry) {
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version + 1, Ordering::Relaxed);
        fence(Ordering::Release);
        let rest = u64::from(entry.test) << 32 | u64::from(entry.count) << 16 | u64::from(entry.effort);
        self.key[0].store((key >> 64) as u64, Ordering::Relaxed);
        self.key[1].store(key as u64, Ordering::Relaxed);
        self.lower.store(entry.lower.to_bits(), Ordering::Relaxed);
        self.upper.store(entry.upper.to_bits(), Ordering::Relaxed);
        self.rest.store(rest, Ordering::Relaxed);
        self.version.store(version + 2, Ordering::Release);
    }
}

/// Computes the tag of a key. Keys are random numbers already: the low half selects the window, the high half is the
/// tag.
fn tag(key: u128) -> u32 {
    (key >> 96) as u32 | 1
}

impl Table {
    fn new(slots: usize) -> Self {
        Self {
            tags: std::iter::repeat_with(AtomicU32::default).take(slots).collect(),
            slots: std::iter::repeat_with(Slot::default).take(slots).collect(),
        }
    }

    /// Slots in which a set may be, with their tags.
    fn window(&self, key: u128) -> impl Iterator<Item = (&AtomicU32, &Slot)> {
        let start = key as usize & (self.tags.len() - 1) & !(WINDOW / 2 - 1);
        let tags = self.tags[start..].iter().chain(self.tags.iter());
        tags.zip(self.slots[start..].iter().chain(self.slots.iter())).take(WINDOW)
    }

    fn get(&self, key: u128) -> Option<MemoEntry> {
        let tag = tag(key);
        for (other, slot) in self.window(key) {
            match other.load(Ordering::Acquire) {
                0 => return None,
                other if other == tag => {
                    if let Some(entry) = slot.read(key) {
                        return Some(entry);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Whether the window of a set that is not there is full.
    fn is_full_at(&self, key: u128) -> bool {
        let tag = tag(key);
        self.window(key).all(|(other, _)| ![0, tag].contains(&other.load(Ordering::Relaxed)))
    }

    /// Stores a set, and evicts the smallest of its window if necessary, because that one is computed again soonest.
    fn put(&self, key: u128, new: MemoEntry) -> Put {
        let new_tag = tag(key);
        let mut smallest: Option<(&AtomicU32, &Slot, u16)> = None;
        for (tag, slot) in self.window(key) {
            let old = tag.load(Ordering::Relaxed);
            if old == 0 {
                slot.write(key, &new);
                tag.store(new_tag, Ordering::Release);
                return Put::Added;
            }
            let mut entry = slot.entry();
            if old == new_tag && slot.name() == key {
                entry.learn(&new);
                slot.write(key, &entry);
                return Put::MemoEntry;
            }
            if smallest.is_none_or(|(.., least)| entry.count < least) {
                smallest = Some((tag, slot, entry.count));
            }
        }
        if let Some((tag, slot, _)) = smallest {
            slot.write(key, &new);
            tag.store(new_tag, Ordering::Release);
        }
        Put::Instead
    }
}

/// Result of storing a set.
enum Put {
    Added,
    MemoEntry,
    Instead,
}

impl Memo {
    /// Makes a memo of at most `bytes`; `root` is the key of the set that is never evicted.
    pub(super) fn new(bytes: usize, root: u128) -> Self {
        // Smaller tables are kept until the end; together they are as large as the last.
        let most = bytes / SLOT / 2;
        let last = (0..MAX_TABLES).rev().find(|size| FIRST_SLOTS << size <= most).unwrap_or(0);
        let tables = [const { OnceLock::new() }; MAX_TABLES];
        let (current, forgotten) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { root: (root, Mutex::new(None)), tables, current, held: Mutex::new(0), last, forgotten }
    }

    fn table(&self) -> &Table {
        self.sized(self.current.load(Ordering::Acquire))
    }

    fn sized(&self, size: usize) -> &Table {
        self.tables[size].get_or_init(|| Table::new(FIRST_SLOTS << size))
    }

    /// Returns the entry of a set, if there is one.
    pub(super) fn get(&self, key: u128) -> Option<MemoEntry> {
        if key == self.root.0 {
            return *held(&self.root.1);
        }
        self.table().get(key)
    }

    /// Stores the better of the old and the new bounds.
    pub(super) fn put(&self, key: u128, new: MemoEntry) {
        if key == self.root.0 {
            held(&self.root.1).get_or_insert(new).learn(&new);
            return;
        }
        let mut count = held(&self.held);
        let may_grow = self.current.load(Ordering::Relaxed) < self.last;
        let is_crowded = || *count * 8 >= self.table().slots.len() * 5 || self.table().is_full_at(key);
        if may_grow && is_crowded() {
            self.grow(&mut count);
        }
        self.put_in(self.table(), key, new, &mut count);
    }

    fn put_in(&self, table: &Table, key: u128, new: MemoEntry, count: &mut usize) {
        match table.put(key, new) {
            Put::Added => *count += 1,
            Put::MemoEntry => {}
            Put::Instead => _ = self.forgotten.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// Moves to the next table; readers go on with the old one until the copy is complete.
    fn grow(&self, count: &mut usize) {
        let (old, size) = (self.table(), self.current.load(Ordering::Relaxed) + 1);
        let new = self.sized(size);
        *count = 0;
        for (tag, slot) in old.tags.iter().zip(&old.slots) {
            if tag.load(Ordering::Relaxed) != 0 {
                self.put_in(new, slot.name(), slot.entry(), count);
            }
        }
        self.current.store(size, Ordering::Release);
    }

    /// Removes all entries; only while no other thread reads.
    pub(super) fn clear(&self) {
        *held(&self.root.1) = None;
        let mut count = held(&self.held);
        self.table().tags.iter().for_each(|tag| tag.store(0, Ordering::Release));
        *count = 0;
    }

    /// Number of sets evicted for lack of memory.
    pub(super) fn forgotten(&self) -> usize {
        self.forgotten.load(Ordering::Relaxed)
    }
}

/// Locks a mutex; a thread that panicked while it held the lock left the data as they were.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashbrown::HashMap;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    fn entry(lower: f64, count: u16) -> MemoEntry {
        MemoEntry { lower, upper: 2.0 * lower, test: lower as u32, count, effort: 3 }
    }

    fn keys(seed: u64, count: usize) -> Vec<u128> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        (0..count).map(|_| u128::from(random.next_u64()) << 64 | u128::from(random.next_u64())).collect()
    }

    #[test]
    fn with_memory_enough_nothing_is_forgotten_as_it_grows() {
        let memo = Memo::new(1 << 30, 0);
        let keys = keys(1, 20_000);
        let mut expected: HashMap<u128, f64> = HashMap::new();
        for (at, key) in keys.iter().chain(&keys[..5_000]).enumerate() {
            memo.put(*key, entry(at as f64, 7));
            expected.insert(*key, at as f64);
        }
        assert_eq!(memo.forgotten(), 0);
        for key in keys {
            let found = memo.get(key).unwrap();
            assert_eq!((found.lower, found.count, found.effort), (expected[&key], 7, 3));
        }
        assert!(memo.get(12345).is_none());
    }

    #[test]
    fn with_too_little_memory_the_smallest_go_first_and_the_root_stays() {
        let memo = Memo::new(0, 42);
        memo.put(42, entry(1.0, 1));
        for (at, key) in keys(2, 5_000).into_iter().enumerate() {
            memo.put(key, entry(1.0, at as u16));
        }
        assert!(memo.forgotten() > 4_000);
        assert!(memo.get(42).is_some());
        let kept = keys(2, 5_000).into_iter().enumerate().filter(|(_, key)| memo.get(*key).is_some());
        assert!(kept.map(|(at, _)| at).min().unwrap() > 2_000);
    }

    #[test]
    fn readers_never_see_half_of_what_is_written() {
        let memo = Memo::new(1 << 20, 0);
        let keys = keys(3, 600);
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let (memo, keys) = (&memo, &keys);
                scope.spawn(move || {
                    for round in 1..200 {
                        for (at, key) in keys.iter().enumerate().filter(|(at, _)| at % 2 == thread) {
                            memo.put(*key, entry((round * 1000 + at) as f64, at as u16));
                        }
                    }
                });
            }
            for _ in 0..200 {
                for (at, key) in keys.iter().enumerate() {
                    if let Some(found) = memo.get(*key) {
                        assert_eq!(found.lower as usize % 1000, at);
                        assert_eq!(found.count, at as u16);
                    }
                }
            }
        });
    }
}
