//! The address that the service listens on.

use std::{
    fmt, io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs},
};

/// An IP address or the name of a host, and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listen {
    /// The host in the form of a URL.
    host: String,
    port: u16,
}

impl Listen {
    /// Parses `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`.
    ///
    /// # Errors
    ///
    /// The reason why it is invalid.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if let Ok(address) = text.parse::<SocketAddr>() {
            let host = match address.ip() {
                IpAddr::V4(address) => address.to_string(),
                IpAddr::V6(address) => format!("[{address}]"),
            };
            let port = address.port();
            return Ok(Self { host, port });
        }
        let named = text.rsplit_once(':').and_then(|(name, port)| {
            // Digits and dots alone are an invalid IP address.
            let is_name = is_labels(name) && name.bytes().any(|byte| byte.is_ascii_alphabetic());
            let port = port.parse().ok().filter(|_| is_name)?;
            let host = name.to_ascii_lowercase();
            Some(Self { host, port })
        });
        named.ok_or_else(|| {
            format!(
                "`{text}` is not an address with a port, such as 127.0.0.1:8080 or localhost:8080"
            )
        })
    }

    /// Resolves the address to listen on. A name with several addresses gives the first IPv4
    /// address, or else the first.
    ///
    /// # Errors
    ///
    /// If the name has no address.
    pub(crate) fn resolve(&self) -> io::Result<SocketAddr> {
        let addresses: Vec<_> = self.to_string().to_socket_addrs()?.collect();
        let first = addresses.iter().find(|one| one.is_ipv4());
        let first = first.or(addresses.first()).copied();
        first.ok_or_else(|| io::Error::other("the name has no address"))
    }

    /// The address at which a client on the same machine reaches the server.
    ///
    /// # Errors
    ///
    /// If the name has no address.
    pub(crate) fn resolve_for_client(&self) -> io::Result<SocketAddr> {
        let mut address = self.resolve()?;
        if address.ip().is_unspecified() {
            address.set_ip(match address {
                SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        Ok(address)
    }

    /// The host in the form of a URL: `localhost`, `127.0.0.1`, `[::1]`.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// The port; 0 means any free port.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// Whether a text is labels of letters, digits and hyphens, as host names are.
pub(super) fn is_labels(text: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_names_are_understood() {
        for (text, shown) in [
            ("0.0.0.0:0", "0.0.0.0:0"),
            ("[::1]:8080", "[::1]:8080"),
            ("192.0.2.1:65535", "192.0.2.1:65535"),
            ("localhost:8080", "localhost:8080"),
            ("Cal-1.Example:80", "cal-1.example:80"),
        ] {
            assert_eq!(Listen::parse(text).unwrap().to_string(), shown);
        }
        for text in [
            "",
            "8080",
            ":8080",
            "127.0.0.1",
            "localhost",
            "127.0.0.1:65536",
            "127.0.0.300:80",
            "::1:8080",
            "http://localhost:8080",
            "-a:80",
            "a..b:80",
            "a b:80",
        ] {
            let refused = Listen::parse(text).unwrap_err();
            assert!(refused.contains("localhost:8080"), "{refused}");
        }
    }

    #[test]
    fn localhost_is_resolved() {
        let address = Listen::parse("localhost:8080").unwrap().resolve().unwrap();
        assert!(address.ip().is_loopback());
        assert_eq!(address.port(), 8080);
        assert!(Listen::parse("none.invalid:1").unwrap().resolve().is_err());
    }

    #[test]
    fn a_client_reaches_every_address() {
        for (listen, client) in [
            ("0.0.0.0:80", "127.0.0.1:80"),
            ("[::]:80", "[::1]:80"),
            ("192.0.2.1:80", "192.0.2.1:80"),
        ] {
            let listen = Listen::parse(listen).unwrap();
            assert_eq!(listen.resolve_for_client().unwrap().to_string(), client);
        }
    }
}
