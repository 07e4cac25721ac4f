//! What a server lets its visitors use.

use std::time::Duration;

/// Limits, each with the default that suits one machine and a few dozen people.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a request's body.
    pub body: usize,
    /// Rows of a table.
    pub rows: usize,
    /// Columns of a table, as it stands in the file.
    pub columns: usize,
    /// Rows times tests, after numbers became questions.
    pub cells: usize,
    /// Tables that are kept.
    pub tables: u64,
    /// Sessions that are kept.
    pub sessions: u64,
    /// Strategies, comparisons and fronts that are kept.
    pub strategies: u64,
    /// How long a request may take, but for streams.
    pub request: Duration,
    /// The longest search that can be asked for.
    pub build: Duration,
    /// Bytes that one search may remember.
    pub memory: usize,
    /// Bytes of tables that are kept ready in memory.
    pub cache: usize,
    /// Searches at the same time.
    pub workers: usize,
    /// Threads of one search.
    pub threads: usize,
    /// Searches that may wait.
    pub queue: usize,
    /// Connections at the same time.
    pub connections: usize,
    /// Requests a second from one address on average, and ten times as many at once; 0: no limit.
    pub rate: u32,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            body: 16_000_000,
            rows: 1_000_000,
            columns: 10_000,
            cells: 50_000_000,
            tables: 1000,
            sessions: 1_000_000,
            strategies: 10_000,
            request: Duration::from_secs(30),
            build: Duration::from_secs(600),
            memory: 500_000_000,
            cache: 200_000_000,
            workers: 1,
            // One core is left for answering.
            threads: cores.saturating_sub(1).max(1),
            queue: 16,
            connections: 2000,
            rate: 0,
        }
    }
}
