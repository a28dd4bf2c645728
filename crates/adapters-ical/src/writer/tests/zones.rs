use std::{collections::BTreeMap, ops::RangeInclusive};

use chrono::{Datelike as _, NaiveDate, NaiveDateTime, Weekday};
use domain::time::ZoneData;

use super::{series::series, *};

/// F-23: Each of twenty zones is defined once.
#[test]
fn each_zone_is_defined_once() {
    let data = ZoneData::bundled();
    let names: Vec<_> = data
        .names()
        .filter(|name| name.starts_with("Europe/"))
        .collect();
    let names = &names[..20];
    let day = |name: &&str| event(timed(name, "2027-04-17 09:00:00", "2027-04-17 12:00:00"));
    let items: Vec<FeedItem> = names
        .iter()
        .chain(names)
        .map(|name| day(name).into())
        .collect();
    let file = written(feed(), &items);
    assert_eq!(file.matches("BEGIN:VTIMEZONE").count(), 20);
    for name in names {
        assert_eq!(
            file.matches(&format!("TZID:{name}\r\n")).count(),
            1,
            "{name}"
        );
    }
}

/// A file without any component would be invalid.
#[test]
fn an_empty_feed_defines_its_zone() {
    for (name, id) in [
        ("Europe/Paris", "Europe/Paris"),
        ("UTC", "Etc/UTC\r\nX-LIC-LOCATION:UTC"),
        ("Asia/Riyadh", "Asia/Riyadh"),
        ("+03:30", "+0330\r\nX-LIC-LOCATION:+03:30"),
        ("UTC-3:30", "UTC-0330\r\nX-LIC-LOCATION:UTC-3:30"),
        ("UTC+2", "UTC+2"),
    ] {
        for years in [
            None,
            Some(2027..=2029),
            Some(RangeInclusive::new(2030, 2028)),
        ] {
            let mut header = CalendarHeader { years, ..feed() };
            header.feed.as_mut().unwrap().zone = zone(name);
            let file = written(header, &[]);
            let definition = format!("BEGIN:VTIMEZONE\r\nTZID:{id}\r\nBEGIN:STANDARD\r\nDTSTART:");
            assert_eq!(file.matches(&definition).count(), 1, "{file}");
            assert_eq!(
                file.matches("TZOFFSETTO:").count(),
                file.matches("BEGIN:STANDARD").count() + file.matches("BEGIN:DAYLIGHT").count()
            );
        }
    }
    let whole_day = event(days("Europe/Paris", "2027-04-17", "2027-04-17"));
    assert!(!written(feed(), &[whole_day.into()]).contains("VTIMEZONE"));
}

/// A definition of a zone as read: the instants at which observances begin, with their offsets.
struct Definition(BTreeMap<i64, i64>);

impl Definition {
    /// Reads a definition, and works out its rules up to a year.
    fn read(file: &str, last_year: i32) -> Self {
        let mut onsets = BTreeMap::new();
        for name in ["STANDARD", "DAYLIGHT"] {
            for lines in components(file, name) {
                let get = |name: &str| {
                    lines
                        .iter()
                        .find_map(|line| line.strip_prefix(&format!("{name}:")))
                };
                let start = date_time(get("DTSTART").unwrap());
                let from = seconds(get("TZOFFSETFROM").unwrap());
                let to = seconds(get("TZOFFSETTO").unwrap());
                assert!(get("RDATE").is_none());
                let dates = match get("RRULE") {
                    None => vec![start],
                    Some(rule) => by_rule(rule, start, from, last_year),
                };
                for date in dates {
                    let before = onsets.insert(date.and_utc().timestamp() - from, to);
                    assert_eq!(before, None, "two observances begin at {date}");
                }
            }
        }
        Self(onsets)
    }

    fn offset_at(&self, instant: i64) -> Option<i64> {
        self.0
            .range(..=instant)
            .next_back()
            .map(|(_, offset)| *offset)
    }
}

fn date_time(text: &str) -> NaiveDateTime {
    NaiveDateTime::parse_from_str(text, "%Y%m%dT%H%M%S").unwrap()
}

fn seconds(offset: &str) -> i64 {
    let digits: i64 = format!("{:0<6}", &offset[1..]).parse().unwrap();
    let seconds = digits / 10_000 * 3600 + digits / 100 % 100 * 60 + digits % 100;
    if offset.starts_with('-') {
        -seconds
    } else {
        seconds
    }
}

