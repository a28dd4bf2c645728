//! One connection.

use std::{
    convert::Infallible,
    net::SocketAddr,
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

use super::{body::Timely, patience::Patience};

/// What hyper keeps of a connection at the most, and so the longest head of a request, in bytes.
const MAX_BUFFER: usize = 64 * 1024;

/// Serves one connection, once it is polled. Handlers find the peer as [`ConnectInfo`].
pub(super) fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    patience: Patience,
    stopping: Arc<AtomicBool>,
) -> impl GracefulConnection<Error = hyper::Error> + Send + 'static {
    let (io, timer, lingering) = patience.with(stream);
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
        let (stopping, lingering) = (Arc::clone(&stopping), lingering.clone());
        async move {
            let mut answer: Response = answer.await?;
            let can_go_on = unread.is_none_or(|unread| unread.discard());
            if !can_go_on {
                lingering.start();
            }
            if !can_go_on || stopping.load(Ordering::Relaxed) {
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
