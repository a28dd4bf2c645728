//! The limit of login attempts with wrong credentials.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use super::client_windows::{Client, Windows};

/// Maximum number of failures of a client for one account in a
/// [`WINDOW`](crate::limits::client_windows::WINDOW).
const MAX_FAILURES: u32 = 10;

/// The number of accounts that have a counter of their own, for each client.
const MAX_ACCOUNTS: usize = 64;

/// Maximum number of failures of a client for all other accounts together.
const MAX_OTHERS: u32 = 60;

/// The key under which login attempts are counted: client and account. So no client can lock out an
/// account for others.
///
/// The account is a digest, as a client chooses the length of the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoginAttemptKey {
    client: Client,
    account: u128,
}

impl LoginAttemptKey {
    /// The key of a login. Letter case is ignored.
    pub fn new(address: Option<IpAddr>, login: &str) -> Self {
        let digest = blake3::hash(login.to_lowercase().as_bytes());
        let mut account = [0; 16];
        account.copy_from_slice(&digest.as_bytes()[..16]);
        Self {
            client: Client::new(address),
            account: u128::from_le_bytes(account),
        }
    }
}

/// Counts login failures.
#[derive(Debug)]
pub struct LoginThrottle(Mutex<Windows<Failures>>);

impl Default for LoginThrottle {
    fn default() -> Self {
        Self(Mutex::new(Windows::new(Failures::total)))
    }
}

/// The failures of one client.
#[derive(Debug, Default)]
struct Failures {
    accounts: HashMap<u128, u32>,
    /// Failures for accounts beyond [`MAX_ACCOUNTS`]. They displace no counter of an account.
    others: u32,
}

impl Failures {
    fn total(&self) -> usize {
        (self.accounts.values().sum::<u32>() + self.others) as usize
    }

    fn must_wait(&self, account: u128) -> bool {
        match self.accounts.get(&account) {
            Some(count) => *count >= MAX_FAILURES,
            None => self.others >= MAX_OTHERS,
        }
    }

    fn count(&mut self, account: u128) {
        if self.accounts.len() < MAX_ACCOUNTS || self.accounts.contains_key(&account) {
            *self.accounts.entry(account).or_default() += 1;
        } else {
            self.others += 1;
        }
    }
}

impl LoginThrottle {
    /// The seconds until the next attempt is allowed; none if it is allowed now.
    pub fn wait_seconds(&self, attempt: &LoginAttemptKey, now: Duration) -> Option<u64> {
        let windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (failures, left) = windows.get(attempt.client, now)?;
        failures.must_wait(attempt.account).then_some(left)
    }

    /// Counts a failure.
    pub fn failed(&self, attempt: LoginAttemptKey, now: Duration) {
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        windows.of(attempt.client, now).count(attempt.account);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn guess(throttle: &LoginThrottle, attempt: LoginAttemptKey, times: u32) {
        for _ in 0..times {
            throttle.failed(attempt, at(5));
        }
    }

    #[test]
    fn the_eleventh_guess_in_a_minute_waits() {
        let throttle = LoginThrottle::default();
        let ada = LoginAttemptKey::new(None, "Ada");
        assert_eq!(ada, LoginAttemptKey::new(None, "ada"));
        for _ in 0..MAX_FAILURES {
            assert_eq!(throttle.wait_seconds(&ada, at(5)), None);
            throttle.failed(ada, at(5));
        }
        assert_eq!(throttle.wait_seconds(&ada, at(15)), Some(50));
        let ben = LoginAttemptKey::new(None, "ben");
        assert_eq!(throttle.wait_seconds(&ben, at(15)), None);
        let elsewhere = LoginAttemptKey::new("192.0.2.1".parse().ok(), "ada");
        assert_eq!(throttle.wait_seconds(&elsewhere, at(15)), None);
        assert_eq!(throttle.wait_seconds(&ada, at(65)), None);
        throttle.failed(ada, at(65));
        assert_eq!(throttle.wait_seconds(&ada, at(65)), None);
    }

    #[test]
    fn a_flood_of_other_names_clears_nothing() {
        let throttle = LoginThrottle::default();
        let ada = LoginAttemptKey::new(None, "ada");
        guess(&throttle, ada, MAX_FAILURES);
        for n in 0..20_000 {
            guess(&throttle, LoginAttemptKey::new(None, &n.to_string()), 1);
        }
        assert_eq!(throttle.wait_seconds(&ada, at(6)), Some(59));
        let windows = throttle.0.lock().unwrap();
        let (failures, _) = windows.get(ada.client, at(6)).unwrap();
        assert_eq!(failures.accounts.len(), MAX_ACCOUNTS);
        drop(windows);
        // Accounts without a counter share a limit, and only at this address.
        let new = |address: Option<&str>| {
            LoginAttemptKey::new(address.and_then(|one| one.parse().ok()), "somebody new")
        };
        assert_eq!(throttle.wait_seconds(&new(None), at(6)), Some(59));
        assert_eq!(throttle.wait_seconds(&new(Some("192.0.2.1")), at(6)), None);
    }

    #[test]
    fn a_flood_from_other_addresses_clears_nothing() {
        let throttle = LoginThrottle::default();
        let ada = LoginAttemptKey::new("192.0.2.1".parse().ok(), "ada");
        guess(&throttle, ada, MAX_FAILURES);
        for n in 0..20_000_u128 {
            let address = std::net::Ipv6Addr::from(n << 64);
            guess(
                &throttle,
                LoginAttemptKey::new(Some(address.into()), "ada"),
                1,
            );
        }
        assert_eq!(throttle.wait_seconds(&ada, at(6)), Some(59));
    }
}
