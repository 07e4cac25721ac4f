//! The one program behind all targets: the environment variable `FEWEST_FUZZ_TARGET` says which of them it runs, so that a
//! dozen targets are compiled and linked once.

#![no_main]

use fewest_fuzz::{TARGETS, Target, mutate};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use std::sync::LazyLock;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("FEWEST_FUZZ_TARGET").unwrap_or_default();
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    let found = TARGETS.iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("set FEWEST_FUZZ_TARGET to one of {names:?}"))
});

fuzz_target!(|data: &[u8]| (TARGET.run)(data));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    // One change in eight is to the bytes, so that text that is no JSON comes up, too.
    if TARGET.is_json && seed % 8 != 0 {
        if let Some(size) = mutate::json(data, size, max_size, seed) {
            return size;
        }
    }
    fuzzer_mutate(data, size, max_size)
});
