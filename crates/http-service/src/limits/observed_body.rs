//! Request bodies whose reads are observed.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use axum::{
    Error,
    body::{Body, Bytes, HttpBody},
    extract::Request,
};
use http_body::{Frame, SizeHint};

/// The result of a read of a body.
pub(crate) type Polled = Poll<Option<Result<Frame<Bytes>, Error>>>;

/// Calls `observe` after each read of the body. Its error replaces the result.
pub(crate) fn observe<F>(request: Request, observe: F) -> Request
where
    F: FnMut(&Polled) -> Result<(), Error> + Send + Unpin + 'static,
{
    request.map(|inner| Body::new(Observed { inner, observe }))
}

struct Observed<F> {
    inner: Body,
    observe: F,
}

impl<F> HttpBody for Observed<F>
where
    F: FnMut(&Polled) -> Result<(), Error> + Unpin,
{
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Polled {
        let polled = Pin::new(&mut self.inner).poll_frame(cx);
        match (self.observe)(&polled) {
            Ok(()) => polled,
            Err(error) => Poll::Ready(Some(Err(error))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
