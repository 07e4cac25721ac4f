//! Fuzzer of the API that knows the ids of what it made, and so gets answers. Tables, strategies and sessions are
//! made, used and deleted, mostly by valid requests. Every response is compared with the description of the API and
//! with a model of the server's data.
//!
//! `FEWEST_FUZZ_STEPS` and `FEWEST_FUZZ_SEED` set the length and the seed; `scripts/fuzz-api own` makes a long run.

mod description;
mod jobs;
mod model;
mod questions;
mod random;
mod sessions;
mod tables;

use crate::bench::{Bench, Kind, Reply};
use axum::body::Body;
use axum::http::{Method, Request};
use description::Description;
use model::Model;
use random::{Random, mutate};
use serde_json::Value;
use std::collections::BTreeMap;

/// Steps of one run by default: a few seconds.
const STEPS: u64 = 500;

/// Expected response.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Expected {
    /// Exactly this status.
    Status(u16),
    /// Any status except an error of the server.
    Any,
}

use Expected::{Any, Status};

struct Fuzzer {
    bench: Bench,
    random: Random,
    model: Model,
    description: Description,
    /// Number of responses by status.
    statuses: BTreeMap<u16, u64>,
}

impl Fuzzer {
    /// Sends a request and checks the response; `route` is its path in the description.
    async fn call(
        &mut self,
        method: Method,
        route: &str,
        request: Request<Body>,
        expected: Expected,
    ) -> Reply {
        let told = format!("{method} {}", request.uri());
        let reply = self.bench.send(request).await;
        let status = reply.status.as_u16();
        *self.statuses.entry(status).or_default() += 1;
        assert!(status < 500, "{told}: {status} {}", reply.text());
        if let Status(expected) = expected {
            assert_eq!(status, expected, "{told}: {}", reply.text());
        }
        self.description.check(method.as_str(), route, &reply);
        reply
    }

    async fn get(&mut self, route: &str, path: &str, expected: Expected) -> Reply {
        self.call(Method::GET, route, Bench::request(Method::GET, path, "", ""), expected).await
    }

    async fn delete(&mut self, route: &str, path: &str, expected: Expected) -> Reply {
        self.call(Method::DELETE, route, Bench::request(Method::DELETE, path, "", ""), expected).await
    }

    /// Sends a body of JSON, sometimes a mutated one; returns whether it was mutated.
    async fn send(
        &mut self,
        method: Method,
        route: &str,
        path: &str,
        mut body: Value,
        expected: Expected,
    ) -> (Reply, bool) {
        let is_odd = self.random.once_in(7);
        if is_odd {
            mutate(&mut self.random, &mut body);
        }
        let expected = if is_odd { Any } else { expected };
        let request = Bench::request(method.clone(), path, "application/json", body.to_string());
        (self.call(method, route, request, expected).await, is_odd)
    }

    /// Requests a page, which has no description.
    async fn page(&mut self, path: &str) {
        let reply = self.bench.get(path).await;
        let status = reply.status.as_u16();
        *self.statuses.entry(status).or_default() += 1;
        assert!([200, 303].contains(&status), "{path}: {status} {}", reply.text());
    }

    /// Random id of `all`; `None` if there is none.
    fn name_of<T>(&mut self, all: &BTreeMap<String, T>) -> Option<String> {
        if all.is_empty() {
            return None;
        }
        all.keys().nth(self.random.below(all.len())).cloned()
    }

    async fn step(&mut self) {
        if self.model.tables.is_empty() {
            return self.upload().await;
        }
        match self.random.below(100) {
            0..8 => self.upload().await,
            8..11 => self.look_at_table().await,
            11..13 => self.update_prior().await,
            13..14 => self.delete_table().await,
            14..24 => self.begin_session().await,
            24..46 => self.answer().await,
            46..52 => self.withdraw().await,
            52..58 => self.look_at_session().await,
            58..61 => self.confirm().await,
            61..63 => self.delete_session().await,
            63..73 => self.ask_next().await,
            73..76 => self.ask_why().await,
            76..78 => self.simulate().await,
            78..82 => self.start_job().await,
            82..88 => self.look_at_job().await,
            88..90 => self.end_job().await,
            90..94 => self.look_at_lists().await,
            94..96 => self.look_at_server().await,
            96..99 => self.look_at_pages().await,
            _ => self.ask_for_nothing().await,
        }
    }

