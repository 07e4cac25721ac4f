//! `fewest serve` as a process: its start and end, and its data after it is killed.

use crate::common::{FEWEST, Folder};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// Server that ends with the test.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(folder: &Folder, more: &[&str]) -> Server {
    start_at(folder, "127.0.0.1:0", more)
}

fn start_at(folder: &Folder, bind: &str, more: &[&str]) -> Server {
    let mut command = Command::new(FEWEST);
    command.args(["serve", "--bind", bind, "--data"]).arg(folder.path("data")).args(more);
    crate::common::quiet_surroundings(&mut command);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("fewest is at http://").and_then(|rest| rest.split('/').next());
    Server { child, address: address.unwrap_or_else(|| panic!("{line:?}")).parse().unwrap() }
}

/// Connection that is kept open.
struct Client {
    stream: BufReader<TcpStream>,
    head: String,
}

impl Client {
    fn new(address: SocketAddr, token: Option<&str>) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let token = token.map_or(String::new(), |token| format!("Authorization: Bearer {token}\r\n"));
        Self { stream: BufReader::new(stream), head: format!("Host: {address}\r\n{token}") }
    }

    /// Sends a request; fails if the server was killed.
    fn send(&mut self, method: &str, path: &str, kind: &str, body: &str) -> std::io::Result<(u16, String)> {
        let (head, length) = (&self.head, body.len());
        let text = format!(
            "{method} {path} HTTP/1.1\r\n{head}Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        self.stream.get_mut().write_all(text.as_bytes())?;
        let gone = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
        let (mut status, mut length) = (None, 0);
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(gone());
            }
            if status.is_none() {
                status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
            } else if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            } else if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok((status.ok_or_else(gone)?, String::from_utf8(body).unwrap()))
    }

    fn json(&mut self, method: &str, path: &str, body: &Value) -> std::io::Result<(u16, Value)> {
        let (status, text) = self.send(method, path, "application/json", &body.to_string())?;
        Ok((status, serde_json::from_str(&text).unwrap_or(Value::Null)))
    }
}

const TESTS: usize = 8;

/// Table in which every answer to every test is possible at any time.
fn table() -> String {
    let header: Vec<String> = (0..TESTS).map(|test| format!("t{test}")).collect();
    let row = |object: usize| {
        let bits: Vec<String> = (0..TESTS).map(|test| (object >> test & 1).to_string()).collect();
        format!("o{object},{}\n", bits.join(","))
    };
    format!("object,{}\n{}", header.join(","), (0..1 << TESTS).map(row).collect::<String>())
}

/// Answers that a client sent, as far as their results are known.
#[derive(Default)]
struct Sent {
    /// Last acknowledged answer to each test.
    kept: BTreeMap<String, String>,
    /// Answer that was sent later and not acknowledged: it may be stored or not.
    pending: Option<(String, String)>,
    acknowledged: i64,
}

/// Answers as fast as possible until the server is gone.
fn answer_until_gone(server: &Server, session: &str, sent: &mut Sent, seed: u64) {
    let mut client = Client::new(server.address, None);
    let mut state = seed;
    loop {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let test = format!("t{}", (state >> 33) % TESTS as u64);
        let value = (state >> 60 & 1).to_string();
        let path = format!("/api/v1/sessions/{session}/answers/{test}");
        match client.json("PUT", &path, &json!({"value": value})) {
            Ok((200, _)) => {
                sent.kept.insert(test, value);
                sent.acknowledged += 1;
            }
            Ok((status, body)) => panic!("{status}: {body}"),
            Err(_) => {
                sent.pending = Some((test, value));
                return;
            }
        }
    }
}

