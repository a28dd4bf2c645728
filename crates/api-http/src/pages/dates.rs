//! Dates and times in words, in each language.
//!
//! The results are HTML: each date is a `time` element with a machine-readable attribute.

use std::fmt::Write as _;

use chrono::{Datelike as _, Timelike as _};
use domain::{
    Language,
    text::escape_markup,
    time::{EventTime, Moment, NaiveDate},
};

use super::words::{Word, pick};
use crate::record::json_ld::iso8601;

/// The weekday, the day, the month and optionally the year: `Saturday 17 April 2027`.
pub(super) fn day(date: NaiveDate, with_year: bool, language: Language) -> String {
    let mut text = format!(
        "{} {}",
        weekday(date, language),
        day_of_month(date, language)
    );
    let _ = write!(text, " {}", month(date, language));
    if with_year {
        let _ = write!(text, " {}", date.year());
    }
    text
}

/// A day as an element: `<time datetime="2027-04-17">Saturday 17 April 2027</time>`.
pub(super) fn day_element(date: NaiveDate, language: Language) -> String {
    element(&date.to_string(), &day(date, true, language))
}

/// The start and the end of an event, in full.
pub(super) fn full(when: &EventTime, language: Language) -> String {
    let (first, last) = (when.start().local.date(), when.end().local.date());
    if when.all_day() {
        return if first == last {
            let comma = comma(language);
            format!(
                "{}{comma} {}",
                day_element(first, language),
                Word::AllDay.text(language)
            )
        } else {
            days(first, last, language)
        };
    }
    let zone = |moment: Moment| {
        let name = when.zone().abbreviation(moment.utc);
        format!(" (<bdi>{}</bdi>)", escape_markup(&name))
    };
    let (start_zone, end_zone) = (zone(when.start()), zone(when.end()));
    // If the clocks change during the event, start and end each name their offset.
    let start_zone = if start_zone == end_zone {
        String::new()
    } else {
        start_zone
    };
    let of_day = |moment: Moment| {
        let date = day(moment.local.date(), true, language);
        let text = format!("{date}{} {}", comma(language), clock(moment));
        element(&iso(moment, when), &text)
    };
    let start = of_day(when.start());
    if when.start() == when.end() {
        format!("{start}{end_zone}")
    } else if first == last {
        let date = day_element(first, language);
        let hours = hours(when, &start_zone, language);
        format!("{date}{} {hours}{end_zone}", comma(language))
    } else {
        let end = of_day(when.end());
        format!(
            "{}{end_zone}",
            range(&format!("{start}{start_zone}"), &end, language)
        )
    }
}

/// The time of an event in the list of its first day: its hours, or its last day.
pub(super) fn short(when: &EventTime, language: Language) -> String {
    let (first, last) = (when.start().local.date(), when.end().local.date());
    if first != last {
        return until(last, last.year() != first.year(), language);
    }
    if when.all_day() {
        return Word::AllDay.text(language).to_owned();
    }
    let zone = when.zone().abbreviation(when.end().utc);
    let hours = if when.start() == when.end() {
        element(&iso(when.start(), when), &clock(when.start()))
    } else {
        hours(when, "", language)
    };
    format!("{hours} <small><bdi>{}</bdi></small>", escape_markup(&zone))
}

/// A range of days, with a common month and year only once: `Saturday 17 – Monday 19 April 2027`.
fn days(first: NaiveDate, last: NaiveDate, language: Language) -> String {
    let start = if first.year() != last.year() {
        day(first, true, language)
    } else if first.month() != last.month() {
        day(first, false, language)
    } else {
        format!(
            "{} {}",
            weekday(first, language),
            day_of_month(first, language)
        )
    };
    let start = element(&first.to_string(), &start);
    let end = element(&last.to_string(), &day(last, true, language));
    range(&start, &end, language)
}

/// A range from start to end.
fn range(start: &str, end: &str, language: Language) -> String {
    match language {
        Language::Arabic => format!("من {start} إلى {end}"),
        Language::English => format!("{start} – {end}"),
        Language::French => format!("du {start} au {end}"),
    }
}

/// The hours of an event that ends on its first day.
fn hours(when: &EventTime, start_zone: &str, language: Language) -> String {
    let hour = |moment| element(&iso(moment, when), &clock(moment));
    let (start, end) = (hour(when.start()), hour(when.end()));
    match language {
        Language::Arabic => format!("من {start}{start_zone} إلى {end}"),
        Language::English => format!("{start}{start_zone}–{end}"),
        Language::French => format!("de {start}{start_zone} à {end}"),
    }
}

fn until(last: NaiveDate, with_year: bool, language: Language) -> String {
    let last = element(&last.to_string(), &day(last, with_year, language));
    match language {
        Language::Arabic => format!("حتى {last}"),
        Language::English => format!("until {last}"),
        Language::French => format!("jusqu’au {last}"),
    }
}

/// A `time` element. Both texts are generated here and need no escaping.
fn element(machine: &str, people: &str) -> String {
    format!("<time datetime=\"{machine}\">{people}</time>")
}

/// `2027-04-17T09:00:00+02:00`; only the date for an event of whole days.
fn iso(moment: Moment, when: &EventTime) -> String {
    if when.all_day() {
        moment.local.date().to_string()
    } else {
        iso8601(moment)
    }
}

/// `09:00`.
fn clock(moment: Moment) -> String {
    format!("{:02}:{:02}", moment.local.hour(), moment.local.minute())
}

fn comma(language: Language) -> &'static str {
    pick(language, "،", ",", ",")
}

/// The day of the month; in French the first is an ordinal.
fn day_of_month(date: NaiveDate, language: Language) -> String {
    match (date.day(), language) {
        (1, Language::French) => "1er".to_owned(),
        (day, _) => day.to_string(),
    }
}

