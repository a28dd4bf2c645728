//! Dates relative to the present, in English.

use chrono::{Datelike, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Weekday};

use super::{
    clock::time_of_day,
    invalid_date::InvalidDate,
    scan::Scan,
    sent::SentDate,
    timestamp::Timestamp,
    zone::{Moment, Zone},
};

/// A unit of time. Elapsed time moves the instant, calendar time moves the wall clock.
#[derive(Clone, Copy)]
enum Unit {
    Seconds(i64),
    Days(i64),
    Months(i64),
}

/// Parses a date relative to `now`; `text` is in lower case, without blanks around it.
pub(super) fn parse(text: &str, zone: &Zone, now: Timestamp) -> Result<SentDate, InvalidDate> {
    let mut scan = Scan::new(text);
    let here = zone.at_instant(now)?;
    let today = here.local.date();
    let on = |day: Option<NaiveDate>, time: Option<NaiveTime>| {
        let day = day.ok_or(InvalidDate::OutOfRange)?;
        SentDate::at_local(zone, day.and_time(time.unwrap_or(NaiveTime::MIN)))
    };

    match scan.word() {
        "" => {
            let (count, unit) = counted(&mut scan)?;
            moved(scan, zone, here, count, unit)
        }
        "now" if scan.is_done() => Ok(here.into()),
        "midnight" if scan.is_done() => on(Some(today), None),
        "noon" if scan.is_done() => on(Some(today), NaiveTime::from_hms_opt(12, 0, 0)),
        "today" => on(Some(today), ending(scan)?),
        "yesterday" => on(today.pred_opt(), ending(scan)?),
        "tomorrow" => on(today.succ_opt(), ending(scan)?),
        direction @ ("next" | "last") => {
            let forward = direction == "next";
            scan.blanks();
            let word = scan.word();
            if let Some(weekday) = weekday(word) {
                return on(neighbour(today, weekday, forward), ending(scan)?);
            }
            match word {
                "day" | "week" | "month" | "year" => {
                    let unit = unit(word).ok_or(InvalidDate::Unreadable)?;
                    moved(scan, zone, here, if forward { 1 } else { -1 }, unit)
                }
                _ => Err(InvalidDate::Unreadable),
            }
        }
        word => {
            let weekday = weekday(word).ok_or(InvalidDate::Unreadable)?;
            let ahead = i64::from(weekday.days_since(today.weekday()));
            on(
                today.checked_add_signed(TimeDelta::days(ahead)),
                ending(scan)?,
            )
        }
    }
}

/// Parses `+2 hours`, `-3 days` or `3 days ago`.
fn counted(scan: &mut Scan<'_>) -> Result<(i64, Unit), InvalidDate> {
    let sign = scan.sign();
    let digits = scan.digits();
    scan.blanks();
    let unit = unit(scan.word()).ok_or(InvalidDate::Unreadable)?;
    let sign = match sign {
        Some(sign) => sign,
        None if scan.blanks() && scan.word() == "ago" => -1,
        None => return Err(InvalidDate::Unreadable),
    };
    match digits.len() {
        0 => Err(InvalidDate::Unreadable),
        // Up to nine digits of any unit fit the calculation.
        1..=9 => digits
            .parse::<i64>()
            .map(|count| (i64::from(sign) * count, unit))
            .map_err(|_| InvalidDate::OutOfRange),
        _ => Err(InvalidDate::OutOfRange),
    }
}

