//! Parsing of dates that people and programs send.

use super::{
    absolute,
    invalid_date::InvalidDate,
    relative,
    sent::SentDate,
    timestamp::Timestamp,
    zone::{Moment, Zone},
};

/// Parses a date in any of the forms that people and programs send.
///
/// Blanks at the ends and letter case are ignored. The forms are:
///
/// - `2027-03-10`, `2027/03/10`, `3/10/2027` (month first), `10.3.2027` (day first),
///   `10 March 2027` and `Mar 10, 2027`, alone (00:00:00) or with a time of day, after a blank or `T`;
/// - times of day such as `9:00`, `9:5`, `09:00:30`, `4pm`, `9:30 pm`, `noon` or `midnight`;
///   fractions of a second are cut;
/// - a calendar date and time followed by `Z`, `+02:00`, `+0200` or `+02`: an instant, converted to
///   the clocks of `zone`;
/// - nine or more digits: Unix time in seconds, again an instant;
/// - `now`; `today`, `yesterday`, `tomorrow`, `midnight` and `noon`, by the clocks of `zone`;
/// - `friday` (the next one, today included), `next friday` and `last friday` (today excluded), at
///   00:00:00;
/// - `+2 hours`, `-3 days`, `3 days ago`, `next week`, `last month`, at the same time of day.
///
/// `today`, `yesterday`, `tomorrow`, weekdays, and distances of days or longer may be followed by a
/// time of day. Seconds, minutes and hours are elapsed time; days, weeks, months and years are
/// calendar time. If a month is too short for the day, its last day is used: one month after 31
/// January is 28 February.
///
/// A text without an offset is a wall clock of `zone`; [`Zone::at_local`] defines its instant where
/// the clocks change. Other forms are errors.
///
/// ```
/// use events_calendar_domain::time::{InvalidDate, Timestamp, Zone, format_civil, parse_date};
///
/// let new_york = "America/New_York".parse::<Zone>()?;
/// let now = Timestamp::from_seconds(1_804_669_200).unwrap(); // 2027-03-10 04:00 in New York
/// let read = |text| parse_date(text, &new_york, now).map(|moment| format_civil(moment.local));
///
/// assert_eq!(read("2027-03-10T09:00:00Z")?, "2027-03-10 04:00:00");
/// assert_eq!(read("3/10/2027 9:00")?, "2027-03-10 09:00:00");
/// assert_eq!(read("next friday 5pm")?, "2027-03-12 17:00:00");
/// assert_eq!(read("2027-02-30"), Err(InvalidDate::ImpossibleDay));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`InvalidDate`], naming the rule that `text` violates.
pub fn parse_date(text: &str, zone: &Zone, now: Timestamp) -> Result<Moment, InvalidDate> {
    read_date(text, zone, now).map(|sent| sent.moment())
}

/// Parses a date as [`parse_date`] does, for comparison with a stored one.
///
/// ```
/// use events_calendar_domain::time::{Timestamp, Zone, parse_date, read_date};
///
/// let (tokyo, now) = ("Asia/Tokyo".parse::<Zone>()?, Timestamp::MIN);
/// let sent = read_date("2027/03/10 9:00", &tokyo, now)?;
/// assert_eq!(sent.moment(), parse_date("2027-03-10 09:00:00", &tokyo, now)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`parse_date`].
pub fn read_date(text: &str, zone: &Zone, now: Timestamp) -> Result<SentDate, InvalidDate> {
    let text = text.trim().to_ascii_lowercase();
    if text.is_empty() {
        return Err(InvalidDate::Empty);
    }
    if let Some(number) = whole_number(&text) {
        return Ok(zone.at_instant(number?)?.into());
    }
    match absolute::parse(&text, zone) {
        Err(InvalidDate::Unreadable) => relative::parse(&text, zone, now),
        read => read,
    }
}

/// Parses a date as [`parse_date`] does, and returns the first second of its day. The day is the
/// one that was sent, even if the clocks skip the time of day.
///
/// ```
/// use events_calendar_domain::time::{Timestamp, Zone, format_civil, parse_day};
///
/// let nuuk = "America/Nuuk".parse::<Zone>()?;
/// let now = Timestamp::from_seconds(0).unwrap();
/// let day = parse_day("2027-03-27 23:59:59", &nuuk, now)?;
/// assert_eq!(format_civil(day.local), "2027-03-27 00:00:00");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`parse_date`].
pub fn parse_day(text: &str, zone: &Zone, now: Timestamp) -> Result<Moment, InvalidDate> {
    let moment = parse_date(text, zone, now)?;
    let day = match absolute::read(&text.trim().to_ascii_lowercase()) {
        Ok((wall, None)) => wall.date(),
        _ => moment.local.date(),
    };
    Ok(zone.day(day)?.0)
}

/// Whether a text is a calendar date without a time of day.
pub(crate) fn is_day(text: &str) -> bool {
    absolute::is_day(&text.trim().to_ascii_lowercase())
}

