//! Work of a request: posteriors computed, and statements that read the database.

use crate::bench::{Bench, Kind, name};
use axum::http::Method;
use serde_json::json;

/// Runs a test whose work on tables is on one thread, so that this thread counts all posteriors.
fn counted(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build();
    runtime.unwrap().block_on(test);
}

/// Counts so far: posteriors and reads.
async fn counts(bench: &Bench) -> (u64, u64) {
    let posteriors = tokio::task::spawn_blocking(fewest::session::posteriors_computed).await;
    (posteriors.unwrap(), bench.app.database_reads())
}

/// Checks the work of `request` since `before`.
async fn assert_cost(bench: &Bench, before: (u64, u64), request: &str, expected: (u64, u64)) {
    let now = counts(bench).await;
    assert_eq!((now.0 - before.0, now.1 - before.1), expected, "posteriors and reads of {request}");
}

/// Id of a table that is in memory already.
async fn a_table(bench: &Bench) -> String {
    let table = bench.table(ZOO).await;
    bench.get(&format!("/api/v1/tables/{table}")).await.expect(200);
    table
}

async fn a_session(bench: &Bench, table: &str) -> String {
    let body = json!({"table": table, "answers": [{"test": "milk", "value": "0"}]});
    let before = counts(bench).await;
    let made = bench.post("/api/v1/sessions", &body).await.expect(201);
    // Rows that were just written need not be read.
    assert_cost(bench, before, "POST session", (1, 0)).await;
    name(&made.json())
}

const ZOO: &str = include_str!("../../../../examples/zoo.csv");

#[test]
fn a_response_takes_one_posterior_and_one_read_of_its_session() {
    counted(async {
        let bench = Bench::new(Kind::Sqlite).await.unwrap();
        let table = a_table(&bench).await;
        let session = a_session(&bench, &table).await;
        let (place, answer) =
            (format!("/api/v1/sessions/{session}"), format!("/api/v1/sessions/{session}/answers/legs"));
        let before = counts(&bench).await;
        bench.get(&place).await.expect(200);
        assert_cost(&bench, before, "GET session", (1, 2)).await;
        let before = counts(&bench).await;
        bench.put(&answer, &json!({"value": "4"})).await.expect(200);
        assert_cost(&bench, before, "PUT answer", (1, 2)).await;
        let before = counts(&bench).await;
        bench.delete(&answer).await.expect(200);
        // The answers before, to know whether there is one to withdraw, and those after.
        assert_cost(&bench, before, "DELETE answer", (1, 3)).await;
        for (path, extra) in
            [("next", json!({})), ("rationale", json!({})), ("explain", json!({"object": "carp"}))]
        {
            let mut body = json!({"table": table, "answers": [{"test": "milk", "value": "0"}]});
            body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            let before = counts(&bench).await;
            bench.post(&format!("/api/v1/{path}"), &body).await.expect(200);
            assert_cost(&bench, before, path, (1, 0)).await;
        }
    });
}

#[test]
fn a_page_takes_one_posterior_and_one_read_of_its_session() {
    counted(async {
        let bench = Bench::new(Kind::Sqlite).await.unwrap();
        let table = a_table(&bench).await;
        let session = a_session(&bench, &table).await;
        for (page, posteriors) in [
            ("questions/2", 1),
            ("questions/2?why=1", 1),
            ("questions/2?test=tail", 1),
            // One more for the objects that other answers would leave, as if this question had not been answered.
            ("questions/1", 2),
            ("result", 1),
            ("candidates", 1),
            ("explain?object=carp&other=bear", 1),
        ] {
            let before = counts(&bench).await;
            assert_eq!(bench.get(&format!("/sessions/{session}/{page}")).await.status, 200, "{page}");
            assert_cost(&bench, before, page, (posteriors, 2)).await;
        }
        let before = counts(&bench).await;
        bench.get(&format!("/tables/{table}/shared?t=milk&v=0")).await;
        assert_cost(&bench, before, "shared answers", (1, 0)).await;
    });
}

#[test]
fn a_form_computes_nothing_and_reads_its_session_once() {
    counted(async {
        let bench = Bench::new(Kind::Sqlite).await.unwrap();
        let table = a_table(&bench).await;
        let session = a_session(&bench, &table).await;
        let token = "a".repeat(64);
        let body = format!("token={token}&test=legs&value=4");
        let kind = "application/x-www-form-urlencoded";
        let mut form = Bench::request(Method::POST, &format!("/sessions/{session}/answer"), kind, body);
        form.headers_mut().insert("cookie", format!("fewest_form={token}").parse().unwrap());
        let before = counts(&bench).await;
        let reply = bench.send(form).await;
        assert_eq!(reply.headers["location"], format!("/sessions/{session}/questions/3"));
        assert_cost(&bench, before, "the form of an answer", (0, 2)).await;
    });
}
