//! Time zones: by IANA name, or a fixed distance from UTC.

use std::{
    fmt,
    hash::{Hash, Hasher},
    str::FromStr,
    sync::Arc,
};

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike};
use jiff::tz::{AmbiguousOffset, TimeZone};

use super::{invalid_date::InvalidDate, offset, timestamp::Timestamp, zone_data::ZoneData};

/// The rules of `UTC`, which are in no need of a release.
static UTC: TimeZone = TimeZone::UTC;

/// A wall clock and the instant it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The wall clock of the zone.
    pub local: NaiveDateTime,
    /// The same moment as an instant.
    pub utc: Timestamp,
}

/// A time zone, and the name it was asked for by.
///
/// Equal means equally named: `UTC+2` and `+02:00` keep the same time, yet they are two zones here,
/// as are an IANA name and its alias. Clock changes follow [`ZoneData`]; those of the future follow its
/// last rule. Cloning is cheap.
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

/// How often the clocks of a zone show a certain time; offsets in seconds east of UTC.
enum Reading {
    Once {
        offset: i64,
    },
    Twice {
        first: i64,
        second: i64,
    },
    /// The clocks jumped over it: the last offset before the jump, and the first instant after it.
    Never {
        offset_before: i64,
        jump: i64,
    },
}

impl Zone {
    /// The zone named `UTC`.
    ///
    /// ```
    /// use domain::time::Zone;
    ///
    /// assert_eq!(Zone::utc().name(), "UTC");
    /// ```
    pub fn utc() -> Self {
        Self(Kind::Iana {
            name: "UTC",
            rules: &UTC,
        })
    }

    /// The name, in its usual letter case.
    ///
    /// ```
    /// use domain::time::Zone;
    ///
    /// assert_eq!("+02:00".parse::<Zone>()?.name(), "+02:00");
    /// # Ok::<(), domain::time::InvalidZone>(())
    /// ```
    pub fn name(&self) -> &str {
        match &self.0 {
            Kind::Iana { name, .. } => name,
            Kind::Fixed { name, .. } => name,
        }
    }

