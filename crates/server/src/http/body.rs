//! The body of a request, for which nobody waits for ever.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{BoxError, body::Bytes};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until};

/// A body that fails if it is not whole at its deadline.
#[derive(Debug)]
pub(super) struct Timely {
    body: Incoming,
    deadline: Instant,
    /// Runs once there is something to wait for.
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Timely {
    /// A body that has so long from now.
    pub(super) fn new(body: Incoming, patience: Duration) -> Self {
        Self {
            body,
            deadline: Instant::now() + patience,
            sleep: None,
        }
    }
}

impl Body for Timely {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) {
            return Poll::Ready(frame.map(|frame| frame.map_err(BoxError::from)));
        }
        let deadline = self.deadline;
        let sleep = self
            .sleep
            .get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        ready!(sleep.as_mut().poll(cx));
        Poll::Ready(Some(Err(io::Error::from(io::ErrorKind::TimedOut).into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
