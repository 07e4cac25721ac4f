//! The socket: connections come in, each with a limit of time and number, until somebody asks to stop.

use crate::{App, app};
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
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::ServiceExt;

/// How long a client may take to say what it wants.
const HEAD: Duration = Duration::from_secs(20);
/// How long connections have to end once somebody asked to stop.
const FAREWELL: Duration = Duration::from_secs(3);
/// After a connection that could not be taken: there may be no room for more.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves `state` at `listener` until `stop` is done, then ends searches with what they have.
///
/// # Errors
/// When the listener has no address.
pub async fn serve(listener: TcpListener, state: App, stop: impl Future<Output = ()>) -> io::Result<()> {
    listener.local_addr()?;
    let room = Arc::new(Semaphore::new(state.limits().connections));
    let (router, graceful) = (app(state.clone()), GracefulShutdown::new());
    tokio::pin!(stop);
    loop {
        let (stream, peer, permit) = tokio::select! {
            () = &mut stop => break,
            permit = Arc::clone(&room).acquire_owned() => {
                let Ok(permit) = permit else { break };
                tokio::select! {
                    () = &mut stop => break,
                    taken = listener.accept() => match taken {
                        Ok((stream, peer)) => (stream, peer, permit),
                        Err(error) => {
                            tracing::warn!(%error, "a connection could not be taken");
                            tokio::time::sleep(PAUSE).await;
                            continue;
                        }
                    }
                }
            }
        };
        let connection = graceful.watch(connection(stream, peer, router.clone()));
        tokio::spawn(async move {
            // Clients hang up when they like; that is no news.
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
    state.close().await;
    Ok(())
}

/// Speaks HTTP with one client; every request knows where it comes from.
fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
) -> impl GracefulConnection<Error = hyper::Error> + Send {
    // Small answers must not wait for more to send.
    let _ = stream.set_nodelay(true);
    let service = router.map_request(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        request
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
}

/// Writes errors and warnings to standard error, and with `requests` a line about each request: its route, never what was
/// asked or answered.
pub fn log(requests: bool) {
    let level = if requests { tracing::Level::INFO } else { tracing::Level::WARN };
    let log = tracing_subscriber::fmt().with_writer(io::stderr).with_max_level(level);
    // A second call changes nothing.
    let _ = log.with_ansi(false).with_target(false).try_init();
}
