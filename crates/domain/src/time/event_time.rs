//! The time of an event.

use chrono::{NaiveDate, NaiveDateTime};

use super::{
    invalid_date::InvalidDate,
    sent::SentDate,
    zone::{Moment, Zone},
};

/// The start and the end of an event, in a time zone; the end is not before the start.
///
/// An all-day event takes whole days, from 00:00:00 of the first to 23:59:59 of the last, by the
/// clocks of its zone. If the clocks skip one of these times, the first or the last existing second
/// of the day takes its place. If they skip the whole day, the next day does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventTime {
    start: Moment,
    end: Moment,
    zone: Zone,
    all_day: bool,
}

/// A change of an [`EventTime`]. Absent fields stay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventTimeChange {
    /// The new zone, in which both times are read.
    pub zone: Option<Zone>,
    /// The start, read in the new zone.
    pub start: Option<SentDate>,
    /// The end, read in the new zone.
    pub end: Option<SentDate>,
    /// Whether the event takes whole days.
    pub all_day: Option<bool>,
}

impl EventTime {
    /// Makes an event time of two wall clocks in `zone`; an all-day event takes their days.
    ///
    /// Start and end may be equal. They are compared as instants, or as days for an all-day event.
    ///
    /// ```
    /// use events_calendar_domain::time::{EventTime, InvalidEventTime, Zone, parse_civil};
    ///
    /// let nine = parse_civil("2027-03-10 09:00:00").unwrap();
    /// let eleven = parse_civil("2027-03-12 11:00:00").unwrap();
    /// let tokyo = "Asia/Tokyo".parse::<Zone>()?;
    /// let time = EventTime::new(tokyo.clone(), nine, eleven, true)?;
    /// assert_eq!(time.start().utc.to_string(), "2027-03-09 15:00:00");
    /// assert_eq!(time.end().utc.to_string(), "2027-03-12 14:59:59");
    /// let backwards = EventTime::new(tokyo, eleven, nine, false);
    /// assert_eq!(backwards, Err(InvalidEventTime::EndBeforeStart));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidEventTime`], naming the rule that the times violate.
    pub fn new(
        zone: Zone,
        start: NaiveDateTime,
        end: NaiveDateTime,
        all_day: bool,
    ) -> Result<Self, InvalidEventTime> {
        if all_day {
            return Self::days(zone, start.date(), end.date());
        }
        let (start, end) = (
            SentDate::at_local(&zone, start)?,
            SentDate::at_local(&zone, end)?,
        );
        Self::sent(zone, start, end, false)
    }

    /// Makes an event time of two sent dates for `zone`; an all-day event takes their days.
    ///
    /// A start that the clocks skip moves forward. If only that move puts the end before the start,
    /// the end moves with it, and the event keeps its duration.
    ///
    /// ```
    /// use events_calendar_domain::time::{EventTime, Timestamp, Zone, read_date};
    ///
    /// let zone = "America/New_York".parse::<Zone>()?;
    /// let read = |text| read_date(text, &zone, Timestamp::MIN);
    /// let (start, end) = (read("2027-03-14 02:30")?, read("2027-03-14 03:15")?);
    /// let time = EventTime::sent(zone.clone(), start, end, false)?;
    /// assert_eq!(time.start().local.to_string(), "2027-03-14 03:30:00");
    /// assert_eq!(time.end().local.to_string(), "2027-03-14 04:15:00");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidEventTime`], naming the rule that the times violate.
    pub fn sent(
        zone: Zone,
        start: SentDate,
        end: SentDate,
        all_day: bool,
    ) -> Result<Self, InvalidEventTime> {
        let (begins, mut ends) = (start.moment(), end.moment());
        if !all_day
            && ends.utc < begins.utc
            && let Some(seconds) = start.seconds_from_gap(end)
        {
            ends = zone.at(begins.utc.saturating_add(seconds));
        }
        Self::between(zone, begins, ends, all_day)
    }

