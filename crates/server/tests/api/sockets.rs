//! Sockets: clients that are slow, that do not read, and too many of them (item 13 of issue 21).

use crate::bench::{Bench, Kind, PETS};
use fewest_server::{Limits, serve};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

/// Starts a server at an address of its own, as long as the test runs.
async fn listen(limits: Limits) -> (Bench, SocketAddr) {
    let bench = Bench::with(Kind::Sqlite, limits, Vec::new()).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve::serve(listener, bench.app.clone(), std::future::pending()));
    (bench, address)
}

async fn connect(from: [u8; 4], to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(8192).unwrap();
    socket.bind(SocketAddr::from((from, 0))).unwrap();
    socket.connect(to).await.unwrap()
}

/// Status of the response to a request on an open connection; 0 if there is none.
async fn ask(stream: &mut TcpStream, path: &str) -> u16 {
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let _ = stream.write_all(request.as_bytes()).await;
    let (mut head, mut part) = (Vec::new(), [0; 4096]);
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut part).await {
            Ok(read) if read > 0 => head.extend(&part[..read]),
            _ => break,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

/// Whether the server closes the connection, sooner or later.
async fn hangs_up(stream: &mut TcpStream) -> bool {
    let mut part = [0; 65536];
    let closed = async { while !matches!(stream.read(&mut part).await, Ok(0) | Err(_)) {} };
    tokio::time::timeout(Duration::from_secs(30), closed).await.is_ok()
}

#[tokio::test]
async fn issue_21_item_13_a_client_that_does_not_read_is_hung_up_on() {
    let (bench, address) = listen(Limits { patience: Duration::from_millis(200), ..Limits::default() }).await;
    // More than the buffers of both sides hold.
    let lines: String = (0..12).map(|row| format!("o{row},{row}{}\n", "z".repeat(1_000_000))).collect();
    let table = bench.table(&format!("object,a\n{lines}")).await;
    let mut stream = connect([127, 0, 0, 1], address).await;
    let path = format!("/api/v1/tables/{table}/content");
    stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let (mut taken, mut part) = (0, vec![0; 1 << 20]);
    let reading = async {
        while let Ok(read @ 1..) = stream.read(&mut part).await {
            taken += read;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), reading).await.expect("the server hangs up");
    assert!(taken < 12_000_000, "the rest was given up: {taken}");
    // A client that reads gets all of it.
    let mut stream = connect([127, 0, 0, 1], address).await;
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut all = Vec::new();
    stream.read_to_end(&mut all).await.unwrap();
    assert!(all.len() > 12_000_000 && all.starts_with(b"HTTP/1.1 200"));
}

#[tokio::test]
async fn issue_21_item_13_a_head_that_does_not_come_is_not_waited_for() {
    let (_bench, address) = listen(Limits { head: Duration::from_millis(150), ..Limits::default() }).await;
    let mut silent = connect([127, 0, 0, 1], address).await;
    let mut slow = connect([127, 0, 0, 1], address).await;
    slow.write_all(b"GET / HTTP/1.1\r\nHo").await.unwrap();
    let mut idle = connect([127, 0, 0, 1], address).await;
    assert_eq!(ask(&mut idle, "/healthz").await, 200);
    assert!(hangs_up(&mut silent).await && hangs_up(&mut slow).await && hangs_up(&mut idle).await);
}

#[tokio::test]
async fn issue_21_item_13_connections_are_limited_in_all_and_by_address() {
    let limits = Limits { connections: 5, connections_each: 3, ..Limits::default() };
    let (_bench, address) = listen(limits).await;
    let (one, two, three) = ([127, 0, 0, 1], [127, 0, 0, 2], [127, 0, 0, 3]);
    let mut held = Vec::new();
    for from in [one, one, one, two, two] {
        let mut stream = connect(from, address).await;
        assert_eq!(ask(&mut stream, "/healthz").await, 200);
        held.push(stream);
    }
    assert_eq!(ask(&mut connect(one, address).await, "/healthz").await, 429);
    assert_eq!(ask(&mut connect(three, address).await, "/healthz").await, 503);
    held.remove(0);
    // The server notices the end of a connection a moment later.
    for _ in 0..100 {
        if ask(&mut connect(three, address).await, "/healthz").await == 200 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("a connection that ended makes room for another");
}

#[tokio::test]
async fn issue_21_item_13_heads_have_a_size() {
    let (bench, address) = listen(Limits::default()).await;
    bench.upload("", PETS).await.expect(201);
    let mut stream = connect([127, 0, 0, 1], address).await;
    let long = "x".repeat(200_000);
    let status = ask(&mut stream, &format!("/healthz HTTP/1.1\r\nX-Long: {long}\r\nA: ")).await;
    assert!(status == 431 || status == 0, "{status}");
}
