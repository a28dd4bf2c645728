//! Request bodies: their deadline, and the remainder that a handler did not read.

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

/// Longest remainder of a body, in bytes, that is discarded to keep the connection open.
const MAX_DRAINED: u64 = 64 * 1024;

/// A body that fails at its deadline.
#[derive(Debug)]
pub(super) struct DeadlineBody {
    /// Empty after an error, and once this is dropped.
    body: Option<Incoming>,
    deadline: Instant,
    /// Created by the first poll that is pending.
    sleep: Option<Pin<Box<Sleep>>>,
    /// Whether the client waits for `100 Continue`, which the first poll sends.
    is_awaited: bool,
    state: BodyState,
}

/// The state of a request body after the handler returned.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyState(Arc<Mutex<State>>);

#[derive(Debug, Default)]
enum State {
    /// The body still has an owner.
    #[default]
    Owned,
    /// The body was read to its end.
    Complete,
    /// The remainder cannot be read, or the client may not send it.
    Broken,
    /// The body was dropped before its end.
    Dropped { body: Incoming, deadline: Instant },
}

impl DeadlineBody {
    /// A body with a timeout that starts now, and its state. `is_awaited`: the client waits for
    /// `100 Continue`.
    pub(super) fn new(body: Incoming, timeout: Duration, is_awaited: bool) -> (Self, BodyState) {
        let state = BodyState::default();
        let body = Self {
            body: Some(body),
            deadline: Instant::now() + timeout,
            sleep: None,
            is_awaited,
            state: state.clone(),
        };
        (body, state)
    }

    fn fail(&mut self) {
        self.body = None;
        self.state.set(State::Broken);
    }
}

impl Body for DeadlineBody {
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
                self.fail();
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
        self.fail();
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

impl Drop for DeadlineBody {
    fn drop(&mut self) {
        let Some(body) = self.body.take() else {
            return;
        };
        let deadline = self.deadline;
        self.state.set(if body.is_end_stream() {
            State::Complete
        } else if self.is_awaited {
            // After another status than `100 Continue` the client may send the body or not.
            State::Broken
        } else {
            State::Dropped { body, deadline }
        });
    }
}

impl BodyState {
    fn set(&self, state: State) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    /// Discards the remainder of the body if it is known to be short. Returns whether the
    /// connection stays usable; if not, it must be closed.
    pub(super) fn discard(&self) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::take(&mut *state) {
            State::Complete => true,
            State::Owned | State::Broken => false,
            State::Dropped { body, deadline } => {
                let is_short = body.size_hint().upper().is_some_and(|n| n <= MAX_DRAINED);
                if is_short {
                    // The response does not wait for the remainder.
                    tokio::spawn(timeout_at(deadline, drain(body)));
                }
                is_short
            }
        }
    }
}

/// Reads a body to its end. Dropping the future closes the connection.
async fn drain(mut body: Incoming) {
    while let Some(Ok(_)) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {}
}
