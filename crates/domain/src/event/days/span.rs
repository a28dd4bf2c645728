//! The days of events.

use crate::{
    Event, EventId, Stored,
    event::Window,
    time::{NaiveDate, Timestamp, Zone},
};

/// A day in seconds: more than the clocks of any two places differ.
const DAY: i64 = 86_400;

/// The part of an event that a view by day needs to place it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventSpan {
    /// The event.
    pub id: EventId,
    /// Its start.
    pub start: Timestamp,
    /// Its end.
    pub end: Timestamp,
    /// Its zone.
    pub zone: Zone,
    /// Whether it comes first in its day. Never for an event that a password locks.
    pub sticky: bool,
}

impl EventSpan {
    /// The part of an event that a view needs.
    ///
    /// ```
    /// # use events_calendar_domain::{*, event::{EventDetails, EventSpan}, text::Title, time::*};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
    /// # let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
    /// # let content = Entry::new(UserId::from_raw(1), "Concert".parse::<Title>()?, details, now);
    /// let concert = Stored { id: EventId::from_raw(1), revision: 1, content };
    /// let span = EventSpan::of(&concert);
    /// assert_eq!((span.id, span.start), (concert.id, concert.details.when.start().utc));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(event: &Stored<Event>) -> Self {
        let details = &event.details;
        Self {
            id: event.id,
            start: details.when.start().utc,
            end: details.when.end().utc,
            zone: details.when.zone().clone(),
            sticky: details.sticky && details.password.is_none(),
        }
    }

    /// The first and the last day of the event, by its own clocks. An event that ends at midnight does
    /// not take place on the day that begins then.
    ///
    /// ```
    /// use events_calendar_domain::{EventId, event::EventSpan, time::{Timestamp, Zone}};
    ///
    /// let party = EventSpan {
    ///     id: EventId::from_raw(1),
    ///     start: "2027-03-10 19:00:00".parse::<Timestamp>().unwrap(),
    ///     end: "2027-03-10 23:00:00".parse::<Timestamp>().unwrap(),
    ///     zone: "Europe/Paris".parse::<Zone>().unwrap(),
    ///     sticky: false,
    /// };
    /// let [first, last] = party.days();
    /// assert_eq!((first.to_string().as_str(), last), ("2027-03-10", first));
    /// ```
    pub fn days(&self) -> [NaiveDate; 2] {
        let last_second = self.end.saturating_add(-1).max(self.start);
        [self.start, last_second].map(|moment| self.zone.at(moment).local.date())
    }
}

/// Events with their days, in the order of a day: sticky ones first, then by start.
///
/// ```
/// use events_calendar_domain::{EventId, event::{DayCell, DaySpans, EventSpan, Placed}, time::{Timestamp, Zone}};
///
/// let at = |text: &str| text.parse::<Timestamp>().unwrap();
/// let span = |id, start: &str, end: &str| EventSpan {
///     id: EventId::from_raw(id),
///     start: at(start),
///     end: at(end),
///     zone: Zone::utc(),
///     sticky: false,
/// };
/// let spans = DaySpans::new(vec![
///     span(1, "2027-03-10 19:00:00", "2027-03-10 22:00:00"),
///     span(2, "2027-03-09 09:00:00", "2027-03-11 17:00:00"),
/// ]);
/// let wednesday = "2027-03-10".parse().unwrap();
/// assert_eq!(spans.on(wednesday), [2, 1].map(EventId::from_raw));
///
/// // The week as a row of cells, each with room for one event.
/// let week: [DayCell; 7] = spans.week("2027-03-08".parse().unwrap(), 1);
/// assert_eq!((week[2].date, week[2].more), (wednesday, 1));
/// let placed: Placed = week[2].placed[0];
/// assert_eq!((placed.id, placed.row), (EventId::from_raw(2), 0));
/// assert!(!placed.begins && !placed.ends);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DaySpans {
    pub(super) spans: Vec<OfDays>,
}

/// An event with its first and last day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OfDays {
    pub(super) id: EventId,
    pub(super) days: [NaiveDate; 2],
    pub(super) sticky: bool,
}

impl DaySpans {
    /// Events with their days.
    pub fn new(mut spans: Vec<EventSpan>) -> Self {
        spans.sort_unstable_by_key(|span| (!span.sticky, span.start, span.id));
        let spans = spans.iter().map(|span| OfDays {
            id: span.id,
            days: span.days(),
            sticky: span.sticky,
        });
        Self {
            spans: spans.collect(),
        }
    }

    /// A window that holds each event which takes place on one of these days in any zone, and a few others.
    ///
    /// ```
    /// use events_calendar_domain::event::DaySpans;
    /// let day = "2027-03-10".parse().unwrap();
    /// let window = DaySpans::window(day, day);
    /// let noon = "2027-03-10 12:00:00".parse().unwrap();
    /// assert!(window.holds(noon, noon));
    /// ```
    pub fn window(first: NaiveDate, last: NaiveDate) -> Window {
        Window {
            start_max: Some(midnight(last).saturating_add(2 * DAY)),
            end_min: Some(midnight(first).saturating_add(-DAY)),
            ..Window::default()
        }
    }

