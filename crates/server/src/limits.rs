//! Limits on what clients may use.

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
    /// Time that a request may take, but for streams.
    pub request: Duration,
    /// Time of the longest search that can be asked for.
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
    /// Connections of one address at the same time; 0: no limit.
    pub connections_each: usize,
    /// Event streams at the same time.
    pub streams: usize,
    /// Event streams of one address at the same time; 0: no limit.
    pub streams_each: usize,
    /// Time that a client may take to send the head of a request, and that a connection may be idle.
    pub head: Duration,
    /// Time that the server waits for a client to send or to take [`Self::least_bytes`]; then it hangs up.
    pub patience: Duration,
    /// Bytes that a client has to send or to take while the server waits for it as long as
    /// [`Self::patience`].
    pub least_bytes: usize,
    /// Bytes of bodies in memory at the same time: as much coming in, and as much going out; one address may
    /// have a quarter of it.
    pub bodies: usize,
    /// Questions that may be worked on at the same time.
    pub blocking_threads: usize,
    /// Questions that may wait to be worked on.
    pub waiting: usize,
    /// Bytes of responses to `next` that are cached.
    pub repeats: usize,
    /// Events in the log of one session.
    pub events: i64,
    /// Bytes of the options of a table or a session, and of one answer.
    pub options: usize,
    /// Bytes of what a search may find.
    pub document: usize,
    /// Bytes that all of it may take in the database.
    pub disk: u64,
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
            connections_each: 1000,
            streams: 500,
            streams_each: 250,
            head: Duration::from_secs(20),
            patience: Duration::from_secs(20),
            least_bytes: 20_000,
            bodies: 256_000_000,
            blocking_threads: cores,
            waiting: 500,
            repeats: 32_000_000,
            events: 10_000,
            options: 64_000,
            document: 64_000_000,
            disk: 10_000_000_000,
            rate: 0,
        }
    }
}
