//! How long a client may keep a connection waiting.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use hyper::rt;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Sleep, sleep},
};

use super::{Open, linger};

/// How long a client may keep a connection waiting, and a stopping server its user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Patience {
    /// For the head of a request, from its first byte on; on a new connection, from the beginning.
    pub(crate) head: Duration,
    /// For the body of a request, from the end of its head on.
    pub(crate) body: Duration,
    /// For the first byte of the next request.
    pub(crate) idle: Duration,
    /// For taking the next bytes of an answer.
    pub(crate) stalled: Duration,
    /// For the next bytes of a body that is discarded before its connection is closed.
    pub(crate) linger: Duration,
    /// For a last request on an open connection, once the server is to stop.
    pub(crate) farewell: Duration,
    /// From being told to stop to the end.
    pub(crate) stop: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            body: Duration::from_secs(30),
            idle: Duration::from_mins(1),
            stalled: Duration::from_secs(30),
            linger: Duration::from_secs(2),
            farewell: Duration::from_millis(500),
            // Whoever stops a service often kills it after ten seconds.
            stop: Duration::from_secs(9),
        }
    }
}

impl Patience {
    /// The same for a connection that is answered once, in a place that others wait for.
    pub(super) fn brief(self) -> Self {
        Self {
            head: self.head.min(Duration::from_secs(2)),
            ..self
        }
    }

    /// Watches a connection: what hyper reads and writes, and the timer that it asks.
    ///
    /// hyper knows one time limit alone, from the end of an answer (or the beginning) to the end of
    /// the next head. The timer stretches it while nothing comes.
    pub(super) fn with(
        self,
        stream: TcpStream,
        open: Open,
    ) -> (TokioIo<Watched>, HeadTimer, Lingering) {
        let received = Arc::<AtomicBool>::default();
        let lingering = Lingering::default();
        let timer = HeadTimer {
            patience: self,
            received: Arc::clone(&received),
            used: AtomicBool::new(false),
        };
        let watched = Watched {
            socket: Some((stream, open)),
            received,
            limit: self.stalled,
            stalled: None,
            lingering: lingering.clone(),
            pause: self.linger,
        };
        (TokioIo::new(watched), timer, lingering)
    }
}

/// Whether the client may still be sending when a connection is closed.
#[derive(Clone, Debug, Default)]
pub(super) struct Lingering(Arc<AtomicBool>);

impl Lingering {
    /// Has the connection discard what arrives when it is closed.
    pub(super) fn start(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A connection that notes when bytes come, and fails when none are taken for too long.
#[derive(Debug)]
pub(super) struct Watched {
    /// Taken when only what arrives is left to be discarded.
    socket: Option<(TcpStream, Open)>,
    received: Arc<AtomicBool>,
    limit: Duration,
    /// Runs while the client takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    lingering: Lingering,
    /// How long a client that is still sending may pause.
    pause: Duration,
}

impl Watched {
    fn stream(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        let socket = self.socket.as_mut();
        let stream = socket.map(|(stream, _)| Pin::new(stream));
        stream.ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    fn watch<T>(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let limit = self.limit;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(limit)));
        ready!(stalled.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = self.stream()?.poll_read(cx, buf);
        if buf.filled().len() > before {
            self.received.store(true, Ordering::Relaxed);
        }
        read
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = self.stream()?.poll_write(cx, bytes);
        self.watch(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.stream()?.poll_write_vectored(cx, parts);
        self.watch(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        let stream = self.socket.as_ref().map(|(stream, _)| stream);
        stream.is_some_and(AsyncWrite::is_write_vectored)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.stream()?.poll_shutdown(cx))?;
        if self.lingering.0.load(Ordering::Relaxed)
            && let Some((stream, open)) = self.socket.take()
        {
            let pause = self.pause;
            // hyper, with its buffers, need not wait for it.
            tokio::spawn(async move {
                linger::discard(&stream, pause).await;
                drop((stream, open));
            });
        }
        Poll::Ready(Ok(()))
    }
}

/// Tells hyper when the time for the head of a request is over. hyper asks for nothing else.
#[derive(Debug)]
pub(super) struct HeadTimer {
    patience: Patience,
    received: Arc<AtomicBool>,
    /// Whether the connection had a request before.
    used: AtomicBool,
}

impl rt::Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn rt::Sleep>> {
        TokioTimer::new().sleep(duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn rt::Sleep>> {
        if !self.used.swap(true, Ordering::Relaxed) {
            return TokioTimer::new().sleep_until(deadline);
        }
        self.received.store(false, Ordering::Relaxed);
        Box::pin(NextHead {
            sleep: Box::pin(sleep(self.patience.idle)),
            received: Arc::clone(&self.received),
            head: Some(self.patience.head),
        })
    }

    fn now(&self) -> Instant {
        TokioTimer::new().now()
    }
}

/// Ends with the patience for an idle connection, or for the head once its first byte has come.
struct NextHead {
    sleep: Pin<Box<Sleep>>,
    received: Arc<AtomicBool>,
    /// The patience for the head, until it counts.
    head: Option<Duration>,
}

impl Future for NextHead {
    type Output = ();

    // hyper asks whenever it has read what there is, and the head is not whole.
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.received.load(Ordering::Relaxed)
            && let Some(head) = self.head.take()
        {
            self.sleep
                .as_mut()
                .reset(tokio::time::Instant::now() + head);
        }
        self.sleep.as_mut().poll(cx)
    }
}

impl rt::Sleep for NextHead {}
