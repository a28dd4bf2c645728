//! Time zones: by IANA name, or a fixed UTC offset.

use std::{
    fmt,
    hash::{Hash, Hasher},
    str::FromStr,
    sync::Arc,
};

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike};
use jiff::tz::{AmbiguousOffset, TimeZone};

use super::{invalid_date::InvalidDate, offset, timestamp::Timestamp, zone_data::ZoneData};

mod observances;

pub use observances::Observance;

/// The rules of `UTC`, which do not depend on a release.
static UTC: TimeZone = TimeZone::UTC;

/// A wall clock and its instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The wall clock of the zone.
    pub local: NaiveDateTime,
    /// The instant.
    pub utc: Timestamp,
}

/// A time zone, and its name as requested.
///
/// Zones are equal if their names are: `UTC+2` and `+02:00` keep the same time, but are different
/// zones, and so are an IANA name and its alias. Clock changes follow [`ZoneData`]; the last rule
/// extends into the future. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Zone(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Iana {
        name: &'static str,
        rules: &'static TimeZone,
    },
    Fixed {
        name: Arc<str>,
        offset_seconds: i32,
    },
}

impl PartialEq for Zone {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Zone {}

impl Hash for Zone {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

/// The occurrences of a wall clock in a zone; offsets in seconds east of UTC.
enum Reading {
    Once {
        offset: i64,
    },
    Twice {
        first: i64,
        second: i64,
    },
    /// The clocks skip it: the last offset before the jump, and the first instant after it.
    Never {
        offset_before: i64,
        jump: i64,
    },
}

impl Zone {
    /// The zone `UTC`.
    ///
    /// ```
    /// use events_calendar_domain::time::Zone;
    ///
    /// assert_eq!(Zone::utc().name(), "UTC");
    /// ```
    pub fn utc() -> Self {
        Self(Kind::Iana {
            name: "UTC",
            rules: &UTC,
        })
    }

    /// The name, in the letter case of the database.
    ///
    /// ```
    /// use events_calendar_domain::time::Zone;
    ///
    /// assert_eq!("+02:00".parse::<Zone>()?.name(), "+02:00");
    /// # Ok::<(), events_calendar_domain::time::InvalidZone>(())
    /// ```
    pub fn name(&self) -> &str {
        match &self.0 {
            Kind::Iana { name, .. } => name,
            Kind::Fixed { name, .. } => name,
        }
    }

    /// Whether it is a zone of the IANA database, and not a fixed offset.
    pub(crate) fn is_iana(&self) -> bool {
        matches!(self.0, Kind::Iana { .. })
    }

    /// The abbreviation in use at an instant, such as `EST` or `CEST`.
    ///
    /// Without an abbreviation, it is the offset in digits (`-03`, `+0545`); for a zone given as an
    /// offset, it is the name of the zone.
    ///
    /// ```
    /// use events_calendar_domain::time::{Timestamp, Zone};
    ///
    /// let epoch = Timestamp::from_seconds(0).unwrap();
    /// assert_eq!("America/New_York".parse::<Zone>()?.abbreviation(epoch), "EST");
    /// assert_eq!("UTC+2".parse::<Zone>()?.abbreviation(epoch), "UTC+2");
    /// # Ok::<(), events_calendar_domain::time::InvalidZone>(())
    /// ```
    pub fn abbreviation(&self, at: Timestamp) -> String {
        match &self.0 {
            Kind::Iana { rules, .. } => rules
                .to_offset_info(instant(at.seconds()))
                .abbreviation()
                .to_owned(),
            Kind::Fixed { name, .. } => name.to_string(),
        }
    }

