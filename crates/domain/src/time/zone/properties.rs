use chrono::{Offset as _, TimeZone as _};
use chrono_tz::{OffsetName as _, Tz};
use proptest::prelude::*;

use super::*;

pub(in crate::time) fn zone(name: &str) -> Zone {
    name.parse::<Zone>().unwrap()
}

pub(in crate::time) fn names() -> Vec<&'static str> {
    ZoneData::in_use().names().collect()
}

/// The compared range: seconds from 1970 to the end of 2037.
pub(in crate::time) const COMPARED: std::ops::Range<i64> = 0..2_145_916_800;

/// The seconds east of UTC by the second library.
fn their_offset(tz: Tz, seconds: i64) -> i64 {
    let offset = tz.offset_from_utc_datetime(&Timestamp::from_seconds(seconds).unwrap().civil());
    i64::from(offset.fix().local_minus_utc())
}

/// The changes of the clocks of a zone from an instant on, in seconds.
fn changes(name: &str, from: i64) -> impl Iterator<Item = i64> {
    let (_, rules) = ZoneData::in_use().find(name).unwrap();
    let changes = rules.following(instant(from));
    changes
        .map(|change| change.timestamp().as_second())
        .take_while(|seconds| COMPARED.contains(seconds))
}

/// A zone for which both libraries have the same offsets, although their databases are of different
/// releases: at each change of ours, and every five days.
fn known_zone() -> impl Strategy<Value = (&'static str, Tz)> {
    let known: Vec<_> = names()
        .into_iter()
        .filter_map(|name| Some((name, name.parse::<Tz>().ok()?)))
        .filter(|&(name, theirs)| {
            let ours = zone(name);
            let changes = changes(name, 0).flat_map(|seconds| [seconds - 1, seconds]);
            COMPARED.step_by(5 * 86_400).chain(changes).all(|seconds| {
                ours.offset_at(Timestamp::from_seconds(seconds).unwrap())
                    == their_offset(theirs, seconds)
            })
        })
        .collect();
    assert!(
        known.len() > names().len() * 9 / 10,
        "only {} zones to compare",
        known.len()
    );
    proptest::sample::select(known)
}

/// A wall clock near a change of a zone, where errors are likely, or anywhere.
pub(in crate::time) fn wall_clock(name: &str, seconds: i64, distance: i64) -> i64 {
    let change = changes(name, seconds).next().map_or(seconds, |change| {
        change + zone(name).offset_at(Timestamp::from_seconds(change).unwrap())
    });
    let near = change + distance;
    if COMPARED.contains(&near) {
        near
    } else {
        seconds
    }
}

/// The abbreviation of an offset in the second library; none if the abbreviation would be digits.
fn their_abbreviation(tz: Tz, t: Timestamp) -> Option<String> {
    let offset = tz.offset_from_utc_datetime(&t.civil());
    offset.abbreviation().map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn a_second_library_agrees(
        (name, tz) in known_zone(),
        seconds in COMPARED,
        near in proptest::option::of(-7200_i64..7200),
    ) {
        let wall = near.map_or(seconds, |distance| wall_clock(name, seconds, distance));
        let local = Timestamp::from_seconds(wall).unwrap().civil();
        let ours = zone(name).at_local(local).unwrap();
        prop_assert_eq!(ours, zone(name).at(ours.utc));
        let utc = ours.utc.seconds();
        let theirs = tz.offset_from_local_datetime(&local).map(|offset| {
            wall - i64::from(offset.fix().local_minus_utc())
        });
        match theirs {
            chrono::MappedLocalTime::Single(theirs) => prop_assert_eq!(utc, theirs, "{} {}", name, local),
            chrono::MappedLocalTime::Ambiguous(one, other) => {
                prop_assert_eq!(utc, one.min(other), "{} {}", name, local);
                let last = match zone(name).reading(local) {
                    Reading::Twice { second, .. } => wall - second,
                    Reading::Once { offset } | Reading::Never { offset_before: offset, .. } => wall - offset,
                };
                prop_assert_eq!(last, one.max(other), "{} {}", name, local);
            }
            chrono::MappedLocalTime::None => {
                // The time moves forward by the length of the jump: the offset before the jump is
                // used.
                let gap = chrono_tz::GapInfo::new(&local, &tz).unwrap();
                let (begin, before) = gap.begin.unwrap();
                let before = i64::from(before.fix().local_minus_utc());
                prop_assert_eq!(utc, wall - before, "{} {}", name, local);
                let jumped = match zone(name).reading(local) {
                    Reading::Never { jump, .. } => Some(jump),
                    Reading::Once { .. } | Reading::Twice { .. } => None,
                };
                prop_assert_eq!(jumped, Some(wall_seconds(begin) - before), "{} {}", name, local);
            }
        }
        if let Some(theirs) = their_abbreviation(tz, ours.utc) {
            prop_assert_eq!(zone(name).abbreviation(ours.utc), theirs);
        }
    }

    /// In each zone, a wall clock has as many instants as the clocks show it.
    #[test]
    fn clocks_show_what_is_read(
        index in 0..names().len(),
        seconds in COMPARED,
        distance in -7200_i64..7200,
    ) {
        let name = names()[index];
        let zone = zone(name);
        let wall = wall_clock(name, seconds, distance);
        let shown = |offset: i64| {
            zone.offset_at(Timestamp::from_seconds(wall - offset).unwrap()) == offset
        };
        // No zone changes its clocks twice within this range, so the offsets here are all that
        // count.
        let around = [-90_000, -43_200, 0, 43_200, 90_000].map(|distance| {
            zone.offset_at(Timestamp::saturating_from(wall + distance))
        });
        let mut shown: Vec<_> = around.into_iter().filter(|&offset| shown(offset)).collect();
        shown.sort_unstable();
        shown.dedup();
        match zone.reading(Timestamp::from_seconds(wall).unwrap().civil()) {
            Reading::Once { offset } => prop_assert_eq!(shown, vec![offset], "{} {}", name, wall),
            Reading::Twice { first, second } => prop_assert_eq!(shown, vec![second, first]),
            Reading::Never { offset_before, jump } => {
                prop_assert!(shown.is_empty(), "{} {}", name, wall);
                let at = |seconds| zone.offset_at(Timestamp::from_seconds(seconds).unwrap());
                prop_assert_eq!(at(jump - 1), offset_before);
                prop_assert!(jump - 1 + offset_before < wall && wall < jump + at(jump));
            }
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC*", offset in "(?i:utc)?[-+]?[0-9:.]{0,6}") {
        let _ = text.parse::<Zone>();
        let _ = offset.parse::<Zone>();
    }

    #[test]
    fn no_time_makes_a_zone_panic(
        index in 0..names().len(),
        seconds in Timestamp::MIN.seconds()..=Timestamp::MAX.seconds(),
    ) {
        let zone = zone(names()[index]);
        let t = Timestamp::from_seconds(seconds).unwrap();
        let _ = zone.at_local(t.civil());
        let _ = zone.abbreviation(t);
        let day = zone.at(t).local.date();
        let (start, end) = (zone.start_of_day(day), zone.end_of_day(day));
        prop_assert!(start <= end);
        prop_assert!(start <= t && t <= end);
    }
}
