//! Clients that answer as fast as they can, each in its own session, and record the responses.

use super::ledger::{Ledger, TESTS, Told, table};
use super::server::{Client, Server};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Number of clients at the same time.
const CLIENTS: usize = 3;

/// Sessions, and the responses to their answers.
pub(crate) struct Clients {
    sessions: Vec<(String, Mutex<Ledger>)>,
    /// Flag that makes the clients stop.
    is_over: AtomicBool,
    /// Number of answers that were stored, and of those that failed, since the clients began.
    pub(crate) kept: AtomicUsize,
    pub(crate) failed: AtomicUsize,
}

/// Number of answers by their result.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) kept: usize,
    pub(crate) refused: usize,
    pub(crate) unknown: usize,
}

impl std::ops::AddAssign for Sum {
    fn add_assign(&mut self, other: Self) {
        self.kept += other.kept;
        self.refused += other.refused;
        self.unknown += other.unknown;
    }
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kept, refused, unknown } = self;
        write!(f, "{kept} answers acknowledged, {refused} refused, {unknown} with unknown outcome")
    }
}

impl Clients {
    /// Uploads a table and begins sessions.
    pub(crate) fn begin(server: &Server) -> Self {
        let mut client = Client::new(server.address).unwrap();
        let (status, made) = client.send("POST", "/api/v1/tables", "text/csv", &table()).unwrap();
        assert_eq!(status, 201, "{made}");
        let made: Value = serde_json::from_str(&made).unwrap();
        let sessions = (0..CLIENTS).map(|_| {
            let (status, session) =
                client.json("POST", "/api/v1/sessions", &json!({"table": made["id"]})).unwrap();
            assert_eq!(status, 201, "{session}");
            (session["id"].as_str().unwrap().to_owned(), Mutex::default())
        });
        Self {
            sessions: sessions.collect(),
            is_over: AtomicBool::new(false),
            kept: AtomicUsize::new(0),
            failed: AtomicUsize::new(0),
        }
    }

    /// Sends answers while `meanwhile` runs, and until it ends.
    pub(crate) fn answer_while(&self, address: SocketAddr, meanwhile: impl FnOnce()) {
        self.is_over.store(false, Ordering::Relaxed);
        self.kept.store(0, Ordering::Relaxed);
        self.failed.store(0, Ordering::Relaxed);
        std::thread::scope(|scope| {
            for (session, ledger) in &self.sessions {
                scope.spawn(move || {
                    let mut ledger = ledger.lock().unwrap();
                    let mut client = Client::new(address).ok();
                    while !self.is_over.load(Ordering::Relaxed) {
                        let Some(connected) = &mut client else {
                            std::thread::sleep(Duration::from_millis(5));
                            client = Client::new(address).ok();
                            continue;
                        };
                        let told = put(connected, session, ledger.next());
                        ledger.note(told.unwrap_or(Told::Unknown));
                        if told.is_none() {
                            client = None;
                        }
                        let counter = if told == Some(Told::Kept) { &self.kept } else { &self.failed };
                        counter.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            // The clients stop even if this panics.
            let _over = Over(&self.is_over);
            meanwhile();
        });
    }

    /// Waits until `more` further answers were stored.
    pub(crate) fn wait_for_kept(&self, more: usize) {
        wait(&self.kept, more, "answers are not kept");
    }

    /// Waits until `more` further answers failed.
    pub(crate) fn wait_for_failed(&self, more: usize) {
        wait(&self.failed, more, "answers do not fail");
    }

    /// Compares the stored answers with the responses.
    pub(crate) fn verify(&self, server: &Server) -> Sum {
        let mut client = Client::new(server.address).unwrap();
        let mut sum = Sum::default();
        for (session, ledger) in &self.sessions {
            let ledger = ledger.lock().unwrap();
            let log = kept_log(&mut client, session);
            if let Some(fault) = ledger.fault(&log) {
                panic!("session {session}: {fault}");
            }
            let path = format!("/api/v1/sessions/{session}");
            let (status, found) = client.json("GET", &path, &Value::Null).unwrap();
            assert_eq!(status, 200, "{found}");
            // The stored answers are the last ones in the log.
            let last: BTreeMap<&str, &str> =
                log.iter().map(|(test, value)| (test.as_str(), value.as_str())).collect();
            let answers = found["situation"]["answers"].as_array().unwrap();
            let answers: BTreeMap<&str, &str> = answers
                .iter()
                .map(|one| (one["test"].as_str().unwrap(), one["value"].as_str().unwrap()))
                .collect();
            assert_eq!(answers, last);
            assert!(answers.len() <= TESTS);
            sum += Sum {
                kept: ledger.count(Told::Kept),
                refused: ledger.count(Told::Refused),
                unknown: ledger.count(Told::Unknown),
            };
        }
        sum
    }
}

/// Guard that sets a flag when it is dropped.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn wait(counter: &AtomicUsize, more: usize, fault: &str) {
    let (start, from) = (Instant::now(), counter.load(Ordering::Relaxed));
    while counter.load(Ordering::Relaxed) < from + more {
        assert!(start.elapsed() < Duration::from_secs(60), "{fault}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Sends an answer; `None` if there was no response.
fn put(client: &mut Client, session: &str, number: usize) -> Option<Told> {
    let (test, value) = Ledger::answer(number);
    let path = format!("/api/v1/sessions/{session}/answers/{test}");
    let (status, body) = client.json("PUT", &path, &json!({"value": value})).ok()?;
    if status == 200 {
        return Some(Told::Kept);
    }
    assert!(status >= 500 || status == 408, "{status}: {body}");
    let detail = body["detail"].as_str().unwrap();
    Some(match () {
        () if detail.contains("done and kept") => Told::Kept,
        () if detail.contains("nothing was changed") => Told::Refused,
        () => Told::Unknown,
    })
}

/// Answers in the log of a session, each event with its own number.
fn kept_log(client: &mut Client, session: &str) -> Vec<(String, String)> {
    let mut events: Vec<Value> = Vec::new();
    loop {
        // The log comes page by page.
        let path = format!("/api/v1/sessions/{session}/log?after={}", events.len());
        let (status, log) = client.json("GET", &path, &Value::Null).unwrap();
        assert_eq!(status, 200, "{log}");
        let page = log["events"].as_array().unwrap();
        events.extend(page.iter().cloned());
        if page.is_empty() {
            assert_eq!(log["total"], events.len());
            break;
        }
    }
    for (at, event) in events.iter().enumerate() {
        assert_eq!(event["number"], at + 1);
    }
    let answered = events.iter().filter(|event| event["what"] == "answered");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    answered.map(|event| (text(&event["answer"]["test"]), text(&event["answer"]["value"]))).collect()
}
