//! Limits of clients, and the responses when they are reached: items 13, 16, 17, 18, 19 and 21 of issue 21.

use crate::bench::{Bench, Kind, PETS, Reply, name, on_both};
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request};
use fewest_server::{Limits, new_token};
use futures_util::future::join_all;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::fmt::Write;
use std::net::SocketAddr;
use std::time::Duration;
use tower::ServiceExt;

async fn with(limits: Limits) -> Bench {
    Bench::with(Kind::Sqlite, limits, Vec::new()).await.unwrap()
}

fn from(address: &str, mut request: Request<Body>) -> Request<Body> {
    let peer: SocketAddr = address.parse().unwrap();
    request.extensions_mut().insert(ConnectInfo(peer));
    request
}

/// A table of `objects` objects and `tests` tests, in which all rows differ.
pub(crate) fn wide(objects: usize, tests: usize) -> String {
    let mut csv = "object".to_owned();
    (0..tests).for_each(|test| write!(csv, ",t{test}").unwrap());
    let mut state = 7_u64;
    for object in 0..objects {
        write!(csv, "\no{object}").unwrap();
        for test in 0..tests {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bit = if test < 16 { object >> test & 1 } else { (state >> 60 & 1) as usize };
            write!(csv, ",{bit}").unwrap();
        }
    }
    csv
}

/// Body that stalls after its first part.
fn endless(first: &str) -> Body {
    use futures_util::StreamExt;
    let first = futures_util::stream::iter([Ok::<_, std::io::Error>(first.to_owned())]);
    Body::from_stream(first.chain(futures_util::stream::pending()))
}

#[tokio::test]
async fn issue_21_item_13_slow_uploads_do_not_stop_the_others() {
    let bench = with(Limits::default()).await;
    let router = bench.router.clone();
    let slow: Vec<_> = (0..40)
        .map(|_| {
            let request = Bench::request(Method::POST, "/api/v1/tables", "text/csv", endless("object,a\n"));
            tokio::spawn(router.clone().oneshot(request))
        })
        .collect();
    tokio::task::yield_now().await;
    let uploaded = tokio::time::timeout(Duration::from_secs(20), bench.upload("", PETS)).await;
    uploaded.expect("no upload waits for a slow one").expect(201);
    slow.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test]
async fn issue_21_item_13_a_body_that_does_not_come_is_not_waited_for() {
    let bench = with(Limits { patience: Duration::from_millis(100), ..Limits::default() }).await;
    let request = Bench::request(Method::POST, "/api/v1/tables", "text/csv", endless("object,a\n"));
    let reply = bench.send(request).await.expect(408);
    assert_eq!(reply.headers["connection"], "close");
    assert!(reply.json()["detail"].as_str().unwrap().contains("too slowly"));
}

#[tokio::test]
async fn issue_21_item_13_bodies_that_come_in_have_limited_room() {
    // One address may use a quarter.
    let bench = with(Limits { bodies: 1_600_000, ..Limits::default() }).await;
    let part = format!("object,a\n{}", "x,y\n".repeat(75_000));
    let slow = |address: &str| {
        let request = Bench::request(Method::POST, "/api/v1/tables", "text/csv", endless(&part));
        tokio::spawn(bench.router.clone().oneshot(from(address, request)))
    };
    let mut held = vec![slow("10.0.0.1:1")];
    tokio::task::yield_now().await;
    let large = |address: &str| {
        let request = Bench::request(Method::POST, "/api/v1/tables", "text/csv", part.clone());
        bench.send(from(address, request))
    };
    let refused = large("10.0.0.1:2").await.expect(429);
    assert!(refused.headers.contains_key("retry-after"));
    for other in 2..6 {
        held.push(slow(&format!("10.0.0.{other}:1")));
    }
    tokio::task::yield_now().await;
    let refused = large("10.0.0.9:1").await.expect(503);
    assert!(refused.headers.contains_key("retry-after"));
    let small = Bench::request(Method::POST, "/api/v1/tables", "text/csv", PETS);
    bench.send(from("10.0.0.9:1", small)).await.expect(201);
    held.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test]
