//! Bodies that are written as the client reads them.

use std::io;

use axum::body::{Body, Bytes};
use futures_util::{Stream, StreamExt as _, TryStreamExt as _, stream};

use crate::error::ApiError;

/// The largest body that is in memory as a whole, in bytes: it can be cached, and has a length.
const LARGEST_IN_MEMORY: usize = 1 << 20;

/// A body of some parts. A small one is read at once. A larger one is written as it is read; after an
/// error the connection is closed, so that the client sees that the file is incomplete.
///
/// # Errors
///
/// The errors of the parts that are read at once.
pub async fn streamed(
    parts: impl Stream<Item = Result<Bytes, ApiError>> + Send + 'static,
) -> Result<Body, ApiError> {
    let mut parts = Box::pin(parts);
    let (mut begin, mut length) = (Vec::<Bytes>::new(), 0);
    while length <= LARGEST_IN_MEMORY {
        let Some(part) = parts.try_next().await? else {
            return Ok(begin.concat().into());
        };
        length += part.len();
        begin.push(part);
    }
    let begin = stream::iter(begin.into_iter().map(Ok));
    let rest = parts.map_err(|error| {
        tracing::warn!(?error, "a file is incomplete");
        io::Error::other("the file is incomplete")
    });
    Ok(Body::from_stream(begin.chain(rest)))
}

/// A body that begins with some bytes. `next` makes each further part of what is left, and none after the
/// last one.
///
/// # Errors
///
/// As for [`streamed`].
pub async fn streamed_from<S, F>(
    begin: Bytes,
    rest: S,
    next: impl FnMut(S) -> F + Send + 'static,
) -> Result<Body, ApiError>
where
    S: Send + 'static,
    F: Future<Output = Result<Option<(Bytes, S)>, ApiError>> + Send + 'static,
{
    let begin = stream::iter([Ok(begin)]);
    streamed(begin.chain(stream::try_unfold(rest, next))).await
}