/// Adds `count` units to `here`, and then applies the time of day at the end of the text, if there
/// is one.
fn moved(
    scan: Scan<'_>,
    zone: &Zone,
    here: Moment,
    count: i64,
    unit: Unit,
) -> Result<SentDate, InvalidDate> {
    let time = ending(scan)?;
    let wall = match unit {
        // "Two hours from now at eleven" is contradictory.
        Unit::Seconds(_) if time.is_some() => return Err(InvalidDate::Unreadable),
        Unit::Seconds(seconds) => {
            let instant = here.utc.seconds() + count * seconds;
            let instant = Timestamp::from_seconds(instant).ok_or(InvalidDate::OutOfRange)?;
            return Ok(zone.at_instant(instant)?.into());
        }
        Unit::Days(days) => {
            TimeDelta::try_days(count * days).and_then(|days| here.local.checked_add_signed(days))
        }
        Unit::Months(months) => add_months(here.local, count * months),
    };
    let wall = wall.ok_or(InvalidDate::OutOfRange)?;
    SentDate::at_local(zone, time.map_or(wall, |time| wall.date().and_time(time)))
}

/// Adds months; the day stays, or becomes the last one of a month that is too short.
fn add_months(wall: NaiveDateTime, months: i64) -> Option<NaiveDateTime> {
    let distance = Months::new(u32::try_from(months.unsigned_abs()).ok()?);
    if months < 0 {
        wall.checked_sub_months(distance)
    } else {
        wall.checked_add_months(distance)
    }
}

/// The next such weekday after `today`, or the last one before it.
fn neighbour(today: NaiveDate, weekday: Weekday, forward: bool) -> Option<NaiveDate> {
    let ahead = i64::from(weekday.days_since(today.weekday()));
    let days = match (forward, ahead) {
        (true, 0) => 7,
        (true, ahead) => ahead,
        (false, ahead) => ahead - 7,
    };
    today.checked_add_signed(TimeDelta::days(days))
}

/// Parses the time of day at the end of the text; none if nothing is left.
fn ending(mut scan: Scan<'_>) -> Result<Option<NaiveTime>, InvalidDate> {
    if scan.is_done() {
        return Ok(None);
    }
    if !scan.blanks() {
        return Err(InvalidDate::Unreadable);
    }
    let time = time_of_day(&mut scan)?;
    if scan.is_done() {
        Ok(Some(time))
    } else {
        Err(InvalidDate::Unreadable)
    }
}

/// Parses a weekday, in full or by its first three letters.
fn weekday(word: &str) -> Option<Weekday> {
    word.parse().ok()
}

