//! Closing a connection whose client may still be sending.
//!
//! A socket that is closed while unread bytes arrive is reset, and a reset discards what the client
//! has not read yet: the answer. So the sending half is closed first, and what arrives is discarded
//! until the client closes its half, within bounds.

use std::{io, time::Duration};

use tokio::{
    net::TcpStream,
    time::{Instant, timeout_at},
};

/// Most bytes that are discarded.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The longest that bytes are discarded, however many arrive.
const LONGEST: Duration = Duration::from_secs(30);

/// Discards what arrives on a connection whose sending half is closed, until the client closes its half
/// or sends nothing for so long.
pub(super) async fn discard(stream: &TcpStream, pause: Duration) {
    let end = Instant::now() + LONGEST;
    let mut left = MAX_BYTES;
    while left > 0 && Instant::now() < end {
        let until = (Instant::now() + pause).min(end);
        let Ok(Ok(())) = timeout_at(until, stream.readable()).await else {
            return;
        };
        // Not part of what waits: it would take room in each connection.
        match stream.try_read(&mut [0; 16 * 1024]) {
            Ok(0) => return,
            Ok(length) => left = left.saturating_sub(length),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => return,
        }
    }
}
