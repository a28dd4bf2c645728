//! Events whose authors are asked if they are still right.

use super::Event;
use crate::{Stage, Status, time::Timestamp};

impl Event {
    /// The days for which a change or a verification counts, and the days ahead in which an event begins that is to be
    /// verified.
    ///
    /// ```
    /// use events_calendar_domain::Event;
    ///
    /// assert_eq!(Event::VERIFIED_DAYS, 90);
    /// ```
    pub const VERIFIED_DAYS: i64 = 90;

    /// Whether its author is asked if it is still right: it is public, it begins within the next
    /// [`VERIFIED_DAYS`](Self::VERIFIED_DAYS) or is a series without end, and in as many days it was neither changed
    /// nor verified. `next_start` is the first start at or after `now`: its own start, or the start of an occurrence. An occurrence
    /// is verified with its series.
    ///
    /// ```
    /// # use events_calendar_domain::{event::*, *, text::Title, time::*};
    /// # let at = |days: i64| Timestamp::from_seconds(1_800_000_000 + days * 86_400).unwrap();
    /// # let start = at(100);
    /// # let local = Zone::utc().at(start).local;
    /// # let when = EventTime::new(Zone::utc(), local, local, false)?;
    /// # let details = EventDetails::new(when, "a@cal.example".to_owned());
    /// let mut walk = Entry::new(UserId::from_raw(1), "Walk".parse::<Title>()?, details, at(0));
    /// walk.move_to(Status::Publish, at(0));
    /// assert!(!walk.is_to_be_verified(Some(start), None, at(89)));
    /// assert!(walk.is_to_be_verified(Some(start), None, at(90)));
    /// assert!(!walk.is_to_be_verified(Some(start), Some(at(80)), at(90)));
    /// assert!(!walk.is_to_be_verified(None, None, at(101)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_to_be_verified(
        &self,
        next_start: Option<Timestamp>,
        verified: Option<Timestamp>,
        now: Timestamp,
    ) -> bool {
        let seconds = Self::VERIFIED_DAYS * 86_400;
        let last = verified.map_or(self.modified, |verified| verified.max(self.modified));
        let is_endless = self
            .series()
            .is_some_and(|series| series.kept_until.is_some());
        let is_near =
            next_start.is_some_and(|start| now <= start && start <= now.saturating_add(seconds));
        self.occurrence().is_none()
            && self.stage == Stage::Published
            && self.status(now) == Status::Publish
            && (is_endless || is_near)
            && last <= now.saturating_add(-seconds)
    }
}
