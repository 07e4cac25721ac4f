//! Load on `fewest serve`: how many questions a second it answers, how long the slowest wait, and what requests and open
//! sessions take of memory.
//!
//! ```sh
//! cargo build --release && cargo run --release -p fewest-bench --bin load -- [TABLE] [OPTION…]
//!   --seconds N      how long to ask (10)
//!   --requests N     ask so often instead, and look at the memory on the way
//!   --connections N  clients at the same time (16)
//!   --sessions N     sessions that are made and answered afterwards (0)
//!   --distinct       no request is asked twice: what was answered before is of no use
//!   --least N        questions a second that are wanted (0)
//! ```
//!
//! It starts the program that lies beside it, on a port and a folder of its own, and ends it again. Everything stays on
//! the machine: the load and the server share its cores. The table is `examples/zoo.csv` where none is named. Exits with 1
//! where the rate that is wanted, 50 ms for all but one in a hundred, or 500 MB are missed, or where memory grows by more
//! than 32 MB in the second half of many requests.

#![allow(clippy::print_stdout, reason = "this program prints what it measures")]

use fewest::{Instance, Reading, TestId};
use fewest_formats::read::{ReadOptions, read_table_from};
use serde_json::{Value, json};
use std::borrow::Cow;
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
fn repeated(client: &mut Client, table: &str) -> Fallible<Vec<String>> {
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

/// Where requests come from.
enum Source {
    /// The same ones again and again.
    Repeated(Vec<String>),
    /// Answers of objects to some tests that are drawn anew for each request.
    Distinct { table: String, instance: Box<Instance> },
}

impl Source {
    /// The request numbered `at` of a client.
    fn request(&self, client: usize, at: usize) -> Cow<'_, str> {
        match self {
            Self::Repeated(requests) => Cow::Borrowed(&requests[(client * 7 + at) % requests.len()]),
            Self::Distinct { table, instance } => {
                let mut state = (client as u64) << 40 | at as u64;
                let mut random = move |end: usize| {
                    // SplitMix64.
                    state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                    ((mixed ^ (mixed >> 31)) % end.max(1) as u64) as usize
                };
                let object = random(instance.object_count());
                let answer = |test: usize| {
                    let test = instance.test(TestId::at(test));
                    let value = test.answers.get(test.codes.get(object) as usize);
                    json!({"test": test.name, "value": value})
                };
                let most = 8.min(instance.test_count());
                let answers: Vec<Value> =
                    (0..1 + random(most)).map(|_| random(instance.test_count())).map(answer).collect();
                // A number of its own, because few tests leave little choice.
                let most = 5 + (client + at) % 10;
                Cow::Owned(json!({"table": table, "answers": answers, "most": most}).to_string())
            }
        }
    }
}

/// How long to ask.
#[derive(Clone, Copy)]
enum Until {
    Time(Instant),
    /// So many requests of each client.
    Count(usize),
}

/// Asks until it is enough; how long each answer took.
fn ask(address: SocketAddr, source: &Source, client: usize, until: Until) -> Fallible<Vec<Duration>> {
    let mut connection = Client::new(address)?;
    let mut times = Vec::new();
    for at in 0.. {
        let request = source.request(client, at);
        let start = Instant::now();
        let is_over = match until {
            Until::Time(end) => start >= end,
            Until::Count(count) => at >= count,
        };
        if is_over {
            break;
        }
        let status = connection.send("POST", "/api/v1/next", "application/json", &request)?;
        if status != 200 {
            return Err(format!("{status}: {}", String::from_utf8_lossy(&connection.body)).into());
        }
        times.push(start.elapsed());
    }
    Ok(times)
}

/// What is measured.
struct Options {
    table: PathBuf,
    seconds: u64,
    requests: Option<usize>,
    connections: usize,
    sessions: usize,
    distinct: bool,
    least: f64,
}

