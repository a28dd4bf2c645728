//! The limit of wrong event passwords.

use std::{
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use app::calendar::PasswordAttempt;
use domain::EventId;

use super::client_windows::{Client, Windows};

/// Maximum number of different wrong passwords of a client for one event in a
/// [`WINDOW`](crate::limits::client_windows::WINDOW).
const MAX_OF_EVENT: usize = 10;

/// Maximum number of different wrong passwords of a client for all events together.
const MAX_OF_ALL: usize = 60;

/// A password for an event, as a digest.
type Guess = (EventId, u64);

/// Counts wrong passwords.
#[derive(Debug)]
pub struct PasswordThrottle(Mutex<Windows<Sent>>);

impl Default for PasswordThrottle {
    fn default() -> Self {
        Self(Mutex::new(Windows::new(|sent| sent.wrong.len())))
    }
}

/// The passwords that one client sent.
#[derive(Debug, Default)]
struct Sent {
    wrong: Vec<Guess>,
    /// At most [`MAX_OF_ALL`].
    right: Vec<Guess>,
}

impl Sent {
    fn holds(&self, guess: Guess) -> bool {
        self.wrong.contains(&guess) || self.right.contains(&guess)
    }

    /// Whether the client reached a limit of wrong passwords for an event.
    fn must_wait(&self, event: EventId) -> bool {
        let wrong = self.wrong.iter().filter(|(one, _)| *one == event);
        self.wrong.len() >= MAX_OF_ALL || wrong.count() >= MAX_OF_EVENT
    }
}

impl PasswordThrottle {
    /// Counts the passwords of a request; returns the seconds to wait if the client sent too many.
    /// A password that the client sent before in the same minute is not counted again.
    pub fn wait_seconds(
        &self,
        address: Option<IpAddr>,
        tried: &PasswordAttempt,
        now: Duration,
    ) -> Option<u64> {
        let digest = blake3::hash(tried.password.as_str().as_bytes());
        let mut short = [0; 8];
        short.copy_from_slice(&digest.as_bytes()[..8]);
        let digest = u64::from_le_bytes(short);
        let client = Client::new(address);
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = windows.get(client, now);
        let is_new = |event: &&EventId| sent.is_none_or(|(sent, _)| !sent.holds((**event, digest)));
        let guesses = |events: &[EventId]| -> Vec<Guess> {
            let new = events.iter().filter(is_new);
            new.map(|event| (*event, digest)).collect()
        };
        let (wrong, right) = (guesses(&tried.locked), guesses(&tried.opened));
        if let Some((sent, left)) = sent
            && wrong
                .iter()
                .chain(&right)
                .any(|(event, _)| sent.must_wait(*event))
        {
            return Some(left);
        }
        if !wrong.is_empty() || !right.is_empty() {
            let sent = windows.of(client, now);
            sent.wrong.extend(wrong);
            let room = MAX_OF_ALL.saturating_sub(sent.right.len());
            sent.right.extend(right.into_iter().take(room));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use domain::{Id, entry::PasswordHash};

    use super::*;

    fn tried(password: &str, locked: &[i64], opened: &[i64]) -> PasswordAttempt {
        let ids = |ids: &[i64]| ids.iter().map(|id| Id::from_raw(*id)).collect();
        PasswordAttempt {
            password: PasswordHash::from_stored(password.to_owned()),
            locked: ids(locked),
            opened: ids(opened),
        }
    }

    const NOW: Duration = Duration::from_secs(5);

    fn wait(throttle: &PasswordThrottle, tried: &PasswordAttempt) -> Option<u64> {
        throttle.wait_seconds(None, tried, NOW)
    }

    #[test]
    fn ten_different_ones_for_an_event() {
        let throttle = PasswordThrottle::default();
        assert_eq!(wait(&throttle, &tried("right", &[], &[1])), None);
        for n in 0..10 {
            for _ in 0..3 {
                assert_eq!(wait(&throttle, &tried(&n.to_string(), &[1], &[])), None);
            }
        }
        assert_eq!(wait(&throttle, &tried("new", &[1], &[])), Some(60));
        // The right password is refused, too, unless the client sent it before.
        assert_eq!(wait(&throttle, &tried("other", &[], &[1])), Some(60));
        assert_eq!(wait(&throttle, &tried("right", &[], &[1])), None);
        assert_eq!(wait(&throttle, &tried("3", &[1], &[])), None);
        assert_eq!(wait(&throttle, &tried("new", &[2], &[])), None);
        let elsewhere = "192.0.2.1".parse().ok();
        assert_eq!(
            throttle.wait_seconds(elsewhere, &tried("new", &[1], &[]), NOW),
            None
        );
        let later = NOW + Duration::from_mins(1);
        assert_eq!(
            throttle.wait_seconds(None, &tried("new", &[1], &[]), later),
            None
        );
    }

    #[test]
    fn sixty_for_all_events() {
        let throttle = PasswordThrottle::default();
        let ten: Vec<_> = (1..=10).collect();
        for n in 0..6 {
            assert_eq!(wait(&throttle, &tried(&n.to_string(), &ten, &[])), None);
        }
        assert_eq!(wait(&throttle, &tried("new", &[99], &[])), Some(60));
        assert_eq!(wait(&throttle, &tried("5", &ten, &[])), None);
    }
}
