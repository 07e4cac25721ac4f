//! Progress line of a long search: on standard error, only on a terminal, erased at the end.

use crate::wording::{above_best, number};
use fewest::Progress;
use fewest_formats::text::one_line;
use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time before the first progress line: shorter runs would only flicker.
const DELAY: Duration = Duration::from_millis(300);

/// Time between two lines of a clock.
const TICK: Duration = Duration::from_millis(500);

fn is_wanted(quiet: bool) -> bool {
    !quiet && stderr().is_terminal()
}

/// Time since `start`, with the time limit if there is one: `18 of 60 s`.
fn clock(start: Instant, limit: Option<Duration>) -> String {
    let seconds = start.elapsed().as_secs();
    match limit {
        Some(limit) => format!("{seconds} of {} s", number(limit.as_secs_f64(), 1)),
        None => format!("{seconds} s"),
    }
}

/// Replaces the line by `text`, cut to the terminal: a line that wraps could not be erased.
fn show(text: &str) {
    let width = terminal_size::terminal_size_of(stderr()).map_or(80, |(width, _)| usize::from(width.0));
    let _ = write!(stderr(), "\r\x1b[K{}", one_line(text, width.saturating_sub(1)));
}

/// Progress of a search that reports its steps.
pub(crate) struct ProgressLine {
    shown: bool,
    wanted: bool,
    start: Instant,
    limit: Option<Duration>,
}

impl ProgressLine {
    /// Progress of a search of at most `limit`.
    pub(crate) fn new(quiet: bool, limit: Option<Duration>) -> Self {
        Self { shown: false, wanted: is_wanted(quiet), start: Instant::now(), limit }
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
            show(&format!("{what}: {done} of {all} cells{left}"));
        }
    }

    /// Shows the time, the best cost so far, its bound and the gap.
    pub(crate) fn show(&mut self, progress: &Progress) {
        if self.wanted && self.start.elapsed() >= DELAY {
            self.shown = true;
            let Progress { algorithm, number: step, of, best, bound, states, .. } = progress;
            let best = best.map_or(String::new(), |best| {
                let gap =
                    above_best(best / bound - 1.0).map_or_else(String::new, |gap| format!(" (gap {gap})"));
                format!(" · best {}, at least {}{gap}", number(best, 4), number(*bound, 4))
            });
            let what = match states {
                0 => format!("{algorithm}, {step} of {of}"),
                states => format!("{states} sets"),
            };
            let time = clock(self.start, self.limit);
            show(&format!("{time}{best} · {what} · Ctrl-C keeps the best"));
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

/// Clock beside a computation that reports no steps; it stops when it is dropped.
pub(crate) struct Clock {
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Clock {
    /// Starts to show the time beside `what`.
    pub(crate) fn start(quiet: bool, what: &'static str, limit: Option<Duration>) -> Self {
        if !is_wanted(quiet) {
            return Self { running: None };
        }
        let (stop, stopped) = channel::<()>();
        let tick = move || {
            let start = Instant::now();
            let mut wait = DELAY;
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                show(&format!("{what}: {} · Ctrl-C keeps what is found", clock(start, limit)));
                wait = TICK;
            }
            let _ = write!(stderr(), "\r\x1b[K");
        };
        // Without a thread there is only no clock.
        let thread = std::thread::Builder::new().name("clock".to_owned()).spawn(tick).ok();
        Self { running: thread.map(|thread| (stop, thread)) }
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.running.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_says_how_much_time_there_is() {
        let start = Instant::now();
        assert_eq!(clock(start, Some(Duration::from_secs(60))), "0 of 60 s");
        assert_eq!(clock(start, Some(Duration::from_millis(500))), "0 of 0.5 s");
        assert_eq!(clock(start, None), "0 s");
    }

    #[test]
    fn a_clock_without_a_terminal_shows_nothing() {
        assert!(Clock::start(true, "front", None).running.is_none());
    }
}
