//! Closing a connection whose client may still be sending.
//!
//! A socket that is closed while unread bytes arrive is reset, and a reset discards the response
//! that the client has not read yet. So the server closes the sending half first, and discards
//! input until the client closes its half, within bounds.

use std::{io, time::Duration};

use tokio::{
    net::TcpStream,
    time::{Instant, timeout_at},
};

/// Maximum number of bytes that are discarded.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Maximum duration of discarding.
const MAX_DURATION: Duration = Duration::from_secs(30);

/// Discards input of a connection whose sending half is closed, until the client closes its half or
/// sends nothing for `pause`.
pub(super) async fn discard(stream: &TcpStream, pause: Duration) {
    let end = Instant::now() + MAX_DURATION;
    let mut left = MAX_BYTES;
    while left > 0 && Instant::now() < end {
        let until = (Instant::now() + pause).min(end);
        let Ok(Ok(())) = timeout_at(until, stream.readable()).await else {
            return;
        };
        // The buffer is not held across an await, where it would enlarge every future.
        match stream.try_read(&mut [0; 16 * 1024]) {
            Ok(0) => return,
            Ok(length) => left = left.saturating_sub(length),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => return,
        }
    }
}
