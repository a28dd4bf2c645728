//! The time limit of requests, around the routes.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{Request, State},
    http::{HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http_body::{Frame, SizeHint};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

use crate::{error::ApiError, limits::Limits};

/// Answers 503 when a request takes longer than the limit. The time in which the client sends the
/// body does not count: the server limits that.
pub(crate) async fn bound(State(limits): State<Limits>, request: Request, next: Next) -> Response {
    let (waits, waiting) = watch::channel(false);
    let request = request.map(|inner| Body::new(Awaited { inner, waits }));
    tokio::select! {
        response = next.run(request) => response,
        () = run_out(limits.duration, waiting) => {
            let mut response = ApiError::TooSlow.into_response();
            // The rest of the body would be parsed as the next request.
            response
                .headers_mut()
                .insert(header::CONNECTION, HeaderValue::from_static("close"));
            response
        }
    }
}

/// Returns once `duration` has passed without a wait for the client.
async fn run_out(duration: Duration, mut waiting: watch::Receiver<bool>) {
    loop {
        let changed = if *waiting.borrow_and_update() {
            waiting.changed().await
        } else {
            match timeout(duration, waiting.changed()).await {
                Ok(changed) => changed,
                Err(_) => return,
            }
        };
        if changed.is_err() {
            // The body was read to its end or dropped.
            return sleep(duration).await;
        }
    }
}

/// A body that reports whether the reader waits for the client.
struct Awaited {
    inner: Body,
    waits: watch::Sender<bool>,
}

impl HttpBody for Awaited {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.inner).poll_frame(cx);
        let waits = frame.is_pending();
        self.waits.send_if_modified(|before| {
            let changed = *before != waits;
            *before = waits;
            changed
        });
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
