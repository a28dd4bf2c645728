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
pub(crate) type Guesser = (Option<IpAddr>, String);

/// Counts wrong credentials.
#[derive(Debug, Default)]
pub(crate) struct Throttle(Mutex<HashMap<Guesser, Failures>>);

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
        let failures = entries.get(guesser)?;
        let left = failures.end().seconds() - now.seconds();
        (failures.count >= MAX_FAILURES && left > 0).then(|| left.unsigned_abs())
    }

    /// Counts a failure.
    pub(crate) fn failed(&self, guesser: Guesser, now: Timestamp) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= MAX_ENTRIES {
            entries.retain(|_, failures| failures.end() > now);
        }
        if entries.len() >= MAX_ENTRIES {
            entries.clear();
        }
        let failures = entries.entry(guesser).or_insert(Failures {
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
        let ada: Guesser = (None, "ada".to_owned());
        for _ in 0..MAX_FAILURES {
            assert_eq!(throttle.wait_seconds(&ada, at(5)), None);
            throttle.failed(ada.clone(), at(5));
        }
        assert_eq!(throttle.wait_seconds(&ada, at(15)), Some(50));
        assert_eq!(
            throttle.wait_seconds(&(None, "ben".to_owned()), at(15)),
            None
        );
        assert_eq!(throttle.wait_seconds(&ada, at(65)), None);
        throttle.failed(ada.clone(), at(65));
        assert_eq!(throttle.wait_seconds(&ada, at(65)), None);
    }

    #[test]
    fn guesses_cannot_fill_the_memory() {
        let throttle = Throttle::default();
        for n in 0..3 * MAX_ENTRIES {
            throttle.failed((None, n.to_string()), at(0));
        }
        assert!(throttle.0.lock().unwrap().len() <= MAX_ENTRIES);
    }
}