/// Fewest digits of a Unix time: a shorter number is more likely a year, or a date without hyphens,
/// than a time before 1973.
const FEWEST_DIGITS_OF_UNIX_TIME: usize = 9;

/// The instant of a text of digits; none if the text has anything but a sign and digits.
fn whole_number(text: &str) -> Option<Result<Timestamp, InvalidDate>> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if digits.len() < text.len() || digits.len() < FEWEST_DIGITS_OF_UNIX_TIME {
        return Some(Err(InvalidDate::NotUnixTime));
    }
    // A number too long for the type is a time out of range.
    Some(
        digits
            .parse()
            .ok()
            .and_then(Timestamp::from_seconds)
            .ok_or(InvalidDate::OutOfRange),
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::time::format_civil;

    /// 2027-03-10 09:00:00 UTC, a Wednesday.
    const NOW: i64 = 1_804_669_200;

    fn read_in(zone: &str, text: &str) -> Result<String, InvalidDate> {
        let now = Timestamp::from_seconds(NOW).unwrap();
        parse_date(text, &zone.parse::<Zone>().unwrap(), now)
            .map(|moment| format_civil(moment.local))
    }

    fn read(text: &str) -> Result<String, InvalidDate> {
        read_in("UTC", text)
    }

    #[test]
    fn letter_case_and_blanks_around_do_not_matter() {
        for (text, expected) in [
            (" 2027-03-10T09:00:00Z\n", "2027-03-10 09:00:00"),
            ("2027-03-10t09:00:00z", "2027-03-10 09:00:00"),
            ("6 May 2031", "2031-05-06 00:00:00"),
            ("MAY 6, 2031 4PM", "2031-05-06 16:00:00"),
            ("Next Friday 5PM", "2027-03-12 17:00:00"),
            ("NOW", "2027-03-10 09:00:00"),
        ] {
            assert_eq!(read(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn numbers_are_unix_time_from_nine_digits_on() {
        assert_eq!(read("1804669200").unwrap(), "2027-03-10 09:00:00");
        assert_eq!(
            read_in("Asia/Tokyo", "1804669200").unwrap(),
            "2027-03-10 18:00:00"
        );
        assert_eq!(read("100000000").unwrap(), "1973-03-03 09:46:40");
        for text in [
            "2027",
            "20270310",
            "5",
            "0",
            "-5",
            "-1804669200",
            "+1804669200",
        ] {
            assert_eq!(read(text), Err(InvalidDate::NotUnixTime), "{text}");
        }
        for text in ["253402300800", "99999999999999999999999999"] {
            assert_eq!(read(text), Err(InvalidDate::OutOfRange), "{text}");
        }
        assert_eq!(read("253402300799").unwrap(), "9999-12-31 23:59:59");
        assert_eq!(
            read_in("UTC+1", "253402300799"),
            Err(InvalidDate::OutOfRange)
        );
    }

    #[test]
    fn each_mistake_has_its_name() {
        for (text, mistake) in [
            ("", InvalidDate::Empty),
            (" \t\n", InvalidDate::Empty),
            ("not a date", InvalidDate::Unreadable),
            ("2027-03-10é", InvalidDate::Unreadable),
            ("1804669200.5", InvalidDate::Unreadable),
            ("٢٠٢٧", InvalidDate::Unreadable),
            ("+", InvalidDate::Unreadable),
            ("2027-13-01", InvalidDate::ImpossibleDay),
            ("2027-02-30 09:00", InvalidDate::ImpossibleDay),
            ("2027-03-10 25:00", InvalidDate::ImpossibleTime),
            ("10000-01-01", InvalidDate::OutOfRange),
        ] {
            assert_eq!(read(text), Err(mistake), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC*", now in Timestamp::MIN.seconds()..=Timestamp::MAX.seconds()) {
            let now = Timestamp::from_seconds(now).unwrap();
            let _ = parse_date(&text, &Zone::utc(), now);
        }

        #[test]
        fn nearly_readable_text_does_not_either(
            text in "((next|last|today|friday|may|ago|days?|months|hours|am|pm|noon|[-+]?[0-9]{1,12}|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}:[0-9]{2}|[-+:/.,tz])( |)){1,5}",
            now in Timestamp::MIN.seconds()..=Timestamp::MAX.seconds(),
            zone in prop::sample::select(vec!["UTC", "UTC+14", "-12:00", "America/New_York", "Pacific/Apia"]),
        ) {
            let zone = zone.parse::<Zone>().unwrap();
            if let Ok(moment) = parse_date(&text, &zone, Timestamp::from_seconds(now).unwrap()) {
                prop_assert_eq!(moment, zone.at(moment.utc));
            }
        }

        #[test]
        fn what_is_shown_can_be_sent_again(seconds in Timestamp::MIN.seconds()..=Timestamp::MAX.seconds()) {
            let moment = Zone::utc().at(Timestamp::from_seconds(seconds).unwrap());
            prop_assert_eq!(parse_date(&format_civil(moment.local), &Zone::utc(), Timestamp::MIN), Ok(moment));
        }
    }
}
