//! The time limit of requests, around the routes.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    http::{HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

use crate::{
    error::ApiError,
    limits::{Limits, Patience, observe},
};

/// Answers 503 when a request takes longer than the limit. The time in which the client sends the
/// body does not count: the server limits that.
pub(crate) async fn bound(State(limits): State<Limits>, request: Request, next: Next) -> Response {
    let (waits, waiting) = watch::channel(false);
    let waits = Arc::new(waits);
    let patience = Patience(Arc::clone(&waits));
    let mut request = observe(request, move |polled| {
        // Whether the reader waits for the client.
        let now = polled.is_pending();
        waits.send_if_modified(|before| std::mem::replace(before, now) != now);
        Ok(())
    });
    request.extensions_mut().insert(patience);
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
