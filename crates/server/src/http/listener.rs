//! The listening socket.

use std::{io, net::SocketAddr};

use socket2::{SockFilter, SockRef};
use tokio::net::{TcpListener, TcpSocket};

/// Maximum number of connections in the accept queue; Linux caps it at 4,096 by default.
const BACKLOG: u32 = 4096;

/// Listens on an address.
///
/// # Errors
///
/// If the address is in use, or is not an address of this machine.
pub(crate) fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()?
    } else {
        TcpSocket::new_v6()?
    };
    // A restarted server can bind at once. On Unix this does not let two servers listen on one
    // address.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Makes the system drop new connections and keep the accept queue. Returns whether it can.
///
/// Closing a listener resets the connections in its queue, to which new ones are added until then.
/// A client whose SYN is dropped retries after 1 s: by then the listener is closed, or another
/// server listens on the address.
pub(super) fn refuse_new(listener: &TcpListener) -> bool {
    // A BPF program of Linux over the TCP header: drop the packet if its SYN flag is set.
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
            tracing::debug!(%error, "cannot filter new connections");
            false
        }
    }
}