    /// The moment at which the clocks of this zone show `local`; fractions of a second are cut.
    ///
    /// A time that the clocks skip moves forward by the length of the jump (02:30 becomes 03:30 in
    /// the spring night of New York). A time that occurs twice means its first occurrence. RFC
    /// 5545, section 3.3.5, defines it so.
    ///
    /// ```
    /// use events_calendar_domain::time::{Zone, format_civil, parse_civil};
    ///
    /// let new_york = "America/New_York".parse::<Zone>()?;
    /// let skipped = new_york.at_local(parse_civil("2027-03-14 02:30:00").unwrap())?;
    /// assert_eq!(format_civil(skipped.local), "2027-03-14 03:30:00");
    /// let repeated = new_york.at_local(parse_civil("2027-11-07 01:30:00").unwrap())?;
    /// assert_eq!(repeated.utc.to_string(), "2027-11-07 05:30:00");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidDate::OutOfRange`] if the wall clock or the instant is outside the years 1 to 9999.
    pub fn at_local(&self, local: NaiveDateTime) -> Result<Moment, InvalidDate> {
        let wall = wall_seconds(local);
        // A wall clock has the same bounds as an instant: the years 1 to 9999.
        let local = Timestamp::from_seconds(wall)
            .ok_or(InvalidDate::OutOfRange)?
            .civil();
        let instant =
            |offset| Timestamp::from_seconds(wall - offset).ok_or(InvalidDate::OutOfRange);
        match self.reading(local) {
            Reading::Once { offset } | Reading::Twice { first: offset, .. } => Ok(Moment {
                local,
                utc: instant(offset)?,
            }),
            Reading::Never { offset_before, .. } => self.at_instant(instant(offset_before)?),
        }
    }

    /// The moment of an instant in this zone.
    ///
    /// It never fails: in the first and the last hours of the years 1 to 9999, where the clocks of
    /// a zone may show a year outside them, the wall clock is limited to the bound.
    ///
    /// ```
    /// use events_calendar_domain::time::{Timestamp, Zone, format_civil};
    ///
    /// let tokyo = "Asia/Tokyo".parse::<Zone>()?;
    /// let seen = tokyo.at(Timestamp::from_seconds(0).unwrap());
    /// assert_eq!(format_civil(seen.local), "1970-01-01 09:00:00");
    /// assert_eq!(format_civil(tokyo.at(Timestamp::MAX).local), "9999-12-31 23:59:59");
    /// # Ok::<(), events_calendar_domain::time::InvalidZone>(())
    /// ```
    pub fn at(&self, t: Timestamp) -> Moment {
        Moment {
            local: t.saturating_add(self.offset_at(t)).civil(),
            utc: t,
        }
    }

    /// As [`Self::at`], but an error where that would limit the wall clock.
    pub(super) fn at_instant(&self, t: Timestamp) -> Result<Moment, InvalidDate> {
        let wall = Timestamp::from_seconds(t.seconds() + self.offset_at(t))
            .ok_or(InvalidDate::OutOfRange)?;
        Ok(Moment {
            local: wall.civil(),
            utc: t,
        })
    }

    /// The first second of a day: 00:00:00, or the end of a jump of the clocks over midnight.
    ///
    /// Days outside the years 1 to 9999 give [`Timestamp::MIN`] or [`Timestamp::MAX`].
    ///
    /// ```
    /// use events_calendar_domain::time::{NaiveDate, Zone};
    ///
    /// let day = NaiveDate::from_ymd_opt(2027, 3, 10).unwrap();
    /// assert_eq!("UTC+2".parse::<Zone>()?.start_of_day(day).to_string(), "2027-03-09 22:00:00");
    /// # Ok::<(), events_calendar_domain::time::InvalidZone>(())
    /// ```
    pub fn start_of_day(&self, day: NaiveDate) -> Timestamp {
        let local = day.and_time(NaiveTime::MIN);
        self.saturating(local, |wall, reading| match reading {
            Reading::Once { offset } | Reading::Twice { first: offset, .. } => wall - offset,
            Reading::Never { jump, .. } => jump,
        })
    }

