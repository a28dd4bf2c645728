//! Values that no log may show.

use std::fmt;

/// A value that `Debug` hides: a token, a password, a key, a hash of one of them, or a URL that may
/// hold a password.
///
/// There is no `Display`, and the value is reached by [`Secret::expose`] alone. Search for that
/// name to find each use of a secret. The memory is not overwritten on drop: the bytes of the
/// request, and the buffers of database drivers, hold copies.
///
/// ```
/// use events_calendar_domain::Secret;
///
/// let token = Secret::new("5f2a".to_owned());
/// assert_eq!(format!("{token:?}"), "Secret(…)");
/// assert_eq!(token.expose(), "5f2a");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Secret<T = String>(T);

impl<T> Secret<T> {
    /// Hides a value.
    ///
    /// ```
    /// # use events_calendar_domain::Secret;
    /// assert_eq!(Secret::new(vec![1_u8, 2]).expose(), &[1, 2]);
    /// ```
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The value, for its one purpose: never for a log, an error or an answer.
    ///
    /// ```
    /// # use events_calendar_domain::Secret;
    /// let key = Secret::new("k".to_owned());
    /// assert_eq!(key.expose().len(), 1);
    /// ```
    pub const fn expose(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for Secret<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
