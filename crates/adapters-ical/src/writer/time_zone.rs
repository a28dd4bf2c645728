//! Definitions of time zones (VTIMEZONE, RFC 5545, section 3.6.5).

use std::{borrow::Cow, ops::RangeInclusive};

use chrono::{Datelike, Days as CalendarDays, NaiveDate, Weekday};
use domain::{
    recurrence::DateValue,
    time::{Observance, Timestamp, Zone},
};

use super::content_line::{ContentLines, Plain};

/// The years behind the range for which a rule must hold that is written without an end. The weekdays of
/// a date repeat after 28 years, or 40 where a leap year is left out.
const YEARS_AHEAD: i32 = 40;

/// The name of a zone in files. Readers take a colon for the end of it, and `UTC` for instants.
pub(super) fn id(zone: &Zone) -> Cow<'_, str> {
    let name = zone.name();
    if name == "UTC" {
        return "Etc/UTC".into();
    }
    let Some((hours, minutes)) = name.split_once(':') else {
        return name.into();
    };
    let (begin, hours) = hours.split_at(hours.find(['+', '-']).map_or(0, |sign| sign + 1));
    format!("{begin}{hours:0>2}{minutes}").into()
}

/// Writes the definition of a zone that holds for a range of years, and for those that follow as far as
/// its rules go on. With `is_open`, irregular changes of the clocks are listed for 40 years more.
pub(super) fn write(
    lines: &mut ContentLines,
    zone: &Zone,
    years: &RangeInclusive<i32>,
    is_open: bool,
) {
    let last = years.end().saturating_add(YEARS_AHEAD);
    let observances = zone.observances(*years.start()..=last);
    let mut found = groups(&observances, *years.end());
    // Rules end together, as soon as one of them ends.
    let goes_on = found.is_complete;
    if !goes_on && is_open {
        found = groups(&observances, last);
    }
    let id = id(zone);
    lines.component("VTIMEZONE", |lines| {
        lines.property("TZID").text(&id);
        if id != zone.name() {
            lines.property("X-LIC-LOCATION").text(zone.name());
        }
        for group in found.groups {
            group.write(lines, last, goes_on);
        }
    });
}

/// Observances that begin once a year by one rule, in consecutive years; or a single one.
#[derive(Debug)]
struct Group {
    first: Observance,
    last: Onset,
    days: Days,
}

/// The onsets of a group: its days of the month as far as they follow one rule.
#[derive(Clone, Copy, Debug)]
struct Days {
    /// The number of the weekday within the month, from 1, if it is always the same.
    number: Option<u32>,
    /// Whether it is always the last such weekday of the month.
    is_last: bool,
    earliest: u32,
    latest: u32,
}

/// The day of an onset.
#[derive(Clone, Copy, Debug)]
struct Onset {
    date: NaiveDate,
    /// The instant in seconds, for the end of a rule.
    instant: i64,
}

/// Observances in groups.
struct Groups {
    groups: Vec<Group>,
    /// Whether they hold all later observances, too.
    is_complete: bool,
}

/// The observances that begin in a range of years up to `last_year`, in groups. Later ones only
/// continue a group.
fn groups(observances: &[Observance], last_year: i32) -> Groups {
    let mut groups: Vec<Group> = Vec::new();
    let mut is_complete = true;
    for one in observances {
        let onset = Onset {
            date: one.onset.date(),
            instant: one.onset.and_utc().timestamp() - one.offset_before,
        };
        let is_later = onset.date.year() > last_year;
        // After a gap, the rules of the range do not hold.
        let is_taken = is_complete && groups.iter_mut().rev().any(|group| group.takes(one, onset));
        if is_taken {
            continue;
        }
        if is_later {
            is_complete = false;
            continue;
        }
        groups.push(Group {
            days: Days::of(onset.date),
            last: onset,
            first: one.clone(),
        });
    }
    Groups {
        groups,
        is_complete,
    }
}

