//! Progress line of a long search: on standard error, only on a terminal, erased at the end.

use crate::wording::number;
use fewest::Progress;
use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

/// Time before the first progress line: shorter runs would only flicker.
const DELAY: Duration = Duration::from_millis(300);

pub(crate) struct ProgressLine {
    shown: bool,
    wanted: bool,
    start: Instant,
}

impl ProgressLine {
    pub(crate) fn new(quiet: bool) -> Self {
        Self { shown: false, wanted: !quiet && stderr().is_terminal(), start: Instant::now() }
    }

    /// Shows that `done` of `all` steps are done and, from the `run` steps of this call, an estimate of the time left.
    pub(crate) fn steps(&mut self, what: &str, done: usize, all: usize, run: usize) {
        if self.wanted && self.start.elapsed() >= DELAY {
            self.shown = true;
            let left = match run {
                0 => String::new(),
                _ => {
                    let each = self.start.elapsed().as_secs_f64() / run as f64;
                    format!(", about {} s left", (each * (all - done) as f64).ceil())
                }
            };
            let _ = write!(stderr(), "\r\x1b[K{what}: {done} of {all} cells{left}");
        }
    }

    pub(crate) fn show(&mut self, progress: &Progress) {
        if self.wanted && self.start.elapsed() >= DELAY {
            self.shown = true;
            let Progress { algorithm, number: step, of, best, bound, states, .. } = progress;
            let best = best.map_or(String::new(), |best| {
                let gap = (best / bound - 1.0) * 100.0;
                let gap = if gap.is_finite() { format!(", gap {} %", number(gap, 1)) } else { String::new() };
                format!(", best so far {}, bound {}{gap}", number(best, 4), number(*bound, 4))
            });
            let what = if *states > 0 {
                format!("searching ({} s, {} sets)", self.start.elapsed().as_secs(), states)
            } else {
                format!("{step} of {of}: {algorithm}")
            };
            let _ = write!(stderr(), "\r\x1b[K{what}{best}");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