async fn issue_21_item_13_what_waits_to_be_sent_has_limited_room() {
    let bench = with(Limits { bodies: 12_000_000, ..Limits::default() }).await;
    let table = bench.table(&format!("object,a\nx,{}\ny,2\n", "z".repeat(1_500_000))).await;
    let ask = |address: String| {
        let path = format!("/api/v1/tables/{table}/content");
        let request = from(&address, Bench::request(Method::GET, &path, "", ""));
        bench.router.clone().oneshot(request)
    };
    let mut held = Vec::new();
    held.push(ask("10.0.0.1:1".to_owned()).await.unwrap());
    assert_eq!(held[0].status(), 200);
    let refused = ask("10.0.0.1:2".to_owned()).await.unwrap();
    assert_eq!(refused.status(), 429, "one address has what one may have");
    for other in 2..6 {
        held.push(ask(format!("10.0.0.{other}:1")).await.unwrap());
    }
    assert!(held.iter().all(|response| response.status() == 200));
    assert_eq!(ask("10.0.0.9:1".to_owned()).await.unwrap().status(), 503);
    // The share that was taken is free again, and the body was complete.
    let taken = held.pop().unwrap();
    assert_eq!(taken.headers()["content-length"], "1500016");
    assert_eq!(taken.into_body().collect().await.unwrap().to_bytes().len(), 1_500_016);
    assert_eq!(ask("10.0.0.9:1".to_owned()).await.unwrap().status(), 200);
}

#[tokio::test]
async fn issue_21_item_13_event_streams_are_limited_in_all_and_by_address() {
    let bench = with(Limits { streams: 3, streams_each: 2, ..Limits::default() }).await;
    let table = bench.table(&wide(300, 40)).await;
    let request = json!({"table": table, "time_ms": 600_000});
    let job = name(&bench.post("/api/v1/strategies", &request).await.expect(202).json());
    let follow = |address: &str| {
        let path = format!("/api/v1/strategies/{job}/events");
        bench.router.clone().oneshot(from(address, Bench::request(Method::GET, &path, "", "")))
    };
    let mut held = Vec::new();
    for address in ["10.0.0.1:1", "10.0.0.1:2", "10.0.0.2:1"] {
        let response = follow(address).await.unwrap();
        assert_eq!(response.status(), 200);
        held.push(response);
    }
    for (address, status) in [("10.0.0.1:3", 429), ("10.0.0.3:1", 503)] {
        let refused = follow(address).await.unwrap();
        assert_eq!(refused.status(), status);
        assert!(refused.headers().contains_key("retry-after"));
        assert_eq!(refused.headers()["connection"], "close", "it keeps no connection either");
        let text = refused.into_body().collect().await.unwrap().to_bytes();
        assert!(String::from_utf8_lossy(&text).contains("ask for the state"));
    }
    held.pop();
    assert_eq!(follow("10.0.0.3:1").await.unwrap().status(), 200, "a stream that ended makes room");
    bench.delete(&format!("/api/v1/strategies/{job}")).await.expect(202);
}

#[tokio::test]
async fn issue_21_item_16_two_hosts_are_refused() {
    let bench = with(Limits::default()).await;
    let mut request = Bench::request(Method::GET, "/healthz", "", "");
    request.headers_mut().append("host", "localhost:7878".parse().unwrap());
    assert!(bench.send(request).await.expect(400).text().contains("several `Host` headers"));
    let mut request = Bench::request(Method::GET, "/healthz", "", "");
    request.headers_mut().append("host", "evil.example".parse().unwrap());
    bench.send(request).await.expect(400);
    let request = Bench::request(Method::GET, "http://127.0.0.1:7878/healthz", "", "");
    assert!(bench.send(request).await.expect(400).text().contains("another in `Host`"));
    bench.send(Bench::request(Method::GET, "http://localhost:7878/healthz", "", "")).await.expect(200);
}

on_both!(
    issue_21_item_17_a_key_with_other_answers_is_refused,
    issue_21_item_21_lists_and_logs_are_paged,
    issue_21_item_21_a_log_has_a_last_event,
);

async fn issue_21_item_17_a_key_with_other_answers_is_refused(bench: Bench) {
    let table = bench.table(PETS).await;
    let begin = |body: Value| {
        let body = body.to_string();
        let mut request = Bench::request(Method::POST, "/api/v1/sessions", "application/json", body);
        request.headers_mut().insert("idempotency-key", "one".parse().unwrap());
        bench.send(request)
    };
    let answers = json!([{"test": "legs", "value": "4"}]);
    let first = begin(json!({"table": table, "answers": answers})).await.expect(201).json();
    let again = begin(json!({"answers": answers, "table": table})).await.expect(200).json();
    assert_eq!(again["id"], first["id"], "the same request makes the same session");
    assert_eq!(again["situation"], first["situation"]);
    for other in [
        json!({"table": table}),
        json!({"table": table, "answers": [{"test": "legs", "value": "2"}]}),
        json!({"table": table, "answers": [{"test": "legs", "value": "4", "volunteered": true}]}),
        json!({"table": table, "answers": answers, "options": {"until": "object"}}),
        json!({"table": bench.table(PETS).await, "answers": answers}),
    ] {
        let refused = begin(other).await.expect(409);
        assert!(refused.text().contains("take a new one"), "{}", refused.text());
    }
    // The session continues; its key still belongs to the first request.
    let path = format!("/api/v1/sessions/{}/answers/barks", first["id"].as_str().unwrap());
    bench.put(&path, &json!({"value": "no"})).await.expect(200);
    let again = begin(json!({"table": table, "answers": answers})).await.expect(200).json();
    assert_eq!(again["id"], first["id"]);
    let list = bench.get("/api/v1/sessions").await.expect(200).json();
    assert_eq!(list["sessions"].as_array().unwrap().len(), 1);
}

