//! The HTTP/1.1 server: the accept loop and graceful shutdown.

mod body;
mod connection;
mod connection_limit;
mod linger;
mod listener;
mod target;
mod timeouts;

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

use axum::Router;
use http_service::ThrottledLog;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::{
    net::TcpStream,
    sync::mpsc::{self, UnboundedReceiver},
    time::{Instant, sleep, timeout, timeout_at},
};

use self::connection_limit::ConnectionPermit;
pub(crate) use self::{
    connection_limit::{ConnectionLimit, raise_open_file_limit},
    listener::{Listener, listen},
    timeouts::ConnectionTimeouts,
};

/// Delay of the next accept after the system ran out of descriptors or memory.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// Time without a new connection after which the accept queue counts as empty.
const ACCEPT_IDLE: Duration = Duration::from_millis(10);

/// Counts refused connections for the log.
static REFUSED: ThrottledLog = ThrottledLog::new();

/// The way in which a server shut down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Termination {
    /// Every request was answered.
    Graceful,
    /// The timeout passed before every request was answered.
    TimedOut {
        /// The number of connections that were still open.
        open: usize,
    },
    /// A second signal ended the server at once.
    Forced,
}

/// Serves until the first signal. Then the server accepts no new connection and answers the pending
/// requests; `on_stop` ends those that wait. A second signal ends it at once.
pub(crate) async fn serve(
    listener: Listener,
    router: Router,
    limit: ConnectionLimit,
    timeouts: ConnectionTimeouts,
    signals: &mut UnboundedReceiver<()>,
    on_stop: impl FnOnce(),
) -> Termination {
    let limit = Arc::new(limit);
    let (open, closed) = mpsc::channel(1);
    let server = Server {
        router,
        timeouts,
        stopping: Arc::default(),
        graceful: GracefulShutdown::new(),
        limit: Arc::clone(&limit),
        open,
    };
    tokio::select! {
        biased;
        () = next(signals) => {}
        () = server.accept_all(&listener) => {}
    }
    tracing::info!(connections = limit.open(), "stopping");
    on_stop();
    tokio::select! {
        biased;
        () = next(signals) => Termination::Forced,
        in_time = server.shut_down(listener, closed) => if in_time {
            Termination::Graceful
        } else {
            Termination::TimedOut { open: limit.open() }
        },
    }
}

/// Waits for a signal; forever if the sender is gone.
async fn next(signals: &mut UnboundedReceiver<()>) {
    if signals.recv().await.is_none() {
        std::future::pending::<()>().await;
    }
}

/// Resources of a connection, released when it is closed.
#[derive(Debug)]
struct ConnectionGuard {
    _permit: ConnectionPermit,
    _open: mpsc::Sender<Infallible>,
}

struct Server {
    router: Router,
    timeouts: ConnectionTimeouts,
    /// Whether responses carry `Connection: close`.
    stopping: Arc<AtomicBool>,
    graceful: GracefulShutdown,
    limit: Arc<ConnectionLimit>,
    /// Every connection holds a clone: the channel closes with the last one.
    open: mpsc::Sender<Infallible>,
}

impl Server {
    async fn accept_all(&self, listener: &Listener) {
        loop {
            self.accept(listener.accept().await).await;
        }
    }

    /// Serves an accepted connection, or logs why there is none.
    async fn accept(&self, accepted: io::Result<(TcpStream, SocketAddr)>) {
        match accepted {
            Ok((stream, peer)) => self.spawn(stream, peer),
            Err(error) if is_client_error(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(ACCEPT_RETRY).await;
            }
        }
    }

    fn spawn(&self, stream: TcpStream, peer: SocketAddr) {
        let Some(permit) = self.limit.acquire(peer.ip()) else {
            if let Some(times) = REFUSED.count() {
                tracing::warn!(times, address = %peer.ip(), "connection limit reached");
            }
            connection::refuse(stream);
            return;
        };
        // Responses are written whole: Nagle's algorithm would only delay them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "cannot set TCP_NODELAY");
        }
        let (timeouts, closing) = if permit.is_overflow {
            (
                self.timeouts.for_overflow(),
                Arc::new(AtomicBool::new(true)),
            )
        } else {
            (self.timeouts, Arc::clone(&self.stopping))
        };
        let guard = ConnectionGuard {
            _permit: permit,
            _open: self.open.clone(),
        };
        let router = self.router.clone();
        let connection = connection::serve(stream, guard, peer, router, timeouts, closing);
        let connection = self.graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "connection failed");
            }
        });
    }

    /// Shuts down gracefully. Returns whether that took no longer than the timeout.
    async fn shut_down(self, listener: Listener, mut closed: mpsc::Receiver<Infallible>) -> bool {
        let deadline = Instant::now() + self.timeouts.shutdown;
        // Clients learn from `Connection: close` not to reuse their connection. A close without
        // notice could cross a request, and the client would not know whether that was processed.
        self.stopping.store(true, Ordering::Relaxed);
        if !listener.is_shared() {
            self.drain_accept_queue(&listener).await;
        }
        drop(listener);
        drop(self.open);
        if timeout(self.timeouts.drain_grace, closed.recv())
            .await
            .is_ok()
        {
            return true;
        }
        let all = async {
            self.graceful.shutdown().await;
            closed.recv().await;
        };
        timeout_at(deadline, all).await.is_ok()
    }

    /// Accepts the connections that are in the queue of the system: their requests are on the way.
    async fn drain_accept_queue(&self, listener: &Listener) {
        let is_closed_to_new = listener.refuse_new();
        let waiting = async {
            while let Ok(accepted) = timeout(ACCEPT_IDLE, listener.accept()).await {
                self.accept(accepted).await;
            }
        };
        // New connections may arrive faster than they are accepted.
        let longest = if is_closed_to_new { 200 } else { 20 } * ACCEPT_IDLE;
        let _ = timeout(longest, waiting).await;
    }
}

/// Whether the client broke the connection before it was accepted.
fn is_client_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
    )
}

#[cfg(test)]
mod tests;
