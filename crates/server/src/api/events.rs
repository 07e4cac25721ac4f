//! How far a search is, told as it goes.

use crate::guard::QuotaShare;
use crate::jobs::Standing;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::watch::Receiver;

/// Between two words about a search.
const PAUSE: Duration = Duration::from_millis(100);
/// Between two signs of life where there is nothing to say.
const SILENCE: Duration = Duration::from_secs(15);

/// What is to be told next.
enum Next {
    /// The first word, at once.
    First(Receiver<Standing>),
    /// What is new.
    News(Receiver<Standing>),
    /// The last word.
    Last(Standing),
    Nothing,
}

/// Events `progress` as long as the job goes on, and at last one event `end`; `over` is that one's content if
/// there is nothing to watch any more. The share is given back when the stream ends.
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
                // A job that is gone has said its last word: it is still there to be read.
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
