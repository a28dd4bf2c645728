//! The socket that takes connections in.

use std::{io, net::SocketAddr};

use socket2::{SockFilter, SockRef};
use tokio::net::{TcpListener, TcpSocket};

/// Connections that wait to be accepted, at the most; Linux allows 4,096 unless told otherwise.
const BACKLOG: u32 = 4096;

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

/// Has the system take in no more connections, and leave those that wait to be accepted; tells
/// whether it does. A listener that is closed resets those that wait, and until then there may be new
/// ones at any moment. A client whose connection is not taken in tries again after a second: then the
/// listener is closed, or another server has its address.
pub(super) fn refuse_new(listener: &TcpListener) -> bool {
    // In the BPF of Linux, over a packet from its TCP header on: dropped if its SYN flag is set.
    const LOAD_BYTE: u16 = 0x30;
    const JUMP_IF_SET: u16 = 0x45;
    const RETURN: u16 = 0x06;
    const FLAGS: u32 = 13;
    const SYN: u32 = 0x02;
    let program = [
        SockFilter::new(LOAD_BYTE, 0, 0, FLAGS),
        SockFilter::new(JUMP_IF_SET, 0, 1, SYN),
        SockFilter::new(RETURN, 0, 0, 0),
        SockFilter::new(RETURN, 0, 0, u32::MAX),
    ];
    match SockRef::from(listener).attach_filter(&program) {
        Ok(()) => true,
        Err(error) => {
            tracing::debug!(%error, "the listener cannot be closed to new connections");
            false
        }
    }
}
