//! Sends responses in the form that the client accepts, out of the response cache where possible.
//!
//! The only layer that reads the cache, computes validators, compresses, and counts bytes in
//! flight. It works on whole responses; inner layers have decided status, headers and bytes.

use std::{net::IpAddr, sync::Arc};

use axum::{
    body::HttpBody,
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode, Uri, header},
    middleware::Next,
    response::Response,
};
use futures_util::FutureExt;
use metrics::{Counter, counter};
use tokio::sync::oneshot;
use tracing::Instrument;

use super::{request_id, respond::respond};
use crate::{
    cache::{Lookup, Outcome, ResponseCache, Slot},
    endpoint::NotFoundPage,
    extract::{
        EVENT_STREAM, accepts_events, format::prefers_file, is_signed_in, preference::PREFER,
    },
    limits::{Full, InFlight, network},
    response::{BufferedResponse, Encoding, NotStored, Preferences, Validators, in_memory, refuse},
    site::HomeLanguage,
    state::AppState,
};

/// The state of the layer.
#[derive(Debug)]
pub(crate) struct Delivery {
    state: AppState,
    cache: ResponseCache,
    /// Where metrics are read.
    lookups: Option<LookupCounters>,
    not_found_page: Option<NotFoundPage>,
}

impl Delivery {
    /// The state with an empty cache: each service has its own, as configurations differ.
    pub(crate) fn new(state: &AppState, not_found_page: Option<NotFoundPage>) -> Self {
        Self {
            cache: ResponseCache::new(
                state.cache_bytes,
                state.calendar.clone(),
                state.concurrency.clone(),
                Arc::clone(&state.base_paths),
                state.site.face.clone(),
            ),
            lookups: state.is_measured.then(LookupCounters::new),
            state: state.clone(),
            not_found_page,
        }
    }
}

/// A response of the routes.
enum Made {
    /// A response in memory.
    Buffered {
        response: BufferedResponse,
        status: StatusCode,
        /// Whether all clients may receive it.
        is_shared: bool,
        /// Whether the cache may store it.
        is_stored: bool,
    },
    /// Any other response, such as a file.
    Stream {
        response: Response,
        /// Its head, if all clients that have the response may receive that.
        shared_head: Option<BufferedResponse>,
    },
}

impl Made {
    fn send(self, preferences: &Preferences, in_flight: &InFlight) -> Response {
        match self {
            Self::Buffered { response, .. } => response.send(preferences, in_flight),
            Self::Stream { response, .. } => stream(response, preferences, in_flight),
        }
    }
}

/// Sends the cached response, or the one that is in progress for equal requests, or makes one, which
/// is cached if it may be shared.
pub(crate) async fn deliver(
    State(delivery): State<Arc<Delivery>>,
    mut request: Request,
    next: Next,
) -> Response {
    let preferences = Preferences::of(&request);
    let Delivery {
        state,
        cache,
        lookups,
        ..
    } = &*delivery;
    let client = state
        .proxies
        .client_of(request.extensions(), request.headers());
    let in_flight = InFlight::new(&state.in_flight, client);
    let home = HomeLanguage::of(&request, &state.site);
    if let Some(home) = home {
        request.extensions_mut().insert(home);
    }
    let language = home.map(|HomeLanguage(language)| language);
    let lookup = match cacheable_address(&request) {
        Some(address) => cache.find(address, language, &preferences).await,
        None => Lookup::Bypass,
    };
    if let Some(lookups) = lookups {
        lookups.count(&lookup);
    }
    let slot = match lookup {
        Lookup::Hit(response) => return response.send(&preferences, &in_flight),
        Lookup::Bypass => {
            let made = make(&delivery, client, request, next).await;
            return made.send(&preferences, &in_flight);
        }
        Lookup::Miss(slot) => slot,
    };
    let network = client.map(network);
    let mut request = Some(request);
    // After a refusal of another client, work is shared within the own client alone.
    let mut alone = None;
    loop {
        let (unshared, mut own) = oneshot::channel();
        let work = cache.join(&slot, preferences.is_problem, alone, || {
            let (delivery, slot) = (Arc::clone(&delivery), slot.clone());
            share(
                delivery,
                slot,
                client,
                request.take(),
                next.clone(),
                unshared,
            )
            .boxed()
        });
        match work.await {
            Outcome::Shared(response) => return response.send(&preferences, &in_flight),
            Outcome::Refused(response, refused) if refused == network => {
                return response.send(&preferences, &in_flight);
            }
            Outcome::Refused(..) => alone = Some(network),
            Outcome::Unshared => {
                let made = match (request, own.try_recv()) {
                    (None, Ok(made)) => made,
                    // The response for another client may not be shared.
                    (Some(request), _) => make(&delivery, client, request, next).await,
                    (None, Err(_)) => return refuse(&HeaderMap::new(), &preferences),
                };
                return made.send(&preferences, &in_flight);
            }
        }
    }
}

