//! Least speed of clients: a client that stalls would keep its connection and its memory for ever.

use crate::limits::Limits;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// Least speed of a client while the server waits for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Total time that the server waits for [`Self::bytes`].
    pub(crate) patience: Duration,
    /// Bytes that have to move within that time.
    pub(crate) bytes: usize,
}

impl Pace {
    /// Pace of `limits`.
    pub(crate) fn of(limits: &Limits) -> Self {
        Self { patience: limits.patience, bytes: limits.least_bytes }
    }
}

/// Watch over one direction of a connection.
#[derive(Debug)]
pub(crate) struct PaceWatch {
    pace: Pace,
    /// Time that the server has waited for the client since `moved` was 0.
    waited: Duration,
    since: Option<Instant>,
    moved: usize,
    alarm: Option<Pin<Box<Sleep>>>,
}

impl PaceWatch {
    pub(crate) fn new(pace: Pace) -> Self {
        Self { pace, waited: Duration::ZERO, since: None, moved: 0, alarm: None }
    }

    /// Notes that the server now waits for the client; returns whether the client is too slow.
    pub(crate) fn is_too_slow(&mut self, context: &mut Context<'_>) -> bool {
        let end = Instant::now() + self.pace.patience.saturating_sub(self.waited);
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(end)));
        if self.since.is_none() {
            self.since = Some(Instant::now());
            alarm.as_mut().reset(end);
        }
        alarm.as_mut().poll(context).is_ready()
    }

    /// Notes that `bytes` bytes moved.
    pub(crate) fn moved(&mut self, bytes: usize) {
        if let Some(since) = self.since.take() {
            self.waited += since.elapsed();
        }
        self.moved += bytes;
        if self.moved >= self.pace.bytes {
            (self.moved, self.waited) = (0, Duration::ZERO);
        }
    }
}

/// Stream that fails when the other side does not receive what is written to it.
#[derive(Debug)]
pub(crate) struct Paced<S> {
    stream: S,
    writing: PaceWatch,
}

impl<S> Paced<S> {
    pub(crate) fn new(stream: S, pace: Pace) -> Self {
        Self { stream, writing: PaceWatch::new(pace) }
    }

    fn watched(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Pending if self.writing.is_too_slow(context) => {
                let message = "the client does not take what it asked for";
                Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, message)))
            }
            Poll::Ready(Ok(bytes)) => {
                self.writing.moved(bytes);
                written
            }
            _ => written,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watched(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.watched(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    const PACE: Pace = Pace { patience: Duration::from_millis(60), bytes: 1000 };

    #[tokio::test]
    async fn a_client_that_takes_nothing_is_given_up() {
        let (ours, _theirs) = tokio::io::duplex(100);
        let error = Paced::new(ours, PACE).write_all(&[0; 5000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn one_that_takes_a_byte_now_and_then_is_given_up_too() {
        let (ours, mut theirs) = tokio::io::duplex(100);
        let reader = tokio::spawn(async move {
            while theirs.read_u8().await.is_ok() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        let error = Paced::new(ours, PACE).write_all(&[0; 5000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        reader.await.unwrap();
    }

    #[tokio::test]
    async fn one_that_keeps_pace_gets_all_of_it_and_silence_costs_nothing() {
        let (ours, mut theirs) = tokio::io::duplex(2000);
        let reader = tokio::spawn(async move {
            let (mut all, mut part) = (0, [0; 1500]);
            loop {
                match theirs.read(&mut part).await.unwrap() {
                    0 => return all,
                    read => all += read,
                }
                tokio::task::yield_now().await;
            }
        });
        let mut paced = Paced::new(ours, PACE);
        paced.write_all(&[0; 20_000]).await.unwrap();
        tokio::time::sleep(Duration::from_millis(200)).await;
        paced.write_all(&[0; 20_000]).await.unwrap();
        drop(paced);
        assert_eq!(reader.await.unwrap(), 40_000);
    }
}
