//! Serving HTTP/1.1: the accept loop and the orderly stop.

mod body;
mod connection;
mod linger;
mod listener;
mod patience;
mod room;

use std::{
    convert::Infallible,
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use api_http::ThrottledLog;
use axum::Router;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::mpsc::{self, UnboundedReceiver},
    time::{Instant, sleep, timeout, timeout_at},
};

use self::room::Place;
pub(crate) use self::{
    listener::listen,
    patience::Patience,
    room::{Room, raise_limit},
};

/// How long to wait when the system has no more descriptors or memory for a connection.
const EXHAUSTED: Duration = Duration::from_millis(100);

/// After so long without a new connection none is waiting to be accepted.
const LULL: Duration = Duration::from_millis(10);

/// How often there was no room for a connection.
static FULL: ThrottledLog = ThrottledLog::new();

/// How a server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Every request was answered.
    Orderly,
    /// The time was over before every request was answered.
    TimeOver {
        /// Connections that were cut off.
        open: usize,
    },
    /// It was told twice.
    AtOnce,
}

/// Serves until `stop` has a message: then no new connection is accepted, and what was asked is
/// answered. A second message ends that at once.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    room: Room,
    patience: Patience,
    stop: &mut UnboundedReceiver<()>,
) -> Ending {
    let room = Arc::new(room);
    let (open, closed) = mpsc::channel(1);
    let server = Server {
        router,
        patience,
        stopping: Arc::default(),
        graceful: GracefulShutdown::new(),
        room: Arc::clone(&room),
        open,
    };
    tokio::select! {
        biased;
        () = told(stop) => {}
        () = server.accept_all(&listener) => {}
    }
    tracing::info!(connections = room.open(), "stopping");
    tokio::select! {
        biased;
        () = told(stop) => Ending::AtOnce,
        in_time = server.stop(listener, closed) => if in_time {
            Ending::Orderly
        } else {
            Ending::TimeOver { open: room.open() }
        },
    }
}

/// Waits for a message; for ever if none can come.
async fn told(stop: &mut UnboundedReceiver<()>) {
    if stop.recv().await.is_none() {
        std::future::pending::<()>().await;
    }
}

/// The resources that a connection holds until it is closed.
#[derive(Debug)]
struct Open {
    _place: Place,
    _server: mpsc::Sender<Infallible>,
}

struct Server {
    router: Router,
    patience: Patience,
    /// Whether answers ask to close the connection.
    stopping: Arc<AtomicBool>,
    graceful: GracefulShutdown,
    room: Arc<Room>,
    /// Each connection has a clone: when there is none left, all are closed.
    open: mpsc::Sender<Infallible>,
}

impl Server {
    async fn accept_all(&self, listener: &TcpListener) {
        loop {
            self.take(listener.accept().await).await;
        }
    }

    /// Serves a connection that was accepted.
    async fn take(&self, accepted: io::Result<(TcpStream, SocketAddr)>) {
        match accepted {
            Ok((stream, peer)) => self.attend(stream, peer),
            Err(error) if is_of_the_client(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(EXHAUSTED).await;
            }
        }
    }

    fn attend(&self, stream: TcpStream, peer: SocketAddr) {
        let Some(place) = self.room.place(peer.ip()) else {
            if let Some(times) = FULL.count() {
                tracing::warn!(times, address = %peer.ip(), "no room for more connections");
            }
            connection::refuse(stream);
            return;
        };
        // Answers are written whole: nothing is won by waiting for more.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "cannot set TCP_NODELAY");
        }
        let (patience, closing) = if place.is_brief {
            (self.patience.brief(), Arc::new(AtomicBool::new(true)))
        } else {
            (self.patience, Arc::clone(&self.stopping))
        };
        let open = Open {
            _place: place,
            _server: self.open.clone(),
        };
        let router = self.router.clone();
        let connection = connection::serve(stream, open, peer, router, patience, closing);
        let connection = self.graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }

    /// Stops in order; tells whether that was done in time.
    async fn stop(self, listener: TcpListener, mut closed: mpsc::Receiver<Infallible>) -> bool {
        let deadline = Instant::now() + self.patience.stop;
        // Who uses a connection is told in the next answer not to use it again. Closed at once, it
        // could cross the next request, and nobody would know whether that was carried out.
        self.stopping.store(true, Ordering::Relaxed);
        self.accept_waiting(&listener).await;
        drop(listener);
        drop(self.open);
        if timeout(self.patience.farewell, closed.recv()).await.is_ok() {
            return true;
        }
        let all = async {
            self.graceful.shutdown().await;
            closed.recv().await;
        };
        timeout_at(deadline, all).await.is_ok()
    }

    /// Accepts the connections that the system took in before the stop: their requests are under way.
    async fn accept_waiting(&self, listener: &TcpListener) {
        let is_closed_to_new = listener::refuse_new(listener);
        let waiting = async {
            // Connections that wait are accepted without delay.
            while let Ok(accepted) = timeout(LULL, listener.accept()).await {
                self.take(accepted).await;
            }
        };
        // Where new ones come as fast as they are accepted, that ends sometime.
        let longest = if is_closed_to_new { 200 } else { 20 } * LULL;
        let _ = timeout(longest, waiting).await;
    }
}

/// Whether a connection failed before it was accepted: the next may be well.
fn is_of_the_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
    )
}

#[cfg(test)]
mod tests;
