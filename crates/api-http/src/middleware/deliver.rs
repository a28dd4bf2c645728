//! Sends responses in the form that the client accepts, out of the response cache where possible.
//!
//! The only layer that reads the cache, computes validators, compresses, and counts bytes in
//! flight. It works on whole responses; inner layers have decided status, headers and bytes.

use std::sync::Arc;

use axum::{
    body::HttpBody,
    extract::{Request, State},
    http::{Method, StatusCode, Uri, header},
    middleware::Next,
    response::Response,
};
use tracing::Instrument;

use super::{request_id, respond::respond};
use crate::{
    cache::{Lookup, ResponseCache},
    extract::preference::PREFER,
    limits::{Full, InFlight},
    response::{BufferedResponse, Preferences, Validators, in_memory, refuse},
    state::AppState,
};

/// The state of the layer.
#[derive(Debug)]
pub(crate) struct Delivery {
    state: AppState,
    cache: ResponseCache,
}

impl Delivery {
    /// The state with an empty cache: each service has its own, as configurations differ.
    pub(crate) fn new(state: &AppState) -> Self {
        Self {
            cache: ResponseCache::new(
                state.cache_bytes,
                state.calendar.clone(),
                state.concurrency.clone(),
                Arc::clone(&state.base_paths),
            ),
            state: state.clone(),
        }
    }
}

/// Sends the cached response, or makes one, which is cached if it may be shared.
pub(crate) async fn deliver(
    State(delivery): State<Arc<Delivery>>,
    request: Request,
    next: Next,
) -> Response {
    let preferences = Preferences::of(&request);
    let Delivery { state, cache } = &*delivery;
    let client = state
        .proxies
        .client_of(request.extensions(), request.headers());
    let in_flight = InFlight::new(&state.in_flight, client);
    let lookup = match cacheable_address(&request) {
        Some(address) => cache.find(address).await,
        None => Lookup::Bypass,
    };
    if let Lookup::Hit(response) = lookup {
        return response.send(&preferences, &in_flight);
    }
    // The request body is counted until its response is made.
    let (request, _held) = in_flight.count(request);
    let span = request_id::span(&request, client);
    let responded = respond(state, request, next).instrument(span).await;
    let status = responded.status;
    let (parts, bytes) = match in_memory(responded.response).await {
        Ok(buffered) => buffered,
        Err(response) => return stream(*response, &preferences, &in_flight),
    };
    let has_validators = preferences.is_read && status.is_success();
    let validators = has_validators.then(|| Validators::new(responded.version, &bytes));
    let response = BufferedResponse::new(parts, bytes, validators);
    let cached = match lookup {
        Lookup::Miss(slot) if responded.is_shared && status == StatusCode::OK => {
            cache.insert(slot, &response)
        }
        _ => None,
    };
    let response = cached.as_deref().unwrap_or(&response);
    response.send(&preferences, &in_flight)
}

/// The address of a request whose response depends on nothing else: an anonymous read.
fn cacheable_address(request: &Request) -> Option<&Uri> {
    let is_plain = request.method() == Method::GET
        && !request.headers().contains_key(header::AUTHORIZATION)
        && !request.headers().contains_key(PREFER)
        && request.body().is_end_stream();
    is_plain.then(|| request.uri())
}

/// A response that is not in memory, such as a file; refused if the budget of bytes is exhausted.
fn stream(response: Response, preferences: &Preferences, in_flight: &InFlight) -> Response {
    let (parts, body) = response.into_parts();
    match in_flight.stream(body) {
        Ok(body) => Response::from_parts(parts, body),
        Err(Full) => refuse(&parts.headers, preferences),
    }
}
