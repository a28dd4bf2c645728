//! When an event takes place.

use chrono::{NaiveDate, NaiveDateTime};

use super::{
    input::InvalidDate,
    zone::{Moment, Zone},
};

/// The start and the end of an event, in the zone they are read in; the end is not before the start.
///
/// An all-day event takes whole days, from 00:00:00 of the first to 23:59:59 of the last, by the
/// clocks of its zone. Where they jump over one of these times it is the first or the last second that
/// the day has; a day that they leave out is the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventTime {
    start: Moment,
    end: Moment,
    zone: Zone,
    all_day: bool,
}

/// What to change about an [`EventTime`]; an absent field stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventTimeChange {
    /// The zone in which both times are read from now on.
    pub zone: Option<Zone>,
    /// The start, as the zone that holds from now on sees it.
    pub start: Option<Moment>,
    /// The end, as the zone that holds from now on sees it.
    pub end: Option<Moment>,
    /// Whether the event takes whole days.
    pub all_day: Option<bool>,
}

impl EventTime {
    /// Joins two wall clocks of `zone`; for an all-day event, their days.
    ///
    /// Start and end may be equal. They are compared as instants, and those of an all-day event as
    /// days.
    ///
    /// ```
    /// use domain::time::{EventTime, Zone, parse_civil};
    ///
    /// let nine = parse_civil("2027-03-10 09:00:00").unwrap();
    /// let eleven = parse_civil("2027-03-12 11:00:00").unwrap();
    /// let time = EventTime::new(Zone::parse("Asia/Tokyo")?, nine, eleven, true)?;
    /// assert_eq!(time.start().utc.to_string(), "2027-03-09 15:00:00");
    /// assert_eq!(time.end().utc.to_string(), "2027-03-12 14:59:59");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidEventTime`], naming the rule that the times break.
    pub fn new(
        zone: Zone,
        start: NaiveDateTime,
        end: NaiveDateTime,
        all_day: bool,
    ) -> Result<Self, InvalidEventTime> {
        if all_day {
            return Self::days(zone, start.date(), end.date());
        }
        let (start, end) = (zone.at_local(start)?, zone.at_local(end)?);
        Self::between(zone, start, end, false)
    }

    /// Joins two moments as `zone` sees them: of a wall clock that shows an hour twice, either may
    /// be meant. An all-day event takes their days.
    ///
    /// ```
    /// use domain::time::{EventTime, Timestamp, Zone, parse_date};
    ///
    /// let zone = Zone::parse("America/New_York")?;
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let second_reading = parse_date("2027-11-07T06:30:00Z", &zone, now)?;
    /// let time = EventTime::between(zone, second_reading, second_reading, false)?;
    /// assert_eq!(time.start().utc.to_string(), "2027-11-07 06:30:00");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidEventTime`], naming the rule that the times break.
    pub fn between(
        zone: Zone,
        start: Moment,
        end: Moment,
        all_day: bool,
    ) -> Result<Self, InvalidEventTime> {
        if all_day {
            return Self::days(zone, start.local.date(), end.local.date());
        }
        if end.utc < start.utc {
            return Err(InvalidEventTime::EndBeforeStart);
        }
        Ok(Self {
            start,
            end,
            zone,
            all_day,
        })
    }

    /// Whole days, from the first to the last.
    fn days(zone: Zone, first: NaiveDate, last: NaiveDate) -> Result<Self, InvalidEventTime> {
        if last < first {
            return Err(InvalidEventTime::EndBeforeStart);
        }
        Ok(Self {
            start: zone.day(first)?.0,
            end: zone.day(last)?.1,
            zone,
            all_day: true,
        })
    }

    /// The same time after a change.
    ///
    /// Wall clocks that are not changed stay, and their instants follow the zone. Whoever turns an
    /// all-day event into another leaves it at 00:00:00 and 23:59:59, unless they say otherwise.
    ///
    /// ```
    /// use domain::time::{EventTime, EventTimeChange, Zone, parse_civil};
    ///
    /// let nine = parse_civil("2027-03-10 09:00:00").unwrap();
    /// let time = EventTime::new(Zone::utc(), nine, nine, false)?;
    /// let zone = Some(Zone::parse("America/New_York")?);
    /// let moved = time.changed(EventTimeChange { zone, ..EventTimeChange::default() })?;
    /// assert_eq!(moved.start().local, nine);
    /// assert_eq!(moved.start().utc.to_string(), "2027-03-10 14:00:00");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As of [`Self::new`], for the times after the change.
    pub fn changed(&self, change: EventTimeChange) -> Result<Self, InvalidEventTime> {
        let EventTimeChange {
            zone: new_zone,
            start,
            end,
            all_day,
        } = change;
        let zone = new_zone.unwrap_or_else(|| self.zone.clone());
        let all_day = all_day.unwrap_or(self.all_day);
        if all_day {
            let day = |moment: Moment| moment.local.date();
            let (first, last) = (start.unwrap_or(self.start), end.unwrap_or(self.end));
            return Self::days(zone, day(first), day(last));
        }
        let kept = |moment: Moment| {
            if zone == self.zone {
                Ok(moment)
            } else {
                zone.at_local(moment.local)
            }
        };
        let start = start.map_or_else(|| kept(self.start), Ok)?;
        let end = end.map_or_else(|| kept(self.end), Ok)?;
        Self::between(zone, start, end, false)
    }

