//! `fewest serve` as a process under faults: killed, on a disk that is full or fails, without its database. Real clients
//! write down what was acknowledged; afterwards all of that must be there, and nothing twice.
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

/// How often something is done: `small` in `cargo test`, as the variable says in the long run.
fn times(variable: &str, small: usize) -> usize {
    std::env::var(variable).map_or(small, |text| text.parse().unwrap())
}

/// Numbers that look random, the same in every run.
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