/// A health check does not wait for a question that is being computed.
#[tokio::test]
async fn issue_21_item_18_no_question_is_worked_on_by_the_serving_thread() {
    let bench = with(Limits::default()).await;
    let table = bench.table(&wide(100, 40)).await;
    bench.post("/api/v1/next", &json!({"table": table})).await.expect(200);
    // Other answers in every try: what was asked before is known, and is not computed again.
    let answers = |at: usize| {
        let answer = |test: usize| json!({"test": format!("t{test}"), "value": "1"});
        json!({"table": table, "answers": [answer(at % 40), answer((at + 1 + at / 40) % 40)]})
    };
    let misspelt = |_| json!({"table": table, "answers": [{"test": "t99", "value": "1"}]});
    let simulate = |_| json!({"table": table});
    let explain = |_| json!({"table": table, "object": "o1"});
    let asked: [(&str, &dyn Fn(usize) -> Value); 6] = [
        ("/api/v1/next", &answers),
        ("/api/v1/next", &misspelt),
        ("/api/v1/rationale", &answers),
        ("/api/v1/simulate", &simulate),
        ("/api/v1/explain", &explain),
        ("/api/v1/sessions", &answers),
    ];
    for (path, body) in asked {
        // The runtime of this test has one thread. If that thread computed the question, the question would be first
        // every time; with a worker thread, it is first only sometimes (on a busy machine often).
        let mut is_free = false;
        let mut tries = 0;
        while !is_free && tries < 40 * 38 {
            let body = body(tries);
            tries += 1;
            is_free = tokio::select! {
                biased;
                _ = bench.post(path, &body) => false,
                _ = bench.get("/healthz") => true,
            };
        }
        assert!(is_free, "{path}: not once in {tries} tries");
    }
}

#[tokio::test]
async fn issue_21_item_18_the_queue_is_limited() {
    let bench = with(Limits { blocking_threads: 1, waiting: 2, ..Limits::default() }).await;
    let table = bench.table(&wide(400, 50)).await;
    let ask = |test: usize| {
        let body = json!({"table": table, "answers": [{"test": format!("t{test}"), "value": "1"}]});
        let bench = &bench;
        async move { bench.post("/api/v1/next", &body).await }
    };
    let replies: Vec<Reply> = join_all((0..40).map(ask)).await;
    let refused: Vec<&Reply> = replies.iter().filter(|reply| reply.status == 503).collect();
    assert!(!refused.is_empty(), "forty at once are too many");
    assert!(refused.iter().all(|reply| reply.headers.contains_key("retry-after")));
    assert!(refused[0].json()["detail"].as_str().unwrap().contains("waiting"));
    assert!(replies.iter().filter(|reply| reply.status == 200).count() >= 3);
    ask(45).await.expect(200);
}

#[tokio::test]
async fn issue_21_item_19_cookies_are_secure_behind_tls() {
    let token = new_token();
    let proxies = vec!["10.0.0.1".parse().unwrap()];
    let bench = Bench::behind(Limits::default(), vec![token.clone()], proxies).await;
    let ask = |peer: &str, mut request: Request<Body>, scheme: &str| {
        request.headers_mut().insert("x-forwarded-proto", scheme.parse().unwrap());
        bench.send(from(peer, request))
    };
    let page = || Bench::request(Method::GET, "/sign-in", "", "");
    for (peer, scheme, is_secure) in
        [("10.0.0.1:1", "https", true), ("10.0.0.1:1", "http", false), ("10.0.0.2:1", "https", false)]
    {
        let page = ask(peer, page(), scheme).await.expect(200);
        let cookie = page.headers["set-cookie"].to_str().unwrap().to_owned();
        assert_eq!(cookie.contains("; Secure"), is_secure, "{peer} {scheme}: {cookie}");
        let cookie = cookie.split(';').next().unwrap();
        let body = format!("token={}&key={token}", cookie.split_once('=').unwrap().1);
        let kind = "application/x-www-form-urlencoded";
        let mut request = Bench::request(Method::POST, "/sign-in", kind, body);
        request.headers_mut().insert("cookie", cookie.parse().unwrap());
        let entered = ask(peer, request, scheme).await.expect(303);
        let cookie = entered.headers["set-cookie"].to_str().unwrap();
        assert_eq!(cookie.contains("; Secure"), is_secure, "{peer} {scheme}: {cookie}");
    }
}

