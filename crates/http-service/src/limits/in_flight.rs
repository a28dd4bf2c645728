//! Bytes in flight: request bodies until the response is made, response bodies until they are sent.
//!
//! All share one budget of the process. A request body is counted as it arrives; a response body
//! once it is made, unless it is small. The texts of a list are counted until its JSON is written.
//! Clients that receive the same cached response share its bytes, which are counted once.

use std::{
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError, Weak},
    task::Poll,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
};
use http_body_util::BodyExt;

use super::{
    budget::{Budget, Full, Reservation},
    observed_body::observe,
};

/// The budget in bytes.
const LIMIT: usize = 96 * 1024 * 1024;

/// The share of a client is the budget divided by this.
const SHARES: usize = 4;

/// The largest response that is not counted, in bytes: it fits into a socket buffer.
const SMALL: usize = 8 * 1024;

/// The bytes that a pending request body counts in addition: the receive buffer of its connection.
const WAITING: usize = 64 * 1024;

/// The bytes that a streamed response counts.
const STREAM: usize = 256 * 1024;

/// The default budget.
pub(crate) fn budget() -> Budget {
    budget_of(LIMIT)
}

/// A budget of `bytes`.
pub(crate) fn budget_of(bytes: usize) -> Budget {
    Budget::new(bytes, bytes / SHARES)
}

/// The budget from the view of one client.
#[derive(Debug)]
pub struct InFlight {
    budget: Budget,
    client: Option<IpAddr>,
}

impl InFlight {
    /// The view of a client on `budget`.
    pub fn new(budget: &Budget, client: Option<IpAddr>) -> Self {
        let budget = budget.clone();
        Self { budget, client }
    }

    /// Reserves `bytes` until the reservation is dropped.
    ///
    /// # Errors
    ///
    /// [`Full`] if the budget has no room for them.
    pub fn reserve(&self, bytes: usize) -> Result<Reservation, Full> {
        let mut held = self.hold();
        held.grow(bytes)?;
        Ok(held)
    }

    fn hold(&self) -> Reservation {
        self.budget.client(self.client)
    }

    /// Counts the request body as it arrives. Its reads fail when the budget is exhausted. The caller
    /// drops the reservation when the response is made.
    pub(crate) fn count(&self, request: Request) -> (Request, Option<Arc<Mutex<Reservation>>>) {
        if request.body().is_end_stream() {
            return (request, None);
        }
        let held = Arc::new(Mutex::new(self.hold()));
        let counter = Arc::clone(&held);
        let mut has_waited = false;
        let request = observe(request, move |polled| {
            let bytes = match polled {
                Poll::Pending if !has_waited => {
                    has_waited = true;
                    WAITING
                }
                Poll::Ready(Some(Ok(frame))) => frame.data_ref().map_or(0, Bytes::len),
                Poll::Pending | Poll::Ready(_) => return Ok(()),
            };
            let mut held = counter.lock().unwrap_or_else(PoisonError::into_inner);
            held.grow(bytes).map_err(axum::Error::new)
        });
        (request, Some(held))
    }

    /// A response body that is read while it is sent. It counts a fixed number of bytes for its
    /// buffers.
    ///
    /// # Errors
    ///
    /// [`Full`] if the budget has no room for it.
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

/// Whether the error of a body is [`Full`].
pub fn is_full(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |error| error.source());
    causes.any(<dyn std::error::Error>::is::<Full>)
}

/// Bytes that many responses may share.
#[derive(Debug)]
pub(crate) struct SharedBytes {
    bytes: Bytes,
    /// The reservation that all responses with these bytes share.
    held: Mutex<Weak<Reservation>>,
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

    /// A response body of these bytes. With `must` it is made even beyond the budget.
    ///
    /// # Errors
    ///
    /// [`Full`] if the budget has no room for it.
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
        // The connection drops the bytes when they are sent.
        Ok(Body::from(Bytes::from_owner(CountedBytes {
            bytes,
            _held: held,
        })))
    }
}

/// Bytes with their reservation.
struct CountedBytes {
    bytes: Bytes,
    _held: Arc<Reservation>,
}

impl AsRef<[u8]> for CountedBytes {
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
        // The response to a write is sent beyond the budget.
        let forced = text(20_000).body(&reader, true).unwrap();
        assert_eq!(budget.used(), 40_000);
        let small = text(SMALL).body(&reader, false).unwrap();
        assert_eq!(budget.used(), 40_000);
        drop((first, small));
        // The bytes are counted until the last copy is dropped.
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
