//! The sequence of an event: the number of changes that matter to guests (RFC 5545, 3.8.7.4; RFC 5546, 2.1.4).

use super::{Event, EventDetails, Repetition};
use crate::{recurrence::Recurrence, time::Timestamp};

impl EventDetails {
    /// Counts the change from `before`, if it matters to guests: another time, venue or recurrence, or a cancellation.
    ///
    /// ```
    /// # use events_calendar_domain::{event::EventDetails, time::{EventTime, Zone, parse_civil}};
    /// # let nine = parse_civil("2027-03-10 09:00:00").unwrap();
    /// # let when = EventTime::new(Zone::utc(), nine, nine, false)?;
    /// let before = EventDetails::new(when, "1@cal.example".to_owned());
    /// let mut after = before.clone();
    /// after.featured = true;
    /// after.count_change_since(&before);
    /// assert_eq!(after.sequence, 0);
    /// after.cancelled = true;
    /// after.count_change_since(&before);
    /// assert_eq!(after.sequence, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count_change_since(&mut self, before: &Self) {
        let matters = self.when != before.when
            || self.venue != before.venue
            || self.cancelled != before.cancelled
            || self.recurrence() != before.recurrence();
        if matters {
            self.sequence = before.sequence + 1;
        }
    }

    fn recurrence(&self) -> Option<&Recurrence> {
        match &self.repetition {
            Repetition::Series(series) => Some(&series.recurrence),
            Repetition::Once | Repetition::Occurrence(_) => None,
        }
    }
}

impl Event {
    /// Counts the change from `before` at `now`, if it ends or restores the publicity of the event.
    ///
    /// ```
    /// # use events_calendar_domain::{*, event::EventDetails, time::{EventTime, Zone, parse_civil}};
    /// # let nine = parse_civil("2027-03-10 09:00:00").unwrap();
    /// # let when = EventTime::new(Zone::utc(), nine, nine, false)?;
    /// # let now = when.start().utc;
    /// # let details = EventDetails::new(when, "1@cal.example".to_owned());
    /// let mut before = Event::new(UserId::from_raw(1), "Fair".parse()?, details, now);
    /// before.move_to(Status::Publish, now);
    /// let mut after = before.clone();
    /// after.move_to(Status::Draft, now);
    /// after.count_publicity_since(&before, now);
    /// assert_eq!(after.details.sequence, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count_publicity_since(&mut self, before: &Self, now: Timestamp) {
        let counted = before.details.sequence;
        let least = match (before.is_public(now), self.is_public(now)) {
            // Its publication is scheduled, and takes effect without a write.
            (true, false) if self.lists_occurrences() => counted + 2,
            (true, false) => counted + 1,
            // An event that was never withdrawn has no publicity to restore.
            (false, true) if counted > 0 => counted + 1,
            _ => return,
        };
        self.details.sequence = self.details.sequence.max(least);
    }
}