    /// Makes an event time of two moments in `zone`. A moment can be either occurrence of a wall
    /// clock that occurs twice. An all-day event takes their days.
    ///
    /// ```
    /// use events_calendar_domain::time::{EventTime, Timestamp, Zone, parse_date};
    ///
    /// let zone = "America/New_York".parse::<Zone>()?;
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let second_reading = parse_date("2027-11-07T06:30:00Z", &zone, now)?;
    /// let time = EventTime::between(zone, second_reading, second_reading, false)?;
    /// assert_eq!(time.start().utc.to_string(), "2027-11-07 06:30:00");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidEventTime`], naming the rule that the times violate.
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

    /// Makes an all-day event from the first to the last day.
    fn days(zone: Zone, first: NaiveDate, last: NaiveDate) -> Result<Self, InvalidEventTime> {
        if last < first {
            return Err(InvalidEventTime::EndBeforeStart);
        }
        let (start, end_of_first) = zone.day(first)?;
        let end = if last == first {
            end_of_first
        } else {
            zone.day(last)?.1
        };
        Ok(Self {
            start,
            end,
            zone,
            all_day: true,
        })
    }

    /// The event time after a change.
    ///
    /// Unchanged wall clocks stay, and their instants follow the zone. In the same zone, a wall
    /// clock that equals the stored one keeps its instant, even if it occurs twice. An all-day
    /// event that stays all-day keeps 00:00:00 and 23:59:59, unless times are sent.
    ///
    /// ```
    /// use events_calendar_domain::time::{EventTime, EventTimeChange, Zone, parse_civil};
    ///
    /// let nine = parse_civil("2027-03-10 09:00:00").unwrap();
    /// let time = EventTime::new(Zone::utc(), nine, nine, false)?;
    /// let zone = Some("America/New_York".parse::<Zone>()?);
    /// let moved = time.changed(EventTimeChange { zone, ..EventTimeChange::default() })?;
    /// assert_eq!(moved.start().local, nine);
    /// assert_eq!(moved.start().utc.to_string(), "2027-03-10 14:00:00");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Self::new`], for the times after the change.
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
            let day = |sent: Option<SentDate>, stored: Moment| {
                sent.map_or(stored, |sent| sent.moment()).local.date()
            };
            return Self::days(zone, day(start, self.start), day(end, self.end));
        }
        let is_same_zone = zone == self.zone;
        let joined = |sent: Option<SentDate>, stored: Moment| match sent {
            Some(sent) if is_same_zone => Ok(sent.or_stored(stored)),
            Some(sent) => Ok(sent),
            None if is_same_zone => Ok(SentDate::stored(stored)),
            None => SentDate::at_local(&zone, stored.local),
        };
        let (start, end) = (joined(start, self.start)?, joined(end, self.end)?);
        Self::sent(zone, start, end, false)
    }

    /// Recomputes an event time that was stored under other rules of the zone.
    ///
    /// An instant at which the clocks still show the stored wall clock stays. Otherwise the wall
    /// clock stays and the instant follows; a wall clock that is now skipped moves forward. If the
    /// end would then be before the start, the event keeps its duration instead. A time that would
    /// leave the years 1 to 9999 stays.
    ///
    /// ```
    /// use events_calendar_domain::time::{EventTime, Moment, Timestamp, Zone, parse_civil};
    ///
    /// let nine = parse_civil("2026-12-01 09:00:00").unwrap();
    /// // UTC+1, as it was until September 2026.
    /// let stored = Moment { local: nine, utc: Timestamp::from_seconds(1_796_112_000).unwrap() };
    /// let zone = "Africa/Casablanca".parse::<Zone>()?;
    /// let time = EventTime::by_present_rules(zone, stored, stored, false);
    /// assert_eq!(time.start().local, nine);
    /// assert_eq!(time.start().utc.to_string(), "2026-12-01 09:00:00");
    /// # Ok::<(), events_calendar_domain::time::InvalidZone>(())
    /// ```
    pub fn by_present_rules(zone: Zone, start: Moment, end: Moment, all_day: bool) -> Self {
        if all_day && let Ok(time) = Self::days(zone.clone(), start.local.date(), end.local.date())
        {
            return time;
        }
        let read = |stored: Moment| {
            if zone.at(stored.utc).local == stored.local {
                stored
            } else {
                zone.at_local(stored.local).unwrap_or(stored)
            }
        };
        let lasted = end.utc.seconds() - start.utc.seconds();
        let (start, mut end) = (read(start), read(end));
        if end.utc < start.utc {
            end = zone.at(start.utc.saturating_add(lasted.max(0)));
        }
        Self {
            start,
            end,
            zone,
            all_day,
        }
    }

    /// The start.
    ///
    /// ```
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// let nine = parse_civil("2027-03-10 09:00:00").unwrap();
    /// assert_eq!(EventTime::new(Zone::utc(), nine, nine, false)?.start().local, nine);
    /// # Ok::<(), events_calendar_domain::time::InvalidEventTime>(())
    /// ```
    pub fn start(&self) -> Moment {
        self.start
    }

    /// The end; for an all-day event, the last second of its last day.
    ///
    /// ```
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// let nine = parse_civil("2027-03-10 09:00:00").unwrap();
    /// let time = EventTime::new(Zone::utc(), nine, nine, true)?;
    /// assert_eq!(time.end().utc.to_string(), "2027-03-10 23:59:59");
    /// # Ok::<(), events_calendar_domain::time::InvalidEventTime>(())
    /// ```
    pub fn end(&self) -> Moment {
        self.end
    }

    /// The zone of the wall clocks.
    ///
    /// ```
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// let nine = parse_civil("2027-03-10 09:00:00").unwrap();
    /// assert_eq!(EventTime::new(Zone::utc(), nine, nine, false)?.zone(), &Zone::utc());
    /// # Ok::<(), events_calendar_domain::time::InvalidEventTime>(())
    /// ```
    pub fn zone(&self) -> &Zone {
        &self.zone
    }

    /// Whether the event takes whole days.
    ///
    /// ```
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// let nine = parse_civil("2027-03-10 09:00:00").unwrap();
    /// assert!(EventTime::new(Zone::utc(), nine, nine, true)?.all_day());
    /// # Ok::<(), events_calendar_domain::time::InvalidEventTime>(())
    /// ```
    pub fn all_day(&self) -> bool {
        self.all_day
    }
}