impl Group {
    /// Adds an observance, if it follows the group by its rule a year later.
    fn takes(&mut self, one: &Observance, onset: Onset) -> bool {
        let first = &self.first;
        let begins = |one: &Observance| {
            let date = one.onset.date();
            (date.month(), date.weekday(), one.onset.time())
        };
        let is_same = begins(first) == begins(one)
            && (first.offset_before, first.offset) == (one.offset_before, one.offset)
            && (first.is_daylight, &first.abbreviation) == (one.is_daylight, &one.abbreviation)
            && self.last.date.year() + 1 == onset.date.year();
        let days = self.days.with(Days::of(onset.date)).filter(|_| is_same);
        if let Some(days) = days {
            (self.days, self.last) = (days, onset);
        }
        days.is_some()
    }

    /// Writes the observance, by its rule if it begins again. `last_year` is the last one looked at; the
    /// rule has no end if it is in force then, and `goes_on`.
    fn write(&self, lines: &mut ContentLines, last_year: i32, goes_on: bool) {
        let first = &self.first;
        let name = if first.is_daylight {
            "DAYLIGHT"
        } else {
            "STANDARD"
        };
        lines.component(name, |lines| {
            lines
                .property("DTSTART")
                .value(DateValue::Local(first.onset));
            lines
                .property("TZOFFSETFROM")
                .value(offset(first.offset_before));
            lines.property("TZOFFSETTO").value(offset(first.offset));
            if first.onset.date() != self.last.date {
                let is_in_force = goes_on && self.last.date.year() >= last_year;
                lines.property("RRULE").value(self.rule(is_in_force));
            }
            lines.property("TZNAME").text(&first.abbreviation);
        });
    }

    fn rule(&self, is_in_force: bool) -> Plain {
        let date = self.first.onset.date();
        let (month, weekday) = (date.month(), name(date.weekday()));
        let Days {
            number,
            is_last,
            earliest,
            latest,
        } = self.days;
        let day = match number {
            // The fifth one is not there in every month.
            Some(number @ 1..=4) => format!("BYDAY={number}{weekday}"),
            _ if is_last => format!("BYDAY=-1{weekday}"),
            _ => {
                let first = earliest.min(latest.saturating_sub(6).max(1));
                let days: Vec<_> = (first..first + 7).map(|day| day.to_string()).collect();
                let days = days.join(",");
                format!("BYMONTHDAY={days};BYDAY={weekday}")
            }
        };
        let until = Timestamp::from_seconds(self.last.instant).filter(|_| !is_in_force);
        let until = until.map(|until| format!(";UNTIL={}", DateValue::Instant(until).basic()));
        let until = until.unwrap_or_default();
        Plain::new(format_args!("FREQ=YEARLY;BYMONTH={month};{day}{until}"))
    }
}

impl Days {
    fn of(date: NaiveDate) -> Self {
        let day = date.day();
        let in_a_week = date.checked_add_days(CalendarDays::new(7));
        Self {
            number: Some((day - 1) / 7 + 1),
            is_last: in_a_week.is_none_or(|next| next.month() != date.month()),
            earliest: day,
            latest: day,
        }
    }

    /// The days of both, if one rule gives them.
    fn with(self, other: Self) -> Option<Self> {
        let both = Self {
            number: self.number.filter(|number| other.number == Some(*number)),
            is_last: self.is_last && other.is_last,
            earliest: self.earliest.min(other.earliest),
            latest: self.latest.max(other.latest),
        };
        let is_week = both.latest - both.earliest < 7;
        (both.number.is_some_and(|number| number < 5) || both.is_last || is_week).then_some(both)
    }
}

/// The name of a weekday in a rule.
fn name(weekday: Weekday) -> &'static str {
    match weekday {
        Weekday::Mon => "MO",
        Weekday::Tue => "TU",
        Weekday::Wed => "WE",
        Weekday::Thu => "TH",
        Weekday::Fri => "FR",
        Weekday::Sat => "SA",
        Weekday::Sun => "SU",
    }
}

/// An offset in the form `+HHMM`, with seconds only where it has some.
fn offset(seconds: i64) -> Plain {
    let sign = if seconds < 0 { '-' } else { '+' };
    let (minutes, rest) = (seconds.abs() / 60, seconds.abs() % 60);
    let (hours, minutes) = (minutes / 60, minutes % 60);
    match rest {
        0 => Plain::new(format_args!("{sign}{hours:02}{minutes:02}")),
        _ => Plain::new(format_args!("{sign}{hours:02}{minutes:02}{rest:02}")),
    }
}
