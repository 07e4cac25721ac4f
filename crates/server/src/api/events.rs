//! Progress of a search as a stream of server-sent events.

use crate::guard::QuotaShare;
use crate::jobs::Standing;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::watch::Receiver;

/// Pause between two events about a search.
const PAUSE: Duration = Duration::from_millis(100);
/// Interval of keep-alive comments while there are no events.
const SILENCE: Duration = Duration::from_secs(15);

/// Next event of a stream.
enum Next {
    /// First state, sent at once.
    First(Receiver<Standing>),
    /// Next state, sent when it has changed.
    News(Receiver<Standing>),
    /// Last state.
    Last(Standing),
    Nothing,
}

/// Streams `progress` events as long as the job runs, and at last one event `end`. `over` is the content of that
/// event if there is nothing to watch any more. The quota share is released when the stream ends.
pub(super) fn stream(
    watch: Option<Receiver<Standing>>,
    over: Standing,
    share: QuotaShare,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    let first = watch.map_or(Next::Last(over), Next::First);
    let events = stream::unfold((first, share), |(next, share)| async move {
        let mut watch = match next {
            Next::Nothing => return None,
            Next::Last(standing) => return Some((event("end", &standing), (Next::Nothing, share))),
            Next::First(watch) => watch,
            Next::News(mut watch) => {
                tokio::time::sleep(PAUSE).await;
                // A job that is gone has sent its last state, which can still be read.
                let _ = watch.changed().await;
                watch
            }
        };
        let standing = watch.borrow_and_update().clone();
        let is_over = !matches!(standing.state.as_str(), "queued" | "running");
        let name = if is_over { "end" } else { "progress" };
        let next = if is_over { Next::Nothing } else { Next::News(watch) };
        Some((event(name, &standing), (next, share)))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(SILENCE))
}

fn event(name: &str, standing: &Standing) -> Result<Event, Infallible> {
    let data = serde_json::to_string(standing).unwrap_or_default();
    Ok(Event::default().event(name).data(data))
}
