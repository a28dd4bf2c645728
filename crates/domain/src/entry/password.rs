//! The password of an event.

use crate::Secret;

/// A keyed hash of an event's password. Equal passwords have equal hashes, so that one hash of the
/// sent password is compared with every event of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordHash(Secret);

impl PasswordHash {
    /// Wraps the text of a stored hash.
    ///
    /// ```
    /// use events_calendar_domain::entry::PasswordHash;
    /// assert_eq!(PasswordHash::from_stored("5f".into()).as_str(), "5f");
    /// ```
    pub fn from_stored(hash: String) -> Self {
        Self(Secret::new(hash))
    }

    /// The hash as text, for storage.
    ///
    /// ```
    /// # use events_calendar_domain::entry::PasswordHash;
    /// assert_eq!(PasswordHash::from_stored("5f".into()).as_str(), "5f");
    /// ```
    pub fn as_str(&self) -> &str {
        self.0.expose()
    }
}
