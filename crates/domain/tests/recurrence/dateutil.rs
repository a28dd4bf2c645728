//! Slots recorded from python-dateutil: see `dateutil.py`.

use chrono::{Datelike, NaiveDateTime};
use events_calendar_domain::{recurrence::Slot, time::EventTime};

use super::recurrence;

/// Most slots in a line.
const MOST: usize = 8;
/// The last year of slots in a line.
const LAST_YEAR: i32 = 2090;

#[test]
fn slots_are_as_recorded() {
    let lines = include_str!("dateutil.txt")
        .lines()
        .filter(|line| !line.starts_with('#'));
    let mut compared = 0;
    for line in lines {
        let (start, rest) = line.split_once(' ').unwrap();
        let mut expected: Vec<_> = rest.split(' ').collect();
        let rule = std::mem::replace(&mut expected[0], start);
        let start = NaiveDateTime::parse_from_str(start, "%Y%m%dT%H%M").unwrap();
        let first = EventTime::new("UTC".parse().unwrap(), start, start, false).unwrap();
        let slots = recurrence(&first, rule);
        let slots = slots.slots(..).map(Slot::local);
        let slots = slots.take_while(|slot| slot.year() <= LAST_YEAR).take(MOST);
        let slots: Vec<_> = slots
            .map(|slot| slot.format("%Y%m%dT%H%M").to_string())
            .collect();
        assert_eq!(slots, expected, "{rule}");
        compared += 1;
    }
    assert_eq!(compared, 400);
}
