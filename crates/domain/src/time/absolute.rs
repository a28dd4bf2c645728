//! Calendar dates.

use chrono::{Month, NaiveDate, NaiveDateTime, NaiveTime};

use super::{
    clock::{time_of_day, utc_offset},
    invalid_date::InvalidDate,
    scan::Scan,
    sent::SentDate,
    timestamp::Timestamp,
    zone::Zone,
};

/// Parses a date, optionally followed by `T` or blanks and a time of day with or without an offset.
///
/// `text` is in lower case, without blanks around it.
pub(super) fn parse(text: &str, zone: &Zone) -> Result<SentDate, InvalidDate> {
    let (wall, offset) = read(text)?;
    match offset {
        None => SentDate::at_local(zone, wall),
        Some(offset) => {
            let instant = wall.and_utc().timestamp() - offset;
            let instant = Timestamp::from_seconds(instant).ok_or(InvalidDate::OutOfRange)?;
            Ok(zone.at_instant(instant)?.into())
        }
    }
}

/// Parses as [`parse`] does, without a zone: the wall clock, and the offset in seconds if the text
/// has one.
pub(super) fn read(text: &str) -> Result<(NaiveDateTime, Option<i64>), InvalidDate> {
    let mut scan = Scan::new(text);
    let day = day(&mut scan)?;
    if scan.is_done() {
        return Ok((day.and_time(NaiveTime::MIN), None));
    }
    if !scan.eat('t') && !scan.blanks() {
        return Err(InvalidDate::Unreadable);
    }
    let wall = day.and_time(time_of_day(&mut scan)?);
    let offset = utc_offset(&mut scan)?;
    if !scan.is_done() {
        return Err(InvalidDate::Unreadable);
    }
    Ok((wall, offset))
}

/// Whether a text in lower case is a day alone.
pub(super) fn is_day(text: &str) -> bool {
    let mut scan = Scan::new(text);
    day(&mut scan).is_ok() && scan.is_done()
}

/// Parses `2027-03-10`, `2027/03/10`, `3/10/2027`, `10.3.2027`, `10 March 2027` or `Mar 10, 2027`.
fn day(scan: &mut Scan<'_>) -> Result<NaiveDate, InvalidDate> {
    let mut ahead = *scan;
    let first = ahead.digits();
    let (year, month, day) = if first.is_empty() {
        let month = month_name(scan)?;
        require(scan.blanks())?;
        let day = one_or_two(scan)?;
        scan.eat(',');
        require(scan.blanks())?;
        (year(scan.digits())?, month, day)
    } else if let Some(separator) = ['-', '/']
        .into_iter()
        .find(|separator| ahead.eat(*separator))
        && (separator == '-' || first.len() > 2)
    {
        *scan = ahead;
        let year = year(first)?;
        let month = one_or_two(scan)?;
        require(scan.eat(separator))?;
        (year, month, one_or_two(scan)?)
    } else {
        let first = one_or_two(scan)?;
        if scan.eat('/') {
            let day = one_or_two(scan)?;
            require(scan.eat('/'))?;
            (year(scan.digits())?, first, day)
        } else if scan.eat('.') {
            let month = one_or_two(scan)?;
            require(scan.eat('.'))?;
            (year(scan.digits())?, month, first)
        } else {
            require(scan.blanks())?;
            let month = month_name(scan)?;
            require(scan.blanks())?;
            (year(scan.digits())?, month, first)
        }
    };
    NaiveDate::from_ymd_opt(year, month, day).ok_or(InvalidDate::ImpossibleDay)
}

/// Parses a year of four digits; zero and longer numbers are valid numbers, but out of range.
fn year(digits: &str) -> Result<i32, InvalidDate> {
    match digits.len() {
        0..=3 => Err(InvalidDate::Unreadable),
        4 => digits
            .parse()
            .ok()
            .filter(|&year| year > 0)
            .ok_or(InvalidDate::OutOfRange),
        _ => Err(InvalidDate::OutOfRange),
    }
}

/// Parses the name of a month, in full or by its first three letters.
fn month_name(scan: &mut Scan<'_>) -> Result<u32, InvalidDate> {
    let month: Month = scan.word().parse().map_err(|_| InvalidDate::Unreadable)?;
    Ok(month.number_from_month())
}

fn one_or_two(scan: &mut Scan<'_>) -> Result<u32, InvalidDate> {
    scan.short_number().ok_or(InvalidDate::Unreadable)
}