    /// The short name in force at an instant, as `EST` or `CEST`.
    ///
    /// Where people have no such name it is the offset in digits (`-03`, `+0545`); for a zone that is
    /// written as an offset it is the name of the zone.
    ///
    /// ```
    /// use domain::time::{Timestamp, Zone};
    ///
    /// let epoch = Timestamp::from_seconds(0).unwrap();
    /// assert_eq!("America/New_York".parse::<Zone>()?.abbreviation(epoch), "EST");
    /// assert_eq!("UTC+2".parse::<Zone>()?.abbreviation(epoch), "UTC+2");
    /// # Ok::<(), domain::time::InvalidZone>(())
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
    /// A time that the clocks jump over moves forward by the length of the jump (02:30 is 03:30 in
    /// the spring night of New York); of a time that they show twice, the first is meant. So says
    /// RFC 5545, section 3.3.5.
    ///
    /// ```
    /// use domain::time::{Zone, format_civil, parse_civil};
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
    /// [`InvalidDate::OutOfRange`] if the wall clock or the instant is not within the years 1 to 9999.
    pub fn at_local(&self, local: NaiveDateTime) -> Result<Moment, InvalidDate> {
        let wall = wall_seconds(local);
        // A wall clock has the bounds of an instant: the years are counted alike.
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

    /// An instant as the clocks of this zone show it.
    ///
    /// Never fails: in the first and the last hours of the years 1 to 9999, where the clocks of a
    /// zone may show a year outside them, the wall clock stops at the bound.
    ///
    /// ```
    /// use domain::time::{Timestamp, Zone, format_civil};
    ///
    /// let tokyo = "Asia/Tokyo".parse::<Zone>()?;
    /// let seen = tokyo.at(Timestamp::from_seconds(0).unwrap());
    /// assert_eq!(format_civil(seen.local), "1970-01-01 09:00:00");
    /// assert_eq!(format_civil(tokyo.at(Timestamp::MAX).local), "9999-12-31 23:59:59");
    /// # Ok::<(), domain::time::InvalidZone>(())
    /// ```
    pub fn at(&self, t: Timestamp) -> Moment {
        Moment {
            local: t.saturating_add(self.offset_at(t)).civil(),
            utc: t,
        }
    }

    /// As [`Self::at`], refusing what it would stop at the bound.
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
    /// use domain::time::{NaiveDate, Zone};
    ///
    /// let day = NaiveDate::from_ymd_opt(2027, 3, 10).unwrap();
    /// assert_eq!("UTC+2".parse::<Zone>()?.start_of_day(day).to_string(), "2027-03-09 22:00:00");
    /// # Ok::<(), domain::time::InvalidZone>(())
    /// ```
    pub fn start_of_day(&self, day: NaiveDate) -> Timestamp {
        let local = day.and_time(NaiveTime::MIN);
        self.saturating(local, |wall, reading| match reading {
            Reading::Once { offset } | Reading::Twice { first: offset, .. } => wall - offset,
            Reading::Never { jump, .. } => jump,
        })
    }

    /// The last second of a day: 23:59:59, the later one if the clocks show it twice, or the last
    /// second before a jump of the clocks over it.
    ///
    /// Days outside the years 1 to 9999 give [`Timestamp::MIN`] or [`Timestamp::MAX`].
    ///
    /// ```
    /// use domain::time::{NaiveDate, Zone};
    ///
    /// let day = NaiveDate::from_ymd_opt(2027, 3, 10).unwrap();
    /// assert_eq!("UTC+2".parse::<Zone>()?.end_of_day(day).to_string(), "2027-03-10 21:59:59");
    /// # Ok::<(), domain::time::InvalidZone>(())
    /// ```
    pub fn end_of_day(&self, day: NaiveDate) -> Timestamp {
        let local = day.and_time(NaiveTime::MIN) + TimeDelta::seconds(86_399);
        self.saturating(local, |wall, reading| match reading {
            Reading::Once { offset } | Reading::Twice { second: offset, .. } => wall - offset,
            Reading::Never { jump, .. } => jump - 1,
        })
    }

    /// The first and the last second of a day, or of the next one if the clocks leave it out.
    ///
    /// # Errors
    ///
    /// [`InvalidDate::OutOfRange`] if one of them is not within the years 1 to 9999.
    pub(super) fn day(&self, day: NaiveDate) -> Result<(Moment, Moment), InvalidDate> {
        let day = self.at_local(day.and_time(NaiveTime::MIN))?.local.date();
        // The wall clock says what is out of range; the seconds would stop at the bound.
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

    /// Seconds east of UTC at an instant.
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
        // The library calls a time ambiguous where a season changes its name alone (Greenland, October
        // 2023). The offset at an instant is certain.
        let shows = |offset| offset_at(rules, wall - offset) == offset;
        match (shows(before), shows(after)) {
            // Further east is earlier.
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

    /// Reads the name of a zone.
    ///
    /// Taken are the names of the IANA time zone database, aliases included; `UTC` with an offset in
    /// hours and minutes or in hours and a decimal fraction (`UTC+2`, `UTC-5`, `UTC+5:30`,
    /// `UTC+5.5`); and a bare offset (`+02:00`). Offsets lie between −12 and +14 hours. Any letter
    /// case will do; [`Self::name`] gives the usual one back, and keeps the rest as it was written.
    ///
    /// ```
    /// use domain::time::Zone;
    ///
    /// assert_eq!("america/new_york".parse::<Zone>()?.name(), "America/New_York");
    /// assert_eq!("utc+5.5".parse::<Zone>()?.name(), "UTC+5.5");
    /// assert!("Mars/Olympus_Mons".parse::<Zone>().is_err());
    /// # Ok::<(), domain::time::InvalidZone>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidZone`], naming the rule that `text` breaks.
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

/// Why a text is not a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidZone {
    /// Neither a name of the IANA database nor an offset.
    #[error("is not a known time zone")]
    Unknown,
    /// An offset below −12 or above +14 hours.
    #[error("must not be more than 12 hours behind or 14 hours ahead of UTC")]
    OffsetOutOfRange,
}

/// Seconds east of UTC by the rules of a zone, at an instant in seconds since 1970.
fn offset_at(rules: &TimeZone, seconds: i64) -> i64 {
    i64::from(rules.to_offset(instant(seconds)).seconds())
}

/// An instant as the library of rules has it. Its last one is 9999-12-30 22:00 UTC: the later ones have the
/// offset of that one.
fn instant(seconds: i64) -> jiff::Timestamp {
    jiff::Timestamp::from_second(seconds).unwrap_or(if seconds < 0 {
        jiff::Timestamp::MIN
    } else {
        jiff::Timestamp::MAX
    })
}

/// A wall clock as the library of rules has it.
fn civil(local: NaiveDateTime) -> jiff::civil::DateTime {
    // Months, days, hours, minutes and seconds fit; the year lies within 1 to 9999.
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

/// The first instant after the clocks jumped, between two instants in seconds.
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

/// A wall clock as seconds, counted as if it were UTC.
fn wall_seconds(local: NaiveDateTime) -> i64 {
    local.and_utc().timestamp()
}

#[cfg(test)]
pub(super) mod properties;
#[cfg(test)]
mod tests;
