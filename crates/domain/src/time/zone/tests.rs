use super::{
    super::timestamp::{format_civil, parse_civil},
    *,
};

fn zone(name: &str) -> Zone {
    name.parse::<Zone>().unwrap()
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// The wall clock and the instant of a moment, as text.
fn at_local(name: &str, local: &str) -> (String, String) {
    let moment = zone(name).at_local(parse_civil(local).unwrap()).unwrap();
    (format_civil(moment.local), moment.utc.to_string())
}

fn pair(local: &str, utc: &str) -> (String, String) {
    (local.to_owned(), utc.to_owned())
}

#[test]
fn names_come_back_in_their_usual_letter_case() {
    for (given, name) in [
        ("america/new_york", "America/New_York"),
        ("EUROPE/PARIS", "Europe/Paris"),
        ("us/eastern", "US/Eastern"), // an alias stays one
        ("asia/calcutta", "Asia/Calcutta"),
        ("utc", "UTC"),
        ("utc+2", "UTC+2"),
        ("Utc-05:30", "UTC-05:30"),
        ("UTC+5.5", "UTC+5.5"),
        ("+02:00", "+02:00"),
    ] {
        assert_eq!(zone(given).name(), name);
        assert_eq!(zone(given).to_string(), name);
    }
}

#[test]
fn every_name_of_the_database_is_a_zone() {
    for name in ZoneData::in_use().names() {
        assert_eq!(zone(&name.to_ascii_lowercase()).name(), name);
    }
    // Stored events of earlier versions may have any zone of the second library.
    for tz in chrono_tz::TZ_VARIANTS {
        assert_eq!(zone(tz.name()).name(), tz.name());
    }
}

#[test]
fn offsets_are_hours_with_minutes_or_a_fraction() {
    for (name, minutes) in [
        ("UTC+0", 0),
        ("UTC-0", 0),
        ("UTC+2", 120),
        ("UTC-5", -300),
        ("UTC+05", 300),
        ("UTC+5:30", 330),
        ("UTC-5.5", -330),
        ("UTC+5.75", 345),
        ("UTC+12.0", 720),
        ("UTC+14", 840),
        ("UTC-12", -720),
        ("+00:00", 0),
        ("-03:30", -210),
        ("+14:00", 840),
    ] {
        let epoch = Timestamp::from_seconds(0).unwrap();
        assert_eq!(zone(name).offset_at(epoch), minutes * 60, "{name}");
        assert_eq!(zone(name).abbreviation(epoch), name);
    }
}

#[test]
fn anything_else_is_refused() {
    for text in [
        "",
        " ",
        "5",
        "Mars/X",
        "UTCfoo",
        "UTC+",
        "UTC 2",
        "UTC+2 ",
        " UTC",
        "UTC++2",
        "UTC+2:5",
        "UTC+2:60",
        "UTC+5.33",
        "UTC+5.",
        "UTC+5.500",
        "UTC+123",
        "+2",
        "+0200",
        "+02",
        "02:00",
        "+02:00:00",
        "+02:60",
        "EST+5",
        "éé",
        "UTé",
    ] {
        assert_eq!(text.parse::<Zone>(), Err(InvalidZone::Unknown), "{text}");
    }
    for text in ["UTC+99", "UTC+14:01", "UTC-12.25", "+14:30", "-13:00"] {
        assert_eq!(
            text.parse::<Zone>(),
            Err(InvalidZone::OffsetOutOfRange),
            "{text}"
        );
    }
}

#[test]
fn abbreviations_follow_the_season() {
    for (name, local, abbreviation) in [
        ("America/New_York", "2027-03-10 09:00:00", "EST"),
        ("America/New_York", "2027-07-10 09:00:00", "EDT"),
        ("Europe/Paris", "2027-07-10 09:00:00", "CEST"),
        ("Asia/Tokyo", "2027-07-10 09:00:00", "JST"),
        ("America/Sao_Paulo", "2027-07-10 09:00:00", "-03"),
        ("Asia/Kathmandu", "2027-07-10 09:00:00", "+0545"),
        ("UTC", "2027-07-10 09:00:00", "UTC"),
    ] {
        let at = zone(name)
            .at_local(parse_civil(local).unwrap())
            .unwrap()
            .utc;
        assert_eq!(zone(name).abbreviation(at), abbreviation);
    }
}

#[test]
fn clocks_change_as_was_decided_in_2026() {
    // The zone, a day, the time in UTC when its clocks show 09:00, and the abbreviation.
    for (name, day, utc, abbreviation) in [
        // Morocco went back to UTC for good on 20 September.
        ("Africa/Casablanca", "2026-09-19", "08:00:00", "+01"),
        ("Africa/Casablanca", "2026-12-01", "09:00:00", "+00"),
        // British Columbia stayed on summer time, and so did Alberta and Manitoba.
        ("America/Vancouver", "2026-12-01", "16:00:00", "MST"),
        ("America/Edmonton", "2026-12-01", "15:00:00", "CST"),
        ("America/Winnipeg", "2026-12-01", "14:00:00", "EST"),
    ] {
        let local = format!("{day} 09:00:00");
        assert_eq!(
            at_local(name, &local),
            pair(&local, &format!("{day} {utc}")),
            "{name}"
        );
        let at = zone(name).at_local(parse_civil(&local).unwrap()).unwrap();
        assert_eq!(zone(name).abbreviation(at.utc), abbreviation, "{name}");
    }
}

#[test]
fn rules_go_on_to_the_last_year() {
    for (name, local, utc) in [
        ("Europe/Paris", "2150-07-01 09:00:00", "2150-07-01 07:00:00"),
        ("Europe/Paris", "9999-12-31 23:59:59", "9999-12-31 22:59:59"),
        (
            "America/New_York",
            "9999-12-31 18:59:59",
            "9999-12-31 23:59:59",
        ),
        ("Asia/Tokyo", "0001-01-02 00:00:00", "0001-01-01 14:41:01"),
    ] {
        assert_eq!(at_local(name, local), pair(local, utc), "{name}");
    }
}

#[test]
fn an_hour_is_repeated_only_where_the_clocks_repeat_it() {
    // Only the name of the season changes; no time occurs twice.
    let nuuk = zone("America/Nuuk");
    let local = parse_civil("2023-10-28 23:30:00").unwrap();
    assert!(matches!(
        nuuk.reading(local),
        Reading::Once { offset: -7200 }
    ));
}

#[test]
fn wall_clocks_become_instants() {
    for (name, utc) in [
        ("America/New_York", "2027-03-10 14:00:00"),
        ("UTC+2", "2027-03-10 07:00:00"),
        ("UTC+5:30", "2027-03-10 03:30:00"),
        ("UTC-5.5", "2027-03-10 14:30:00"),
        ("+02:00", "2027-03-10 07:00:00"),
    ] {
        assert_eq!(
            at_local(name, "2027-03-10 09:00:00"),
            pair("2027-03-10 09:00:00", utc)
        );
    }
}

#[test]
fn skipped_times_move_forward_and_repeated_times_occur_first() {
    // A day in New York, a wall clock, and its moment: wall clock and UTC.
    for (day, local, shown, utc) in [
        ("2027-03-14", "02:00:00", "03:00:00", "07:00:00"),
        ("2027-03-14", "02:30:00", "03:30:00", "07:30:00"),
        ("2027-11-07", "01:30:00", "01:30:00", "05:30:00"),
        ("2027-11-07", "02:00:00", "02:00:00", "07:00:00"),
    ] {
        let [local, shown, utc] = [local, shown, utc].map(|time| format!("{day} {time}"));
        assert_eq!(at_local("America/New_York", &local), pair(&shown, &utc));
    }
    // Samoa crossed the date line and skipped a whole day.
    assert_eq!(
        at_local("Pacific/Apia", "2011-12-30 09:00:00"),
        pair("2011-12-31 09:00:00", "2011-12-30 19:00:00")
    );
}

#[test]
fn both_clocks_stay_within_the_years() {
    let last = Timestamp::MAX.civil();
    let first = Timestamp::MIN.civil();
    let second = TimeDelta::seconds(1);
    assert!(Zone::utc().at_local(last).is_ok() && Zone::utc().at_local(first).is_ok());
    for (name, local) in [
        ("UTC", last + second),
        ("UTC", first - second),
        ("UTC-1", last),
        ("UTC+1", first),
        ("UTC", NaiveDateTime::MAX),
        ("America/New_York", NaiveDateTime::MIN),
    ] {
        assert_eq!(zone(name).at_local(local), Err(InvalidDate::OutOfRange));
    }
    assert_eq!(
        zone("UTC+1").at(Timestamp::MAX),
        Moment {
            local: last,
            utc: Timestamp::MAX
        }
    );
    assert_eq!(
        zone("UTC+1").at_instant(Timestamp::MAX),
        Err(InvalidDate::OutOfRange)
    );
}

#[test]
fn fractions_of_a_second_are_cut() {
    let local = parse_civil("1969-12-31 23:59:59").unwrap();
    let moment = Zone::utc()
        .at_local(local + TimeDelta::milliseconds(900))
        .unwrap();
    assert_eq!(
        moment,
        Moment {
            local,
            utc: Timestamp::from_seconds(-1).unwrap()
        }
    );
}

#[test]
fn days_start_and_end_where_the_clocks_say() {
    // The zone, the day, its start in UTC, and its length in minutes.
    for (name, date, start, minutes) in [
        ("UTC", "2027-03-10", "2027-03-10 00:00:00", 24 * 60),
        ("Asia/Tokyo", "2027-03-10", "2027-03-09 15:00:00", 24 * 60),
        (
            "America/New_York",
            "2027-03-14",
            "2027-03-14 05:00:00",
            23 * 60,
        ),
        // From 24:00 back to 23:00, and from 00:00 forward to 01:00.
        (
            "America/Sao_Paulo",
            "2018-02-17",
            "2018-02-17 02:00:00",
            25 * 60,
        ),
        (
            "America/Sao_Paulo",
            "2018-11-04",
            "2018-11-04 03:00:00",
            23 * 60,
        ),
        // From 23:30 forward to 00:30.
        (
            "America/Toronto",
            "1919-03-30",
            "1919-03-30 05:00:00",
            23 * 60 + 30,
        ),
        (
            "America/Toronto",
            "1919-03-31",
            "1919-03-31 04:30:00",
            23 * 60 + 30,
        ),
    ] {
        let (first, last) = (
            zone(name).start_of_day(day(date)),
            zone(name).end_of_day(day(date)),
        );
        assert_eq!(first.to_string(), start, "{name}");
        assert_eq!(last.seconds() - first.seconds(), minutes * 60 - 1, "{name}");
    }
}

#[test]
fn days_outside_the_years_stop_at_the_bounds() {
    let new_york = zone("America/New_York");
    assert_eq!(new_york.start_of_day(NaiveDate::MIN), Timestamp::MIN);
    assert_eq!(new_york.end_of_day(NaiveDate::MIN), Timestamp::MIN);
    assert_eq!(new_york.start_of_day(NaiveDate::MAX), Timestamp::MAX);
    assert_eq!(new_york.end_of_day(NaiveDate::MAX), Timestamp::MAX);
    assert_eq!(new_york.end_of_day(day("9999-12-31")), Timestamp::MAX);
    assert_eq!(
        zone("UTC+1").start_of_day(day("0001-01-01")),
        Timestamp::MIN
    );
}
