//! Times of day, and their offset from UTC.

use chrono::NaiveTime;

use super::{invalid_date::InvalidDate, scan::Scan};

/// Parses `9:00`, `9:5`, `09:00:30`, `09:00:30.25`, `9:30 pm`, `4pm`, `noon` or `midnight`.
///
/// Fractions of a second are cut. An hour alone requires `am` or `pm`.
pub(super) fn time_of_day(scan: &mut Scan<'_>) -> Result<NaiveTime, InvalidDate> {
    match scan.word() {
        "" => {}
        "noon" => return hms(12, 0, 0),
        "midnight" => return hms(0, 0, 0),
        _ => return Err(InvalidDate::Unreadable),
    }
    let hour = scan.short_number().ok_or(InvalidDate::Unreadable)?;
    let has_minute = scan.eat(':');
    let (mut minute, mut second) = (0, 0);
    if has_minute {
        minute = scan.short_number().ok_or(InvalidDate::Unreadable)?;
        if scan.eat(':') {
            second = scan.short_number().ok_or(InvalidDate::Unreadable)?;
            if (scan.eat('.') || scan.eat(',')) && scan.digits().is_empty() {
                return Err(InvalidDate::Unreadable);
            }
        }
    }
    let hour = match half_of_day(scan) {
        Some(half) if (1..=12).contains(&hour) => hour % 12 + half,
        Some(_) => return Err(InvalidDate::ImpossibleTime),
        None if has_minute => hour,
        None => return Err(InvalidDate::Unreadable),
    };
    hms(hour, minute, second)
}

/// Parses `am` or `pm` and returns the hours before it; leaves other text unread.
fn half_of_day(scan: &mut Scan<'_>) -> Option<u32> {
    let mut ahead = *scan;
    ahead.blanks();
    let hours = match ahead.word() {
        "am" => 0,
        "pm" => 12,
        _ => return None,
    };
    *scan = ahead;
    Some(hours)
}

fn hms(hour: u32, minute: u32, second: u32) -> Result<NaiveTime, InvalidDate> {
    NaiveTime::from_hms_opt(hour, minute, second).ok_or(InvalidDate::ImpossibleTime)
}

/// Parses `Z`, `+02:00`, `-0500` or `+02`, up to 23:59, and returns seconds east of UTC; none at
/// the end of the text.
pub(super) fn utc_offset(scan: &mut Scan<'_>) -> Result<Option<i64>, InvalidDate> {
    if scan.is_done() {
        return Ok(None);
    }
    scan.blanks();
    if scan.eat('z') {
        return Ok(Some(0));
    }
    let sign = scan.sign().ok_or(InvalidDate::Unreadable)?;
    let digits = scan.digits();
    let (hours, minutes) = match digits.len() {
        2 if scan.eat(':') => (digits.parse().ok(), scan.two_digits()),
        2 => (digits.parse().ok(), Some(0)),
        4 => (
            digits[..2].parse::<u32>().ok(),
            digits[2..].parse::<u32>().ok(),
        ),
        _ => (None, None),
    };
    match (hours, minutes) {
        (Some(hours @ 0..=23), Some(minutes @ 0..=59)) => Ok(Some(
            i64::from(sign) * i64::from(hours * 3600 + minutes * 60),
        )),
        (Some(_), Some(_)) => Err(InvalidDate::ImpossibleTime),
        _ => Err(InvalidDate::Unreadable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Result<String, InvalidDate> {
        let mut scan = Scan::new(text);
        time_of_day(&mut scan)
            .map(|time| format!("{time}{}", if scan.is_done() { "" } else { " …" }))
    }

    fn offset(text: &str) -> Result<Option<i64>, InvalidDate> {
        utc_offset(&mut Scan::new(text))
    }

    #[test]
    fn times_of_day() {
        for (text, expected) in [
            ("9:00", "09:00:00"),
            ("9:5", "09:05:00"),
            ("9:5:7", "09:05:07"),
            ("9:5 pm", "21:05:00"),
            ("09:05:59", "09:05:59"),
            ("09:05:59.999", "09:05:59"),
            ("23:59:59,5", "23:59:59"),
            ("0:00", "00:00:00"),
            ("4pm", "16:00:00"),
            ("11 am", "11:00:00"),
            ("12am", "00:00:00"),
            ("12pm", "12:00:00"),
            ("9:30 pm", "21:30:00"),
            ("9:30:15pm", "21:30:15"),
            ("noon", "12:00:00"),
            ("midnight", "00:00:00"),
            ("9:00 +02", "09:00:00 …"),
            ("9:00 pmx", "09:00:00 …"),
        ] {
            assert_eq!(time(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn other_times_are_refused() {
        for text in [
            "", "9", "9:", "9:005", "9:05:", "9:05:005", "9:05:30.", "123:00", ":30", "am", "4xm",
            "4.30pm",
        ] {
            assert_eq!(time(text), Err(InvalidDate::Unreadable), "{text}");
        }
        for text in ["24:00", "9:60", "9:00:60", "13pm", "0am"] {
            assert_eq!(time(text), Err(InvalidDate::ImpossibleTime), "{text}");
        }
    }

    #[test]
    fn offsets_from_utc() {
        assert_eq!(offset(""), Ok(None));
        assert_eq!(offset("z"), Ok(Some(0)));
        assert_eq!(offset("+02:00"), Ok(Some(7200)));
        assert_eq!(offset(" -0530"), Ok(Some(-19_800)));
        assert_eq!(offset("-05"), Ok(Some(-18_000)));
        for text in [
            "+", "+2", "+2:00", "+02:0", "+020", "02:00", " 02:00", "utc", "+02:",
        ] {
            assert_eq!(offset(text), Err(InvalidDate::Unreadable), "{text}");
        }
        assert_eq!(offset("+24:00"), Err(InvalidDate::ImpossibleTime));
        assert_eq!(offset("+02:60"), Err(InvalidDate::ImpossibleTime));
    }
}
