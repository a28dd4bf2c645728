//! A response of text in memory, and its encodings.

use std::{convert::Infallible, sync::OnceLock};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, StatusCode, header, response::Parts},
    response::Response,
};
use futures_util::stream;

use super::{Preferences, RouteTemplate, conditional::Validators, encoding::Encoding};
use crate::limits::{Full, InFlight, in_flight::SharedBytes};

/// A response of text in memory.
#[derive(Debug)]
pub(crate) struct BufferedResponse {
    status: StatusCode,
    headers: HeaderMap,
    bytes: SharedBytes,
    /// Present in a successful response to a read.
    validators: Option<Validators>,
    /// The compressed bytes, made for the first client that accepts them.
    gzip: OnceLock<SharedBytes>,
    /// Whether the bytes are those of the response. Otherwise they are not in memory.
    has_bytes: bool,
    /// The route that answered, if somebody wants to know it.
    route: Option<RouteTemplate>,
}

impl BufferedResponse {
    pub(crate) fn new(mut parts: Parts, bytes: Bytes, validators: Option<Validators>) -> Self {
        parts.headers.remove(header::CONTENT_LENGTH);
        if let Some(validators) = &validators {
            validators.add_to(&mut parts.headers);
        }
        Self {
            status: parts.status,
            headers: parts.headers,
            bytes: SharedBytes::new(bytes),
            validators,
            gzip: OnceLock::new(),
            has_bytes: true,
            route: parts.extensions.remove(),
        }
    }

    /// The head of a response whose bytes are not in memory, if the handler made its entity tag. It
    /// answers the clients that have the response.
    pub(crate) fn head_of(parts: &Parts) -> Option<Self> {
        parts.headers.get(header::ETAG)?;
        let validators = Validators::new(&parts.headers, None, &[]);
        let parts = parts.clone();
        Some(Self {
            has_bytes: false,
            ..Self::new(parts, Bytes::new(), Some(validators))
        })
    }

    /// Whether the response can be sent to a client: its bytes are in memory, or the client has them.
    pub(crate) fn answers(&self, preferences: &Preferences) -> bool {
        self.has_bytes
            || self.validators.as_ref().is_some_and(|validators| {
                let tag = validators.tag(preferences.encoding);
                preferences.conditions.hold_for(validators, tag)
            })
    }

    /// A copy without spare capacity, for the cache.
    pub(crate) fn compact(&self) -> Self {
        Self {
            status: self.status,
            headers: self.headers.clone(),
            bytes: SharedBytes::new(Bytes::copy_from_slice(self.bytes.bytes())),
            validators: self.validators.clone(),
            gzip: OnceLock::new(),
            has_bytes: self.has_bytes,
            route: self.route.clone(),
        }
    }

    /// The largest size in memory, in bytes.
    pub(crate) fn size(&self) -> usize {
        // A header map reserves capacity for about as many again.
        const HEADER_BYTES: usize = 192;
        let headers = self.headers.iter();
        let headers = headers.map(|(_, value)| HEADER_BYTES + value.len());
        headers.sum::<usize>() + self.length() + self.room_for_gzip()
    }

    fn length(&self) -> usize {
        self.bytes.bytes().len()
    }

    /// The largest size of cached compressed bytes; text compresses better.
    fn room_for_gzip(&self) -> usize {
        self.length() / 2
    }

    /// Sends the response in the form that the client accepts: 304 if the client has it, 503 if the
    /// budget of bytes is exhausted.
    pub(crate) fn send(&self, preferences: &Preferences, in_flight: &InFlight) -> Response {
        let response = self.in_form(preferences, in_flight);
        match &self.route {
            Some(route) => route.mark(response),
            None => response,
        }
    }

    fn in_form(&self, preferences: &Preferences, in_flight: &InFlight) -> Response {
        let mut headers = self.headers.clone();
        let encoding = preferences.encoding.for_size(self.length());
        if let Some(validators) = &self.validators {
            let tag = validators.tag(encoding);
            let has_it = preferences.conditions.hold_for(validators, tag);
            if encoding != Encoding::Identity {
                headers.insert(header::ETAG, tag.clone());
            }
            if has_it {
                headers.remove(header::CONTENT_TYPE);
                headers.remove(header::CONTENT_DISPOSITION);
                return response(StatusCode::NOT_MODIFIED, headers, no_body());
            }
        }
        // The response to a write is never refused, as the write is done.
        let must = !preferences.is_read;
        let body = match encoding {
            Encoding::Identity => self.bytes.body(in_flight, must),
            Encoding::Gzip => {
                headers.insert(header::CONTENT_ENCODING, encoding.name());
                self.gzip(in_flight, must)
            }
        };
        match body {
            Ok(body) => response(self.status, headers, body),
            Err(Full) => super::refuse(&self.headers, preferences),
        }
    }

    fn gzip(&self, in_flight: &InFlight, must: bool) -> Result<Body, Full> {
        if let Some(compressed) = self.gzip.get() {
            return compressed.body(in_flight, must);
        }
        let bytes = SharedBytes::new(Encoding::gzip(self.bytes.bytes()));
        if bytes.bytes().len() <= self.room_for_gzip() {
            return self.gzip.get_or_init(|| bytes).body(in_flight, must);
        }
        bytes.body(in_flight, must)
    }
}

/// The body of a response 304: empty, but of unknown length, as such a response has no
/// `Content-Length`.
pub fn no_body() -> Body {
    Body::from_stream(stream::empty::<Result<Bytes, Infallible>>())
}

fn response(status: StatusCode, headers: HeaderMap, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
