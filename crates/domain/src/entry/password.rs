//! The password of an event.

use std::fmt;

/// A keyed hash of an event's password. Equal passwords have equal hashes, so that one hash of the
/// sent password is compared with every event of a list.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Wraps the text of a stored hash.
    ///
    /// ```
    /// use domain::entry::PasswordHash;
    /// assert_eq!(PasswordHash::from_stored("5f".into()).as_str(), "5f");
    /// ```
    pub fn from_stored(hash: String) -> Self {
        Self(hash)
    }

    /// The hash as text, for storage.
    ///
    /// ```
    /// # use domain::entry::PasswordHash;
    /// assert_eq!(PasswordHash::from_stored("5f".into()).as_str(), "5f");
    /// ```
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}