    /// The last second of a day: 23:59:59, its later occurrence if there are two, or the last
    /// second before a jump of the clocks over it.
    ///
    /// Days outside the years 1 to 9999 give [`Timestamp::MIN`] or [`Timestamp::MAX`].
    ///
    /// ```
    /// use events_calendar_domain::time::{NaiveDate, Zone};
    ///
    /// let day = NaiveDate::from_ymd_opt(2027, 3, 10).unwrap();
    /// assert_eq!("UTC+2".parse::<Zone>()?.end_of_day(day).to_string(), "2027-03-10 21:59:59");
    /// # Ok::<(), events_calendar_domain::time::InvalidZone>(())
    /// ```
    pub fn end_of_day(&self, day: NaiveDate) -> Timestamp {
        let local = day.and_time(NaiveTime::MIN) + TimeDelta::seconds(86_399);
        self.saturating(local, |wall, reading| match reading {
            Reading::Once { offset } | Reading::Twice { second: offset, .. } => wall - offset,
            Reading::Never { jump, .. } => jump - 1,
        })
    }

    /// The first and the last second of a day, or of the next one if the clocks skip it.
    ///
    /// # Errors
    ///
    /// [`InvalidDate::OutOfRange`] if one of them is outside the years 1 to 9999.
    pub(super) fn day(&self, day: NaiveDate) -> Result<(Moment, Moment), InvalidDate> {
        let day = self.at_local(day.and_time(NaiveTime::MIN))?.local.date();
        // The wall clock detects a day out of range; the seconds would be limited to the bound.
        self.at_local(day.and_time(NaiveTime::MIN) + TimeDelta::seconds(86_399))?;
        Ok((
            self.at_instant(self.start_of_day(day))?,
            self.at_instant(self.end_of_day(day))?,
        ))
    }

    fn saturating(&self, local: NaiveDateTime, choose: impl Fn(i64, Reading) -> i64) -> Timestamp {
        let wall = wall_seconds(local);
        Timestamp::from_seconds(wall).map_or_else(
            || Timestamp::saturating_from(wall),
            |_| Timestamp::saturating_from(choose(wall, self.reading(local))),
        )
    }

    /// The seconds east of UTC at an instant.
    fn offset_at(&self, t: Timestamp) -> i64 {
        match &self.0 {
            Kind::Iana { rules, .. } => offset_at(rules, t.seconds()),
            Kind::Fixed { offset_seconds, .. } => i64::from(*offset_seconds),
        }
    }

    fn reading(&self, local: NaiveDateTime) -> Reading {
        let rules = match &self.0 {
            Kind::Iana { rules, .. } => rules,
            Kind::Fixed { offset_seconds, .. } => {
                return Reading::Once {
                    offset: i64::from(*offset_seconds),
                };
            }
        };
        let wall = wall_seconds(local);
        let (before, after) = match rules.to_ambiguous_timestamp(civil(local)).offset() {
            AmbiguousOffset::Unambiguous { offset } => {
                return Reading::Once {
                    offset: i64::from(offset.seconds()),
                };
            }
            AmbiguousOffset::Gap { before, after } | AmbiguousOffset::Fold { before, after } => {
                (i64::from(before.seconds()), i64::from(after.seconds()))
            }
        };
        // The library reports a time as ambiguous if only the name of the season changes
        // (Greenland, October 2023). The offset at an instant is certain.
        let shows = |offset| offset_at(rules, wall - offset) == offset;
        match (shows(before), shows(after)) {
            // The more eastern offset gives the earlier instant.
            (true, true) => Reading::Twice {
                first: before.max(after),
                second: before.min(after),
            },
            (true, false) => Reading::Once { offset: before },
            (false, true) => Reading::Once { offset: after },
            (false, false) => Reading::Never {
                offset_before: before,
                jump: jump(rules, wall - after, wall - before),
            },
        }
    }
}

impl FromStr for Zone {
    type Err = InvalidZone;