    /// A window all of whose events begin on one of these days, in any zone; none for fewer than three days. Other
    /// events may, too.
    ///
    /// ```
    /// use events_calendar_domain::event::DaySpans;
    /// let day = |text: &str| text.parse().unwrap();
    /// let window = DaySpans::core(day("2027-03-10"), day("2027-03-12")).unwrap();
    /// let noon = "2027-03-11 12:00:00".parse().unwrap();
    /// assert!(window.holds(noon, noon));
    /// assert_eq!(DaySpans::core(day("2027-03-10"), day("2027-03-11")), None);
    /// ```
    pub fn core(first: NaiveDate, last: NaiveDate) -> Option<Window> {
        let (start_min, start_max) = (midnight(first).saturating_add(DAY), midnight(last));
        (start_min < start_max).then_some(Window {
            start_min: Some(start_min),
            start_max: Some(start_max),
            ..Window::default()
        })
    }

    /// The events that take place on a day.
    pub fn on(&self, day: NaiveDate) -> Vec<EventId> {
        let spans = self.spans.iter();
        let on_day = spans.filter(|span| (span.days[0]..=span.days[1]).contains(&day));
        on_day.map(|span| span.id).collect()
    }

    /// Whether an event takes place on one of some days.
    ///
    /// ```
    /// use events_calendar_domain::event::DaySpans;
    /// let day = "2027-03-10".parse().unwrap();
    /// assert!(!DaySpans::default().any(day, day));
    /// ```
    pub fn any(&self, first: NaiveDate, last: NaiveDate) -> bool {
        self.within(first, last).next().is_some()
    }

    /// The events that take place on one of some days, each once.
    ///
    /// ```
    /// use events_calendar_domain::event::DaySpans;
    /// let day = "2027-03-10".parse().unwrap();
    /// assert_eq!(DaySpans::default().within(day, day).count(), 0);
    /// ```
    pub fn within(&self, first: NaiveDate, last: NaiveDate) -> impl Iterator<Item = EventId> {
        let spans = self.spans.iter();
        let within = spans.filter(move |span| span.days[0] <= last && span.days[1] >= first);
        within.map(|span| span.id)
    }
}

/// Midnight in UTC, within the years of times.
fn midnight(day: NaiveDate) -> Timestamp {
    let seconds = day.and_time(chrono::NaiveTime::MIN).and_utc().timestamp();
    Timestamp::MIN.saturating_add(seconds - Timestamp::MIN.seconds())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn span(start: &str, end: &str, zone: &str) -> EventSpan {
        EventSpan {
            id: EventId::from_raw(1),
            start: at(start),
            end: at(end),
            zone: zone.parse().unwrap(),
            sticky: false,
        }
    }

    #[test]
    fn an_event_has_the_days_of_its_own_clocks() {
        for (start, end, zone, first, last) in [
            (
                "2027-03-10 12:00:00",
                "2027-03-10 13:00:00",
                "UTC",
                "2027-03-10",
                "2027-03-10",
            ),
            // 01:00 to 03:00 of the next day in Tokyo.
            (
                "2027-03-10 16:00:00",
                "2027-03-10 18:00:00",
                "Asia/Tokyo",
                "2027-03-11",
                "2027-03-11",
            ),
            // Until midnight, and a minute longer.
            (
                "2027-03-10 20:00:00",
                "2027-03-11 00:00:00",
                "UTC",
                "2027-03-10",
                "2027-03-10",
            ),
            (
                "2027-03-10 20:00:00",
                "2027-03-11 00:01:00",
                "UTC",
                "2027-03-10",
                "2027-03-11",
            ),
            // A moment at midnight.
            (
                "2027-03-11 00:00:00",
                "2027-03-11 00:00:00",
                "UTC",
                "2027-03-11",
                "2027-03-11",
            ),
            // Whole days.
            (
                "2027-03-10 00:00:00",
                "2027-03-12 23:59:59",
                "UTC",
                "2027-03-10",
                "2027-03-12",
            ),
        ] {
            let days = span(start, end, zone).days();
            assert_eq!(days, [day(first), day(last)], "{start} {end} {zone}");
        }
    }

    #[test]
    fn the_window_of_a_day_holds_its_events_in_every_zone() {
        let window = DaySpans::window(day("2027-03-10"), day("2027-03-10"));
        for zone in ["Pacific/Kiritimati", "Pacific/Niue", "+14:00", "-12:00"] {
            let zone: Zone = zone.parse().unwrap();
            for hour in 0..24 * 5 {
                let start = at("2027-03-08 00:00:00").saturating_add(hour * 3_600);
                let event = EventSpan {
                    start,
                    end: start,
                    zone: zone.clone(),
                    ..span("2027-03-10 00:00:00", "2027-03-10 00:00:00", "UTC")
                };
                let is_on_day = event.days()[0] == day("2027-03-10");
                assert!(!is_on_day || window.holds(start, start), "{start} {zone:?}");
            }
        }
        assert_eq!(
            DaySpans::window(NaiveDate::MIN, NaiveDate::MAX).end_min,
            Some(Timestamp::MIN)
        );
    }

    #[test]
    fn sticky_events_come_first() {
        let at = |id, hour: &str, sticky| EventSpan {
            id: EventId::from_raw(id),
            sticky,
            ..span(
                &format!("2027-03-10 {hour}:00:00"),
                "2027-03-10 23:00:00",
                "UTC",
            )
        };
        let spans = DaySpans::new(vec![
            at(1, "12", false),
            at(2, "09", false),
            at(3, "18", true),
        ]);
        assert_eq!(
            spans.on(day("2027-03-10")),
            [3, 2, 1].map(EventId::from_raw)
        );
        assert!(spans.on(day("2027-03-11")).is_empty());
    }
}
