//! Limits on what clients may use.

use std::time::Duration;

/// Limits, each with the default that suits one machine and a few dozen people.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most bytes of a request's body.
    pub body: usize,
    /// Most rows of a table.
    pub rows: usize,
    /// Most columns of a table, as they stand in the file.
    pub columns: usize,
    /// Most rows times tests of a table, after numbers became questions.
    pub cells: usize,
    /// Most tables that are kept.
    pub tables: u64,
    /// Most sessions that are kept.
    pub sessions: u64,
    /// Most strategies, comparisons and fronts that are kept.
    pub strategies: u64,
    /// Time that a request may take, except streams.
    pub request: Duration,
    /// Time of the longest search that can be requested.
    pub build: Duration,
    /// Bytes of memory that one search may use for known sets.
    pub memory: usize,
    /// Bytes of tables that are kept ready in memory.
    pub cache: usize,
    /// Most searches at the same time.
    pub workers: usize,
    /// Threads of one search.
    pub threads: usize,
    /// Most searches that may wait.
    pub queue: usize,
    /// Most connections at the same time.
    pub connections: usize,
    /// Most connections of one address at the same time; 0: no limit.
    pub connections_each: usize,
    /// Most event streams at the same time.
    pub streams: usize,
    /// Most event streams of one address at the same time; 0: no limit.
    pub streams_each: usize,
    /// Time that a client may take to send the head of a request, and that a connection may be idle.
    pub head: Duration,
    /// Time that the server waits for a client to send or to receive [`Self::least_bytes`]; then it closes the
    /// connection.
    pub patience: Duration,
    /// Least number of bytes that a client has to send or to receive while the server waits for [`Self::patience`].
    pub least_bytes: usize,
    /// Most bytes of bodies in memory at the same time: this many incoming, and this many outgoing. One address may
    /// use a quarter of it.
    pub bodies: usize,
    /// Most questions that are computed at the same time.
    pub blocking_threads: usize,
    /// Most questions that may wait to be computed.
    pub waiting: usize,
    /// Bytes of responses to `next` that are cached.
    pub repeats: usize,
    /// Most events in the log of one session.
    pub events: i64,
    /// Most bytes of the options of a table or a session, and of one answer.
    pub options: usize,
    /// Most bytes of the document that a search may produce.
    pub document: usize,
    /// Most bytes of the whole database.
    pub disk: u64,
    /// Requests a second from one address on average; ten times as many at once; 0: no limit.
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
            // One core is left to answer requests.
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
