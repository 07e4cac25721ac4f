//! Ctrl-C: the first ends the search with the best found so far, the second ends the program.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

thread_local! {
    /// Flag of a program that runs a command on this thread and watches signals itself.
    static OF_HOST: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Runs `work`; commands in it on this thread use `flag`, and no handler is installed for them.
pub(crate) fn with_flag<T>(flag: Arc<AtomicBool>, work: impl FnOnce() -> T) -> T {
    let before = OF_HOST.replace(Some(flag));
    let done = work();
    OF_HOST.set(before);
    done
}

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Flag that Ctrl-C sets; the handler is installed at the first call.
pub(crate) fn flag() -> Arc<AtomicBool> {
    if let Some(flag) = OF_HOST.with_borrow(Clone::clone) {
        return flag;
    }
    let flag = FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let set = Arc::clone(&flag);
        // Where signals cannot be watched, Ctrl-C ends the program by default.
        let _ = ctrlc::set_handler(move || {
            if set.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        flag
    });
    Arc::clone(flag)
}
