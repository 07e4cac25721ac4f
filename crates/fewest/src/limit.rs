//! Limits of time and memory for a build, a bound or a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Limits of time and memory, and a flag by which another thread can end the work. Reaching a limit is an outcome,
/// not an error.
///
/// ```
/// use fewest::Limit;
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use std::time::Duration;
///
/// let cancel = Arc::new(AtomicBool::new(false));
/// let limit = Limit::time(Duration::from_secs(60)).with_interrupt(Arc::clone(&cancel));
/// assert!(!limit.is_reached());
/// cancel.store(true, Ordering::Relaxed); // from any thread
/// assert!(limit.is_reached());
/// ```
#[derive(Clone, Debug)]
pub struct Limit {
    deadline: Option<Instant>,
    memory: usize,
    interrupt: Option<Arc<AtomicBool>>,
}

/// Default memory of the exact search, in bytes: 1 GiB.
pub const MEMORY: usize = 1 << 30;

impl Limit {
    /// Sets no limit of time.
    pub fn none() -> Self {
        Self { deadline: None, memory: MEMORY, interrupt: None }
    }

    /// Stops when `time` has passed from now.
    pub fn time(time: Duration) -> Self {
        Self { deadline: Instant::now().checked_add(time), ..Self::none() }
    }

    /// Lets the search store at most `bytes` bytes; what does not fit is forgotten and computed again.
    pub fn with_memory(self, bytes: usize) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Stops also when `flag` is set.
    pub fn with_interrupt(self, flag: Arc<AtomicBool>) -> Self {
        Self { interrupt: Some(flag), ..self }
    }

    /// Whether it is time to stop. Once true, the result stays true.
    pub fn is_reached(&self) -> bool {
        self.is_interrupted() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether the interrupt flag is set.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Returns the limit for a part of the work: `share` of the time that is left.
    pub(crate) fn share(&self, share: f64) -> Self {
        let now = Instant::now();
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(now));
        Self { deadline: left.map(|left| now + left.mul_f64(share)), ..self.clone() }
    }

    /// Returns a limit that is `time` earlier, so that work after the search stays within this one.
    pub(crate) fn earlier(&self, time: Duration) -> Self {
        let deadline = self.deadline.map(|deadline| deadline.checked_sub(time).unwrap_or(deadline));
        Self { deadline, ..self.clone() }
    }

    /// Time that is left, if there is a limit of time.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Instant at which to stop.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Memory of the search in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.memory
    }
}
