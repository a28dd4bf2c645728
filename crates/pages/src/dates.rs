//! Dates and times in words, in each language.
//!
//! The results are HTML: each date is a `time` element with a machine-readable attribute.

use chrono::{Datelike as _, NaiveTime, Timelike as _};
use domain::{
    Language,
    text::escape_markup,
    time::{EventTime, Moment, NaiveDate, Timestamp, Zone},
};
use http_service::{
    record::json_ld::iso8601,
    rule_words::{month_name, weekday_name},
};

use super::words::Word;

/// The weekday, the day, the month and optionally the year: `Saturday 17 April 2027`.
pub(super) fn day(date: NaiveDate, with_year: bool, language: Language) -> String {
    let day = day_of_month(date, language);
    let text = format!(
        "{} {day} {}",
        weekday(date, language),
        month(date, language)
    );
    if with_year {
        format!("{text} {}", date.year())
    } else {
        text
    }
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
            let (comma, all_day) = (COMMA.text(language), Word::ALL_DAY.text(language));
            format!("{}{comma} {all_day}", day_element(first, language))
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
        let text = format!("{date}{} {}", COMMA.text(language), clock(moment));
        element(&iso(moment, when), &text)
    };
    let start = of_day(when.start());
    if when.start() == when.end() {
        format!("{start}{end_zone}")
    } else if first == last {
        let date = day_element(first, language);
        let hours = hours(when, &start_zone, language);
        format!("{date}{} {hours}{end_zone}", COMMA.text(language))
    } else {
        let end = of_day(when.end());
        range(&format!("{start}{start_zone}"), &end, language) + &end_zone
    }
}

/// A moment in a zone, as plain text: `Saturday 17 April 2027, 09:00 (CEST)`.
pub(super) fn moment(moment: Timestamp, zone: &Zone, language: Language) -> String {
    let moment = zone.at(moment);
    let date = day(moment.local.date(), true, language);
    let name = zone.abbreviation(moment.utc);
    format!("{date}{} {} ({name})", COMMA.text(language), clock(moment))
}

/// The time of an event in the list of its first day: its hours, or its last day.
pub(super) fn short(when: &EventTime, language: Language) -> String {
    let (first, last) = (when.start().local.date(), when.end().local.date());
    if first != last {
        return until(last, last.year() != first.year(), language);
    }
    if when.all_day() {
        return Word::ALL_DAY.text(language).to_owned();
    }
    let zone = when.zone().abbreviation(when.end().utc);
    let hours = if when.start() == when.end() {
        element(&iso(when.start(), when), &clock(when.start()))
    } else {
        hours(when, "", language)
    };
    format!("{hours} <small><bdi>{}</bdi></small>", escape_markup(&zone))
}

/// The days from the first to the last one; without a last one, all from the first one on.
pub(super) fn span(first: NaiveDate, last: Option<NaiveDate>, language: Language) -> String {
    match last {
        Some(last) if last == first => day_element(first, language),
        Some(last) => days(first, last, language),
        None => {
            let first = day_element(first, language);
            match language {
                Language::Arabic => format!("ابتداءً من {first}"),
                Language::English => format!("from {first}"),
                Language::French => format!("à partir du {first}"),
            }
        }
    }
}

/// The move of an event from a previous start: `Moved from Saturday 17 April 2027, 09:00`.
pub(super) fn moved(previous: Moment, when: &EventTime, language: Language) -> String {
    let date = previous.local.date();
    let is_day = when.all_day() && previous.local == date.and_time(NaiveTime::MIN);
    let start = if is_day {
        day_element(date, language)
    } else {
        let day = day(date, true, language);
        let text = format!("{day}{} {}", COMMA.text(language), clock(previous));
        element(&iso8601(previous), &text)
    };
    match language {
        Language::Arabic => format!("تغيّر الموعد، وكان {start}."),
        Language::English => format!("Moved from {start}."),
        Language::French => format!("Déplacé : initialement prévu le {start}."),
    }
}