    /// Parses the name of a zone.
    ///
    /// Valid names are those of the IANA time zone database, aliases included; `UTC` with an offset
    /// in hours and minutes or in hours and a decimal fraction (`UTC+2`, `UTC-5`, `UTC+5:30`,
    /// `UTC+5.5`); and a bare offset (`+02:00`). Offsets are from −12 to +14 hours. Letter case is
    /// ignored; [`Self::name`] corrects it, and nothing else.
    ///
    /// ```
    /// use events_calendar_domain::time::{InvalidZone, Zone};
    ///
    /// assert_eq!("america/new_york".parse::<Zone>()?.name(), "America/New_York");
    /// assert_eq!("utc+5.5".parse::<Zone>()?.name(), "UTC+5.5");
    /// assert_eq!("Mars/Olympus_Mons".parse::<Zone>(), Err(InvalidZone::Unknown));
    /// # Ok::<(), InvalidZone>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidZone`], naming the rule that `text` violates.
    fn from_str(text: &str) -> Result<Self, InvalidZone> {
        if let Some((name, rules)) = ZoneData::in_use().find(text) {
            return Ok(Self(Kind::Iana { name, rules }));
        }
        let (name, offset_seconds) = match text.split_at_checked(3) {
            Some((prefix, offset)) if prefix.eq_ignore_ascii_case("UTC") => {
                (format!("UTC{offset}").into(), offset::after_utc(offset))
            }
            _ => (text.into(), offset::bare(text)),
        };
        let offset_seconds = offset_seconds.ok_or(InvalidZone::Unknown)?;
        if !(-12 * 3600..=14 * 3600).contains(&offset_seconds) {
            return Err(InvalidZone::OffsetOutOfRange);
        }
        Ok(Self(Kind::Fixed {
            name,
            offset_seconds,
        }))
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The reason why a text is not a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidZone {
    /// The text is neither a name of the IANA database nor an offset.
    #[error("is not a known time zone")]
    Unknown,
    /// The offset is below −12 or above +14 hours.
    #[error("must not be more than 12 hours behind or 14 hours ahead of UTC")]
    OffsetOutOfRange,
}

/// The seconds east of UTC by the rules of a zone, at an instant in seconds since 1970.
fn offset_at(rules: &TimeZone, seconds: i64) -> i64 {
    i64::from(rules.to_offset(instant(seconds)).seconds())
}

/// Converts an instant to the type of the library. The library's range ends at 9999-12-30 22:00
/// UTC; later instants have the offset of the last one.
fn instant(seconds: i64) -> jiff::Timestamp {
    jiff::Timestamp::from_second(seconds).unwrap_or(if seconds < 0 {
        jiff::Timestamp::MIN
    } else {
        jiff::Timestamp::MAX
    })
}

/// Converts a wall clock to the type of the library.
fn civil(local: NaiveDateTime) -> jiff::civil::DateTime {
    // Months, days, hours, minutes and seconds fit; the year is within 1 to 9999.
    let small = |count: u32| i8::try_from(count).unwrap_or_default();
    jiff::civil::DateTime::new(
        i16::try_from(local.year()).unwrap_or_default(),
        small(local.month()),
        small(local.day()),
        small(local.hour()),
        small(local.minute()),
        small(local.second()),
        0,
    )
    .unwrap_or_default()
}

/// The first instant after a jump of the clocks, between two instants in seconds.
fn jump(rules: &TimeZone, before: i64, after: i64) -> i64 {
    let offset_before = offset_at(rules, before);
    let mut jumps = rules
        .following(instant(before))
        .map(|change| change.timestamp().as_second())
        .take_while(|&change| change <= after);
    jumps
        .find(|&change| offset_at(rules, change) != offset_before)
        .unwrap_or(after)
}

/// A wall clock as seconds, as if it were UTC.
fn wall_seconds(local: NaiveDateTime) -> i64 {
    local.and_utc().timestamp()
}

#[cfg(test)]
pub(super) mod properties;
#[cfg(test)]
mod tests;