impl Options {
    fn read() -> Fallible<Self> {
        let mut options = Self {
            table: "examples/zoo.csv".into(),
            seconds: 10,
            requests: None,
            connections: 16,
            sessions: 0,
            distinct: false,
            least: 0.0,
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg}: expected a number"));
            match arg.as_str() {
                "--seconds" => options.seconds = value()?.parse()?,
                "--requests" => options.requests = Some(value()?.parse()?),
                "--connections" => options.connections = value()?.parse::<usize>()?.max(1),
                "--sessions" => options.sessions = value()?.parse()?,
                "--least" => options.least = value()?.parse()?,
                "--distinct" => options.distinct = true,
                table if !table.starts_with('-') => options.table = table.into(),
                _ => return Err(format!("{arg} is not known; see the head of this program").into()),
            }
        }
        Ok(options)
    }
}

/// The table as the server reads it.
fn instance(path: &std::path::Path) -> Fallible<Instance> {
    let text = std::fs::read(path)?;
    let (table, _) = read_table_from(&text[..], "the table", &ReadOptions::default())?;
    Ok(Instance::new(table, &Reading::default())?.0)
}

/// Asks over all connections; how long each answer took.
fn ask_all(
    address: SocketAddr,
    source: &Source,
    connections: usize,
    until: Until,
) -> Fallible<Vec<Duration>> {
    let mut times = Vec::new();
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..connections).map(|client| scope.spawn(move || ask(address, source, client, until))).collect();
        for worker in workers {
            times.extend(worker.join().map_err(|_| "a client broke")??);
        }
        Fallible::Ok(())
    })?;
    Ok(times)
}

/// Asks as often as is wanted, in eight parts, and looks at the memory after each; whether it stays flat.
fn ask_many(
    server: &Server,
    source: &Source,
    options: &Options,
    count: usize,
) -> Fallible<(Vec<Duration>, bool)> {
    let mut times = Vec::new();
    let mut memory = Vec::new();
    for part in 0..8 {
        let each = Until::Count(count.div_ceil(8 * options.connections));
        times.extend(ask_all(server.address, source, options.connections, each)?);
        memory.push(server.memory()?.0);
        println!("memory: {:.1} MB after {} requests", memory[part], times.len());
    }
    Ok((times, memory[7] - memory[3] < 32.0))
}

fn make_sessions(client: &mut Client, server: &Server, table: &str, sessions: usize) -> Fallible<()> {
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
    Ok(())
}

fn run() -> Fallible<bool> {
    let options = Options::read()?;
    let folder = tempfile::tempdir()?;
    let server = Server::start(folder.path())?;
    let mut client = Client::new(server.address)?;
    let text = std::fs::read_to_string(&options.table)?;
    let made = client.expect("POST", "/api/v1/tables", "text/csv", &text)?;
    let table = made["id"].as_str().ok_or("no table")?.to_owned();
    let source = match options.distinct {
        true => Source::Distinct { table: table.clone(), instance: Box::new(instance(&options.table)?) },
        false => Source::Repeated(repeated(&mut client, &table)?),
    };
    let (start, spent) = (Instant::now(), server.processor()?);
    let (mut times, is_flat) = match options.requests {
        Some(count) => ask_many(&server, &source, &options, count)?,
        None => {
            let end = Until::Time(start + Duration::from_secs(options.seconds));
            (ask_all(server.address, &source, options.connections, end)?, true)
        }
    };
    let spent = (server.processor()? - spent) / times.len().max(1) as f64 * 1e3;
    let rate = times.len() as f64 / start.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    let p99 = at(0.99);
    let kind = if options.distinct { "all different" } else { "repeated" };
    println!(
        "next ({kind}): {rate:.0} requests a second over {} connections, {} in all",
        options.connections,
        times.len()
    );
    println!("      p50 {:.2} ms, p90 {:.2} ms, p99 {p99:.2} ms, max {:.2} ms", at(0.5), at(0.9), at(1.0));
    println!("      {spent:.3} ms of the server's processor time for each");
    if options.sessions > 0 {
        make_sessions(&mut client, &server, &table, options.sessions)?;
    }
    let (now, most) = server.memory()?;
    println!("memory: {now:.0} MB at the end, {most:.0} MB at most");
    Ok(rate >= options.least && p99 < 50.0 && most <= 500.0 && is_flat)
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            println!("missed: the rate that was wanted, p99 under 50 ms, at most 500 MB, or flat memory");
            ExitCode::FAILURE
        }
        Err(error) => {
            println!("error: {error}");
            ExitCode::from(2)
        }
    }
}