    /// When the event begins.
    ///
    /// ```
    /// # use domain::time::{EventTime, Zone, parse_civil};
    /// let nine = parse_civil("2027-03-10 09:00:00").unwrap();
    /// assert_eq!(EventTime::new(Zone::utc(), nine, nine, false)?.start().local, nine);
    /// # Ok::<(), domain::time::InvalidEventTime>(())
    /// ```
    pub fn start(&self) -> Moment {
        self.start
    }

    /// When the event ends; for an all-day event, the last second of its last day.
    ///
    /// ```
    /// # use domain::time::{EventTime, Zone, parse_civil};
    /// let nine = parse_civil("2027-03-10 09:00:00").unwrap();
    /// let time = EventTime::new(Zone::utc(), nine, nine, true)?;
    /// assert_eq!(time.end().utc.to_string(), "2027-03-10 23:59:59");
    /// # Ok::<(), domain::time::InvalidEventTime>(())
    /// ```
    pub fn end(&self) -> Moment {
        self.end
    }

    /// The zone whose wall clocks the times are.
    ///
    /// ```
    /// # use domain::time::{EventTime, Zone, parse_civil};
    /// let nine = parse_civil("2027-03-10 09:00:00").unwrap();
    /// assert_eq!(EventTime::new(Zone::utc(), nine, nine, false)?.zone(), &Zone::utc());
    /// # Ok::<(), domain::time::InvalidEventTime>(())
    /// ```
    pub fn zone(&self) -> &Zone {
        &self.zone
    }

    /// Whether the event takes whole days.
    ///
    /// ```
    /// # use domain::time::{EventTime, Zone, parse_civil};
    /// let nine = parse_civil("2027-03-10 09:00:00").unwrap();
    /// assert!(EventTime::new(Zone::utc(), nine, nine, true)?.all_day());
    /// # Ok::<(), domain::time::InvalidEventTime>(())
    /// ```
    pub fn all_day(&self) -> bool {
        self.all_day
    }
}

