use crate::bench::{Bench, Kind, PETS};
use axum::extract::ConnectInfo;
use axum::http::Method;
use fewest_server::{Limits, new_token};
use serde_json::json;
use std::net::SocketAddr;
use std::time::Duration;

async fn with(limits: Limits) -> Bench {
    Bench::with(Kind::Sqlite, limits, Vec::new()).await.unwrap()
}

#[tokio::test]
async fn without_the_token_nothing_is_told() {
    let token = new_token();
    let bench = Bench::with(Kind::Sqlite, Limits::default(), vec![token.clone()]).await.unwrap();
    assert!(!bench.app.is_open());
    for path in ["/api/v1/tables", "/metrics", "/", "/api/v1/none"] {
        let reply = bench.get(path).await.expect(401);
        assert_eq!(reply.headers["www-authenticate"], "Bearer");
    }
    for path in ["/healthz", "/readyz", "/openapi.json", "/sign-in", "/assets/style.css"] {
        bench.get(path).await.expect(200);
    }
    let ask = |secret: &str| {
        let mut request = Bench::request(Method::GET, "/api/v1/tables", "", "");
        request.headers_mut().insert("authorization", format!("Bearer {secret}").parse().unwrap());
        request
    };
    bench.send(ask(&token)).await.expect(200);
    bench.send(ask(&new_token())).await.expect(401);
    bench.send(ask("")).await.expect(401);
}

#[tokio::test]
async fn a_browser_signs_in_by_a_form_of_ours() {
    let token = new_token();
    let bench = Bench::with(Kind::Sqlite, Limits::default(), vec![token.clone()]).await.unwrap();
    let mut request = Bench::request(Method::GET, "/", "", "");
    request.headers_mut().insert("accept", "text/html".parse().unwrap());
    let sent = bench.send(request).await.expect(303);
    assert_eq!(sent.headers["location"], "/sign-in");
    let page = bench.get("/sign-in").await.expect(200);
    let cookie = page.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let form_token = cookie.split_once('=').unwrap().1.to_owned();
    assert!(page.text().contains(&form_token));
    let send = |key: &str, form_token: &str, cookie: &str| {
        let body = format!("token={form_token}&key={key}");
        let mut request = Bench::request(Method::POST, "/sign-in", "application/x-www-form-urlencoded", body);
        request.headers_mut().insert("cookie", cookie.parse().unwrap());
        request
    };
    bench.send(send(&token, "guess", &cookie)).await.expect(403);
    bench.send(send(&token, &form_token, "other=1")).await.expect(403);
    bench.send(send(&token, "", "fewest_form=")).await.expect(403);
    assert!(
        bench
            .send(send("wrong", &form_token, &cookie))
            .await
            .expect(200)
            .text()
            .contains("does not know this token")
    );
    let entered = bench.send(send(&token, &form_token, &cookie)).await.expect(303);
    let entered = entered.headers["set-cookie"].to_str().unwrap().to_owned();
    assert!(entered.contains("HttpOnly") && entered.contains("SameSite=Strict"));
    let mut request = Bench::request(Method::GET, "/api/v1/tables", "", "");
    request.headers_mut().insert("cookie", entered.split(';').next().unwrap().parse().unwrap());
    bench.send(request).await.expect(200);
}

#[tokio::test]
async fn other_hosts_and_other_origins_are_refused() {
    let bench = with(Limits::default()).await;
    let with_header = |method: Method, name: &'static str, value: &str| {
        let mut request = Bench::request(method, "/api/v1/tables", "text/csv", PETS);
        request.headers_mut().insert(name, value.parse().unwrap());
        request
    };
    bench.send(with_header(Method::GET, "host", "evil.example")).await.expect(403);
    bench.send(with_header(Method::POST, "origin", "http://evil.example")).await.expect(403);
    bench.send(with_header(Method::POST, "sec-fetch-site", "cross-site")).await.expect(403);
    bench.send(with_header(Method::POST, "origin", "http://localhost:7878")).await.expect(201);
    bench.send(with_header(Method::GET, "origin", "http://evil.example")).await.expect(200);
    let reply = bench.get("/api/v1/tables").await;
    assert!(!reply.headers.contains_key("access-control-allow-origin"));
}

