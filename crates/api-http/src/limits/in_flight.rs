//! Bytes in flight: bodies of requests from their arrival until the request is answered, and answers
//! until the connection has sent them.
//!
//! All of them come out of one budget of the process. The body of a request is counted as it arrives. An
//! answer is counted once it is made, unless it is small. The readers of a cached answer hold the same
//! bytes, so that these are counted once for as long as anybody reads them.

use std::{
    net::IpAddr,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError, Weak},
    task::{Context, Poll},
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
};
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt;

use super::budget::{Budget, Full, Held};

/// Bytes that may be in flight.
const LIMIT: usize = 96 * 1024 * 1024;

/// Each client may hold this part of the limit.
const SHARES: usize = 4;

/// Longest answer that is not counted, in bytes: the system takes as much of any connection that is
/// read at all.
const SMALL: usize = 8 * 1024;

/// Bytes that a body counts beside its own once it is waited for: the buffer into which its
/// connection reads, and what the request takes meanwhile.
const WAITING: usize = 64 * 1024;

/// Bytes that an answer counts that is read while it is sent.
const STREAM: usize = 256 * 1024;

/// A budget of bytes in flight.
pub(crate) fn budget() -> Budget {
    budget_of(LIMIT)
}

/// A budget of so many bytes in flight.
pub(crate) fn budget_of(bytes: usize) -> Budget {
    Budget::new(bytes, bytes / SHARES)
}

/// The budget as one client sees it.
#[derive(Debug)]
pub(crate) struct InFlight {
    budget: Budget,
    client: Option<IpAddr>,
}

impl InFlight {
    /// The budget as a client sees it.
    pub(crate) fn new(budget: &Budget, client: Option<IpAddr>) -> Self {
        let budget = budget.clone();
        Self { budget, client }
    }

    /// Reserves so many bytes until the returned holding is dropped.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is no room for them.
    pub(crate) fn reserve(&self, bytes: usize) -> Result<Held, Full> {
        let mut held = self.hold();
        held.grow(bytes)?;
        Ok(held)
    }

    fn hold(&self) -> Held {
        self.budget.client(self.client)
    }

    /// Counts the body of a request as it arrives. The caller drops the returned holding when the
    /// request is answered.
    pub(crate) fn count(&self, request: Request) -> (Request, Option<Arc<Mutex<Held>>>) {
        if request.body().is_end_stream() {
            return (request, None);
        }
        let held = Arc::new(Mutex::new(self.hold()));
        let counter = Arc::clone(&held);
        let request = request.map(|inner| {
            Body::new(Counted {
                inner,
                held: counter,
                is_waiting: false,
            })
        });
        (request, Some(held))
    }
}

impl InFlight {
    /// The body of an answer that is read while it is sent. It counts as what a connection and an open
    /// file take.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is no room for it.
    pub(crate) fn stream(&self, inner: Body) -> Result<Body, Full> {
        if inner.size_hint().exact().is_some() || inner.is_end_stream() {
            return Ok(inner);
        }
        let mut held = self.hold();
        held.grow(STREAM)?;
        Ok(Body::new(inner.map_frame(move |frame| {
            let _until_dropped = &held;
            frame
        })))
    }
}

/// A body that is counted as it arrives, and fails when there is no room for more of it.
struct Counted {
    inner: Body,
    held: Arc<Mutex<Held>>,
    /// Whether it was waited for.
    is_waiting: bool,
}

impl Counted {
    fn grow(&self, bytes: usize) -> Result<(), axum::Error> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.grow(bytes).map_err(axum::Error::new)
    }
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.inner).poll_frame(cx);
        let counted = match &frame {
            Poll::Pending if self.is_waiting => Ok(()),
            Poll::Pending => {
                self.is_waiting = true;
                self.grow(WAITING)
            }
            Poll::Ready(Some(Ok(frame))) => self.grow(frame.data_ref().map_or(0, Bytes::len)),
            Poll::Ready(_) => Ok(()),
        };
        match counted {
            Ok(()) => frame,
            Err(full) => Poll::Ready(Some(Err(full))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// Whether an error of a body says that there is no room for it.
pub(crate) fn is_full(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |error| error.source());
    causes.any(<dyn std::error::Error>::is::<Full>)
}

/// Bytes that may be sent to many clients at once.
#[derive(Debug)]
pub(crate) struct SharedBytes {
    bytes: Bytes,
    /// The holding of all readers of these bytes, while there is one.
    held: Mutex<Weak<Held>>,
}

impl SharedBytes {
    pub(crate) fn new(bytes: Bytes) -> Self {
        Self {
            bytes,
            held: Mutex::default(),
        }
    }

    pub(crate) fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The bytes as the body of an answer. `must`: the answer cannot be refused.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is no room for them.
    pub(crate) fn body(&self, in_flight: &InFlight, must: bool) -> Result<Body, Full> {
        let length = self.bytes.len();
        let bytes = self.bytes.clone();
        if length <= SMALL {
            return Ok(Body::from(bytes));
        }
        let mut shared = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let held = if let Some(held) = shared.upgrade() {
            held
        } else {
            let mut held = in_flight.hold();
            if must {
                held.force(length);
            } else {
                held.grow(length)?;
            }
            let held = Arc::new(held);
            *shared = Arc::downgrade(&held);
            held
        };
        // Dropped when the connection has sent them.
        Ok(Body::from(Bytes::from_owner(Lent { bytes, _held: held })))
    }
}

/// Bytes that are counted.
struct Lent {
    bytes: Bytes,
    _held: Arc<Held>,
}

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_flight(budget: &Budget, client: &str) -> InFlight {
        InFlight {
            budget: budget.clone(),
            client: Some(client.parse().unwrap()),
        }
    }

    #[tokio::test]
    async fn an_answer_is_counted_until_it_is_sent() {
        let budget = budget_of(100_000);
        let reader = in_flight(&budget, "192.0.2.1");
        let text = |length: usize| SharedBytes::new(Bytes::from(vec![b'x'; length]));
        let first = text(20_000).body(&reader, false).unwrap();
        assert_eq!(budget.used(), 20_000);
        assert_eq!(text(20_000).body(&reader, false).unwrap_err(), Full);
        // A write was done, and must be told.
        let forced = text(20_000).body(&reader, true).unwrap();
        assert_eq!(budget.used(), 40_000);
        let small = text(SMALL).body(&reader, false).unwrap();
        assert_eq!(budget.used(), 40_000);
        drop((first, small));
        // The bytes are counted for as long as they are somewhere.
        let bytes = forced.collect().await.unwrap().to_bytes();
        assert_eq!((bytes.len(), budget.used()), (20_000, 20_000));
        drop(bytes);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn the_readers_of_the_same_bytes_are_counted_once() {
        let budget = budget_of(100_000);
        let reader = in_flight(&budget, "192.0.2.1");
        let text = SharedBytes::new(Bytes::from(vec![b'x'; 20_000]));
        let bodies: Vec<_> = (0..10)
            .map(|_| text.body(&reader, false).unwrap())
            .collect();
        assert_eq!(budget.used(), 20_000);
        drop(text);
        assert_eq!(budget.used(), 20_000);
        drop(bodies);
        assert_eq!(budget.used(), 0);
    }
}
