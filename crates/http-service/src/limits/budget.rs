//! A budget that clients share: of bytes in flight, or of connections.

use std::{
    hash::{BuildHasher, RandomState},
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::client_address::network;

/// The number of per-client counters. Clients whose addresses have the same hash share one.
const COUNTERS: usize = 4096;

/// A budget that limits the share of each client. Cheap to clone.
///
/// It consists of counters alone: a reservation never waits, and the memory does not grow with the
/// number of clients.
#[derive(Clone, Debug)]
pub struct Budget(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    limit: usize,
    share: usize,
    used: AtomicUsize,
    by_client: Box<[AtomicUsize]>,
    /// A random hasher: no client can choose addresses of the same hash.
    hasher: RandomState,
}

/// The error of a [`Budget`] that is exhausted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no room")]
pub struct Full;

impl Budget {
    /// A budget of `limit` units. A client holds at most `share` of them. A client that holds
    /// nothing may exceed its share once: a response larger than a share could never be sent
    /// otherwise.
    pub fn new(limit: usize, share: usize) -> Self {
        Self(Arc::new(Inner {
            limit,
            share,
            used: AtomicUsize::new(0),
            by_client: std::iter::repeat_with(AtomicUsize::default)
                .take(COUNTERS)
                .collect(),
            hasher: RandomState::new(),
        }))
    }

    /// An empty reservation of a client. All addresses of a /64 network of IPv6 are one client.
    pub fn client(&self, client: Option<IpAddr>) -> Reservation {
        let hash = self.0.hasher.hash_one(client.map(network));
        let counters = self.0.by_client.len() as u64;
        // The remainder is less than the number of counters.
        let counter = usize::try_from(hash % counters).unwrap_or_default();
        self.held(Some(counter))
    }

    /// An empty reservation of a client without a share of its own, such as a trusted proxy.
    pub fn unshared(&self) -> Reservation {
        self.held(None)
    }

    fn held(&self, counter: Option<usize>) -> Reservation {
        Reservation {
            budget: Self(Arc::clone(&self.0)),
            counter,
            units: 0,
        }
    }

    /// The number of units in use.
    pub fn used(&self) -> usize {
        self.0.used.load(Ordering::Relaxed)
    }
}

/// A reservation of units of a [`Budget`], which are returned when it is dropped.
#[derive(Debug)]
#[must_use]
pub struct Reservation {
    budget: Budget,
    counter: Option<usize>,
    units: usize,
}

impl Reservation {
    /// Reserves more units.
    ///
    /// # Errors
    ///
    /// [`Full`] if the budget or the share of the client is exhausted; then nothing is reserved.
    pub fn grow(&mut self, units: usize) -> Result<(), Full> {
        let Inner {
            limit, share, used, ..
        } = &*self.budget.0;
        let add = |counter: &AtomicUsize, fits: &dyn Fn(usize, usize) -> bool| {
            let added = counter.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |before| {
                let after = before.checked_add(units)?;
                fits(before, after).then_some(after)
            });
            added.map_err(|_| Full)
        };
        add(used, &|_, after| after <= *limit)?;
        if let Some(own) = self.own()
            && let Err(full) = add(own, &|before, after| before == 0 || after <= *share)
        {
            used.fetch_sub(units, Ordering::Relaxed);
            return Err(full);
        }
        self.units += units;
        Ok(())
    }

    /// Reserves more units, even beyond the budget: for a response that exists and cannot be
    /// refused. Other clients are refused until the budget has room again.
    pub fn force(&mut self, units: usize) {
        self.budget.0.used.fetch_add(units, Ordering::Relaxed);
        if let Some(own) = self.own() {
            own.fetch_add(units, Ordering::Relaxed);
        }
        self.units += units;
    }

    fn own(&self) -> Option<&AtomicUsize> {
        self.budget.0.by_client.get(self.counter?)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.budget.0.used.fetch_sub(self.units, Ordering::Relaxed);
        if let Some(own) = self.own() {
            own.fetch_sub(self.units, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(budget: &Budget, client: &str) -> Reservation {
        budget.client(Some(client.parse().unwrap()))
    }

    /// Two clients with counters of their own.
    fn two_clients(budget: &Budget) -> (Reservation, Reservation) {
        let one = held(budget, "192.0.2.0");
        let other = (1..=u8::MAX)
            .map(|n| held(budget, &format!("192.0.2.{n}")))
            .find(|other| other.counter != one.counter);
        (one, other.unwrap())
    }

    #[test]
    fn a_client_takes_its_share_and_no_more() {
        let budget = Budget::new(100, 25);
        let (mut one, mut other) = two_clients(&budget);
        assert_eq!(one.grow(20), Ok(()));
        assert_eq!(one.grow(6), Err(Full));
        assert_eq!(one.grow(5), Ok(()));
        assert_eq!(other.grow(25), Ok(()));
        assert_eq!(budget.used(), 50);
        drop(one);
        assert_eq!(budget.used(), 25);
        // A client that holds nothing may take more than its share once.
        let (mut one, _) = two_clients(&budget);
        assert_eq!(one.grow(75), Ok(()));
        assert_eq!(one.grow(1), Err(Full));
    }

    #[test]
    fn all_clients_together_take_the_budget_and_no_more() {
        let budget = Budget::new(100, 25);
        let mut all: Vec<_> = (0..=u8::MAX)
            .map(|n| held(&budget, &format!("192.0.2.{n}")))
            .collect();
        let taken = all.iter_mut().filter_map(|one| one.grow(10).ok()).count();
        assert_eq!((taken, budget.used()), (10, 100));
        let mut proxy = budget.unshared();
        assert_eq!(proxy.grow(1), Err(Full));
        proxy.force(7);
        assert_eq!(budget.used(), 107);
        drop(all);
        assert_eq!(proxy.grow(90), Ok(()));
        drop(proxy);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let budget = Budget::new(100, 25);
        let counter = |client: &str| held(&budget, client).counter;
        assert_eq!(counter("2001:db8::1"), counter("2001:db8::ffff:0:0:1"));
        let others = (0..16).map(|n| counter(&format!("2001:db8:0:{n:x}::1")));
        assert!(
            others
                .into_iter()
                .any(|other| other != counter("2001:db8::1"))
        );
    }
}