    async fn look_at_server(&mut self) {
        for path in ["/healthz", "/readyz"] {
            self.get(path, path, Status(200)).await;
        }
        let metrics = self.get("/metrics", "/metrics", Status(200)).await.text();
        let line = format!("fewest_sessions {}", self.model.sessions.len());
        assert!(metrics.lines().any(|found| found == line), "{line}: {metrics}");
    }

    /// Requests with ids of nothing, and of other kinds of things.
    async fn ask_for_nothing(&mut self) {
        let table = self.name_of(&self.model.tables.clone()).unwrap();
        for id in ["0123456789abcdef0123456789abcdef", "nothing", &table] {
            let path = format!("/api/v1/sessions/{id}");
            self.get("/api/v1/sessions/{id}", &path, Status(404)).await;
            self.delete("/api/v1/sessions/{id}", &path, Status(404)).await;
            self.get("/api/v1/strategies/{id}", &format!("/api/v1/strategies/{id}"), Status(404)).await;
        }
    }

    async fn look_at_pages(&mut self) {
        let table = self.name_of(&self.model.tables.clone()).unwrap();
        let mut paths = vec!["/".to_owned(), "/sessions".to_owned(), "/sessions?page=2".to_owned()];
        for part in ["", "/build", "/compare", "/ask", "/shared"] {
            paths.push(format!("/tables/{table}{part}"));
        }
        if let Some(session) = self.name_of(&self.model.sessions.clone()) {
            for part in ["", "/questions/1", "/result", "/candidates"] {
                paths.push(format!("/sessions/{session}{part}"));
            }
        }
        for path in paths {
            self.page(&path).await;
        }
    }

    /// Checks that all that should exist does, and that nothing is left when all tables are deleted.
    async fn finish(&mut self) {
        for id in self.model.sessions.keys().cloned().collect::<Vec<_>>() {
            self.check_session(&id).await;
        }
        for id in self.model.tables.keys().cloned().collect::<Vec<_>>() {
            self.delete("/api/v1/tables/{id}", &format!("/api/v1/tables/{id}"), Status(204)).await;
            self.model.drop_table(&id);
        }
        for kind in ["tables", "sessions", "strategies", "comparisons", "fronts"] {
            let path = format!("/api/v1/{kind}");
            let list = self.get(&path, &path, Status(200)).await.json();
            assert_eq!(list[kind].as_array().unwrap().len(), 0, "{kind}");
        }
    }
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

async fn run(kind: Kind) {
    let (steps, seed) = (number("FEWEST_FUZZ_STEPS", STEPS), number("FEWEST_FUZZ_SEED", 1));
    let Some(bench) = Bench::new(kind).await else { return };
    let mut fuzzer = Fuzzer {
        bench,
        random: Random::new(seed),
        model: Model::default(),
        description: Description::new(),
        statuses: BTreeMap::new(),
    };
    for at in 0..steps {
        // Prints the step, so that a failure can be found: the same seed fails at the same step.
        if at % 10_000 == 0 {
            eprintln!("fuzz: seed {seed}, step {at} of {steps}");
        }
        fuzzer.step().await;
    }
    fuzzer.finish().await;
    let all: u64 = fuzzer.statuses.values().sum();
    let done: u64 = fuzzer.statuses.range(200..400).map(|(_, count)| count).sum();
    let share = done as f64 / all as f64 * 100.0;
    eprintln!(
        "fuzz: seed {seed}, {steps} steps, {all} requests, {share:.1} % succeeded: {:?}",
        fuzzer.statuses
    );
    assert!(share > 60.0, "most requests should be answered: {share:.1} %");
}

#[tokio::test]
async fn requests_that_make_their_own_names_are_answered_as_described() {
    run(Kind::Sqlite).await;
}

#[tokio::test]
async fn the_same_requests_are_answered_alike_on_postgresql() {
    run(Kind::Postgres).await;
}