/// A range of days, with a common month and year only once: `Saturday 17 – Monday 19 April 2027`.
fn days(first: NaiveDate, last: NaiveDate, language: Language) -> String {
    let start = if first.year() != last.year() {
        day(first, true, language)
    } else if first.month() != last.month() {
        day(first, false, language)
    } else {
        let day = day_of_month(first, language);
        format!("{} {day}", weekday(first, language))
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

/// A `time` element. Both texts need no escaping.
pub(super) fn element(machine: &str, people: &str) -> String {
    format!("<time datetime=\"{machine}\">{people}</time>")
}

/// `2027-04-17T09:00:00+02:00`; only the date for an event of whole days.
pub(super) fn iso(moment: Moment, when: &EventTime) -> String {
    if when.all_day() {
        moment.local.date().to_string()
    } else {
        iso8601(moment)
    }
}

/// `09:00`.
pub(super) fn clock(moment: Moment) -> String {
    format!("{:02}:{:02}", moment.local.hour(), moment.local.minute())
}

/// The day of the month; in French the first is an ordinal.
pub(super) fn day_of_month(date: NaiveDate, language: Language) -> String {
    match (date.day(), language) {
        (1, Language::French) => "1er".to_owned(),
        (day, _) => day.to_string(),
    }
}

/// The day and the month: `17 April`.
pub(super) fn day_and_month(date: NaiveDate, language: Language) -> String {
    format!("{} {}", day_of_month(date, language), month(date, language))
}

/// The abbreviation of the weekday, for narrow columns.
pub(super) fn short_weekday(date: NaiveDate, language: Language) -> &'static str {
    SHORT_WEEKDAYS[date.weekday().num_days_from_monday() as usize].text(language)
}

/// The name of the weekday.
pub(super) fn weekday(date: NaiveDate, language: Language) -> &'static str {
    weekday_name(date.weekday(), language)
}

/// The name of the month.
pub(super) fn month(date: NaiveDate, language: Language) -> &'static str {
    month_name(date.month(), language)
}

const COMMA: Word = Word("،", ",", ",");

const SHORT_WEEKDAYS: [Word; 7] = [
    Word("ن", "Mo", "lu"),
    Word("ث", "Tu", "ma"),
    Word("ر", "We", "me"),
    Word("خ", "Th", "je"),
    Word("ج", "Fr", "ve"),
    Word("س", "Sa", "sa"),
    Word("ح", "Su", "di"),
];

#[cfg(test)]
mod tests {
    use domain::time::parse_civil;

    use super::*;

    const PARIS: &str = "Europe/Paris";

    fn when(zone: &str, start: &str, end: &str, all_day: bool) -> EventTime {
        let civil = |text: &str| parse_civil(text).unwrap();
        let zone = zone.parse::<Zone>().unwrap();
        EventTime::new(zone, civil(start), civil(end), all_day).unwrap()
    }

    /// The visible text of HTML.
    fn visible(html: &str) -> String {
        let parts = html.split('<');
        parts
            .map(|part| part.split_once('>').map_or(part, |(_, after)| after))
            .collect()
    }