/// The reason why two times are not the start and the end of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidEventTime {
    /// The end is before the start; for an all-day event, on an earlier day.
    #[error("must not be before the start")]
    EndBeforeStart,
    /// A time is outside the years 1 to 9999, by the wall clock or in UTC.
    #[error(transparent)]
    OutOfRange(#[from] InvalidDate),
}

#[cfg(test)]
mod tests {
    use chrono::{NaiveTime, TimeDelta};
    use proptest::prelude::*;

    use super::*;
    use crate::time::{
        Timestamp, format_civil, parse_civil, read_date,
        zone::properties::{COMPARED, names, wall_clock, zone},
    };

    fn wall(text: &str) -> NaiveDateTime {
        parse_civil(text).unwrap()
    }

    fn event(
        zone: &str,
        start: &str,
        end: &str,
        all_day: bool,
    ) -> Result<EventTime, InvalidEventTime> {
        EventTime::new(
            zone.parse::<Zone>().unwrap(),
            wall(start),
            wall(end),
            all_day,
        )
    }

    /// The interval `start/end`, as wall clocks and then in UTC.
    fn intervals(time: &EventTime) -> [String; 2] {
        let (start, end) = (time.start(), time.end());
        [
            format!("{}/{}", format_civil(start.local), format_civil(end.local)),
            format!("{}/{}", start.utc, end.utc),
        ]
    }

    #[test]
    fn the_end_is_not_before_the_start() {
        let nine = "2027-03-10 09:00:00";
        for (end, all_day, is_valid) in [
            (nine, false, true),
            ("2027-03-10 08:59:59", false, false),
            // An all-day event compares days only.
            ("2027-03-10 08:59:59", true, true),
            ("2027-03-09 23:00:00", true, false),
        ] {
            let error = event("UTC", nine, end, all_day).err();
            let expected = (!is_valid).then_some(InvalidEventTime::EndBeforeStart);
            assert_eq!(error, expected, "{end}");
        }
    }

    fn new_york(start: &str, end: &str) -> Result<EventTime, InvalidEventTime> {
        event("America/New_York", start, end, false)
    }

