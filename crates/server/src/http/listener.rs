//! The listening socket.

use std::{io, net::SocketAddr};

use socket2::{SockFilter, SockRef};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

/// Maximum number of connections in the accept queue; Linux caps it at 4,096 by default.
const BACKLOG: u32 = 4096;

/// A listening socket.
#[derive(Debug)]
pub(crate) struct Listener {
    socket: TcpListener,
    /// Whether another process holds the socket, too, and listens at it after this one.
    is_shared: bool,
}

impl Listener {
    /// Listens at the socket of a service manager.
    ///
    /// # Errors
    ///
    /// If the system refuses it.
    pub(crate) fn of_service_manager(socket: std::net::TcpListener) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket: TcpListener::from_std(socket)?,
            is_shared: true,
        })
    }

    /// The address of the socket.
    ///
    /// # Errors
    ///
    /// If the system does not tell it.
    pub(crate) fn local_addr(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Whether another process holds the socket, too: it keeps the accept queue for the next server.
    pub(super) fn is_shared(&self) -> bool {
        self.is_shared
    }

    pub(super) async fn accept(&self) -> io::Result<(TcpStream, SocketAddr)> {
        self.socket.accept().await
    }

    /// Makes the system drop new connections and keep the accept queue. Returns whether it can.
    ///
    /// Closing a listener resets the connections in its queue, to which new ones are added until then.
    /// A client whose SYN is dropped retries after 1 s: by then the listener is closed, or another
    /// server listens on the address.
    pub(super) fn refuse_new(&self) -> bool {
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
        match SockRef::from(&self.socket).attach_filter(&program) {
            Ok(()) => true,
            Err(error) => {
                tracing::debug!(%error, "cannot filter new connections");
                false
            }
        }
    }
}

/// Listens at all addresses of this machine, of IPv6 and IPv4.
///
/// # Errors
///
/// If the port is in use, or if the system does not permit it.
#[cfg(feature = "tls")]
pub(crate) fn listen_everywhere(port: u16) -> io::Result<Listener> {
    use std::net::{Ipv4Addr, Ipv6Addr};

    let both = || {
        let socket = TcpSocket::new_v6()?;
        SockRef::from(&socket).set_only_v6(false)?;
        bound(socket, (Ipv6Addr::UNSPECIFIED, port).into())
    };
    both().or_else(|error| match error.kind() {
        // Other errors are of the port.
        io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied => Err(error),
        _ => listen((Ipv4Addr::UNSPECIFIED, port).into()),
    })
}

/// Listens on an address.
///
/// # Errors
///
/// If the address is in use, or is not an address of this machine.
pub(crate) fn listen(address: SocketAddr) -> io::Result<Listener> {
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()?
    } else {
        TcpSocket::new_v6()?
    };
    bound(socket, address)
}

fn bound(socket: TcpSocket, address: SocketAddr) -> io::Result<Listener> {
    // A restarted server can bind at once. On Unix this does not let two servers listen on one
    // address.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(Listener {
        socket: socket.listen(BACKLOG)?,
        is_shared: false,
    })
}