/// The counters of lookups in the response cache.
#[derive(Debug)]
struct LookupCounters {
    hit: Counter,
    miss: Counter,
    bypass: Counter,
}

impl LookupCounters {
    fn new() -> Self {
        let of =
            |result| counter!("events_calendar_response_cache_lookups_total", "result" => result);
        Self {
            hit: of("hit"),
            miss: of("miss"),
            bypass: of("bypass"),
        }
    }

    fn count(&self, lookup: &Lookup) {
        let counter = match lookup {
            Lookup::Hit(_) => &self.hit,
            Lookup::Miss(_) => &self.miss,
            Lookup::Bypass => &self.bypass,
        };
        counter.increment(1);
    }
}

/// Makes the response for all equal requests. If they may not share it, it is sent to the request
/// that began the work.
async fn share(
    delivery: Arc<Delivery>,
    slot: Slot,
    client: Option<IpAddr>,
    request: Option<Request>,
    next: Next,
    unshared: oneshot::Sender<Made>,
) -> Outcome {
    let Some(request) = request else {
        return Outcome::Unshared;
    };
    match make(&delivery, client, request, next).await {
        Made::Buffered {
            response,
            is_shared: true,
            is_stored,
            ..
        } => Outcome::Shared(if is_stored {
            delivery.cache.insert(slot, response)
        } else {
            Arc::new(response)
        }),
        Made::Buffered {
            response,
            status: StatusCode::SERVICE_UNAVAILABLE,
            ..
        } => Outcome::Refused(Arc::new(response), client.map(network)),
        mut made => {
            if let Made::Stream { shared_head, .. } = &mut made
                && let Some(head) = shared_head.take()
            {
                delivery.cache.insert(slot, head);
            }
            drop(unshared.send(made));
            Outcome::Unshared
        }
    }
}

/// Makes the response of the routes. The request body is counted until it is made.
async fn make(delivery: &Delivery, client: Option<IpAddr>, request: Request, next: Next) -> Made {
    let Delivery {
        state,
        not_found_page,
        ..
    } = delivery;
    let is_read = request.method() == Method::GET;
    let in_flight = InFlight::new(&state.in_flight, client);
    let (request, _held) = in_flight.count(request);
    let span = request_id::span(&request, client);
    let responded = respond(state, *not_found_page, request, next)
        .instrument(span)
        .await;
    let status = responded.status;
    let (parts, bytes) = match in_memory(responded.response).await {
        Ok(buffered) => buffered,
        Err(response) => {
            let (parts, body) = response.into_parts();
            let is_found = matches!(status, StatusCode::OK | StatusCode::NOT_MODIFIED);
            let shared_head = (responded.is_shared && is_found)
                .then(|| BufferedResponse::head_of(&parts))
                .flatten();
            return Made::Stream {
                response: Response::from_parts(parts, body),
                shared_head,
            };
        }
    };
    let is_stored = parts.extensions.get::<NotStored>().is_none();
    let has_validators = is_read && status.is_success();
    let validators =
        has_validators.then(|| Validators::new(&parts.headers, responded.version, &bytes));
    Made::Buffered {
        response: BufferedResponse::new(parts, bytes, validators),
        status,
        is_shared: responded.is_shared && status == StatusCode::OK,
        is_stored,
    }
}

/// The address of a request whose response depends on nothing else: an anonymous read.
fn cacheable_address(request: &Request) -> Option<&Uri> {
    let is_plain = request.method() == Method::GET
        && !is_signed_in(request)
        && !request.headers().contains_key(PREFER)
        && !prefers_file(request.headers())
        && !accepts_events(request.headers())
        && request.body().is_end_stream();
    is_plain.then(|| request.uri())
}

/// A response that is not in memory, such as a file; refused if the budget of bytes is exhausted. Text
/// is compressed as it is sent.
fn stream(response: Response, preferences: &Preferences, in_flight: &InFlight) -> Response {
    let (mut parts, mut body) = response.into_parts();
    // It waits most of the time, and has a limit of its own.
    if parts.headers.get(header::CONTENT_TYPE) == Some(&EVENT_STREAM) {
        return Response::from_parts(parts, body);
    }
    let media_type = parts.headers.get(header::CONTENT_TYPE);
    let is_text = media_type.is_some_and(|name| name.as_bytes().starts_with(b"text/"));
    if is_text && preferences.encoding == Encoding::Gzip {
        body = Encoding::gzip_stream(body);
        let name = Encoding::Gzip.name();
        parts.headers.insert(header::CONTENT_ENCODING, name);
    }
    match in_flight.stream(body) {
        Ok(body) => Response::from_parts(parts, body),
        Err(Full) => refuse(&parts.headers, preferences),
    }
}
