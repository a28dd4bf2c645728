//! Events that were moved to another start.

use super::Event;
use crate::{
    Record as _,
    time::{Moment, Timestamp},
};

/// The last move of an event to another start, of which readers learn for [`Self::DAYS`] days.
///
/// ```
/// # use events_calendar_domain::{event::*, *, text::Title, time::*};
/// let at = |seconds| Timestamp::from_seconds(1_800_000_000 + seconds).unwrap();
/// let when = |text| {
///     let start = parse_civil(text).unwrap();
///     EventTime::new("Europe/Paris".parse().unwrap(), start, start, false).unwrap()
/// };
/// let details = EventDetails::new(when("2027-04-17 12:00:00"), "a@cal.example".to_owned());
/// let mut walk = Entry::new(UserId::from_raw(1), "Walk".parse::<Title>()?, details, at(0));
/// walk.move_to(Status::Publish, at(0));
/// let moved = |before: &Event, start, is_announced, now| {
///     let mut event = before.clone();
///     event.details.when = when(start);
///     event.details.rescheduling = event.rescheduling_since(before, is_announced, now);
///     event
/// };
/// let day = 86_400_i64;
///
/// // The start before the first move stays known, for 30 days.
/// let later = moved(&walk, "2027-04-24 12:00:00", true, at(0));
/// let latest = moved(&later, "2027-05-01 12:00:00", true, at(day));
/// for event in [&later, &latest] {
///     let previous = event.previous_start(at(30 * day - 1)).unwrap();
///     assert_eq!(previous.local, parse_civil("2027-04-17 12:00:00").unwrap());
///     assert_eq!(event.previous_start(at(30 * day)), None);
/// }
/// // An event that is moved back was not moved.
/// assert_eq!(moved(&latest, "2027-04-17 12:00:00", true, at(day)).details.rescheduling, None);
/// // A small move is none, and a move that is not announced is not told.
/// assert_eq!(moved(&walk, "2027-04-17 12:14:59", true, at(0)).details.rescheduling, None);
/// assert_eq!(moved(&walk, "2027-04-24 12:00:00", false, at(0)).details.rescheduling, None);
/// // After the start, an event is moved no more.
/// let begun = walk.details.when.start().utc;
/// assert_eq!(moved(&walk, "2027-04-24 12:00:00", true, begun).details.rescheduling, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rescheduling {
    /// The start before the move.
    pub previous_start: Timestamp,
    /// The instant of the move.
    pub moved: Timestamp,
}

impl Rescheduling {
    /// The number of days after a move in which readers learn of it.
    ///
    /// ```
    /// use events_calendar_domain::event::Rescheduling;
    ///
    /// assert_eq!(Rescheduling::DAYS, 30);
    /// ```
    pub const DAYS: i64 = 30;

    /// The least distance of a move, in minutes.
    ///
    /// ```
    /// use events_calendar_domain::event::Rescheduling;
    ///
    /// assert_eq!(Rescheduling::LEAST_MINUTES, 15);
    /// ```
    pub const LEAST_MINUTES: u64 = 15;

    /// Whether readers learn of the move at `now`.
    fn is_recent(self, now: Timestamp) -> bool {
        now < self.moved.saturating_add(Self::DAYS * 86_400)
    }
}

impl Event {
    /// The start before the event was moved, in its present zone, if readers learn of the move at
    /// `now`.
    pub fn previous_start(&self, now: Timestamp) -> Option<Moment> {
        let recent = self.details.rescheduling.filter(|one| one.is_recent(now))?;
        Some(self.details.when.zone().at(recent.previous_start))
    }

    /// The last move of the event after a change at `now`. A move is one of an event that everybody
    /// may list and that has not begun, by [`Rescheduling::LEAST_MINUTES`] at least. A series has
    /// none: its occurrences are listed.
    ///
    /// The first of several moves within [`Rescheduling::DAYS`] days counts, until the event is moved
    /// back. Outside of the trash, an event that is not published has no move. A move that is not
    /// announced has no effect.
    pub fn rescheduling_since(
        &self,
        before: &Self,
        is_announced: bool,
        now: Timestamp,
    ) -> Option<Rescheduling> {
        if !self.keeps_rescheduling(now) || self.series().is_some() {
            return None;
        }
        let (old, new) = (before.start(), self.start());
        let last = before.details.rescheduling;
        if let Some(recent) = last.filter(|one| one.is_recent(now)) {
            return (!is_near(recent.previous_start, new)).then_some(recent);
        }
        let was_listed = before.is_public(now) && before.series().is_none();
        if is_announced && was_listed && now < old && !is_near(old, new) {
            return Some(Rescheduling {
                previous_start: old,
                moved: now,
            });
        }
        last
    }

