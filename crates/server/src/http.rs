//! The HTTP/1.1 server: the accept loop, with TLS or without, and graceful shutdown.

mod body;
mod connection;
mod connection_limit;
mod encryption;
mod linger;
mod listener;
#[cfg(any(feature = "tls", test))]
mod redirect;
mod stream;
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
    sync::{
        mpsc::{self, UnboundedReceiver},
        watch,
    },
    time::{Instant, sleep, timeout, timeout_at},
};

use self::{connection::Accepted, connection_limit::ConnectionPermit, stream::Stream};
pub(crate) use self::{
    connection_limit::{ConnectionLimit, raise_open_file_limit},
    encryption::Encryption,
    listener::{Listener, listen},
    timeouts::ConnectionTimeouts,
};
#[cfg(feature = "tls")]
pub(crate) use self::{listener::listen_everywhere, redirect::to_https};

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

/// A listener, with the service behind it.
pub(crate) struct Entrance {
    /// The socket.
    pub(crate) listener: Listener,
    /// The service.
    pub(crate) router: Router,
    /// TLS, if connections are encrypted.
    pub(crate) encryption: Option<Encryption>,
}

/// The listeners of a server. They share the limit of connections.
pub(crate) struct Entrances {
    /// The one for requests.
    pub(crate) main: Entrance,
    /// The one that leads to the main one.
    pub(crate) redirect: Option<Entrance>,
}

/// Serves until the first signal. Then the server accepts no new connection and answers the pending
/// requests; `on_stop` ends those that wait. A second signal ends it at once.
pub(crate) async fn serve(
    entrances: Entrances,
    limit: ConnectionLimit,
    timeouts: ConnectionTimeouts,
    signals: &mut UnboundedReceiver<()>,
    on_stop: impl FnOnce(),
) -> Termination {
    let limit = Arc::new(limit);
    let (open, closed) = mpsc::channel(1);
    let server = Server {
        timeouts,
        stopping: Arc::default(),
        hurry: watch::Sender::new(false),
        graceful: GracefulShutdown::new(),
        limit: Arc::clone(&limit),
        open,
    };
    tokio::select! {
        biased;
        () = next(signals) => {}
        () = server.accept_all(&entrances) => {}
    }
    tracing::info!(connections = limit.open(), "stopping");
    on_stop();
    tokio::select! {
        biased;
        () = next(signals) => Termination::Forced,
        in_time = server.shut_down(entrances, closed) => if in_time {
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
    timeouts: ConnectionTimeouts,
    /// Whether responses carry `Connection: close`.
    stopping: Arc<AtomicBool>,
    /// Whether handshakes are broken off.
    hurry: watch::Sender<bool>,
    graceful: GracefulShutdown,
    limit: Arc<ConnectionLimit>,
    /// Every connection holds a clone: the channel closes with the last one.
    open: mpsc::Sender<Infallible>,
}

impl Server {
    async fn accept_all(&self, entrances: &Entrances) {
        let Entrances { main, redirect } = entrances;
        let at = async |entrance: &Entrance| {
            loop {
                self.accept(entrance, entrance.listener.accept().await)
                    .await;
            }
        };
        match redirect {
            None => at(main).await,
            Some(redirect) => {
                tokio::join!(at(main), at(redirect));
            }
        }
    }

    /// Serves an accepted connection, or logs why there is none.
    async fn accept(&self, entrance: &Entrance, accepted: io::Result<(TcpStream, SocketAddr)>) {
        match accepted {
            Ok((stream, peer)) => self.spawn(entrance, stream, peer),
            Err(error) if is_client_error(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(ACCEPT_RETRY).await;
            }
        }
    }

    fn spawn(&self, entrance: &Entrance, socket: TcpStream, peer: SocketAddr) {
        let Some(permit) = self.limit.acquire(peer.ip()) else {
            if let Some(times) = REFUSED.count() {
                tracing::warn!(times, address = %peer.ip(), "connection limit reached");
            }
            // Before a handshake, no client would understand a response.
            if entrance.encryption.is_none() {
                connection::refuse(socket);
            }
            return;
        };
        // Responses are written whole: Nagle's algorithm would only delay them.
        if let Err(error) = socket.set_nodelay(true) {
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
        let accepted = Accepted {
            guard: ConnectionGuard {
                _permit: permit,
                _open: self.open.clone(),
            },
            peer,
            at: std::time::Instant::now(),
            router: entrance.router.clone(),
            timeouts,
            closing,
        };
        match entrance.encryption.clone() {
            None => {
                let connection = connection::serve(Stream::Plain(socket), accepted);
                let connection = self.graceful.watch(connection);
                tokio::spawn(async move { ended(connection.await) });
            }
            Some(encryption) => self.spawn_encrypted(encryption, socket, accepted),
        }
    }

    /// Serves a connection after its handshake, which is limited as the head of a request is.
    fn spawn_encrypted(&self, encryption: Encryption, socket: TcpStream, accepted: Accepted) {
        let (watcher, mut hurry) = (self.graceful.watcher(), self.hurry.subscribe());
        tokio::spawn(async move {
            // In a box, the memory of the handshake is free afterwards.
            let handshake = Box::pin(encryption.accept(socket));
            let stream = tokio::select! {
                done = timeout(accepted.timeouts.head, handshake) => done,
                _ = hurry.wait_for(|hurry| *hurry) => return,
            };
            match stream {
                Ok(Ok(Some(stream))) => {
                    let connection = connection::serve(stream, accepted);
                    ended(watcher.watch(connection).await);
                }
                Ok(Ok(None)) => {}
                Ok(Err(error)) => tracing::debug!(%error, "handshake failed"),
                Err(_) => tracing::debug!("handshake took too long"),
            }
        });
    }

    /// Shuts down gracefully. Returns whether that took no longer than the timeout.
    async fn shut_down(self, entrances: Entrances, mut closed: mpsc::Receiver<Infallible>) -> bool {
        let deadline = Instant::now() + self.timeouts.shutdown;
        // Clients learn from `Connection: close` not to reuse their connection. A close without
        // notice could cross a request, and the client would not know whether that was processed.
        self.stopping.store(true, Ordering::Relaxed);
        let Entrances { main, redirect } = &entrances;
        match redirect {
            None => self.drain_accept_queue(main).await,
            Some(redirect) => {
                tokio::join!(
                    self.drain_accept_queue(main),
                    self.drain_accept_queue(redirect)
                );
            }
        }
        drop(entrances);
        drop(self.open);
        if timeout(self.timeouts.drain_grace, closed.recv())
            .await
            .is_ok()
        {
            return true;
        }
        self.hurry.send_replace(true);
        let all = async {
            self.graceful.shutdown().await;
            closed.recv().await;
        };
        timeout_at(deadline, all).await.is_ok()
    }

    /// Accepts the connections that are in the queue of the system: their requests are on the way. A queue that
    /// another process shares is left to it.
    async fn drain_accept_queue(&self, entrance: &Entrance) {
        let listener = &entrance.listener;
        if listener.is_shared() {
            return;
        }
        let is_closed_to_new = listener.refuse_new();
        let waiting = async {
            while let Ok(accepted) = timeout(ACCEPT_IDLE, listener.accept()).await {
                self.accept(entrance, accepted).await;
            }
        };
        // New connections may arrive faster than they are accepted.
        let longest = if is_closed_to_new { 200 } else { 20 } * ACCEPT_IDLE;
        let _ = timeout(longest, waiting).await;
    }
}

/// Logs the end of a connection.
fn ended(result: hyper::Result<()>) {
    if let Err(error) = result {
        tracing::debug!(%error, "connection failed");
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
