//! Changes where the clocks jump.

use events_calendar_domain::{
    recurrence::{Occurrence, Recurrence, RecurrenceParts, Slot},
    time::{EventTime, SentDate, Timestamp, read_date},
};

use super::{canonical, event, parts, recurrence, wall};

fn slot(text: &str) -> Slot {
    text.parse().unwrap()
}

fn all(series: &Recurrence) -> Vec<Occurrence> {
    series.occurrences(..).take(20).collect()
}

/// The clocks skip the slot of the split, or that of its end.
#[test]
fn splits_keep_slots_and_lengths() {
    for (zone, start, end, rule, at) in [
        (
            "Europe/Paris",
            "2027-03-27 02:00",
            "2027-03-27 02:15",
            "FREQ=DAILY;BYHOUR=2;BYMINUTE=0,30;UNTIL=20270330",
            "2027-03-28T02:00:00",
        ),
        (
            "Europe/Paris",
            "2027-03-27 02:00",
            "2027-03-27 02:15",
            "FREQ=DAILY;BYHOUR=2;BYMINUTE=0,30;COUNT=6",
            "2027-03-28T02:00:00",
        ),
        (
            "America/Nuuk",
            "2027-03-25 23:30",
            "2027-03-25 23:40",
            "FREQ=DAILY;INTERVAL=2;COUNT=6",
            "2027-03-27T23:30:00",
        ),
        (
            "America/Nuuk",
            "2027-03-13 23:30",
            "2027-03-13 23:40",
            "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
            "2027-03-27T23:30:00",
        ),
        (
            "Africa/Monrovia",
            "1972-01-06 00:20",
            "1972-01-06 00:50",
            "FREQ=DAILY",
            "1972-01-07T00:20:00",
        ),
        (
            "Europe/Paris",
            "2027-03-20 22:00",
            "2027-03-21 02:30",
            "FREQ=WEEKLY;COUNT=4",
            "2027-03-27T22:00:00",
        ),
    ] {
        let series = recurrence(&event(zone, start, end), rule);
        let [before, after] = series.split(slot(at)).unwrap();
        let halves: Vec<_> = all(&before)
            .into_iter()
            .chain(all(&after))
            .take(20)
            .collect();
        assert_eq!(halves, all(&series), "{zone} {rule}");
    }
}

/// A slot without an occurrence beside a later slot gets none before a split.
#[test]
fn a_split_does_not_bring_up_what_the_clocks_skip() {
    let first = event("Europe/Paris", "2027-03-27 02:10", "2027-03-27 02:20");
    for end in ["", ";COUNT=12"] {
        let series = recurrence(
            &first,
            &format!("FREQ=DAILY;BYHOUR=2,3;BYMINUTE=10,30{end}"),
        );
        let [before, after] = series.split(slot("2027-03-28T03:10:00")).unwrap();
        assert_eq!(before.total(), Some(4));
        let halves: Vec<_> = all(&before)
            .into_iter()
            .chain(all(&after))
            .take(20)
            .collect();
        assert_eq!(halves, all(&series), "{end}");
    }
}

/// A slot can be written back as it was read.
#[test]
fn times_are_written_back() {
    let first = event("Europe/Paris", "2027-03-20 22:00", "2027-03-21 02:30");
    let series = recurrence(&first, "FREQ=WEEKLY;COUNT=4");
    let second = slot("2027-03-27T22:00:00");
    let read = series.time_at(second).unwrap();
    assert_eq!(read.end().local, wall("2027-03-28 03:30"));
    assert_eq!(series.start_for(second, &read).as_ref(), Ok(series.start()));
    // An hour later: that occurrence ends at the time that is written.
    let later = event("Europe/Paris", "2027-03-27 23:00", "2027-03-28 04:30");
    let start = series.start_for(second, &later).unwrap();
    let moved = series.moved_to(start).unwrap();
    assert_eq!(moved.time_at(slot("2027-03-27T23:00:00")), Some(later));
    // The later half of a split: its first end is that of the jump alone.
    let [_, after] = series.split(second).unwrap();
    assert_eq!(after.moved(after.first()).as_ref(), Ok(&after));
    let start = event("Europe/Paris", "2027-03-27 21:00", "2027-03-28 03:30");
    let third = after
        .moved(&start)
        .unwrap()
        .occurrences(..)
        .nth(1)
        .unwrap()
        .when;
    assert_eq!(third.end().local, wall("2027-04-04 02:30"));

    // The second time at which the clocks show 02:30.
    let zone = first_zone();
    let sent: SentDate = read_date("2027-10-31T02:30:00+01:00", &zone, Timestamp::MIN).unwrap();
    let first = EventTime::sent(zone, sent, sent, false).unwrap();
    let series = recurrence(&first, "FREQ=DAILY;COUNT=2");
    let start = series.start_for(series.first_slot(), &first);
    assert_eq!(start.as_ref(), Ok(series.start()));
    let next = series.occurrences(..).nth(1).unwrap();
    assert_eq!(series.start_for(next.slot, &next.when), start);
}

