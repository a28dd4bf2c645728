//! Bodies of requests: their deadline, and the rest that a handler did not read.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{BoxError, body::Bytes};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until, timeout_at};

/// Largest rest of a body that is read and discarded so that the connection can be used again, in
/// bytes.
const MAX_DRAINED: u64 = 64 * 1024;

/// A body that fails if it is not complete at its deadline.
#[derive(Debug)]
pub(super) struct Timely {
    /// Taken when this is dropped.
    body: Option<Incoming>,
    deadline: Instant,
    /// Runs once there is something to wait for.
    sleep: Option<Pin<Box<Sleep>>>,
    /// Whether the client waits for `100 Continue` before it sends the body. Reading sends it.
    is_awaited: bool,
    unread: Unread,
}

/// The state of a request's body after its answer was made.
#[derive(Clone, Debug, Default)]
pub(super) struct Unread(Arc<Mutex<State>>);

#[derive(Debug, Default)]
enum State {
    /// The body still has an owner.
    #[default]
    Owned,
    /// The body was read to its end.
    Complete,
    /// The rest of the body must not or cannot be read.
    Broken,
    /// The body was dropped before its end.
    Dropped { body: Incoming, deadline: Instant },
}

impl Timely {
    /// A body that has so long from now, and its state. `is_awaited`: the client waits for
    /// `100 Continue`.
    pub(super) fn new(body: Incoming, patience: Duration, is_awaited: bool) -> (Self, Unread) {
        let unread = Unread::default();
        let body = Self {
            body: Some(body),
            deadline: Instant::now() + patience,
            sleep: None,
            is_awaited,
            unread: unread.clone(),
        };
        (body, unread)
    }

    fn break_off(&mut self) {
        self.body = None;
        self.unread.set(State::Broken);
    }
}

impl Body for Timely {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        self.is_awaited = false;
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        match Pin::new(body).poll_frame(cx) {
            Poll::Ready(Some(Err(error))) => {
                self.break_off();
                return Poll::Ready(Some(Err(error.into())));
            }
            Poll::Ready(frame) => return Poll::Ready(frame.map(|frame| frame.map_err(Into::into))),
            Poll::Pending => {}
        }
        let deadline = self.deadline;
        let sleep = self
            .sleep
            .get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        ready!(sleep.as_mut().poll(cx));
        self.break_off();
        Poll::Ready(Some(Err(io::Error::from(io::ErrorKind::TimedOut).into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body
            .as_ref()
            .map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl Drop for Timely {
    fn drop(&mut self) {
        let Some(body) = self.body.take() else {
            return;
        };
        let deadline = self.deadline;
        self.unread.set(if body.is_end_stream() {
            State::Complete
        } else if self.is_awaited {
            // A client that gets another answer than `100 Continue` may send the body or not.
            State::Broken
        } else {
            State::Dropped { body, deadline }
        });
    }
}

impl Unread {
    fn set(&self, state: State) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    /// Discards the rest of the body, which may still be arriving, if it is known to be short. Tells
    /// whether the connection can take another request after it; if not, it must be closed.
    pub(super) fn discard(&self) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::take(&mut *state) {
            State::Complete => true,
            State::Owned | State::Broken => false,
            State::Dropped { body, deadline } => {
                let is_short = body.size_hint().upper().is_some_and(|n| n <= MAX_DRAINED);
                if is_short {
                    // The answer does not wait for it.
                    tokio::spawn(timeout_at(deadline, drain(body)));
                }
                is_short
            }
        }
    }
}

/// Reads a body to its end. Dropped before that, the connection is closed.
async fn drain(mut body: Incoming) {
    while let Some(Ok(_)) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {}
}
