//! Sends responses in the form that the client accepts, out of the response cache where possible.
//!
//! The only layer that reads the cache, computes validators, compresses, and counts bytes in flight.
//! It works on whole responses; inner layers have decided status, headers and bytes.

use std::sync::Arc;

use axum::{
    body::HttpBody,
    extract::{Request, State},
    http::{Method, StatusCode, Uri, header},
    middleware::Next,
    response::Response,
};

use crate::{
    cache::response_cache::{Lookup, ResponseCache},
    extract::preference::PREFER,
    limits::{
        budget::{Budget, Full},
        client_address::Proxies,
        in_flight::InFlight,
    },
    response::{
        Preferences, Shared, buffered::BufferedResponse, envelope::Enveloped, in_memory, refuse,
    },
    state::AppState,
};

/// The state of the layer.
#[derive(Debug)]
pub(crate) struct Delivery {
    cache: ResponseCache,
    proxies: Proxies,
    in_flight: Budget,
}

impl Delivery {
    /// With an empty cache: each service has its own, as configurations differ.
    pub(crate) fn new(state: &AppState) -> Self {
        Self {
            cache: ResponseCache::new(
                state.response_bytes(),
                state.calendar.clone(),
                state.concurrency.clone(),
                Arc::clone(&state.base_paths),
            ),
            proxies: state.proxies.clone(),
            in_flight: state.in_flight.clone(),
        }
    }
}

/// Sends the response that is cached, or the one of the inner layers, which is cached if it may be.
pub(crate) async fn deliver(
    State(delivery): State<Arc<Delivery>>,
    request: Request,
    next: Next,
) -> Response {
    let preferences = Preferences::of(&request);
    let Delivery {
        cache,
        proxies,
        in_flight,
    } = &*delivery;
    let client = proxies.client_of(request.extensions(), request.headers());
    let in_flight = InFlight::new(in_flight, client);
    let lookup = match cacheable_address(&request) {
        Some(address) => cache.find(address).await,
        None => Lookup::Bypass,
    };
    if let Lookup::Hit(response) = lookup {
        return response.send(&preferences, &in_flight);
    }
    // The request body is counted until its response is made.
    let (request, _held) = in_flight.count(request);
    let (mut parts, bytes) = match in_memory(next.run(request).await).await {
        Ok(buffered) => buffered,
        Err(response) => return stream(*response, &preferences, &in_flight),
    };
    // An envelope hides whether it is a success.
    let within = parts.extensions.remove::<Enveloped>();
    let status = within.map_or(parts.status, |within| within.0);
    let is_shared = parts.extensions.remove::<Shared>().is_some() && status == StatusCode::OK;
    let has_validators = preferences.is_read && status.is_success();
    let response = BufferedResponse::new(parts, bytes, has_validators);
    let cached = match lookup {
        Lookup::Miss(slot) if is_shared => cache.insert(slot, &response),
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
