//! Server as a process, and a connection to it.

use crate::common::{self, FEWEST};
use serde_json::Value;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Server that ends with the test.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
    log: Arc<Mutex<String>>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Server {
    /// Command for a server with these arguments.
    pub(crate) fn command(arguments: &[&str]) -> Command {
        let mut command = Command::new(FEWEST);
        command.args(["serve", "--bind", "127.0.0.1:0"]).args(arguments);
        common::quiet_surroundings(&mut command);
        command.stdin(Stdio::null());
        command
    }

    /// Starts a server on a folder.
    pub(crate) fn on_folder(folder: &Path) -> Self {
        Self::start(Self::command(&["--data", folder.to_str().unwrap()]))
    }

    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("fewest is at http://").and_then(|rest| rest.split('/').next());
        let mut errors = child.stderr.take().unwrap();
        let Some(address) = address else {
            let mut text = String::new();
            errors.read_to_string(&mut text).unwrap();
            panic!("it does not start: {text}");
        };
        let address = address.parse().unwrap();
        let log: Arc<Mutex<String>> = Arc::default();
        let lines = Arc::clone(&log);
        std::thread::spawn(move || {
            for line in BufReader::new(errors).lines().map_while(Result::ok) {
                let mut log = lines.lock().unwrap();
                log.push_str(&line);
                log.push('\n');
            }
        });
        Self { child, address, log }
    }

    /// Waits until the server has written `text` to standard error.
    pub(crate) fn wait_for_log(&self, text: &str) {
        let start = Instant::now();
        loop {
            let log = self.log.lock().unwrap().clone();
            if log.contains(text) {
                return;
            }
            assert!(start.elapsed() < Duration::from_secs(10), "{text:?} is not logged: {log}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sends a signal to the server.
    pub(crate) fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Kills the server with a signal that it cannot catch.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Status of `/readyz`; 0 if there is no connection.
    pub(crate) fn readiness(&self) -> u16 {
        let Ok(mut client) = Client::new(self.address) else { return 0 };
        client.send("GET", "/readyz", "", "").map_or(0, |(status, _)| status)
    }

    /// Waits until `/readyz` has this status.
    pub(crate) fn wait_for_readiness(&self, status: u16) {
        let start = Instant::now();
        while self.readiness() != status {
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "/readyz does not become {status}: {}",
                self.readiness()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Connection that is kept open.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
    /// Head of the last response, in lower case.
    pub(crate) head: String,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), address, head: String::new() })
    }

    /// Sends a request; fails if the server was killed.
    pub(crate) fn send(
        &mut self,
        method: &str,
        path: &str,
        kind: &str,
        body: &str,
    ) -> std::io::Result<(u16, String)> {
        let (address, length) = (self.address, body.len());
        let kind = if kind.is_empty() { String::new() } else { format!("Content-Type: {kind}\r\n") };
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\n{kind}Content-Length: {length}\r\n\r\n{body}"
        );
        self.stream.get_mut().write_all(text.as_bytes())?;
        let gone = || Error::from(ErrorKind::UnexpectedEof);
        self.head.clear();
        let (mut status, mut length) = (None, 0);
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(gone());
            }
            self.head += &line.to_ascii_lowercase();
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

    pub(crate) fn json(&mut self, method: &str, path: &str, body: &Value) -> std::io::Result<(u16, Value)> {
        let (status, text) = self.send(method, path, "application/json", &body.to_string())?;
        Ok((status, serde_json::from_str(&text).unwrap_or(Value::Null)))
    }
}