    /// Whether a move of the event stays known.
    pub(super) fn keeps_rescheduling(&self, now: Timestamp) -> bool {
        self.is_published(now) || self.is_in_trash()
    }

    fn start(&self) -> Timestamp {
        self.details.when.start().utc
    }
}

/// Whether an event that is moved from one start to another is not rescheduled.
fn is_near(a: Timestamp, b: Timestamp) -> bool {
    a.seconds().abs_diff(b.seconds()) < Rescheduling::LEAST_MINUTES * 60
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Entry, Status, UserId,
        event::EventDetails,
        text::Title,
        time::{EventTime, Zone},
    };

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_seconds(1_800_000_000 + minutes * 60).unwrap()
    }

    fn when(minutes: i64) -> EventTime {
        let start = at(minutes).civil();
        EventTime::new(Zone::utc(), start, start, false).unwrap()
    }

    /// A public event that begins after some minutes.
    fn event(minutes: i64) -> Event {
        let details = EventDetails::new(when(minutes), "a@cal.example".to_owned());
        let title = "Walk".parse::<Title>().unwrap();
        let mut event = Entry::new(UserId::from_raw(1), title, details, at(0));
        event.move_to(Status::Publish, at(0));
        event
    }

    /// The event after a change at a minute.
    fn changed(before: &Event, now: i64, change: impl FnOnce(&mut Event)) -> Event {
        let mut event = before.clone();
        change(&mut event);
        event.details.rescheduling = event.rescheduling_since(before, true, at(now));
        event
    }

    fn moved(before: &Event, now: i64, minutes: i64) -> Event {
        changed(before, now, |event| event.details.when = when(minutes))
    }

    const MONTH: i64 = Rescheduling::DAYS * 24 * 60;

    #[test]
    fn moves_of_fifteen_minutes_count() {
        for (minutes, counts) in [(14, false), (15, true), (-14, false), (-15, true)] {
            let after = moved(&event(1000), 1, 1000 + minutes);
            let expected = counts.then_some(Rescheduling {
                previous_start: at(1000),
                moved: at(1),
            });
            assert_eq!(after.details.rescheduling, expected, "{minutes}");
        }
    }

    #[test]
    fn only_events_that_everybody_may_list_are_rescheduled() {
        let changes: [fn(&mut Event); 4] = [
            |event| event.details.hide_from_listings = true,
            |event| event.move_to(Status::Draft, at(0)),
            |event| event.move_to(Status::Private, at(0)),
            |event| {
                (event.date, event.date_is_chosen) = (at(100), true);
                event.move_to(Status::Publish, at(0));
            },
        ];
        for change in changes {
            let mut before = event(1000);
            change(&mut before);
            assert_eq!(moved(&before, 1, 2000).details.rescheduling, None);
        }
    }

    #[test]
    fn an_event_that_is_published_again_is_not_rescheduled() {
        let after = moved(&event(1000), 1, 2000);
        for status in [Status::Draft, Status::Pending, Status::Private] {
            let hidden = changed(&after, 2, |event| event.move_to(status, at(2)));
            assert_eq!(hidden.details.rescheduling, None, "{status:?}");
        }
        let trashed = changed(&after, 2, |event| event.move_to(Status::Trash, at(2)));
        let revived = changed(&trashed, 3, |event| event.move_to(Status::Publish, at(3)));
        assert!(revived.previous_start(at(3)).is_some());
    }

    #[test]
    fn a_later_move_counts_after_a_month() {
        let first = moved(&event(3 * MONTH), 0, 4 * MONTH);
        let previous = |event: &Event, now| event.previous_start(at(now)).map(|one| one.utc);
        let soon = moved(&first, MONTH - 1, 5 * MONTH);
        assert_eq!(previous(&soon, MONTH - 1), Some(at(3 * MONTH)));
        let late = moved(&first, MONTH, 5 * MONTH);
        assert_eq!(previous(&late, MONTH), Some(at(4 * MONTH)));
        // Also back to the start before the first move.
        let back = moved(&first, MONTH, 3 * MONTH);
        assert_eq!(previous(&back, MONTH), Some(at(4 * MONTH)));
        // A change of anything else changes nothing here.
        let same = changed(&first, 2 * MONTH, |event| event.details.featured = true);
        assert_eq!(same.details.rescheduling, first.details.rescheduling);
    }
}
