//! Load on `fewest serve`: how many questions a second it answers, how long the slowest wait, and what open sessions
//! take of memory.
//!
//! ```sh
//! cargo build --release && cargo run --release -p fewest-bench --bin load -- [TABLE] [SECONDS] [CONNECTIONS] [SESSIONS]
//! ```
//!
//! It starts the program that lies beside it, on a port and a folder of its own, and ends it again. Everything stays on
//! the machine: the load and the server share its cores. By default `examples/zoo.csv`, 10 seconds, 16 connections, 10,000
//! sessions. Exits with 1 where 2,000 questions a second, 50 ms for all but one in a hundred, or 500 MB are missed.

#![allow(clippy::print_stdout, reason = "this program prints what it measures")]

use serde_json::{Value, json};
use std::error::Error;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

type Fallible<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// A server that ends with the measurement.
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

impl Server {
    fn start(folder: &std::path::Path) -> Fallible<Self> {
        let program = std::env::current_exe()?.with_file_name("fewest");
        let mut command = Command::new(&program);
        command.args(["serve", "--bind", "127.0.0.1:0", "--data"]).arg(folder).stdout(Stdio::piped());
        let failed = |error| format!("{}: {error}; build it with `cargo build --release`", program.display());
        let mut child = command.spawn().map_err(failed)?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let address = line.strip_prefix("fewest is at http://").and_then(|rest| rest.split('/').next());
        let address = address.ok_or("the server does not say where it is")?.parse()?;
        Ok(Self { child, address })
    }

    /// Seconds of processor that the server has used.
    fn processor(&self) -> Fallible<f64> {
        const TICKS: f64 = 100.0;
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let field = |at: usize| fields.get(at).copied().unwrap_or_default().parse::<f64>();
        Ok((field(11)? + field(12)?) / TICKS)
    }

    /// Megabytes of memory that the server has now, and the most it ever had.
    fn memory(&self) -> Fallible<(f64, f64)> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).ok_or("no memory is told")?;
            let kb: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
            Fallible::Ok(kb / 1e3 * 1.024)
        };
        Ok((field("VmRSS:")?, field("VmHWM:")?))
    }
}

/// A connection that is kept open.
struct Client {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
    body: Vec<u8>,
}

impl Client {
    fn new(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), address, body: Vec::new() })
    }

    /// Sends a request and reads all of the answer.
    fn send(&mut self, method: &str, path: &str, kind: &str, body: &str) -> Fallible<u16> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let (mut status, mut length, mut line) = (0, 0, String::new());
        loop {
            line.clear();
            if self.stream.read_line(&mut line)? == 0 {
                return Err("the server hung up".into());
            }
            if status == 0 {
                status = line.split(' ').nth(1).unwrap_or_default().parse()?;
            } else if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.trim().parse()?;
            } else if line == "\r\n" {
                break;
            }
        }
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body)?;
        Ok(status)
    }

    fn json(&mut self, method: &str, path: &str, body: &Value) -> Fallible<Value> {
        self.expect(method, path, "application/json", &body.to_string())
    }

    fn expect(&mut self, method: &str, path: &str, kind: &str, body: &str) -> Fallible<Value> {
        let status = self.send(method, path, kind, body)?;
        if status >= 300 {
            return Err(format!("{method} {path}: {status} {}", String::from_utf8_lossy(&self.body)).into());
        }
        Ok(serde_json::from_slice(&self.body)?)
    }
}

/// Requests for `next` at every stage of sessions that follow the first answers of the table's questions.
fn requests(client: &mut Client, table: &str) -> Fallible<Vec<String>> {
    let mut requests = Vec::new();
    for path in 0..8_usize {
        let mut answers = Vec::new();
        loop {
            let request = json!({"table": table, "answers": answers});
            requests.push(request.to_string());
            let found = client.json("POST", "/api/v1/next", &request)?;
            let Some(test) = found["question"]["test"].as_str() else { break };
            let possible = found["question"]["answers"].as_array().ok_or("no answers")?;
            let answer = &possible[(path >> answers.len()) % possible.len()]["value"];
            answers.push(json!({"test": test, "value": answer}));
        }
    }
    Ok(requests)
}

/// Asks until the time is up; how long each answer took.
fn ask(address: SocketAddr, requests: &[String], first: usize, until: Instant) -> Fallible<Vec<Duration>> {
    let mut client = Client::new(address)?;
    let mut times = Vec::new();
    for request in requests.iter().cycle().skip(first) {
        let start = Instant::now();
        if start >= until {
            break;
        }
        let status = client.send("POST", "/api/v1/next", "application/json", request)?;
        if status != 200 {
            return Err(format!("{status}: {}", String::from_utf8_lossy(&client.body)).into());
        }
        times.push(start.elapsed());
    }
    Ok(times)
}

fn run() -> Fallible<bool> {
    let mut args = std::env::args().skip(1);
    let table = PathBuf::from(args.next().unwrap_or_else(|| "examples/zoo.csv".to_owned()));
    let mut number = |usual: usize| args.next().map_or(Ok(usual), |text| text.parse());
    let (seconds, connections, sessions) = (number(10)?, number(16)?.max(1), number(10_000)?);
    let folder = tempfile::tempdir()?;
    let server = Server::start(folder.path())?;
    let mut client = Client::new(server.address)?;
    let made = client.expect("POST", "/api/v1/tables", "text/csv", &std::fs::read_to_string(&table)?)?;
    let table = made["id"].as_str().ok_or("no table")?.to_owned();
    let requests = requests(&mut client, &table)?;

    let (start, spent) = (Instant::now(), server.processor()?);
    let until = start + Duration::from_secs(seconds as u64);
    let mut times = Vec::new();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..connections)
            .map(|worker| {
                let requests = &requests;
                scope.spawn(move || ask(server.address, requests, worker * 7, until))
            })
            .collect();
        for worker in workers {
            times.extend(worker.join().map_err(|_| "a client broke")??);
        }
        Fallible::Ok(())
    })?;
    let spent = (server.processor()? - spent) / times.len().max(1) as f64 * 1e3;
    let rate = times.len() as f64 / start.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    let p99 = at(0.99);
    println!("next: {rate:.0} requests a second over {connections} connections, {} in all", times.len());
    println!("      p50 {:.2} ms, p90 {:.2} ms, p99 {p99:.2} ms, max {:.2} ms", at(0.5), at(0.9), at(1.0));
    println!("      {spent:.3} ms of the server's processor time for each");

    let (before, _) = server.memory()?;
    let start = Instant::now();
    let first = client.json("POST", "/api/v1/next", &json!({"table": table}))?;
    let test = first["question"]["test"].as_str().ok_or("no question")?.to_owned();
    let value = first["question"]["answers"][0]["value"].clone();
    for _ in 0..sessions {
        let session = client.json("POST", "/api/v1/sessions", &json!({"table": table}))?;
        let path = format!("/api/v1/sessions/{}/answers/{test}", session["id"].as_str().ok_or("no session")?);
        client.json("PUT", &path, &json!({"value": value}))?;
    }
    let (after, most) = server.memory()?;
    println!(
        "sessions: {sessions} made and answered in {:.1} s; memory {before:.0} MB before, {after:.0} MB after, {most:.0} MB at most",
        start.elapsed().as_secs_f64()
    );
    Ok(rate >= 2000.0 && p99 < 50.0 && most <= 500.0)
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            println!("missed: 2,000 a second, p99 under 50 ms, at most 500 MB");
            ExitCode::FAILURE
        }
        Err(error) => {
            println!("error: {error}");
            ExitCode::from(2)
        }
    }
}
