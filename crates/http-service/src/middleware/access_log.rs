//! The access log: one line for each request. It changes neither request nor response.

use std::{net::IpAddr, time::Instant};

use axum::{
    body::HttpBody,
    extract::{Request, State},
    http::{HeaderValue, Method, Uri},
    middleware::Next,
    response::Response,
};

use super::request_id::{self, log_path};
use crate::{extract::SharedContext, limits::Proxies, response::RouteTemplate};

/// The target of access log events, for log filters.
pub const TARGET: &str = "access";

/// The status of a request whose client closed the connection before the response, as nginx logs
/// it.
const CLIENT_CLOSED: u16 = 499;

/// Logs a request when its response begins: method, path, the template of the route, status, duration, length, request ID,
/// client, and the name of the user if it had valid credentials.
pub(crate) async fn log(
    State(proxies): State<Proxies>,
    mut request: Request,
    next: Next,
) -> Response {
    let context = SharedContext::default();
    request.extensions_mut().insert(context.clone());
    let mut line = Line {
        started: Instant::now(),
        method: request.method().clone(),
        uri: request.uri().clone(),
        id: request.headers().get(request_id::NAME).cloned(),
        client: proxies.client_of(request.extensions(), request.headers()),
        context,
        status: CLIENT_CLOSED,
        route: None,
        bytes: None,
    };
    let response = next.run(request).await;
    line.status = response.status().as_u16();
    line.route = RouteTemplate::of(&response).cloned();
    let body = response.body();
    line.bytes = body
        .size_hint()
        .exact()
        .or(body.is_end_stream().then_some(0));
    response
}

/// The log line of a request, written on drop: a cancelled request has one, too.
struct Line {
    started: Instant,
    method: Method,
    uri: Uri,
    id: Option<HeaderValue>,
    client: Option<IpAddr>,
    context: SharedContext,
    status: u16,
    route: Option<RouteTemplate>,
    bytes: Option<u64>,
}

impl Drop for Line {
    fn drop(&mut self) {
        let micros = u32::try_from(self.started.elapsed().as_micros()).unwrap_or(u32::MAX);
        let id = self.id.as_ref().and_then(|id| id.to_str().ok());
        tracing::info!(
            target: TARGET,
            method = self.method.as_str(),
            path = &*log_path::of(&self.uri),
            route = self.route.as_ref().map(RouteTemplate::as_str),
            status = self.status,
            duration_ms = f64::from(micros) / 1000.0,
            bytes = self.bytes,
            request.id = id,
            client = self.client.map(tracing::field::display),
            user = self.context.identity().name.map(tracing::field::display),
        );
    }
}
