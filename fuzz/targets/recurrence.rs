//! Recurrences: a start, and lines of iCalendar or a rule alone. What is read is written as the same, and gives ordered
//! slots, from any of them on.
#![no_main]

use std::sync::LazyLock;

use domain::{
    recurrence::{Recurrence, RecurrenceParts, Rule, Slot},
    time::{EventTime, NaiveDateTime, Timestamp, Zone, parse_civil},
};
use libfuzzer_sys::fuzz_target;

/// Zones with jumps of an hour and of half an hour, and one without rules.
static ZONES: LazyLock<Vec<Zone>> = LazyLock::new(|| {
    let names = ["Europe/Paris", "Australia/Lord_Howe", "UTC-5:30"];
    names.map(|name| name.parse().expect("a zone")).into()
});

/// More slots are not looked at.
const MOST: usize = 200;

fuzz_target!(|text: &str| {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (start, lines) = match parse_civil(line) {
        Some(start) => (start, rest),
        None => (parse_civil("2027-03-27 02:30:00").expect("a time"), text),
    };
    if let Ok(rule) = lines.parse::<Rule>() {
        let shown = rule.to_string();
        assert_eq!(shown.parse().as_ref(), Ok(&rule), "{shown} read again");
        let parts = RecurrenceParts {
            rule: Some(rule),
            ..RecurrenceParts::default()
        };
        check(start, |_| Some(parts.clone()));
    }
    let lines: Vec<_> = lines.lines().collect();
    check(start, |zone| RecurrenceParts::from_lines(&lines, zone).ok());
});

/// Checks what the parts give in each zone, with whole days and without.
fn check(start: NaiveDateTime, parts: impl Fn(&Zone) -> Option<RecurrenceParts>) {
    for zone in ZONES.iter() {
        let Some(parts) = parts(zone) else {
            return;
        };
        for all_day in [false, true] {
            let Ok(first) = EventTime::new(zone.clone(), start, start, all_day) else {
                continue;
            };
            if let Ok(recurrence) = Recurrence::new(first, parts.clone()) {
                check_slots(&recurrence);
                check_lines(&recurrence);
                check_changes(&recurrence);
            }
        }
    }
}

fn check_slots(recurrence: &Recurrence) {
    let slots: Vec<_> = recurrence.slots(..).take(MOST).collect();
    assert!(!slots.is_empty(), "no slot");
    assert!(slots.is_sorted_by(|one, next| one < next), "{slots:?} in order");
    let middle = slots[slots.len() / 2];
    let later = recurrence.slots(middle..).take(slots.len() - slots.len() / 2);
    assert!(later.eq(slots[slots.len() / 2..].iter().copied()), "from {middle}");
    for slot in slots.iter().step_by(20) {
        assert!(recurrence.has_slot(*slot), "{slot}");
        assert!(recurrence.find(recurrence.recurrence_id(*slot)).is_some(), "{slot}");
    }
    if !recurrence.is_endless() {
        let count = recurrence.all_slots(..).count();
        assert!(count <= Recurrence::MAX_SLOTS, "{count} slots");
    }
    for occurrence in recurrence.occurrences(..).take(20) {
        let instant = occurrence.when.start().utc;
        assert!(
            recurrence.occurrences(instant..=instant).any(|one| one == occurrence),
            "{} at its instant",
            occurrence.slot
        );
    }
    let _ = recurrence.count_before(Timestamp::MAX, MOST);
}

fn check_lines(recurrence: &Recurrence) {
    let lines = recurrence.lines();
    let first = recurrence.first();
    let parts = RecurrenceParts::from_lines(&lines, first.zone()).expect("lines as written");
    // More than a thousand dates can come of one sent day, and are not read again.
    if let Ok(again) = Recurrence::new(first.clone(), parts) {
        assert_eq!(&again, recurrence, "{lines:?} read again");
    }
}

fn check_changes(recurrence: &Recurrence) {
    let slots: Vec<_> = recurrence.slots(..).take(10).collect();
    for at in &slots {
        if let Ok([before, after]) = recurrence.split(*at) {
            assert!(before.slots(..).all(|slot| slot < *at), "before {at}");
            assert!(after.slots(..).take(MOST).all(|slot| slot >= *at), "from {at}");
        }
    }
    let first = recurrence.first();
    let later = first.start().local + (first.end().local - first.start().local);
    if let Ok(to) = EventTime::new(Zone::utc(), later, later, false) {
        if let Ok(moved) = recurrence.moved(&to) {
            let _ = recurrence.compare(&moved, first.start().utc.saturating_add(50_000_000));
        }
    }
}
