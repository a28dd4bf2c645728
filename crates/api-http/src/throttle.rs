//! A bound on guessing: how often wrong credentials may come.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

use domain::time::Timestamp;

/// Wrong credentials that one address may send for one account in a [`WINDOW_SECONDS`].
const MAX_FAILURES: u32 = 10;

/// How long failures count.
const WINDOW_SECONDS: i64 = 60;

/// Accounts and addresses that are remembered at the most; more than that are not all remembered,
/// so that guesses cannot fill the memory.
const MAX_ENTRIES: usize = 10_000;

/// Whose guesses are counted together: an address and the account that it tries. An account cannot
/// be locked out from another address.
///
/// Of the account only a digest is kept: whoever guesses chooses how long its name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Guesser {
    peer: Option<IpAddr>,
    account: [u8; blake3::OUT_LEN],
}

impl Guesser {
    /// Letter case of the login does not matter.
    pub(crate) fn new(peer: Option<IpAddr>, login: &str) -> Self {
        let account = blake3::hash(login.to_lowercase().as_bytes()).into();
        Self { peer, account }
    }
}

/// Counts wrong credentials.
#[derive(Debug, Default)]
pub(crate) struct Throttle(Mutex<Entries>);

#[derive(Debug, Default)]
struct Entries {
    failures: HashMap<Guesser, Failures>,
    /// When those that were over were last removed.
    swept: Option<Timestamp>,
}

impl Entries {
    /// Removes what is over, once in a while or for want of room.
    fn sweep(&mut self, now: Timestamp) {
        let is_full = self.failures.len() >= MAX_ENTRIES;
        let is_due = self
            .swept
            .is_none_or(|swept| swept.saturating_add(WINDOW_SECONDS) <= now);
        if is_full || is_due {
            self.failures.retain(|_, failures| failures.end() > now);
            self.swept = Some(now);
        }
        if self.failures.len() >= MAX_ENTRIES {
            self.failures.clear();
        }
    }
}

#[derive(Debug)]
struct Failures {
    since: Timestamp,
    count: u32,
}

impl Failures {
    fn end(&self) -> Timestamp {
        self.since.saturating_add(WINDOW_SECONDS)
    }
}

impl Throttle {
    /// How many seconds the guesser must wait before it may try again; none if it need not.
    pub(crate) fn wait_seconds(&self, guesser: &Guesser, now: Timestamp) -> Option<u64> {
        let entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let failures = entries.failures.get(guesser)?;
        let left = failures.end().seconds() - now.seconds();
        (failures.count >= MAX_FAILURES && left > 0).then(|| left.unsigned_abs())
    }

    /// Counts a failure.
    pub(crate) fn failed(&self, guesser: Guesser, now: Timestamp) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.sweep(now);
        let failures = entries.failures.entry(guesser).or_insert(Failures {
            since: now,
            count: 0,
        });
        if failures.end() <= now {
            *failures = Failures {
                since: now,
                count: 0,
            };
        }
        failures.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_seconds(seconds).unwrap()
    }

    #[test]
    fn the_eleventh_guess_in_a_minute_waits() {
        let throttle = Throttle::default();
        let ada = Guesser::new(None, "Ada");
        assert_eq!(ada, Guesser::new(None, "ada"));
        for _ in 0..MAX_FAILURES {
            assert_eq!(throttle.wait_seconds(&ada, at(5)), None);
            throttle.failed(ada, at(5));
        }
        assert_eq!(throttle.wait_seconds(&ada, at(15)), Some(50));
        assert_eq!(
            throttle.wait_seconds(&Guesser::new(None, "ben"), at(15)),
            None
        );
        assert_eq!(throttle.wait_seconds(&ada, at(65)), None);
        throttle.failed(ada, at(65));
        assert_eq!(throttle.wait_seconds(&ada, at(65)), None);
    }

    fn kept(throttle: &Throttle) -> usize {
        throttle.0.lock().unwrap().failures.len()
    }

    #[test]
    fn guesses_cannot_fill_the_memory() {
        // Nothing in it is as long as a client likes.
        fn has_a_fixed_size<T: Copy>() {}
        has_a_fixed_size::<Guesser>();
        let throttle = Throttle::default();
        for n in 0..3 * MAX_ENTRIES {
            throttle.failed(Guesser::new(None, &n.to_string()), at(0));
        }
        assert!(kept(&throttle) <= MAX_ENTRIES);
    }

    #[test]
    fn what_is_over_is_forgotten() {
        let throttle = Throttle::default();
        for (second, name, left) in [
            (0, "a", 1),
            (30, "b", 2),
            (60, "c", 2),
            (119, "d", 3),
            (120, "e", 2),
        ] {
            throttle.failed(Guesser::new(None, name), at(second));
            assert_eq!(kept(&throttle), left, "{name}");
        }
    }
}
