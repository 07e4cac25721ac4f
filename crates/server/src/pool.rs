//! Access to the blocking threads: no question is computed on a thread that serves connections.
//!
//! A lane runs as many tasks at once as there are cores, and lets a limited number wait; the next is refused.
//! Questions about small tables have a lane of their own, so that they do not wait behind large ones.

use crate::error::Problem;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Limited access to the blocking threads.
#[derive(Debug)]
pub(crate) struct Lane {
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
    most: usize,
}

/// Task that waits in a lane, until this is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Lane {
    /// Creates a lane for `at_once` running and at most `waiting` waiting tasks.
    pub(crate) fn new(at_once: usize, waiting: usize) -> Self {
        Self { free: Arc::new(Semaphore::new(at_once.max(1))), waiting: AtomicUsize::new(0), most: waiting }
    }

    /// Runs `work` on a thread that serves no connection.
    ///
    /// # Errors
    /// When too many tasks wait, or `work` panicked.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        in_background(self.permit().await?, work).await
    }

    async fn permit(&self) -> Result<OwnedSemaphorePermit, Problem> {
        if let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() {
            return Ok(permit);
        }
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let _waiting = Waiting(&self.waiting);
        if before >= self.most {
            return Err(Problem::busy("too many questions are waiting; try again"));
        }
        Arc::clone(&self.free).acquire_owned().await.map_err(|_| Problem::internal())
    }
}

/// Runs `work` on a blocking thread. The permit is held until `work` ends: even if no request waits for the result
/// any more, the thread is in use.
///
/// # Errors
/// When `work` panicked.
pub(crate) async fn in_background<T: Send + 'static>(
    permit: OwnedSemaphorePermit,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let work = move || {
        let result = work();
        drop(permit);
        result
    };
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "a thread broke");
        Problem::internal()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn as_many_work_and_wait_as_may_and_the_next_is_refused() {
        let lane = Arc::new(Lane::new(1, 1));
        let (tell, told) = std::sync::mpsc::channel::<()>();
        let run = |work: Box<dyn FnOnce() -> u8 + Send>| {
            let lane = Arc::clone(&lane);
            tokio::spawn(async move { lane.run(work).await })
        };
        let first = run(Box::new(move || {
            let _ = told.recv();
            1
        }));
        tokio::task::yield_now().await;
        let second = run(Box::new(|| 2));
        tokio::task::yield_now().await;
        let refused = lane.run(|| 3).await.unwrap_err();
        assert_eq!(refused.status, 503);
        tell.send(()).unwrap();
        assert_eq!((first.await.unwrap().unwrap(), second.await.unwrap().unwrap()), (1, 2));
        assert_eq!(lane.run(|| 4).await.unwrap(), 4, "there is room again");
    }

    #[tokio::test]
    async fn a_task_that_gives_up_makes_room() {
        let lane = Lane::new(1, 1);
        let held = lane.permit().await.unwrap();
        let gave_up = tokio::time::timeout(std::time::Duration::from_millis(10), lane.run(|| 1)).await;
        assert!(gave_up.is_err());
        assert_eq!(lane.waiting.load(Ordering::Relaxed), 0);
        drop(held);
        assert_eq!(lane.run(|| 2).await.unwrap(), 2);
    }
}
