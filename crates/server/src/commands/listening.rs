//! The sockets at which `serve` listens.

use std::{
    io,
    net::{SocketAddr, TcpListener},
};

use anyhow::Context;
use axum::Router;

#[cfg(feature = "tls")]
use crate::{
    certificates::Certificates,
    settings::{InvalidSetting, TlsSettings},
};
use crate::{
    http::{self, Entrance, Entrances, Listener},
    settings::Settings,
};

/// The sockets of a server.
pub(super) struct Sockets {
    main: Listener,
    redirect: Option<Listener>,
}

/// The certificate of a server with TLS.
pub(super) struct Certificate {
    #[cfg(feature = "tls")]
    kept: Option<Certificates>,
}

impl Sockets {
    /// Listens at the address in the settings, at the ports of TLS, or at the socket of a service manager.
    ///
    /// # Errors
    ///
    /// If an address is in use or not permitted, or if a service manager passed a socket to a server with TLS.
    pub(super) fn open(settings: &Settings, socket: Option<TcpListener>) -> anyhow::Result<Self> {
        #[cfg(feature = "tls")]
        if settings.tls.is_some() {
            return Self::open_tls(socket.is_some());
        }
        let main = match socket {
            Some(socket) => Listener::of_service_manager(socket).context("cannot listen")?,
            None => listen(settings)?,
        };
        Ok(Self {
            main,
            redirect: None,
        })
    }

    #[cfg(feature = "tls")]
    fn open_tls(has_socket: bool) -> anyhow::Result<Self> {
        if has_socket {
            let reason = "opens the ports 443 and 80 itself: stop and disable the socket of the service manager";
            return Err(InvalidSetting::of("domain", reason).into());
        }
        let [main, redirect] = match TlsSettings::test_addresses() {
            Some(addresses) => addresses.map(|address| (http::listen(address), address)),
            None => [443, 80].map(|port| {
                let address = (std::net::Ipv6Addr::UNSPECIFIED, port).into();
                (http::listen_everywhere(port), address)
            }),
        };
        let opened = |(listener, address): (io::Result<Listener>, _)| {
            listener.map_err(|error| cannot_listen_with_tls(address, &error))
        };
        Ok(Self {
            main: opened(main)?,
            redirect: Some(opened(redirect)?),
        })
    }

    /// The address of the main socket.
    ///
    /// # Errors
    ///
    /// If the system does not tell it.
    pub(super) fn address(&self) -> anyhow::Result<SocketAddr> {
        self.main.local_addr().context("cannot listen")
    }

    /// Puts the service behind the sockets. With TLS, its certificate is kept from now on.
    ///
    /// # Errors
    ///
    /// If no certificate can be ordered on this machine.
    #[cfg_attr(
        not(feature = "tls"),
        expect(
            clippy::unnecessary_wraps,
            unused_variables,
            reason = "a server with TLS may fail"
        )
    )]
    pub(super) fn with(
        self,
        router: Router,
        settings: &Settings,
    ) -> anyhow::Result<(Entrances, Certificate)> {
        let entrance = |listener, router| Entrance {
            listener,
            router,
            encryption: None,
        };
        let Self { main, redirect } = self;
        #[cfg(feature = "tls")]
        if let (Some(redirect), Some(tls)) = (redirect, &settings.tls) {
            let certificates = Certificates::keep(tls)?;
            let main = Entrance {
                encryption: Some(certificates.encryption.clone()),
                ..entrance(main, router)
            };
            let entrances = Entrances {
                main,
                redirect: Some(entrance(redirect, http::to_https(&tls.domains))),
            };
            let kept = Some(certificates);
            return Ok((entrances, Certificate { kept }));
        }
        #[cfg(not(feature = "tls"))]
        drop(redirect);
        let entrances = Entrances {
            main: entrance(main, router),
            redirect: None,
        };
        let certificate = Certificate {
            #[cfg(feature = "tls")]
            kept: None,
        };
        Ok((entrances, certificate))
    }
}

impl Certificate {
    /// Waits until there is a certificate, if the server needs one.
    #[cfg_attr(
        not(feature = "tls"),
        expect(clippy::unused_async, reason = "with TLS it waits")
    )]
    pub(super) async fn ready(&self) {
        #[cfg(feature = "tls")]
        if let Some(kept) = &self.kept {
            kept.ready().await;
        }
    }
}

/// Listens at the address in the settings.
fn listen(settings: &Settings) -> anyhow::Result<Listener> {
    let listen = &settings.listen;
    let address = listen.resolve().map_err(|error| {
        anyhow::anyhow!("cannot find the address of {listen}: {error}; set --listen")
    })?;
    http::listen(address).map_err(|error| cannot_listen(address, &error))
}

fn cannot_listen(address: SocketAddr, error: &io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::AddrInUse => anyhow::anyhow!(
            "address already in use: {address}; stop the other program or set --listen, \
             as --listen 127.0.0.1:0 for any free port"
        ),
        io::ErrorKind::AddrNotAvailable => {
            anyhow::anyhow!("not an address of this machine: {address}; set --listen")
        }
        _ => anyhow::anyhow!("cannot listen at {address}: {error}"),
    }
}

#[cfg(feature = "tls")]
fn cannot_listen_with_tls(address: SocketAddr, error: &io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::AddrInUse => anyhow::anyhow!(
            "address already in use: {address}; stop the other program, or leave out --domain and let it be the proxy"
        ),
        io::ErrorKind::PermissionDenied => anyhow::anyhow!(
            "cannot listen at {address}: {error}; --domain needs the capability CAP_NET_BIND_SERVICE, which \
             docs/DEPLOY.md gives"
        ),
        _ => anyhow::anyhow!("cannot listen at {address}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_address_is_one_line() {
        let address = "127.0.0.1:8080".parse().unwrap();
        let text = cannot_listen(address, &io::ErrorKind::AddrInUse.into()).to_string();
        assert!(
            text.starts_with("address already in use: 127.0.0.1:8080"),
            "{text}"
        );
        assert!(!text.contains('\n'));
    }
}