    #[test]
    fn times_in_words() {
        // In English, French and Arabic.
        for (when, expected) in [
            // The hours of a day.
            (
                when(PARIS, "2027-04-17 09:00:00", "2027-04-17 12:00:00", false),
                &[
                    "Saturday 17 April 2027, 09:00–12:00 (CEST)",
                    "samedi 17 avril 2027, de 09:00 à 12:00 (CEST)",
                    "السبت 17 أبريل 2027، من 09:00 إلى 12:00 (CEST)",
                ][..],
            ),
            // A moment.
            (
                when("UTC", "2027-05-01 00:00:00", "2027-05-01 00:00:00", false),
                &[
                    "Saturday 1 May 2027, 00:00 (UTC)",
                    "samedi 1er mai 2027, 00:00 (UTC)",
                    "السبت 1 مايو 2027، 00:00 (UTC)",
                ][..],
            ),
            // Several days.
            (
                when("UTC", "2027-04-17 09:00:00", "2027-04-18 12:30:00", false),
                &[
                    "Saturday 17 April 2027, 09:00 – Sunday 18 April 2027, 12:30 (UTC)",
                    "du samedi 17 avril 2027, 09:00 au dimanche 18 avril 2027, 12:30 (UTC)",
                    "من السبت 17 أبريل 2027، 09:00 إلى الأحد 18 أبريل 2027، 12:30 (UTC)",
                ][..],
            ),
            // Whole days.
            (
                when("UTC", "2027-04-17 00:00:00", "2027-04-17 00:00:00", true),
                &[
                    "Saturday 17 April 2027, all day",
                    "samedi 17 avril 2027, toute la journée",
                    "السبت 17 أبريل 2027، طوال اليوم",
                ][..],
            ),
            (
                when("UTC", "2027-04-17 00:00:00", "2027-04-19 00:00:00", true),
                &[
                    "Saturday 17 – Monday 19 April 2027",
                    "du samedi 17 au lundi 19 avril 2027",
                    "من السبت 17 إلى الاثنين 19 أبريل 2027",
                ][..],
            ),
            (
                when("UTC", "2027-04-30 00:00:00", "2027-05-01 00:00:00", true),
                &[
                    "Friday 30 April – Saturday 1 May 2027",
                    "du vendredi 30 avril au samedi 1er mai 2027",
                ][..],
            ),
            (
                when("UTC", "2027-12-31 00:00:00", "2028-01-01 00:00:00", true),
                &["Friday 31 December 2027 – Saturday 1 January 2028"][..],
            ),
            // The clocks change.
            (
                when(PARIS, "2027-10-31 01:00:00", "2027-10-31 05:00:00", false),
                &["Sunday 31 October 2027, 01:00 (CEST)–05:00 (CET)"][..],
            ),
        ] {
            let languages = [Language::English, Language::French, Language::Arabic];
            for (text, language) in expected.iter().zip(languages) {
                assert_eq!(visible(&full(&when, language)), *text);
            }
        }
    }

    #[test]
    fn days_of_a_series() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let (first, last) = (day("2027-03-02"), day("2027-04-06"));
        for (last, expected) in [
            (
                Some(last),
                [
                    "من الثلاثاء 2 مارس إلى الثلاثاء 6 أبريل 2027",
                    "Tuesday 2 March – Tuesday 6 April 2027",
                    "du mardi 2 mars au mardi 6 avril 2027",
                ],
            ),
            (
                None,
                [
                    "ابتداءً من الثلاثاء 2 مارس 2027",
                    "from Tuesday 2 March 2027",
                    "à partir du mardi 2 mars 2027",
                ],
            ),
        ] {
            let shown = Language::ALL.map(|language| visible(&span(first, last, language)));
            assert_eq!(shown, expected);
        }
        let one = visible(&span(first, Some(first), Language::English));
        assert_eq!(one, "Tuesday 2 March 2027");
    }

    #[test]
    fn moves_in_words() {
        let timed = when(PARIS, "2027-04-24 09:00:00", "2027-04-24 12:00:00", false);
        let days = when(PARIS, "2027-04-24 00:00:00", "2027-04-25 00:00:00", true);
        for (when, previous, expected) in [
            (
                &timed,
                "2027-04-17 09:00:00",
                [
                    "تغيّر الموعد، وكان السبت 17 أبريل 2027، 09:00.",
                    "Moved from Saturday 17 April 2027, 09:00.",
                    "Déplacé : initialement prévu le samedi 17 avril 2027, 09:00.",
                ],
            ),
            (
                &days,
                "2027-05-01 00:00:00",
                [
                    "تغيّر الموعد، وكان السبت 1 مايو 2027.",
                    "Moved from Saturday 1 May 2027.",
                    "Déplacé : initialement prévu le samedi 1er mai 2027.",
                ],
            ),
        ] {
            let previous = when
                .zone()
                .at_local(parse_civil(previous).unwrap())
                .unwrap();
            let shown = Language::ALL.map(|language| visible(&moved(previous, when, language)));
            assert_eq!(shown, expected);
        }
    }

    #[test]
    fn machines_read_it_too() {
        let when = when(PARIS, "2027-04-17 09:00:00", "2027-04-17 12:00:00", false);
        let html = full(&when, Language::English);
        assert!(html.contains("<time datetime=\"2027-04-17T09:00:00+02:00\">09:00</time>"));
        assert!(html.contains("<time datetime=\"2027-04-17\">Saturday 17 April 2027</time>"));
    }
}
