//! Bodies of requests and responses: a least speed for incoming ones, and limits on bytes in memory, in total and by
//! address.

use super::Guard;
use super::pace::PaceWatch;
use super::quota::{Quota, QuotaFull, QuotaShare};
use super::visitor::Visitor;
use crate::error::Problem;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

/// Bytes from which a body counts: smaller ones are no larger than the buffers of a connection.
const SMALL: usize = 64 * 1024;

/// Mark of a response whose body is read while it is sent, with the bytes of it in memory at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Streamed(pub(crate) usize);

/// Share of the quota that a request's body uses, and the problem that ended it.
#[derive(Debug, Default)]
struct BodyUse {
    share: Option<QuotaShare>,
    problem: Option<Problem>,
}

/// Passes a request on with its body watched, and counts its response until it is sent.
pub(super) async fn pass(guard: &Guard, visitor: Visitor, request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return counted(guard, visitor, next.run(request).await);
    }
    let body_use: Arc<Mutex<BodyUse>> = Arc::default();
    let metered = |inner: Body| IncomingBody {
        inner,
        watch: PaceWatch::new(guard.pace),
        quota: Arc::clone(&guard.incoming),
        address: visitor.address,
        seen: 0,
        body_use: Arc::clone(&body_use),
    };
    let response = next.run(request.map(|inner| Body::new(metered(inner)))).await;
    // The incoming body is used up with the request; only now its share is returned.
    let BodyUse { problem, .. } =
        std::mem::take(&mut *body_use.lock().unwrap_or_else(PoisonError::into_inner));
    match problem {
        Some(problem) => hung_up(problem.into_response()),
        None => counted(guard, visitor, response),
    }
}

fn too_much_at_once(full: QuotaFull) -> Problem {
    match full {
        QuotaFull::All => Problem::busy("too much is being sent to this server; try again"),
        QuotaFull::Address => {
            Problem::too_many("this address sends too much at the same time; send one after the other")
        }
    }
}

/// Body that comes in.
struct IncomingBody {
    inner: Body,
    watch: PaceWatch,
    quota: Arc<Quota>,
    address: Option<IpAddr>,
    seen: usize,
    body_use: Arc<Mutex<BodyUse>>,
}

impl IncomingBody {
    /// Counts incoming bytes.
    fn count(&mut self, bytes: usize) -> Result<(), QuotaFull> {
        self.watch.moved(bytes);
        self.seen += bytes;
        if self.seen <= SMALL {
            return Ok(());
        }
        let mut body_use = self.body_use.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut body_use.share {
            Some(share) => share.grow(bytes),
            none => {
                *none = Some(self.quota.take(self.address, self.seen)?);
                Ok(())
            }
        }
    }

    fn end(&self, problem: Problem) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let error = axum::Error::new(std::io::Error::other(problem.detail.clone()));
        self.body_use.lock().unwrap_or_else(PoisonError::into_inner).problem = Some(problem);
        Poll::Ready(Some(Err(error)))
    }
}

impl HttpBody for IncomingBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.inner).poll_frame(context);
        match &polled {
            Poll::Pending if self.watch.is_too_slow(context) => self.end(Problem::too_slow_body()),
            Poll::Ready(Some(Ok(frame))) => match self.count(frame.data_ref().map_or(0, Bytes::len)) {
                Ok(()) => polled,
                Err(full) => self.end(too_much_at_once(full)),
            },
            _ => polled,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// Counts the bytes of a response that wait in memory to be sent.
fn counted(guard: &Guard, visitor: Visitor, response: Response) -> Response {
    let in_memory = response.extensions().get::<Streamed>().map(|Streamed(bytes)| *bytes as u64);
    let bytes = in_memory.or_else(|| response.body().size_hint().exact()).unwrap_or(0);
    if bytes < SMALL as u64 {
        return response;
    }
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    match guard.outgoing.take(visitor.address, bytes) {
        Ok(share) => response.map(|inner| Body::new(OutgoingBody { inner, _share: share })),
        Err(QuotaFull::All) => {
            Problem::busy("too much is being fetched from this server; try again").into_response()
        }
        Err(QuotaFull::Address) => {
            Problem::too_many("this address fetches too much at the same time; take one after the other")
                .into_response()
        }
    }
}

/// Body that is sent, with its share of the quota.
struct OutgoingBody {
    inner: Body,
    _share: QuotaShare,
}

impl HttpBody for OutgoingBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// Marks a response as the last one of its connection: further data of the client is not read.
pub(crate) fn hung_up(mut response: Response) -> Response {
    let close = axum::http::HeaderValue::from_static("close");
    response.headers_mut().insert(axum::http::header::CONNECTION, close);
    response
}
