//! Calls into a library that panics on broken files: a panic becomes a message.

use super::Problem;
#[cfg(feature = "parquet")]
use super::arrow_text::broken;
use super::error::{one_line, short_reason};
use std::any::Any;
use std::cell::Cell;
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread is about to be caught, so that it is not printed.
    static IS_CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// Returns the result of `call`, or the message of its panic. After a panic, values that `call` changed must not be
/// used.
fn catch_panic<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    // Panics of other threads, and other panics of this thread, are reported as before.
    static QUIET_HOOK: Once = Once::new();
    QUIET_HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_CONTAINED.get() {
                report(info);
            }
        }));
    });
    IS_CONTAINED.set(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(call));
    IS_CONTAINED.set(false);
    outcome.map_err(|payload| message(&*payload))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("its parts do not fit together").to_owned()
}

/// Calls a library that reads `format`, which reports a broken file by an error or by a panic.
pub(super) fn attempt_as<T, E: Display>(
    format: &'static str,
    call: impl FnOnce() -> Result<T, E>,
) -> Result<T, Problem> {
    catch_panic(call).map_err(|error| broken_as(format, error))?.map_err(|error| broken_as(format, error))
}

/// A broken file of this format.
pub(super) fn broken_as(format: &'static str, error: impl Display) -> Problem {
    Problem::Format {
        format,
        reason: format!(
            "{}; write it anew, or save the table as CSV",
            short_reason(&one_line(&error.to_string()))
        ),
    }
}

/// Calls the library, which reports a broken file by an error or by a panic.
#[cfg(feature = "parquet")]
pub(super) fn attempt<T, E: Display>(call: impl FnOnce() -> Result<T, E>) -> Result<T, Problem> {
    catch_panic(call).map_err(broken)?.map_err(broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        let number = 7;
        assert_eq!(catch_panic(|| number), Ok(7));
        assert_eq!(catch_panic(|| -> u32 { panic!("a fixed text") }), Err("a fixed text".to_owned()));
        assert_eq!(catch_panic(|| -> u32 { panic!("text {number}") }), Err("text 7".to_owned()));
    }
}