/// The dates of a yearly rule, day by day.
fn by_rule(rule: &str, start: NaiveDateTime, from: i64, last_year: i32) -> Vec<NaiveDateTime> {
    let parts: BTreeMap<_, _> = rule
        .split(';')
        .map(|part| part.split_once('=').unwrap())
        .collect();
    assert_eq!(parts["FREQ"], "YEARLY");
    let until = parts
        .get("UNTIL")
        .map(|text| date_time(text.trim_end_matches('Z')).and_utc());
    let month: u32 = parts["BYMONTH"].parse().unwrap();
    let (number, weekday) = parts["BYDAY"].split_at(parts["BYDAY"].len() - 2);
    let days: Option<Vec<u32>> = parts
        .get("BYMONTHDAY")
        .map(|days| days.split(',').map(|day| day.parse().unwrap()).collect());
    let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
    let weekday = Weekday::try_from(
        u8::try_from(names.iter().position(|name| *name == weekday).unwrap()).unwrap(),
    )
    .unwrap();
    let mut dates = Vec::new();
    for year in start.year()..=last_year {
        let of_month = (1..=31).filter_map(|day| NaiveDate::from_ymd_opt(year, month, day));
        let such: Vec<_> = of_month.filter(|date| date.weekday() == weekday).collect();
        let chosen: Vec<_> = match (number, &days) {
            ("", Some(days)) => such
                .into_iter()
                .filter(|day| days.contains(&day.day()))
                .collect(),
            ("-1", None) => such.last().copied().into_iter().collect(),
            (number, None) => vec![such[number.parse::<usize>().unwrap() - 1]],
            _ => panic!("{rule}"),
        };
        assert_eq!(chosen.len(), 1, "{rule} in {year}");
        let date = chosen[0].and_time(start.time());
        let is_over =
            until.is_some_and(|until| date.and_utc().timestamp() - from > until.timestamp());
        if date >= start && !is_over {
            dates.push(date);
        }
    }
    assert_eq!(
        dates.first(),
        Some(&start),
        "{rule} begins with its first date"
    );
    dates
}

/// Compares a written definition with the rules of the domain at each change of the clocks, and every
/// nine days.
fn compare(name: &str, first: i32, last: i32) {
    let zone = zone(name);
    let when = timed(
        name,
        &format!("{first}-07-01 09:00:00"),
        &format!("{first}-07-01 10:00:00"),
    );
    let header = CalendarHeader {
        years: Some(first..=last),
        feed: None,
    };
    let file = written(header, &[event(when).into()]);
    if zone.fixed_offset().is_some() {
        assert!(!file.contains("VTIMEZONE"), "{name}");
        return;
    }
    let definition = Definition::read(&file, last + 1);
    let begin = |year| {
        NaiveDate::from_ymd_opt(year, 1, 1)
            .unwrap()
            .and_hms_opt(0, 0, 0)
            .unwrap()
    };
    let [begin, end] = [first - 1, last + 2].map(|year| begin(year).and_utc().timestamp());
    let changes = definition.0.keys().flat_map(|at| [at - 1, *at]);
    let true_changes = zone.observances(first - 1..=last + 1).into_iter();
    let true_changes = true_changes.map(|one| one.onset.and_utc().timestamp() - one.offset_before);
    let true_changes = true_changes.flat_map(|at| [at - 1, at]);
    let instants = (begin..end)
        .step_by(9 * 86_400)
        .chain(changes)
        .chain(true_changes);
    for instant in instants.filter(|instant| (begin..end).contains(instant)) {
        let moment = zone.at(at(instant));
        let offset = moment.local.and_utc().timestamp() - instant;
        assert_eq!(
            definition.offset_at(instant),
            Some(offset),
            "{name} at {}\n{file}",
            moment.utc
        );
    }
}

/// F-24: The definition of every zone of the IANA database has the offsets of that database.
#[test]
fn definitions_have_the_offsets_of_the_database() {
    for name in ZoneData::bundled().names() {
        compare(name, 2026, 2029);
    }
}

/// F-24: The same in other times: when many rules changed, and behind the last listed change.
#[test]
fn definitions_of_long_ranges_have_the_offsets_of_the_database() {
    for name in ZoneData::bundled().names().step_by(3) {
        compare(name, 1971, 2040);
        compare(name, 2085, 2105);
    }
}

