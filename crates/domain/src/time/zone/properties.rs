use chrono_tz::TZ_VARIANTS;
use proptest::prelude::*;

use super::{
    super::{EventTime, timestamp::format_civil},
    *,
};

fn zone(name: &str) -> Zone {
    Zone::parse(name).unwrap()
}

/// Seconds from 1970 to the end of 2037.
const COMPARED: std::ops::Range<i64> = 0..2_145_916_800;

/// A name that both libraries know, and for which their databases, which may be of different
/// releases, have the same offsets: at each change, and once a month.
fn known_name() -> impl Strategy<Value = (&'static str, jiff::tz::TimeZone)> {
    let known: Vec<_> = TZ_VARIANTS
        .iter()
        .filter_map(|tz| Some((tz.name(), jiff::tz::db().get(tz.name()).ok()?)))
        .filter(|(name, theirs)| {
            let ours = zone(name);
            let changes = theirs
                .following(jiff::Timestamp::UNIX_EPOCH)
                .map(|change| change.timestamp().as_second())
                .take_while(|seconds| COMPARED.contains(seconds))
                .flat_map(|seconds| [seconds - 1, seconds]);
            COMPARED.step_by(30 * 86_400).chain(changes).all(|seconds| {
                let offset = theirs.to_offset(jiff::Timestamp::from_second(seconds).unwrap());
                ours.offset_at(Timestamp::from_seconds(seconds).unwrap())
                    == i64::from(offset.seconds())
            })
        })
        .collect();
    assert!(
        known.len() > TZ_VARIANTS.len() * 9 / 10,
        "only {} zones to compare",
        known.len()
    );
    proptest::sample::select(known)
}

/// Seconds counted as if they were UTC, as a wall clock.
fn civil(seconds: i64) -> jiff::civil::DateTime {
    jiff::tz::Offset::UTC.to_datetime(jiff::Timestamp::from_second(seconds).unwrap())
}

/// Wall clocks near the changes of a zone, where mistakes live, and anywhere.
fn wall_clock(tz: &jiff::tz::TimeZone, seconds: i64, distance: i64) -> i64 {
    let from = jiff::Timestamp::from_second(seconds).unwrap();
    let change = tz.following(from).next().map_or(seconds, |change| {
        change.timestamp().as_second() + i64::from(change.offset().seconds())
    });
    let near = change + distance;
    if COMPARED.contains(&near) {
        near
    } else {
        seconds
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn a_second_library_agrees(
        (name, tz) in known_name(),
        seconds in COMPARED,
        near in proptest::option::of(-7200_i64..7200),
    ) {
        let wall = near.map_or(seconds, |distance| wall_clock(&tz, seconds, distance));
        let local = Timestamp::from_seconds(wall).unwrap().civil();
        let reading = tz.to_ambiguous_timestamp(civil(wall));
        let is_gap = matches!(reading.offset(), jiff::tz::AmbiguousOffset::Gap { .. });
        let theirs = reading.compatible().unwrap();
        let shown = tz.to_datetime(theirs).strftime("%Y-%m-%d %H:%M:%S").to_string();
        // Where it takes two seasons without a change between them for a repeated hour (Greenland,
        // October 2023), the second library answers with an instant of another wall clock.
        prop_assume!(is_gap || shown == format_civil(local));

        let ours = zone(name).at_local(local).unwrap();
        prop_assert_eq!(ours.utc.seconds(), theirs.as_second(), "{} {}", name, local);
        prop_assert_eq!(ours, zone(name).at(ours.utc));
        prop_assert_eq!(format_civil(ours.local), shown);
        let info = tz.to_offset_info(theirs);
        prop_assert_eq!(zone(name).abbreviation(ours.utc), info.abbreviation());
    }

    /// An event of whole days stays on its days, also where the clocks jump over midnight, or over the
    /// whole day.
    #[test]
    fn whole_days_stay_what_they_are(
        index in 0..TZ_VARIANTS.len(),
        seconds in COMPARED,
        distance in -90_000_i64..90_000,
        more_days in 0..3_i64,
    ) {
        let name = TZ_VARIANTS[index].name();
        let wall = jiff::tz::db().get(name).map_or(seconds, |tz| wall_clock(&tz, seconds, distance));
        let first = Timestamp::from_seconds(wall).unwrap().civil();
        let last = first + TimeDelta::days(more_days);
        let time = EventTime::new(zone(name), first, last, true).unwrap();
        let again = |moment: Moment| zone(name).at(moment.utc);
        let read = EventTime::between(zone(name), again(time.start()), again(time.end()), true);
        prop_assert_eq!(read.as_ref(), Ok(&time), "{}", name);
        let before = zone(name).at(time.start().utc.saturating_add(-1)).local;
        let after = zone(name).at(time.end().utc.saturating_add(1)).local;
        prop_assert!(before.date() < time.start().local.date(), "{} {}", name, before);
        prop_assert!(after.date() > time.end().local.date(), "{} {}", name, after);
        let is_left_out = zone(name).at_local(first.date().and_time(NaiveTime::MIN)).unwrap().local.date() != first.date();
        prop_assert!(is_left_out || time.start().local.date() == first.date(), "{} {}", name, first);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC*", offset in "(?i:utc)?[-+]?[0-9:.]{0,6}") {
        let _ = Zone::parse(&text);
        let _ = Zone::parse(&offset);
    }

    #[test]
    fn no_time_makes_a_zone_panic(
        index in 0..TZ_VARIANTS.len(),
        seconds in Timestamp::MIN.seconds()..=Timestamp::MAX.seconds(),
    ) {
        let zone = zone(TZ_VARIANTS[index].name());
        let t = Timestamp::from_seconds(seconds).unwrap();
        let _ = zone.at_local(t.civil());
        let _ = zone.abbreviation(t);
        let day = zone.at(t).local.date();
        let (start, end) = (zone.start_of_day(day), zone.end_of_day(day));
        prop_assert!(start <= end);
        prop_assert!(start <= t && t <= end);
    }
}