/// The server is killed fifty times while a client answers, and every acknowledged answer is stored afterwards.
#[test]
fn an_acknowledged_answer_survives_being_killed() {
    let folder = Folder::new();
    let mut sent = Sent::default();
    let mut server = start(&folder, &[]);
    let mut client = Client::new(server.address, None);
    let (status, made) = client.send("POST", "/api/v1/tables", "text/csv", &table()).unwrap();
    assert_eq!(status, 201, "{made}");
    let made: Value = serde_json::from_str(&made).unwrap();
    let (status, session) = client.json("POST", "/api/v1/sessions", &json!({"table": made["id"]})).unwrap();
    assert_eq!(status, 201, "{session}");
    let session = session["id"].as_str().unwrap().to_owned();
    for round in 0..50_u64 {
        let (tell, told) = channel();
        let pid = server.child.id();
        let killer = std::thread::spawn(move || {
            let _ = told.recv();
            std::thread::sleep(Duration::from_millis(5 + round * 7 % 60));
            Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap()
        });
        tell.send(()).unwrap();
        answer_until_gone(&server, &session, &mut sent, round + 1);
        assert!(killer.join().unwrap().success());
        server = start(&folder, &[]);
        let path = format!("/api/v1/sessions/{session}");
        let (status, found) = Client::new(server.address, None).json("GET", &path, &Value::Null).unwrap();
        assert_eq!(status, 200, "{found}");
        let answers: BTreeMap<String, String> = found["situation"]["answers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|answer| (answer["test"].as_str().unwrap().into(), answer["value"].as_str().unwrap().into()))
            .collect();
        if let Some((test, value)) = sent.pending.take()
            && answers.get(&test) == Some(&value)
        {
            // The answer arrived, and only the response was lost.
            sent.kept.insert(test, value);
        }
        assert_eq!(answers, sent.kept, "round {round}");
        assert!(found["events"].as_i64().unwrap() > sent.acknowledged);
    }
    assert!(sent.acknowledged > 50, "the client got to answer: {}", sent.acknowledged);
}

#[test]
fn a_public_address_needs_a_token() {
    let folder = Folder::new();
    let run = folder.run(&["serve", "--bind", "0.0.0.0:0", "--data", "data"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("there is no token") && run.err.contains("--new-token"), "{}", run.err);
    let token = folder.run(&["serve", "--data", "data", "--new-token"]);
    assert_eq!(token.code, Some(0));
    let token = token.out.trim();
    assert_eq!(token.len(), 64);
    assert!(!find_in(&folder.path("data"), token), "only the hash is kept");
    let server = start_at(&folder, "0.0.0.0:0", &[]);
    let address = SocketAddr::from(([127, 0, 0, 1], server.address.port()));
    let ask = |token| Client::new(address, token).json("GET", "/api/v1/tables", &Value::Null).unwrap().0;
    assert_eq!((ask(None), ask(Some("wrong")), ask(Some(token))), (401, 401, 200));
}

/// Whether some file of a folder holds `text`.
fn find_in(folder: &std::path::Path, text: &str) -> bool {
    let files = std::fs::read_dir(folder).unwrap();
    let mut files = files.map(|file| std::fs::read(file.unwrap().path()).unwrap());
    files.any(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
}

#[test]
fn a_weak_token_and_an_address_that_is_taken_are_refused() {
    let folder = Folder::with(&[("token", "secret\n"), ("none", "\n")]);
    let run = folder.run(&["serve", "--token", "token", "--bind", "127.0.0.1:0"]);
    assert!(run.code == Some(2) && run.err.contains("at least 32 letters"), "{}", run.err);
    let run = folder.run(&["serve", "--token", "none", "--bind", "127.0.0.1:0"]);
    assert!(run.code == Some(2) && run.err.contains("holds no token"), "{}", run.err);
    let server = start(&folder, &[]);
    let run = folder.run(&["serve", "--data", "other", "--bind", &server.address.to_string()]);
    assert!(run.code == Some(2) && run.err.contains("cannot listen"), "{}", run.err);
    folder.write("file", "x");
    let run = folder.run(&["serve", "--data", "file"]);
    assert!(run.code == Some(2) && run.err.contains("name a folder"), "{}", run.err);
    let run = folder.run(&["serve", "--database", "mysql://user:pass@host/x"]);
    assert!(
        run.code == Some(2) && run.err.contains("postgres://") && !run.err.contains("pass@"),
        "{}",
        run.err
    );
}

#[test]
fn it_ends_when_it_is_asked_to_and_keeps_the_best() {
    let folder = Folder::new();
    let mut server = start(&folder, &["--log"]);
    let mut client = Client::new(server.address, None);
    let mut csv = "object,prior".to_owned();
    (0..60).for_each(|test| csv += &format!(",t{test}"));
    let mut state = 7_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    for object in 0..300 {
        csv += &format!("\no{object},{}", random() % 97 + 1);
        (0..60).for_each(|_| csv += &format!(",{}", u8::from(random() % 10 == 0)));
    }
    let (status, made) = client.send("POST", "/api/v1/tables", "text/csv", &csv).unwrap();
    assert_eq!(status, 201, "{made}");
    let made: Value = serde_json::from_str(&made).unwrap();
    let request = json!({"table": made["id"], "time_ms": 600_000});
    let (status, job) = client.json("POST", "/api/v1/strategies", &request).unwrap();
    assert_eq!(status, 202, "{job}");
    let path = format!("/api/v1/strategies/{}", job["id"].as_str().unwrap());
    while client.json("GET", &path, &Value::Null).unwrap().1["standing"]["value"].is_null() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let asked = Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status().unwrap();
    assert!(asked.success());
    assert!(server.child.wait().unwrap().success());
    let server = start(&folder, &[]);
    let (_, job) = Client::new(server.address, None).json("GET", &path, &Value::Null).unwrap();
    assert_eq!((&job["standing"]["state"], &job["result"]["stop"]), (&json!("done"), &json!("interrupted")));
}

#[test]
fn issue_21_item_19_tokens_are_listed_revoked_and_end() {
    let folder = Folder::new();
    let serve = |args: &[&str]| folder.run(&[&["serve", "--data", "data"], args].concat());
    assert!(serve(&["--list-tokens"]).out.contains("no tokens"));
    let first = serve(&["--new-token", "--token-name", "laptop"]).out.trim().to_owned();
    let second = serve(&["--new-token", "--token-days", "30"]).out.trim().to_owned();
    let list = |json: &[&str]| serve(&[&["--list-tokens"], json].concat()).out;
    let text = list(&[]);
    assert!(text.contains("laptop") && text.contains("never") && !text.contains(&first[..12]), "{text}");
    let tokens = || serde_json::from_str::<Value>(&list(&["--json"])).unwrap()["tokens"].clone();
    let found = tokens();
    assert_eq!((&found[0]["name"], &found[1]["expired"]), (&json!("laptop"), &json!(false)));
    assert!(found[0]["expires"].is_null() && found[1]["expires"].is_string() && found[0]["used"].is_null());

    let server = start(&folder, &[]);
    let ask = |token: &str| {
        Client::new(server.address, Some(token)).json("GET", "/api/v1/tables", &Value::Null).unwrap().0
    };
    assert_eq!((ask(&first), ask(&second)), (200, 200));
    until("the last use is written down", || tokens()[0]["used"].is_string());

    assert_eq!(serve(&["--revoke-token", "none"]).code, Some(2));
    assert!(serve(&["--revoke-token", "000000000000"]).err.contains("no such token"));
    let id = found[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(serve(&["--revoke-token", &id]).code, Some(0));
    until("the server refuses it", || ask(&first) == 401);
    assert_eq!(ask(&second), 200);
    let id = found[1]["id"].as_str().unwrap().to_owned();
    assert_eq!(serve(&["--revoke-token", &id]).code, Some(0));
    until("the server refuses it", || ask(&second) == 401);
    assert_eq!(tokens(), json!([]));
    // The server does not become public when its last token is revoked.
    assert_eq!(Client::new(server.address, None).json("GET", "/api/v1/tables", &Value::Null).unwrap().0, 401);
}

/// Waits until a condition holds.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..300 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("{what}: not after half a minute");
}

/// Peak memory of a process, in megabytes.
#[cfg(target_os = "linux")]
fn most_memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap() / 1000
}

#[cfg(target_os = "linux")]
#[test]
fn issue_21_item_13_sixty_clients_that_do_not_read_take_little_memory() {
    let folder = Folder::new();
    let server = start(&folder, &[]);
    let mut client = Client::new(server.address, None);
    // Fourteen megabytes in fourteen rows.
    let row = |at: usize| format!("o{at},{at}{}\n", "z".repeat(1_000_000));
    let csv = format!("object,a\n{}", (0..14).map(row).collect::<String>());
    let (status, made) = client.send("POST", "/api/v1/tables", "text/csv", &csv).unwrap();
    assert_eq!(status, 201, "{made}");
    let id = serde_json::from_str::<Value>(&made).unwrap()["id"].as_str().unwrap().to_owned();
    let before = most_memory(server.child.id());
    let held: Vec<TcpStream> = (0..60)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            let request =
                format!("GET /api/v1/tables/{id}/content HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .collect();
    // Each waits for the first bytes: then the server has begun to send.
    for stream in &held {
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let first = loop {
            match stream.peek(&mut [0]) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                first => break first.unwrap(),
            }
        };
        assert_eq!(first, 1);
    }
    std::thread::sleep(Duration::from_secs(1));
    let after = most_memory(server.child.id());
    assert!(after < before + 350, "{before} MB before, {after} MB with 60 clients that do not read");
    let (status, _) = client.json("GET", "/api/v1/tables", &Value::Null).unwrap();
    assert_eq!(status, 200);
}
