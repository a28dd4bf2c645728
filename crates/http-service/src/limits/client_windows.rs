//! Counters for each client and minute, in bounded memory.

use std::{collections::HashMap, net::IpAddr, time::Duration};

use super::client_address::network;

/// The length of a window.
pub(crate) const WINDOW: Duration = Duration::from_mins(1);

/// The maximum number of clients with counters.
const MAX_CLIENTS: usize = 10_000;

/// A client: an IPv4 address, or the /64 network of an IPv6 address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client(Option<IpAddr>);

impl Client {
    pub(crate) fn new(address: Option<IpAddr>) -> Self {
        Self(address.map(network))
    }
}

/// Counters by client. The window of a client begins with its first action.
///
/// Times come from a monotonic clock.
#[derive(Debug)]
pub(crate) struct Windows<T> {
    clients: HashMap<Client, Window<T>>,
    /// The number of counted actions. A full table drops the client of the smallest weight.
    weight: fn(&T) -> usize,
    /// The time of the last removal of expired windows.
    swept: Duration,
}

#[derive(Debug, Default)]
struct Window<T> {
    since: Duration,
    done: T,
}

impl<T> Window<T> {
    fn is_over(&self, now: Duration) -> bool {
        self.since + WINDOW <= now
    }
}

impl<T: Default> Windows<T> {
    /// No client has counters.
    pub(crate) fn new(weight: fn(&T) -> usize) -> Self {
        Self {
            clients: HashMap::new(),
            weight,
            swept: Duration::ZERO,
        }
    }

    /// The counters of a client and the seconds left of its window; none without a window.
    pub(crate) fn get(&self, client: Client, now: Duration) -> Option<(&T, u64)> {
        let window = self.clients.get(&client)?;
        let left = (window.since + WINDOW).saturating_sub(now);
        let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
        (seconds > 0).then_some((&window.done, seconds))
    }

    /// The counters of a client; a new window begins if there is none.
    pub(crate) fn of(&mut self, client: Client, now: Duration) -> &mut T {
        self.make_room(client, now);
        let new = || Window {
            since: now,
            done: T::default(),
        };
        let window = self.clients.entry(client).or_insert_with(new);
        if window.is_over(now) {
            *window = new();
        }
        &mut window.done
    }

    /// Removes expired windows once a minute and when the table is full. If the table stays full,
    /// removes the client of the smallest weight.
    fn make_room(&mut self, client: Client, now: Duration) {
        let is_full = self.clients.len() >= MAX_CLIENTS && !self.clients.contains_key(&client);
        if !is_full && self.swept + WINDOW > now {
            return;
        }
        if self.swept < now {
            self.clients.retain(|_, window| !window.is_over(now));
            self.swept = now;
        }
        if is_full && self.clients.len() >= MAX_CLIENTS {
            let windows = self.clients.iter();
            let least =
                windows.min_by_key(|(_, window)| ((self.weight)(&window.done), window.since));
            if let Some(least) = least.map(|(client, _)| *client) {
                self.clients.remove(&least);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn windows() -> Windows<usize> {
        Windows::new(|count| *count)
    }

    fn client(number: u32) -> Client {
        Client::new(Some(IpAddr::V4(number.into())))
    }

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn addresses_of_one_network_are_one_client() {
        let of = |text: &str| Client::new(text.parse().ok());
        assert_eq!(of("2001:db8:0:1::1"), of("2001:db8:0:1:ffff::2"));
        assert_ne!(of("2001:db8:0:1::1"), of("2001:db8:0:2::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_ne!(of("192.0.2.1"), Client::new(None));
    }

    #[test]
    fn windows_end() {
        let mut windows = windows();
        for (second, number, left) in [(0, 1, 1), (30, 2, 2), (60, 3, 2), (119, 4, 3), (120, 5, 2)]
        {
            *windows.of(client(number), at(second)) += 1;
            assert_eq!(windows.clients.len(), left, "{number}");
        }
        assert_eq!(windows.get(client(4), at(120)), Some((&1, 59)));
        assert_eq!(
            windows.get(client(4), Duration::from_millis(119_500)),
            Some((&1, 60))
        );
        assert_eq!(windows.get(client(4), at(179)), None);
        assert_eq!(windows.get(client(9), at(120)), None);
    }

    #[test]
    fn who_did_least_makes_room() {
        let mut windows = windows();
        *windows.of(client(0), at(1)) += 10;
        for number in 1..=2 * u32::try_from(MAX_CLIENTS).unwrap() {
            *windows.of(client(number), at(1)) += 1;
        }
        assert_eq!(windows.clients.len(), MAX_CLIENTS);
        assert_eq!(windows.get(client(0), at(1)), Some((&10, 60)));
    }
}