fn weekday(date: NaiveDate, language: Language) -> &'static str {
    let (arabic, english, french) = WEEKDAYS[date.weekday().num_days_from_monday() as usize];
    pick(language, arabic, english, french)
}

fn month(date: NaiveDate, language: Language) -> &'static str {
    let (arabic, english, french) = MONTHS[date.month0() as usize];
    pick(language, arabic, english, french)
}

const WEEKDAYS: [(&str, &str, &str); 7] = [
    ("الاثنين", "Monday", "lundi"),
    ("الثلاثاء", "Tuesday", "mardi"),
    ("الأربعاء", "Wednesday", "mercredi"),
    ("الخميس", "Thursday", "jeudi"),
    ("الجمعة", "Friday", "vendredi"),
    ("السبت", "Saturday", "samedi"),
    ("الأحد", "Sunday", "dimanche"),
];

const MONTHS: [(&str, &str, &str); 12] = [
    ("يناير", "January", "janvier"),
    ("فبراير", "February", "février"),
    ("مارس", "March", "mars"),
    ("أبريل", "April", "avril"),
    ("مايو", "May", "mai"),
    ("يونيو", "June", "juin"),
    ("يوليو", "July", "juillet"),
    ("أغسطس", "August", "août"),
    ("سبتمبر", "September", "septembre"),
    ("أكتوبر", "October", "octobre"),
    ("نوفمبر", "November", "novembre"),
    ("ديسمبر", "December", "décembre"),
];

#[cfg(test)]
mod tests {
    use domain::time::{Zone, parse_civil};

    use super::*;

    /// The visible text of an element, in each language.
    fn said(zone: &str, start: &str, end: &str, all_day: bool) -> [String; 3] {
        let civil = |text: &str| parse_civil(text).unwrap();
        let zone = zone.parse::<Zone>().unwrap();
        let when = EventTime::new(zone, civil(start), civil(end), all_day).unwrap();
        [Language::English, Language::French, Language::Arabic]
            .map(|language| read_aloud(&full(&when, language)))
    }

    fn read_aloud(html: &str) -> String {
        let mut text = String::new();
        for part in html.split('<') {
            text.push_str(part.split_once('>').map_or(part, |(_, after)| after));
        }
        text
    }

    #[test]
    fn hours_of_a_day() {
        assert_eq!(
            said(
                "Europe/Paris",
                "2027-04-17 09:00:00",
                "2027-04-17 12:00:00",
                false
            ),
            [
                "Saturday 17 April 2027, 09:00–12:00 (CEST)",
                "samedi 17 avril 2027, de 09:00 à 12:00 (CEST)",
                "السبت 17 أبريل 2027، من 09:00 إلى 12:00 (CEST)",
            ]
        );
    }

    #[test]
    fn a_moment() {
        assert_eq!(
            said("UTC", "2027-05-01 00:00:00", "2027-05-01 00:00:00", false),
            [
                "Saturday 1 May 2027, 00:00 (UTC)",
                "samedi 1er mai 2027, 00:00 (UTC)",
                "السبت 1 مايو 2027، 00:00 (UTC)",
            ]
        );
    }

    #[test]
    fn several_days() {
        assert_eq!(
            said("UTC", "2027-04-17 09:00:00", "2027-04-18 12:30:00", false),
            [
                "Saturday 17 April 2027, 09:00 – Sunday 18 April 2027, 12:30 (UTC)",
                "du samedi 17 avril 2027, 09:00 au dimanche 18 avril 2027, 12:30 (UTC)",
                "من السبت 17 أبريل 2027، 09:00 إلى الأحد 18 أبريل 2027، 12:30 (UTC)",
            ]
        );
    }

    #[test]
    fn whole_days() {
        assert_eq!(
            said("UTC", "2027-04-17 00:00:00", "2027-04-17 00:00:00", true),
            [
                "Saturday 17 April 2027, all day",
                "samedi 17 avril 2027, toute la journée",
                "السبت 17 أبريل 2027، طوال اليوم",
            ]
        );
        assert_eq!(
            said("UTC", "2027-04-17 00:00:00", "2027-04-19 00:00:00", true),
            [
                "Saturday 17 – Monday 19 April 2027",
                "du samedi 17 au lundi 19 avril 2027",
                "من السبت 17 إلى الاثنين 19 أبريل 2027",
            ]
        );
        assert_eq!(
            said("UTC", "2027-12-31 00:00:00", "2028-01-01 00:00:00", true)[0],
            "Friday 31 December 2027 – Saturday 1 January 2028"
        );
        assert_eq!(
            said("UTC", "2027-04-30 00:00:00", "2027-05-01 00:00:00", true)[1],
            "du vendredi 30 avril au samedi 1er mai 2027"
        );
    }

    #[test]
    fn the_night_when_clocks_change() {
        let night = said(
            "Europe/Paris",
            "2027-10-31 01:00:00",
            "2027-10-31 05:00:00",
            false,
        );
        assert_eq!(night[0], "Sunday 31 October 2027, 01:00 (CEST)–05:00 (CET)");
    }

    #[test]
    fn machines_read_it_too() {
        let civil = |text: &str| parse_civil(text).unwrap();
        let when = EventTime::new(
            "Europe/Paris".parse::<Zone>().unwrap(),
            civil("2027-04-17 09:00:00"),
            civil("2027-04-17 12:00:00"),
            false,
        );
        let html = full(&when.unwrap(), Language::English);
        assert!(html.contains("<time datetime=\"2027-04-17T09:00:00+02:00\">09:00</time>"));
        assert!(html.contains("<time datetime=\"2027-04-17\">Saturday 17 April 2027</time>"));
    }
}
