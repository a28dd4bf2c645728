//! How many connections may be open, and whose.

use std::net::IpAddr;

use api_http::{Budget, Held, Proxies};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Connections at the most, whatever the system allows.
const MOST: usize = 20_000;

/// Descriptors that are left to the database, the log, files of images and the listener.
const RESERVED: usize = 128;

/// Room for connections.
///
/// A client, which is an address or a /64 network of IPv6, may keep half of the connections that the
/// system allows. A connection beyond that, or beyond the room for connections that are kept, gets a
/// *brief* place while there is one: it is answered once and closed. So no number of idle connections
/// keeps health checks and writes out. Trusted proxies stand for many clients, and have no share.
#[derive(Debug)]
pub(crate) struct Room {
    kept: Budget,
    brief: Budget,
    proxies: Proxies,
}

/// The place of a connection, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    _held: Held,
    /// Whether the connection is closed after one answer.
    pub(super) is_brief: bool,
}

impl Room {
    /// Room for the connections for which there are descriptors.
    pub(crate) fn new(descriptors: usize, proxies: Proxies) -> Self {
        let allowed = descriptors.min(MOST);
        let all = allowed.saturating_sub(RESERVED).max(2);
        let brief = (all / 16).clamp(1, 256);
        let (kept, share) = (all - brief, (allowed / 2).max(1));
        tracing::info!(
            connections = all,
            of_one_address = share.min(kept),
            "room for connections"
        );
        Self {
            kept: Budget::new(kept, share),
            brief: Budget::new(brief, brief.div_ceil(2)),
            proxies,
        }
    }

    /// A place for a connection; none if there is no room for it.
    pub(super) fn place(&self, peer: IpAddr) -> Option<Place> {
        let is_proxy = self.proxies.trusts(peer);
        let place = |budget: &Budget, is_brief| {
            let mut held = if is_proxy {
                budget.unshared()
            } else {
                budget.client(Some(peer))
            };
            held.grow(1).ok()?;
            Some(Place {
                _held: held,
                is_brief,
            })
        };
        place(&self.kept, false).or_else(|| place(&self.brief, true))
    }

    /// How many connections are open.
    pub(super) fn open(&self) -> usize {
        self.kept.used() + self.brief.used()
    }
}

/// Raises the limit of open files as far as the system allows; answers the limit.
pub(crate) fn raise_limit() -> usize {
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

    /// As many places as there are, and how many of them are brief.
    fn fill(room: &Room, peer: &str) -> (Vec<Place>, usize) {
        let places = std::iter::from_fn(|| room.place(address(peer)));
        let places: Vec<_> = places.take(MOST + 1).collect();
        let brief = places.iter().filter(|place| place.is_brief).count();
        (places, brief)
    }

    #[test]
    fn one_address_keeps_half_of_the_connections() {
        for (descriptors, kept, brief) in [
            (1024, 512, 28),
            (20_000, 10_000, 128),
            (1 << 20, 10_000, 128),
        ] {
            let room = Room::new(descriptors, Proxies::default());
            let (places, found) = fill(&room, "192.0.2.1");
            assert_eq!(
                (places.len() - found, found),
                (kept, brief),
                "{descriptors}"
            );
            // All of a network of IPv6 are one client.
            let (_more, _) = fill(&room, "2001:db8::1");
            assert!(
                room.place(address("2001:db8::2")).is_none(),
                "{descriptors}"
            );
            drop(places);
            assert!(!room.place(address("192.0.2.1")).unwrap().is_brief);
        }
    }

    #[test]
    fn others_are_answered_when_one_address_has_all_it_may() {
        let room = Room::new(1024, Proxies::default());
        let _first = fill(&room, "192.0.2.1");
        let others = (2..=250).map(|n| format!("192.0.2.{n}"));
        let answered = others.filter(|other| room.place(address(other)).is_some());
        // Some share their counter with the first.
        assert!(answered.count() > 240);
    }

    #[test]
    fn a_trusted_proxy_has_no_share() {
        let networks = ["192.0.2.0/24".parse().unwrap()];
        let room = Room::new(1024, Proxies::new(&networks));
        let (places, brief) = fill(&room, "192.0.2.1");
        assert_eq!((places.len(), brief, room.open()), (896, 56, 896));
    }
}