async fn issue_21_item_21_lists_and_logs_are_paged(bench: Bench) {
    let table = bench.table(PETS).await;
    for _ in 0..4 {
        bench.upload("", PETS).await.expect(201);
    }
    let mut sessions = Vec::new();
    for _ in 0..5 {
        sessions
            .push(name(&bench.post("/api/v1/sessions", &json!({"table": table})).await.expect(201).json()));
    }
    for kind in ["strategies", "comparisons", "fronts"] {
        for _ in 0..5 {
            let request = json!({"table": table, "time_ms": 0});
            bench.post(&format!("/api/v1/{kind}"), &request).await.expect(202);
        }
    }
    for kind in ["tables", "sessions", "strategies", "comparisons", "fronts"] {
        let page = async |query: &str| {
            let list = bench.get(&format!("/api/v1/{kind}?{query}")).await.expect(200).json();
            list[kind].as_array().unwrap().iter().map(name).collect::<Vec<_>>()
        };
        let all = page("").await;
        assert_eq!(all.len(), 5, "{kind}");
        assert_eq!(
            [page("limit=2").await, page("limit=2&offset=2").await, page("offset=4").await].concat(),
            all
        );
        assert!(page("offset=5").await.is_empty());
        bench.get(&format!("/api/v1/{kind}?limit=0")).await.expect(400);
        bench.get(&format!("/api/v1/{kind}?limit=1001")).await.expect(400);
    }
    let path = format!("/api/v1/sessions/{}", sessions[0]);
    for value in ["2", "4", "2", "4", "2"] {
        bench.put(&format!("{path}/answers/legs"), &json!({"value": value})).await.expect(200);
    }
    let log = async |query: &str| {
        let log = bench.get(&format!("{path}/log?{query}")).await.expect(200).json();
        assert_eq!(log["total"], 6);
        let events = log["events"].as_array().unwrap().iter();
        events.map(|event| event["number"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(log("").await, [1, 2, 3, 4, 5, 6]);
    assert_eq!(log("limit=2").await, [1, 2]);
    assert_eq!(log("limit=2&after=2").await, [3, 4]);
    assert_eq!(log("after=6").await, [0; 0]);
    bench.get(&format!("{path}/log?limit=0")).await.expect(400);
    bench.get(&format!("{path}/log?after=-1")).await.expect(400);
    let prior = bench.get(&format!("/api/v1/tables/{table}/prior?limit=1&offset=1")).await.expect(200).json();
    assert_eq!((&prior["total"], &prior["objects"][0]["object"]), (&json!(3), &json!(["cat"])));
    assert_eq!(prior["objects"].as_array().unwrap().len(), 1);
}

async fn issue_21_item_21_a_log_has_a_last_event(bench: Bench) {
    let bench = bench.limited(Limits { events: 3, ..Limits::default() }).await;
    let table = bench.table(PETS).await;
    let id = name(&bench.post("/api/v1/sessions", &json!({"table": table})).await.expect(201).json());
    let path = format!("/api/v1/sessions/{id}");
    for value in ["2", "4"] {
        bench.put(&format!("{path}/answers/legs"), &json!({"value": value})).await.expect(200);
    }
    let refused = bench.put(&format!("{path}/answers/legs"), &json!({"value": "2"})).await.expect(409);
    assert!(refused.text().contains("begin another session"));
    bench.delete(&format!("{path}/answers/legs")).await.expect(409);
    bench.put(&format!("{path}/outcome"), &json!({"object": "cat"})).await.expect(409);
    let session = bench.get(&path).await.expect(200).json();
    assert_eq!(session["situation"]["answers"][0]["value"], "4", "what was answered stays");
    bench.delete(&path).await.expect(204);
}

#[tokio::test]
async fn issue_21_item_21_pages_list_all_there_is() {
    let bench = with(Limits::default()).await;
    let mut tables = Vec::new();
    for at in 0..14 {
        tables.push(name(&bench.upload(&format!("?name=table{at}"), PETS).await.expect(201).json()));
    }
    let first = bench.get("/").await.expect(200).text();
    assert!(first.contains("/?page=2") && !first.contains(&tables[0]));
    let second = bench.get("/?page=2").await.expect(200).text();
    assert!(second.contains(&tables[0]) && second.contains("/?page=1") && !second.contains("/?page=3"));
    bench.get("/?page=none").await.expect(200);
    let mut sessions = Vec::new();
    for _ in 0..51 {
        let made = bench.post("/api/v1/sessions", &json!({"table": tables[0]})).await.expect(201).json();
        sessions.push(name(&made));
    }
    let first = bench.get("/sessions").await.expect(200).text();
    assert!(first.contains("/sessions?page=2"));
    let second = bench.get("/sessions?page=2").await.expect(200).text();
    assert!(second.contains("/sessions?page=1") && !second.contains("/sessions?page=3"));
    let on = |page: &str| sessions.iter().filter(|id| page.contains(&format!("/sessions/{id}\""))).count();
    assert_eq!((on(&first), on(&second)), (50, 1));
}

#[tokio::test]
async fn issue_21_item_21_the_disk_has_a_limit() {
    let bench = with(Limits { disk: 400_000, ..Limits::default() }).await;
    let csv = format!("object,a\nx,{}\ny,2\n", "z".repeat(100_000));
    let table = bench.table(&csv).await;
    let mut last = bench.upload("", &csv).await;
    for _ in 0..4 {
        last = bench.upload("", &csv).await;
    }
    let full = last.expect(507).json();
    assert!(full["detail"].as_str().unwrap().contains("bytes that this server may use; delete"), "{full}");
    // Existing tables can still be used and deleted.
    bench.post("/api/v1/next", &json!({"table": table})).await.expect(200);
    bench.delete(&format!("/api/v1/tables/{table}")).await.expect(204);
}

#[tokio::test]
async fn issue_21_item_21_options_and_answers_have_a_size() {
    let bench = with(Limits { options: 300, ..Limits::default() }).await;
    let table = bench.table(&wide(8, 100)).await;
    let tests: Vec<String> = (0..90).map(|test| format!("t{test}")).collect();
    let options = json!({"without": tests});
    let refused =
        bench.post("/api/v1/sessions", &json!({"table": table, "options": options})).await.expect(413);
    assert!(refused.text().contains("make them shorter"));
    let query: String = tests.iter().map(|test| format!("&ignore={test}")).collect();
    bench.upload(&format!("?name=a{query}"), &wide(8, 100)).await.expect(413);
    let labels: Vec<String> = (0..100).map(|at| format!("label-{at}")).collect();
    let mut csv = "object,a\n".to_owned();
    labels.iter().for_each(|label| writeln!(csv, "{label},{label}").unwrap());
    let table = bench.table(&csv).await;
    let id = name(&bench.post("/api/v1/sessions", &json!({"table": table})).await.expect(201).json());
    let path = format!("/api/v1/sessions/{id}/answers/a");
    bench.put(&path, &json!({"value": labels})).await.expect(413);
    // The same answer many times is one answer.
    bench.put(&path, &json!({"value": vec!["label-1"; 90]})).await.expect(200);
}

#[tokio::test]
async fn issue_21_item_21_what_was_found_has_a_size() {
    let bench = with(Limits { document: 100, ..Limits::default() }).await;
    let table = bench.table(PETS).await;
    let job = name(&bench.post("/api/v1/strategies", &json!({"table": table})).await.expect(202).json());
    let path = format!("/api/v1/strategies/{job}");
    let found = loop {
        let found = bench.get(&path).await.expect(200).json();
        if !["queued", "running"].contains(&found["standing"]["state"].as_str().unwrap()) {
            break found;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    assert_eq!(found["standing"]["state"], "failed");
    assert!(found["problem"].as_str().unwrap().contains("larger than this server keeps"));
    bench.get(&format!("{path}/document")).await.expect(409);
}

#[tokio::test]
async fn issue_21_item_21_sessions_that_went_with_their_table_make_room() {
    let bench = with(Limits { sessions: 2, ..Limits::default() }).await;
    for _ in 0..3 {
        let table = bench.table(PETS).await;
        let begin = json!({"table": table});
        bench.post("/api/v1/sessions", &begin).await.expect(201);
        bench.post("/api/v1/sessions", &begin).await.expect(201);
        bench.post("/api/v1/sessions", &begin).await.expect(503);
        bench.delete(&format!("/api/v1/tables/{table}")).await.expect(204);
    }
}
