//! The protocols of a service manager such as systemd: a socket that it passes, and notifications.

use std::{
    env,
    ffi::OsStr,
    io,
    net::TcpListener,
    os::unix::{ffi::OsStrExt as _, net::UnixDatagram},
};

use anyhow::{Context, bail};
use listenfd::ListenFd;

/// The variable with the address of the socket for notifications.
const NOTIFY_SOCKET: &str = "NOTIFY_SOCKET";

/// A state of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ServiceState {
    /// It answers requests.
    Ready,
    /// It stops.
    Stopping,
}

/// The listening socket that the service manager passed, as `LISTEN_FDS` and `LISTEN_PID` tell. The variables are removed.
/// Must be called before threads read the environment.
///
/// # Errors
///
/// If it passed several sockets, or one that is not of TCP.
pub(crate) fn socket() -> anyhow::Result<Option<TcpListener>> {
    let mut passed = ListenFd::from_env();
    if passed.len() > 1 {
        bail!(
            "the service manager passed {} sockets: the service listens at one",
            passed.len()
        );
    }
    let socket = passed.take_tcp_listener(0);
    socket.context("cannot listen at the socket of the service manager")
}

/// Tells the service manager a state, if it asked for that by `NOTIFY_SOCKET`. A failure is logged.
pub(crate) fn notify(state: ServiceState) {
    let message: &[u8] = match state {
        ServiceState::Ready => b"READY=1",
        ServiceState::Stopping => b"STOPPING=1",
    };
    let Some(address) = env::var_os(NOTIFY_SOCKET) else {
        return;
    };
    if let Err(error) = send(&address, message) {
        tracing::warn!(%error, "cannot notify the service manager");
    }
}

/// Sends a datagram to a socket in the file system or, on Linux, in the abstract namespace, whose addresses begin with
/// `@`.
fn send(address: &OsStr, message: &[u8]) -> io::Result<()> {
    let socket = UnixDatagram::unbound()?;
    #[cfg(target_os = "linux")]
    if let Some(name) = address.as_bytes().strip_prefix(b"@") {
        use std::os::{linux::net::SocketAddrExt as _, unix::net::SocketAddr};

        let address = SocketAddr::from_abstract_name(name)?;
        return socket.send_to_addr(message, &address).map(drop);
    }
    socket.send_to(message, address).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notification_arrives_at_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        send(path.as_os_str(), b"READY=1").unwrap();
        let mut message = [0; 16];
        let length = socket.recv(&mut message).unwrap();
        assert_eq!(&message[..length], b"READY=1");
        assert!(send(folder.path().join("none").as_os_str(), b"READY=1").is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_notification_arrives_at_an_abstract_name() {
        use std::os::{linux::net::SocketAddrExt as _, unix::net::SocketAddr};

        let name = format!("events-calendar-test-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let socket = UnixDatagram::bind_addr(&address).unwrap();
        send(OsStr::new(&format!("@{name}")), b"STOPPING=1").unwrap();
        let mut message = [0; 16];
        let length = socket.recv(&mut message).unwrap();
        assert_eq!(&message[..length], b"STOPPING=1");
    }
}
