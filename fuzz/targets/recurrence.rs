//! Recurrences: a start, and lines of iCalendar or a rule alone. A recurrence that was read is written as the same, and gives ordered
//! slots, from any of them on.
#![no_main]

use std::sync::LazyLock;

use domain::{
    recurrence::{Recurrence, RecurrenceParts, Rule},
    time::{EventTime, NaiveDateTime, Timestamp, Zone, parse_civil},
};
use libfuzzer_sys::fuzz_target;

/// Zones with jumps of an hour and of half an hour, with one over midnight, and one without rules.
static ZONES: LazyLock<Vec<Zone>> = LazyLock::new(|| {
    let names = [
        "Europe/Paris",
        "Australia/Lord_Howe",
        "America/Nuuk",
        "UTC-5:30",
    ];
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
                check_labels(&recurrence);
                check_changes(&recurrence);
            }
        }
    }
}

fn check_slots(recurrence: &Recurrence) {
    let slots: Vec<_> = recurrence.slots(..).take(MOST).collect();
    assert!(!slots.is_empty(), "no slot");
    assert!(
        slots.is_sorted_by(|one, next| one < next),
        "{slots:?} in order"
    );
    let middle = slots[slots.len() / 2];
    let later = recurrence
        .slots(middle..)
        .take(slots.len() - slots.len() / 2);
    assert!(
        later.eq(slots[slots.len() / 2..].iter().copied()),
        "from {middle}"
    );
    for slot in slots.iter().step_by(20) {
        assert!(recurrence.has_slot(*slot), "{slot}");
        assert!(
            recurrence.find(recurrence.recurrence_id(*slot)).is_some(),
            "{slot}"
        );
    }
    if !recurrence.is_endless() {
        let count = recurrence.all_slots(..).count();
        assert!(count <= Recurrence::MAX_SLOTS, "{count} slots");
    }
    for occurrence in recurrence.occurrences(..).take(20) {
        let instant = occurrence.when.start().utc;
        assert!(
            recurrence
                .occurrences(instant..=instant)
                .any(|one| one == occurrence),
            "{} at its instant",
            occurrence.slot
        );
    }
    let _ = recurrence.count_before(Timestamp::MAX, MOST);
}

fn check_lines(recurrence: &Recurrence) {
    let lines = recurrence.lines();
    let start = recurrence.start();
    // The text of a rule can be longer than one that is sent.
    let Ok(parts) = RecurrenceParts::from_lines(&lines, start.first().zone()) else {
        let rule = recurrence.rule().expect("a rule").to_string();
        assert!(rule.len() > Rule::MAX_CHARS, "{lines:?} read again");
        assert_eq!(
            Rule::from_stored(&rule).as_ref().ok(),
            recurrence.rule(),
            "{rule} read again"
        );
        return;
    };
    let again = Recurrence::new(start.clone(), parts);
    assert_eq!(again.as_ref(), Ok(recurrence), "{lines:?} read again");
}

fn check_labels(recurrence: &Recurrence) {
    let slots: Vec<_> = recurrence
        .all_occurrences(..)
        .take(20)
        .map(|one| one.slot)
        .collect();
    for (slot, label) in slots.iter().zip(recurrence.labels(slots.iter().copied())) {
        assert_eq!(label, recurrence.label(*slot));
        assert_eq!(recurrence.find_label(&label), Some(*slot), "{label}");
    }
}

fn check_changes(recurrence: &Recurrence) {
    let occurrences: Vec<_> = recurrence.occurrences(..).take(4).collect();
    let first = recurrence.first();
    let horizon = first.start().utc.saturating_add(50_000_000);
    for one in &occurrences {
        let at = one.slot;
        let written_back = recurrence.start_for(at, &one.when);
        assert_eq!(
            written_back.as_ref(),
            Ok(recurrence.start()),
            "{at} written back"
        );
        if let Ok([before, after]) = recurrence.split(at) {
            let halves = before
                .occurrences(..)
                .chain(after.occurrences(..))
                .take(MOST);
            assert!(
                halves.eq(recurrence.occurrences(..).take(MOST)),
                "{before:?} and {after:?}"
            );
            assert!(before.total().is_some_and(|total| total > 0), "before {at}");
        }
    }
    let zone_of_first = first.zone();
    for (zone, minutes, all_day) in [
        (zone_of_first.clone(), 60, first.all_day()),
        (zone_of_first.clone(), 1440, first.all_day()),
        (zone_of_first.clone(), -50_000, first.all_day()),
        (Zone::utc(), 0, false),
        (Zone::utc(), 0, true),
    ] {
        let later = zone_of_first
            .at(first.start().utc.saturating_add(minutes * 60))
            .local;
        let Ok(to) = EventTime::new(zone, later, later, all_day) else {
            continue;
        };
        if let Ok(moved) = recurrence.moved(&to) {
            // A day of several slots stays if one of them does.
            if first.all_day() || !all_day {
                assert_eq!(recurrence.deleted().is_empty(), moved.deleted().is_empty());
            }
            let _ = recurrence.compare(&moved, horizon);
        }
    }
    if let Ok(other) = recurrence.with_rule("FREQ=WEEKLY;BYHOUR=9,20".parse().ok()) {
        let _ = recurrence.compare(&other, horizon);
    }
    assert_eq!(
        recurrence.with_rule(recurrence.rule().cloned()).as_ref(),
        Ok(recurrence)
    );
}
