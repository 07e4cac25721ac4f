//! Bodies that are read from the database while they are sent.

use crate::error::Problem;
use crate::guard::Streamed;
use crate::store::PART;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use std::future::Future;
use std::io;

/// Response of the parts that `read` returns for 0, 1, … until a part is empty. The first part is read at once: if it
/// cannot be read, the response is a problem instead of a body that breaks off.
///
/// # Errors
/// When `read` fails for the first part.
pub(super) async fn body<F>(read: impl Fn(usize) -> F + Send + 'static) -> Result<Response, Problem>
where
    F: Future<Output = Result<Bytes, Problem>> + Send + 'static,
{
    let first = read(0).await?;
    if first.len() < PART {
        return Ok(first.into_response());
    }
    let rest = stream::unfold((1, read), |(number, read)| async move {
        let part = match read(number).await {
            Ok(part) if part.is_empty() => return None,
            Ok(part) => Ok(part),
            Err(problem) => Err(io::Error::other(problem.detail)),
        };
        Some((part, (number + 1, read)))
    });
    let all = futures_util::StreamExt::chain(stream::once(async { Ok(first) }), rest);
    let mut response = Body::from_stream(all).into_response();
    // One part that is being sent, and one that is being read.
    response.extensions_mut().insert(Streamed(2 * PART));
    Ok(response)
}
