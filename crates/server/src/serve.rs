//! The socket: connections within limits of time, number and speed, until the server is asked to stop.

use crate::error::Problem;
use crate::guard::{Pace, Paced, Quota, QuotaFull};
use crate::limits::Limits;
use crate::router::router;
use crate::state::App;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulConnection, GracefulShutdown};
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::ServiceExt;

/// Time that connections have to end after the server is asked to stop: enough for a request, short for a restart.
const SHUTDOWN: Duration = Duration::from_secs(3);
/// Pause after a connection that could not be accepted: the process may be out of file descriptors.
const PAUSE: Duration = Duration::from_millis(50);
/// Most bytes of a request's head, and bytes of a response that are collected before they are sent.
const BUFFER: usize = 64 * 1024;
/// Most connections that are refused with a response at the same time; more are just closed.
const REFUSALS: usize = 64;
/// Time that a refused connection has to receive its response.
const REFUSAL: Duration = Duration::from_secs(1);
/// File descriptors that the server needs besides its connections: the database, and connections that are refused.
const OTHER_FILES: u64 = 256;

/// Serves `state` at `listener` until `stop` completes; then ends searches with the best strategies they have.
///
/// # Errors
/// When the listener has no address.
pub async fn serve(listener: TcpListener, state: App, stop: impl Future<Output = ()>) -> io::Result<()> {
    listener.local_addr()?;
    let limits = *state.limits();
    let most = limits.connections.min(room_for_connections(limits.connections));
    let connections = Quota::new(most, limits.connections_each);
    let refusals = Arc::new(Semaphore::new(REFUSALS));
    let (router, graceful) = (router(state.clone()), GracefulShutdown::new());
    tokio::pin!(stop);
    loop {
        let (stream, peer) = tokio::select! {
            () = &mut stop => break,
            taken = listener.accept() => match taken {
                Ok(taken) => taken,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken");
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            }
        };
        // A proxy has the connections of all its clients.
        let address = Some(peer.ip()).filter(|ip| !state.guard().proxies.contains(&ip.to_canonical()));
        match connections.take(address, 1) {
            Ok(share) => {
                let connection = graceful.watch(connection(stream, peer, router.clone(), limits));
                tokio::spawn(async move {
                    // Clients may close a connection at any time; this is not logged.
                    let _ = connection.await;
                    drop(share);
                });
            }
            Err(full) => {
                if let Ok(permit) = Arc::clone(&refusals).try_acquire_owned() {
                    tokio::spawn(refuse(stream, full, permit));
                }
            }
        }
    }
    drop(listener);
    let _ = tokio::time::timeout(SHUTDOWN, graceful.shutdown()).await;
    state.close().await;
    Ok(())
}

/// Serves HTTP to one client; every request carries the address of its client.
fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    limits: Limits,
) -> impl GracefulConnection<Error = hyper::Error> + Send {
    // Small responses must not wait for more data.
    let _ = stream.set_nodelay(true);
    let service = router.map_request(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        request
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.head).max_buf_size(BUFFER);
    let stream = Paced::new(stream, Pace::of(&limits));
    http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
}

/// Tells a client that there are too many connections.
async fn refuse(mut stream: TcpStream, full: QuotaFull, _permit: OwnedSemaphorePermit) {
    let problem = match full {
        QuotaFull::All => Problem::busy("this server has too many connections; try again"),
        QuotaFull::Address => {
            Problem::too_many("too many connections from this address; close some, or use them again")
        }
    };
    let (status, after) = (problem.status_code(), if full == QuotaFull::All { 10 } else { 1 });
    let body = serde_json::to_string(&problem).unwrap_or_default();
    let text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/problem+json\r\nRetry-After: {after}\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let told = async {
        stream.write_all(text.as_bytes()).await?;
        stream.shutdown().await?;
        // The client's data is read and ignored: closing at once could discard the response.
        let mut part = [0; 4096];
        while stream.read(&mut part).await? > 0 {}
        io::Result::Ok(())
    };
    // Whether the client received it is not logged.
    let _ = tokio::time::timeout(REFUSAL, told).await;
}

/// Number of connections that the system allows this process, after asking it for `wanted`.
#[cfg(unix)]
fn room_for_connections(wanted: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let wanted = (wanted as u64).saturating_add(OTHER_FILES);
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let within = maximum.map_or(wanted, |maximum| wanted.min(maximum));
    let files = match current {
        Some(current) if current < within => {
            let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(within), maximum });
            if raised.is_ok() { within } else { current }
        }
        _ => within,
    };
    if files < wanted {
        tracing::warn!(
            files,
            wanted,
            "the system allows fewer open files than the limit of connections needs"
        );
    }
    usize::try_from(files.saturating_sub(OTHER_FILES).max(files / 2)).unwrap_or(usize::MAX)
}

#[cfg(not(unix))]
fn room_for_connections(wanted: usize) -> usize {
    wanted
}

/// Logs errors and warnings to standard error, and with `requests` a line about each request: its route, never its
/// questions and answers.
pub fn log(requests: bool) {
    let level = if requests { tracing::Level::INFO } else { tracing::Level::WARN };
    let log = tracing_subscriber::fmt().with_writer(io::stderr).with_max_level(level);
    // A second call changes nothing.
    let _ = log.with_ansi(false).with_target(false).try_init();
}
