//! Dates: what is read is a moment of the zone, and its wall clock is read as the same moment.
#![no_main]

use std::sync::LazyLock;

use domain::time::{Timestamp, Zone, format_civil, parse_date, parse_day, read_date};
use libfuzzer_sys::fuzz_target;

/// Zones with offsets at both ends, of less than an hour, with jumps over midnight, and without a day.
static ZONES: LazyLock<Vec<Zone>> = LazyLock::new(|| {
    let names = [
        "UTC",
        "UTC+14",
        "-12:00",
        "America/New_York",
        "Africa/Casablanca",
        "America/Sao_Paulo",
        "Pacific/Apia",
    ];
    names.map(|name| name.parse().expect("a zone")).into()
});

/// 2027-03-10 09:00:00 UTC, and the bounds.
static NOWS: LazyLock<[Timestamp; 3]> = LazyLock::new(|| {
    let now = Timestamp::from_seconds(1_804_669_200).expect("an instant");
    [now, Timestamp::MIN, Timestamp::MAX]
});

fuzz_target!(|text: &str| {
    if let Ok(zone) = text.parse::<Zone>() {
        assert_eq!(
            zone.name().parse::<Zone>().as_ref(),
            Ok(&zone),
            "the name of a zone"
        );
    }
    for zone in ZONES.iter() {
        for now in *NOWS {
            let Ok(moment) = parse_date(text, zone, now) else {
                assert_eq!(parse_day(text, zone, now).ok(), None, "a day of no date");
                continue;
            };
            assert_eq!(
                zone.at(moment.utc),
                moment,
                "the wall clock of {}",
                zone.name()
            );
            let shown = format_civil(moment.local);
            let again = read_date(&shown, zone, now).expect("a date as shown");
            assert_eq!(
                again.beside([moment]),
                moment,
                "{shown} read again in {}",
                zone.name()
            );
            if let Ok(day) = parse_day(text, zone, now) {
                assert_eq!(
                    zone.at(day.utc),
                    day,
                    "the start of a day in {}",
                    zone.name()
                );
                assert!(
                    day.utc <= moment.utc,
                    "a day starts after {shown} in {}",
                    zone.name()
                );
            }
        }
    }
});
