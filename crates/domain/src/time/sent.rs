//! Dates as they were sent, before they are joined with what is stored.

use chrono::NaiveDateTime;

use super::{
    invalid_date::InvalidDate,
    zone::{Moment, Zone},
};

/// A date that was sent: a wall clock, or an instant that has the offset in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentDate {
    moment: Moment,
    /// The wall clock as sent, before a gap moved it; none for an instant.
    wall: Option<NaiveDateTime>,
}

impl SentDate {
    /// A wall clock of `zone`.
    ///
    /// # Errors
    ///
    /// As of [`Zone::at_local`].
    pub(super) fn at_local(zone: &Zone, wall: NaiveDateTime) -> Result<Self, InvalidDate> {
        Ok(Self {
            moment: zone.at_local(wall)?,
            wall: Some(wall),
        })
    }

    /// A time that is stored as a wall clock and as the instant that it stands for.
    pub(super) fn stored(moment: Moment) -> Self {
        Self {
            moment,
            wall: Some(moment.local),
        }
    }

    /// The moment of the date by itself: for a wall clock that is shown twice, the first time.
    ///
    /// ```
    /// use domain::time::{Timestamp, Zone, read_date};
    ///
    /// let zone = "America/New_York".parse::<Zone>()?;
    /// let sent = read_date("2027-11-07 01:30", &zone, Timestamp::MIN)?;
    /// assert_eq!(sent.moment().utc.to_string(), "2027-11-07 05:30:00");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moment(&self) -> Moment {
        self.moment
    }

    /// The moment of the date beside stored moments of the same zone: a wall clock that is one of them has its
    /// instant, so that what was read can be written back.
    ///
    /// ```
    /// use domain::time::{Timestamp, Zone, read_date};
    ///
    /// let zone = "America/New_York".parse::<Zone>()?;
    /// let stored = read_date("2027-11-07T06:30:00Z", &zone, Timestamp::MIN)?.moment();
    /// let sent = read_date("2027-11-07 01:30", &zone, Timestamp::MIN)?;
    /// assert_eq!(sent.beside([stored]), stored);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn beside(&self, stored: impl IntoIterator<Item = Moment>) -> Moment {
        let mut stored = stored.into_iter();
        let same = stored.find(|stored| self.wall == Some(stored.local));
        same.unwrap_or(self.moment)
    }

    /// The same of one stored moment, as a date.
    pub(super) fn or_stored(self, stored: Moment) -> Self {
        Self {
            moment: self.beside([stored]),
            ..self
        }
    }

    /// How long it is from here to a wall clock, in seconds, if the clocks jumped over this one and the other
    /// was not before it.
    pub(super) fn seconds_from_gap(self, end: Self) -> Option<i64> {
        let (wall, end) = (self.wall?, end.wall?);
        let seconds = (end - wall).num_seconds();
        (wall < self.moment.local && seconds >= 0).then_some(seconds)
    }
}

/// An instant as a zone shows it.
impl From<Moment> for SentDate {
    fn from(moment: Moment) -> Self {
        Self { moment, wall: None }
    }
}
