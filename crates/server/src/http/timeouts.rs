//! Timeouts of connections.

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
    time::{Sleep, sleep},
};

use super::{
    ConnectionGuard, linger,
    stream::Stream,
    target::{TargetEncoder, with_body},
};

/// Timeouts of a connection, and of the shutdown of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConnectionTimeouts {
    /// For the head of a request, from its first byte; on a new connection, from the accept, so that a handshake of TLS
    /// belongs to it.
    pub(crate) head: Duration,
    /// For the body of a request, from the end of its head.
    pub(crate) body: Duration,
    /// For the first byte of the next request.
    pub(crate) idle: Duration,
    /// For the client to read further bytes of a response.
    pub(crate) stall: Duration,
    /// For further bytes of a body that is discarded before the connection is closed.
    pub(crate) linger: Duration,
    /// For a last request on an open connection after the shutdown began.
    pub(crate) drain_grace: Duration,
    /// For the whole shutdown.
    pub(crate) shutdown: Duration,
}

impl Default for ConnectionTimeouts {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            body: Duration::from_secs(30),
            idle: Duration::from_mins(1),
            stall: Duration::from_secs(30),
            linger: Duration::from_secs(2),
            drain_grace: Duration::from_millis(500),
            // Process managers often kill a service 10 s after SIGTERM.
            shutdown: Duration::from_secs(9),
        }
    }
}

impl ConnectionTimeouts {
    /// The timeouts of a connection with an overflow permit.
    pub(super) fn for_overflow(self) -> Self {
        Self {
            head: self.head.min(Duration::from_secs(2)),
            ..self
        }
    }

    /// Applies the timeouts to a connection: a guarded socket, a timer for hyper, and a flag that
    /// makes the socket discard further input when it is closed. `accepted` is the time of the accept.
    ///
    /// hyper has one timeout alone, from the end of a response (or the accept) to the end of the
    /// next head. The timer extends it to the idle timeout until the first byte arrives.
    pub(super) fn guard(
        self,
        stream: Stream,
        guard: ConnectionGuard,
        accepted: Instant,
    ) -> (TokioIo<StallGuard>, HeadTimer, Arc<AtomicBool>) {
        let (received, lingers) = <(Arc<AtomicBool>, Arc<AtomicBool>)>::default();
        let timer = HeadTimer {
            timeouts: self,
            accepted,
            received: Arc::clone(&received),
            used: AtomicBool::new(false),
        };
        let io = StallGuard {
            socket: Some((stream, guard)),
            received,
            limit: self.stall,
            stalled: None,
            lingers: Arc::clone(&lingers),
            pause: self.linger,
            target: TargetEncoder::default(),
            waiting: Vec::new(),
            replaced: None,
        };
        (TokioIo::new(io), timer, lingers)
    }
}

/// A socket that records whether bytes were received, and fails when the client reads nothing for
/// too long.
#[derive(Debug)]
pub(super) struct StallGuard {
    /// Empty once the remaining input is being discarded.
    socket: Option<(Stream, ConnectionGuard)>,
    received: Arc<AtomicBool>,
    limit: Duration,
    /// Runs while the client reads nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    /// Whether further input is discarded before the connection is closed.
    lingers: Arc<AtomicBool>,
    /// Longest pause of a client that is still sending.
    pause: Duration,
    target: TargetEncoder,
    /// Bytes of the first request line that hyper has not read yet.
    waiting: Vec<u8>,
    /// A response that replaces one of hyper, and the bytes of it that are written.
    replaced: Option<(Vec<u8>, usize)>,
}

