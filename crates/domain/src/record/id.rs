//! IDs of records.

use std::{cmp::Ordering, fmt, hash, marker::PhantomData, str::FromStr};

/// The ID of a record of one kind: an event's ID is not a venue's.
///
/// IDs count from 1 in each kind and are never reused. There is no `From<i64>`: every conversion
/// from a number is spelt [`Id::from_raw`].
///
/// ```
/// use events_calendar_domain::{EventId, Id, Organizer, OrganizerId};
///
/// let club: OrganizerId = Id::<Organizer>::from_raw(7);
/// let id = EventId::from_raw(club.get());
/// assert_eq!(id.get(), 7);
/// assert_eq!(id.to_string(), "7");
/// assert_eq!("7".parse(), Ok(id));
/// ```
pub struct Id<R: ?Sized>(i64, PhantomData<fn() -> R>);

impl<R: ?Sized> Id<R> {
    /// Converts a number to an ID; a record with this ID may not exist.
    ///
    /// ```
    /// assert!(events_calendar_domain::VenueId::from_raw(1) < events_calendar_domain::VenueId::from_raw(2));
    /// ```
    pub const fn from_raw(number: i64) -> Self {
        Self(number, PhantomData)
    }

    /// The number.
    ///
    /// ```
    /// assert_eq!(events_calendar_domain::TagId::from_raw(3).get(), 3);
    /// ```
    pub const fn get(self) -> i64 {
        self.0
    }
}

// Written by hand: a derive would require the same of `R`.
impl<R: ?Sized> Copy for Id<R> {}
impl<R: ?Sized> Clone for Id<R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<R: ?Sized> PartialEq for Id<R> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<R: ?Sized> Eq for Id<R> {}
impl<R: ?Sized> PartialOrd for Id<R> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<R: ?Sized> Ord for Id<R> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}
impl<R: ?Sized> hash::Hash for Id<R> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
impl<R: ?Sized> fmt::Debug for Id<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}
impl<R: ?Sized> fmt::Display for Id<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<R: ?Sized> FromStr for Id<R> {
    type Err = InvalidId;

    /// Reads a number of decimal digits, from 1.
    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|number| is_digits && *number > 0);
        number.map(Self::from_raw).ok_or(InvalidId)
    }
}

/// Error: the text is no ID.
///
/// ```
/// use events_calendar_domain::{EventId, InvalidId};
/// assert_eq!("+7".parse::<EventId>(), Err(InvalidId));
/// assert_eq!(InvalidId.to_string(), "must be a number from 1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a number from 1")]
pub struct InvalidId;
