//! Serving one connection.

use std::{
    convert::Infallible,
    io::{Read, Write},
    net::{Shutdown, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, Request},
    http::{
        HeaderValue,
        header::{CONNECTION, EXPECT},
    },
    response::Response,
};
use hyper::{
    body::{Body as _, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::server::graceful::GracefulConnection;
use tokio::net::TcpStream;
use tower::Service;

use super::{ConnectionGuard, body::DeadlineBody, stream::Stream, timeouts::ConnectionTimeouts};

/// Buffer of a connection, in bytes, and so the longest head of a request.
const MAX_BUFFER: usize = 32 * 1024;

/// Answers 503 to a connection without a permit, as far as that is possible without waiting, and
/// closes it.
pub(super) fn refuse(stream: TcpStream) {
    const RESPONSE: &[u8] =
        b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\ncontent-length: 0\r\n\
        connection: close\r\n\r\n";
    let Ok(mut stream) = stream.into_std() else {
        return;
    };
    // The socket does not block. Unread input would reset the connection and discard the response.
    let _ = stream.write(RESPONSE);
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.read(&mut [0; 16 * 1024]);
}

/// A connection that was accepted, with all but its stream.
pub(super) struct Accepted {
    pub(super) guard: ConnectionGuard,
    pub(super) peer: SocketAddr,
    /// The time of the accept.
    pub(super) at: Instant,
    pub(super) router: Router,
    pub(super) timeouts: ConnectionTimeouts,
    /// Whether the connection is closed after the next response.
    pub(super) closing: Arc<AtomicBool>,
}

/// Serves one connection, once it is polled. Handlers find the peer as [`ConnectInfo`].
pub(super) fn serve(
    stream: Stream,
    accepted: Accepted,
) -> impl GracefulConnection<Error = hyper::Error> + Send + 'static {
    let Accepted {
        guard,
        peer,
        at,
        router,
        timeouts,
        closing,
    } = accepted;
    let (io, timer, lingers) = timeouts.guard(stream, guard, at);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let is_awaited = request.headers().contains_key(EXPECT);
        let (head, body) = request.into_parts();
        let (body, state) = if body.is_end_stream() {
            (Body::empty(), None)
        } else {
            let (body, state) = DeadlineBody::new(body, timeouts.body, is_awaited);
            (Body::new(body), Some(state))
        };
        let mut request = Request::from_parts(head, body);
        request.extensions_mut().insert(ConnectInfo(peer));
        let response = router.clone().call(request);
        let (closing, lingers) = (Arc::clone(&closing), Arc::clone(&lingers));
        async move {
            let mut response: Response = response.await?;
            let is_reusable = state.is_none_or(|state| state.discard());
            if !is_reusable {
                lingers.store(true, Ordering::Relaxed);
            }
            if !is_reusable || closing.load(Ordering::Relaxed) {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(CONNECTION, close);
            }
            Ok::<_, Infallible>(response)
        }
    });
    http1::Builder::new()
        .timer(timer)
        .header_read_timeout(timeouts.head)
        .max_buf_size(MAX_BUFFER)
        .serve_connection(io, service)
}
