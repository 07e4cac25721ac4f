//! Deadline and counter of the search, shared by all threads.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Instant;

/// Error that tells a search to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// Clock and counter of states.
pub(super) struct Control {
    start: Instant,
    deadline: Option<Instant>,
    last: Option<Instant>,
    phase: AtomicU8,
    stop: AtomicBool,
    states: AtomicU64,
}

const SEARCH: u8 = 0;
const END: u8 = 1;

/// Number of states between two looks at the clock.
const STATES_BETWEEN_CLOCKS: u64 = 16;

impl Control {
    /// Makes a control: the search ends at `deadline`, the work after it at `last`.
    pub(super) fn new(deadline: Option<Instant>, last: Option<Instant>) -> Self {
        let (phase, stop, states) = (AtomicU8::new(SEARCH), AtomicBool::new(false), AtomicU64::new(0));
        Self { start: Instant::now(), deadline, last, phase, stop, states }
    }

    /// Counts a state; fails when it is time to stop.
    pub(super) fn step(&self) -> Result<(), Stopped> {
        let states = self.states.fetch_add(1, Ordering::Relaxed);
        if states.is_multiple_of(STATES_BETWEEN_CLOCKS) && self.is_late() {
            self.stop();
        }
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }

    /// Whether the time is up.
    pub(super) fn is_late(&self) -> bool {
        let is_search = self.phase.load(Ordering::Relaxed) == SEARCH;
        let deadline = if is_search { self.deadline } else { self.last };
        deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Time left, in units of the time elapsed; `None` without a deadline.
    pub(super) fn time_left(&self) -> Option<f64> {
        let deadline = self.deadline?;
        let gone = self.start.elapsed().as_secs_f64();
        Some(deadline.saturating_duration_since(Instant::now()).as_secs_f64() / gone.max(1e-9))
    }

    /// Tells all threads to stop.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Lets one thread continue after all were told to stop, until `last`.
    pub(super) fn resume(&self) {
        self.phase.store(END, Ordering::Relaxed);
        self.stop.store(false, Ordering::Relaxed);
    }

    /// Whether all threads were told to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Number of states so far.
    pub(super) fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }
}