#[test]
fn regular_zones_have_two_observances() {
    for (name, rules) in [
        (
            "America/New_York",
            ["BYMONTH=11;BYDAY=1SU", "BYMONTH=3;BYDAY=2SU"],
        ),
        (
            "Europe/Dublin",
            ["BYMONTH=10;BYDAY=-1SU", "BYMONTH=3;BYDAY=-1SU"],
        ),
        (
            "America/Santiago",
            [
                "BYMONTH=9;BYMONTHDAY=2,3,4,5,6,7,8;BYDAY=SU",
                "BYMONTH=4;BYMONTHDAY=2,3,4,5,6,7,8;BYDAY=SU",
            ],
        ),
    ] {
        let file = single(event(timed(
            name,
            "2027-07-01 09:00:00",
            "2027-07-01 10:00:00",
        )));
        let lines = component(&file, "VTIMEZONE");
        let written: Vec<_> = lines
            .iter()
            .filter_map(|line| line.strip_prefix("RRULE:FREQ=YEARLY;"))
            .collect();
        let mut rules = rules.to_vec();
        rules.sort_unstable();
        let mut sorted = written.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, rules, "{name}");
        assert_eq!(
            lines
                .iter()
                .filter(|line| *line == "BEGIN:DAYLIGHT")
                .count(),
            1,
            "{name}"
        );
        assert_eq!(
            lines
                .iter()
                .filter(|line| *line == "BEGIN:STANDARD")
                .count(),
            1,
            "{name}"
        );
    }
}

#[test]
fn summer_is_the_daylight_time_of_dublin() {
    let file = single(event(timed(
        "Europe/Dublin",
        "2027-07-01 09:00:00",
        "2027-07-01 10:00:00",
    )));
    let summer = component(&file, "DAYLIGHT");
    assert!(
        summer.contains(&"TZNAME:IST".to_owned())
            && summer.contains(&"TZOFFSETTO:+0100".to_owned())
    );
}

#[test]
fn irregular_changes_stand_alone() {
    let file = single(event(timed(
        "Africa/Casablanca",
        "2026-02-08 09:00:00",
        "2026-02-08 10:00:00",
    )));
    let zone = component(&file, "VTIMEZONE");
    assert!(
        !zone.iter().any(|line| line.starts_with("RRULE")),
        "{zone:#?}"
    );
    assert!(
        zone.contains(&"DTSTART:20260215T030000".to_owned()),
        "{zone:#?}"
    );
}

/// The definition of each zone in a feed with an endless series has the offsets of the database in each
/// month up to 2060, also if another event of the zone is before it in the file.
#[test]
fn definitions_of_endless_series_go_on() {
    for name in ZoneData::bundled().names() {
        if zone(name).fixed_offset().is_some() {
            continue;
        }
        let at_nine = |day: &str| {
            let [nine, ten] = ["09", "10"].map(|hour| format!("{day} {hour}:00:00"));
            timed(name, &nine, &ten)
        };
        let endless: FeedItem = series(at_nine("2027-07-01"), &["RRULE:FREQ=MONTHLY"]).into();
        let file = written(feed(), std::slice::from_ref(&endless));
        compare_months(name, &file, 2027);

        let header = CalendarHeader {
            years: Some(1990..=2037),
            ..feed()
        };
        let file = written(header, &[event(at_nine("1990-07-01")).into(), endless]);
        compare_months(name, &file, 1990);
    }
}

/// Compares a written definition with the rules of the domain in each month from a year up to 2060.
fn compare_months(name: &str, file: &str, first: i32) {
    let definition = Definition::read(file, 2110);
    for (year, month) in (first..=2060).flat_map(|year| (1..=12).map(move |month| (year, month))) {
        let noon =
            NaiveDate::from_ymd_opt(year, month, 15).and_then(|day| day.and_hms_opt(12, 0, 0));
        let instant = noon.unwrap().and_utc().timestamp();
        let moment = zone(name).at(at(instant));
        let offset = moment.local.and_utc().timestamp() - instant;
        assert_eq!(
            definition.offset_at(instant),
            Some(offset),
            "{name} at {}\n{file}",
            moment.utc
        );
    }
}

/// Of Cairo, the last Thursday of October, 24:00, may be in November: its rules have no common end.
#[test]
fn rules_end_together() {
    let when = timed("Africa/Cairo", "2027-07-01 09:00:00", "2027-07-01 10:00:00");
    for item in [
        event(when.clone()).into(),
        series(when, &["RRULE:FREQ=MONTHLY"]).into(),
    ] {
        let file = written(feed(), &[item]);
        let zone = component(&file, "VTIMEZONE");
        let rules = zone.iter().filter(|line| line.starts_with("RRULE"));
        assert!(rules.clone().count() > 1);
        assert!(
            rules.clone().all(|rule| rule.contains("UNTIL")),
            "{zone:#?}"
        );
    }
}