/// All move by as much as one moves, also if the first lies in a gap of the clocks, or comes to.
#[test]
fn moves_by_an_occurrence_over_a_gap() {
    let first = event("Europe/Paris", "2027-03-27 02:30", "2027-03-27 03:00");
    let series = recurrence(&first, "FREQ=DAILY;COUNT=4");
    let [_, after] = series.split(slot("2027-03-28T02:30:00")).unwrap();
    let hour = event("Europe/Paris", "2027-03-29 03:30", "2027-03-29 04:00");
    let start = after.start_for(slot("2027-03-29T02:30:00"), &hour).unwrap();
    assert_eq!(start.slot(), slot("2027-03-28T03:30:00"));
    assert_eq!(start.first(), after.first());
    let moved = after.moved_to(start).unwrap();
    assert_eq!(moved.time_at(slot("2027-03-29T03:30:00")), Some(hour));
    assert_eq!(moved.total(), Some(3));

    let first = event("Europe/Paris", "2027-03-28 01:30", "2027-03-28 02:00");
    let series = recurrence(&first, "FREQ=DAILY;COUNT=3");
    let hour = event("Europe/Paris", "2027-03-29 02:30", "2027-03-29 03:00");
    let start = series
        .start_for(slot("2027-03-29T01:30:00"), &hour)
        .unwrap();
    assert_eq!(start.slot(), slot("2027-03-28T02:30:00"));
    assert_eq!(start.first().start().local, wall("2027-03-28 03:30"));
    let moved = series.moved_to(start).unwrap();
    assert_eq!(moved.time_at(slot("2027-03-29T02:30:00")), Some(hour));
}

fn first_zone() -> events_calendar_domain::time::Zone {
    "Europe/Paris".parse().unwrap()
}

/// A day whose second slot has no occurrence has one slot.
#[test]
fn labels_count_occurrences() {
    let first = event("Europe/Paris", "2027-03-27 02:30", "2027-03-27 02:30");
    let series = recurrence(&first, "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=30;COUNT=6");
    let shown = slot("2027-03-28T03:30:00");
    assert_eq!(series.find("2027-03-28".parse().unwrap()), Some(shown));
    assert_eq!(series.label(shown), "2027-03-28");
    assert_eq!(series.find_label("2027-03-28"), Some(shown));
    assert_eq!(series.label(slot("2027-03-27T03:30:00")), "2027-03-27-0330");
}

/// The second time of a wall clock is no slot.
#[test]
fn second_times_are_not_deleted() {
    let first = event("Europe/Paris", "2027-10-30 02:30", "2027-10-30 02:30");
    for (deleted, total) in [("20271031T013000Z", 3), ("20271031T003000Z", 2)] {
        let parts = RecurrenceParts {
            deleted: vec![deleted.parse().unwrap()],
            ..parts("FREQ=DAILY;COUNT=3")
        };
        let series = Recurrence::new(first.clone(), parts).unwrap();
        assert_eq!(series.total(), Some(total), "{deleted}");
    }
}

/// A wall clock or a day as end is compared with slots.
#[test]
fn ends_of_wall_clocks() {
    for (zone, start, until, total) in [
        ("Europe/Paris", "2027-03-27 03:00", "20270328T023000", 1),
        ("Europe/Paris", "2027-03-27 03:00", "20270328T030000", 2),
        // The slot of the 27th is shown on the 28th.
        ("America/Nuuk", "2027-03-25 23:30", "20270327", 3),
        ("America/Nuuk", "2027-03-25 23:30", "20270326", 2),
    ] {
        let series = recurrence(
            &event(zone, start, start),
            &format!("FREQ=DAILY;UNTIL={until}"),
        );
        assert_eq!(series.total(), Some(total), "{zone} {until}");
        let again = recurrence(series.first(), &canonical(&series));
        assert_eq!(again, series, "{zone} {until}");
    }
    let zone = first_zone();
    let sent: SentDate = read_date("2027-10-31T02:30:00+01:00", &zone, Timestamp::MIN).unwrap();
    let first = EventTime::sent(zone, sent, sent, false).unwrap();
    let once = recurrence(&first, "FREQ=DAILY;UNTIL=20271031T023000");
    assert_eq!(once.total(), Some(1));
    assert_eq!(recurrence(&first, &canonical(&once)), once);
}
