//! Bounds of the times of events.

use crate::time::Timestamp;

/// Bounds of the start and the end of an event, all inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Earliest start.
    pub start_min: Option<Timestamp>,
    /// Latest start.
    pub start_max: Option<Timestamp>,
    /// Earliest end.
    pub end_min: Option<Timestamp>,
    /// Latest end.
    pub end_max: Option<Timestamp>,
}

impl Window {
    /// Whether an event with this start and end is within the bounds.
    ///
    /// ```
    /// use events_calendar_domain::{event::Window, time::Timestamp};
    /// let at = |seconds| Timestamp::from_seconds(seconds).unwrap();
    /// let window = Window { start_min: Some(at(10)), end_max: Some(at(20)), ..Window::default() };
    /// assert!(window.holds(at(10), at(20)));
    /// assert!(!window.holds(at(9), at(20)));
    /// ```
    pub fn holds(&self, start: Timestamp, end: Timestamp) -> bool {
        let within = |moment, min: Option<Timestamp>, max: Option<Timestamp>| {
            min.is_none_or(|min| min <= moment) && max.is_none_or(|max| moment <= max)
        };
        within(start, self.start_min, self.start_max) && within(end, self.end_min, self.end_max)
    }

    /// The bounds of this window and of another together.
    ///
    /// ```
    /// use events_calendar_domain::{event::Window, time::Timestamp};
    /// let at = Timestamp::from_seconds;
    /// let march = Window { start_min: at(10), end_max: at(20), ..Window::default() };
    /// let rest = Window { start_min: at(15), end_min: at(16), ..Window::default() };
    /// let both = march.and(&rest);
    /// assert_eq!((both.start_min, both.end_min, both.end_max), (at(15), at(16), at(20)));
    /// ```
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let earliest = |one: Option<Timestamp>, other| one.into_iter().chain(other).min();
        Self {
            start_min: self.start_min.max(other.start_min),
            start_max: earliest(self.start_max, other.start_max),
            end_min: self.end_min.max(other.end_min),
            end_max: earliest(self.end_max, other.end_max),
        }
    }

    /// The latest start of an event within the bounds. The latest end bounds it too, as no event
    /// ends before it starts.
    ///
    /// ```
    /// use events_calendar_domain::{event::Window, time::Timestamp};
    /// let at = |seconds| Timestamp::from_seconds(seconds).unwrap();
    /// let window = Window { start_max: Some(at(30)), end_max: Some(at(20)), ..Window::default() };
    /// assert_eq!(window.latest_start(), Some(at(20)));
    /// assert_eq!(Window::default().latest_start(), None);
    /// ```
    pub fn latest_start(&self) -> Option<Timestamp> {
        self.start_max.into_iter().chain(self.end_max).min()
    }

    /// The earliest end: events that start before it can only match if they are still going on
    /// then. None if there is no such bound, or if the window excludes earlier starts.
    ///
    /// ```
    /// use events_calendar_domain::{event::Window, time::Timestamp};
    /// let at = |seconds| Timestamp::from_seconds(seconds).unwrap();
    /// let window = Window { end_min: Some(at(20)), ..Window::default() };
    /// assert_eq!(window.going_on_at(), Some(at(20)));
    /// let later = Window { start_min: Some(at(20)), ..window };
    /// assert_eq!(later.going_on_at(), None);
    /// ```
    pub fn going_on_at(&self) -> Option<Timestamp> {
        self.end_min
            .filter(|end| self.start_min.is_none_or(|start| start < *end))
    }
}
