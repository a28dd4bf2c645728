//! Events that visitors propose, and the limits of their number.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::time::Timestamp;

named_enum! {
    /// The people who may propose events.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Proposers, name {
        /// Nobody.
        #[default]
        Nobody = "off",
        /// Users who may write events.
        SignedIn = "signed-in",
        /// All visitors.
        Anybody = "anybody",
    }
}

/// The limits of proposals of one client, and the days for which they are kept.
///
/// ```
/// use events_calendar_domain::{event::ProposalLimits, time::Timestamp};
///
/// let at = |minutes: i64| Timestamp::from_seconds(1_800_000_000 + minutes * 60).unwrap();
/// assert_eq!(ProposalLimits::wait_seconds(&[at(0), at(10)], at(20)), None);
/// // The fourth one waits until the first one is an hour old.
/// assert_eq!(ProposalLimits::wait_seconds(&[at(0), at(10), at(20)], at(20)), Some(40 * 60));
/// assert_eq!(ProposalLimits::wait_seconds(&[at(0), at(10), at(20)], at(60)), None);
/// let ten: Vec<_> = (0..10).map(|hour| at(hour * 60)).collect();
/// assert_eq!(ProposalLimits::wait_seconds(&ten, at(600)), Some(14 * 3600));
/// assert_eq!(ProposalLimits::OF_NETWORK, 20);
/// assert_eq!(ProposalLimits::DAYS, 30);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ProposalLimits;

impl ProposalLimits {
    /// The most proposals of an address, each with the seconds for which they count.
    const OF_ADDRESS: [(usize, i64); 2] = [(3, 3600), (10, 86_400)];

    /// The seconds for which a proposal counts.
    ///
    /// ```
    /// assert_eq!(events_calendar_domain::event::ProposalLimits::LONGEST, 86_400);
    /// ```
    pub const LONGEST: i64 = 86_400;

    /// The most proposals of a network that wait for an editor.
    pub const OF_NETWORK: u64 = 20;

    /// The most proposals in all that wait for an editor, unless set.
    ///
    /// ```
    /// assert_eq!(events_calendar_domain::event::ProposalLimits::OPEN, 200);
    /// ```
    pub const OPEN: u32 = 200;

    /// The days for which the link of a sender is valid, and for which a closed proposal is kept.
    pub const DAYS: i64 = 30;

    /// The seconds until an address may send the next proposal; `None` if it may now. `sent` are the times of its
    /// proposals in the last day, in order.
    pub fn wait_seconds(sent: &[Timestamp], now: Timestamp) -> Option<i64> {
        let waits = Self::OF_ADDRESS.into_iter().filter_map(|(most, seconds)| {
            let end = |at: &Timestamp| at.saturating_add(seconds).seconds() - now.seconds();
            let left: Vec<_> = sent.iter().map(end).filter(|left| *left > 0).collect();
            let first = left.len().checked_sub(most)?;
            left.get(first).copied()
        });
        waits.max()
    }

    /// The network that counts as one address: the /64 of an IPv6 address, an IPv4 address itself.
    ///
    /// ```
    /// use events_calendar_domain::event::ProposalLimits;
    ///
    /// let address = ProposalLimits::address("2001:db8:1:2:3::4".parse().unwrap());
    /// assert_eq!(address.to_string(), "2001:db8:1:2::");
    /// assert_eq!(ProposalLimits::address("::ffff:192.0.2.7".parse().unwrap()).to_string(), "192.0.2.7");
    /// ```
    pub fn address(client: IpAddr) -> IpAddr {
        match client.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        }
    }

    /// The network of an address: /24 of IPv4, /48 of IPv6.
    ///
    /// ```
    /// use events_calendar_domain::event::ProposalLimits;
    ///
    /// let network = ProposalLimits::network("2001:db8:1:2::4".parse().unwrap());
    /// assert_eq!(network.to_string(), "2001:db8:1::");
    /// assert_eq!(ProposalLimits::network("192.0.2.7".parse().unwrap()).to_string(), "192.0.2.0");
    /// ```
    pub fn network(client: IpAddr) -> IpAddr {
        match client.to_canonical() {
            IpAddr::V4(address) => {
                let [a, b, c, _] = address.octets();
                IpAddr::V4(Ipv4Addr::new(a, b, c, 0))
            }
            IpAddr::V6(address) => {
                let [a, b, c, ..] = address.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
            }
        }
    }
}
