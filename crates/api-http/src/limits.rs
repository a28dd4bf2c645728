//! Bounds on work: how much at once, and how long a request may take.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    http::{HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::error::ApiError;

/// Bounds on work.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Requests that are worked on at once. A queue of more would only make all of them late.
    pub requests: usize,
    /// How long a request may take.
    pub duration: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests: 512,
            duration: Duration::from_secs(15),
        }
    }
}

/// Room for requests.
#[derive(Clone, Debug)]
pub(crate) struct Room(Arc<Semaphore>);

impl Room {
    pub(crate) fn new(limits: Limits) -> Self {
        Self(Arc::new(Semaphore::new(limits.requests)))
    }

    /// A place for a request whose body is there: slow bodies take none.
    pub(crate) fn enter(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let place = Arc::clone(&self.0).try_acquire_owned();
        place.map_err(|_| ApiError::Overloaded)
    }
}

/// Gives a request up when it takes too long.
pub(crate) async fn bound(State(limits): State<Limits>, request: Request, next: Next) -> Response {
    timeout(limits.duration, next.run(request))
        .await
        .unwrap_or_else(|_| {
            let mut response = ApiError::TooSlow.into_response();
            // What is left of its body would be taken for the next request.
            response
                .headers_mut()
                .insert(header::CONNECTION, HeaderValue::from_static("close"));
            response
        })
}