#[tokio::test]
async fn tables_are_only_so_large() {
    let bench = with(Limits { body: 2000, rows: 3, columns: 4, cells: 9, ..Limits::default() }).await;
    bench.upload("", PETS).await.expect(413);
    bench.upload("", "object,a,b\nx,1,2\ny,2,1\n").await.expect(201);
    bench.upload("", "object,a\nw,1\nx,2\ny,3\nz,4\n").await.expect(413);
    bench.upload("", "object,a,b,c\nx,1,2,3\ny,2,1,4\nz,1,1,1\n").await.expect(201);
    let problem =
        bench.upload("?numeric=thresholds", "object,a,b,c\nx,1,2,3\ny,2,1,4\nz,3,5,1\n").await.expect(413);
    assert!(problem.json()["detail"].as_str().unwrap().contains("questions"));
    bench.upload("", &format!("object,a\nx,{}\n", "y".repeat(2000))).await.expect(413);
    bench.upload("", "PAR1").await.expect(415);
    let long = json!({"table": "x".repeat(600_000)});
    bench.post("/api/v1/next", &long).await.expect(413);
}

#[tokio::test]
async fn only_so_many_are_kept() {
    let bench = with(Limits { tables: 1, sessions: 2, strategies: 0, ..Limits::default() }).await;
    let table = bench.table(PETS).await;
    bench.upload("", PETS).await.expect(503);
    let begin = json!({"table": table});
    let first = bench.post("/api/v1/sessions", &begin).await.expect(201).json();
    bench.post("/api/v1/sessions", &begin).await.expect(201);
    bench.post("/api/v1/sessions", &begin).await.expect(503);
    bench.delete(&format!("/api/v1/sessions/{}", first["id"].as_str().unwrap())).await.expect(204);
    bench.post("/api/v1/sessions", &begin).await.expect(201);
    bench.post("/api/v1/strategies", &begin).await.expect(503);
}

#[tokio::test]
async fn an_address_asks_only_so_often() {
    let bench = with(Limits { rate: 1, ..Limits::default() }).await;
    let from = |address: &str| {
        let mut request = Bench::request(Method::GET, "/healthz", "", "");
        let peer: SocketAddr = address.parse().unwrap();
        request.extensions_mut().insert(ConnectInfo(peer));
        // A header about the address is not trusted.
        request.headers_mut().insert("x-forwarded-for", "10.9.8.7".parse().unwrap());
        request
    };
    let mut refused = 0;
    for _ in 0..30 {
        refused += usize::from(bench.send(from("10.0.0.1:1")).await.status == 429);
    }
    assert!(refused >= 15, "{refused}");
    bench.send(from("10.0.0.2:1")).await.expect(200);
}

#[tokio::test]
async fn what_takes_too_long_is_ended() {
    let bench = with(Limits { request: Duration::from_millis(200), ..Limits::default() }).await;
    // A body that never ends.
    let stream = futures_util::stream::pending::<Result<String, std::io::Error>>();
    let body = axum::body::Body::from_stream(stream);
    let reply = bench.send(Bench::request(Method::POST, "/api/v1/next", "application/json", body)).await;
    reply.expect(408);
}

#[tokio::test]
async fn pages_may_do_nothing_but_show_themselves() {
    let bench = with(Limits::default()).await;
    bench.upload("?name=%3Cscript%3Ealert(1)%3C/script%3E", PETS).await.expect(201);
    for path in ["/", "/api/v1/tables", "/none", "/assets/style.css"] {
        let reply = bench.get(path).await;
        let policy = reply.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"));
        assert_eq!(reply.headers["x-content-type-options"], "nosniff");
        assert_eq!(reply.headers["referrer-policy"], "same-origin");
    }
    let page = bench.get("/").await.expect(200).text();
    assert!(!page.contains("<script>alert"), "what was uploaded is shown as text");
    assert!(page.contains("alert(1)"));
}

#[tokio::test]
async fn no_path_of_the_host_is_read() {
    let bench = with(Limits::default()).await;
    for path in [
        "/assets/../Cargo.toml",
        "/assets/..%2FCargo.toml",
        "/assets//etc/passwd",
        "/api/v1/tables/..%2F..%2Fetc%2Fpasswd",
        "/api/v1/tables/%00",
        "/%2e%2e/%2e%2e/etc/passwd",
    ] {
        bench.get(path).await.expect(404);
    }
    bench.send(Bench::request(Method::PATCH, "/api/v1/tables", "", "")).await.expect(405);
}

#[tokio::test]
async fn metrics_count_by_route_and_hold_no_answers() {
    let bench = with(Limits::default()).await;
    let table = bench.table(PETS).await;
    let session = bench.post("/api/v1/sessions", &json!({"table": table})).await.expect(201).json();
    let path = format!("/api/v1/sessions/{}/answers/barks", session["id"].as_str().unwrap());
    bench.put(&path, &json!({"value": "yes"})).await.expect(200);
    let text = bench.get("/metrics").await.expect(200).text();
    assert!(text.contains("route=\"/api/v1/sessions/{id}/answers/{test}\",method=\"PUT\",status=\"200\""));
    assert!(text.contains("fewest_sessions 1\n") && text.contains("fewest_tables 1\n"));
    assert!(!text.contains("barks") && !text.contains(&table));
}