    /// An event in New York on 10 March 2027 from nine to eleven.
    fn nine_to_eleven() -> EventTime {
        new_york("2027-03-10 09:00:00", "2027-03-10 11:00:00").unwrap()
    }

    /// A change of the zone alone.
    fn change_of_zone(name: &str) -> EventTimeChange {
        EventTimeChange {
            zone: name.parse::<Zone>().ok(),
            ..EventTimeChange::default()
        }
    }

    /// A change of start and end as a client sends it.
    fn change(zone: &Zone, start: Option<&str>, end: Option<&str>) -> EventTimeChange {
        let sent = |text| read_date(text, zone, Timestamp::MIN).unwrap();
        EventTimeChange {
            start: start.map(sent),
            end: end.map(sent),
            ..EventTimeChange::default()
        }
    }

    #[test]
    fn a_start_that_moves_out_of_a_gap_takes_the_end_along() {
        let at = |time: &str| format!("2027-03-14 {time}:00");
        for (start, end, moved) in [
            // The skipped 02:30 becomes 03:30, which is after 03:15.
            ("02:30", "03:15", Some(["03:30", "04:15"])),
            // An end that stays after the start does not move; an end in the gap moves anyway.
            ("02:30", "05:00", Some(["03:30", "05:00"])),
            ("02:30", "02:45", Some(["03:30", "03:45"])),
            // Without a gap, an end before the start is an error.
            ("02:30", "02:15", None),
            ("02:30", "01:00", None),
            ("03:30", "03:15", None),
        ] {
            let time = new_york(&at(start), &at(end));
            let local = time.map(|time| [time.start().local, time.end().local]);
            let expected = moved.map(|times| times.map(|time| wall(&at(time))));
            let expected = expected.ok_or(InvalidEventTime::EndBeforeStart);
            assert_eq!(local, expected, "{start} {end}");
        }
        let skipped = new_york(&at("02:30"), &at("03:15")).unwrap();
        assert_eq!(
            intervals(&skipped)[1],
            "2027-03-14 07:30:00/2027-03-14 08:15:00"
        );
        let zone = "America/New_York".parse::<Zone>().unwrap();
        let read = |text| read_date(text, &zone, Timestamp::MIN).unwrap();
        let (start, end) = (read("2027-03-14 02:30"), read("2027-03-14T07:15:00Z"));
        let instant = EventTime::sent(zone.clone(), start, end, false);
        assert_eq!(instant, Err(InvalidEventTime::EndBeforeStart));
        // The same for a change of the start alone, or of the zone.
        let stored = new_york("2027-03-14 01:00:00", "2027-03-14 03:15:00").unwrap();
        let moved = stored.changed(change(&zone, Some("2027-03-14 02:30"), None));
        assert_eq!(moved.unwrap().end().local, wall("2027-03-14 04:15:00"));
        let stored = event("UTC", "2027-03-14 02:30:00", "2027-03-14 03:15:00", false).unwrap();
        let moved = stored.changed(change_of_zone("America/New_York"));
        assert_eq!(intervals(&moved.unwrap()), intervals(&skipped));
    }

    #[test]
    fn what_was_read_can_be_written_back() {
        let zone = "America/New_York".parse::<Zone>().unwrap();
        let read = |text| read_date(text, &zone, Timestamp::MIN).unwrap();
        let second = read("2027-11-07T06:30:00Z");
        let stored = EventTime::sent(zone.clone(), second, second, false).unwrap();
        let shown = format_civil(stored.start().local);
        assert_eq!(shown, "2027-11-07 01:30:00");
        for (start, end) in [
            (Some(&*shown), Some(&*shown)),
            (None, Some(&*shown)),
            (Some(&*shown), None),
        ] {
            let written = stored.changed(change(&zone, start, end)).unwrap();
            assert_eq!(written, stored);
            let named = EventTimeChange {
                zone: Some(zone.clone()),
                ..change(&zone, start, end)
            };
            assert_eq!(stored.changed(named).unwrap(), stored);
        }
        // A sent instant stays; another wall clock means its first occurrence; another zone reads
        // it again.
        let toronto = "America/Toronto".parse::<Zone>().unwrap();
        let moved = EventTimeChange {
            zone: Some(toronto.clone()),
            ..change(&toronto, Some(&shown), Some(&shown))
        };
        for (change, start) in [
            (
                change(&zone, Some("2027-11-07T05:30:00Z"), None),
                "05:30:00",
            ),
            (change(&zone, Some("2027-11-07 01:31"), None), "05:31:00"),
            (moved, "05:30:00"),
        ] {
            let changed = stored.changed(change).unwrap();
            assert_eq!(
                changed.start().utc.to_string(),
                format!("2027-11-07 {start}")
            );
        }
    }

