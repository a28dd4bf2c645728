//! The observances of zones: what definitions of time zones consist of.

use std::ops::RangeInclusive;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use super::{Kind, Zone, instant};
use crate::time::timestamp::Timestamp;

/// An observance of a zone: the time from one change of its clocks to the next (RFC 5545, 3.6.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observance {
    /// The wall clock at which it begins, by the offset before.
    pub onset: NaiveDateTime,
    /// The offset before, in seconds east of UTC.
    pub offset_before: i64,
    /// Its offset, in seconds east of UTC.
    pub offset: i64,
    /// Whether its clocks are ahead of those of the rest of the year.
    pub is_daylight: bool,
    /// The abbreviation, such as `CEST`.
    pub abbreviation: String,
}

/// An observance that began longer before the first year is taken to begin with that year.
const SECONDS_OF_A_YEAR: i64 = 366 * 86_400;

impl Zone {
    /// The observance that is in force when a range of years begins, in UTC, and all later ones of these
    /// years, in order. Years outside 1 to 9999 have none of their own.
    ///
    /// The first one begins at a change of the clocks in the year before, or at the beginning of the
    /// range, if it has been in force for longer.
    ///
    /// ```
    /// use events_calendar_domain::time::{Observance, Zone, format_civil};
    ///
    /// let paris = "Europe/Paris".parse::<Zone>()?.observances(2027..=2027);
    /// let onsets: Vec<_> = paris.iter().map(|one| format_civil(one.onset)).collect();
    /// assert_eq!(onsets, ["2026-10-25 03:00:00", "2027-03-28 02:00:00", "2027-10-31 03:00:00"]);
    /// let summer: &Observance = &paris[1];
    /// assert_eq!((summer.offset_before, summer.offset), (3600, 7200));
    /// assert!(summer.is_daylight);
    /// assert_eq!(summer.abbreviation, "CEST");
    ///
    /// let tokyo = "Asia/Tokyo".parse::<Zone>()?.observances(2027..=2030);
    /// assert_eq!(tokyo.len(), 1);
    /// assert_eq!((tokyo[0].offset_before, tokyo[0].offset), (9 * 3600, 9 * 3600));
    /// # Ok::<(), events_calendar_domain::time::InvalidZone>(())
    /// ```
    pub fn observances(&self, years: RangeInclusive<i32>) -> Vec<Observance> {
        let begin = start_of_year(*years.start());
        let end = start_of_year(years.end().saturating_add(1));
        let in_force = Observance {
            onset: self.at(begin).local,
            offset_before: self.offset_at(begin),
            offset: self.offset_at(begin),
            is_daylight: false,
            abbreviation: self.abbreviation(begin),
        };
        let Kind::Iana { rules, .. } = &self.0 else {
            return vec![in_force];
        };
        let mut observances = Vec::new();
        // `preceding` excludes the instant, `following` too.
        let last = rules.preceding(instant(begin.seconds() + 1)).next();
        let mut was_dst = rules
            .to_offset_info(instant(begin.seconds()))
            .dst()
            .is_dst();
        let mut before = in_force.offset;
        let recent =
            last.filter(|last| begin.seconds() - last.timestamp().as_second() < SECONDS_OF_A_YEAR);
        match &recent {
            Some(recent) => {
                let seconds = recent.timestamp().as_second() - 1;
                was_dst = rules.to_offset_info(instant(seconds)).dst().is_dst();
                before = i64::from(rules.to_offset(instant(seconds)).seconds());
            }
            None => observances.push(in_force),
        }
        let later = rules.following(instant(begin.seconds()));
        let later = later.take_while(|change| change.timestamp().as_second() < end.seconds());
        for change in recent.into_iter().chain(later) {
            let offset = i64::from(change.offset().seconds());
            let is_dst = change.dst().is_dst();
            let at = Timestamp::saturating_from(change.timestamp().as_second());
            let next = Observance {
                onset: at.saturating_add(before).civil(),
                offset_before: before,
                offset,
                // Zones such as Dublin have summer as their standard time, and winter as its exception.
                is_daylight: if is_dst {
                    offset >= before
                } else {
                    was_dst && offset > before
                },
                abbreviation: change.abbreviation().to_owned(),
            };
            let is_same = |last: &Observance| {
                last.offset == next.offset && last.abbreviation == next.abbreviation
            };
            if !observances.last().is_some_and(is_same) {
                observances.push(next);
            }
            (before, was_dst) = (offset, is_dst);
        }
        observances
    }

    /// The offset in seconds east of UTC, if it is the same at all times: of a zone given as an offset,
    /// of `UTC`, and of zones such as `Etc/GMT-2`.
    ///
    /// ```
    /// use events_calendar_domain::time::Zone;
    ///
    /// assert_eq!("+05:30".parse::<Zone>()?.fixed_offset(), Some(19_800));
    /// assert_eq!(Zone::utc().fixed_offset(), Some(0));
    /// assert_eq!("Asia/Tokyo".parse::<Zone>()?.fixed_offset(), None);
    /// # Ok::<(), events_calendar_domain::time::InvalidZone>(())
    /// ```
    pub fn fixed_offset(&self) -> Option<i64> {
        match &self.0 {
            Kind::Fixed { offset_seconds, .. } => Some(i64::from(*offset_seconds)),
            Kind::Iana { rules, .. } => {
                let has_changes = rules.following(jiff::Timestamp::MIN).next().is_some();
                (!has_changes).then(|| self.offset_at(Timestamp::MIN))
            }
        }
    }
}

/// The first instant of a year in UTC, limited to the years 1 to 9999.
fn start_of_year(year: i32) -> Timestamp {
    let day = NaiveDate::from_ymd_opt(year, 1, 1);
    let start = day.map(|day| day.and_time(NaiveTime::MIN).and_utc().timestamp());
    Timestamp::saturating_from(start.unwrap_or(if year < 1 { i64::MIN } else { i64::MAX }))
}
