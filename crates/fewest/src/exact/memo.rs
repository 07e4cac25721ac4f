//! What is known of the sets met so far.

use hashbrown::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is known of a set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// No tree for it is worth less.
    pub(super) lower: f64,
    /// A tree for it is worth this.
    pub(super) upper: f64,
    /// The first test of that tree.
    pub(super) test: u32,
    /// How many objects it has; small sets are forgotten first.
    pub(super) count: u16,
    /// How far trees for it were looked for.
    pub(super) effort: u8,
}

impl Known {
    /// What is known of a set that was never met.
    pub(super) fn nothing(count: u32) -> Self {
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY, test: u32::MAX, count, effort: 0 }
    }

    /// Keeps the better of both.
    fn learn(&mut self, new: &Self) {
        self.lower = self.lower.max(new.lower);
        if new.upper < self.upper {
            (self.upper, self.test) = (new.upper, new.test);
        }
        self.effort = self.effort.max(new.effort);
    }

    /// Whether nothing is left to be found out.
    pub(super) fn is_solved(&self) -> bool {
        self.lower >= self.upper
    }
}

/// Keys are random numbers already.
#[derive(Default)]
pub(super) struct Plain(u64);

impl Hasher for Plain {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {}
    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

type Shard = HashMap<u128, Known, BuildHasherDefault<Plain>>;

/// Sets by key, shared by all threads, within a limit of memory. The set of all objects is never forgotten.
pub(super) struct Memo {
    root: (u128, Mutex<Option<Known>>),
    shards: Vec<Mutex<Shard>>,
    most: usize,
    forgotten: AtomicUsize,
}

const SHARDS: usize = 64;

/// Bytes that a set takes: key, what is known, and the table's share of free places.
const ENTRY: usize = (size_of::<(u128, Known)>() + 1) * 2;

impl Memo {
    /// For at most `bytes`; `root` names the set that is never forgotten.
    pub(super) fn new(bytes: usize, root: u128) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::new(Shard::default())).collect();
        let most = (bytes / ENTRY / SHARDS).max(2);
        Self { root: (root, Mutex::new(None)), shards, most, forgotten: AtomicUsize::new(0) }
    }

    fn shard(&self, key: u128) -> MutexGuard<'_, Shard> {
        held(&self.shards[(key >> 122) as usize])
    }

    /// What is known of a set.
    pub(super) fn get(&self, key: u128) -> Option<Known> {
        if key == self.root.0 {
            return *held(&self.root.1);
        }
        self.shard(key).get(&key).copied()
    }

    /// Keeps the better of what was known and what is.
    pub(super) fn put(&self, key: u128, new: Known) {
        if key == self.root.0 {
            held(&self.root.1).get_or_insert(new).learn(&new);
            return;
        }
        let mut shard = self.shard(key);
        if let Some(old) = shard.get_mut(&key) {
            old.learn(&new);
            return;
        }
        if shard.len() >= self.most {
            let before = shard.len();
            forget(&mut shard);
            self.forgotten.fetch_add(before - shard.len(), Ordering::Relaxed);
        }
        shard.insert(key, new);
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        *held(&self.root.1) = None;
        self.shards.iter().for_each(|shard| held(shard).clear());
    }

    /// How many sets were forgotten for want of memory.
    pub(super) fn forgotten(&self) -> usize {
        self.forgotten.load(Ordering::Relaxed)
    }
}

/// What a lock guards; a thread that died with it left it as it was.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Forgets the smaller half, which is found again soonest.
fn forget(shard: &mut Shard) {
    let mut counts: Vec<u16> = shard.values().map(|known| known.count).collect();
    let middle = counts.len() / 2;
    let (_, &mut median, _) = counts.select_nth_unstable(middle);
    let most = shard.len() / 2;
    let mut kept = 0;
    shard.retain(|_, known| {
        let keep = known.count >= median && kept < most;
        kept += usize::from(keep);
        keep
    });
}