    /// A time stored under other rules: its interval as wall clocks and in UTC.
    fn stored(zone: &str, intervals: &[String; 2], all_day: bool) -> EventTime {
        let [local, utc] = intervals
            .each_ref()
            .map(|interval| interval.split_once('/').unwrap());
        let moment = |local, utc| Moment {
            local: wall(local),
            utc: Timestamp::from_seconds(wall(utc).and_utc().timestamp()).unwrap(),
        };
        EventTime::by_present_rules(
            zone.parse::<Zone>().unwrap(),
            moment(local.0, utc.0),
            moment(local.1, utc.1),
            all_day,
        )
    }

    #[test]
    fn new_rules_move_instants_and_keep_wall_clocks() {
        // Each interval is of one day: as stored, and recomputed.
        for (zone, day, before, after) in [
            // Morocco is at UTC since September 2026, and was at UTC+1.
            (
                "Africa/Casablanca",
                "2026-12-01",
                ["09:00/11:00", "08:00/10:00"],
                ["09:00/11:00", "09:00/11:00"],
            ),
            // A valid instant stays, also at the second occurrence of a wall clock.
            (
                "America/New_York",
                "2027-11-07",
                ["01:30/01:45", "06:30/06:45"],
                ["01:30/01:45", "06:30/06:45"],
            ),
            // The clocks skip both times, or the start alone; under the other rules they did not.
            (
                "America/New_York",
                "2027-03-14",
                ["02:15/02:30", "06:15/06:30"],
                ["03:15/03:30", "07:15/07:30"],
            ),
            (
                "America/New_York",
                "2027-03-14",
                ["02:30/03:15", "06:30/07:15"],
                ["03:30/04:15", "07:30/08:15"],
            ),
        ] {
            let [before, after] = [before, after].map(|intervals| {
                intervals.map(|times| {
                    let (start, end) = times.split_once('/').unwrap();
                    format!("{day} {start}:00/{day} {end}:00")
                })
            });
            assert_eq!(intervals(&stored(zone, &before, false)), after, "{zone}");
            assert_eq!(intervals(&stored(zone, &after, false)), after, "{zone}");
        }
        // The time would leave the years 1 to 9999.
        let first = "0001-01-01 00:00:00/2027-03-10";
        let first = [format!("{first} 09:00:00"), format!("{first} 00:00:00")];
        assert_eq!(intervals(&stored("Asia/Tokyo", &first, false)), first);
    }

    #[test]
    fn new_rules_move_whole_days() {
        let day = "2026-12-01 00:00:00/2026-12-01 23:59:59".to_owned();
        let utc = "2026-11-30 23:00:00/2026-12-01 22:59:59".to_owned();
        let moved = stored("Africa/Casablanca", &[day.clone(), utc], true);
        assert_eq!(intervals(&moved), [day.clone(), day]);
    }

