//! `fewest serve` as a process under faults: killed, on a disk that is full or fails, without its database. Real
//! clients record what was acknowledged; afterwards all of it must be stored, and nothing twice.
//!
//! `cargo test` runs a small share of it. `scripts/fault-test` runs more, by the variables `FEWEST_KILLS`,
//! `FEWEST_POSTGRES_KILLS`, `FEWEST_FULL_DISKS`, `FEWEST_DISK_FAULTS` and `FEWEST_OUTAGES`.

mod clients;
mod disk;
mod kill;
mod ledger;
mod outage;
mod postgres;
mod server;
mod start;

/// Number of repetitions: `small` in `cargo test`, or the value of the variable in a long run.
fn times(variable: &str, small: usize) -> usize {
    std::env::var(variable).map_or(small, |text| text.parse().unwrap())
}

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Writes a line of the long run's report.
#[allow(clippy::print_stderr, reason = "the report of a test")]
fn report(line: &str) {
    eprintln!("fault-test: {line}");
}