fn unit(word: &str) -> Option<Unit> {
    match word.strip_suffix('s').unwrap_or(word) {
        "sec" | "second" => Some(Unit::Seconds(1)),
        "min" | "minute" => Some(Unit::Seconds(60)),
        "hour" => Some(Unit::Seconds(3600)),
        "day" => Some(Unit::Days(1)),
        "week" => Some(Unit::Days(7)),
        "month" => Some(Unit::Months(1)),
        "year" => Some(Unit::Months(12)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{format_civil, parse_civil};

    /// Parses `text` in New York at the wall clock `now`.
    fn at(now: &str, text: &str) -> Result<String, InvalidDate> {
        let new_york = "America/New_York".parse::<Zone>().unwrap();
        let now = new_york.at_local(parse_civil(now).unwrap()).unwrap().utc;
        parse(text, &new_york, now).map(|sent| format_civil(sent.moment().local))
    }

    /// Parses `text` on a Wednesday at 22:20:30; in UTC it is Thursday.
    fn wednesday(text: &str) -> Result<String, InvalidDate> {
        at("2027-03-10 22:20:30", text)
    }

    #[test]
    fn words() {
        for (text, expected) in [
            ("now", "2027-03-10 22:20:30"),
            ("today", "2027-03-10 00:00:00"),
            ("midnight", "2027-03-10 00:00:00"),
            ("noon", "2027-03-10 12:00:00"),
            ("yesterday", "2027-03-09 00:00:00"),
            ("tomorrow", "2027-03-11 00:00:00"),
            ("tomorrow 9am", "2027-03-11 09:00:00"),
            ("today 9:30 pm", "2027-03-10 21:30:00"),
            ("yesterday  14:05", "2027-03-09 14:05:00"),
            ("tomorrow noon", "2027-03-11 12:00:00"),
        ] {
            assert_eq!(wednesday(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn weekdays() {
        for (text, expected) in [
            ("next friday", "2027-03-12 00:00:00"),
            ("next friday 5pm", "2027-03-12 17:00:00"),
            ("next wednesday 4pm", "2027-03-17 16:00:00"),
            ("last wednesday", "2027-03-03 00:00:00"),
            ("last thu", "2027-03-04 00:00:00"),
            ("last tuesday 11am", "2027-03-09 11:00:00"),
            ("wednesday", "2027-03-10 00:00:00"),
            ("tue 9:00", "2027-03-16 09:00:00"),
        ] {
            assert_eq!(wednesday(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn distances() {
        for (text, expected) in [
            ("+2 hours", "2027-03-11 00:20:30"),
            ("+2hours", "2027-03-11 00:20:30"),
            ("-90 min", "2027-03-10 20:50:30"),
            ("+30 seconds", "2027-03-10 22:21:00"),
            ("+5 days", "2027-03-15 22:20:30"),
            ("+5 days 11am", "2027-03-15 11:00:00"),
            ("-1 week", "2027-03-03 22:20:30"),
            ("3 days ago", "2027-03-07 22:20:30"),
            ("1 month ago noon", "2027-02-10 12:00:00"),
            ("2 hours ago", "2027-03-10 20:20:30"),
            ("+1 year", "2028-03-10 22:20:30"),
            ("next day", "2027-03-11 22:20:30"),
            ("last week 9am", "2027-03-03 09:00:00"),
            ("next month", "2027-04-10 22:20:30"),
            ("last year", "2026-03-10 22:20:30"),
            ("-0 days", "2027-03-10 22:20:30"),
        ] {
            assert_eq!(wednesday(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn short_months_end_early() {
        for (now, text, expected) in [
            ("2027-01-31 09:00:00", "+1 month", "2027-02-28 09:00:00"),
            ("2027-03-31 09:00:00", "last month", "2027-02-28 09:00:00"),
            ("2028-02-29 09:00:00", "next year", "2029-02-28 09:00:00"),
        ] {
            assert_eq!(at(now, text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn hours_elapse_while_days_keep_the_wall_clock() {
        // The clocks go forward in the following night.
        for (text, expected) in [
            ("+24 hours", "2027-03-14 21:00:00"),
            ("+1 day", "2027-03-14 20:00:00"),
            ("tomorrow 2:30", "2027-03-14 03:30:00"),
        ] {
            assert_eq!(at("2027-03-13 20:00:00", text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn nothing_leads_out_of_the_years() {
        for text in [
            "+999999999 years",
            "+999999999 days",
            "-999999999 weeks",
            "+9999999999 days",
            "-999999999 hours",
            "9000 years ago",
        ] {
            assert_eq!(wednesday(text), Err(InvalidDate::OutOfRange), "{text}");
        }
        for text in ["tomorrow", "next friday"] {
            let read = at("9999-12-31 12:00:00", text);
            assert_eq!(read, Err(InvalidDate::OutOfRange), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "not a date",
            "now 9am",
            "noon 9am",
            "midnight x",
            "today 9",
            "today9am",
            "tomorrow +02:00",
            "next",
            "next foo",
            "next hour",
            "next days",
            "nextfriday x",
            "last day of next month",
            "first friday",
            "+ days",
            "+5",
            "5 days",
            "+5 days ago",
            "-5 days ago",
            "5 days before",
            "+2 hours 11am",
            "+5 daysx",
            "+5 dayss",
            "+1 week 2 days",
            "tomorrow 9am z",
            "today 4pm 5pm",
            "monda",
            "ago",
        ] {
            assert_eq!(wednesday(text), Err(InvalidDate::Unreadable), "{text}");
        }
        assert_eq!(wednesday("today 25:00"), Err(InvalidDate::ImpossibleTime));
    }
}
