//! Bounds on work: how much at once, and how long a request may take.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::Request,
    http::{HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::error::ApiError;

/// Requests that are worked on at once. A queue of more would only make all of them late.
const MAX_REQUESTS: usize = 512;

/// How long a request may take.
const MAX_DURATION: Duration = Duration::from_secs(15);

/// Room for requests.
#[derive(Clone, Debug)]
pub(crate) struct Room(Arc<Semaphore>);

impl Default for Room {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MAX_REQUESTS)))
    }
}

impl Room {
    /// A place for a request whose body is there: slow bodies take none.
    pub(crate) fn enter(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let place = Arc::clone(&self.0).try_acquire_owned();
        place.map_err(|_| ApiError::Overloaded)
    }
}

/// Gives a request up when it takes too long.
pub(crate) async fn bound(request: Request, next: Next) -> Response {
    timeout(MAX_DURATION, next.run(request))
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