    #[test]
    fn all_day_takes_whole_days() {
        let (first, last) = ("2027-03-10 09:00:00", "2027-03-12 11:00:00");
        assert_eq!(
            intervals(&event("Asia/Tokyo", first, last, true).unwrap()),
            [
                "2027-03-10 00:00:00/2027-03-12 23:59:59",
                "2027-03-09 15:00:00/2027-03-12 14:59:59"
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
        let stored = nine_to_eleven();
        let start = |text| EventTimeChange {
            start: SentDate::at_local(stored.zone(), wall(text)).ok(),
            ..EventTimeChange::default()
        };
        assert_eq!(
            intervals(&stored.changed(start("2027-03-10 10:00:00")).unwrap()),
            [
                "2027-03-10 10:00:00/2027-03-10 11:00:00",
                "2027-03-10 15:00:00/2027-03-10 16:00:00"
            ]
        );
        assert_eq!(
            stored.changed(start("2027-03-10 11:00:01")),
            Err(InvalidEventTime::EndBeforeStart)
        );
        let end = EventTimeChange {
            end: Some(stored.start().into()),
            ..EventTimeChange::default()
        };
        assert_eq!(stored.changed(end).unwrap().end(), stored.start());
        assert_eq!(stored.changed(EventTimeChange::default()), Ok(stored));
    }

    #[test]
    fn a_new_zone_alone_keeps_the_wall_clocks() {
        let moved = nine_to_eleven().changed(change_of_zone("Asia/Tokyo"));
        let moved = moved.unwrap();
        assert_eq!(
            intervals(&moved),
            [
                "2027-03-10 09:00:00/2027-03-10 11:00:00",
                "2027-03-10 00:00:00/2027-03-10 02:00:00"
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
            intervals(&on),
            [
                "2027-03-10 00:00:00/2027-03-10 23:59:59",
                "2027-03-09 22:00:00/2027-03-10 21:59:59"
            ]
        );
        let off = on.changed(all_day(false)).unwrap();
        assert!(on.all_day() && !off.all_day());
        assert_eq!(intervals(&on), intervals(&off));
        // A new time of an all-day event is extended to the whole day as well.
        let start = EventTimeChange {
            start: SentDate::at_local(on.zone(), wall("2027-03-09 15:00:00")).ok(),
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
                "2027-03-27 00:00:00/2027-03-27 22:59:59",
            ),
            // From 00:00 to 01:00.
            (
                "America/Havana",
                "2026-03-08 09:00:00",
                "2026-03-08 01:00:00/2026-03-08 23:59:59",
            ),
            // The clocks skipped the whole day.
            (
                "Pacific/Apia",
                "2011-12-30 09:00:00",
                "2011-12-31 00:00:00/2011-12-31 23:59:59",
            ),
        ] {
            let time = event(zone, day, day, true).unwrap();
            assert_eq!(intervals(&time)[0], expected, "{zone}");
        }
        // A move to such a zone does not change the day either.
        let day = "2027-03-27 09:00:00";
        let moved = event("UTC", day, day, true).unwrap();
        let moved = moved.changed(change_of_zone("America/Nuuk"));
        assert_eq!(moved.unwrap().end().local, wall("2027-03-27 22:59:59"));
        // The clocks go back from 24:00 to 23:00: the day has that hour twice.
        let day = "2027-10-30 09:00:00";
        let time = event("America/Nuuk", day, day, true).unwrap();
        assert_eq!(
            time.end().utc.seconds() - time.start().utc.seconds(),
            25 * 3600 - 1
        );
    }

    proptest! {
        /// An all-day event keeps its days, also where the clocks skip midnight or the whole day.
        #[test]
        fn whole_days_stay_what_they_are(
            index in 0..names().len(),
            seconds in COMPARED,
            distance in -90_000_i64..90_000,
            more_days in 0..3_i64,
        ) {
            let name = names()[index];
            let wall = wall_clock(name, seconds, distance);
            let first = Timestamp::from_seconds(wall).unwrap().civil();
            let last = first + TimeDelta::days(more_days);
            let time = EventTime::new(zone(name), first, last, true).unwrap();
            let again = |moment: Moment| zone(name).at(moment.utc);
            let read = EventTime::between(zone(name), again(time.start()), again(time.end()), true);
            prop_assert_eq!(read.as_ref(), Ok(&time), "{}", name);
            let before = zone(name).at(time.start().utc.saturating_add(-1)).local;
            let after = zone(name).at(time.end().utc.saturating_add(1)).local;
            prop_assert!(before.date() < time.start().local.date(), "{} {}", name, before);
            prop_assert!(after.date() > time.end().local.date(), "{} {}", name, after);
            let is_left_out = zone(name).at_local(first.date().and_time(NaiveTime::MIN)).unwrap().local.date() != first.date();
            prop_assert!(is_left_out || time.start().local.date() == first.date(), "{} {}", name, first);
        }
    }
}
