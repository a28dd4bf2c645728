//! The limit of open connections, in all and of each client.

use std::net::IpAddr;

use http_service::{Budget, Proxies, Reservation};
use metrics::{Gauge, gauge};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Upper bound of connections, whatever the system allows.
const MAX_CONNECTIONS: usize = 20_000;

/// Descriptors reserved for the database, the log, image files and the listener.
const RESERVED: usize = 128;

/// The limit of open connections.
///
/// A client, which is an IPv4 address or a /64 network of IPv6, may hold half of the connections
/// that the system allows. A connection beyond a limit gets an *overflow* permit while there is
/// one: it is answered once and closed. So idle connections cannot keep health checks and writes
/// out. Trusted proxies stand for many clients: the limit of a client does not apply to them.
#[derive(Debug)]
pub(crate) struct ConnectionLimit {
    regular: Budget,
    overflow: Budget,
    proxies: Proxies,
}

/// The permit of a connection, returned when it is dropped.
#[derive(Debug)]
pub(super) struct ConnectionPermit {
    _held: Reservation,
    /// Whether the connection is closed after one response.
    pub(super) is_overflow: bool,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        open_connections().decrement(1);
    }
}

fn open_connections() -> Gauge {
    gauge!("events_calendar_http_connections")
}

impl ConnectionLimit {
    /// The limit for this number of descriptors.
    pub(crate) fn new(descriptors: usize, proxies: Proxies) -> Self {
        let allowed = descriptors.min(MAX_CONNECTIONS);
        let all = allowed.saturating_sub(RESERVED).max(2);
        let overflow = (all / 16).clamp(1, 256);
        let (regular, share) = (all - overflow, (allowed / 2).max(1));
        tracing::info!(
            connections = all,
            per_client = share.min(regular),
            "connection limit"
        );
        Self {
            regular: Budget::new(regular, share),
            overflow: Budget::new(overflow, overflow.div_ceil(2)),
            proxies,
        }
    }

    /// A permit for a connection from `peer`; none if no overflow permit is left either.
    pub(super) fn acquire(&self, peer: IpAddr) -> Option<ConnectionPermit> {
        let is_proxy = self.proxies.trusts(peer);
        let acquire = |budget: &Budget, is_overflow| {
            let mut held = if is_proxy {
                budget.unshared()
            } else {
                budget.client(Some(peer))
            };
            held.grow(1).ok()?;
            open_connections().increment(1);
            Some(ConnectionPermit {
                _held: held,
                is_overflow,
            })
        };
        acquire(&self.regular, false).or_else(|| acquire(&self.overflow, true))
    }

    /// The number of open connections.
    pub(super) fn open(&self) -> usize {
        self.regular.used() + self.overflow.used()
    }
}

/// Raises the soft limit of open files to the hard one. Returns the limit in effect.
pub(crate) fn raise_open_file_limit() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let number =
        |limit: Option<u64>| usize::try_from(limit.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    let (current, maximum) = (number(limit.current), number(limit.maximum));
    if current >= maximum {
        return current;
    }
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => {
            tracing::info!(
                from = current,
                to = maximum,
                "raised the limit of open files"
            );
            maximum
        }
        Err(error) => {
            tracing::warn!(%error, limit = current, "cannot raise the limit of open files");
            current
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// Acquires all permits, and counts the overflow permits.
    fn fill(limit: &ConnectionLimit, peer: &str) -> (Vec<ConnectionPermit>, usize) {
        let permits = std::iter::from_fn(|| limit.acquire(address(peer)));
        let permits: Vec<_> = permits.take(MAX_CONNECTIONS + 1).collect();
        let overflow = permits.iter().filter(|permit| permit.is_overflow).count();
        (permits, overflow)
    }

    #[test]
    fn one_address_keeps_half_of_the_connections() {
        for (descriptors, regular, overflow) in [
            (1024, 512, 28),
            (20_000, 10_000, 128),
            (1 << 20, 10_000, 128),
        ] {
            let limit = ConnectionLimit::new(descriptors, Proxies::default());
            let (permits, found) = fill(&limit, "192.0.2.1");
            assert_eq!(
                (permits.len() - found, found),
                (regular, overflow),
                "{descriptors}"
            );
            // A /64 network of IPv6 is one client.
            let (_more, _) = fill(&limit, "2001:db8::1");
            assert!(
                limit.acquire(address("2001:db8::2")).is_none(),
                "{descriptors}"
            );
            drop(permits);
            assert!(!limit.acquire(address("192.0.2.1")).unwrap().is_overflow);
        }
    }

    #[test]
    fn other_addresses_are_answered_beyond_the_limit_of_one() {
        let limit = ConnectionLimit::new(1024, Proxies::default());
        let _first = fill(&limit, "192.0.2.1");
        let others = (2..=250).map(|n| format!("192.0.2.{n}"));
        let answered = others.filter(|other| limit.acquire(address(other)).is_some());
        // A few addresses share a counter with the first.
        assert!(answered.count() > 240);
    }

    #[test]
    fn a_trusted_proxy_has_no_share() {
        let networks = ["192.0.2.0/24".parse().unwrap()];
        let limit = ConnectionLimit::new(1024, Proxies::new(&networks));
        let (permits, overflow) = fill(&limit, "192.0.2.1");
        assert_eq!((permits.len(), overflow, limit.open()), (896, 56, 896));
    }
}
