//! Serving HTTP/1.1: the accept loop and the orderly stop.

mod body;
mod connection;
mod linger;
mod patience;
mod room;

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use api_http::Tally;
use axum::Router;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::{AcquireError, OwnedSemaphorePermit, Semaphore, mpsc::UnboundedReceiver},
    time::{Instant, sleep, timeout, timeout_at},
};

pub(crate) use self::patience::Patience;

/// Connections that wait to be accepted, at the most; Linux allows 4,096 unless told otherwise.
const BACKLOG: u32 = 4096;

/// How long to wait when the system has no more descriptors or memory for a connection.
const EXHAUSTED: Duration = Duration::from_millis(100);

/// How often there was no room for the next connection.
static FULL: Tally = Tally::new();

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

/// Listens at an address.
///
/// # Errors
///
/// If the address is in use or not of this machine.
pub(crate) fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()?
    } else {
        TcpSocket::new_v6()?
    };
    // So that a server can follow another at once; on Unix it does not let two listen together.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until `stop` has a message: then no new connection is accepted, and what was asked is
/// answered. A second message ends that at once.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    patience: Patience,
    stop: &mut UnboundedReceiver<()>,
) -> Ending {
    let room = room::connections();
    tracing::debug!(connections = room, "room for connections");
    let server = Server {
        router,
        patience,
        stopping: Arc::default(),
        graceful: GracefulShutdown::new(),
        room: Arc::new(Semaphore::new(room as usize)),
    };
    tokio::select! {
        biased;
        () = told(stop) => {}
        () = server.accept_all(&listener) => {}
    }
    let open = room as usize - server.room.available_permits();
    tracing::info!(connections = open, "stopping");
    let permits = Arc::clone(&server.room);
    tokio::select! {
        biased;
        () = told(stop) => Ending::AtOnce,
        in_time = server.stop(listener, room) => if in_time {
            Ending::Orderly
        } else {
            Ending::TimeOver { open: room as usize - permits.available_permits() }
        },
    }
}

/// Waits for a message; for ever if none can come.
async fn told(stop: &mut UnboundedReceiver<()>) {
    if stop.recv().await.is_none() {
        std::future::pending::<()>().await;
    }
}

struct Server {
    router: Router,
    patience: Patience,
    /// Whether answers ask to close the connection.
    stopping: Arc<AtomicBool>,
    graceful: GracefulShutdown,
    /// A permit for each connection that may be open.
    room: Arc<Semaphore>,
}

impl Server {
    async fn accept_all(&self, listener: &TcpListener) {
        // Never closed, so that there is a permit sooner or later.
        while let Ok(permit) = self.permit().await {
            match listener.accept().await {
                Ok((stream, peer)) => self.attend(stream, peer, permit),
                Err(error) if is_of_the_client(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    sleep(EXHAUSTED).await;
                }
            }
        }
    }

    /// A permit for the next connection, once there is one.
    async fn permit(&self) -> Result<OwnedSemaphorePermit, AcquireError> {
        let room = Arc::clone(&self.room);
        if room.available_permits() == 0
            && let Some(times) = FULL.count()
        {
            tracing::warn!(times, "no room for more connections: the next ones wait");
        }
        room.acquire_owned().await
    }

    fn attend(&self, stream: TcpStream, peer: SocketAddr, permit: OwnedSemaphorePermit) {
        // Answers are written whole: nothing is won by waiting for more.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "cannot set TCP_NODELAY");
        }
        let stopping = Arc::clone(&self.stopping);
        let connection =
            connection::serve(stream, peer, self.router.clone(), self.patience, stopping);
        let connection = self.graceful.watch(connection);
        tokio::spawn(async move {
            let _permit = permit;
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }

    /// Stops in order; tells whether that was done in time.
    async fn stop(self, listener: TcpListener, room: u32) -> bool {
        let deadline = Instant::now() + self.patience.stop;
        // Who uses a connection is told in the next answer not to use it again. Closed at once, it
        // could cross the next request, and nobody would know whether that was carried out.
        self.stopping.store(true, Ordering::Relaxed);
        self.accept_waiting(&listener).await;
        drop(listener);
        let all = self.room.acquire_many(room);
        if timeout(self.patience.farewell, all).await.is_ok() {
            return true;
        }
        timeout_at(deadline, self.graceful.shutdown()).await.is_ok()
    }

    /// Accepts the connections that the system took in before the stop: their requests are under way.
    async fn accept_waiting(&self, listener: &TcpListener) {
        let waiting = async {
            while let Ok(permit) = Arc::clone(&self.room).try_acquire_owned() {
                // Those that wait come without delay.
                let Ok(Ok((stream, peer))) = timeout(LULL, listener.accept()).await else {
                    return;
                };
                self.attend(stream, peer, permit);
            }
        };
        // New ones may come as fast as they are accepted.
        let _ = timeout(20 * LULL, waiting).await;
    }
}

/// After so long without a connection none is waiting.
const LULL: Duration = Duration::from_millis(10);

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
