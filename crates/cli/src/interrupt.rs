//! Ctrl-C: the first one asks for the best found so far, the second one ends the program.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);
static WATCHED: OnceLock<()> = OnceLock::new();

/// The flag that Ctrl-C sets, watched from now on.
pub(crate) fn flag() -> &'static AtomicBool {
    WATCHED.get_or_init(|| {
        // Where signals cannot be watched, Ctrl-C ends the program as it always did.
        let _ = ctrlc::set_handler(|| {
            if ASKED.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
    &ASKED
}