/// Why two times are not the start and the end of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidEventTime {
    /// The end is earlier than the start; for an all-day event, on an earlier day.
    #[error("must not be before the start")]
    EndBeforeStart,
    /// A time is not within the years 1 to 9999, by the wall clock or in UTC.
    #[error(transparent)]
    OutOfRange(#[from] InvalidDate),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{format_civil, parse_civil};

    fn wall(text: &str) -> NaiveDateTime {
        parse_civil(text).unwrap()
    }

    fn event(
        zone: &str,
        start: &str,
        end: &str,
        all_day: bool,
    ) -> Result<EventTime, InvalidEventTime> {
        EventTime::new(Zone::parse(zone).unwrap(), wall(start), wall(end), all_day)
    }

    /// Start and end by the wall clock, then in UTC.
    fn times(time: &EventTime) -> [String; 4] {
        let (start, end) = (time.start(), time.end());
        [
            format_civil(start.local),
            format_civil(end.local),
            start.utc.to_string(),
            end.utc.to_string(),
        ]
    }

    #[test]
    fn the_end_is_not_before_the_start() {
        let nine = "2027-03-10 09:00:00";
        assert!(event("UTC", nine, nine, false).is_ok());
        assert_eq!(
            event("UTC", nine, "2027-03-10 08:59:59", false),
            Err(InvalidEventTime::EndBeforeStart)
        );
        // An all-day event compares days alone.
        assert!(event("UTC", nine, "2027-03-10 08:59:59", true).is_ok());
        assert_eq!(
            event("UTC", nine, "2027-03-09 23:00:00", true),
            Err(InvalidEventTime::EndBeforeStart)
        );
    }

    #[test]
    fn instants_are_compared() {
        // 02:30 does not exist and is 03:30, after 03:15.
        let skipped = event(
            "America/New_York",
            "2027-03-14 02:30:00",
            "2027-03-14 03:15:00",
            false,
        );
        assert_eq!(skipped, Err(InvalidEventTime::EndBeforeStart));
    }

    #[test]
    fn all_day_takes_whole_days() {
        assert_eq!(
            times(
                &event(
                    "Asia/Tokyo",
                    "2027-03-10 09:00:00",
                    "2027-03-12 11:00:00",
                    true
                )
                .unwrap()
            ),
            [
                "2027-03-10 00:00:00",
                "2027-03-12 23:59:59",
                "2027-03-09 15:00:00",
                "2027-03-12 14:59:59"
            ]
        );
    }

    #[test]
    fn the_widest_event() {
        assert!(event("UTC", "0001-01-01 00:00:00", "9999-12-31 23:59:59", false).is_ok());
        assert_eq!(
            event("UTC-1", "1900-01-01 00:00:00", "9999-12-31 23:59:59", false),
            Err(InvalidEventTime::OutOfRange(InvalidDate::OutOfRange))
        );
        assert_eq!(
            EventTime::new(Zone::utc(), NaiveDateTime::MIN, NaiveDateTime::MAX, true),
            Err(InvalidEventTime::OutOfRange(InvalidDate::OutOfRange))
        );
    }

    #[test]
    fn changing_one_time_keeps_the_other() {
        let stored = event(
            "America/New_York",
            "2027-03-10 09:00:00",
            "2027-03-10 11:00:00",
            false,
        )
        .unwrap();
        let start = |text| EventTimeChange {
            start: Some(stored.zone().at_local(wall(text)).unwrap()),
            ..EventTimeChange::default()
        };
        assert_eq!(
            times(&stored.changed(start("2027-03-10 10:00:00")).unwrap()),
            [
                "2027-03-10 10:00:00",
                "2027-03-10 11:00:00",
                "2027-03-10 15:00:00",
                "2027-03-10 16:00:00"
            ]
        );
        assert_eq!(
            stored.changed(start("2027-03-10 11:00:01")),
            Err(InvalidEventTime::EndBeforeStart)
        );
        let end = EventTimeChange {
            end: Some(stored.start()),
            ..EventTimeChange::default()
        };
        assert_eq!(stored.changed(end).unwrap().end(), stored.start());
        assert_eq!(stored.changed(EventTimeChange::default()), Ok(stored));
    }

    #[test]
    fn a_new_zone_alone_keeps_the_wall_clocks() {
        let stored = event(
            "America/New_York",
            "2027-03-10 09:00:00",
            "2027-03-10 11:00:00",
            false,
        )
        .unwrap();
        let zone = Zone::parse("Asia/Tokyo").ok();
        let moved = stored
            .changed(EventTimeChange {
                zone,
                ..EventTimeChange::default()
            })
            .unwrap();
        assert_eq!(
            times(&moved),
            [
                "2027-03-10 09:00:00",
                "2027-03-10 11:00:00",
                "2027-03-10 00:00:00",
                "2027-03-10 02:00:00"
            ]
        );
        assert_eq!(moved.zone().name(), "Asia/Tokyo");
    }

    #[test]
    fn all_day_can_be_turned_on_and_off() {
        let all_day = |on| EventTimeChange {
            all_day: Some(on),
            ..EventTimeChange::default()
        };
        let stored = event("UTC+2", "2027-03-10 09:00:00", "2027-03-10 11:00:00", false).unwrap();
        let on = stored.changed(all_day(true)).unwrap();
        assert_eq!(
            times(&on),
            [
                "2027-03-10 00:00:00",
                "2027-03-10 23:59:59",
                "2027-03-09 22:00:00",
                "2027-03-10 21:59:59"
            ]
        );
        let off = on.changed(all_day(false)).unwrap();
        assert!(on.all_day() && !off.all_day());
        assert_eq!(times(&on), times(&off));
        // A new time for an all-day event is stretched as well.
        let start = EventTimeChange {
            start: Some(on.zone().at_local(wall("2027-03-09 15:00:00")).unwrap()),
            ..EventTimeChange::default()
        };
        assert_eq!(
            format_civil(on.changed(start).unwrap().start().local),
            "2027-03-09 00:00:00"
        );
    }

    #[test]
    fn clocks_that_jump_over_midnight_do_not_move_a_day() {
        for (zone, day, expected) in [
            // From 23:00 to 00:00 of the next day.
            (
                "America/Nuuk",
                "2027-03-27 23:30:00",
                ["2027-03-27 00:00:00", "2027-03-27 22:59:59"],
            ),
            // From 00:00 to 01:00.
            (
                "America/Havana",
                "2026-03-08 09:00:00",
                ["2026-03-08 01:00:00", "2026-03-08 23:59:59"],
            ),
            // The whole day was left out.
            (
                "Pacific/Apia",
                "2011-12-30 09:00:00",
                ["2011-12-31 00:00:00", "2011-12-31 23:59:59"],
            ),
        ] {
            let time = event(zone, day, day, true).unwrap();
            assert_eq!(times(&time)[..2], expected, "{zone}");
        }
        // Nor does it move when it comes to such a zone.
        let day = "2027-03-27 09:00:00";
        let zone = Zone::parse("America/Nuuk").ok();
        let moved = event("UTC", day, day, true).unwrap();
        let moved = moved.changed(EventTimeChange {
            zone,
            ..EventTimeChange::default()
        });
        assert_eq!(times(&moved.unwrap())[1], "2027-03-27 22:59:59");
        // Back from 24:00 to 23:00: the day has that hour twice.
        let day = "2027-10-30 09:00:00";
        let time = event("America/Nuuk", day, day, true).unwrap();
        assert_eq!(
            time.end().utc.seconds() - time.start().utc.seconds(),
            25 * 3600 - 1
        );
    }
}
