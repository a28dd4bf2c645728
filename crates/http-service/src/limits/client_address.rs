//! The address of a client behind trusted proxies.

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::Arc,
};

use axum::{
    extract::ConnectInfo,
    http::{Extensions, HeaderMap, HeaderName},
};
use ipnet::IpNet;

/// The header to which each proxy appends the address of its peer.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The proxies that may name the client of a request, by their addresses.
#[derive(Clone, Debug, Default)]
pub struct Proxies(Arc<[IpNet]>);

impl Proxies {
    /// The proxies of these networks.
    pub fn new(networks: &[IpNet]) -> Self {
        Self(networks.into())
    }

    /// The address of the client: the nearest one that is no trusted proxy. Addresses that an
    /// untrusted peer sent are ignored.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let values = headers.get_all(FORWARDED_FOR).iter().rev();
        let mut named = values.flat_map(|value| {
            let value = value.to_str().unwrap_or_default();
            value.rsplit(',').map(read).collect::<Vec<_>>()
        });
        let mut client = peer.to_canonical();
        while self.trusts(client) {
            match named.next() {
                Some(Some(next)) => client = next,
                // An entry that is no address ends the chain.
                Some(None) | None => break,
            }
        }
        client
    }

    /// The address of the client of a request; none if the request came over no connection.
    pub fn client_of(&self, extensions: &Extensions, headers: &HeaderMap) -> Option<IpAddr> {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>()?;
        Some(self.client(peer.0.ip(), headers))
    }

    /// Whether an address is that of a trusted proxy.
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// The network that counts as one client: the /64 of an IPv6 address, as a provider assigns at
/// least that; an IPv4 address itself.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

/// Parses an address, with or without a port.
fn read(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let address = text.parse().or_else(|_| {
        let with_port = text.parse::<SocketAddr>();
        with_port.map(|address| address.ip())
    });
    address.ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, forwarded: &[&str]) -> String {
        let networks = ["10.0.0.0/8", "::1/128"].map(|network| network.parse().unwrap());
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED_FOR, value.parse().unwrap());
        }
        let proxies = Proxies::new(&networks);
        proxies.client(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn a_customer_is_one_client() {
        for (address, expected) in [
            ("192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ] {
            let found = network(address.parse().unwrap());
            assert_eq!(found.to_string(), expected, "{address}");
        }
    }

    #[test]
    fn the_nearest_stranger_asks() {
        for (peer, forwarded, expected) in [
            ("10.0.0.1", &["192.0.2.7"][..], "192.0.2.7"),
            ("10.0.0.1", &["192.0.2.7, 10.0.0.2"], "192.0.2.7"),
            ("10.0.0.1", &["192.0.2.7", "10.0.0.2"], "192.0.2.7"),
            ("::ffff:10.0.0.1", &["192.0.2.7:4711"], "192.0.2.7"),
            ("::1", &["[2001:db8::7]:4711"], "2001:db8::7"),
            // Entries that the client sent before those of the proxy are ignored.
            ("10.0.0.1", &["198.51.100.1, 192.0.2.7"], "192.0.2.7"),
            ("10.0.0.1", &["198.51.100.1", "192.0.2.7"], "192.0.2.7"),
            // The header of an untrusted peer is ignored.
            ("192.0.2.9", &["192.0.2.7"], "192.0.2.9"),
            ("10.0.0.1", &["unknown"], "10.0.0.1"),
            ("10.0.0.1", &[""], "10.0.0.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
        ] {
            assert_eq!(client(peer, forwarded), expected, "{peer} {forwarded:?}");
        }
    }
}
