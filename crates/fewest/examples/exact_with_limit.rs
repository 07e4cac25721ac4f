//! Searches for the optimum within a time limit, shows progress, and can be cancelled from another thread.
//!
//! `cargo run --release --package fewest --example exact_with_limit`

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use fewest::{Goal, InstanceBuilder, InstanceError, Limit, StopReason, build_watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

fn main() -> Result<(), InstanceError> {
    // 64 objects; test i asks whether the object's number, times a constant, has bit i set.
    let numbers: Vec<u64> = (0..64).map(|object: u64| object.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let mut builder = InstanceBuilder::new((0..64).map(|object| format!("object {object}")));
    for bit in 40..60 {
        builder = builder.test(format!("bit {bit}"), numbers.iter().map(|number| number >> bit & 1 == 1));
    }
    // Unequal priors, so that no simple bound is met.
    let (instance, _) =
        builder.prior((0..64u32).map(|object| f64::from(1 + object * object % 23))).build()?;

    let cancel = Arc::new(AtomicBool::new(false));
    let limit = Limit::time(Duration::from_secs(2)).with_interrupt(Arc::clone(&cancel));
    thread::spawn(move || {
        // Any event may cancel the search; here it is a timer.
        thread::sleep(Duration::from_secs(1));
        cancel.store(true, Ordering::Relaxed);
    });
    let outcome = build_watched(&instance, &Goal::default(), &limit, |progress| {
        if let Some(best) = progress.best {
            println!("{}: best {best:.4}, bound {:.4}", progress.algorithm, progress.bound);
        }
    });
    println!(
        "cost {:.4}, no tree is below {:.4} (at most {:.2} % above the optimum)",
        outcome.costs.expected,
        outcome.bound.value,
        100.0 * outcome.gap
    );
    match outcome.stop {
        StopReason::Proved => println!("proved optimal"),
        reason => println!("stopped: {reason:?}"),
    }
    Ok(())
}
