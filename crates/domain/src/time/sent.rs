//! Dates as sent, before their comparison with stored ones.

use chrono::NaiveDateTime;

use super::{
    invalid_date::InvalidDate,
    zone::{Moment, Zone},
};

/// A date as sent: a wall clock, or an instant if it had an offset.
///
/// ```
/// use events_calendar_domain::time::{SentDate, Timestamp, Zone};
///
/// let epoch = Zone::utc().at(Timestamp::from_seconds(0).unwrap());
/// assert_eq!(SentDate::from(epoch).moment(), epoch);
/// ```
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
    /// As for [`Zone::at_local`].
    pub(crate) fn at_local(zone: &Zone, wall: NaiveDateTime) -> Result<Self, InvalidDate> {
        Ok(Self {
            moment: zone.at_local(wall)?,
            wall: Some(wall),
        })
    }

    /// A stored time: the wall clock and its instant.
    pub(super) fn stored(moment: Moment) -> Self {
        Self {
            moment,
            wall: Some(moment.local),
        }
    }

    /// The moment of the date alone; for a wall clock that occurs twice, the first occurrence.
    ///
    /// ```
    /// use events_calendar_domain::time::{Timestamp, Zone, read_date};
    ///
    /// let zone = "America/New_York".parse::<Zone>()?;
    /// let sent = read_date("2027-11-07 01:30", &zone, Timestamp::MIN)?;
    /// assert_eq!(sent.moment().utc.to_string(), "2027-11-07 05:30:00");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moment(&self) -> Moment {
        self.moment
    }

    /// The wall clock as sent, before a gap moved it; none for an instant.
    pub(crate) fn wall(&self) -> Option<NaiveDateTime> {
        self.wall
    }

    /// The date as a text that [`read_date`](super::read_date) reads as this date, in the same zone: a wall
    /// clock, or an instant in UTC.
    ///
    /// ```
    /// use events_calendar_domain::time::{Timestamp, Zone, read_date};
    ///
    /// let zone = "Europe/Paris".parse::<Zone>()?;
    /// let text = |sent: &str| read_date(sent, &zone, Timestamp::MIN).map(|sent| sent.text());
    /// assert_eq!(text("2027-04-17 09:00")?, "2027-04-17 09:00:00");
    /// assert_eq!(text("2027-04-17T09:00:00+02:00")?, "2027-04-17 07:00:00Z");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn text(&self) -> String {
        match self.wall {
            Some(wall) => wall.to_string(),
            None => format!("{}Z", self.moment.utc),
        }
    }

    /// The moment of the date, compared with stored moments of the same zone. A wall clock equal to
    /// a stored one gets its instant, so that a client can write back the times that it read.
    ///
    /// ```
    /// use events_calendar_domain::time::{Timestamp, Zone, read_date};
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

    /// The date after comparison with one stored moment.
    pub(super) fn or_stored(self, stored: Moment) -> Self {
        Self {
            moment: self.beside([stored]),
            ..self
        }
    }

    /// The seconds from this wall clock to `end`, if the clocks skipped this one and `end` was not
    /// before it.
    pub(super) fn seconds_from_gap(self, end: Self) -> Option<i64> {
        let (wall, end) = (self.wall?, end.wall?);
        let seconds = (end - wall).num_seconds();
        (wall < self.moment.local && seconds >= 0).then_some(seconds)
    }
}

/// An instant in the clocks of a zone.
impl From<Moment> for SentDate {
    fn from(moment: Moment) -> Self {
        Self { moment, wall: None }
    }
}
