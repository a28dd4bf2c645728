//! One connection.

use std::{
    convert::Infallible,
    io::{Read, Write},
    net::{Shutdown, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
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

use super::{Open, body::Timely, patience::Patience};

/// What hyper keeps of a connection at the most, and so the longest head of a request, in bytes.
const MAX_BUFFER: usize = 32 * 1024;

/// Answers a connection for which there is no room, as far as that can be done at once, and closes it.
pub(super) fn refuse(stream: TcpStream) {
    const ANSWER: &[u8] =
        b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\ncontent-length: 0\r\n\
        connection: close\r\n\r\n";
    let Ok(mut stream) = stream.into_std() else {
        return;
    };
    // Neither waits. Bytes that arrived are read: unread bytes would reset the connection and discard the answer.
    let _ = stream.write(ANSWER);
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.read(&mut [0; 16 * 1024]);
}

/// Serves one connection, once it is polled. Handlers find the peer as [`ConnectInfo`]. `closing`:
/// whether it is closed after the next answer.
pub(super) fn serve(
    stream: TcpStream,
    open: Open,
    peer: SocketAddr,
    router: Router,
    patience: Patience,
    closing: Arc<AtomicBool>,
) -> impl GracefulConnection<Error = hyper::Error> + Send + 'static {
    let (io, timer, lingering) = patience.with(stream, open);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let is_awaited = request.headers().contains_key(EXPECT);
        let (head, body) = request.into_parts();
        let (body, unread) = if body.is_end_stream() {
            (Body::empty(), None)
        } else {
            let (body, unread) = Timely::new(body, patience.body, is_awaited);
            (Body::new(body), Some(unread))
        };
        let mut request = Request::from_parts(head, body);
        request.extensions_mut().insert(ConnectInfo(peer));
        let answer = router.clone().call(request);
        let (closing, lingering) = (Arc::clone(&closing), lingering.clone());
        async move {
            let mut answer: Response = answer.await?;
            let can_go_on = unread.is_none_or(|unread| unread.discard());
            if !can_go_on {
                lingering.start();
            }
            if !can_go_on || closing.load(Ordering::Relaxed) {
                let close = HeaderValue::from_static("close");
                answer.headers_mut().insert(CONNECTION, close);
            }
            Ok::<_, Infallible>(answer)
        }
    });
    http1::Builder::new()
        .timer(timer)
        .header_read_timeout(patience.head)
        .max_buf_size(MAX_BUFFER)
        .serve_connection(io, service)
}