fn require(met: bool) -> Result<(), InvalidDate> {
    if met {
        Ok(())
    } else {
        Err(InvalidDate::Unreadable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::format_civil;

    fn local(text: &str, zone: &str) -> Result<String, InvalidDate> {
        parse(text, &zone.parse::<Zone>().unwrap()).map(|sent| format_civil(sent.moment().local))
    }

    #[test]
    fn days_in_their_written_forms() {
        for text in [
            "2027-03-10",
            "2027-3-10",
            "2027/03/10",
            "2027/3/10",
            "3/10/2027",
            "03/10/2027",
            "10.3.2027",
            "10.03.2027",
            "10 march 2027",
            "10 mar 2027",
            "march 10, 2027",
            "mar 10 2027",
            "mar  10,  2027",
        ] {
            assert_eq!(local(text, "UTC").unwrap(), "2027-03-10 00:00:00", "{text}");
            assert_eq!(
                local(&format!("{text} 9:00"), "UTC").unwrap(),
                "2027-03-10 09:00:00",
                "{text}"
            );
        }
        for text in [
            "2027/03/10t9:05:07",
            "2027/03/10 9:5:7",
            "2027-03-10 9:5:7",
            "2027-03-10t09:5:07",
        ] {
            assert_eq!(local(text, "UTC").unwrap(), "2027-03-10 09:05:07", "{text}");
        }
        assert_eq!(
            local("2018-01-01 4pm", "UTC").unwrap(),
            "2018-01-01 16:00:00"
        );
        assert_eq!(
            local("2027-03-10t09:00:00.123", "UTC").unwrap(),
            "2027-03-10 09:00:00"
        );
    }

    #[test]
    fn an_offset_makes_it_an_instant() {
        for (text, zone, expected) in [
            (
                "2027-03-10t09:00:00z",
                "America/New_York",
                "2027-03-10 04:00:00",
            ),
            ("2027-03-10t09:00:00.123z", "UTC", "2027-03-10 09:00:00"),
            ("2027-03-10t09:00:00+05:00", "UTC", "2027-03-10 04:00:00"),
            ("2027-05-10t23:00:00-05:00", "UTC", "2027-05-11 04:00:00"),
            (
                "2027-03-10 09:00 -0500",
                "Asia/Tokyo",
                "2027-03-10 23:00:00",
            ),
        ] {
            assert_eq!(local(text, zone).unwrap(), expected, "{text}");
        }
        // The year is 10000 in UTC, though not in the zone.
        let late = local("9999-12-31 23:30-01:00", "UTC-5");
        assert_eq!(late, Err(InvalidDate::OutOfRange));
    }

    #[test]
    fn days_that_no_calendar_has() {
        for text in [
            "2027-02-30",
            "2027-13-01",
            "2027-00-01",
            "2027-01-00",
            "29.2.2027",
            "13/1/2027",
            "2027/13/1",
            "31 apr 2027",
        ] {
            assert_eq!(
                local(text, "UTC"),
                Err(InvalidDate::ImpossibleDay),
                "{text}"
            );
        }
        assert!(local("2028-02-29", "UTC").is_ok());
    }

    #[test]
    fn years_outside_1_to_9999() {
        for text in [
            "10000-01-01",
            "0000-01-01",
            "10000/01/01",
            "1/1/10000",
            "1 jan 12345",
        ] {
            assert_eq!(local(text, "UTC"), Err(InvalidDate::OutOfRange), "{text}");
        }
        assert!(local("0001-01-01", "UTC").is_ok());
        assert_eq!(local("0001-01-01", "UTC+1"), Err(InvalidDate::OutOfRange));
        assert_eq!(
            local("9999-12-31 23:59:59z", "UTC+1"),
            Err(InvalidDate::OutOfRange)
        );
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "27-03-10",
            "2027-03",
            "2027-03-10t",
            "2027-03-10 ",
            "2027-03-10x",
            "2027-03-10 9",
            "2027/03-10",
            "2027-03/10",
            "2027/03",
            "27/03/10",
            "2027/003/10",
            "2027/03/10 9:005",
            "2027-03-10 09:00 02:00",
            "2027-03-10z",
            "2027-03-10 09:00z z",
            "3/10/27",
            "3-10-2027",
            "3.10",
            "10march2027",
            "maybe 6, 2031",
            "march 2027",
            "march 10,2027",
            "20270310t090000z",
            "",
            "2027-003-10",
        ] {
            assert_eq!(local(text, "UTC"), Err(InvalidDate::Unreadable), "{text}");
        }
    }
}
