//! Closing a connection whose client may still be sending.
//!
//! A socket that is closed while unread bytes arrive is reset, and a reset discards what the client
//! has not read yet: the answer. So the sending half is closed first, and what arrives is discarded
//! until the client closes its half, within bounds.

use std::{
    io,
    pin::{Pin, pin},
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Instant, Sleep, sleep_until},
};

/// Most bytes that are discarded.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The longest that bytes are discarded, however many arrive.
const LONGEST: Duration = Duration::from_secs(30);

/// A connection whose sending half is closed.
#[derive(Debug)]
pub(super) struct Linger {
    /// How long to wait for the next bytes.
    pause: Duration,
    sleep: Pin<Box<Sleep>>,
    end: Instant,
    bytes_left: usize,
}

impl Linger {
    fn new(pause: Duration) -> Self {
        let now = Instant::now();
        Self {
            pause,
            sleep: Box::pin(sleep_until(now + pause)),
            end: now + LONGEST,
            bytes_left: MAX_BYTES,
        }
    }

    /// Closes the sending half of a connection, then discards what arrives until the client closes
    /// its half or the bounds are reached.
    pub(super) fn poll_close(
        this: &mut Option<Self>,
        stream: &mut TcpStream,
        pause: Duration,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        if this.is_none() {
            ready!(Pin::new(&mut *stream).poll_shutdown(cx))?;
        }
        this.get_or_insert_with(|| Self::new(pause))
            .poll_discard(stream, cx)
    }

    fn poll_discard(
        &mut self,
        stream: &mut TcpStream,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        let mut bytes = [0; 16 * 1024];
        loop {
            let mut buf = ReadBuf::new(&mut bytes);
            match pin!(&mut *stream).poll_read(cx, &mut buf) {
                Poll::Ready(Ok(())) if !buf.filled().is_empty() => {
                    let now = Instant::now();
                    self.bytes_left = self.bytes_left.saturating_sub(buf.filled().len());
                    if self.bytes_left == 0 || now >= self.end {
                        return Poll::Ready(Ok(()));
                    }
                    let until = (now + self.pause).min(self.end);
                    self.sleep.as_mut().reset(until);
                }
                // The client closed its half, or is gone.
                Poll::Ready(_) => return Poll::Ready(Ok(())),
                Poll::Pending => return self.sleep.as_mut().poll(cx).map(Ok),
            }
        }
    }
}