impl StallGuard {
    fn stream(&mut self) -> io::Result<Pin<&mut Stream>> {
        let socket = self.socket.as_mut();
        let stream = socket.map(|(stream, _)| Pin::new(stream));
        stream.ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    /// Reads the first request line with its target encoded, which makes it longer.
    fn read_encoded(
        &mut self,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.waiting.is_empty() {
            let mut bytes = [0; 4096];
            let mut sent = ReadBuf::new(&mut bytes);
            ready!(self.stream()?.poll_read(cx, &mut sent))?;
            self.target.encode(sent.filled(), &mut self.waiting);
        }
        let length = self.waiting.len().min(buf.remaining());
        buf.put_slice(&self.waiting[..length]);
        self.waiting.drain(..length);
        Poll::Ready(Ok(()))
    }

    /// Writes the response that replaces one of hyper with this length.
    fn write_replaced(&mut self, cx: &mut Context<'_>, length: usize) -> Poll<io::Result<usize>> {
        while let Some((response, written)) = self.replaced.take() {
            let wrote = self.stream()?.poll_write(cx, &response[written..]);
            let end = match &wrote {
                Poll::Ready(Ok(bytes)) => written + bytes,
                _ => written,
            };
            if end < response.len() {
                self.replaced = Some((response, end));
            }
            ready!(self.limit(cx, wrote))?;
        }
        Poll::Ready(Ok(length))
    }

    fn limit<T>(
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

impl AsyncRead for StallGuard {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = if self.target.is_past() && self.waiting.is_empty() {
            self.stream()?.poll_read(cx, buf)
        } else {
            self.read_encoded(cx, buf)
        };
        if buf.filled().len() > before {
            self.received.store(true, Ordering::Relaxed);
        }
        read
    }
}

impl AsyncWrite for StallGuard {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.replaced.is_none() {
            self.replaced = with_body(bytes).map(|response| (response, 0));
        }
        if self.replaced.is_some() {
            return self.write_replaced(cx, bytes.len());
        }
        let written = self.stream()?.poll_write(cx, bytes);
        self.limit(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        // The response of hyper to a malformed head is one part.
        if let [bytes] = parts
            && (self.replaced.is_some() || with_body(bytes).is_some())
        {
            return self.poll_write(cx, bytes);
        }
        let written = self.stream()?.poll_write_vectored(cx, parts);
        self.limit(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        let stream = self.socket.as_ref().map(|(stream, _)| stream);
        stream.is_some_and(AsyncWrite::is_write_vectored)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // TLS holds bytes back that the socket does not take.
        let flushed = self.stream()?.poll_flush(cx);
        self.limit(cx, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let closed = self.stream()?.poll_shutdown(cx);
        ready!(self.limit(cx, closed))?;
        if self.lingers.load(Ordering::Relaxed)
            && let Some((stream, guard)) = self.socket.take()
        {
            let pause = self.pause;
            // A task of its own frees the buffers of hyper.
            tokio::spawn(async move {
                linger::discard(stream.socket(), pause).await;
                drop((stream, guard));
            });
        }
        Poll::Ready(Ok(()))
    }
}

/// The timer of hyper, which it uses for the head of a request alone.
#[derive(Debug)]
pub(super) struct HeadTimer {
    timeouts: ConnectionTimeouts,
    accepted: Instant,
    received: Arc<AtomicBool>,
    /// Whether the connection has had a request.
    used: AtomicBool,
}

impl rt::Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn rt::Sleep>> {
        TokioTimer::new().sleep(duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn rt::Sleep>> {
        if !self.used.swap(true, Ordering::Relaxed) {
            let deadline = deadline.min(self.accepted + self.timeouts.head);
            return TokioTimer::new().sleep_until(deadline);
        }
        self.received.store(false, Ordering::Relaxed);
        Box::pin(HeadDeadline {
            sleep: Box::pin(sleep(self.timeouts.idle)),
            received: Arc::clone(&self.received),
            head: Some(self.timeouts.head),
        })
    }

    fn now(&self) -> Instant {
        TokioTimer::new().now()
    }
}

/// Ends after the idle timeout, or after the head timeout once the first byte has arrived.
struct HeadDeadline {
    sleep: Pin<Box<Sleep>>,
    received: Arc<AtomicBool>,
    /// The head timeout, until it applies.
    head: Option<Duration>,
}

impl Future for HeadDeadline {
    type Output = ();

    // hyper polls this after each read that left the head incomplete.
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

impl rt::Sleep for HeadDeadline {}
